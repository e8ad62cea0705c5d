"""Before the first card: who and what there is to play with, and the lobby of a table."""

from __future__ import annotations

from typing import Literal

from p2pkaboo.peer.vocabulary.basics import Data, Say, Words


class Person(Data, frozen=True, kw_only=True):
    name: str
    words: Words = ()


class FoundTable(Data, frozen=True, kw_only=True):
    """An open table announced in this network."""

    id: str
    name: str
    rules: str
    taken: int
    wanted: int
    playing: bool = False


class Unfinished(Data, frozen=True, kw_only=True):
    """A table with a seat of yours to go back to. `kept_until_ms` if the others' peers still wait for you."""

    id: str
    name: str
    round: int
    kept_until_ms: int | None = None


class RulesName(Data, frozen=True, kw_only=True):
    """A preset or a saved rule set. `changes` counts the keys that differ from `preset`."""

    id: str
    name: str
    preset: str
    changes: int = 0
    players_min: int = 2
    players_max: int = 8


class Friend(Data, frozen=True, kw_only=True):
    """Somebody in the lobby. `route` is how their peer is reached, `via` the member who passes messages on."""

    key: str
    name: str
    words: Words
    you: bool = False
    bot: bool = False
    route: Literal["self", "lan", "ipv6", "direct", "mapped", "punched", "relay", "none"] = "direct"
    via: str = ""
    ping_ms: float | None = None
    ready: bool = False
    matches: int = 0
    """Matches played together before; 0: new to you."""
    words_match: bool = False
    """You have said that the words were the same on both screens."""


class Reach(Data, frozen=True, kw_only=True):
    """One way in which others may or may not reach this computer: `lan` an announcement in its network, `here` an
    address for this computer only, `near` one for its network, `address` and `ipv6` public ones.

    `state`: `yes` once somebody has come this way, `open` as long as nobody has.
    """

    way: Literal["lan", "here", "near", "ipv6", "mapping", "address", "punch", "relay"]
    state: Literal["yes", "no", "trying", "open"]
    detail: str = ""
    """The address."""


class Lobby(Data, frozen=True, kw_only=True):
    """Before the first card. A guest has no invite (`invite`, `link` and `qr` are empty). Until the opener has told
    the table's name and rules, a guest by invite knows neither: `name` and `rules.name` are "" then."""

    name: str
    opener: bool
    host: str = ""
    """Who opened the table, by the name they give themselves; "" for the opener."""
    rules_here: bool = True
    """The rules themselves are known and can be read; else `rules.name` is no more than what was announced."""
    private: bool
    invite: str
    link: str
    qr: tuple[str, ...]
    """Rows of the invite's QR code: "1" is dark, without the quiet zone."""
    expires_at_ms: int | None
    seats: int
    friends: tuple[Friend, ...]
    rules: RulesName
    reach: tuple[Reach, ...] = ()
    can_start: bool = False
    waiting_for: tuple[str, ...] = ()
    """Names of those who are not ready yet."""
    problem: Say | None = None

"""What a visit is for: a table to open, to join, or to go back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pkaboo.journal.store import MatchRow
from p2pkaboo.peer import api
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.limits import MAX_NAME

if TYPE_CHECKING:
    from p2pkaboo.net.invite import Contact


@dataclass(frozen=True, slots=True)
class Opening:
    """A table to be opened. `seats`: how many may sit; `local`: on this computer only, for bots of ours; `start_full`:
    deal by itself as soon as all seats are taken."""

    name: str
    rules: Ruleset
    rules_name: api.RulesName
    seats: int
    private: bool = False
    local: bool = False
    port: int | None = None
    bots: tuple[str, ...] = ()
    """Styles of the bots that sit down at once ("": any)."""
    start_full: bool = False
    hints: bool = False


@dataclass(frozen=True, slots=True)
class Joining:
    """A table to go to: who opened it and where that is. `name`, `rules`: as announced, "" if not known yet."""

    secret: bytes
    contacts: tuple[Contact, ...]
    name: str = ""
    rules: str = ""


Errand = Opening | Joining | MatchRow
"""What a visit is for; a `MatchRow` is a match to go back to."""


def announced_name(text: str) -> str:
    """What a table or its rules are called, as it can be announced: one line of at most MAX_NAME printable letters, or
    ""."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line[:MAX_NAME].rstrip()

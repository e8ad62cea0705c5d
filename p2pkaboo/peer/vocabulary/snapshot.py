"""Everything a screen shows, in one message."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from p2pkaboo.peer.vocabulary.basics import Data, Say, ShortText
from p2pkaboo.peer.vocabulary.lobby import FoundTable, Lobby, Person, RulesName, Unfinished
from p2pkaboo.peer.vocabulary.table import Table


class Settings(Data, frozen=True, kw_only=True):
    """Kept by the peer: a page has a new origin with every port, so it cannot keep anything itself."""

    theme: Literal["auto", "light", "dark"] = "auto"
    four_colours: bool = False
    motion: Literal["auto", "normal", "fast", "none"] = "auto"
    sound: bool = True
    volume: Annotated[int, Meta(ge=0, le=100)] = 60
    notify: Literal["off", "hidden", "always"] = "hidden"
    """When to raise a notification of the system: never, while the page is out of sight, always."""
    hints: bool = True
    confirm_calls: bool = True
    language: ShortText = "en"


class Styles(Data, frozen=True, kw_only=True):
    """A way of playing that a bot can have."""

    id: str
    name: str


class Snapshot(Data, tag="snapshot", frozen=True, kw_only=True):
    """Everything a screen shows. Complete in itself: a client that missed any number of snapshots needs only this.

    `screen` is what the peer is doing; tutorial pages, the rules editor, history and the like are the client's own.
    """

    number: int
    now_ms: int
    screen: Literal["start", "joining", "lobby", "table"]
    me: Person
    settings: Settings = Settings()
    tables: tuple[FoundTable, ...] = ()
    unfinished: tuple[Unfinished, ...] = ()
    rules: tuple[RulesName, ...] = ()
    styles: tuple[Styles, ...] = ()
    lobby: Lobby | None = None
    table: Table | None = None
    notice: Say | None = None
    """Something that concerns the whole program: a table is gone, joining failed and why."""

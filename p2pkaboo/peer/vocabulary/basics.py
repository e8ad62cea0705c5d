"""What everything in the local API is made of: limits of fields, sentences, timers, places of cards."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

ShortText = Annotated[str, Meta(max_length=80)]
"""Names of people, tables and rule sets: longer ones would not fit a seat's plate."""
LongText = Annotated[str, Meta(max_length=4096)]
"""Invites and links (about 150 characters each) and paths, with generous room."""
Index = Annotated[int, Meta(ge=0, le=255)]
"""A seat or a position; a hand cannot hold more cards than four packs of 54 have, less one a seat."""
Indices = Annotated[tuple[Index, ...], Meta(max_length=64)]
Value = bool | int | str
"""The value of one key of a rule set or of one setting."""
Words = tuple[str, ...]
"""Four words people can read to each other: of a key (who somebody is) or of a history head (what was played)."""


class Data(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of everything exchanged: plain, immutable, refusing fields it does not know."""


class Say(Data, frozen=True, kw_only=True):
    """A sentence to show: `key` into the interface's table of strings, and what fills its blanks."""

    key: str
    params: dict[str, str | int | None] = {}


class Timer(Data, frozen=True, kw_only=True):
    """Something that runs out. `kind` says what happens then; `total_ms` is its whole length, for drawing it."""

    kind: Literal["step", "idle", "peek", "gift", "between", "grace", "exposure", "deal"]
    ends_at_ms: int
    total_ms: int


class Spot(Data, frozen=True, kw_only=True):
    """Where a card lies: a place in a hand (seat and position), the stock, the discard pile, or a player's hand-held
    drawn card (`where = "held"`, with its seat)."""

    where: Literal["place", "stock", "discard", "held"]
    seat: int | None = None
    position: int | None = None

"""Moves and events as a scenario writes them: seats by name, cards by position.

The engine works on handles; this is the only place, views apart, where positions exist.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from . import events, moves
from .keys import shown
from .moves import Call, Discard, Draw, Exchange, Give, Move, Peek, PeekInitial, Skip, Snap, Spy, Swap, Take
from .outcome import IllegalMove
from .state import Handle, State, owner, position

_FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "peek_initial": (("at",), ()),
    "draw": ((), ()),
    "take": ((), ()),
    "exchange": (("at",), ("into", "end")),
    "discard": ((), ()),
    "peek": (("at",), ()),
    "spy": (("of", "at"), ()),
    "swap": (("mine", "with", "theirs"), ("of",)),
    "skip": ((), ()),
    "snap": (("of", "at"), ()),
    "give": (("card",), ()),
    "no_gift": ((), ()),
    "call": ((), ()),
}
"""`do` -> the fields it must and may have, besides `seat`, `do` and `reshuffled`."""


class _Reader:
    """Reads one move in the state before it; everything wrong with it is an IllegalMove."""

    def __init__(self, state: State, seats: Sequence[str], raw: Mapping[str, Any]) -> None:
        self.state = state
        self.seats = seats
        self.raw = raw

    def seat(self, field: str) -> int:
        name = self.raw[field]
        if name not in self.seats:
            raise IllegalMove(f"{field} is {shown(name)}, no seat of this table", "form of a move")
        return self.seats.index(name)

    def card(self, seat: int, at: object, field: str) -> Handle:
        hand = self.state.hands[seat]
        if type(at) is not int or not 0 <= at < len(hand):
            raise IllegalMove(
                f"{field} is {shown(at)}, {self.seats[seat]} has positions 0 to {len(hand) - 1}", "positions"
            )
        handle = hand[at]
        if handle is None:
            raise IllegalMove(f"position {at} of {self.seats[seat]} is a gap", "positions")
        return handle

    def cards(self, seat: int) -> tuple[Handle, ...]:
        places = self.raw["at"]
        if not isinstance(places, list) or len(places) > moves.MAX_CHOSEN:
            raise IllegalMove(f"at is {shown(places)}, a list of positions is expected", "form of a move")
        return tuple(self.card(seat, at, "at") for at in places)

    def exchange(self, seat: int) -> Move:
        into, end = self.raw.get("into"), self.raw.get("end")
        if end not in (None, "left", "right"):
            raise IllegalMove(f"end is {shown(end)}, left or right is expected", "form of a move")
        return Exchange(seat, self.cards(seat), None if into is None else self.card(seat, into, "into"), end)

    def swap(self, seat: int) -> Move:
        mine_of = seat if self.raw.get("of") is None else self.seat("of")
        mine = self.card(mine_of, self.raw["mine"], "mine")
        return Swap(seat, mine, self.card(self.seat("with"), self.raw["theirs"], "theirs"))


_READ: dict[str, Callable[[_Reader, int], Move]] = {
    "peek_initial": lambda reader, seat: PeekInitial(seat, reader.cards(seat)),
    "draw": lambda reader, seat: Draw(seat),
    "take": lambda reader, seat: Take(seat),
    "exchange": lambda reader, seat: reader.exchange(seat),
    "discard": lambda reader, seat: Discard(seat),
    "peek": lambda reader, seat: Peek(seat, reader.card(seat, reader.raw["at"], "at")),
    "spy": lambda reader, seat: Spy(seat, reader.card(reader.seat("of"), reader.raw["at"], "at")),
    "swap": lambda reader, seat: reader.swap(seat),
    "skip": lambda reader, seat: Skip(seat),
    "snap": lambda reader, seat: Snap(seat, reader.card(reader.seat("of"), reader.raw["at"], "at")),
    "give": lambda reader, seat: Give(seat, reader.card(seat, reader.raw["card"], "card")),
    "no_gift": lambda reader, seat: Give(seat, None),
    "call": lambda reader, seat: Call(seat),
}


def read_move(state: State, seats: Sequence[str], raw: object) -> Move:
    """The engine's move that a scenario's move means in this state.

    Raises IllegalMove for whatever is wrong with it.
    """
    if not isinstance(raw, dict) or "seat" not in raw or "do" not in raw:
        raise IllegalMove("a move is an object with seat and do", "form of a move")
    do = raw["do"]
    if not isinstance(do, str) or do not in _FIELDS:
        raise IllegalMove(f"there are only {', '.join(_FIELDS)}", "form of a move")
    needed, optional = _FIELDS[do]
    reader = _Reader(state, seats, raw)
    seat = reader.seat("seat")
    for field in needed:
        if field not in raw:
            raise IllegalMove(f"{field} is missing", "form of a move")
    for field in raw:
        if field not in ("seat", "do", "reshuffled", *needed, *optional):
            raise IllegalMove(f"{shown(field)} is no field of this move", "form of a move")
    return _READ[do](reader, seat)


def write_move(state: State, seats: Sequence[str], move: Move) -> dict[str, Any]:
    """A move of the engine, made in this state, as a scenario writes it."""
    do = "no_gift" if isinstance(move, Give) and move.handle is None else moves.NAMES[type(move)]
    raw: dict[str, Any] = {"seat": seats[move.seat], "do": do}
    match move:
        case PeekInitial(seat, handles):
            raw["at"] = [position(state, seat, handle) for handle in handles]
        case Exchange(seat, handles, into, end):
            raw["at"] = [position(state, seat, handle) for handle in handles]
            raw |= {} if into is None else {"into": position(state, seat, into)}
            raw |= {} if end is None else {"end": end}
        case Peek(seat, handle, _):
            raw["at"] = position(state, seat, handle)
        case Spy(_, handle, _) | Snap(_, handle):
            raw |= _where(state, seats, handle)
        case Swap(seat, mine, theirs, _):
            own, other = _where(state, seats, mine), _where(state, seats, theirs)
            raw |= {} if own["of"] == seats[seat] else {"of": own["of"]}
            raw |= {"mine": own["at"], "with": other["of"], "theirs": other["at"]}
        case Give(seat, given) if given is not None:
            raw["card"] = position(state, seat, given)
        case _:
            pass
    return raw


def _where(state: State, seats: Sequence[str], handle: Handle) -> dict[str, Any]:
    of = owner(state, handle)
    if of is None:
        raise ValueError(f"card {handle} lies before nobody")
    return {"of": seats[of], "at": position(state, of, handle)}


_SEATS = ("seat", "of", "to")


def write_event(event: events.Event, seats: Sequence[str], faces: Mapping[Handle, str]) -> dict[str, Any]:
    """An event with seats by name and, as a scenario hides nothing, the card's face; what is None is left out."""
    plain: dict[str, Any] = {"type": events.NAMES[type(event)]}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in _SEATS:
            plain[field.name] = seats[value]
        elif field.name == "handle":
            plain["card"] = faces[value]
        elif isinstance(value, tuple):
            plain[field.name] = list(value)
        elif value is not None:
            plain[field.name] = value
    return plain

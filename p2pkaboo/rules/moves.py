"""The moves of a round, and their form on the wire: a list of the kind, the seat, and what the move says.

Cards are named by handle. Decoding is strict: anything but what `to_plain` gives is a `MoveError`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from .ruleset import MAX_SEATS
from .state import Handle

End = Literal["left", "right"]

POWERS = ("peek", "spy", "swap", "look-swap", "look-two-swap")

MAX_CHOSEN = 64
"""Cards in one move: more than ever match one another with success, and a bound for decoders."""

MAX_INDEX = 2**16 - 1
"""Largest number in a handle: far more shuffles than a deal can have, and more cards than any deck."""


class MoveError(ValueError):
    """Plain data that is no move."""


@dataclass(frozen=True, slots=True)
class PeekInitial:
    """The first look at one's own cards."""

    seat: int
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the stock."""

    seat: int


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top discard."""

    seat: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """Put the card in hand in the place of one or several own cards.

    `into`: which of them it replaces (None: the first named); `end`: where it goes if they differ and the rules add
    it at either end (None: right).
    """

    seat: int
    handles: tuple[Handle, ...]
    into: Handle | None = None
    end: End | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """Put the drawn card on the pile."""

    seat: int


@dataclass(frozen=True, slots=True)
class Peek:
    """Look at an own card. `power` names the power used where the drawn card is still hidden."""

    seat: int
    handle: Handle
    power: str | None = None


@dataclass(frozen=True, slots=True)
class Spy:
    """Look at another's card; `power` as in `Peek`."""

    seat: int
    handle: Handle
    power: str | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """Swap two cards; `power` as in `Peek`."""

    seat: int
    mine: Handle
    theirs: Handle
    power: str | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """Leave a power, or the rest of it, unused."""

    seat: int


@dataclass(frozen=True, slots=True)
class Snap:
    """Throw a card, one's own or another's, on the discard that it matches."""

    seat: int
    handle: Handle


@dataclass(frozen=True, slots=True)
class Give:
    """The card given for another's card snapped; None: no gift."""

    seat: int
    handle: Handle | None


@dataclass(frozen=True, slots=True)
class Call:
    """Call, instead of drawing."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    """A final turn that cannot be taken (no cards left, or nothing to draw or take) is given up."""

    seat: int


Move = PeekInitial | Draw | Take | Exchange | Discard | Peek | Spy | Swap | Skip | Snap | Give | Call | Pass

NAMES: dict[type, str] = {
    PeekInitial: "peek_initial",
    Draw: "draw",
    Take: "take",
    Exchange: "exchange",
    Discard: "discard",
    Peek: "peek",
    Spy: "spy",
    Swap: "swap",
    Skip: "skip",
    Snap: "snap",
    Give: "give",
    Call: "call",
    Pass: "pass",
}
"""Move -> its name in scenarios, logs and on the wire."""


def to_plain(move: Move) -> list[Any]:
    """The move as a list of plain data."""
    head: list[Any] = [NAMES[type(move)], move.seat]
    match move:
        case PeekInitial(_, handles):
            return [*head, [list(handle) for handle in handles]]
        case Exchange(_, handles, into, end):
            return [*head, [list(handle) for handle in handles], _optional(into), end]
        case Peek(_, handle, power) | Spy(_, handle, power):
            return [*head, list(handle), power]
        case Swap(_, mine, theirs, power):
            return [*head, list(mine), list(theirs), power]
        case Snap(_, handle):
            return [*head, list(handle)]
        case Give(_, given):
            return [*head, _optional(given)]
        case _:
            return head


def from_plain(plain: object) -> Move:
    """The move that a list of plain data stands for.

    Raises MoveError for anything that `to_plain` does not give.
    """
    if not isinstance(plain, list | tuple) or len(plain) < 2:
        raise MoveError("a move is a list of kind, seat, and what the move says")
    kind, seat, *rest = plain
    if not isinstance(kind, str) or kind not in _READERS:
        raise MoveError("unknown kind of move")
    if type(seat) is not int or not 0 <= seat < MAX_SEATS:
        raise MoveError(f"{kind}: no such seat")
    reader, length = _READERS[kind]
    if len(rest) != length:
        raise MoveError(f"{kind}: expected {length} values after the seat, got {len(rest)}")
    return reader(seat, *rest)


def _optional(handle: Handle | None) -> list[int] | None:
    return None if handle is None else list(handle)


def _handle(plain: object) -> Handle:
    if isinstance(plain, list | tuple) and len(plain) == 2:
        shuffle, place = plain
        if type(shuffle) is int and type(place) is int and 0 <= shuffle <= MAX_INDEX and 0 <= place <= MAX_INDEX:
            return shuffle, place
    raise MoveError("a handle is a pair of small whole numbers")


def _maybe(plain: object) -> Handle | None:
    return None if plain is None else _handle(plain)


def _handles(plain: object) -> tuple[Handle, ...]:
    if not isinstance(plain, list | tuple) or len(plain) > MAX_CHOSEN:
        raise MoveError(f"expected a list of at most {MAX_CHOSEN} handles")
    return tuple(_handle(handle) for handle in plain)


def _power(plain: object) -> str | None:
    if plain is None or (isinstance(plain, str) and plain in POWERS):
        return plain
    raise MoveError("unknown power")


def _end(plain: object) -> End | None:
    if plain is None or plain == "left" or plain == "right":
        return plain
    raise MoveError("an end is left or right")


_READERS: dict[str, tuple[Callable[..., Move], int]] = {
    "peek_initial": (lambda seat, handles: PeekInitial(seat, _handles(handles)), 1),
    "draw": (Draw, 0),
    "take": (Take, 0),
    "exchange": (lambda seat, cards, into, end: Exchange(seat, _handles(cards), _maybe(into), _end(end)), 3),
    "discard": (Discard, 0),
    "peek": (lambda seat, handle, power: Peek(seat, _handle(handle), _power(power)), 2),
    "spy": (lambda seat, handle, power: Spy(seat, _handle(handle), _power(power)), 2),
    "swap": (lambda seat, mine, theirs, power: Swap(seat, _handle(mine), _handle(theirs), _power(power)), 3),
    "skip": (Skip, 0),
    "snap": (lambda seat, handle: Snap(seat, _handle(handle)), 1),
    "give": (lambda seat, handle: Give(seat, _maybe(handle)), 1),
    "call": (Call, 0),
    "pass": (Pass, 0),
}

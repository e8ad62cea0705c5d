"""What a move is, and what stands between it and a new state (08-rules.md, sections 3 and 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verifier.encoding import Value, whole
from verifier.game import Handle
from verifier.ruleset import Card

LOW_CLASSES = frozenset("A23456X")
ALL_CLASSES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "KB", "KR", "X")
POWERS = ("peek", "spy", "swap", "look-swap", "look-two-swap")
MAX_CHOSEN = 64
MAX_HANDLE_NUMBER = 65535


class Illegal(Exception):
    """The rules do not allow the move."""


class NeedOpen(Exception):
    """These cards must be opened before the move can be decided."""

    def __init__(self, handles: Sequence[Handle]) -> None:
        self.handles = list(handles)


class NeedReshuffle(Exception):
    """These discards must become stock first."""

    def __init__(self, handles: Sequence[Handle]) -> None:
        self.handles = list(handles)


class NeedClaim(Exception):
    """The drawn card must be proved to be of one of these classes."""

    def __init__(self, classes: frozenset[str]) -> None:
        self.classes = classes


@dataclass(frozen=True, slots=True)
class Move:
    """A move; fields that its kind has not are left out (section 4)."""

    do: str
    seat: int
    handles: tuple[Handle, ...] = ()
    handle: Handle | None = None
    into: Handle | None = None
    end: str | None = None
    mine: Handle | None = None
    theirs: Handle | None = None
    power: str | None = None


# What follows name and seat in a move on the wire; `?` marks what may be nil.
FIELDS: dict[str, tuple[str, ...]] = {
    "draw": (),
    "take": (),
    "exchange": ("handles", "into?", "end?"),
    "discard": (),
    "peek": ("handle", "power?"),
    "spy": ("handle", "power?"),
    "swap": ("mine", "theirs", "power?"),
    "skip": (),
    "call": (),
    "pass": (),
}


def _handle(data: Value) -> Handle:
    if isinstance(data, list) and len(data) == 2:
        shuffle, place = data
        if isinstance(shuffle, int) and isinstance(place, int) and whole(0, 65535)(shuffle) and whole(0, 65535)(place):
            return shuffle, place
    raise Illegal("a handle in the move is none")


def read_move(data: Value) -> Move:
    """The move of an ACTION; Illegal if the array is none."""
    if not isinstance(data, list) or len(data) < 2 or not isinstance(data[0], str) or data[0] not in FIELDS:
        raise Illegal("there is no such move")
    do, (seat, *rest) = data[0], data[1:]
    fields = FIELDS[do]
    if not isinstance(seat, int) or not whole(0, 7)(seat) or len(rest) != len(fields):
        raise Illegal(f"a {do} does not have these fields")
    found: dict[str, Handle | None] = {}
    handles: tuple[Handle, ...] = ()
    words: dict[str, str | None] = {}
    for name, data in zip(fields, rest, strict=True):
        plain = name.rstrip("?")
        if plain == "handles":
            if not isinstance(data, list) or len(data) > MAX_CHOSEN:
                raise Illegal("the cards of the move are no list")
            handles = tuple(map(_handle, data))
        elif plain in ("end", "power"):
            allowed = ("left", "right") if plain == "end" else POWERS
            if data is not None and not (isinstance(data, str) and data in allowed):
                raise Illegal(f"the {plain} of the move is none")
            words[plain] = data if isinstance(data, str) else None
        else:
            found[plain] = None if data is None and name.endswith("?") else _handle(data)
    return Move(
        do,
        seat,
        handles,
        found.get("handle"),
        found.get("into"),
        words.get("end"),
        found.get("mine"),
        found.get("theirs"),
        words.get("power"),
    )


@dataclass(slots=True)
class Answers:
    """What has been found out for a move: opened faces, a reshuffle's new handles, the classes proved."""

    opened: Mapping[Handle, Card]
    reshuffled: Sequence[Handle] | None = None
    claimed: frozenset[str] | None = None
    # For the two snaps of a dispute: the card that was on top when the window opened (06-snap.md, section 7).
    snap_top: Card | None = None

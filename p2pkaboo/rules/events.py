"""What happened, move by move: for the log, for animation, for `rules run`.

Fields named `seat`, `of`, `to` are seats, `at`, `into`, `mine`, `theirs` positions at the moment of the event,
`handle` a card. `card` is there only where the face is public by then.
"""

from dataclasses import dataclass
from typing import Literal

from .state import Handle


@dataclass(frozen=True, slots=True)
class PeekedInitial:
    """A seat has had its first look."""

    seat: int
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat has drawn the top card of the stock."""

    seat: int
    handle: Handle


@dataclass(frozen=True, slots=True)
class Took:
    """A seat has taken the top discard."""

    seat: int
    handle: Handle
    card: str


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The card in hand now lies at `into`; the cards at `at` go to the pile."""

    seat: int
    at: tuple[int, ...]
    into: int
    handle: Handle


@dataclass(frozen=True, slots=True)
class Discarded:
    """A card went from a seat, from its hand or its position `at`, to the top of the pile."""

    seat: int
    handle: Handle
    card: str
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Several cards were to be exchanged and differ: shown, and turned back."""

    seat: int
    at: tuple[int, ...]
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptExtra:
    """The new card of a failed exchange lies before the seat as an extra card."""

    seat: int
    at: int
    handle: Handle


@dataclass(frozen=True, slots=True)
class Claimed:
    """The seat at turn has shown its drawn card to be of one of these classes, and no more."""

    seat: int
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Peeked:
    """A seat has looked at an own card."""

    seat: int
    at: int
    handle: Handle


@dataclass(frozen=True, slots=True)
class Spied:
    """A seat has looked at another's card."""

    seat: int
    of: int
    at: int
    handle: Handle


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two cards have changed places: `mine` before `of` and `theirs` before `to`."""

    seat: int
    of: int
    mine: int
    to: int
    theirs: int


@dataclass(frozen=True, slots=True)
class PowerSkipped:
    """A power, or the rest of it, was left unused."""

    seat: int
    power: str


@dataclass(frozen=True, slots=True)
class PowerFizzled:
    """A power has no legal target, or a card it had looked at is gone."""

    seat: int
    power: str


@dataclass(frozen=True, slots=True)
class Snapped:
    """A right snap: the card of `of` at `at` is on the pile."""

    seat: int
    of: int
    at: int
    handle: Handle
    card: str


@dataclass(frozen=True, slots=True)
class SnapWrong:
    """A wrong snap: shown, and turned back."""

    seat: int
    of: int
    at: int
    handle: Handle
    card: str


@dataclass(frozen=True, slots=True)
class PenaltyCard:
    """A card nobody has seen lies before the seat as a penalty."""

    seat: int
    at: int
    handle: Handle


@dataclass(frozen=True, slots=True)
class PenaltyDropped:
    """So many penalty cards are dropped: there is nothing to take them from."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Points:
    """Penalty points for a wrong snap."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Gave:
    """The gift for a snap of another's card lies in the gap."""

    seat: int
    at: int
    to: int
    into: int
    handle: Handle


@dataclass(frozen=True, slots=True)
class NoGift:
    """No card is given."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Called:
    """A seat has called; `forced`: it had no cards and could do nothing else."""

    seat: int
    forced: bool


@dataclass(frozen=True, slots=True)
class Passed:
    """A final turn was given up, or passed over."""

    seat: int


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """So many discards are the new stock."""

    count: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A seat is out of the round; its cards lie where they are."""

    seat: int


@dataclass(frozen=True, slots=True)
class Turn:
    """It is this seat's turn; `final`: its last one after a call."""

    seat: int
    final: bool


@dataclass(frozen=True, slots=True)
class RoundOver:
    """Nobody is at turn any more; snaps may follow where the rules have them."""

    end: Literal["called", "stock"]


Event = (
    PeekedInitial
    | Drew
    | Took
    | Exchanged
    | Discarded
    | Mismatch
    | KeptExtra
    | Claimed
    | Peeked
    | Spied
    | Swapped
    | PowerSkipped
    | PowerFizzled
    | Snapped
    | SnapWrong
    | PenaltyCard
    | PenaltyDropped
    | Points
    | Gave
    | NoGift
    | Called
    | Passed
    | Reshuffled
    | Forfeited
    | Turn
    | RoundOver
)

NAMES: dict[type, str] = {
    PeekedInitial: "peeked_initial",
    Drew: "drew",
    Took: "took",
    Exchanged: "exchanged",
    Discarded: "discarded",
    Mismatch: "mismatch",
    KeptExtra: "kept_extra",
    Claimed: "claimed",
    Peeked: "peeked",
    Spied: "spied",
    Swapped: "swapped",
    PowerSkipped: "power_skipped",
    PowerFizzled: "power_fizzled",
    Snapped: "snapped",
    SnapWrong: "snap_wrong",
    PenaltyCard: "penalty_card",
    PenaltyDropped: "penalty_dropped",
    Points: "points",
    Gave: "gift",
    NoGift: "no_gift",
    Called: "called",
    Passed: "passed",
    Reshuffled: "reshuffled",
    Forfeited: "forfeited",
    Turn: "turn",
    RoundOver: "round_over",
}
"""Event -> its name in logs and in the output of `rules run`."""

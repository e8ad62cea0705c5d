"""The state of one round as frozen plain data, and questions about it that need no move.

The engine knows cards by *handle*; a face appears in a state only once it is public. Two states that hold the same
round are equal, whatever order of independent moves led there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from .ruleset import Ruleset

Handle = tuple[int, int]
"""Names a card for as long as it is not reshuffled. The engine only compares handles."""

Step = Literal["turn", "drawn", "power", "round_over"]
Phase = Literal["turn", "drawn", "power", "gift", "round_over"]
SnapClass = Literal["own", "other"]

Hand = tuple[Handle | None, ...]
"""Places of a seat from position 0 on; None is a gap left by a card that went away."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The card in the hand of the seat at turn.

    `claim`: the card classes that its holder has proved it to be among, if it said so; None before.
    """

    handle: Handle
    source: Literal["stock", "pile"]
    claim: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class PowerInUse:
    """The power that waits for, or is in the middle of, its moves.

    `own`, `other`: cards looked at so far in a look-then-swap; `other_seat` has the second. `done`: nothing is left
    of it but the discard of the drawn card.
    """

    kind: str
    own: Handle | None = None
    other: Handle | None = None
    other_seat: int | None = None
    done: bool = False


@dataclass(frozen=True, slots=True)
class Gift:
    """A gift that play waits for: `giver` may or must give `to` a card, into the gap at position `at`."""

    giver: int
    to: int
    at: int


@dataclass(frozen=True, slots=True)
class SnapState:
    """Snaps on the card on top of the pile.

    `open`: it can be snapped; `attempts`: of each seat on this card, wrong or not counted; `own_closed`: an attempt at
    another's card has ended the stage of own cards; `chained`: the card was itself snapped.
    """

    open: bool
    attempts: tuple[int, ...]
    own_closed: bool = False
    chained: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """One round.

    `seats` is the number of seats, clockwise from 0; `active` those that have not forfeited. `stock` is top first,
    `pile` bottom to top. `faces` are the public faces (never change it). `turn` is the seat at turn, None once the
    final turns are over; `step` what it is at. `initial` are the seats whose first look is still due; `finals` the
    seats whose final turn is to come. `penalties` are points, `turns` completed turns of each seat. `passed_out`: the
    last final turn ended with `pass`, so the card kept for it stays kept (a scenario leaves `pass` out: what follows
    must not depend on when it was said).
    """

    rules: Ruleset
    seats: int
    dealer: int
    active: frozenset[int]
    hands: tuple[Hand, ...]
    stock: tuple[Handle, ...]
    pile: tuple[Handle, ...]
    faces: Mapping[Handle, str]
    face_up: frozenset[Handle]
    drawn: Drawn | None
    turn: int | None
    step: Step
    initial: frozenset[int]
    caller: int | None
    finals: tuple[int, ...]
    power: PowerInUse | None
    gift: Gift | None
    snap: SnapState
    penalties: tuple[int, ...]
    turns: tuple[int, ...]
    passed_out: bool = False

    @property
    def phase(self) -> Phase:
        """What the table waits for: the step of the seat at turn, unless a gift comes first."""
        return "gift" if self.gift is not None else self.step

    @property
    def top(self) -> Handle | None:
        """The top discard."""
        return self.pile[-1] if self.pile else None


def cards_of(state: State, seat: int) -> tuple[Handle, ...]:
    """The cards that lie before a seat, in order of position, gaps left out."""
    return tuple(handle for handle in state.hands[seat] if handle is not None)


def has_cards(state: State, seat: int) -> bool:
    """Does any card lie before the seat?"""
    return any(handle is not None for handle in state.hands[seat])


def owner(state: State, handle: Handle) -> int | None:
    """The seat before which the card lies, or None if it lies before nobody."""
    for seat, hand in enumerate(state.hands):
        if handle in hand:
            return seat
    return None


def position(state: State, seat: int, handle: Handle) -> int:
    """The position of a card that lies before the seat."""
    return state.hands[seat].index(handle)


def clockwise(state: State, seat: int) -> Iterator[int]:
    """The other active seats, from the left neighbour of `seat` on."""
    for step in range(1, state.seats):
        neighbour = (seat + step) % state.seats
        if neighbour in state.active:
            yield neighbour


def kept_top(state: State) -> bool:
    """Is the top card of the stock kept for the seat at turn? While it has neither drawn, taken nor called.

    Also while the stock is empty: then it is the first card of a reshuffle that is kept.
    """
    return (state.step == "turn" and state.turn is not None) or state.passed_out


def can_draw(state: State) -> bool:
    """Is there a card to draw, if need be after a reshuffle?"""
    return bool(state.stock) or can_reshuffle(state)


def can_reshuffle(state: State) -> bool:
    """May the discards under the top one become the stock, and are there any?"""
    return state.rules.stock_empty == "reshuffle" and len(state.pile) > 1


def can_take(state: State) -> bool:
    """Is there a discard that may be taken?"""
    return state.rules.turn_take and bool(state.pile)


def may_skip(state: State) -> bool:
    """May the power that waits be left unused, or the swap after looking be declined?"""
    power = state.power
    if power is None:
        return False
    looked = power.own is not None or power.other is not None
    return state.rules.power_decline if looked else state.rules.power_skip


def has_draw_lane(state: State) -> bool:
    """May the seat at turn draw without anything else having to happen first?"""
    return (
        state.turn is not None
        and state.step == "turn"
        and not state.initial
        and bool(state.stock)
        and has_cards(state, state.turn)
    )


def penalty_source(state: State) -> int:
    """Cards that a penalty could take now: stock and discards that may be reshuffled, but not the kept card."""
    under_top = max(0, len(state.pile) - 1) if state.rules.stock_empty == "reshuffle" else 0
    return len(state.stock) + under_top - int(kept_top(state))


def suspended(state: State) -> bool:
    """Is snapping suspended because nobody could pay a penalty card?"""
    return state.rules.snap_wrong_cards > 0 and penalty_source(state) < 1


def all_cards(state: State) -> list[Handle]:
    """Every card of the round, wherever it is: a law of the engine is that none is lost or doubled."""
    cards = [handle for hand in state.hands for handle in hand if handle is not None]
    cards += [*state.stock, *state.pile]
    return cards + ([state.drawn.handle] if state.drawn is not None else [])

"""What one seat may see of a round: public faces, the faces it has looked at itself, and nothing else.

A view has no handles of cards in the stock and no face that the seat may not know: whoever chooses moves, person or
program, chooses from this.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .cards import power_of
from .legal import may_call, most_exchanged, moves
from .moves import Call, Move
from .ruleset import Ruleset
from .snaps import may_snap, snappable
from .state import Gift, Handle, Phase, PowerInUse, State, has_cards


@dataclass(frozen=True, slots=True)
class Place:
    """A place before a seat.

    `handle` is None for a gap; `face` None where the viewer does not know it; `public`: everybody has seen this card;
    `face_up`: it lies open.
    """

    position: int
    handle: Handle | None
    face: str | None = None
    public: bool = False
    face_up: bool = False


@dataclass(frozen=True, slots=True)
class CardInHand:
    """The card in the hand of the seat at turn; `face` only for those who know it; `claim` the classes proved of it."""

    seat: int
    handle: Handle
    source: str
    face: str | None
    claim: frozenset[str] | None
    power: str | None
    """The power that discarding or using the card would give, where the viewer knows it, else None."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A round as one seat sees it; `seat` None for a spectator, who sees what is public.

    `stock` is a number of cards, `pile` faces bottom to top (None only for an up-card not yet opened). `moves` are the
    seat's legal moves, exchanges of several cards apart: of those, `most_exchanged` own cards may be chosen at most
    (0: no exchange now). `snappable`: by somebody; `may_snap`: by this seat.
    """

    rules: Ruleset
    seat: int | None
    seats: int
    dealer: int
    active: frozenset[int]
    hands: tuple[tuple[Place, ...], ...]
    stock: int
    pile: tuple[str | None, ...]
    drawn: CardInHand | None
    turn: int | None
    phase: Phase
    initial: frozenset[int]
    caller: int | None
    finals: tuple[int, ...]
    power: PowerInUse | None
    gift: Gift | None
    snappable: bool
    may_snap: bool
    attempts: tuple[int, ...]
    penalties: tuple[int, ...]
    turns: tuple[int, ...]
    moves: tuple[Move, ...]
    most_exchanged: int


def seat_view(state: State, seat: int | None, known: Mapping[Handle, str] | None = None) -> SeatView:
    """The view of a seat (None: a spectator); `known` are the private faces it has seen itself."""
    seen = dict(known or {}) if seat is not None else {}
    exchanging = seat is not None and state.turn == seat and state.step == "drawn" and state.power is None
    return SeatView(
        rules=state.rules,
        seat=seat,
        seats=state.seats,
        dealer=state.dealer,
        active=state.active,
        hands=tuple(
            tuple(_place(state, seen, position, handle) for position, handle in enumerate(hand)) for hand in state.hands
        ),
        stock=len(state.stock),
        pile=tuple(state.faces.get(handle) for handle in state.pile),
        drawn=_in_hand(state, seen),
        turn=state.turn,
        phase=state.phase,
        initial=state.initial,
        caller=state.caller,
        finals=state.finals,
        power=state.power,
        gift=state.gift,
        snappable=snappable(state),
        may_snap=seat is not None and may_snap(state, seat),
        attempts=state.snap.attempts,
        penalties=state.penalties,
        turns=state.turns,
        moves=_moves(state, seat, seen) if seat is not None else (),
        most_exchanged=most_exchanged(state, seat) if exchanging and seat is not None and has_cards(state, seat) else 0,
    )


def _moves(state: State, seat: int, seen: Mapping[Handle, str]) -> tuple[Move, ...]:
    """The seat's moves; a call only where it is certain to be lawful: the audit will know the cards."""
    options = moves(state, seat, seen, several=False)
    if state.rules.call_threshold < 0 or may_call(state, seat, seen, sure=True):
        return options
    return tuple(move for move in options if not isinstance(move, Call))


def _place(state: State, seen: Mapping[Handle, str], position: int, handle: Handle | None) -> Place:
    if handle is None:
        return Place(position, None)
    public = state.faces.get(handle)
    return Place(
        position,
        handle,
        face=public or seen.get(handle),
        public=public is not None,
        face_up=handle in state.face_up,
    )


def _in_hand(state: State, seen: Mapping[Handle, str]) -> CardInHand | None:
    drawn = state.drawn
    if drawn is None or state.turn is None:
        return None
    face = state.faces.get(drawn.handle) or seen.get(drawn.handle)
    power = power_of(state.rules, face) if face is not None and drawn.source == "stock" else None
    return CardInHand(state.turn, drawn.handle, drawn.source, face, drawn.claim, power if power != "none" else None)

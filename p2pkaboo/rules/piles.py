"""Cards between hands, stock and pile: placing, reshuffling, penalty cards, moving within a hand."""

from dataclasses import replace

from .events import PenaltyCard, PenaltyDropped, Reshuffled
from .outcome import Bench, IllegalMove, Needs, NeedsFirst
from .state import Hand, Handle, SnapState, State, can_reshuffle, kept_top


def place(state: State, handle: Handle, face: str, *, snapped: bool = False) -> State:
    """Put a card, from wherever the caller has taken it, face up on the pile. Snaps begin anew with it.

    `snapped`: it comes there by a snap, and can be snapped in turn only where the rules say so.
    """
    snappable = state.rules.snap != "off" and (not snapped or state.rules.snap_limit == "all")
    fresh = SnapState(open=snappable, attempts=(0,) * state.seats, chained=snapped)
    return replace(
        state,
        pile=(*state.pile, handle),
        faces={**state.faces, handle: face},
        face_up=state.face_up - {handle},
        snap=fresh,
    )


def with_hand(state: State, seat: int, hand: Hand) -> tuple[Hand, ...]:
    """All hands, that of one seat changed."""
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


def put_at(hand: Hand, at: int, handle: Handle | None) -> Hand:
    """The hand with a card, or a gap, at a position."""
    return (*hand[:at], handle, *hand[at + 1 :])


def expose(state: State, faces: dict[Handle, str]) -> State:
    """The state after cards were shown to all outside a move and turned back: their faces are public now."""
    return replace(state, faces={**state.faces, **faces})


def reshuffle(state: State, bench: Bench) -> State:
    """The discards under the top one become stock, beneath what is left of it, under new handles.

    Asks for the reshuffle if `bench` does not hold its result.

    Raises IllegalMove if the result is of the wrong size.
    """
    spent = state.pile[:-1]
    new = bench.reshuffled
    if new is None:
        raise NeedsFirst(Needs(reshuffle=spent))
    bench.reshuffle_used = True
    if len(new) != len(spent) or len(set(new)) != len(new):
        raise IllegalMove(f"exactly the {len(spent)} discards under the top one are reshuffled", "stock.empty")
    gone = set(spent)
    bench.log(Reshuffled(len(new)))
    return replace(
        state,
        stock=state.stock + new,
        pile=state.pile[-1:],
        faces={handle: face for handle, face in state.faces.items() if handle not in gone},
    )


def add_unseen(state: State, seat: int, count: int, bench: Bench) -> State:
    """Cards nobody has seen go to the right of a hand, one by one, from under the card kept for the seat at turn.

    When there is none, the discards are reshuffled; when there are none either, the rest is dropped.
    """
    for left in range(count, 0, -1):
        kept = int(kept_top(state))
        if len(state.stock) <= kept:
            if not can_reshuffle(state):
                bench.log(PenaltyDropped(seat, left))
                break
            state = reshuffle(state, bench)
            if len(state.stock) <= kept:
                bench.log(PenaltyDropped(seat, left))
                break
        handle = state.stock[kept]
        hand = state.hands[seat]
        bench.log(PenaltyCard(seat, len(hand), handle))
        state = replace(
            state,
            stock=state.stock[:kept] + state.stock[kept + 1 :],
            hands=with_hand(state, seat, (*hand, handle)),
        )
    return state

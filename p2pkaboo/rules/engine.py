"""The engine: a deal, and `state, move -> state, events`. Pure: no clock, no randomness, no I/O, no cryptography.

It works on handles and does not need to know a face before the rules open it; what must happen first it asks for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .events import Forfeited, NoGift, PeekedInitial
from .exchange import play_discard, play_exchange
from .keys import RulesError
from .legal import idle_move, may_call, most_exchanged, moves, turn_moves
from .moves import Call, Discard, Draw, Exchange, Give, Move, Pass, Peek, PeekInitial, Skip, Snap, Spy, Swap, Take
from .outcome import Bench, IllegalMove, Needs, NeedsFirst, Played
from .piles import expose, place
from .powers import play_peek, play_skip, play_spy, play_swap, settle_power
from .ruleset import MAX_SEATS, Ruleset
from .snaps import (
    legal_snap_class,
    may_snap,
    play_give,
    play_snap,
    snap_class,
    snap_targets,
    snappable,
    still_stands,
    void_attempt,
)
from .state import Hand, Handle, SnapState, State, has_draw_lane, kept_top, owner, position
from .turns import end_turn, play_call, play_draw, play_pass, play_take

__all__ = [
    "IllegalMove",
    "Needs",
    "Played",
    "State",
    "expose",
    "forfeit",
    "has_draw_lane",
    "idle_move",
    "kept_top",
    "legal_snap_class",
    "may_call",
    "may_snap",
    "most_exchanged",
    "moves",
    "owner",
    "play",
    "position",
    "snap_class",
    "snap_targets",
    "snappable",
    "start",
    "still_stands",
    "turn_moves",
    "void_attempt",
]


def start(
    ruleset: Ruleset,
    seats: int,
    dealer: int,
    handles: Sequence[Handle],
    *,
    active: frozenset[int] | None = None,
    faces: Mapping[Handle, str] | None = None,
) -> State:
    """The state after the deal: hands dealt one card at a time from the dealer's left, one turned up, the rest is
    stock.

    `handles` is the deck, top first; `active` the seats that take part (None: all); `faces` may hold the face of the
    card turned up (else `expose` adds it).

    Raises RulesError if the deck is too short for that many seats.
    """
    taking_part = frozenset(range(seats)) if active is None else active
    if not 1 <= len(taking_part) <= seats <= MAX_SEATS or not taking_part <= set(range(seats)):
        raise RulesError(f"{len(taking_part)} of {seats} seats: allowed are up to {MAX_SEATS}")
    if not 0 <= dealer < seats:
        raise RulesError(f"dealer {dealer}: there are {seats} seats")
    need = len(taking_part) * ruleset.deal_cards + int(ruleset.deal_opening)
    if len(handles) <= need:
        raise RulesError(
            f"deck of {len(handles)} cards: expected at least {need + 1}, one more than are dealt and turned up"
        )
    if len(set(handles)) != len(handles):
        raise RulesError("deck: a card stands in it twice")
    order = [seat % seats for seat in range(dealer + 1, dealer + 1 + seats) if seat % seats in taking_part]
    dealt = len(order) * ruleset.deal_cards
    hands: list[Hand] = [()] * seats
    for place_in_order, seat in enumerate(order):
        hands[seat] = tuple(handles[place_in_order : dealt : len(order)])
    opening = tuple(handles[dealt : dealt + 1]) if ruleset.deal_opening else ()
    given = faces or {}
    return State(
        rules=ruleset,
        seats=seats,
        dealer=dealer,
        active=taking_part,
        hands=tuple(hands),
        stock=tuple(handles[dealt + len(opening) :]),
        pile=opening,
        faces={handle: given[handle] for handle in opening if handle in given},
        face_up=frozenset(),
        drawn=None,
        turn=order[0],
        step="turn",
        initial=taking_part if ruleset.peek_count else frozenset(),
        caller=None,
        finals=(),
        power=None,
        gift=None,
        snap=SnapState(open=bool(opening) and ruleset.snap != "off", attempts=(0,) * seats),
        penalties=(0,) * seats,
        turns=(0,) * seats,
    )


def play(
    state: State,
    move: Move,
    faces: Mapping[Handle, str] | None = None,
    *,
    reshuffled: tuple[Handle, ...] | None = None,
    claimed: frozenset[str] | None = None,
) -> Played | Needs:
    """Play a move, or say what has to happen first.

    `faces` are the faces opened for this move (a caller with perfect information may pass all it knows: only what the
    move opens becomes public); `reshuffled` is the new stock, top first, that `Needs.reshuffle` asked for; `claimed`
    the classes of which the drawn card has been proved one.

    Raises IllegalMove if the rules forbid the move.
    """
    bench = Bench(faces or {}, reshuffled, claimed)
    try:
        after = _PLAYS[type(move)](state, move, bench)
    except NeedsFirst as first:
        return first.needs
    if reshuffled is not None and not bench.reshuffle_used:
        raise IllegalMove("nothing is reshuffled in this move", "stock.empty")
    return Played(after, tuple(bench.events))


def forfeit(state: State, seat: int, faces: Mapping[Handle, str] | None = None) -> Played | Needs:
    """A seat leaves a round that goes on: its hand stays where it is, untouched, and its turns are passed over.

    A card it holds is opened (see `Needs.open`) and discarded without power; a gift to or from it falls away.

    Raises IllegalMove if the seat is not in the round.
    """
    if seat not in state.active:
        raise IllegalMove("the seat is not in this round", "forfeit")
    bench = Bench(faces or {}, None, None)
    try:
        return Played(_without(state, seat, bench), tuple(bench.events))
    except NeedsFirst as first:
        return first.needs


def _without(state: State, seat: int, bench: Bench) -> State:
    bench.log(Forfeited(seat))
    gift = state.gift
    if gift is not None and seat in (gift.giver, gift.to):
        bench.log(NoGift(gift.giver, gift.to))
        state = replace(state, gift=None)
    at_turn = state.turn == seat
    if at_turn and state.drawn is not None:
        handle = state.drawn.handle
        (face,) = bench.open(state, (handle,))
        state = place(replace(state, drawn=None), handle, face)
    state = replace(
        state,
        active=state.active - {seat},
        initial=state.initial - {seat},
        finals=tuple(other for other in state.finals if other != seat),
    )
    return end_turn(state, bench) if at_turn else settle_power(state, bench)


def _play_peek_initial(state: State, move: PeekInitial, bench: Bench) -> State:
    """The first look of a seat: the nearest cards, or cards of its choice where the rules leave it."""
    seat, chosen, rules = move.seat, move.handles, state.rules
    if seat not in state.initial:
        raise IllegalMove("it has had its first look, or there is none", "peek.count")
    if len(chosen) != rules.peek_count or len(set(chosen)) != len(chosen):
        raise IllegalMove(f"the first look is at exactly {rules.peek_count} different cards", "peek.count")
    if any(handle not in state.hands[seat] for handle in chosen):
        raise IllegalMove("the first look is at own cards", "peek.count")
    nearest = state.hands[seat][: rules.peek_count]
    if not rules.peek_choice and set(chosen) != set(nearest):
        raise IllegalMove("the first look is at the nearest cards, from position 0 on", "peek.choice")
    bench.log(PeekedInitial(seat, tuple(position(state, seat, handle) for handle in chosen)))
    return replace(state, initial=state.initial - {seat})


_PLAYS: dict[type, Callable[[State, Any, Bench], State]] = {
    PeekInitial: _play_peek_initial,
    Draw: play_draw,
    Take: play_take,
    Exchange: play_exchange,
    Discard: play_discard,
    Peek: play_peek,
    Spy: play_spy,
    Swap: play_swap,
    Skip: play_skip,
    Snap: play_snap,
    Give: play_give,
    Call: play_call,
    Pass: play_pass,
}

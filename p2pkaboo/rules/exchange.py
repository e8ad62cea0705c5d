"""The card in hand: exchanged for one or several own cards, or discarded."""

from dataclasses import replace

from .cards import KEPT, card_class, match, power_of
from .events import Claimed, Discarded, Exchanged, KeptExtra, Mismatch, PowerFizzled
from .moves import Discard, Exchange
from .outcome import Bench, IllegalMove
from .piles import add_unseen, place, with_hand
from .powers import begin_power, possible
from .state import Drawn, Handle, PowerInUse, State, has_cards, position
from .turns import check_turn, end_turn


def play_exchange(state: State, move: Exchange, bench: Bench) -> State:
    """The card in hand replaces one own card, or several that match; cards that differ are turned back."""
    drawn = _in_hand(state, move.seat)
    if state.power is not None:
        raise IllegalMove("the power has been used: the card in hand is discarded now", "power.on")
    _check_choice(state, move)
    if state.rules.turn_by_rank and drawn.source == "stock":
        _check_kept(move.seat, drawn, bench)
    faces = bench.open(state, move.handles)
    if all(match(state.rules, faces[0], face) for face in faces[1:]):
        return _matched(state, move, drawn, faces, bench)
    return _failed(state, move, drawn, faces, bench)


def _in_hand(state: State, seat: int) -> Drawn:
    check_turn(state, seat, "drawn")
    if state.drawn is None:
        raise IllegalMove("there is no card in hand", "turn choices")
    return state.drawn


def _check_choice(state: State, move: Exchange) -> None:
    rules, chosen = state.rules, move.handles
    if not chosen:
        raise IllegalMove("no card to exchange is named", "turn choices")
    if len(set(chosen)) != len(chosen):
        raise IllegalMove("a card is named twice", "multi.max")
    if any(handle not in state.hands[move.seat] for handle in chosen):
        raise IllegalMove("only own cards are exchanged", "turn choices")
    if len(chosen) > 1 and rules.multi_max == 1:
        raise IllegalMove("only one card is exchanged at a time", "multi.max")
    if rules.multi_max and len(chosen) > rules.multi_max:
        raise IllegalMove(f"at most {rules.multi_max} cards are exchanged at once", "multi.max")
    if move.into is not None and move.into not in chosen:
        raise IllegalMove("the new card goes where one of the chosen cards lies", "multi.max")
    if move.into is None and len(chosen) > 1 and rules.multi_fail == "keep-end":
        raise IllegalMove("the position that receives the new card has to be named", "multi.fail")
    if move.end is not None and rules.multi_fail != "keep-end":
        raise IllegalMove("these rules do not let the player name an end", "multi.fail")


def _check_kept(seat: int, drawn: Drawn, bench: Bench) -> None:
    face = bench.faces.get(drawn.handle)
    if face is None:
        bench.claim(KEPT)
    elif card_class(face) not in KEPT:
        raise IllegalMove("only a drawn ace to six is exchanged", "turn.by_rank")
    bench.log(Claimed(seat, tuple(sorted(KEPT))))


def _matched(state: State, move: Exchange, drawn: Drawn, faces: tuple[str, ...], bench: Bench) -> State:
    seat, into = move.seat, move.handles[0] if move.into is None else move.into
    at = tuple(position(state, seat, handle) for handle in move.handles)
    hand = tuple(
        drawn.handle if handle == into else None if handle in move.handles else handle for handle in state.hands[seat]
    )
    bench.log(Exchanged(seat, at, position(state, seat, into), drawn.handle))
    state = replace(_laid_down(state, drawn), hands=with_hand(state, seat, hand))
    for handle, face, where in zip(move.handles, faces, at, strict=True):
        state = place(state, handle, face)
        bench.log(Discarded(seat, handle, face, where))
    if state.rules.power_displaced:
        return begin_power(state, seat, faces[-1], bench)
    return end_turn(state, bench)


def _failed(state: State, move: Exchange, drawn: Drawn, faces: tuple[str, ...], bench: Bench) -> State:
    seat, rules = move.seat, state.rules
    back = bench.open(state, (drawn.handle,)) if rules.multi_fail == "discard" else None
    at = tuple(position(state, seat, handle) for handle in move.handles)
    shown = dict(zip(move.handles, faces, strict=True))
    bench.log(Mismatch(seat, at, faces))
    state = replace(state, faces={**state.faces, **shown})
    if back is not None:
        state = place(replace(state, drawn=None), drawn.handle, back[0])
        bench.log(Discarded(seat, drawn.handle, back[0]))
    else:
        left = move.end == "left"
        hand = state.hands[seat]
        state = replace(
            _laid_down(state, drawn),
            hands=with_hand(state, seat, (drawn.handle, *hand) if left else (*hand, drawn.handle)),
        )
        bench.log(KeptExtra(seat, 0 if left else len(hand), drawn.handle))
    if rules.multi_unseen_from and len(move.handles) >= rules.multi_unseen_from:
        state = add_unseen(state, seat, 1, bench)
    return end_turn(state, bench)


def _laid_down(state: State, drawn: Drawn) -> State:
    """The card leaves the hand for a place on the table; a taken discard may have to stay face up there."""
    stays_open = drawn.source == "pile" and state.rules.turn_taken_open
    face_up: frozenset[Handle] = state.face_up | {drawn.handle} if stays_open else state.face_up
    return replace(state, drawn=None, face_up=face_up)


def play_discard(state: State, move: Discard, bench: Bench) -> State:
    """The drawn card goes to the pile, and its power may follow."""
    drawn = _in_hand(state, move.seat)
    if drawn.source == "pile":
        raise IllegalMove("a discard that was taken has to be exchanged", "turn.take")
    (face,) = bench.open(state, (drawn.handle,))
    forbidden = discard_forbidden(state, move.seat, face)
    if forbidden is not None:
        raise IllegalMove(*forbidden)
    power = state.power
    state = place(replace(state, drawn=None, power=None), drawn.handle, face)
    bench.log(Discarded(move.seat, drawn.handle, face))
    if state.rules.power_on == "discard":
        return begin_power(state, move.seat, face, bench)
    unused = PowerInUse(power_of(state.rules, face))
    if power is None and unused.kind != "none" and not _usable_on_draw(state, move.seat, unused):
        bench.log(PowerFizzled(move.seat, unused.kind))
    return end_turn(state, bench)


def _usable_on_draw(state: State, seat: int, power: PowerInUse) -> bool:
    """Could the drawn card's power have been used? Without cards a seat can only discard."""
    return has_cards(state, seat) and possible(state, seat, power)


def discard_forbidden(state: State, seat: int, face: str) -> tuple[str, str] | None:
    """Why a drawn card of this face may not be discarded (reason and rule), or None if it may.

    A seat that has lost its last card can do nothing else with the card in hand.
    """
    rules, power = state.rules, state.power
    if not has_cards(state, seat):
        return None
    if power is not None:
        if power_of(rules, face) != power.kind:
            return "the power used was not that of the card", "power.on = draw"
        return None
    if rules.turn_by_rank and card_class(face) in KEPT:
        return "an ace to six has to be exchanged", "turn.by_rank"
    unused = PowerInUse(power_of(rules, face))
    if rules.power_on == "draw" and not rules.power_skip and _usable_on_draw(state, seat, unused):
        return "its power has to be used first while it has a legal target", "power.skip"
    return None

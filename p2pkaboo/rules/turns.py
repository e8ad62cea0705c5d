"""Turns: whose it is, drawing, taking, calling, passing, and when nobody is at turn any more."""

from dataclasses import replace
from typing import Literal

from .cards import value
from .events import Called, Drew, Passed, RoundOver, Took, Turn
from .moves import Call, Draw, Pass, Take
from .outcome import Bench, IllegalMove
from .piles import reshuffle
from .state import (
    Drawn,
    SnapState,
    State,
    Step,
    can_draw,
    can_reshuffle,
    can_take,
    cards_of,
    clockwise,
    has_cards,
    may_skip,
)


def check_present(state: State, seat: int) -> None:
    """Is the seat in the round, and are the first looks over?

    Raises IllegalMove.
    """
    if not 0 <= seat < state.seats or seat not in state.active:
        raise IllegalMove("the seat is not in this round", "forfeit")
    if state.initial:
        raise IllegalMove("the first looks come before every other move", "peek.count")


def check_turn(state: State, seat: int, *steps: Step) -> None:
    """Is the seat at turn, at one of these steps, with nothing else to be waited for?

    Raises IllegalMove.
    """
    check_present(state, seat)
    if state.gift is not None:
        raise IllegalMove("play waits for a gift", "snap.gift")
    if state.turn is None:
        raise IllegalMove(*why_over(state))
    if state.turn != seat:
        raise IllegalMove("it is not its turn", "turn order")
    if state.step not in steps:
        raise IllegalMove(_due(state), "turn choices")


def why_over(state: State) -> tuple[str, str]:
    """Why nobody is at turn any more: reason and rule."""
    if state.caller is None or (not state.stock and state.rules.stock_empty == "end"):
        return "the stock is used up and the round is over", "stock.empty"
    if not state.rules.call_final_turns:
        return "the call has ended the round", "call.final_turns"
    return "the final turns are over", "call.final_turns"


def _due(state: State) -> str:
    """What the seat at turn has to do first, as far as these rules let it."""
    drawn, cards = state.drawn, state.turn is not None and has_cards(state, state.turn)
    if state.step == "power":
        return f"the power has to be used{' or skipped' if may_skip(state) else ''} first"
    if state.step == "turn" and not cards:
        return _no_cards(state)
    if state.step != "drawn" or drawn is None:
        others = ["taking"] if state.rules.turn_take else []
        others += ["calling"] if state.caller is None else []
        return "the turn begins with " + " or ".join([", ".join(["drawing", *others[:-1]]), *others[-1:]])
    if drawn.source == "pile":
        return "the card in hand has to be exchanged first"
    if state.power is not None or not cards:
        return "the card in hand has to be discarded first"
    if state.rules.power_on == "draw":
        return "the card in hand comes first: its power is used, or it is exchanged or discarded"
    return "the card in hand has to be exchanged or discarded first"


def stuck(state: State) -> bool:
    """Is there nothing to draw and nothing to take?"""
    return not (can_draw(state) or can_take(state))


def play_draw(state: State, move: Draw, bench: Bench) -> State:
    """The top card of the stock goes into the hand of the seat at turn."""
    check_turn(state, move.seat, "turn")
    if not has_cards(state, move.seat):
        raise IllegalMove(_no_cards(state), "no cards left")
    if not state.stock:
        if not can_reshuffle(state):
            raise IllegalMove("the stock is empty and nothing can be reshuffled", "stock.empty")
        state = reshuffle(state, bench)
    handle = state.stock[0]
    bench.log(Drew(move.seat, handle))
    return replace(state, stock=state.stock[1:], drawn=Drawn(handle, "stock"), step="drawn")


def play_take(state: State, move: Take, bench: Bench) -> State:
    """The top discard goes into the hand of the seat at turn; what it uncovers cannot be snapped again."""
    if not state.rules.turn_take:
        raise IllegalMove("discards may not be taken", "turn.take")
    check_turn(state, move.seat, "turn")
    if not has_cards(state, move.seat):
        raise IllegalMove(_no_cards(state), "no cards left")
    if not state.pile:
        raise IllegalMove("there is no discard", "turn.take")
    handle = state.pile[-1]
    card = state.faces[handle] if handle in state.faces else bench.open(state, (handle,))[0]
    bench.log(Took(move.seat, handle, card))
    return replace(
        state,
        pile=state.pile[:-1],
        faces={**state.faces, handle: card},
        drawn=Drawn(handle, "pile"),
        step="drawn",
        snap=closed(state),
    )


def play_call(state: State, move: Call, bench: Bench) -> State:
    """The seat at turn calls: the others have a final turn each, or the round is over."""
    check_turn(state, move.seat, "turn")
    if state.caller is not None:
        raise IllegalMove("somebody has called already", "call")
    forced = not has_cards(state, move.seat)
    if not forced and not stuck(state):
        _check_call(state, move.seat, bench)
    bench.log(Called(move.seat, forced))
    finals = tuple(clockwise(state, move.seat)) if state.rules.call_final_turns else ()
    state = replace(state, caller=move.seat, finals=finals, turns=_counted(state, move.seat))
    if not state.rules.call_final_turns:
        return replace(round_over(state, bench, "called"), snap=closed(state))
    return _next_final(state, bench)


def _check_call(state: State, seat: int, bench: Bench) -> None:
    early = state.rules.call_after_turns
    if any(state.turns[other] < early for other in state.active):
        turns = "a full turn" if early == 1 else f"{early} full turns"
        raise IllegalMove(f"not every player has had {turns}", "call.after_turns")
    limit = state.rules.call_threshold
    if limit >= 0:
        # Hidden faces cannot be judged here: then it is the audit that knows them and plays the move again.
        faces = [state.faces.get(handle) or bench.faces.get(handle) for handle in cards_of(state, seat)]
        known = [value(state.rules, face) for face in faces if face is not None]
        if len(known) == len(faces) and sum(known) > limit:
            raise IllegalMove(f"its cards are worth {sum(known)}, a call needs {limit} or less", "call.threshold")


def play_pass(state: State, move: Pass, bench: Bench) -> State:
    """A final turn that cannot be taken ends."""
    check_turn(state, move.seat, "turn")
    if state.caller is None:
        raise IllegalMove("nobody has called: without cards it calls", "no cards left")
    if has_cards(state, move.seat) and not stuck(state):
        raise IllegalMove("it can take its final turn", "call.final_turns")
    bench.log(Passed(move.seat))
    state = end_turn(state, bench)
    return replace(state, passed_out=state.turn is None)


def end_turn(state: State, bench: Bench) -> State:
    """The turn is over: the next seat begins its own, or nobody is at turn any more."""
    seat = state.turn
    if seat is None:
        return state
    state = replace(state, drawn=None, power=None, turns=_counted(state, seat))
    if not state.stock and state.rules.stock_empty == "end":
        return round_over(replace(state, finals=()), bench, "stock")
    if state.caller is not None:
        return _next_final(state, bench)
    return _begin(state, next(clockwise(state, seat), seat), bench)


def _next_final(state: State, bench: Bench) -> State:
    """The next final turn; seats that cannot take theirs are passed over."""
    finals = state.finals
    while finals:
        seat, *rest = finals
        finals = tuple(rest)
        if seat not in state.active:
            continue
        if has_cards(state, seat) and not stuck(state):
            return _begin(replace(state, finals=finals), seat, bench)
        bench.log(Passed(seat))
    return round_over(replace(state, finals=()), bench, "called")


def _begin(state: State, seat: int, bench: Bench) -> State:
    bench.log(Turn(seat, final=state.caller is not None))
    return replace(state, turn=seat, step="turn", drawn=None, power=None)


def round_over(state: State, bench: Bench, end: Literal["called", "stock"]) -> State:
    """Nobody is at turn any more."""
    bench.log(RoundOver(end))
    return replace(state, turn=None, step="round_over", drawn=None, power=None)


def closed(state: State) -> SnapState:
    """No card that can be snapped lies on top."""
    return SnapState(open=False, attempts=(0,) * state.seats)


def _counted(state: State, seat: int) -> tuple[int, ...]:
    return tuple(turns + (other == seat) for other, turns in enumerate(state.turns))


def _no_cards(state: State) -> str:
    return "it has no cards left and can only " + ("call" if state.caller is None else "pass")

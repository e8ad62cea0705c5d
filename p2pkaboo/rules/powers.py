"""Powers: who may be looked at or swapped, the moves that use them, and when a power comes to nothing."""

from dataclasses import replace

from .cards import classes_with, power_of, powers
from .events import Claimed, Peeked, PowerFizzled, PowerSkipped, Spied, Swapped
from .moves import Peek, Skip, Spy, Swap
from .outcome import Bench, IllegalMove
from .piles import put_at, with_hand
from .state import Handle, PowerInUse, State, cards_of, clockwise, has_cards, may_skip, owner, position
from .turns import check_turn, end_turn

_LOOK = ("look-swap", "look-two-swap")


def protected(state: State, seat: int, *acts: str) -> bool:
    """Is the seat a caller whose cards are kept from one of these acts (`snap`, `swap`, `spy`)?"""
    return seat == state.caller and any(act in state.rules.caller_protect for act in acts)


def untouchable(state: State, seat: int) -> bool:
    """Is the seat a caller to whose cards nobody may do anything that these rules know?"""
    rules, kinds = state.rules, set(powers(state.rules).values())
    acts = ["snap"] if rules.snap != "off" else []
    acts += [kind for kind in ("spy", "swap") if kind in kinds]
    looks = not kinds.isdisjoint(_LOOK)
    return (
        seat == state.caller
        and all(protected(state, seat, act) for act in acts)
        and (not looks or protected(state, seat, "spy", "swap"))
    )


def spy_targets(state: State, seat: int, kind: str) -> tuple[Handle, ...]:
    """Others' cards that the power may look at: for a look-then-swap only such as may be swapped too."""
    acts = ("spy", "swap") if kind in _LOOK else ("spy",)
    return _of_others(state, seat, *acts)


def swap_targets(state: State, seat: int) -> tuple[tuple[Handle, ...], tuple[Handle, ...]]:
    """The cards that a blind swap may take: for `mine`, and for `theirs`."""
    if state.rules.power_swap_any:
        free = cards_of(state, seat) + _of_others(state, seat, "swap")
        return free, free
    return cards_of(state, seat), _of_others(state, seat, "swap")


def _of_others(state: State, seat: int, *acts: str) -> tuple[Handle, ...]:
    return tuple(
        handle
        for other in clockwise(state, seat)
        if not protected(state, other, *acts)
        for handle in cards_of(state, other)
    )


def possible(state: State, seat: int, power: PowerInUse) -> bool:
    """Is there still a legal move of this power, and does every card it has looked at lie where it was?"""
    if power.done:
        return False
    if power.own is not None and owner(state, power.own) != seat:
        return False
    if power.other is not None and (
        owner(state, power.other) != power.other_seat or power.other_seat not in state.active
    ):
        return False
    match power.kind:
        case "peek":
            return has_cards(state, seat)
        case "spy":
            return bool(spy_targets(state, seat, "spy"))
        case "swap" if state.rules.power_swap_any:
            return len(swap_targets(state, seat)[0]) > 1
        case "swap":
            mine, theirs = swap_targets(state, seat)
            return bool(mine and theirs)
        case "look-swap" | "look-two-swap":
            return has_cards(state, seat) and (power.other is not None or bool(spy_targets(state, seat, power.kind)))
        case _:
            return False


def begin_power(state: State, seat: int, face: str, bench: Bench) -> State:
    """A card has reached the pile in a way that triggers its power: the power waits for its move, or fizzles."""
    kind = power_of(state.rules, face)
    if kind == "none":
        return end_turn(state, bench)
    power = PowerInUse(kind)
    if possible(state, seat, power):
        return replace(state, power=power, step="power")
    bench.log(PowerFizzled(seat, kind))
    return end_turn(state, bench)


def settle_power(state: State, bench: Bench) -> State:
    """After a snap and its gift: a power that waits and has lost its last legal move comes to nothing."""
    power, seat = state.power, state.turn
    if state.step != "power" or power is None or seat is None or possible(state, seat, power):
        return state
    bench.log(PowerFizzled(seat, power.kind))
    return _finish(state, power, bench)


def play_peek(state: State, move: Peek, bench: Bench) -> State:
    """Look at an own card."""
    power = _power_for(state, move.seat, move.power, bench)
    if power.kind not in ("peek", "look-two-swap") or power.own is not None:
        raise IllegalMove(f"the power is {_said(power)}", f"power.* = {power.kind}")
    if owner(state, move.handle) != move.seat:
        raise IllegalMove("that is no card of its own", f"power.* = {power.kind}")
    if power.kind == "look-two-swap" and not possible(state, move.seat, power):
        raise IllegalMove("there is no card to swap with", "power.* = look-two-swap")
    state = _claimed(state, power, bench)
    bench.log(Peeked(move.seat, position(state, move.seat, move.handle), move.handle))
    return _go_on(state, replace(power, own=move.handle), bench, over=power.kind == "peek")


def play_spy(state: State, move: Spy, bench: Bench) -> State:
    """Look at another's card."""
    power = _power_for(state, move.seat, move.power, bench)
    if power.kind not in ("spy", *_LOOK) or power.other is not None:
        raise IllegalMove(f"the power is {_said(power)}", f"power.* = {power.kind}")
    of = owner(state, move.handle)
    if of is None or of == move.seat or of not in state.active:
        raise IllegalMove("that is no other player's card", f"power.* = {power.kind}")
    if move.handle not in spy_targets(state, move.seat, power.kind):
        raise IllegalMove("the caller's cards are protected", "caller.protect")
    if power.kind in _LOOK and not has_cards(state, move.seat):
        raise IllegalMove("it has no card to swap", f"power.* = {power.kind}")
    state = _claimed(state, power, bench)
    bench.log(Spied(move.seat, of, position(state, of, move.handle), move.handle))
    return _go_on(state, replace(power, other=move.handle, other_seat=of), bench, over=power.kind == "spy")


def play_swap(state: State, move: Swap, bench: Bench) -> State:
    """Swap two cards: blindly, or those looked at."""
    power = _power_for(state, move.seat, move.power, bench)
    seat, mine, theirs = move.seat, move.mine, move.theirs
    of, to = owner(state, mine), owner(state, theirs)
    if of is None or to is None or mine == theirs:
        raise IllegalMove("two cards that lie on the table are swapped", "power.* = swap")
    if power.kind == "swap":
        own, others = swap_targets(state, seat)
        if mine not in own:
            if state.rules.power_swap_any:
                raise IllegalMove(*_why_not_theirs(state, seat, of))
            raise IllegalMove("that is no card of its own", "power.* = swap")
        if theirs not in others:
            raise IllegalMove(*_why_not_theirs(state, seat, to))
    elif power.kind in _LOOK:
        if power.other is None or (power.kind == "look-two-swap" and power.own is None):
            raise IllegalMove("it has to look before it swaps", f"power.* = {power.kind}")
        if theirs != power.other or (mine != power.own if power.kind == "look-two-swap" else of != seat):
            raise IllegalMove("only cards looked at may be swapped", f"power.* = {power.kind}")
    else:
        raise IllegalMove(f"the power is {_said(power)}", f"power.* = {power.kind}")
    state = _claimed(state, power, bench)
    at, there = position(state, of, mine), position(state, to, theirs)
    bench.log(Swapped(seat, of, at, to, there))
    state = replace(state, hands=with_hand(state, of, put_at(state.hands[of], at, theirs)))
    state = replace(state, hands=with_hand(state, to, put_at(state.hands[to], there, mine)))
    return _finish(state, power, bench)


def _why_not_theirs(state: State, seat: int, to: int) -> tuple[str, str]:
    if to == seat or to not in state.active:
        return "that is no other player's card", "power.* = swap"
    return "the caller's cards are protected", "caller.protect"


def play_skip(state: State, move: Skip, bench: Bench) -> State:
    """Leave a power, or what is left of it, unused."""
    check_turn(state, move.seat, "power")
    power = state.power
    if power is None or not may_skip(state):
        looked = power is not None and (power.own is not None or power.other is not None)
        raise IllegalMove(
            "the power has to be used while it has a legal target", "power.decline" if looked else "power.skip"
        )
    bench.log(PowerSkipped(move.seat, power.kind))
    return _finish(state, power, bench)


def _power_for(state: State, seat: int, named: str | None, bench: Bench) -> PowerInUse:
    """The power that a move of the seat at turn uses: the one that waits, or that of the card in hand."""
    if state.step == "drawn" and state.rules.power_on == "discard":
        check_turn(state, seat, "power")
    check_turn(state, seat, "power", "drawn")
    if state.step == "power" and state.power is not None:
        if named not in (None, state.power.kind):
            raise IllegalMove(f"the power is {_said(state.power)}", f"power.* = {state.power.kind}")
        return state.power
    drawn = state.drawn
    if drawn is None or drawn.source == "pile":
        raise IllegalMove("a card taken from the discards has no power", "power.on")
    if state.power is not None:
        raise IllegalMove("the power has been used: the card in hand is discarded now", "power.on")
    if not has_cards(state, seat):
        raise IllegalMove("without cards it can only discard the card in hand", "no cards left")
    face = bench.faces.get(drawn.handle)
    kind = named if face is None else power_of(state.rules, face)
    if kind is None or not classes_with(state.rules, kind):
        raise IllegalMove("the card in hand has no such power" if face else "no power is named", "power.on = draw")
    if named not in (None, kind):
        raise IllegalMove(f"the card in hand has another power, {kind}", "power.on = draw")
    return PowerInUse(kind)


def _claimed(state: State, power: PowerInUse, bench: Bench) -> State:
    """Before a power on the draw does anything, its card has to be known, or proved, to have it."""
    drawn = state.drawn
    if state.step != "drawn" or drawn is None or state.turn is None:
        return state
    classes = classes_with(state.rules, power.kind)
    if drawn.handle not in bench.faces:
        bench.claim(classes)
    bench.log(Claimed(state.turn, tuple(sorted(classes))))
    return replace(state, drawn=replace(drawn, claim=classes))


def _go_on(state: State, power: PowerInUse, bench: Bench, *, over: bool) -> State:
    return _finish(state, power, bench) if over else replace(state, power=power, step="power")


def _finish(state: State, power: PowerInUse, bench: Bench) -> State:
    """The power is over: so is the turn, unless the card that had it is still in hand."""
    if state.drawn is None:
        return end_turn(state, bench)
    return replace(state, power=PowerInUse(power.kind, done=True), step="drawn")


def _said(power: PowerInUse) -> str:
    return {
        "peek": "to look at an own card",
        "spy": "to look at another player's card",
        "swap": "to swap blindly",
        "look-swap": "to look at another player's card, then to swap it or not",
        "look-two-swap": "to look at an own and another player's card once each, then to swap them",
    }.get(power.kind, power.kind)

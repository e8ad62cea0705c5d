"""Snaps and gifts: who may snap what, what a right and a wrong snap do, and which snap still stands."""

from dataclasses import replace

from .cards import match
from .events import Gave, NoGift, Points, Snapped, SnapWrong
from .moves import Give, Snap
from .outcome import Bench, IllegalMove
from .piles import add_unseen, place, put_at, with_hand
from .powers import protected, settle_power
from .state import Gift, Handle, SnapClass, State, cards_of, clockwise, has_cards, owner, position, suspended
from .turns import check_present, why_over

MAX_ATTEMPTS = 2
"""Attempts of a seat on one card that were wrong or did not count: penalties in points alone would let them go on."""


def may_snap(state: State, seat: int) -> bool:
    """May the seat snap the card on top now?"""
    return not _hindrance(state, seat) and bool(snap_targets(state, seat))


def snappable(state: State) -> bool:
    """May any seat still snap the card on top?"""
    return state.snap.open and any(may_snap(state, seat) for seat in sorted(state.active))


def _hindrance(state: State, seat: int) -> tuple[str, str] | None:
    """Why the seat may not snap at all: reason and rule."""
    if state.rules.snap == "off":
        return "there are no snaps in these rules", "snap"
    if state.gift is not None:
        return "play waits for a gift", "snap.gift"
    if state.initial or seat not in state.active:
        return "the seat cannot snap now", "snap"
    if not state.snap.open:
        return _why_closed(state)
    if seat == state.caller and not state.rules.caller_snaps:
        return "the caller does not snap", "caller.snaps"
    if not has_cards(state, seat):
        return "it has no cards left", "snap"
    if state.snap.attempts[seat] >= MAX_ATTEMPTS:
        return f"it has tried {MAX_ATTEMPTS} times on this card", "snap"
    if suspended(state):
        return "snapping is suspended while nobody could pay a penalty card", "snap.wrong_cards"
    return None


def _why_closed(state: State) -> tuple[str, str]:
    """Why no seat may snap the card on top: reason and rule."""
    if state.turn is None and not state.rules.call_final_turns:
        return why_over(state)
    if not state.pile:
        return "there is no discard to match", "snap"
    if state.snap.chained:
        return "one right snap on a discard is all, and a snapped card is not snapped in turn", "snap.limit"
    return "a card that was uncovered when the top was taken is not snapped again", "snap"


def snap_class(state: State, seat: int, handle: Handle) -> SnapClass:
    """Is the card the seat's own, or another's?"""
    return "own" if owner(state, handle) == seat else "other"


def legal_snap_class(state: State, seat: int, cls: SnapClass) -> bool:
    """May the seat, at this stage, snap a card of this class?"""
    if _hindrance(state, seat):
        return False
    if cls == "own":
        return _own_stage(state)
    return any(_free(state, seat, other) and has_cards(state, other) for other in clockwise(state, seat))


def snap_targets(state: State, seat: int) -> tuple[Handle, ...]:
    """The cards that the seat may snap, its own first, then the others' clockwise."""
    if _hindrance(state, seat):
        return ()
    own = cards_of(state, seat) if _own_stage(state) else ()
    others = [
        handle for other in clockwise(state, seat) if _free(state, seat, other) for handle in cards_of(state, other)
    ]
    return own + tuple(others)


def _own_stage(state: State) -> bool:
    return not (state.rules.snap == "own-then-others" and state.snap.own_closed)


def _free(state: State, seat: int, other: int) -> bool:
    return other in state.active and (other == seat or not protected(state, other, "snap"))


def still_stands(at_window: State, now: State, seat: int, handle: Handle) -> bool:
    """Does a snap that was legal when its window opened still stand when it is served?

    Not if the card has moved or gone since, or its snapper has lost its own last card: then nothing is opened, nobody
    pays, and it is no attempt.
    """
    lies = owner(at_window, handle)
    return lies is not None and owner(now, handle) == lies and has_cards(now, seat)


def void_attempt(state: State, seat: int) -> State:
    """The state after an attempt of the seat on the card on top that did not count."""
    tried = tuple(count + (other == seat) for other, count in enumerate(state.snap.attempts))
    return replace(state, snap=replace(state.snap, attempts=tried))


def play_snap(state: State, move: Snap, bench: Bench) -> State:
    """A snap that is served: the card is opened and goes to the pile, or is turned back and its snapper pays."""
    seat, handle = move.seat, move.handle
    check_present(state, seat)
    _check_snap(state, seat)
    of = owner(state, handle)
    if of is None or of not in state.active:
        raise IllegalMove("that card lies before nobody", "snap")
    if not _free(state, seat, of):
        raise IllegalMove("the caller's cards are protected", "caller.protect")
    if of == seat and not _own_stage(state):
        raise IllegalMove("the stage of own cards is over for this discard", "snap = own-then-others")
    top = state.pile[-1]
    if top not in state.faces:
        top_face, face = bench.open(state, (top, handle))
    else:
        (face,) = bench.open(state, (handle,))
        top_face = state.faces[top]
    if match(state.rules, top_face, face):
        return _right(state, seat, of, handle, face, bench)
    return _wrong(state, seat, of, handle, face, bench)


def _check_snap(state: State, seat: int) -> None:
    hindrance = _hindrance(state, seat)
    # Several snaps of one window are served one after another: the penalty of the first may leave nothing to pay the
    # next with, which was lawful all the same when it was made. So the suspension stops only the first attempt on a
    # card, and none on a card that was snapped: more snaps of its window may wait behind it.
    behind = any(state.snap.attempts) or state.snap.chained
    if hindrance and not (hindrance[1] == "snap.wrong_cards" and behind):
        raise IllegalMove(*hindrance)


def _right(state: State, seat: int, of: int, handle: Handle, face: str, bench: Bench) -> State:
    at = position(state, of, handle)
    state = replace(state, hands=with_hand(state, of, put_at(state.hands[of], at, None)))
    state = place(state, handle, face, snapped=True)
    bench.log(Snapped(seat, of, at, handle, face))
    if of != seat and has_cards(state, seat):
        return replace(state, gift=Gift(seat, of, at))
    return settle_power(state, bench)


def _wrong(state: State, seat: int, of: int, handle: Handle, face: str, bench: Bench) -> State:
    rules = state.rules
    bench.log(SnapWrong(seat, of, position(state, of, handle), handle, face))
    state = void_attempt(state, seat)
    state = replace(
        state,
        faces={**state.faces, handle: face},
        snap=replace(state.snap, own_closed=state.snap.own_closed or of != seat),
    )
    if rules.snap_wrong_points:
        bench.log(Points(seat, rules.snap_wrong_points))
        points = tuple(n + rules.snap_wrong_points * (other == seat) for other, n in enumerate(state.penalties))
        state = replace(state, penalties=points)
    state = add_unseen(state, seat, rules.snap_wrong_cards, bench)
    return settle_power(state, bench)


def play_give(state: State, move: Give, bench: Bench) -> State:
    """The gift fills the gap that the snap has left, or there is none."""
    check_present(state, move.seat)
    gift = state.gift
    if gift is None:
        raise IllegalMove("no gift is due", "snap.gift")
    if move.seat != gift.giver:
        raise IllegalMove("another player has to give", "snap.gift")
    state = replace(state, gift=None)
    if move.handle is None:
        if state.rules.snap_gift == "must":
            raise IllegalMove("a card has to be given", "snap.gift")
        bench.log(NoGift(gift.giver, gift.to))
        return settle_power(state, bench)
    if owner(state, move.handle) != gift.giver:
        raise IllegalMove("that is no card of its own", "snap.gift")
    at = position(state, gift.giver, move.handle)
    bench.log(Gave(gift.giver, at, gift.to, gift.at, move.handle))
    state = replace(state, hands=with_hand(state, gift.giver, put_at(state.hands[gift.giver], at, None)))
    state = replace(state, hands=with_hand(state, gift.to, put_at(state.hands[gift.to], gift.at, move.handle)))
    return settle_power(state, bench)

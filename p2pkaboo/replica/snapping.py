"""Snaps at a seat's desk: what its player presses, and what it answers in a window.

A window is answered with a SNAP or a NONE, and a NONE comes no sooner than the rules of the race allow: after the
exposure of the card, after the seat at turn, and, where a SNAP is held, when whoever would beat it had the time to.
"""

from p2pkaboo.replica.clock import LEAST_WAIT_MS, exposed_until, measure, note_window, shown_since, zero_of
from p2pkaboo.replica.desk import Desk, Duty, Pressed
from p2pkaboo.replica.race import measured_us
from p2pkaboo.replica.state import Deal, Lanes, Step
from p2pkaboo.rules.engine import has_draw_lane, may_snap, snap_targets
from p2pkaboo.rules.moves import Draw
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Snap
from p2pkaboo.wire.limits import MAX_CLAIM_MS


def press(desk: Desk, handle: Handle, at: int) -> bool:
    """The player snaps. False: nothing can be snapped now, or not this card, or its last snap is not settled yet."""
    lanes = desk.deal.lanes
    if lanes is None or lanes.closed or desk.pressed is not None or not lanes.now.pile or _unsettled(desk, lanes):
        return False
    if not may_snap(lanes.now, desk.seat) or handle not in snap_targets(lanes.now, desk.seat):
        return False
    desk.pressed = Pressed(handle, at, lanes.now.pile[-1])
    return True


def _unsettled(desk: Desk, lanes: Lanes) -> bool:
    """Our SNAP of this window is still on its way: a second key press with it is no wish to pay twice."""
    if desk.snapped is None or desk.snapped.number != lanes.number:
        return False
    window = lanes.window
    return window is None or window.kind != "WINDOW" or window.slot == desk.snapped


def for_window(desk: Desk, step: Step, now: int) -> tuple[Duty | None, int | None]:
    """Our answer in an open window, or when to look again at the latest."""
    deal, lanes = desk.deal, desk.deal.lanes
    assert lanes is not None
    note_window(desk.clock, deal, lanes, now)
    pressed = desk.pressed
    if pressed is not None and may_snap(lanes.now, desk.seat) and pressed.handle in snap_targets(lanes.now, desk.seat):
        zero = None if lanes.zero is None else zero_of(desk.clock, deal.deal, lanes.zero)
        claim = min(max(0, (pressed.at - (pressed.at if zero is None else zero)) // 1000), MAX_CLAIM_MS)
        return Duty("SNAP", step, handle=pressed.handle, claim_ms=claim), None
    snaps = _snaps_held(deal, step, desk.seat)
    if snaps:
        waits = [(_none_after_snap(desk, lanes, step, seat, snap), seat) for seat, snap in snaps.items()]
        at, seat = min(waits)
        if now < at:
            return None, at
        return Duty("NONE", step, answers=deal.held[step.slot, seat].hash), None
    exposed = exposed_until(desk.clock, deal, lanes)
    if now < exposed:
        return None, exposed
    acting = lanes.now.turn
    if acting is None:
        return Duty("NONE", step), None
    if acting == desk.seat:
        return (Duty("NONE", step) if _has_decided(desk, lanes) else None), None
    return (Duty("NONE", step) if acting in step.said else None), None


def _has_decided(desk: Desk, lanes: Lanes) -> bool:
    """The player at turn has chosen anything but a draw from the draw lane."""
    choice = desk.choice
    return choice is not None and not (isinstance(choice, Draw) and has_draw_lane(lanes.base))


def _snaps_held(deal: Deal, step: Step, seat: int) -> dict[int, Snap]:
    return {
        other: envelope.body
        for other, envelope in step.said.items()
        if other != seat and isinstance(envelope.body, Snap)
    }


def _none_after_snap(desk: Desk, lanes: Lanes, step: Step, seat: int, snap: Snap) -> int:
    """When a NONE may answer this SNAP: whoever presses faster than its score must have had the time to.

    Its seat's floor is part of that score: who knows the card presses at once, and is worth beating until its floor.
    """
    deal, numbers = desk.deal, desk.deal.charter.race
    facts = lanes.facts
    assert facts is not None
    zero = None if lanes.zero is None else zero_of(desk.clock, deal.deal, lanes.zero)
    if zero is None:
        zero = shown_since(desk.clock, deal, lanes)
    most = max(lanes.now.rules.snap_exposure_ms, LEAST_WAIT_MS) * 1000
    seen = measured_us(measure(desk.clock, deal, lanes, step.slot, seat), desk.seat, facts)
    return zero + max(
        facts.floors[seat] * 1000,
        min(seen, most),
        min(snap.claim_ms * 1000, seen + (numbers.cap + numbers.late) * 1000, most),
    )

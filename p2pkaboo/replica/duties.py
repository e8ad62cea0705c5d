"""What a seat has to say now, and when to look again.

Times come in, duties come out. The program around it carries duties out (makes the body, saves it, sends it) and asks
the player; this decides *what* and *when*, for people and bots alike. Steps that need no decision are done by
themselves.
"""

from typing import Final

from p2pkaboo.replica.desk import Desk, Duty
from p2pkaboo.replica.lanes import action_head
from p2pkaboo.replica.questions import may_draw, settle
from p2pkaboo.replica.snapping import for_window
from p2pkaboo.replica.state import Step
from p2pkaboo.rules.engine import has_draw_lane, idle_move
from p2pkaboo.rules.moves import Draw
from p2pkaboo.wire.slot import Slot

_AUTOMATIC: Final = frozenset({"KEYS", "SHUFFLE", "OPEN", "SERVE", "WITNESS", "REVEAL", "OPEN1", "OPEN2", "DISCLOSE"})


def due(desk: Desk, now: int) -> tuple[list[Duty], int | None]:
    """What to say now, and when to ask again at the latest (None: only when something happens)."""
    deal = desk.deal
    if deal.fault is not None or deal.over:
        desk.question = None
        return [], None
    settle(desk, now)
    duties: list[Duty] = []
    wakes: list[int] = []
    lanes = deal.lanes
    for step in [deal.main, *((lanes.draw, lanes.window) if lanes is not None else ())]:
        if step is None or desk.seat not in step.required or step.slot in desk.said:
            continue
        duty, wake = _for_step(desk, step, now)
        if duty is not None:
            duties.append(duty)
        if wake is not None:
            wakes.append(wake)
    action = _action(desk)
    if action is not None:
        duties.append(action)
    if desk.question is not None and desk.question.ends_at is not None:
        wakes.append(desk.question.ends_at)
    return duties, min(wakes, default=None)


def taken_up(desk: Desk, duty: Duty) -> None:
    """The program is carrying this duty out: what it used up is cleared, and it is not due again."""
    desk.said.add(duty.step.slot)
    if duty.kind == "GIFT":
        desk.gift = None
    elif duty.kind in ("ACTION", "VIEW") or (duty.kind == "DRAW" and duty.step.slot.lane == "d"):
        desk.choice = None
    elif duty.kind == "SNAP":
        desk.pressed, desk.snapped = None, duty.step.slot


def _for_step(desk: Desk, step: Step, now: int) -> tuple[Duty | None, int | None]:
    deal = desk.deal
    if step.kind in _AUTOMATIC:
        return Duty(step.kind, step), None
    match step.kind:
        case "VIEW":
            if not deal.charter.rules.peek_choice:
                return Duty("VIEW", step, move=idle_move(deal.state, desk.seat)), None
            return (Duty("VIEW", step, move=desk.choice) if desk.choice is not None else None), None
        case "READY":
            return (Duty("READY", step) if desk.ready else None), None
        case "SEEN":
            return (Duty("SEEN", step) if desk.seen else None), None
        case "RESULT":
            return (Duty("RESULT", step) if desk.audited else None), None
        case "GIFT":
            return (Duty("GIFT", step, move=desk.gift) if desk.gift is not None else None), None
        case "DRAW":
            if step.slot.lane == "m":
                return Duty("DRAW", step), None
            lanes = deal.lanes
            wants = isinstance(desk.choice, Draw) and lanes is not None and lanes.now.gift is None
            return (Duty("DRAW", step) if wants and lanes is not None and may_draw(desk, lanes) else None), None
        case "WINDOW":
            return for_window(desk, step, now)
        case _:
            return None, None


def _action(desk: Desk) -> Duty | None:
    """The ACTION, as soon as the lanes may join and the player has chosen."""
    deal, lanes = desk.deal, desk.deal.lanes
    if lanes is None or lanes.now.turn != desk.seat or desk.choice is None:
        return None
    slot = Slot(deal.number + 1, "m", 0)
    head = action_head(deal)
    if head is None or slot in desk.said or (isinstance(desk.choice, Draw) and has_draw_lane(lanes.base)):
        return None
    if not lanes.drawn and Slot(lanes.number, "d", 0) in desk.said:
        return None
    return Duty("ACTION", Step(slot, "ACTION", head, (desk.seat,)), move=desk.choice)

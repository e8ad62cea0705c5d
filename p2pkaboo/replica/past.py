"""What comes too late: messages for a slot where nothing can become part of the history any more.

One that bears the head of this history is a lie, and proves it; one that bears another head may be due in the history
of its author, who is then asked what it has.
"""

from p2pkaboo.replica.early import forget_early
from p2pkaboo.replica.outputs import Differing
from p2pkaboo.replica.refusing import refuse
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.steps import open_step
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.limits import MAX_ASTRAY
from p2pkaboo.wire.slot import Slot


def is_past(deal: Deal, slot: Slot) -> bool:
    """No message for this slot can become part of the history any more."""
    if deal.over:
        return True
    step = open_step(deal, slot)
    if step is not None:
        return False
    lanes = deal.lanes
    if lanes is None or slot.lane in "fm":  # lane f, which is none of a deal's, counts as the main line
        return slot.number <= deal.number
    if slot.number != deal.number:
        return slot.number < deal.number
    if slot.lane == "w":
        return slot.index < lanes.next_index or lanes.closed
    return lanes.drawn or (lanes.draw is None) or slot.index < lanes.draw.slot.index


def take_past(deal: Deal, envelope: Envelope) -> None:
    """A message for a slot where nothing may be said any more: a lie, or the word of another history."""
    if envelope.head == _head_at(deal, envelope.slot):
        deal.held[envelope.slot, envelope.seat] = envelope
        around = _around(deal, envelope)
        refuse(deal, envelope, "illegal-move", _why_past(envelope, around), around)
        return
    astray = deal.astray.get(envelope.seat, 0)
    if astray < MAX_ASTRAY:
        deal.astray[envelope.seat] = astray + 1
        deal.held[envelope.slot, envelope.seat] = envelope
        deal.out.append(Differing(envelope))  # where its author's history is another one, it may be due there


def judge_overtaken(deal: Deal) -> None:
    """What has waited for a slot that history went past is judged as if it came now: others may only get it now."""
    overtaken = [envelope for slot, waits in deal.early.items() if is_past(deal, slot) for envelope in waits.values()]
    for envelope in sorted(overtaken, key=lambda other: (other.slot.order, other.seat)):
        if deal.fault is None:
            forget_early(deal, envelope)
            take_past(deal, envelope)


def _head_at(deal: Deal, slot: Slot) -> bytes | None:
    """The head that a message for a past slot must bear to be of this history; None where nothing can be of it."""
    if slot.lane in "dw" and slot.index == 0:
        return deal.starts.get(slot.number)
    before = slot._replace(index=slot.index - 1)
    for closed in reversed(deal.history):
        if closed.slot == slot:
            return next(iter(closed.said.values())).head
        if closed.slot == before:
            return closed.head
    return None


def _why_past(envelope: Envelope, around: tuple[Envelope, ...]) -> str:
    if around:
        return "a DRAW is signed that its seat's next ACTION leaves out"
    return f"nothing is to be said by this seat at {envelope.slot}"


def _around(deal: Deal, envelope: Envelope) -> tuple[Envelope, ...]:
    """For a DRAW left out: the ACTION that leaves it out, which together with it proves the cheat."""
    action = deal.held.get((Slot(envelope.slot.number + 1, "m", 0), envelope.seat))
    return (action,) if envelope.kind == "DRAW" and action is not None else ()

"""Opening and closing steps: the part that is the same for every kind."""

from p2pkaboo.replica.heads import step_head
from p2pkaboo.replica.outputs import StepClosed, StepOpened
from p2pkaboo.replica.state import Asked, Closed, Deal, Step
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.slot import Slot


def open_main(
    deal: Deal,
    kind: str,
    required: tuple[int, ...],
    *,
    why: str = "",
    handles: tuple[Handle, ...] = (),
    asks: tuple[Asked, ...] = (),
    head: bytes | None = None,
) -> Step:
    """Opens the next step of the main line."""
    step = Step(Slot(deal.number + 1, "m", 0), kind, deal.head if head is None else head, required, why, handles, asks)
    deal.main = step
    deal.out.append(StepOpened(step.slot, kind))
    return step


def open_lane(
    deal: Deal,
    lane: str,
    index: int,
    kind: str,
    required: tuple[int, ...],
    head: bytes,
    *,
    why: str = "",
    handles: tuple[Handle, ...] = (),
    asks: tuple[Asked, ...] = (),
) -> Step:
    """Makes a step of a lane; the caller puts it in its place."""
    step = Step(Slot(deal.number, lane, index), kind, head, required, why, handles, asks)
    deal.out.append(StepOpened(step.slot, kind))
    return step


def open_steps(deal: Deal) -> list[Step]:
    """The steps in which something may be said now: of the main line, or of the two lanes."""
    steps = [deal.main]
    if deal.lanes is not None:
        steps += [deal.lanes.draw, deal.lanes.window]
    return [step for step in steps if step is not None]


def open_step(deal: Deal, slot: Slot) -> Step | None:
    """The open step at a slot, None where none is open."""
    return next((step for step in open_steps(deal) if step.slot == slot), None)


def close(deal: Deal, step: Step) -> Closed:
    """Enters a complete step into the history and returns its record; heads are the caller's to move on."""
    head = step_head(step.head, step.slot, step.kind, {seat: e.hash for seat, e in step.said.items()})
    closed = Closed(step.slot, step.kind, head, dict(step.said), step.why, step.handles)
    deal.history.append(closed)
    deal.out.append(StepClosed(step.slot, step.kind, head))
    return closed


def others(deal: Deal, seat: int) -> tuple[int, ...]:
    """The active seats but one."""
    return tuple(other for other in deal.active if other != seat)


def note_elapsed(deal: Deal, envelope: Envelope) -> None:
    """Remembers how far this seat's clock has come on this line."""
    deal.elapsed[envelope.seat, envelope.slot.lane] = envelope.elapsed


def least_elapsed(deal: Deal, seat: int, slot: Slot) -> int:
    """The least elapsed time that a message of `seat` may bear here."""
    main = deal.elapsed.get((seat, "m"), 0)
    return max(main, deal.elapsed.get((seat, slot.lane), 0))


def join_clocks(deal: Deal) -> None:
    """Lanes that meet carry both their times into the main line."""
    for seat in deal.active:
        latest = max(deal.elapsed.get((seat, line), 0) for line in ("m", "d", "w"))
        deal.elapsed[seat, "m"] = latest
        deal.elapsed.pop((seat, "d"), None)
        deal.elapsed.pop((seat, "w"), None)

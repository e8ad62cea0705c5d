"""The history of a deal in the one order that all seats share, and the transcript of a match made of it.

History order: a main step, the draw lane that begins there, the window lane, the next main step; within a step, seats
ascending. Replicas complete lanes in whatever order messages arrive; in this order their histories are equal.
"""

from collections.abc import Iterable, Sequence

from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.state import Closed, Deal
from p2pkaboo.wire.envelope import decode_envelope
from p2pkaboo.wire.slot import Slot
from p2pkaboo.wire.transcript import write_transcript


def ordered(deal: Deal) -> list[Closed]:
    """The completed steps in history order."""
    return sorted(deal.history, key=lambda closed: closed.slot.order)


def step_number(deal: Deal, slot: Slot) -> int:
    """Which step of the deal's history a slot is, from 1; for one that is not complete, which it would be."""
    return 1 + sum(closed.slot.order < slot.order for closed in deal.history)


def deal_envelopes(deal: Deal) -> list[bytes]:
    """The envelopes of all completed steps in history order; after a refusal also its evidence.

    What is evidence but not refused itself (the first of two messages for one slot, a DRAW that was left out) stands
    where it belongs; the refused message comes last.
    """
    rows = [(closed.slot.order, seat, closed.said[seat].data) for closed in deal.history for seat in closed.said]
    if deal.fault is None:
        return [data for _, _, data in sorted(rows)]
    *context, refused = deal.fault.evidence
    present = {data for _, _, data in rows}
    for data in context:
        if data not in present:
            envelope = decode_envelope(data)
            rows.append((envelope.slot.order, envelope.seat, data))
    sequence = [data for _, _, data in sorted(rows)]
    return sequence if refused in present else [*sequence, refused]


def last_head(deals: Sequence[Deal]) -> bytes:
    """The head of the last completed main step of a match; before any, the head at which its first deal begins.

    Raises LocalError if there is no deal.
    """
    if not deals:
        raise LocalError("a match without a deal has no head")
    for deal in reversed(deals):
        if any(closed.slot.lane == "m" for closed in deal.history):
            return deal.head
    return deals[0].head


def match_transcript(forming: Iterable[bytes], deals: Sequence[Deal]) -> bytes:
    """The `.kaboo` file of a match: the forming messages (OFFER, NONCEs, CHARTERs), then every deal as far as it came.

    Raises LocalError if there is no deal.
    """
    rows = list(forming)
    for deal in deals:
        rows += deal_envelopes(deal)
    return write_transcript(rows, last_head(deals))

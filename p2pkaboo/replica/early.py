"""What waits for its step to open, within bounds: one seat that signs junk for the far future starves only itself."""

from p2pkaboo.replica.state import Deal
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.limits import MAX_EARLY, MAX_EARLY_BYTES


def keep_early(deal: Deal, envelope: Envelope) -> bool:
    """Makes room for one more early message of this seat, if need be by dropping what lies furthest ahead of its own.

    False: there is none, every early message of the seat is nearer than this one.
    """
    seat = envelope.seat
    waiting = [waits[seat] for waits in deal.early.values() if seat in waits]
    size = len(envelope.data) + sum(len(other.data) for other in waiting)
    waiting.sort(key=lambda other: other.slot.order)
    while len(waiting) >= MAX_EARLY or size > MAX_EARLY_BYTES:
        if not waiting or waiting[-1].slot.order < envelope.slot.order:
            return False
        dropped = waiting.pop()
        size -= len(dropped.data)
        forget_early(deal, dropped)
    return True


def forget_early(deal: Deal, envelope: Envelope) -> None:
    """Lets go of an early message, as if it had never come."""
    waits = deal.early[envelope.slot]
    del waits[envelope.seat]
    if not waits:
        del deal.early[envelope.slot]
    del deal.held[envelope.slot, envelope.seat]

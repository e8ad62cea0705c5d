"""A message is refused: the deal ends there, with the name of its author and the evidence."""

from collections.abc import Sequence

from p2pkaboo.replica.faults import Fault, PeerFault
from p2pkaboo.replica.outputs import Refused
from p2pkaboo.replica.state import Deal
from p2pkaboo.wire.envelope import Envelope


def refuse(deal: Deal, envelope: Envelope, code: str, reason: str, more: Sequence[Envelope]) -> None:
    """Ends the deal, unless it has ended so already. `more`: what proves the fault together with the message itself."""
    if deal.fault is not None:
        return
    evidence = tuple(e.data for e in (*more, envelope))
    deal.fault = Fault(envelope.seat, code, reason, envelope.slot, deal.deal, evidence)
    deal.out.append(Refused(deal.fault))


def refuse_action(deal: Deal, fault: PeerFault) -> None:
    """Refuses the ACTION under way for what its openings or its shuffle have shown of it."""
    slot, seat = deal.action_slot, deal.action_seat
    assert slot is not None
    refuse(deal, deal.held[slot, seat], fault.code, fault.reason, ())

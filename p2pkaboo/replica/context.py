"""The context that binds a proof to its place: table, deal, step (and the card within it), seat."""

from p2pkaboo.crypto.context import Context
from p2pkaboo.replica.state import Deal
from p2pkaboo.wire.slot import Slot


def context_of(deal: Deal, slot: Slot, seat: int, item: int | None = None) -> Context:
    """`item`: the place within a message that carries several proofs, from 0."""
    step = str(slot) if item is None else f"{slot}#{item}"
    return Context(deal.table, deal.deal, step.encode(), seat)

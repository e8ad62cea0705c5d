"""Filling gaps: what a peer has, what another one lacks, and so what to send.

A peer says which steps are open at its replica and whose messages it holds of them. All earlier steps it has, all later
ones it lacks: so the vector is short, and the answer is exact.
"""

from collections.abc import Iterable
from typing import Final

from p2pkaboo.replica.state import Deal, Step
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.frames import Have, Held, held
from p2pkaboo.wire.slot import Slot

MAX_ANSWER: Final = 400
"""Envelopes sent in answer to one HAVE: some hundred kilobytes; whoever lacks more asks again at once."""


def have_of(deal: Deal) -> Have:
    """What this replica holds: its open steps, and early messages for the step that its lanes will join in."""
    rows = [_row(deal, step.slot) for step in _open(deal)]
    if deal.lanes is not None:
        rows.append(_row(deal, Slot(deal.number + 1, "m", 0)))
    return Have(deal.deal, 0, tuple(rows))


def _open(deal: Deal) -> list[Step]:
    steps = [deal.main]
    if deal.lanes is not None:
        steps += [deal.lanes.draw, deal.lanes.window]
    return [step for step in steps if step is not None]


def _row(deal: Deal, slot: Slot) -> Held:
    """Also what is none of this history counts as held: others must get it to find out who has told two."""
    return held(slot, sum(1 << seat for seat in deal.active if (slot, seat) in deal.held))


def missing(deal: Deal, have: Have) -> list[Envelope]:
    """What we hold of `deal`, the one `have` is about, and its sender lacks: in history order, at most MAX_ANSWER."""
    rows = {row.slot: row.seats for row in have.open}
    if not rows or _alike(deal, have):
        return []
    number = min(slot.number for slot in rows)
    in_lanes = any(slot.lane in "dw" for slot in rows)
    window = [slot.index for slot in rows if slot.lane == "w"]
    draw = [slot.index for slot in rows if slot.lane == "d"]

    def lacks(envelope: Envelope) -> bool:
        slot = envelope.slot
        known = rows.get(slot)
        if known is not None:
            return not known >> envelope.seat & 1
        if slot.number != number or not in_lanes:
            return slot.number >= number
        if slot.lane == "w":
            return bool(window) and slot.index > window[0]
        if slot.lane == "d":
            return bool(draw) and slot.index > draw[0]
        return False

    return sorted_envelopes(envelope for envelope in deal.held.values() if lacks(envelope))[:MAX_ANSWER]


def _alike(deal: Deal, have: Have) -> bool:
    """Its sender stands where we do and has what we have: so it is, several times a second, while somebody thinks."""
    if deal.series is not None:  # SHUFFLEs are heard ahead of their steps
        return False
    mine = have_of(deal).open
    return mine == have.open and deal.early.keys() <= {row.slot for row in mine}


def sorted_envelopes(envelopes: Iterable[Envelope]) -> list[Envelope]:
    """In the order of the history, seats ascending within a step."""
    return sorted(envelopes, key=lambda envelope: (envelope.slot.order, envelope.seat))

"""Who learned which card when: what a round's history says about knowledge, from its opens and its private views."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from p2pkaboo.audit.disclosure import served_at
from p2pkaboo.audit.history import ordered, step_number
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.state import Hand, Handle
from p2pkaboo.wire.bodies import Action
from p2pkaboo.wire.slot import Slot

_OPENED: Final = {"up-card": "up-card", "action": "shown", "snap": "snap", "dispute": "snap"}
"""What a public opening is for -> how everybody learned the card."""


Hands = tuple[tuple[int, int, int], tuple[Hand, ...]]
"""The hands of all seats as they lay after the step whose place in history order comes first."""


@dataclass(frozen=True, slots=True)
class Known:
    """A card became known to a seat (None: to everybody).

    `step`: the step that was complete then, from 1; `card`: None where no key tells; `how`: `first-look`, `draw`,
    `peek` or `spy` for one seat; `up-card`, `shown` (placed on the pile, or turned back), `snap` or `end` for all.
    `lay`: seat and position before which and where it lay until then, None for a card that lay before nobody.
    """

    step: int
    slot: Slot
    seat: int | None
    handle: Handle
    card: str | None
    how: str
    lay: tuple[int, int] | None = None


def knowledge(deal: Deal, faces: Mapping[Handle, str] | None = None, hands: Sequence[Hands] = ()) -> tuple[Known, ...]:
    """Everything that became known, in history order.

    `faces`: the cards of the deal, where keys are disclosed; `hands`: every change of the hands, in history order.
    """
    known = faces if faces is not None else deal.faces
    rows = [replace(row, lay=_lay(row, hands)) for row in (*_opens(deal, known), *_views(deal, known))]
    return tuple(sorted(rows, key=lambda row: (row.step, -1 if row.seat is None else row.seat)))


def _lay(row: Known, hands: Sequence[Hands]) -> tuple[int, int] | None:
    """Before whom and where a card lay when the step began with which it became known."""
    before = [lying for order, lying in hands if order < row.slot.order]
    for seat, hand in enumerate(before[-1] if before else ()):
        if row.handle in hand:
            return seat, hand.index(row.handle)
    return None


def _opens(deal: Deal, faces: Mapping[Handle, str]) -> list[Known]:
    rows = []
    for step, closed in enumerate(ordered(deal), 1):
        if closed.kind == "OPEN":
            how = _OPENED[closed.why]
            rows += [Known(step, closed.slot, None, handle, faces.get(handle), how) for handle in closed.handles]
        elif closed.kind == "OPEN2":
            hands = [handle for seat in deal.active for handle in deal.state.hands[seat] if handle is not None]
            rows += [Known(step, closed.slot, None, handle, faces.get(handle), "end") for handle in hands]
    return rows


def _views(deal: Deal, faces: Mapping[Handle, str]) -> list[Known]:
    rows = []
    said = {(closed.slot, seat): envelope for closed in deal.history for seat, envelope in closed.said.items()}
    for view in deal.views:
        slot = served_at(deal, view.slot)
        if slot == view.slot:
            continue  # asked for and never served: nothing was seen
        asked = view.asked
        envelope = said[view.slot, asked.viewer]
        how = {"VIEW": "first-look", "DRAW": "draw"}.get(envelope.kind, "")
        if isinstance(envelope.body, Action):
            how = str(envelope.body.move[0])
        rows.append(Known(step_number(deal, slot), slot, asked.viewer, asked.handle, faces.get(asked.handle), how))
    return rows

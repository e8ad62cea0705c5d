"""Caught cheating in the words of a screen: a computer is accused, never a person, with step and evidence."""

from typing import Final

from p2pkaboo.audit.history import step_number
from p2pkaboo.peer import api
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.session.choices import spots
from p2pkaboo.peer.words import four_words
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.state import Deal
from p2pkaboo.wire.slot import Slot

EXPLAINED: Final = frozenset({"bad-share", "bad-shuffle", "illegal-move", "equivocation", "bad-claim"})
"""Refusals with a sentence of their own; all others share one."""

_USED: Final = frozenset({"bad-shuffle", "equivocation", "bad-key"})
"""Refusals that come to light after the message was used: what was played on it does not count."""


def caught_of(runner: SeatRunner, evidence: str) -> api.Caught:
    """The refusal that ended a match. `evidence`: the file it was written to."""
    fault = runner.fault
    assert fault is not None
    deal = next((deal for deal in runner.deals if deal.deal == fault.deal), runner.current)
    key = f"caught.{fault.code}" if fault.code in EXPLAINED else "caught.other"
    return api.Caught(
        seat=fault.seat,
        verdict=fault.code,
        round=deal.standing.round_no,
        step=step_number(deal, fault.slot),
        slot=str(fault.slot),
        what=api.Say(key=key, params={"seat": fault.seat}),
        harm=api.Say(key="harm.round" if fault.code in _USED else "harm.none"),
        place=_place(deal, fault.slot),
        words=four_words(deal.charter.keys[fault.seat]),
        found_by=(api.Witness(seat=runner.seat),),
        next="match_over",
        evidence=evidence,
    )


def _place(deal: Deal, slot: Slot) -> api.Spot | None:
    """Where the card lies that the refused step was about, if it was about one."""
    lanes = deal.lanes
    steps = [deal.main, *((lanes.draw, lanes.window) if lanes is not None else ())]
    step = next((step for step in steps if step is not None and step.slot == slot), None)
    if step is None or len(step.handles) != 1 or deal.game is None:
        return None
    found = spots(joined_state(deal), step.handles)
    return found[0] if found else None

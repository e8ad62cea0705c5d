"""Whose word is due, and does not come although its link stands: on them the table waits, and screens say so.

Nothing follows from it and nothing of it is ever sent: that somebody was silent is each seat's own knowledge.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from p2pkaboo.replica.lanes import action_head
from p2pkaboo.replica.questions import LOOK_MS
from p2pkaboo.replica.state import Deal, Lanes, Step
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import NoSnap, Snap
from p2pkaboo.wire.slot import Slot

PATIENCE_MS: Final = 20_000
"""How long a word may be due that needs no decision, or beyond the time for one: a busy machine shuffles and audits in
less, and what got lost on the way comes again within a second."""


@dataclass(slots=True)
class Silence:
    """What one seat (`you`) waits for, and since when (milliseconds)."""

    you: int
    since: dict[tuple[int, Slot, int], int] = field(default_factory=dict)

    def update(self, deal: Deal, now: int) -> frozenset[int]:
        """The seats that are silent now. To be asked again and again: a wait begins when it is first seen."""
        if deal.fault is not None or deal.over:
            self.since = {}
            return frozenset()
        due = {(deal.deal, slot, seat): patience for slot, seat, patience in _due(deal) if seat != self.you}
        self.since = {place: self.since.get(place, now) for place in due}
        return frozenset(place[2] for place, since in self.since.items() if now - since >= due[place])


def _due(deal: Deal) -> Iterator[tuple[Slot, int, int]]:
    """Every word that is due: its slot, its seat, and how long it may take, in milliseconds."""
    rules, lanes = deal.charter.rules, deal.lanes
    if deal.main is not None:
        yield from _of_step(deal.main, deal.main.waits_for(), _time_for(deal.main.kind, rules))
    if lanes is None:
        return
    if lanes.draw is not None and lanes.draw.kind == "SERVE":  # the DRAW before it is nobody's duty
        yield from _of_step(lanes.draw, lanes.draw.waits_for(), 0)
    if lanes.window is not None and lanes.window.kind == "WINDOW":
        yield from _of_window(lanes, lanes.window, rules)
    elif lanes.window is not None:
        yield from _of_step(lanes.window, lanes.window.waits_for(), _time_for(lanes.window.kind, rules))
    if lanes.now.turn is not None and action_head(deal) is not None:
        yield Slot(deal.number + 1, "m", 0), lanes.now.turn, _choosing(rules) + PATIENCE_MS


def _of_step(step: Step, seats: tuple[int, ...], time: int) -> Iterator[tuple[Slot, int, int]]:
    for seat in seats:
        yield step.slot, seat, time + PATIENCE_MS


def _of_window(lanes: Lanes, step: Step, rules: Ruleset) -> Iterator[tuple[Slot, int, int]]:
    """The seat at turn takes its time to choose; the others give up the card when it has, and the card has been in
    view."""
    silent = step.waits_for()
    if not silent:  # complete, and not closed: somebody answers a SNAP that nobody else has
        snaps = {envelope.hash for envelope in step.said.values() if isinstance(envelope.body, Snap)}
        answers = {seat: envelope.body for seat, envelope in step.said.items() if isinstance(envelope.body, NoSnap)}
        silent = tuple(seat for seat, body in answers.items() if body.answers and body.answers not in snaps)
    elif lanes.now.turn in silent and not any(isinstance(envelope.body, Snap) for envelope in step.said.values()):
        yield step.slot, lanes.now.turn, _choosing(rules) + PATIENCE_MS
        return
    yield from _of_step(step, silent, rules.snap_exposure_ms)


def _time_for(kind: str, rules: Ruleset) -> int:
    """How long a player may take for a message of this kind, milliseconds."""
    match kind:
        case "VIEW" if rules.peek_choice:
            return _choosing(rules)
        case "SEEN":
            return LOOK_MS if rules.memory == "classic" else _choosing(rules)
        case "GIFT":
            return _choosing(rules)
        case "READY":
            return rules.timer_between_s * 1000
        case _:
            return 0


def _choosing(rules: Ruleset) -> int:
    """After so many milliseconds a seat's own program chooses."""
    return (rules.timer_step_s or rules.timer_idle_s) * 1000

"""The tutorial's lessons: fixed decks, and what the coach says of each moment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from p2pkaboo.peer import api
from p2pkaboo.rules import events as ev
from p2pkaboo.rules.cards import deck, match, power_of, value
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.rules.state import Handle, State

YOU, OTHER = 0, 1
"""The learner's seat and the other one; the learner begins."""

RULES: Final = with_overrides(load_preset("sheffield"), {"deck.packs": 2, "snap.exposure_ms": 0})
"""Sheffield's rules without waiting; two packs, because a lesson wants five cards of one rank."""

HIGH: Final = 9
"""From this value on a card is one to get rid of."""

LOW: Final = 2
"""Who knows nothing higher than this in the own hand may think of calling."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """`cards`: learner's and other's hand place by place, the up-card, then the stock as far as it matters; `reached`:
    whether an event is what the lesson is about."""

    cards: str
    reached: Callable[[ev.Event], bool]
    times: int = 1

    def deck(self, rules: Ruleset) -> tuple[str, ...]:
        """The whole deck, top first: the lesson's cards, then all others."""
        mine, theirs, *rest = (part.split() for part in self.cards.split("|"))
        dealt = [card for pair in zip(mine, theirs, strict=True) for card in pair]
        first = [*dealt, *(card for part in rest for card in part)]
        return (*first, *(card for card in deck(rules) if card not in first))


def _exchanged(event: ev.Event) -> bool:
    return isinstance(event, ev.Exchanged) and event.seat == YOU


def _power_used(event: ev.Event) -> bool:
    return isinstance(event, ev.Peeked | ev.Spied | ev.Swapped) and event.seat == YOU


def _gift_over(event: ev.Event) -> bool:
    return isinstance(event, ev.Gave | ev.NoGift)


def _round_over(event: ev.Event) -> bool:
    return isinstance(event, ev.RoundOver)


LESSONS: Final = (
    Lesson("KS 3H 9D 6C | 8H QD 4S JH | 5S | 2C 6D 3S TC 2D JC AC", _exchanged),
    Lesson("KS 3H 9D 6C | 2H KD 9S JH | 5S | 8D 6D TS 4C QH AD", _power_used, times=3),
    Lesson("7H KS 4D 3C | 5D 5H 5C 5D.2 | 7C | 9C 5S 2H 6H", _gift_over),
    Lesson("AH 2D AS 3C | 8H QD 9S JH | 5S | 6C KC 6D", _round_over),
)


def coach_of(state: State, seen: Mapping[Handle, str], *, looking: bool, done: bool) -> api.Say:
    """The coach's line for this moment. `seen`: cards that the learner has looked at."""
    if done:
        return api.Say(key="coach.done")
    if YOU in state.initial:
        return api.Say(key="coach.look")
    if looking:
        return api.Say(key="coach.looked")
    if state.gift is not None and state.gift.giver == YOU:
        return api.Say(key="coach.gift")
    hint = _snap_hint(state, seen) if state.snap.open and state.pile else None
    if hint is not None:
        return hint
    if state.turn != YOU:
        return api.Say(key="coach.wait")
    if state.step == "power" and state.power is not None:
        return api.Say(key=f"coach.{state.power.kind}")
    if state.step == "drawn" and state.drawn is not None:
        face = seen.get(state.drawn.handle, "")
        if face and power_of(state.rules, face) != "none":
            return api.Say(key="coach.power")
        return api.Say(key="coach.low" if face and value(state.rules, face) < HIGH else "coach.hint.turn")
    known = [value(state.rules, seen[h]) for h in state.hands[YOU] if h is not None and h in seen]
    return api.Say(key="coach.call" if known and max(known) <= LOW else "coach.draw")


def _snap_hint(state: State, seen: Mapping[Handle, str]) -> api.Say | None:
    """The learner knows a card that matches the one on top."""
    top = state.faces[state.pile[-1]]
    for seat, key in ((YOU, "coach.snap"), (OTHER, "coach.snap_other")):
        for handle in state.hands[seat]:
            if handle is not None and handle in seen and match(state.rules, seen[handle], top):
                return api.Say(key=key)
    return None

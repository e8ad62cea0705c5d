"""What a bot remembers of the cards it has seen: memories fade, and some of them turn out to be wrong.

A memory belongs to a card, not to a place: who pays attention sees where a card goes. But every card that changes
hands is a little harder to follow, and what nobody looks at again is forgotten.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from ..rules.cards import RANKS, deck, rank, value
from ..rules.ruleset import Ruleset
from ..rules.state import Handle
from .styles import Style

FORGOTTEN = 0.2
"""Strength below which a memory is as good as none."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A card as it is remembered, rightly or not; `strength` (0 to 1) is how sure its owner feels."""

    card: str
    strength: float


class Mind:
    """All memories of one bot in one deal, and what it has noticed of cards that it has not seen.

    Raises nothing: a handle it has never heard of is a card it knows nothing about.
    """

    def __init__(self, rules: Ruleset, style: Style, rng: random.Random) -> None:
        self._rules = rules
        self._style = style
        self._rng = rng
        self._seen: dict[Handle, Memory] = {}
        self._chosen: set[Handle] = set()
        self._where: dict[Handle, int] = {}
        self._shown: set[Handle] = set()

    def saw(self, handle: Handle, card: str) -> None:
        """The card is seen now, alone or with everybody."""
        self._seen[handle] = Memory(card, 1.0)
        self._shown.add(handle)

    def shown(self, handle: Handle, card: str) -> None:
        """The card is one that everybody has seen at some time: news only once, after that it fades like the rest."""
        if handle not in self._shown:
            self.saw(handle, card)

    def chose(self, handle: Handle) -> None:
        """Somebody drew this card and kept it: it will not be a bad one."""
        self._chosen.add(handle)

    def recall(self, handle: Handle) -> Memory | None:
        """What is remembered of a card, or None."""
        memory = self._seen.get(handle)
        return None if memory is None or memory.strength < FORGOTTEN else memory

    def was_chosen(self, handle: Handle) -> bool:
        """Is this a card, not seen, that somebody kept on purpose?"""
        return handle in self._chosen

    def follow(self, where: Mapping[Handle, int]) -> None:
        """Look where every card lies (handle -> seat). One that has changed hands is harder to keep in mind."""
        for handle, seat in where.items():
            if self._where.get(handle, seat) != seat:
                self._chosen.discard(handle)
                memory = self._seen.get(handle)
                if memory is not None:
                    self._seen[handle] = Memory(memory.card, memory.strength * self._style.moved)
        self._where = dict(where)

    def pass_turn(self) -> None:
        """A turn goes by: every memory of a card on the table fades, and some slip."""
        if self._rules.memory == "assisted":
            return
        for handle in self._where:
            memory = self._seen.get(handle)
            if memory is None:
                continue
            strength = memory.strength * self._style.fade
            card = memory.card
            if self._rng.random() < (memory.strength - strength) * self._style.slip:
                card = self._confused(handle, card)
            self._seen[handle] = Memory(card, strength)

    def _confused(self, handle: Handle, card: str) -> str:
        """A slip: two cards of one hand are mixed up (half of the time, if there is another), or a number is one off.

        Only what the one card is taken for changes; the other one is still remembered as it was.
        """
        seat = self._where[handle]
        beside = [
            self._seen[other].card
            for other, lies in self._where.items()
            if lies == seat and other != handle and other in self._seen
        ]
        if beside and self._rng.random() < 0.5:
            return self._rng.choice(beside)
        near = _neighbours(self._rules, card)
        return self._rng.choice(near) if near else card


def _neighbours(rules: Ruleset, card: str) -> list[str]:
    """Cards of the deck whose rank is one beside that of `card`; for a joker, those worth least of the others."""
    if rank(card) == "X":
        least = min((value(rules, other) for other in deck(rules) if rank(other) != "X"), default=0)
        return [other for other in deck(rules) if rank(other) != "X" and value(rules, other) == least]
    at = RANKS.index(rank(card))
    beside = {RANKS[near] for near in (at - 1, at + 1) if 0 <= near < len(RANKS)}
    return [other for other in deck(rules) if rank(other) in beside]

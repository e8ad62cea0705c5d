"""What a bot believes at one moment: how much every card on the table is worth, and who is likely to be lowest."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import erf, sqrt

from ..rules.cards import deck, match, power_of, value
from ..rules.ruleset import Ruleset
from ..rules.state import Handle
from ..rules.view import SeatView
from .memory import Memory, Mind

SURE = 0.5
"""Strength from which a remembered card counts as seen when the unseen ones are added up."""

SWAPS = frozenset({"swap", "look-swap", "look-two-swap"})
"""Powers by which a card changes hands."""

SNAPPED = 0.11
"""Share of its worst card that a hand loses by snaps for each final turn, as measured among bots."""

MOST_SNAPPED = 0.3
"""The same for all final turns together: only one hand can have the snap."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Points that a card or a hand is believed to have: mean and variance; `strength` of the memory behind it."""

    mean: float
    variance: float
    strength: float = 0.0


class Beliefs:
    """Beliefs of the seat whose view it is. Made anew for every decision: the table changes in between."""

    def __init__(self, view: SeatView, mind: Mind) -> None:
        if view.seat is None:
            raise ValueError("a spectator has nothing to decide")
        self.view = view
        self.rules: Ruleset = view.rules
        self.seat: int = view.seat
        self._mind = mind
        self.hands: tuple[tuple[Handle, ...], ...] = tuple(
            tuple(place.handle for place in hand if place.handle is not None) for hand in view.hands
        )
        self.owner: dict[Handle, int] = {handle: seat for seat, hand in enumerate(self.hands) for handle in hand}
        self.unseen: tuple[str, ...] = self._unseen()
        self._values = [value(self.rules, card) for card in self.unseen]
        self.blind = _spread(self._values)
        # Who keeps a drawn card has compared it with a card of its own: it is one of the lower ones.
        self._kept = _spread(sorted(self._values)[: max(1, len(self._values) // 2)])
        self._guesses: dict[Handle, Guess] = {}

    def _unseen(self) -> tuple[str, ...]:
        """Cards of the deck that may be anywhere, as far as is remembered."""
        seen = {card for card in self.view.pile if card is not None}
        if self.view.drawn is not None and self.view.drawn.face is not None:
            seen.add(self.view.drawn.face)
        for handle in self.owner:
            memory = self._mind.recall(handle)
            if memory is not None and memory.strength >= SURE:
                seen.add(memory.card)
        cards = deck(self.rules)
        # False memories and tiny decks can leave nothing unseen; then any card may be anywhere.
        return tuple(card for card in cards if card not in seen) or cards

    def recall(self, handle: Handle) -> Memory | None:
        """What is remembered of a card."""
        return self._mind.recall(handle)

    def guess(self, handle: Handle) -> Guess:
        """What a card on the table is worth."""
        if handle not in self._guesses:
            self._guesses[handle] = self._guess(handle)
        return self._guesses[handle]

    def _guess(self, handle: Handle) -> Guess:
        blind = self._kept if self._mind.was_chosen(handle) else self.blind
        memory = self._mind.recall(handle)
        if memory is None:
            return blind
        points, strength = value(self.rules, memory.card), memory.strength
        mean = strength * points + (1 - strength) * blind.mean
        spread = (1 - strength) * (blind.variance + strength * (points - blind.mean) ** 2)
        return Guess(mean, spread, strength)

    def hand(self, seat: int) -> Guess:
        """What the cards before a seat are worth together."""
        guesses = [self.guess(handle) for handle in self.hands[seat]]
        return Guess(sum(guess.mean for guess in guesses), sum(guess.variance for guess in guesses))

    def improvement(self, seat: int) -> float:
        """Points by which one more turn makes a hand better: its worst card for one drawn, if that is lower.

        Where the stock runs out for good not everybody can draw any more, and a card lying open is all there is. Where
        the rules have snaps, all the discards of the final turns are chances to lose a card besides.
        """
        worst = max((self.guess(handle).mean for handle in self.hands[seat]), default=0.0)
        drawn = sum(max(0.0, worst - points) for points in self._values) / len(self._values)
        top = self.view.pile[-1] if self.view.pile and self.rules.turn_take else None
        taken = 0.0 if top is None else max(0.0, worst - value(self.rules, top))
        others = max(1, len(self.view.active) - 1)
        draws = 1.0 if self.rules.stock_empty == "reshuffle" else min(1.0, self.view.stock / others)
        exchanged = draws * drawn + (1 - draws) * taken
        snapped = 0.0 if self.rules.snap == "off" else min(MOST_SNAPPED, SNAPPED * (len(self.view.active) - 1))
        return exchanged + snapped * max(0.0, worst) + self._swapped(worst)

    def _swapped(self, worst: float) -> float:
        """Points by which a blind swap brings a hand nearer to ours, where a caller's cards are not protected: what it
        wins by its worst card, we lose."""
        mine = self.hands[self.seat]
        if "swap" in self.rules.caller_protect or not mine:
            return 0.0
        swaps = sum(power_of(self.rules, card) in SWAPS for card in self.unseen) / len(self.unseen)
        return 2 * swaps * max(0.0, worst - self.hand(self.seat).mean / len(mine))

    def call_worth(self, chance: float, mine: Guess) -> float:
        """Points that a call saves with this hand and this chance of success; below 0 it costs some."""
        rules = self.rules
        saved = mine.mean if rules.score_call_won == "zero" or rules.score_lowest_zero else 0.0
        won = saved - rules.score_call_won_adjust
        return chance * won - (1 - chance) * rules.score_call_lost_adjust

    def matching(self, handle: Handle, card: str) -> float:
        """Chance that a card on the table matches `card`."""
        chance = sum(match(self.rules, card, other) for other in self.unseen) / len(self.unseen)
        memory = self._mind.recall(handle)
        if memory is None:
            return chance
        return memory.strength * match(self.rules, card, memory.card) + (1 - memory.strength) * chance

    def chance_lowest(self) -> float:
        """Chance that a call made now succeeds."""
        mine = self.hand(self.seat)
        edge = 0.5 if self.rules.score_caller_tie == "fails" else -0.5
        chance = 1.0
        for seat in sorted(self.view.active - {self.seat}):
            theirs = self.hand(seat)
            later = self.improvement(seat) if self.rules.call_final_turns else 0.0
            lead = theirs.mean - later - mine.mean - edge
            # One point more: even two hands known by heart are hit by snaps and swaps before they are counted.
            chance *= _below(lead / sqrt(mine.variance + theirs.variance + 1))
        return chance


def _spread(values: Iterable[int]) -> Guess:
    points = list(values)
    mean = sum(points) / len(points)
    return Guess(mean, sum((point - mean) ** 2 for point in points) / len(points))


def _below(deviations: float) -> float:
    """The normal distribution function."""
    return 0.5 * (1 + erf(deviations / sqrt(2)))

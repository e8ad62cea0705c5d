"""What a move is worth to a bot, in points of its own hand, and which cards it would exchange together."""

from itertools import combinations

from ..rules.cards import KEPT, card_class, deck, match, power_of, value
from ..rules.moves import Call, Discard, Draw, End, Exchange, Give, Move, Peek, Skip, Snap, Spy, Swap, Take
from ..rules.state import Handle
from .beliefs import Beliefs
from .styles import Style

NEVER = -1000.0
ALWAYS = 1000.0

OWN_SNAP = 0.6
"""Share of a matching card's points that discarding its like is worth: somebody else may be faster."""

LENGTH = 12.0
"""Own turns that a long round has, unless the stock ends it before."""

AROUND = 48.0
"""Turns of all seats together that a long round has: at a big table one waits long for one's own, and much happens to a
hand in between."""

PATIENCE = 0.25
"""Chance of success that a call asks for in addition on the very first turn; nothing from half of the round on."""

RUNNING_OUT = 0.4
"""What takes the place of a style's hurry where the stock is not shuffled again: what is not called soon never is."""

CROWD = 0.05
"""Chance of success that a call asks for less for every opponent beyond the first."""

SURPRISE = 0.6
"""Chance of success that a call against one opponent asks for less where it ends the round at once, because nobody can
answer it; but there it is also put off longer, or rounds would be over before they have begun."""

STUBBORN = 3.0
"""Points that a bot would rather lose by a bad card than end the round itself when the stock is gone."""

IMPATIENCE = 0.5
"""Points that a call gains with each own turn beyond those that the stock had cards for: no round lasts for ever."""

LEAST = 0.25
"""Chance of success below which no bot calls in a round that is not long yet."""

LAST_LOOKS = 0.2
"""What a look is worth after a call, when only snaps can still use it, compared with before."""


class Judge:
    """Judges the moves of one decision.

    `drawn` is the face of the card in hand, `total` the seat's points before this round.
    """

    def __init__(self, beliefs: Beliefs, style: Style, drawn: str | None, total: int) -> None:
        self._beliefs = beliefs
        self._style = style
        self._drawn = drawn
        self._total = total
        self._view = beliefs.view
        self._rules = beliefs.rules
        self._mine = beliefs.hands[beliefs.seat]
        self._curious = style.curious * (LAST_LOOKS if self._view.caller is not None else 1)
        self._powers: dict[str, float] = {}

    def worth(self, move: Move) -> float:
        """Points that the move is worth; only differences between moves of one decision mean something."""
        match move:
            case Draw():
                return self._draw()
            case Take():
                return self._take()
            case Call():
                return self._call()
            case Exchange():
                return self._exchange(move.handles)
            case Discard():
                return self._discard(self._drawn)
            case Peek():
                return self._peek(move.handle)
            case Spy():
                return self._spy(move.handle)
            case Swap():
                return self._swap(move.mine, move.theirs)
            case Give() if move.handle is not None:
                return self._mean(move.handle)
            case Snap():
                return NEVER
            case Skip() | _:
                return 0.0

    def several(self) -> tuple[Exchange, ...]:
        """Exchanges of two or more cards that the bot believes to match, where they are legal."""
        most = self._view.most_exchanged
        remembered = [handle for handle in self._mine if self._beliefs.recall(handle) is not None]
        ends: tuple[End | None, ...] = ("right",) if self._rules.multi_fail == "keep-end" else (None,)
        return tuple(
            Exchange(self._beliefs.seat, chosen, chosen[0], end)
            for size in range(2, min(most, len(remembered)) + 1)
            for chosen in combinations(remembered, size)
            if all(self._alike(chosen[0], other) for other in chosen[1:])
            for end in ends
        )

    def _mean(self, handle: Handle) -> float:
        return self._beliefs.guess(handle).mean

    def _doubt(self, handle: Handle) -> float:
        return 1 - self._beliefs.guess(handle).strength

    def _alike(self, one: Handle, other: Handle) -> bool:
        first, second = self._beliefs.recall(one), self._beliefs.recall(other)
        return first is not None and second is not None and match(self._rules, first.card, second.card)

    def _call(self) -> float:
        if self._beliefs.chance_lowest() >= self._asked():
            return ALWAYS
        return self._stuck() if self._view.stock == 0 and self._rules.stock_empty != "reshuffle" else NEVER

    def _stuck(self) -> float:
        """What a call is worth when the stock is used up for good: there are only discards to take, and while that
        costs less than a failed call somebody with a better hand may be the one who ends the round."""
        rules, beliefs, view = self._rules, self._beliefs, self._view
        dealt = len(view.active) * rules.deal_cards + int(rules.deal_opening)
        over = view.turns[beliefs.seat] - (len(deck(rules)) - dealt) / len(view.active)
        worth = beliefs.call_worth(beliefs.chance_lowest(), beliefs.hand(beliefs.seat))
        return worth - STUBBORN + IMPATIENCE * max(0.0, over)

    def _asked(self) -> float:
        """The chance of success with which the bot calls.

        Early it waits for a better hand, late it wants the round to end; against many nobody can be as sure as against
        one; and it is careful where a failed call would end the match.
        """
        rules, view = self._rules, self._view
        turns, seats = view.turns[self._beliefs.seat], len(view.active)
        endless = rules.stock_empty == "reshuffle"
        length = min(LENGTH, AROUND / seats)
        if not endless:
            length = min(length, turns + view.stock / seats)
        late = 2 * turns / max(1.0, length) - 1
        hurry = self._style.hurry if endless else RUNNING_OUT
        patience = PATIENCE
        asked = self._style.call - CROWD * (seats - 2)
        if not rules.call_final_turns:
            patience, asked = 4 * PATIENCE, asked - SURPRISE / (seats - 1)
        asked -= patience * late if late < 0 else hurry * late
        # Twice as long as a long round, and any chance will do: nobody can wait for ever for a better one.
        asked = max(asked, LEAST) * min(1.0, max(0.0, 3 - late) / 2)
        lost = self._total + self._beliefs.hand(self._beliefs.seat).mean + rules.score_call_lost_adjust
        if rules.match_target and lost > rules.match_target:
            asked += 0.1
        return asked

    def _draw(self) -> float:
        """What a card from the stock is worth on average."""
        cards = self._beliefs.unseen
        return sum(self._with(card) for card in cards) / len(cards)

    def _with(self, card: str) -> float:
        """What a card in hand is worth: exchanged for the best own card, or used and discarded."""
        rules = self._rules
        single = max((self._single(handle, card) for handle in self._mine), default=0.0)
        if rules.turn_by_rank:
            return single if card_class(card) in KEPT else self._power(power_of(rules, card)) + self._snap(card)
        use = self._discard(card)
        if rules.power_on == "draw":
            use += self._power(power_of(rules, card))
        return max(single, use)

    def _take(self) -> float:
        top = self._view.pile[-1]
        if top is None:
            return NEVER
        best = max((self._single(handle, top) for handle in self._mine), default=NEVER)
        if self._view.rules.multi_max != 1:
            pairs = (pair for pair in combinations(self._mine, 2) if self._alike(*pair))
            best = max([best, *(self._together(pair, top) for pair in pairs)])
        return best - self._style.margin

    def _exchange(self, chosen: tuple[Handle, ...]) -> float:
        return self._single(chosen[0], self._drawn) if len(chosen) == 1 else self._together(chosen, self._drawn)

    def _single(self, handle: Handle, card: str | None) -> float:
        gain = self._mean(handle) - self._points(card) + self._curious * self._doubt(handle) / 2
        memory = self._beliefs.recall(handle)
        return gain if memory is None else gain + self._snap(memory.card, handle) * memory.strength

    def _together(self, chosen: tuple[Handle, ...], card: str | None) -> float:
        """Several cards at once: all of them go if the memories are right, one comes in addition if they are not."""
        if not all(self._alike(chosen[0], other) for other in chosen[1:]):
            return NEVER
        right = 1.0
        for handle in chosen:
            right *= self._beliefs.guess(handle).strength
        points = self._points(card)
        gain = sum(self._mean(handle) for handle in chosen) - points
        loss = 2.0 if self._rules.multi_fail == "discard" else max(0.0, points) + 2.0
        if self._rules.multi_unseen_from and len(chosen) >= self._rules.multi_unseen_from:
            loss += self._beliefs.blind.mean
        return right * gain - (1 - right) * loss

    def _discard(self, card: str | None) -> float:
        if card is None:
            return 0.0
        used = self._power(power_of(self._rules, card)) if self._rules.power_on == "discard" else 0.0
        return used + self._snap(card)

    def _points(self, card: str | None) -> float:
        return self._beliefs.blind.mean if card is None else value(self._rules, card)

    def _snap(self, card: str, besides: Handle | None = None) -> float:
        """What it is worth that `card` comes to lie on the pile while the bot remembers cards of its own like it."""
        if self._rules.snap == "off" or self._beliefs.seat == self._view.caller:
            return 0.0
        best = 0.0
        for handle in self._mine:
            memory = self._beliefs.recall(handle)
            if handle != besides and memory is not None and match(self._rules, memory.card, card):
                best = max(best, OWN_SNAP * memory.strength * value(self._rules, memory.card))
        return best

    def _power(self, kind: str) -> float:
        """What a power is worth before its targets are chosen."""
        if kind not in self._powers:
            self._powers[kind] = max(0.0, self._power_worth(kind))
        return self._powers[kind]

    def _power_worth(self, kind: str) -> float:
        others = self._reachable()
        match kind:
            case "peek":
                return max((self._peek(handle) for handle in self._mine), default=0.0)
            case "spy":
                return max((self._doubt(handle) for handle in others), default=0.0) * self._curious / 2
            case "swap" if others and self._mine:
                return max(map(self._mean, self._mine)) - min(map(self._mean, others)) - self._style.margin
            case "look-swap" | "look-two-swap" if others and self._mine:
                # Declining what turns out badly makes the look worth something even where no gain is expected.
                return max(map(self._mean, self._mine)) - min(map(self._mean, others)) + 1
            case _:
                return 0.0

    def _reachable(self) -> list[Handle]:
        """Others' cards that powers may touch, protected ones left out."""
        view, seat = self._view, self._beliefs.seat
        closed = {seat} | ({view.caller} if self._rules.caller_protect else set())
        return [handle for other in view.active if other not in closed for handle in self._beliefs.hands[other]]

    def _peek(self, handle: Handle) -> float:
        kind, _, theirs = self._in_use()
        look = self._curious * self._doubt(handle)
        if kind != "look-two-swap":
            return look
        return look + self._mean(handle) - (self._beliefs.blind.mean if theirs is None else self._mean(theirs)) + 1

    def _spy(self, handle: Handle) -> float:
        kind, mine, _ = self._in_use()
        look = self._curious * self._doubt(handle) / 2
        if kind == "spy":
            # The hand that is likely to be called with is the one worth knowing.
            return look - self._beliefs.hand(self._beliefs.owner[handle]).mean / 100
        best = self._mean(mine) if mine is not None else max(map(self._mean, self._mine), default=0.0)
        return look + best - self._mean(handle) + 1

    def _in_use(self) -> tuple[str, Handle | None, Handle | None]:
        """The power that waits, or that of the card in hand, and the own and the other's card it has looked at."""
        power = self._view.power
        if power is not None:
            return power.kind, power.own, power.other
        return "none" if self._drawn is None else power_of(self._rules, self._drawn), None, None

    def _swap(self, mine: Handle, theirs: Handle) -> float:
        """What the own hand gains; a known card is given up for an unknown one only for more than the margin."""
        seat, owner = self._beliefs.seat, self._beliefs.owner
        out = mine if owner[mine] == seat else theirs if owner[theirs] == seat else None
        if out is None or owner[mine] == owner[theirs]:
            return -self._style.margin
        into = theirs if out == mine else mine
        gain = self._mean(out) - self._mean(into)
        return gain - self._style.margin * self._doubt(into)

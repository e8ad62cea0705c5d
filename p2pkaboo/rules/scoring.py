"""The score of a round: hands, the caller, special hands, penalty points, resets, the end of the match, forfeits."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from .cards import highest_value, rank, value
from .ruleset import Ruleset

Seat = TypeVar("Seat", bound=Hashable)
"""What a caller names seats by: numbers on a table, names in a file."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat that has forfeited the match.

    `cards` is how many it held (0 for a round it missed altogether). Its hand counts in comparisons: `out`: not at all
    (lost before the hands were opened, or absent); `unopened`: as lower than every other (lost while they were opened);
    `open`: as what it is worth (lost afterwards).
    """

    cards: int = 0
    hand: Literal["out", "unopened", "open"] = "out"


@dataclass(frozen=True, slots=True)
class RoundScore(Generic[Seat]):
    """What a round gave, seats in the order in which their hands were given.

    `hand`: points of the cards alone; `round`: what is booked; `totals` after it; `reset`: whose total was lowered;
    `round_winner`: where the rules know one, else None; `winners` of the match, once it is over.
    """

    hand: dict[Seat, int]
    round: dict[Seat, int]
    totals: dict[Seat, int]
    reset: tuple[Seat, ...]
    match_over: bool
    winners: tuple[Seat, ...]
    round_winner: Seat | None = None


@dataclass(slots=True)
class _Table(Generic[Seat]):
    """One round being scored."""

    rules: Ruleset
    caller: Seat | None
    hand: dict[Seat, int]
    compared: dict[Seat, float]
    special: frozenset[Seat] = frozenset()
    score: dict[Seat, int] = field(default_factory=dict)


def score_round(
    ruleset: Ruleset,
    hands: Mapping[Seat, Sequence[str | None]],
    caller: Seat | None = None,
    penalties: Mapping[Seat, int] | None = None,
    totals: Mapping[Seat, int] | None = None,
    used_reset: Collection[Seat] = (),
    round_no: int = 1,
    forfeits: Mapping[Seat, Forfeit] | None = None,
) -> RoundScore[Seat]:
    """Score a round.

    `hands` are cards by seat, None for a gap; a seat in `forfeits` whose hand is not open may have an empty one.
    `penalties` are points for wrong snaps, `totals` those before the round, `used_reset` the seats whose total has been
    lowered before, `round_no` counts from 1. What is left out of the mappings counts as 0.

    Raises ValueError if `caller` has no hand.
    """
    lost = forfeits or {}
    if caller is not None and caller not in hands:
        raise ValueError("the caller has no hand")
    table = _compare(ruleset, hands, caller, lost)
    if table.special:
        _score_special(table)
    else:
        _score_hands(table)
    points = penalties if penalties is not None and ruleset.snap_wrong_points > 0 else {}
    booked = {seat: score + points.get(seat, 0) for seat, score in table.score.items()}
    worst = max((score for seat, score in booked.items() if seat not in lost), default=0)
    booked |= {seat: _booked(table, worst, seat, lost[seat]) + points.get(seat, 0) for seat in hands if seat in lost}
    after, reset = _add_up(ruleset, hands, booked, totals or {}, used_reset)
    over, winners = _match_end(ruleset, {seat: after[seat] for seat in hands if seat not in lost}, round_no, bool(lost))
    return RoundScore(
        hand=table.hand,
        round={seat: booked[seat] for seat in hands},
        totals=after,
        reset=reset,
        match_over=over,
        winners=winners,
        round_winner=_only_lowest(table, lost) if ruleset.score_round_winner else None,
    )


def hand_value(ruleset: Ruleset, hand: Iterable[str | None]) -> int:
    """Points of the cards of a hand, gaps left out."""
    return sum(value(ruleset, card) for card in hand if card is not None)


def award(ruleset: Ruleset) -> int | None:
    """What the others score when somebody has the special hand; None where there is none."""
    if ruleset.special_award == "half-target":
        return ruleset.match_target // 2
    return ruleset.special_award if isinstance(ruleset.special_award, int) else None


def is_special(hand: Iterable[str | None]) -> bool:
    """Is it exactly two queens and two kings?"""
    return sorted(rank(card) for card in hand if card is not None) == ["K", "K", "Q", "Q"]


def _compare(
    rules: Ruleset, hands: Mapping[Seat, Sequence[str | None]], caller: Seat | None, lost: Mapping[Seat, Forfeit]
) -> _Table[Seat]:
    hand = {seat: hand_value(rules, cards) for seat, cards in hands.items()}
    compared: dict[Seat, float] = {}
    for seat, points in hand.items():
        fate = lost[seat].hand if seat in lost else "open"
        if fate != "out":
            compared[seat] = float("-inf") if fate == "unopened" else points
    holders: frozenset[Seat] = frozenset()
    if award(rules) is not None:
        holders = frozenset(seat for seat, cards in hands.items() if seat not in lost and is_special(cards))
    return _Table(rules, caller, hand, compared, holders)


def _score_special(table: _Table[Seat]) -> None:
    """Every holder scores 0, the others the award; the call counts for nothing."""
    points = award(table.rules) or 0
    table.score = {seat: 0 if seat in table.special else points for seat in table.hand}


def _score_hands(table: _Table[Seat]) -> None:
    """Every seat scores its hand, but for the caller's adjustment and, where the rules say so, 0 for the lowest."""
    rules, caller = table.rules, table.caller
    table.score = dict(table.hand)
    won = _call_won(table)
    if rules.score_lowest_zero and not won:
        lowest = min(table.compared.values(), default=0)
        table.score |= {seat: 0 for seat, points in table.compared.items() if points == lowest and seat != caller}
    if caller is None:
        return
    if won:
        zero = rules.score_lowest_zero or rules.score_call_won == "zero"
        table.score[caller] = (0 if zero else table.hand[caller]) + rules.score_call_won_adjust
    else:
        table.score[caller] = table.hand[caller] + rules.score_call_lost_adjust


def _call_won(table: _Table[Seat]) -> bool:
    """Was the caller lowest? Compared are the cards alone."""
    caller = table.caller
    if caller is None or caller not in table.compared:
        return False
    others = [points for seat, points in table.compared.items() if seat != caller]
    if not others:
        return True
    own, best = table.compared[caller], min(others)
    return own < best or (own == best and table.rules.score_caller_tie == "wins")


def _only_lowest(table: _Table[Seat], lost: Collection[Seat]) -> Seat | None:
    """The seat that alone has the lowest hand, unless it has forfeited."""
    lowest = min(table.compared.values(), default=0)
    holders = [seat for seat, points in table.compared.items() if points == lowest]
    return holders[0] if len(holders) == 1 and holders[0] not in lost else None


def _booked(table: _Table[Seat], worst_of_others: int, seat: Seat, forfeit: Forfeit) -> int:
    """What a seat that has forfeited is charged for the round: the largest of all it might have cost.

    Else pulling the plug with a bad hand, or for a partner, would pay.
    """
    rules = table.rules
    worst_hand = max(forfeit.cards, rules.deal_cards) * highest_value(rules)
    costs = [worst_hand, worst_of_others]
    if seat == table.caller:
        costs.append(worst_hand + rules.score_call_lost_adjust)
    if table.special:
        costs.append(award(rules) or 0)
    return max(costs)


def _add_up(
    rules: Ruleset,
    seats: Iterable[Seat],
    booked: Mapping[Seat, int],
    before: Mapping[Seat, int],
    used: Collection[Seat],
) -> tuple[dict[Seat, int], tuple[Seat, ...]]:
    """Totals after the round, and whose total of exactly `reset.at` was lowered."""
    after = {seat: before.get(seat, 0) + booked[seat] for seat in seats}
    reset = tuple(
        seat for seat, total in after.items() if rules.reset_at and total == rules.reset_at and seat not in used
    )
    return after | dict.fromkeys(reset, rules.reset_to), reset


def _match_end(
    rules: Ruleset, active: Mapping[Seat, int], round_no: int, anybody_lost: bool
) -> tuple[bool, tuple[Seat, ...]]:
    """Is the match over, and who has won it? Only seats that have not forfeited count."""
    target = rules.match_target
    reached = any(total >= target if rules.match_when == "reached" else total > target for total in active.values())
    over = bool(rules.match_rounds and round_no >= rules.match_rounds) or bool(target and reached)
    if anybody_lost and len(active) <= 1:
        over = True
    if not over or not active:
        return over, ()
    lowest = min(active.values())
    return True, tuple(seat for seat, total in active.items() if total == lowest)

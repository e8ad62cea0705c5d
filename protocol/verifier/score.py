"""The score of a round (08-rules.md, section 12)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verifier.ruleset import Card, Rules, number, value


@dataclass(frozen=True, slots=True)
class Standing:
    """Before a round: totals by seat, seats whose total was lowered, number of the round from 1."""

    totals: dict[int, int]
    lowered: frozenset[int]
    round_no: int


@dataclass(frozen=True, slots=True)
class Score:
    """A round's score, by seat."""

    hand: dict[int, int]
    round: dict[int, int]
    totals: dict[int, int]
    reset: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]


def score(
    rules: Rules,
    hands: Mapping[int, Sequence[Card]],
    caller: int | None,
    penalties: Mapping[int, int],
    standing: Standing,
) -> Score:
    """Points of the round for hands (gaps left out) of the active seats."""
    seats = sorted(hands)
    hand = {seat: sum(value(rules, card) for card in hands[seat]) for seat in seats}
    special = [seat for seat in seats if sorted(card.rank for card in hands[seat]) == ["K", "K", "Q", "Q"]]
    if rules["special.award"] != "off" and special:
        half = number(rules, "match.target") // 2
        award = half if rules["special.award"] == "half-target" else number(rules, "special.award")
        points = {seat: 0 if seat in special else award for seat in seats}
    else:
        points = _plain(rules, hand, caller)
    if number(rules, "snap.wrong_points") > 0:
        points = {seat: points[seat] + penalties.get(seat, 0) for seat in seats}
    totals = {seat: standing.totals[seat] + points[seat] for seat in seats}
    at = number(rules, "reset.at")
    reset = tuple(seat for seat in seats if at > 0 and totals[seat] == at and seat not in standing.lowered)
    for seat in reset:
        totals[seat] = number(rules, "reset.to")
    target, rounds = number(rules, "match.target"), number(rules, "match.rounds")
    most = max(totals.values())
    reached = target > 0 and (most > target or (rules["match.when"] == "reached" and most == target))
    over = reached or 0 < rounds <= standing.round_no
    winners = tuple(seat for seat in seats if over and totals[seat] == min(totals.values()))
    return Score(hand, points, totals, reset, over, winners)


def _plain(rules: Rules, hand: Mapping[int, int], caller: int | None) -> dict[int, int]:
    """Points where nobody has a special hand: section 12, 3 and 4."""
    points = dict(hand)
    lowest = min(hand.values())
    won = False
    if caller is not None:
        rest = min(points for seat, points in hand.items() if seat != caller)
        won = hand[caller] < rest or (hand[caller] == rest and rules["score.caller_tie"] == "wins")
        zero = rules["score.lowest_zero"] or rules["score.call_won"] == "zero"
        if won:
            points[caller] = (0 if zero else hand[caller]) + number(rules, "score.call_won_adjust")
        else:
            points[caller] = hand[caller] + number(rules, "score.call_lost_adjust")
    if rules["score.lowest_zero"] and not won:
        for seat in hand:
            if seat != caller and hand[seat] == lowest:
                points[seat] = 0
    return points

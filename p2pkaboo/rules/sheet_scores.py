"""The sentences of the rule sheet on scores and on the match."""

from collections.abc import Iterator

from .ruleset import Ruleset
from .scoring import award

Said = tuple[str, tuple[str, ...]]
"""A sentence and the keys, or `[name]`, it comes from, the one that decides its mark first; none: our resolution."""


def count(number: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _signed(points: int) -> str:
    return f"plus {points}" if points > 0 else f"minus {-points}" if points < 0 else "and nothing else"


def scoring_lines(rules: Ruleset) -> Iterator[Said]:
    """What a round gives."""
    if rules.score_lowest_zero:
        yield "The lowest hand scores 0, everybody else the total of the own cards.", ("score.lowest_zero",)
        yield "If several have it, each of them but a caller scores 0.", ("[tied lowest]",)
    else:
        yield "Everybody scores the total of the own cards.", ("[own total]", "score.lowest_zero")
    won = "scores 0" if rules.score_lowest_zero or rules.score_call_won == "zero" else "scores its total"
    if rules.score_call_won_adjust:
        won += f", {_signed(rules.score_call_won_adjust)}"
    alone = "lower than everybody else"
    lowest = "lowest, alone or together with others," if rules.score_caller_tie == "wins" else alone
    first = "score.call_won_adjust" if rules.score_call_won_adjust else "score.caller_tie"
    keys = (first, "score.call_won", "score.call_won_adjust", "score.caller_tie", "score.lowest_zero")
    yield f"A caller who is {lowest} {won}.", keys
    if rules.score_lowest_zero and rules.score_caller_tie == "wins":
        yield "Who ties with such a caller scores the total of the own cards.", ("score.caller_tie",)
    yield (
        f"A caller who is not scores its total, {_signed(rules.score_call_lost_adjust)}.",
        ("score.call_lost_adjust", "score.caller_tie"),
    )
    yield "Compared are the cards alone, before anything is added.", ("[compared]",)
    if rules.snap_wrong_points:
        yield "Points for wrong snaps are added afterwards.", ("[compared]", "snap.wrong_points")
    if rules.score_round_winner:
        yield "Who alone has the lowest total wins the round.", ("score.round_winner",)
        yield "If several have it, nobody wins the round.", ()
    points = award(rules)
    if points is not None:
        yield (
            f"Exactly two queens and two kings at the end: that hand scores 0, all others {points}; the call counts "
            "for nothing.",
            ("special.award", "match.target") if rules.special_award == "half-target" else ("special.award",),
        )
    yield "Who forfeits is charged the worst that the round could have cost.", ()


def match_lines(rules: Ruleset) -> Iterator[Said]:
    """How a match goes on and ends."""
    if rules.reset_at:
        yield (
            f"A total of exactly {rules.reset_at} becomes {rules.reset_to}, once a match for each player.",
            ("reset.at", "reset.to"),
        )
    ends = [f"after {count(rules.match_rounds, 'round')}"] if rules.match_rounds else []
    if rules.match_target:
        when = "reaches" if rules.match_when == "reached" else "goes over"
        ends.append(f"when a total {when} {rules.match_target}")
    target, rounds = ("match.target", "match.when"), ("match.rounds",)
    keys = (*target, *rounds) if rules.match_target else (*rounds, *target)
    if ends:
        yield f"The match ends {' or '.join(ends)}.", keys
    else:
        yield "The match has no set end: it goes on until all but one have left.", keys
    yield "The lowest total wins the match.", ("[lowest wins]",)
    yield "Players who tie for it share the win.", ("[ties]",)

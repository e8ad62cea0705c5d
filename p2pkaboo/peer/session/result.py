"""The result of a round and the score sheet of a match, as a screen shows them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from p2pkaboo.audit.report import RoundAudit
from p2pkaboo.peer import api
from p2pkaboo.replica.conduct import conduct
from p2pkaboo.replica.ending import hands_of
from p2pkaboo.replica.state import Deal, RaceRecord
from p2pkaboo.rules.cards import value
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.rules.scoring import RoundScore, award, is_special


def call_held(deal: Deal) -> bool | None:
    """Whether the call of a scored deal holds; None if nobody called, or a special hand made it count for nothing."""
    caller, score, rules = deal.state.caller, deal.score, deal.charter.rules
    if score is None or caller is None or caller not in score.hand or special_round(rules, hands_of(deal)):
        return None
    return holds(rules, score, caller)


def special_round(rules: Ruleset, hands: Mapping[int, Sequence[str | None]]) -> bool:
    """Whether a special hand has decided what the round gives."""
    return award(rules) is not None and any(is_special(cards) for cards in hands.values())


def holds(rules: Ruleset, score: RoundScore[int], caller: int) -> bool:
    """Whether the caller's hand is low enough: below all others, or as low as the lowest where the rules say so."""
    others = [points for seat, points in score.hand.items() if seat != caller]
    own = score.hand[caller]
    return all(own < points or (own == points and rules.score_caller_tie == "wins") for points in others)


def result_of(deal: Deal, audit: RoundAudit | None) -> api.RoundResult:
    """The result of a deal whose hands are open."""
    score, state = deal.score, deal.state
    assert score is not None
    ended: Literal["called", "stock"] = "called" if state.caller is not None else "stock"
    return api.RoundResult(
        number=deal.standing.round_no,
        ended=ended,
        caller=state.caller,
        call_held=call_held(deal),
        rows=rows_of(deal.charter.rules, hands_of(deal), score, state.caller, state.penalties),
        verdict=verdict_of(audit, tuple(sorted(deal.results))),
        match_over=score.match_over,
        winners=tuple(score.winners),
    )


def rows_of(
    rules: Ruleset,
    hands: dict[int, tuple[str | None, ...]],
    score: RoundScore[int],
    caller: int | None,
    penalties: tuple[int, ...],
) -> tuple[api.ResultRow, ...]:
    """One row a hand: the cards, what they count, and why the round gave what it gave."""
    special = special_round(rules, hands)
    rows = []
    for seat, cards in hands.items():
        notes = _notes(rules, score, seat, caller, penalties[seat], special, is_special(cards))
        rows.append(
            api.ResultRow(
                seat=seat,
                cards=cards,
                values=tuple(None if card is None else value(rules, card) for card in cards),
                hand=score.hand[seat],
                points=score.round[seat],
                notes=tuple(notes),
            )
        )
    return tuple(rows)


def _notes(
    rules: Ruleset,
    score: RoundScore[int],
    seat: int,
    caller: int | None,
    penalty: int,
    special: bool,
    own_special: bool,
) -> Iterable[api.Say]:
    if special:
        yield _note("note.special") if own_special else _note("note.award", n=award(rules))
    elif seat == caller:
        if not holds(rules, score, seat):
            why = "note.call_beaten" if rules.score_caller_tie == "wins" else "note.call_lost"
            yield _note(why, n=rules.score_call_lost_adjust)
        elif rules.score_lowest_zero or rules.score_call_won == "zero":
            yield _note("note.call_zero")
        else:
            yield _note("note.call_won", n=rules.score_call_won_adjust)
    elif rules.score_lowest_zero and score.hand[seat] == min(score.hand.values()) and score.round[seat] == 0:
        yield _note("note.lowest_zero")
    if penalty and rules.snap_wrong_points:
        yield _note("note.penalty", n=penalty)
    if seat in score.reset:
        yield _note("note.reset", n=rules.reset_at, to=rules.reset_to)
    if score.round_winner == seat:
        yield _note("note.winner")


def _note(key: str, **params: int | None) -> api.Say:
    return api.Say(key=key, params=dict(params))


def verdict_of(audit: RoundAudit | None, signed: tuple[int, ...] = ()) -> api.Verdict:
    """An audit for a screen; pending while there is none yet."""
    if audit is None:
        return api.Verdict(verdict="pending", signed=signed)
    counts = audit.counts
    return api.Verdict(
        verdict=audit.verdict,
        reason=audit.reason if audit.verdict != "valid" else "",
        seat=audit.seat,
        step=audit.step,
        signatures=counts.signatures,
        proofs=counts.proofs,
        moves=counts.moves,
        cards=counts.cards,
        races=counts.races,
        signed=signed,
    )


def conduct_of(records: Iterable[RaceRecord]) -> tuple[api.Say, ...]:
    """What the races of a match show of its seats, seats first; nothing if there is nothing to say."""
    shown = conduct(records)
    said = []
    for seat, count in sorted(shown.strikes.items()):
        if seat in shown.warned:
            said.append(api.Say(key="conduct.strikes_warn", params={"seat": seat, "n": shown.recent[seat]}))
        elif count:
            said.append(api.Say(key="conduct.strikes", params={"seat": seat, "n": count}))
    if shown.disputes_warned:
        said.append(api.Say(key="conduct.disputes_warn", params={"n": shown.recent_disputes}))
    elif shown.disputes:
        said.append(api.Say(key="conduct.disputes", params={"n": shown.disputes, "of": shown.contested}))
    return tuple(said)


def scores_of(deals: Sequence[Deal], rules: Ruleset, seats: int) -> api.ScoreSheet:
    """The score sheet so far. `deals`: those of the match, in order."""
    rounds: list[api.ScoreRound] = []
    totals = (0,) * seats
    for deal in deals:
        score = deal.score
        if score is None:
            continue
        rounds.append(
            api.ScoreRound(
                number=deal.standing.round_no,
                points=tuple(score.round.get(seat) for seat in range(seats)),
                caller=deal.state.caller,
                call_held=call_held(deal),
                resets=tuple(score.reset),
            )
        )
        totals = tuple(score.totals.get(seat, totals[seat]) for seat in range(seats))
    return api.ScoreSheet(
        rounds=tuple(rounds),
        totals=totals,
        rounds_in_match=rules.match_rounds,
        target=rules.match_target,
        target_when="reached" if rules.match_when == "reached" else "over",
        conduct=conduct_of(record for deal in deals for record in deal.races),
    )

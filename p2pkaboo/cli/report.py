"""What a seat reports of the rounds it played: the rows of `match --json`."""

from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.replica.ending import hands_of
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.window import RIGHT, WRONG


def rounds_report(runner: SeatRunner) -> list[dict[str, object]]:
    """One row a finished round, as `match --json` prints it (CPU times are the match's, not a seat's)."""
    rows: list[dict[str, object]] = []
    for deal, stats, audit in zip(runner.deals, runner.stats, runner.audits, strict=True):
        if deal.score is None:
            continue
        hands = hands_of(deal)
        ended = stats.ended if stats.ended is not None else runner.now()
        rows.append(
            {
                "scores": [deal.score.round[seat] for seat in deal.active],
                "totals": [deal.score.totals[seat] for seat in deal.active],
                "hands": [list(hands[seat]) for seat in deal.active],
                "caller": deal.state.caller,
                "end": "called" if deal.state.caller is not None else "stock",
                "snaps": _snaps(deal),
                "audit": "pending" if audit is None else audit.verdict,
                "steps": stats.steps,
                "messages": stats.messages,
                "bytes": stats.bytes,
                "deal_s": round(((stats.dealt or ended) - stats.began) / 1e6, 3),
                "wall_s": round((ended - stats.began) / 1e6, 3),
                "winners": list(deal.score.winners),
                "match_over": deal.score.match_over,
            }
        )
    return rows


def _snaps(deal: Deal) -> dict[str, int]:
    outcomes = [outcome for record in deal.races for outcome in record.outcomes.values()]
    return {
        "right": outcomes.count(RIGHT),
        "wrong": outcomes.count(WRONG),
        "disputed": sum(record.judgement.disputed for record in deal.races),
    }

"""How far a deal is, and what has been checked of each seat's work in it."""

from typing import Final, Literal

from p2pkaboo.peer import api
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.session.seat import Human
from p2pkaboo.replica.shuffling import shuffling_order
from p2pkaboo.replica.state import Deal

AFTER: Final = ("READY", "OPEN", "VIEW", "SERVE", "SEEN")
"""What a seat sends in a deal only once every shuffle's proof holds for it: it deals, opens and serves nothing before.
The first of these that comes from a seat tells that it has checked them all, and comes early if we are slower."""


def dealing_of(deal: Deal, human: Human) -> api.Dealing:
    """Keys, shuffles and checks so far."""
    kind = "" if deal.main is None else deal.main.kind
    stage: Literal["keys", "shuffles", "hands", "looks"] = "shuffles"
    if kind == "KEYS":
        stage = "keys"
    elif kind in ("READY", "OPEN"):
        stage = "hands"
    elif kind in ("VIEW", "SERVE"):
        stage = "looks"
    keys = len(deal.main.said) if deal.main is not None and kind == "KEYS" else len(deal.publics)
    shuffling = human.shuffling
    heard = {seat for (_, seat), envelope in deal.held.items() if envelope.kind in AFTER}
    steps = []
    for at, seat in enumerate(shuffling_order(deal)):
        state, holds = _shuffle_state(deal, at)
        checked = tuple(sorted((heard | {human.seat} if holds else heard) - {seat})) if state == "done" else ()
        took = None
        if at < len(shuffling.done_at):
            took = shuffling.done_at[at] - (shuffling.done_at[at - 1] if at else shuffling.since)
        steps.append(api.ShuffleStep(seat=seat, state=state, took_ms=took, checked_by=checked))
    return api.Dealing(
        keys=keys,
        shuffles=tuple(steps),
        cards=len(deal.order) or _deck_size(deal),
        since_ms=shuffling.since,
        stage=stage,
    )


def _shuffle_state(deal: Deal, at: int) -> tuple[Literal["waiting", "working", "done", "failed"], bool]:
    """How far a shuffle is, and whether its proof holds for us."""
    series = deal.series
    if series is None or series.why != "deal":
        return ("done", True) if deal.order else ("waiting", False)
    if at < series.done:
        ok = series.said[at].holds
        return "failed" if ok is False else "done", ok is True
    return "working" if at == series.done else "waiting", False


def _deck_size(deal: Deal) -> int:
    return 0 if deal.series is None else len(deal.series.deck)


def proof_of(runner: SeatRunner, seat: int) -> Literal["none", "working", "verified", "failed"]:
    """What this seat has checked of another's work in the deal in play."""
    deal = runner.current
    if runner.fault is not None and runner.fault.seat == seat:
        return "failed"
    if deal.order:
        return "verified"
    series = deal.series
    if series is None:
        return "none"
    at = series.seats.index(seat) if seat in series.seats else len(series.seats)
    if at > series.done:
        return "none"
    if at < len(series.said) and series.said[at].holds:
        return "verified"
    return "working"

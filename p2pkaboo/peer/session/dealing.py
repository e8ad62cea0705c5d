"""How far a deal is, and what has been checked of each seat's work in it."""

from typing import Literal

from p2pkaboo.peer import api
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.session.seat import Human
from p2pkaboo.replica.shuffling import shuffling_order
from p2pkaboo.replica.state import Deal


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
    steps = []
    for at, seat in enumerate(shuffling_order(deal)):
        state, checked = _shuffle_state(deal, at, human.seat)
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


def _shuffle_state(
    deal: Deal, at: int, you: int
) -> tuple[Literal["waiting", "working", "done", "failed"], tuple[int, ...]]:
    series = deal.series
    if series is None or series.why != "deal":
        return ("done", (you,)) if deal.order else ("waiting", ())
    if at < series.done:
        ok = series.unproved[at][1]
        return ("failed" if ok is False else "done"), ((you,) if ok else ())
    return ("working" if at == series.done else "waiting"), ()


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
    if at < len(series.unproved) and series.unproved[at][1]:
        return "verified"
    return "working"

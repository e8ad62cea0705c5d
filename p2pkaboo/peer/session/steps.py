"""A transcript's steps in plain words."""

from typing import Final

from p2pkaboo.audit.history import ordered
from p2pkaboo.peer import api
from p2pkaboo.replica.state import Closed, Deal
from p2pkaboo.wire.bodies import Action, Body, Open, Serve, View

_BY_ONE: Final = frozenset({"SHUFFLE", "DRAW", "REVEAL", "GIFT"})
"""Kinds that one seat says, and whose sentence names it."""

_KEYS: Final = {
    "KEYS": "step.keys",
    "SHUFFLE": "step.shuffle",
    "READY": "step.ready",
    "VIEW": "step.view",
    "SEEN": "step.seen",
    "DRAW": "step.draw",
    "WINDOW": "step.window",
    "WITNESS": "step.witness",
    "REVEAL": "step.reveal",
    "GIFT": "step.gift",
    "OPEN1": "step.open1",
    "OPEN2": "step.open2",
    "DISCLOSE": "step.disclose",
    "RESULT": "step.result",
}

_OPENED: Final = {
    "up-card": "the card turned up",
    "action": "the cards that were played",
    "snap": "the card that was snapped",
    "dispute": "the two cards in dispute",
}

_MOVES: Final = {
    "take": "takes the top discard",
    "exchange": "exchanges",
    "discard": "discards the drawn card",
    "peek": "looks at an own card",
    "spy": "looks at another’s card",
    "swap": "swaps two cards",
    "skip": "leaves the power unused",
    "call": "calls",
    "pass": "passes",
    "draw": "draws",
}


def steps_of(deal: Deal, *, match: str, first: int, count: int, refused: str = "") -> api.Steps:
    """`count` steps from number `first` (0: the first) of a deal. `refused`: slot of the step that was refused."""
    history = ordered(deal)
    shown = history[max(0, first - 1) :][:count]
    steps = [_step(deal, closed, number, refused) for number, closed in enumerate(shown, max(1, first))]
    return api.Steps(
        match=match,
        round=deal.standing.round_no,
        names=deal.charter.shown_names,
        total=len(history),
        steps=tuple(steps),
    )


def _step(deal: Deal, closed: Closed, number: int, refused: str) -> api.Step:
    return api.Step(
        number=number,
        slot=str(closed.slot),
        kind=closed.kind,
        seats=tuple(sorted(closed.said)),
        say=_say(deal, closed),
        proofs=_proofs(closed),
        bytes=sum(len(envelope.data) for envelope in closed.said.values()),
        ok=str(closed.slot) != refused,
    )


def _say(deal: Deal, closed: Closed) -> api.Say:
    seats = sorted(closed.said)
    params: dict[str, str | int | None] = {"seat": seats[0]} if closed.kind in _BY_ONE else {}
    match closed.kind:
        case "OPEN":
            return api.Say(key="step.open", params={"what": _OPENED.get(closed.why, closed.why)})
        case "SERVE" if closed.why == "first":
            return api.Say(key="step.open", params={"what": "the cards of the first look, each for its owner alone"})
        case "SERVE":
            return api.Say(key="step.serve", params={"seat": _viewer(deal, closed)})
        case "ACTION":
            envelope = closed.said[seats[0]]
            assert isinstance(envelope.body, Action)
            name = str(envelope.body.move[0])
            return api.Say(key="step.action", params={"seat": seats[0], "what": _MOVES.get(name, name)})
        case kind if kind in _KEYS:
            return api.Say(key=_KEYS[kind], params=params)
        case kind:
            return api.Say(key="step.other", params={"what": kind})


def _viewer(deal: Deal, closed: Closed) -> int | None:
    """For whom a view is served: the active seat that gives no share."""
    return next((seat for seat in deal.active if seat not in closed.said), None)


_PROOFS: Final = {"KEYS": 1, "SHUFFLE": 1, "DRAW": 1}
"""Proofs in each message of a kind; shares and requests to look have one each."""


def _proofs(closed: Closed) -> int:
    return sum(_PROOFS.get(closed.kind, 0) + _rows(envelope.body) for envelope in closed.said.values())


def _rows(body: Body) -> int:
    """How many shares, or requests, a body holds."""
    match body:
        case Open(shares) | Serve(shares):
            return len(shares)
        case View(asks):
            return len(asks)
        case _:
            return 0

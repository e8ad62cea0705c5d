"""The end of a deal, in four steps: nobody reads all hands before everybody is bound to the round.

OPEN1 gives the shares of every hand card but those in one's own hand; when it is complete the round stands, whatever
comes. OPEN2 gives those of one's own hand, DISCLOSE the keys, RESULT the scores.
"""

from p2pkaboo.crypto.group import Point, decode_scalar
from p2pkaboo.replica.faces import face_of
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.meaning import opened_by
from p2pkaboo.replica.outputs import DealOver
from p2pkaboo.replica.state import Closed, Deal, Step
from p2pkaboo.replica.steps import open_main
from p2pkaboo.rules.scoring import RoundScore, score_round
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Disclose, Open

_NEXT = {"OPEN1": "OPEN2", "OPEN2": "DISCLOSE", "DISCLOSE": "RESULT"}


def begin_end(deal: Deal, head: bytes) -> None:
    """Opens OPEN1 at the head where the last lanes joined."""
    open_main(deal, "OPEN1", deal.active, head=head)


def end_closed(deal: Deal, step: Step, closed: Closed) -> None:
    """A step of the end is complete."""
    if closed.kind == "OPEN2":
        _read_hands(deal, closed)
        deal.score = _score(deal)
    elif closed.kind == "DISCLOSE":
        for seat, envelope in closed.said.items():
            assert isinstance(envelope.body, Disclose)
            deal.secrets[seat] = decode_scalar(envelope.body.secret)
    elif closed.kind == "RESULT":
        deal.results = dict(closed.said)
        deal.main, deal.over = None, True
        deal.out.append(DealOver(deal.deal))
        return
    open_main(deal, _NEXT[closed.kind], deal.active)


def _read_hands(deal: Deal, closed: Closed) -> None:
    """Puts the shares of OPEN1 and OPEN2 together: every hand card is read."""
    layers: dict[Handle, list[Point]] = {}
    for step in (record for record in deal.history if record.kind in ("OPEN1", "OPEN2")):
        shape = Step(step.slot, step.kind, step.head, ())
        for seat, envelope in step.said.items():
            assert isinstance(envelope.body, Open)
            for handle, share in zip(opened_by(deal, shape, seat), envelope.body.shares, strict=True):
                layers.setdefault(handle, []).append(Point.decode(share.share))
    for handle, shares in layers.items():
        deal.faces[handle] = face_of(deal, handle, shares)


def hands_of(deal: Deal) -> dict[int, tuple[str | None, ...]]:
    """Every active seat's cards by place; None is a gap. LocalError before OPEN2 is complete."""
    hands: dict[int, tuple[str | None, ...]] = {}
    for seat in deal.active:
        places = deal.state.hands[seat]
        if any(handle is not None and handle not in deal.faces for handle in places):
            raise LocalError("the hands are not open yet")
        hands[seat] = tuple(None if handle is None else deal.faces[handle] for handle in places)
    return hands


def _score(deal: Deal) -> RoundScore[int]:
    state = deal.state
    return score_round(
        state.rules,
        hands_of(deal),
        state.caller,
        {seat: state.penalties[seat] for seat in deal.active},
        {seat: deal.standing.totals[seat] for seat in deal.active},
        tuple(deal.standing.used_reset),
        deal.standing.round_no,
    )

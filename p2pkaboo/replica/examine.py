"""What a message must be to be part of the history: judged on the state of its own lane, before it is accepted.

`examine` raises PeerFault for what this state forbids, and returns the proofs that must hold besides. It is the same
for our own messages and for everybody else's. Order of the rules: kind and seat, elapsed time, then the kind's own.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from p2pkaboo.crypto.group import CryptoDecodeError, Point, base_mul, decode_scalar
from p2pkaboo.crypto.sigma import BlindStatement, KeyStatement, ShareStatement
from p2pkaboo.replica.context import context_of
from p2pkaboo.replica.faults import PeerFault
from p2pkaboo.replica.meaning import (
    action_move,
    asked_of,
    body_of,
    claim_statement,
    has_lateness,
    lanes_of,
    opened_by,
    point_of,
    race_of,
    snap_commitment,
    snap_of,
)
from p2pkaboo.replica.outputs import Check
from p2pkaboo.replica.shuffling import examine_shuffle
from p2pkaboo.replica.state import Deal, Step
from p2pkaboo.replica.steps import least_elapsed
from p2pkaboo.rules.engine import IllegalMove, Needs, legal_snap_class, may_snap, play, snap_class, snap_targets
from p2pkaboo.rules.moves import Draw as DrawMove
from p2pkaboo.rules.moves import Give, Peek, PeekInitial, Spy
from p2pkaboo.rules.moves import Snap as SnapMove
from p2pkaboo.wire.bodies import (
    Action,
    Ask,
    Disclose,
    Draw,
    Gift,
    Keys,
    NoSnap,
    Open,
    Ready,
    Reveal,
    Seen,
    Serve,
    Share,
    Shuffle,
    Snap,
    Witness,
)
from p2pkaboo.wire.bodies import (
    View as ViewBody,
)
from p2pkaboo.wire.envelope import Envelope

TICK_MS: Final = 100
"""Unit of `elapsed`: fine enough to check an exposure, too coarse to publish anybody's thinking."""


def examine(deal: Deal, step: Step, envelope: Envelope) -> tuple[Check, ...]:
    """The proofs that must hold for this message to be accepted. Raises PeerFault for what cannot be."""
    kinds = ("SNAP", "NONE") if step.kind == "WINDOW" else (step.kind,)
    if envelope.kind not in kinds:
        raise PeerFault("illegal-move", f"{step.slot} is a step of {' or '.join(kinds)}, not of {envelope.kind}")
    if envelope.seat not in step.required:
        raise PeerFault("illegal-move", f"nothing is to be said by this seat at {step.slot}")
    least = least_elapsed(deal, envelope.seat, envelope.slot)
    if envelope.elapsed < least:
        raise PeerFault("bad-time", f"elapsed time falls from {least} to {envelope.elapsed} tenths of a second")
    return tuple(_EXAMINERS[envelope.kind](deal, step, envelope))


def _keys(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body = body_of(envelope, Keys)
    public = point_of(body.public, "bad-key", "the public key")
    yield Check(KeyStatement(context_of(deal, step.slot, envelope.seat), public), body.proof, "bad-key")


def _shuffle(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    yield examine_shuffle(deal, step, envelope, body_of(envelope, Shuffle))


def _ready(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    if body_of(envelope, Ready).back:
        raise PeerFault("illegal-move", "nobody has left this table, so nobody can sit down again")
    return iter(())


def _open(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    bases = [(handle, deal.cards[handle].a) for handle in opened_by(deal, step, envelope.seat)]
    yield from _shares(deal, step, envelope, [base for _, base in bases], body_of(envelope, Open).shares)


def _serve(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    bases = [asked.blinded for asked in step.asks if asked.viewer != envelope.seat]
    yield from _shares(deal, step, envelope, bases, body_of(envelope, Serve).shares)


def _shares(
    deal: Deal, step: Step, envelope: Envelope, bases: Sequence[Point], shares: Sequence[Share]
) -> Iterator[Check]:
    if len(shares) != len(bases):
        raise PeerFault("bad-share", f"{len(bases)} shares are due at {step.slot}, {len(shares)} were given")
    for item, (base, share) in enumerate(zip(bases, shares, strict=True)):
        yield Check(
            ShareStatement(
                context_of(deal, step.slot, envelope.seat, item),
                deal.publics[envelope.seat],
                base,
                point_of(share.share, "bad-share", f"share {item}"),
            ),
            share.proof,
            "bad-share",
        )


def _view(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body = body_of(envelope, ViewBody)
    move = PeekInitial(envelope.seat, tuple(ask.handle for ask in body.asks))
    _legal(lambda: play(deal.state, move), "bad-view")
    for item, ask in enumerate(body.asks):
        yield _blind(deal, step, envelope, ask, item)


def _seen(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body_of(envelope, Seen)
    return iter(())


def _draw(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    ask = body_of(envelope, Draw).ask
    due = step.handles[0]
    if ask.handle != due:
        raise PeerFault("bad-view", f"the card to draw is {due}, not {ask.handle}")
    yield _blind(deal, step, envelope, ask, None)


def _blind(deal: Deal, step: Step, envelope: Envelope, ask: Ask, item: int | None) -> Check:
    asked = asked_of(deal, envelope.seat, ask)
    if asked.blinded == asked.original:
        raise PeerFault("bad-view", "the view is not blinded: a′ = a")
    statement = BlindStatement(context_of(deal, step.slot, envelope.seat, item), asked.original, asked.blinded)
    return Check(statement, ask.proof, "bad-view")


def _snap(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body = body_of(envelope, Snap)
    lanes = lanes_of(deal)
    state = lanes.now
    if not may_snap(state, envelope.seat):
        raise PeerFault("illegal-move", "this seat may not snap the card on top")
    if body.q != race_of(deal, lanes):
        raise PeerFault("illegal-move", "the snap names another race than the one that is open")
    staged = state.rules.snap == "own-then-others"
    if staged != bool(body.shown_class):
        raise PeerFault("illegal-move", "a snap shows its class where own cards go first, and only there")
    if body.shown_class and not legal_snap_class(state, envelope.seat, body.shown_class):
        raise PeerFault("illegal-move", f"{body.shown_class} cards cannot be snapped now")
    return iter(())


def _none(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body = body_of(envelope, NoSnap)
    state = lanes_of(deal).now
    if not body.answers and envelope.seat != state.turn and state.pile:
        given = deal.opened_at.get(state.pile[-1], {}).get(envelope.seat)
        due = (state.rules.snap_exposure_ms - TICK_MS) // TICK_MS
        if given is not None and envelope.elapsed - given < due:
            raise PeerFault("bad-time", "the card was given up before it had been in view for its exposure time")
    return iter(())


def _witness(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body = body_of(envelope, Witness)
    lanes = lanes_of(deal)
    snappers = tuple(attempt.seat for attempt in lanes.queue if attempt.seat != envelope.seat)
    if tuple(measure.seat for measure in body.measures) != snappers:
        raise PeerFault("illegal-move", f"testimony is due on the snaps of seats {list(snappers)}")
    rivals = tuple(seat for seat in deal.active if seat != envelope.seat) if has_lateness(deal, lanes) else ()
    if tuple(row.seat for row in body.lateness) != rivals:
        raise PeerFault("illegal-move", f"testimony is due on the shares of seats {list(rivals)}")
    return iter(())


def _reveal(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body = body_of(envelope, Reveal)
    lanes = lanes_of(deal)
    window = lanes.at_window
    snap = snap_of(deal, envelope.seat)
    if snap_commitment(deal, lanes, envelope.seat, body) != snap.commitment:
        raise PeerFault("illegal-move", "what is revealed is not what the snap committed to")
    handle = body.handle
    assert window is not None
    if handle not in snap_targets(window, envelope.seat):
        raise PeerFault("illegal-move", "the snap's target could not be snapped when the window opened")
    if snap_class(window, envelope.seat, handle) != body.target_class or (
        snap.shown_class and snap.shown_class != body.target_class
    ):
        raise PeerFault("illegal-move", "the snap's target is not of the class that it named")
    return iter(())


def _gift(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body = body_of(envelope, Gift)
    _legal(lambda: play(lanes_of(deal).now, Give(envelope.seat, body.handle)), "illegal-move")
    return iter(())


def _action(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body = body_of(envelope, Action)
    move = action_move(envelope)
    if isinstance(move, SnapMove | Give | PeekInitial):
        raise PeerFault("illegal-move", f"{type(move).__name__.lower()} is no ACTION")
    if isinstance(move, DrawMove) and deal.draw_lane:
        raise PeerFault("illegal-move", "a draw has its own lane here")
    outcome = _legal(lambda: play(deal.state, move), "illegal-move")
    if outcome.claim:
        yield Check(claim_statement(deal, deal.state, step.slot, envelope.seat, outcome.claim), body.claim, "bad-claim")
    elif body.claim:
        raise PeerFault("illegal-move", "nothing is to be proved about the drawn card by this move")
    if isinstance(move, Peek | Spy):
        if body.ask is None or body.ask.handle != move.handle:
            raise PeerFault("bad-view", "the move looks at a card that it does not ask to see")
        yield _blind(deal, step, envelope, body.ask, None)
    elif body.ask is not None:
        raise PeerFault("bad-view", "the move looks at no card")


def _disclose(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    body = body_of(envelope, Disclose)
    try:
        secret = decode_scalar(body.secret)
    except CryptoDecodeError as error:
        raise PeerFault("bad-key", f"the disclosed key is no scalar: {error}") from None
    if base_mul(secret) != deal.publics[envelope.seat]:
        raise PeerFault("bad-key", "the disclosed key is not the secret of this seat's public key")
    return iter(())


def _result(deal: Deal, step: Step, envelope: Envelope) -> Iterator[Check]:
    return iter(())  # one that differs counts as sent: it names its author and stops nobody


_EXAMINERS: Final[dict[str, Callable[[Deal, Step, Envelope], Iterator[Check]]]] = {
    "KEYS": _keys,
    "SHUFFLE": _shuffle,
    "READY": _ready,
    "OPEN": _open,
    "VIEW": _view,
    "SERVE": _serve,
    "SEEN": _seen,
    "DRAW": _draw,
    "SNAP": _snap,
    "NONE": _none,
    "WITNESS": _witness,
    "REVEAL": _reveal,
    "GIFT": _gift,
    "ACTION": _action,
    "OPEN1": _open,
    "OPEN2": _open,
    "DISCLOSE": _disclose,
    "RESULT": _result,
}


def _legal(attempt: Callable[[], object], code: str) -> Needs:
    """Runs the engine on a move. Raises PeerFault if it is illegal; returns what it needs (nothing, if it is done)."""
    try:
        outcome = attempt()
    except IllegalMove as error:
        raise PeerFault(code, str(error)) from None
    return outcome if isinstance(outcome, Needs) else Needs()

"""What a seat says itself: the bodies of its own messages, from its own secrets.

Each `…_work` function looks at the deal now and returns the work left to do: a function of a source of randomness,
without any other input, so that it may run in a worker thread while the deal goes on. Secrets that a message creates
are returned beside its body and must be saved before the message leaves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import blind, share, unblind
from p2pkaboo.crypto.group import Point, Rng, base_mul, encode_scalar, random_bytes, random_scalar
from p2pkaboo.crypto.runner import Runner
from p2pkaboo.crypto.shuffle import ShuffleStatement, prove_shuffle, shuffle
from p2pkaboo.crypto.sigma import (
    BlindStatement,
    KeyStatement,
    ShareStatement,
    prove_blind,
    prove_key,
    prove_membership,
    prove_share,
)
from p2pkaboo.replica.context import context_of
from p2pkaboo.replica.faces import face_of
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.meaning import claim_statement, last_view, opened_by, race_of, snap_commitment
from p2pkaboo.replica.state import Deal, Step
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.engine import snap_class
from p2pkaboo.rules.moves import Move, Peek, Spy, to_plain
from p2pkaboo.rules.state import Handle, SnapClass, State
from p2pkaboo.wire.bodies import (
    Action,
    Ask,
    Body,
    Disclose,
    Draw,
    Keys,
    Open,
    Result,
    Reveal,
    Serve,
    Share,
    Shuffle,
    Snap,
)
from p2pkaboo.wire.bodies import View as ViewBody
from p2pkaboo.wire.slot import Slot


@dataclass(slots=True)
class Own:
    """One seat's secrets of one deal. `blinds`: ρ by the blinded a′ that it made; `snaps`: REVEALs by commitment."""

    seat: int
    secret: int | None = None
    blinds: dict[bytes, int] = field(default_factory=dict)
    snaps: dict[bytes, Reveal] = field(default_factory=dict)

    def x(self) -> int:
        """The key x_p of this deal. LocalError before KEYS."""
        if self.secret is None:
            raise LocalError("this seat has no key in this deal yet")
        return self.secret

    def remember(self, name: str, value: bytes) -> None:
        """Takes back a saved secret (see `Made`)."""
        kind, _, rest = name.partition(":")
        if kind == "key":
            self.secret = int.from_bytes(value, "little")
        elif kind == "blind":
            self.blinds[bytes.fromhex(rest)] = int.from_bytes(value, "little")
        elif kind == "snap":
            target: SnapClass = "own" if value[0] == 0 else "other"
            handle = (int.from_bytes(value[1:5], "big"), int.from_bytes(value[5:9], "big"))
            self.snaps[bytes.fromhex(rest)] = Reveal(target, handle, value[9:])
        else:
            raise LocalError(f"unknown kind of secret {kind!r}")


def missing_secret(own: Own, body: Body) -> str | None:
    """What we lack to stand by a message of our own that we did not make in this run; None: nothing."""
    match body:
        case Keys(public) if own.secret is None or base_mul(own.secret).encoded != public:
            return "the key of this deal"
        case ViewBody(asks) if any(ask.blinded not in own.blinds for ask in asks):
            return "the blinding of a view"
        case Draw(ask) | Action(ask=ask) if ask is not None and ask.blinded not in own.blinds:
            return "the blinding of a view"
        case Snap(commitment=commitment) if commitment not in own.snaps:
            return "the target of a snap"
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Made:
    """A body ready to be signed, and the secrets (name, value) that must be saved with it."""

    body: Body
    secrets: tuple[tuple[str, bytes], ...] = ()


Work = Callable[[Rng], Made]


def keys_work(deal: Deal, step: Step, seat: int) -> Work:
    """KEYS: a fresh key for this deal."""
    context = context_of(deal, step.slot, seat)

    def work(rng: Rng) -> Made:
        secret = random_scalar(rng)
        public = base_mul(secret)
        proof = prove_key(KeyStatement(context, public), secret, rng)
        return Made(Keys(public.encoded, proof.encode()), (("key:", encode_scalar(secret)),))

    return work


def shuffle_work(deal: Deal, step: Step, seat: int, run: Runner) -> Work:
    """SHUFFLE: a remasked permutation of the deck with its proof. `run` spreads chunks over threads."""
    series = deal.series
    if series is None:
        raise LocalError("no shuffle is due")
    context, key, before = context_of(deal, step.slot, seat), deal.key(), series.deck

    def work(rng: Rng) -> Made:
        after, witness = shuffle(before, key, rng, run)
        proof = prove_shuffle(ShuffleStatement(context, key, before, after), witness, rng, run)
        return Made(Shuffle(b"".join(card.encode() for card in after), proof.encode()))

    return work


def open_work(deal: Deal, step: Step, own: Own) -> Work:
    """OPEN, OPEN1, OPEN2: shares of the cards that the step opens."""
    bases = [deal.cards[handle].a for handle in opened_by(deal, step, own.seat)]
    return _share_work(deal, step, own, bases, Open)


def serve_work(deal: Deal, step: Step, own: Own) -> Work:
    """SERVE: shares for the views that other seats asked for."""
    bases = [asked.blinded for asked in step.asks if asked.viewer != own.seat]
    return _share_work(deal, step, own, bases, Serve)


def _share_work(deal: Deal, step: Step, own: Own, bases: Sequence[Point], kind: type[Open] | type[Serve]) -> Work:
    secret, public = own.x(), deal.publics[own.seat]
    contexts = [context_of(deal, step.slot, own.seat, item) for item in range(len(bases))]

    def work(rng: Rng) -> Made:
        shares = []
        for context, base in zip(contexts, bases, strict=True):
            element = share(secret, base)
            proof = prove_share(ShareStatement(context, public, base, element), secret, rng)
            shares.append(Share(element.encoded, proof.encode()))
        return Made(kind(tuple(shares)))

    return work


def _ask(context: Context, handle: Handle, original: Point, rng: Rng) -> tuple[Ask, tuple[str, bytes]]:
    rho = random_scalar(rng)
    blinded = blind(original, rho)
    proof = prove_blind(BlindStatement(context, original, blinded), rho, rng)
    return Ask(handle, blinded.encoded, proof.encode()), (f"blind:{blinded.encoded.hex()}", encode_scalar(rho))


def view_work(deal: Deal, step: Step, seat: int, handles: Sequence[Handle]) -> Work:
    """VIEW: asks to see the cards of the first look."""
    looks = [
        (context_of(deal, step.slot, seat, item), handle, deal.cards[handle].a) for item, handle in enumerate(handles)
    ]

    def work(rng: Rng) -> Made:
        asks = [_ask(context, handle, original, rng) for context, handle, original in looks]
        return Made(ViewBody(tuple(ask for ask, _ in asks)), tuple(secret for _, secret in asks))

    return work


def draw_work(deal: Deal, step: Step, seat: int) -> Work:
    """DRAW: asks to see the top card of the stock."""
    (handle,) = step.handles
    context, original = context_of(deal, step.slot, seat), deal.cards[handle].a

    def work(rng: Rng) -> Made:
        ask, secret = _ask(context, handle, original, rng)
        return Made(Draw(ask), (secret,))

    return work


def action_work(
    deal: Deal, slot: Slot, own: Own, move: Move, state: State, classes: frozenset[str], card: str | None
) -> Work:
    """ACTION on the joined `state`; `classes`: what the drawn card `card` is shown to be among, where that is due."""
    context = context_of(deal, slot, own.seat)
    looks_at = move.handle if isinstance(move, Peek | Spy) else None
    original = deal.cards[looks_at].a if looks_at is not None else None
    statement = claim_statement(deal, state, slot, own.seat, classes) if classes else None
    index = deck(deal.charter.rules).index(card) if card is not None else None
    secret, rho = own.secret, None
    drawn = state.drawn
    if statement is not None and drawn is not None:
        rho = own.blinds[last_view(deal, own.seat, drawn.handle).asked.blinded.encoded]

    def work(rng: Rng) -> Made:
        ask: Ask | None = None
        secrets: tuple[tuple[str, bytes], ...] = ()
        claim = b""
        if looks_at is not None and original is not None:
            ask, kept = _ask(context, looks_at, original, rng)
            secrets = (kept,)
        if statement is not None:
            if secret is None or rho is None or index is None:
                raise LocalError("a claim needs the secrets of the view that it is about")
            claim = prove_membership(statement, secret, rho, index, rng).encode()
        return Made(Action(tuple(to_plain(move)), ask, claim), secrets)

    return work


def snap_work(deal: Deal, seat: int, handle: Handle, claim_ms: int) -> Work:
    """SNAP: the claim and a commitment to the target."""
    lanes = deal.lanes
    if lanes is None or lanes.facts is None:
        raise LocalError("no window is open")
    target = snap_class(lanes.now, seat, handle)
    shown: SnapClass | Literal[""] = target if lanes.now.rules.snap == "own-then-others" else ""
    q = race_of(deal, lanes)

    def work(rng: Rng) -> Made:
        reveal = Reveal(target, handle, random_bytes(rng, 32))
        commitment = snap_commitment(deal, lanes, seat, reveal)
        value = bytes([target != "own"]) + b"".join(n.to_bytes(4, "big") for n in handle) + reveal.nonce
        return Made(Snap(claim_ms, q, commitment, shown), ((f"snap:{commitment.hex()}", value),))

    return work


def reveal_body(own: Own, snap: Snap) -> Reveal:
    """REVEAL: opens the commitment of our own SNAP. LocalError if its secret is gone."""
    try:
        return own.snaps[snap.commitment]
    except KeyError:
        raise LocalError("the secret of our own snap is gone") from None


def disclose_body(own: Own) -> Disclose:
    """DISCLOSE: the key of this deal, which is used for nothing else ever."""
    return Disclose(encode_scalar(own.x()))


def result_body(deal: Deal) -> Result:
    """RESULT: what the round gives, seats ascending. LocalError before the hands are open."""
    score = deal.score
    if score is None:
        raise LocalError("the hands are not open yet")
    return Result(
        tuple(score.hand[seat] for seat in deal.active),
        tuple(score.round[seat] for seat in deal.active),
        tuple(score.totals[seat] for seat in deal.active),
        tuple(score.reset),
        score.match_over,
        tuple(score.winners),
    )


def viewed_face(deal: Deal, own: Own, handle: Handle) -> str:
    """The face of a card that this seat has viewed. Only it can compute it: M = b − Σ (x_p·a′ − ρ·H_p) − x_V·a."""
    view = last_view(deal, own.seat, handle)
    rho = own.blinds[view.asked.blinded.encoded]
    layers = [unblind(given, rho, deal.publics[seat]) for seat, given in sorted(view.shares.items())]
    return face_of(deal, handle, [*layers, share(own.x(), view.asked.original)])

"""A seat process that tells one lie: `python -m tests.support.cheating_seat KIND`, else it is a seat process.

Only for tests against real peers: the process plays honestly with the real code until its first message of KIND, which
leaves it forged, properly signed. It keeps what it should have said in its own replica, as a cheat would.
"""

import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from p2pkaboo.cli import seat_process
from p2pkaboo.crypto.elgamal import Ciphertext, remask
from p2pkaboo.crypto.group import Rng, base_mul, random_scalar
from p2pkaboo.crypto.identity import Identity
from p2pkaboo.crypto.mixing import shuffle
from p2pkaboo.crypto.runner import Runner
from p2pkaboo.crypto.shuffle import ShuffleStatement, prove_shuffle
from p2pkaboo.replica.context import context_of
from p2pkaboo.replica.desk import Desk, Duty
from p2pkaboo.replica.own import Made, Own, Work
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.moves import Exchange, to_plain
from p2pkaboo.wire.bodies import Action, Open, Share, Shuffle
from p2pkaboo.wire.envelope import Signed
from p2pkaboo.wire.frames import EnvelopeFrame, Frame

jobs_module: Any = importlib.import_module("p2pkaboo.peer.jobs")
talk_module: Any = importlib.import_module("p2pkaboo.peer.talk")
"""Whose names are replaced: typed loosely, because that is what a lie is."""


def wrong_share(deal: Deal, seat: int, duty: Duty, made: Made) -> Made:
    """Another point in the place of the first share."""
    body = made.body
    assert isinstance(body, Open)
    lie = Share(base_mul(random_scalar(os.urandom)).encoded, body.shares[0].proof)
    return replace(made, body=Open((lie, *body.shares[1:])))


def duplicated_card(deal: Deal, seat: int, duty: Duty, made: Made) -> Made:
    """One card twice, another not at all, with the best proof there is for it."""
    series = deal.series
    assert series is not None
    key, context = deal.key(), context_of(deal, duty.step.slot, seat)
    after, witness = shuffle(series.deck, key, os.urandom)
    doubled: tuple[Ciphertext, ...] = (remask(after[1], key, 7), *after[1:])
    proof = prove_shuffle(ShuffleStatement(context, key, series.deck, doubled), witness, os.urandom)
    return replace(made, body=Shuffle(b"".join(card.encode() for card in doubled), proof.encode()))


def foreign_card(deal: Deal, seat: int, duty: Duty, made: Made) -> Made:
    """An exchange with a card that lies before another seat."""
    hand = deal.state.hands[(seat + 1) % len(deal.state.hands)]
    handle = next(card for card in hand if card is not None)
    return replace(made, body=Action(tuple(to_plain(Exchange(seat, (handle,)))), None, b""))


LIES = {
    "wrong-share": ("OPEN", wrong_share),
    "duplicated-card": ("SHUFFLE", duplicated_card),
    "foreign-card": ("ACTION", foreign_card),
}


def cheat(name: str) -> None:
    """Makes this process tell the lie once: what it seals for itself and what leaves it are then two messages."""
    kind, lie = LIES[name]
    work_for: Callable[..., Made | Work] = jobs_module.work_for
    seal: Callable[..., Signed] = jobs_module.seal
    encode_frame: Callable[[Frame], bytes] = talk_module.encode_frame
    forged: list[Made] = []
    lies: dict[bytes, bytes] = {}

    def lying_work(deal: Deal, desk: Desk, own: Own, duty: Duty, run: Runner) -> Made | Work:
        work = work_for(deal, desk, own, duty, run)
        if duty.kind != kind or forged:
            return work

        def later(rng: Rng) -> Made:
            made = work if isinstance(work, Made) else work(rng)
            forged.append(lie(deal, own.seat, duty, made))
            return made

        return later

    def lying_seal(identity: Identity, **fields: Any) -> Signed:
        signed = seal(identity, **fields)
        if forged and not lies and fields["kind"] == kind:
            lies[signed.envelope.data] = seal(identity, **{**fields, "body": forged[0].body}).envelope.data
        return signed

    def lying_frame(frame: Frame) -> bytes:
        if isinstance(frame, EnvelopeFrame) and frame.data in lies:
            frame = EnvelopeFrame(lies[frame.data])
        return encode_frame(frame)

    jobs_module.work_for = lying_work
    jobs_module.seal = lying_seal
    talk_module.encode_frame = lying_frame


if __name__ == "__main__":
    cheat(sys.argv[1])
    seat_process.main()

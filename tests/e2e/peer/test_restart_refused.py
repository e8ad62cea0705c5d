"""A seat that is killed after it has refused a message, and before its match is closed, refuses it again."""

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.crypto.group import base_mul
from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.wire.bodies import Ask, Body, Draw, Keys, Open, Serve, Share, Shuffle, View
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.frames import EnvelopeFrame, encode_frame
from tests.support.peers import Peers, envelope_in, inline_threads, playing

ROGUE = 2
NO_POINT_OF_THIS_CARD = base_mul(12345).encoded


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    inline_threads(monkeypatch)


def unproved(body: Body) -> Body | None:
    """The same with a proof that does not hold; None where nothing is proved."""
    match body:
        case Keys(public, _):
            return Keys(public, bytes(64))
        case Shuffle(deck, proof):
            return Shuffle(deck[64:] + deck[:64], proof)
        case View(asks):
            return View(tuple(Ask(ask.handle, ask.blinded, bytes(64)) for ask in asks))
        case Draw(ask):
            return Draw(Ask(ask.handle, ask.blinded, bytes(64)))
        case Open(shares) if shares:
            return Open((Share(NO_POINT_OF_THIS_CARD, shares[0].proof), *shares[1:]))
        case Serve(shares) if shares:
            return Serve((Share(NO_POINT_OF_THIS_CARD, shares[0].proof), *shares[1:]))
    return None


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("KEYS", "bad-key"),
        ("SHUFFLE", "bad-shuffle"),
        ("VIEW", "bad-view"),
        ("SERVE", "bad-share"),
        ("OPEN", "bad-share"),
        ("DRAW", "bad-view"),
        ("OPEN1", "bad-share"),
    ],
)
async def test_what_is_refused_for_a_proof_is_refused_after_a_restart_too(
    kind: str, code: str, autojump_clock: MockClock
) -> None:
    """Proofs of what the journal holds are not checked again: taken for proved, a false share is read as a card that is
    none of the deck, and the seat cannot be taken any more."""
    peers = Peers(small_rules("sheffield"), 3, 49)

    def lie(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data) if one == peers.key(ROGUE) else None
        if envelope is None or envelope.seat != ROGUE or envelope.kind != kind:
            return [data]
        body = unproved(envelope.body)
        if body is None:
            return [data]
        forged = seal(
            peers.identities[ROGUE],
            table=envelope.table,
            deal=envelope.deal,
            slot=envelope.slot,
            seat=ROGUE,
            head=envelope.head,
            kind=kind,
            elapsed=envelope.elapsed,
            body=body,
        ).envelope
        return [encode_frame(EnvelopeFrame(forged.data))]

    peers.network.tamper = lie
    async with playing(peers):
        await peers.finished((0,), 120)
        first = peers.runners[0].fault
        assert first is not None
        assert (first.seat, first.code) == (ROGUE, code)
        for seat in range(3):
            peers.kill(seat)
        await trio.sleep(1)
        peers.start(0)  # alone: nobody tells it again
        await peers.finished((0,), 60)
        assert peers.runners[0].fault == first
    assert peers.errors == {}

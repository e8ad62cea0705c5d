"""Two messages for one slot, both false, just before a seat is killed: neither is taken for proved afterwards."""

from collections.abc import Sequence

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.crypto.group import base_mul
from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.replica.outputs import Check
from p2pkaboo.wire.bodies import Body, Serve, Share
from p2pkaboo.wire.envelope import Envelope, seal
from p2pkaboo.wire.frames import EnvelopeFrame, encode_frame
from tests.support.peers import InlineWorkers, Peers, envelope_in, inline_threads, playing

ROGUE = 2


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    inline_threads(monkeypatch)


def said(peers: Peers, envelope: Envelope, body: Body) -> bytes:
    """A frame with another body, signed by the rogue."""
    forged = seal(
        peers.identities[ROGUE],
        table=envelope.table,
        deal=envelope.deal,
        slot=envelope.slot,
        seat=ROGUE,
        head=envelope.head,
        kind=envelope.kind,
        elapsed=envelope.elapsed,
        body=body,
    ).envelope
    return encode_frame(EnvelopeFrame(forged.data))


async def test_two_false_shares_are_no_card_after_a_restart(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    peers = Peers(small_rules("sheffield"), 3, 49)
    verify = InlineWorkers.verify

    async def slowly(workers: InlineWorkers, checks: Sequence[Check]) -> int | None:
        await trio.sleep(0.3)
        return await verify(workers, checks)

    monkeypatch.setattr(InlineWorkers, "verify", slowly)

    def lie(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        """Behind the first the second, before the proof of the first is looked at."""
        envelope = envelope_in(data) if one == peers.key(ROGUE) else None
        if envelope is None or envelope.seat != ROGUE or not isinstance(envelope.body, Serve):
            return [data]
        first, *rest = envelope.body.shares
        return [
            said(peers, envelope, Serve((Share(base_mul(number).encoded, first.proof), *rest))) for number in (77, 78)
        ]

    peers.network.tamper = lie
    peers.network.slow[peers.key(ROGUE)] = 1.0
    async with playing(peers):
        await peers.finished((0,), 120)
        first = peers.runners[0].fault
        assert first is not None
        assert (first.seat, first.code) == (ROGUE, "equivocation")
        for seat in range(3):
            peers.kill(seat)
        await trio.sleep(1)
        peers.start(0)
        await trio.sleep(10)
        assert len(peers.players[0].refusals) == 1  # nothing false is taken for a card
        peers.start(ROGUE)
        await peers.finished((0,), 60)
        second = peers.runners[0].fault
        assert second is not None
        assert second.seat == ROGUE
    assert peers.errors == {}

"""What is passed on by everybody comes many times: the copies of what is held are not looked at again."""

from collections import Counter

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.peer import intake
from p2pkaboo.wire.bodies import Open, Seen
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.frames import EnvelopeFrame, Frame, decode_frame, encode_frame
from p2pkaboo.wire.limits import MAX_EARLY
from p2pkaboo.wire.slot import Slot
from tests.support.peers import Peers, all_is_well, envelope_in, inline_threads, playing


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> Counter[bytes]:
    """How often each frame is decoded by the seats of this process."""
    inline_threads(monkeypatch)
    counts: Counter[bytes] = Counter()

    def count(data: bytes) -> Frame:
        counts[data] += 1
        return decode_frame(data)

    monkeypatch.setattr(intake, "decode_frame", count)
    return counts


async def test_every_seat_decodes_what_is_passed_on_once(decoded: Counter[bytes], autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 4, 71)
    came: Counter[bytes] = Counter()

    def see(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        came[data] += 1
        return [data]

    peers.network.tamper = see
    async with playing(peers):
        await peers.finished()
    all_is_well(peers)
    said = {data: envelope for data in came if (envelope := envelope_in(data)) is not None and envelope.deal == 1}
    opened = [data for data, envelope in said.items() if envelope.kind == "OPEN"]
    first = min(envelope.slot.number for envelope in said.values() if envelope.kind == "NONE")
    early = [data for data in opened if said[data].slot.number < first]
    assert {came[data] for data in early} == {
        3
    }  # no race hangs on the first up-card: it goes to the others, and no further
    assert any(came[data] > 3 for data in opened)  # they are passed on
    assert max(decoded[data] for data in opened) <= 3  # by each of the three that did not say it


async def test_what_was_let_go_is_looked_at_again(decoded: Counter[bytes], autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 72)

    def junk(number: int, body: Open | Seen) -> bytes:
        envelope = seal(
            peers.identities[2],
            table=peers.charter.hash,
            deal=1,
            slot=Slot(number, "m", 0),
            seat=2,
            head=bytes(64),
            kind="OPEN" if isinstance(body, Open) else "SEEN",
            elapsed=0,
            body=body,
        ).envelope
        return encode_frame(EnvelopeFrame(envelope.data))

    async def arrive(*frames: bytes) -> None:
        for frame in frames:
            peers.network.send(peers.key(2), peers.key(0), frame)
        await trio.sleep(1)

    async with playing(peers):
        await peers.until(lambda: peers.runners[0].current.lanes is not None)
        first = junk(90_000, Open(()))
        await arrive(first)
        before = decoded[first]
        await arrive(first, first)
        assert decoded[first] == before
        # What only its addressee gets crowds it out there, not from among the frames that it knows again.
        await arrive(*[junk(80_000 + number, Seen()) for number in range(MAX_EARLY)])
        await arrive(first)
        assert decoded[first] == before + 1
        await peers.finished()
    all_is_well(peers)


async def test_what_is_of_the_next_deal_waits_for_it_and_what_is_of_later_ones_is_let_go(
    decoded: Counter[bytes], autojump_clock: MockClock
) -> None:
    peers = Peers(small_rules("sheffield", match__rounds=2), 3, 73)
    slot = Slot(90_000, "m", 0)

    async def arrive(deal: int) -> None:
        envelope = seal(
            peers.identities[2],
            table=peers.charter.hash,
            deal=deal,
            slot=slot,
            seat=2,
            head=bytes(64),
            kind="SEEN",
            elapsed=0,
            body=Seen(),
        ).envelope
        peers.network.send(peers.key(2), peers.key(0), encode_frame(EnvelopeFrame(envelope.data)))
        await trio.sleep(0.5)

    async with playing(peers):
        ear = peers.runners[0].intake
        await peers.until(lambda: peers.runners[0].current.lanes is not None)
        for deal in (3, 2, 4):
            await arrive(deal)
        assert [signed.envelope.deal for signed in ear.later] == [2]
        await peers.until(lambda: peers.runners[0].current.deal == 2)
        assert ear.later == []
        before, current = peers.runners[0].deals
        assert (slot, 2) in current.held
        assert (slot, 2) not in before.held
        await arrive(1)  # of the deal before, the last steps may still be in dispute
        assert (slot, 2) in before.held
        await peers.finished()
    all_is_well(peers)

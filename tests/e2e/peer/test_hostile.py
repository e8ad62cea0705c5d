"""Members that send junk, floods and lies over their links: nobody falls, nobody else is blamed, memory is bounded."""

import logging
import random
from collections.abc import Iterator

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.audit.history import match_transcript
from p2pkaboo.crypto.identity import PublicIdentity
from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.peer.gaps import MAX_ANSWER
from p2pkaboo.peer.intake import MAX_LATER
from p2pkaboo.wire.bodies import Gift, NoSnap, Open, Seen
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.frames import EnvelopeFrame, Have, decode_frame, encode_frame, held, seal_ping
from p2pkaboo.wire.limits import MAX_ASTRAY, MAX_EARLY, MAX_EARLY_BYTES
from p2pkaboo.wire.slot import Slot
from tests.support.peers import Peers, all_is_well, envelope_in, inline_threads, playing

ROGUE = 2
"""The seat whose link sends what it should not; its own program plays on honestly."""

HONEST = (0, 1)


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    inline_threads(monkeypatch)


def send(peers: Peers, frame: bytes, to: tuple[int, ...] = HONEST) -> None:
    """The rogue's link carries a frame."""
    for seat in to:
        peers.network.send(peers.key(ROGUE), peers.key(seat), frame)


def signed(
    peers: Peers, slot: Slot, body: Open | NoSnap | Gift | Seen, *, deal: int = 1, head: bytes = bytes(64)
) -> bytes:
    """A frame with a message that the rogue has really signed."""
    kind = {Open: "OPEN", NoSnap: "NONE", Gift: "GIFT", Seen: "SEEN"}[type(body)]
    envelope = seal(
        peers.identities[ROGUE],
        table=peers.charter.hash,
        deal=deal,
        slot=slot,
        seat=ROGUE,
        head=head,
        kind=kind,
        elapsed=0,
        body=body,
    ).envelope
    return encode_frame(EnvelopeFrame(envelope.data))


async def in_play(peers: Peers) -> None:
    await peers.until(lambda: peers.runners[0].current.lanes is not None)


def garbage(chance: random.Random) -> Iterator[bytes]:
    yield b""
    while True:
        yield chance.randbytes(chance.randint(1, 400))


async def test_garbage_frames_take_nobody_down(autojump_clock: MockClock, caplog: pytest.LogCaptureFixture) -> None:
    peers = Peers(small_rules("sheffield"), 3, 41)
    chance = random.Random(41)
    junk = garbage(chance)
    real: list[bytes] = []

    def mangled(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        """Every frame of the rogue is followed by garbage and by damaged copies of frames that were real."""
        real.append(data)
        if one != peers.key(ROGUE):
            return [data]
        damaged = bytearray(chance.choice(real))
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        return [data, next(junk), bytes(damaged), data[: chance.randrange(len(data))]]

    peers.network.tamper = mangled
    async with playing(peers):
        await peers.finished()
    assert len(real) > 200
    warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(warned) == len(HONEST)  # once each, and to the point
    assert all(peers.key(ROGUE).hex()[:8] in record.getMessage() for record in warned)
    all_is_well(peers)


async def test_junk_for_the_far_future_crowds_out_nobody_else(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 42)
    async with playing(peers):
        await in_play(peers)
        big = Open(())
        for number in range(MAX_EARLY + 100):
            send(peers, signed(peers, Slot(90_000 - number, "m", 0), big))
        await trio.sleep(1)
        for seat in HONEST:
            deal = peers.runners[seat].current
            early = [waits[ROGUE] for waits in deal.early.values() if ROGUE in waits]
            assert len(early) <= MAX_EARLY
            assert sum(len(envelope.data) for envelope in early) <= MAX_EARLY_BYTES
            assert sum(seat == ROGUE for _, seat in deal.held) <= MAX_EARLY + deal.number * 8
        await peers.finished()
    all_is_well(peers)


@pytest.mark.parametrize(
    ("slot", "deal"), [(Slot(77_777, "m", 0), 0), (Slot(77_777, "w", 3), 2), (Slot(1, "m", 0), 900)]
)
async def test_what_nobody_keeps_is_not_passed_on(slot: Slot, deal: int, autojump_clock: MockClock) -> None:
    """Forwarded by everybody to everybody, one message of a deal that does not exist would go round for ever."""
    peers = Peers(small_rules("sheffield"), 4, 43)
    async with playing(peers):
        await in_play(peers)
        passed: list[bytes] = []
        junk = signed(peers, slot, NoSnap(b""), deal=deal)

        def count(one: bytes, other: bytes, data: bytes) -> list[bytes]:
            if data == junk:
                passed.append(one)
            return [data]

        peers.network.tamper = count
        send(peers, junk)
        await trio.sleep(5)
        assert passed == [peers.key(ROGUE)] * 2
        await peers.finished()
    all_is_well(peers)


async def test_the_next_deals_junk_is_bounded(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield", match__rounds=2), 3, 44)
    async with playing(peers):
        await in_play(peers)
        for number in range(200):
            send(peers, signed(peers, Slot(50 + number, "m", 0), Seen(), deal=2))
        await trio.sleep(1)
        assert all(len(peers.runners[seat].intake.later) <= MAX_LATER for seat in HONEST)
        await peers.finished()
    all_is_well(peers)


async def test_what_is_said_twice_of_a_round_long_over_spoils_no_transcript(autojump_clock: MockClock) -> None:
    """Its seats have agreed on that round, and audited it. Held against it at one seat alone, it would stand in the
    middle of that seat's transcript."""
    peers = Peers(small_rules("cabo-online", match__target=10_000, match__rounds=3), 3, 48)
    async with playing(peers):
        await peers.until(lambda: all(peers.runners[seat].current.deal == 3 for seat in HONEST))
        send(peers, signed(peers, Slot(1, "m", 0), Seen(), deal=1), to=(0,))
        await peers.finished()
    assert [deal.fault for deal in peers.runners[0].deals] == [None] * 3
    all_is_well(peers)


async def test_strays_are_compared_at_a_walking_pace(autojump_clock: MockClock) -> None:
    """Each message of another history shows that the records should be compared: not each with a record in return."""
    peers = Peers(small_rules("sheffield"), 3, 45)
    async with playing(peers):
        await in_play(peers)
        await peers.until(lambda: peers.runners[0].current.number > 12)
        before = [peers.network.ends[peers.key(seat)].frames_sent for seat in HONEST]
        for index in range(400):
            send(peers, signed(peers, Slot(3, "w", index), Gift(None)))
        await trio.sleep(2)
        for seat, sent in zip(HONEST, before, strict=True):
            deal = peers.runners[seat].current
            assert deal.astray == {ROGUE: MAX_ASTRAY}
            record = len(deal.held)
            assert peers.network.ends[peers.key(seat)].frames_sent - sent < 2 * 4 * record
        await peers.finished()
    all_is_well(peers)


async def test_a_flood_of_haves_is_answered_at_a_walking_pace(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 46)
    async with playing(peers):
        await in_play(peers)
        ask = encode_frame(Have(1, 0, (held(Slot(1, "m", 0), 0),)))
        end = peers.network.ends[peers.key(0)]
        before = end.frames_sent
        for _ in range(1_000):
            send(peers, ask, (0,))
        await trio.sleep(1)
        record = min(MAX_ANSWER, len(peers.runners[0].current.held))
        assert record < end.frames_sent - before < 16 * record
        await peers.finished()
    all_is_well(peers)


async def test_a_flood_of_pings_is_answered_at_a_walking_pace(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 47)
    async with playing(peers):
        await in_play(peers)
        end = peers.network.ends[peers.key(0)]
        before = end.frames_sent
        for number in range(1_000):
            ping = seal_ping(peers.identities[ROGUE], PublicIdentity.decode(peers.key(0)), number.to_bytes(16, "big"))
            send(peers, encode_frame(ping), (0,))
        await trio.sleep(1)
        assert end.frames_sent - before < 100
        await peers.finished()
    all_is_well(peers)


@pytest.mark.parametrize("kind", ["KEYS", "SHUFFLE", "SEEN", "NONE", "ACTION", "OPEN1", "RESULT"])
async def test_who_tells_two_seats_two_things_is_named_by_both(kind: str, autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield", match__rounds=2), 3, 48)
    told: list[Slot] = []

    def lie(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data) if one == peers.key(ROGUE) else None
        if envelope is None or envelope.seat != ROGUE or envelope.kind != kind or other != peers.key(1):
            return [data]
        if told and envelope.slot != told[0]:
            return [data]
        told[:] = [envelope.slot]
        second = seal(
            peers.identities[ROGUE],
            table=envelope.table,
            deal=envelope.deal,
            slot=envelope.slot,
            seat=ROGUE,
            head=envelope.head,
            kind=kind,
            elapsed=envelope.elapsed + 1,
            body=envelope.body,
        ).envelope
        return [encode_frame(EnvelopeFrame(second.data))]

    peers.network.tamper = lie
    async with playing(peers):
        await peers.finished(HONEST, 120)
    for seat in HONEST:
        fault = peers.runners[seat].fault
        assert fault is not None
        assert (fault.seat, fault.code, fault.slot, fault.deal) == (ROGUE, "equivocation", told[0], 1)
        assert len(set(fault.evidence)) == 2
        assert [other.seat for other in peers.players[seat].refusals] == [ROGUE]
        report = audit_file(match_transcript(peers.forming, peers.runners[seat].deals))
        assert (report.verdict, report.seat) == ("equivocation", ROGUE), report.reason


async def test_a_false_share_is_refused_by_everybody_who_gets_it_late(autojump_clock: MockClock) -> None:
    """Sent to one seat only, while the other never hears of it but through the first."""
    peers = Peers(small_rules("sheffield"), 3, 49)
    done: list[Slot] = []

    def lie(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data) if one == peers.key(ROGUE) else None
        if envelope is None or envelope.seat != ROGUE or not isinstance(envelope.body, Open) or envelope.kind != "OPEN":
            return [data]
        if other == peers.key(1):
            return []
        done.append(envelope.slot)
        shares = envelope.body.shares
        forged = seal(
            peers.identities[ROGUE],
            table=envelope.table,
            deal=1,
            slot=envelope.slot,
            seat=ROGUE,
            head=envelope.head,
            kind="OPEN",
            elapsed=envelope.elapsed,
            body=Open((type(shares[0])(shares[0].share, bytes(64)), *shares[1:])),
        ).envelope
        return [encode_frame(EnvelopeFrame(forged.data))]

    peers.network.tamper = lie
    async with playing(peers):
        await peers.finished(HONEST, 60)
    for seat in HONEST:
        fault = peers.runners[seat].fault
        assert fault is not None
        assert (fault.seat, fault.code, fault.slot) == (ROGUE, "bad-share", done[0])


async def test_messages_of_another_table_and_of_earlier_deals_are_ignored(autojump_clock: MockClock) -> None:
    first = Peers(small_rules("sheffield"), 3, 50)
    recorded: list[bytes] = []

    def record(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        recorded.append(data)
        return [data]

    first.network.tamper = record
    async with playing(first):
        await first.finished()
    old = [frame for frame in recorded if isinstance(decode_frame(frame), EnvelopeFrame)]

    peers = Peers(small_rules("sheffield", match__rounds=2), 3, 50)
    mine: list[bytes] = []
    chance = random.Random(50)

    def replay(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        mine.append(data)
        return [data, chance.choice(old), chance.choice(mine)]

    peers.network.tamper = replay
    async with playing(peers):
        await peers.finished()
    assert peers.charter.hash != first.charter.hash
    all_is_well(peers)

"""Newcomers that mean harm, before anything is signed: the lobby stands, and seats those for whom it was opened."""

import logging
from collections.abc import Callable, Iterable

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.net.inbox import Frame as NetFrame
from p2pkaboo.peer.guests import ANSWER_SECONDS
from p2pkaboo.peer.lobby import MAX_LATER, MAX_LATER_BYTES
from p2pkaboo.replica.charter import AUTO_LAN_US, RACES
from p2pkaboo.wire.bodies import Body, CharterWord, Nonce, Offer, Open, Share, Shuffle
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.frames import EnvelopeFrame, Hello, Members, Pong, decode_frame, encode_frame
from p2pkaboo.wire.limits import MAX_MEMBERS
from p2pkaboo.wire.slot import Slot
from tests.support.halls import Hall, agree, gathered, until
from tests.support.peers import envelope_in

ROGUE = 2
"""The newcomer whose link carries what it should not; its own program is honest."""

Tamper = Callable[[bytes, bytes, bytes], Iterable[bytes]]


def said_by_rogue(hall: Hall, kind: str, slot: Slot, body: Body) -> bytes:
    """A frame with a message that the rogue has really signed."""
    envelope = seal(
        hall.identities[ROGUE],
        table=hall.lobbies[0].forming.table,
        deal=1,
        slot=slot,
        seat=0,
        head=bytes(64),
        kind=kind,
        elapsed=0,
        body=body,
    ).envelope
    return encode_frame(EnvelopeFrame(envelope.data))


def without(hall: Hall, *kinds: str) -> Tamper:
    """The rogue never says these kinds of message."""

    def mute(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
        envelope = envelope_in(data)
        return [] if one == hall.key(ROGUE) and envelope is not None and envelope.kind in kinds else [data]

    return mute


@pytest.mark.parametrize(
    ("kind", "number", "body"), [("NONCE", 2, Nonce(bytes(32), 0)), ("CHARTER", 3, CharterWord(bytes(64)))]
)
async def test_what_is_said_before_its_time_harms_nobody_when_its_time_comes(
    kind: str, number: int, body: Body, autojump_clock: MockClock
) -> None:
    """Nobody can judge a NONCE before the OFFER, nor a CHARTER before the last NONCE: whoever says what was missing is
    not to fall over what came before it."""
    hall = Hall(3, 71)
    begin = trio.current_time()

    def late(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data)
        mine = one == hall.key(1) and envelope is not None and envelope.kind == "NONCE"
        return [] if mine and trio.current_time() < begin + 2 else [data]

    hall.network.tamper = late  # so that its NONCE is the last
    async with gathered(hall, [0, 1, 2]) as through:
        for other in (0, 1):
            hall.send(ROGUE, other, said_by_rogue(hall, kind, Slot(number, "f", 0), body))
        await until(through)
    agree(hall, [0, 1, 2])


async def test_more_newcomers_than_chairs_are_not_seated(autojump_clock: MockClock) -> None:
    """Seven come to a table for three under rules for five; one that answers no ping holds the offer up no longer."""
    hall = Hall(7, 72, wanted=3, rules=small_rules("cabo-standard"))

    def deaf(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
        return [] if one == hall.key(ROGUE) and isinstance(decode_frame(data), Pong) else [data]

    hall.network.tamper = deaf
    async with gathered(hall, list(range(7))):
        await until(lambda: hall.lobbies[0].forming.agreed)
    charter = hall.lobbies[0].forming.charter
    assert charter is not None
    assert len(charter.keys) == 3
    assert hall.key(ROGUE) not in charter.keys


async def test_a_table_that_was_started_takes_no_more_than_its_rules_allow(autojump_clock: MockClock) -> None:
    hall = Hall(7, 73, rules=small_rules("cabo-standard"))
    hall.lobbies[0].wanted = None
    async with gathered(hall, list(range(7))):
        await until(lambda: len(hall.lobbies[0].forming.joins) == 7)
        most = hall.lobbies[0].rules.players_max  # type: ignore[union-attr]
        assert most < 7
        first = [key for key in hall.lobbies[0].forming.joins if key != hall.key(0)][: most - 1]
        hall.lobbies[0].start()
        await until(lambda: hall.lobbies[0].forming.agreed)
    charter = hall.lobbies[0].forming.charter
    assert charter is not None
    assert set(charter.keys) == {hall.key(0), *first}
    left = next(at for at in range(7) if hall.key(at) not in charter.keys)
    assert "offered to others" in (hall.lobbies[left].problem or "")


@pytest.mark.parametrize("silent_at", ["NONCE", "CHARTER"])
async def test_who_never_answers_is_left_out_and_all_others_are_not(silent_at: str, autojump_clock: MockClock) -> None:
    """Its link stands and it joins each time anew: only its answer to the offer never comes."""
    hall = Hall(4, 74)
    hall.lobbies[0].wanted = None
    hall.network.tamper = without(hall, silent_at)
    async with gathered(hall, list(range(4))):
        await until(lambda: len(hall.lobbies[0].forming.joins) == 4)
        hall.lobbies[0].start()
        await until(lambda: hall.lobbies[0].forming.agreed, ANSWER_SECONDS + 5)
    agree(hall, [0, 1, 3])
    assert hall.lobbies[0].forming.attempt == 2


async def test_who_falls_silent_altogether_is_not_waited_for_without_end(autojump_clock: MockClock) -> None:
    """One gave no nonce, another gave its own and then does not join anew: both links stand."""
    hall = Hall(4, 75)
    hall.lobbies[0].wanted = None

    def mute(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
        envelope = envelope_in(data)
        if envelope is None:
            return [data]
        gone = one == hall.key(3) and envelope.kind == "JOIN" and envelope.deal > 1
        return [] if gone or (one == hall.key(ROGUE) and envelope.kind == "NONCE") else [data]

    hall.network.tamper = mute
    async with gathered(hall, list(range(4))):
        await until(lambda: len(hall.lobbies[0].forming.joins) == 4)
        hall.lobbies[0].start()
        await until(lambda: hall.lobbies[0].forming.agreed, 2 * ANSWER_SECONDS + 5)
    agree(hall, [0, 1])


async def test_who_gets_no_seat_has_no_say_in_how_races_are_judged(autojump_clock: MockClock) -> None:
    """A newcomer that never joins answers pings late: the others are no further from each other for that."""
    hall = Hall(3, 79)
    hall.network.latency = (0.0005, 0.001)
    hall.network.slow[hall.key(ROGUE)] = 0.2
    hall.lobbies[0].wanted = None
    hall.lobbies[ROGUE].ready = False
    async with gathered(hall, [0, 1, ROGUE]):
        await trio.sleep(10)
        assert hall.lobbies[0].people[hall.key(ROGUE)].median > AUTO_LAN_US
        hall.lobbies[0].start()
        await until(lambda: hall.lobbies[0].forming.agreed, ANSWER_SECONDS + 5)
    charter = hall.lobbies[0].forming.charter
    assert charter is not None
    assert set(charter.keys) == {hall.key(0), hall.key(1)}
    assert charter.race == RACES["lan"]


async def test_who_gives_two_nonces_is_left_out_and_not_who_was_told_the_other(autojump_clock: MockClock) -> None:
    """With another ping median one guest gets another race preset, and so signs another charter than everybody else."""
    hall = Hall(4, 90)
    hall.network.latency = (0.0005, 0.001)
    hall.lobbies[0].wanted = None

    def lie(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
        envelope = envelope_in(data)
        sitting = hall.lobbies[ROGUE].forming.sitting
        if envelope is None or not isinstance(envelope.body, Nonce) or sitting is None:
            return [data]
        if (one, other) != (hall.key(ROGUE), hall.key(1)) or sitting.keys[envelope.seat] != hall.key(ROGUE):
            return [data]
        second = seal(
            hall.identities[ROGUE],
            table=envelope.table,
            deal=envelope.deal,
            slot=envelope.slot,
            seat=envelope.seat,
            head=envelope.head,
            kind="NONCE",
            elapsed=0,
            body=Nonce(envelope.body.nonce, 100 * AUTO_LAN_US),
        ).envelope
        return [encode_frame(EnvelopeFrame(second.data))]

    hall.network.tamper = lie
    async with gathered(hall, [0, 1, ROGUE, 3]):
        await trio.sleep(3)
        hall.lobbies[0].start()
        await until(lambda: hall.lobbies[0].forming.agreed, 2 * ANSWER_SECONDS + 5)
        await until(lambda: hall.lobbies[1].forming.agreed and hall.lobbies[3].forming.agreed)
    agree(hall, [0, 1, 3])
    assert hall.lobbies[0].forming.attempt == 2


async def test_nobody_but_the_opener_says_whom_to_call(autojump_clock: MockClock) -> None:
    """A newcomer would else make all others' machines knock at any door."""
    hall = Hall(3, 76, wanted=4)
    ghosts = [bytes([at // 256, at % 256]) * 16 for at in range(1, 200)]
    async with gathered(hall, [0, 1, 2]):
        for at in range(0, len(ghosts), 20):
            rows = tuple((ghost, (("192.0.2.1", 22),)) for ghost in ghosts[at : at + 20])
            hall.send(ROGUE, 1, encode_frame(Members(rows)))
            hall.send(0, ROGUE, encode_frame(Members(rows)))
        await trio.sleep(1)
        assert not hall.wires[1].dialled & set(ghosts)
        assert len(hall.wires[ROGUE].dialled) <= MAX_MEMBERS


async def test_a_flood_of_greetings_is_no_flood_for_everybody(autojump_clock: MockClock) -> None:
    hall = Hall(4, 77, wanted=5)
    async with gathered(hall, [0, 1, 2, 3]):
        await trio.sleep(1)
        before = hall.network.ends[hall.key(0)].frames_sent
        for number in range(2_000):
            hall.send(ROGUE, 0, encode_frame(Hello("R", (("192.0.2.1", 1 + number),))))
        await trio.sleep(2)
        assert hall.network.ends[hall.key(0)].frames_sent - before < 150
        assert hall.lobbies[0].people[hall.key(ROGUE)].addresses == (("192.0.2.1", 2_000),)


async def test_what_is_kept_for_the_seat_that_follows_is_bounded_in_bytes(autojump_clock: MockClock) -> None:
    hall = Hall(3, 78, wanted=4)
    async with gathered(hall, [0, 1, 2]):
        big = said_by_rogue(hall, "SHUFFLE", Slot(2, "m", 0), Shuffle(bytes(64), bytes(200_000)))
        for _ in range(100):
            hall.send(ROGUE, 0, big)
        await trio.sleep(1)
        kept = hall.lobbies[0].later
        assert 0 < sum(len(frame.data) for frame in kept) <= MAX_LATER_BYTES
        small = said_by_rogue(hall, "OPEN", Slot(6, "m", 0), Open((Share(bytes(32), bytes(64)),)))
        for _ in range(2 * MAX_LATER):
            hall.send(ROGUE, 0, small)
        await trio.sleep(1)
        assert len(kept) <= MAX_LATER


async def test_an_offer_with_an_older_join_of_ours_is_not_answered(autojump_clock: MockClock) -> None:
    """It commits to a nonce that we never give."""
    older = Hall(3, 79, wanted=4)
    async with gathered(older, [0, 1, 2]):
        await until(lambda: len(older.lobbies[0].forming.joins) == 3)
        old = older.lobbies[0].forming.joins[older.key(1)]

    hall = Hall(3, 79)

    def replayed(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
        envelope = envelope_in(data)
        if envelope is None or not isinstance(envelope.body, Offer) or one != hall.key(0):
            return [data]
        joins = tuple(
            old.data if join.key == hall.key(1) else row
            for join, row in zip(hall.lobbies[0].forming.sitting.joins, envelope.body.joins, strict=True)  # type: ignore[union-attr]
        )
        offer = Offer(joins, envelope.body.rules, envelope.body.race)
        return [
            encode_frame(
                EnvelopeFrame(
                    seal(
                        hall.identities[0],
                        table=envelope.table,
                        deal=1,
                        slot=envelope.slot,
                        seat=0,
                        head=envelope.head,
                        kind="OFFER",
                        elapsed=0,
                        body=offer,
                    ).envelope.data
                )
            )
        ]

    hall.network.tamper = replayed
    async with gathered(hall, [0, 1, 2]):
        await until(lambda: hall.lobbies[1].forming.sitting is not None)
        await trio.sleep(2)
        assert not hall.lobbies[1].forming.nonces.keys() & {
            at
            for at, join in enumerate(hall.lobbies[1].forming.sitting.joins)  # type: ignore[union-attr]
            if join.key == hall.key(1)
        }
        assert "out of date" in (hall.lobbies[1].problem or "")


async def test_ever_new_keys_are_worth_no_more_warnings_than_there_may_be_links(
    autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall = Hall(2, 81, wanted=3)
    async with gathered(hall, [0, 1]):
        for number in range(5 * MAX_MEMBERS):
            hall.wires[0].put(NetFrame(b"%032d" % number, b"\xc1", 0))
        await trio.sleep(1)
    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) == MAX_MEMBERS


async def test_nonsense_is_worth_one_warning(autojump_clock: MockClock, caplog: pytest.LogCaptureFixture) -> None:
    hall = Hall(3, 80)
    async with gathered(hall, [0, 1, 2]) as through:
        await until(lambda: hall.lobbies[0].forming.sitting is not None)
        false = said_by_rogue(hall, "NONCE", Slot(2, "f", 0), Nonce(bytes(32), 0))
        for _ in range(300):
            hall.send(ROGUE, 1, false)
            hall.send(ROGUE, 1, b"\xc1")
        await until(through)
        await trio.sleep(1)
    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) == 1
    agree(hall, [0, 1, 2])

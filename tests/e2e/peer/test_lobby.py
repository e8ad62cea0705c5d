"""Forming a table among newcomers of whom some send junk, lie or fall silent, on a network that loses frames."""

import os
import random

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.crypto.identity import Identity, PublicIdentity
from p2pkaboo.peer.guests import ANSWER_SECONDS
from p2pkaboo.peer.lobby import MAX_LATER
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.replica.charter import nonce_commitment
from p2pkaboo.replica.forming import NO_HEAD
from p2pkaboo.wire.bodies import Join, Offer
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.frames import EnvelopeFrame, Have, decode_frame, encode_frame, held, seal_ping
from p2pkaboo.wire.slot import Slot
from tests.support.halls import Hall, agree, gathered, until
from tests.support.peers import InlineWorkers, RandomPlayer, Rows, envelope_in, inline_threads


@pytest.mark.parametrize(("people", "loss"), [(2, 0.0), (4, 0.3)])
async def test_everybody_signs_one_charter(people: int, loss: float, autojump_clock: MockClock) -> None:
    hall = Hall(people, 61, loss=loss)
    async with gathered(hall, list(range(people))) as through:
        await until(through)
    agree(hall, list(range(people)))


async def test_one_link_cannot_join_in_many_names(autojump_clock: MockClock) -> None:
    """A newcomer signs JOINs for a hundred fresh keys: the table waits for real links, and seats only those."""
    hall = Hall(3, 62)
    async with gathered(hall, [0, 1, 2]) as through:
        for at in range(100):
            ghost = Identity(at.to_bytes(32, "big"))
            join = seal(
                ghost,
                table=hall.lobbies[0].forming.table,
                deal=1,
                slot=Slot(0, "f", 0),
                seat=0,
                head=NO_HEAD,
                kind="JOIN",
                elapsed=0,
                body=Join(ghost.public.encoded, f"G{at}", nonce_commitment(ghost.public.encoded, bytes(32))),
            )
            for other in (0, 1):
                hall.send(2, other, encode_frame(EnvelopeFrame(join.envelope.data)))
        await until(through)
        assert set(hall.lobbies[0].forming.joins) == {hall.key(at) for at in range(3)}
    agree(hall, [0, 1, 2])


async def test_floods_and_garbage_before_the_charter(autojump_clock: MockClock) -> None:
    hall = Hall(3, 63)
    chance = random.Random(63)
    async with gathered(hall, [0, 1, 2]) as through:
        await trio.sleep(0.05)
        public = PublicIdentity.decode(hall.key(0))
        before = hall.network.ends[hall.key(0)].frames_sent
        for number in range(1_500):
            hall.send(2, 0, chance.randbytes(chance.randint(0, 60)))
            hall.send(2, 0, encode_frame(Have(1, 0, (held(Slot(1, "m", 0), 0),))))
            hall.send(2, 0, encode_frame(seal_ping(hall.identities[2], public, number.to_bytes(16, "big"))))
        await until(through)
        assert len(hall.lobbies[0].later) <= MAX_LATER
        assert hall.network.ends[hall.key(0)].frames_sent - before < 500
    agree(hall, [0, 1, 2])


async def test_who_joins_and_falls_silent_is_left_out(autojump_clock: MockClock) -> None:
    hall = Hall(3, 64)
    silent = hall.key(2)

    def mute(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data)
        quiet = one == silent and envelope is not None and envelope.kind in ("NONCE", "CHARTER")
        return [] if quiet else [data]

    hall.network.tamper = mute
    async with gathered(hall, [0, 1, 2]):
        await trio.sleep(5)
        assert not hall.lobbies[0].forming.agreed
        hall.network.close(silent)
        hall.lobbies[0].wanted = 2
        await until(lambda: all(hall.lobbies[at].forming.agreed for at in (0, 1)), ANSWER_SECONDS + 10)
    agree(hall, [0, 1])
    assert hall.lobbies[0].forming.attempt == 2


async def test_two_offers_make_no_table(autojump_clock: MockClock) -> None:
    """The opener shows two newcomers two OFFERs: their NONCEs answer different ones, and nobody signs."""
    hall = Hall(3, 65)

    def two_faced(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data)
        if envelope is None or one != hall.key(0) or other != hall.key(2) or not isinstance(envelope.body, Offer):
            return [data]
        second = seal(
            hall.identities[0],
            table=envelope.table,
            deal=envelope.deal,
            slot=envelope.slot,
            seat=0,
            head=envelope.head,
            kind="OFFER",
            elapsed=0,
            body=Offer(envelope.body.joins, envelope.body.rules, "wan"),
        )
        return [encode_frame(EnvelopeFrame(second.envelope.data))]

    hall.network.tamper = two_faced
    async with gathered(hall, [0, 1, 2]):
        await trio.sleep(10)
        assert not any(lobby.forming.agreed for lobby in hall.lobbies)
        assert any("answers another offer" in (lobby.problem or "") for lobby in hall.lobbies)


async def test_whose_last_word_was_lost_is_told_by_those_who_play_already(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The opener has every signature and sits down to play; its own never reached the other newcomer's lobby."""
    inline_threads(monkeypatch)
    hall = Hall(2, 66)
    hall.network.tamper = lambda one, other, data: [] if one == hall.key(0) and is_word(data) else [data]
    async with gathered(hall, [0, 1]) as through:
        opener, other = hall.lobbies
        await until(lambda: opener.forming.agreed)
        await trio.sleep(3)
        assert not other.forming.agreed
        hall.network.tamper = None
        charter = opener.forming.charter
        assert charter is not None
        runner = SeatRunner(
            identity=hall.identities[0],
            charter=charter,
            forming=opener.messages(),
            wires=hall.network.ends[hall.key(0)],
            journal=Rows(),
            player=RandomPlayer(1, 0.0),
            workers=InlineWorkers(),
            rng=os.urandom,
            now=lambda: int(trio.current_time() * 1_000_000),
        )
        async with trio.open_nursery() as nursery:
            nursery.start_soon(runner.run)
            await until(through, 5)
            nursery.cancel_scope.cancel()
        assert any(isinstance(decode_frame(frame.data), Have) for frame in other.later)
    agree(hall, [0, 1])


def is_word(frame: bytes) -> bool:
    envelope = envelope_in(frame)
    return envelope is not None and envelope.kind == "CHARTER"

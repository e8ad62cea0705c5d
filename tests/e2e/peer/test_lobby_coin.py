"""The joint coin: who has seen how it falls cannot have it thrown again as often as it likes."""

from collections.abc import Iterable

import trio
from trio.testing import MockClock

from p2pkaboo.peer.answers import SIGNED_SECONDS, STAY_SECONDS
from p2pkaboo.peer.guests import ANSWER_SECONDS
from tests.support.halls import Hall, agree, gathered, until
from tests.support.peers import envelope_in

OPENER = 0
FRIEND = 2
"""The opener's confederate."""


async def test_an_opener_that_alone_has_not_signed_is_not_followed(autojump_clock: MockClock) -> None:
    hall = Hall(3, 90)

    def unsigned(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
        """The opener says nothing on the charter, and does not listen to the others' words on it."""
        envelope = envelope_in(data)
        word = envelope is not None and envelope.kind == "CHARTER"
        return [] if word and hall.key(OPENER) in (one, other) else [data]

    hall.network.tamper = unsigned
    opener, other = hall.lobbies[OPENER], hall.lobbies[1]
    async with gathered(hall, [0, 1, 2]):
        await until(lambda: opener.forming.charter is not None and len(other.forming.words) == 2)
        begin = trio.current_time()
        opener._begin_anew()
        await trio.sleep(STAY_SECONDS + 5)
        assert other.forming.attempt == 1
        assert other.problem == "the opener begins anew although everybody else has signed"
        assert len(opener.forming.nonces) < 3
        await until(lambda: other.forming.attempt > 1, SIGNED_SECONDS)
        assert trio.current_time() - begin > SIGNED_SECONDS - 5


async def test_a_friend_that_keeps_its_nonce_back_buys_no_throw_at_once(autojump_clock: MockClock) -> None:
    """Only the opener hears the friend's nonce: it knows the coin, and all others think that somebody is slow."""
    hall = Hall(3, 91)

    def whispered(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
        envelope = envelope_in(data)
        if envelope is None or envelope.kind != "NONCE" or other != hall.key(1):
            return [data]
        return [data] if envelope.seat == 0 else []

    hall.network.tamper = whispered
    opener, other = hall.lobbies[OPENER], hall.lobbies[1]
    async with gathered(hall, [0, 1, 2]):
        await until(lambda: opener.forming.charter is not None)
        opener._begin_anew()
        await trio.sleep(STAY_SECONDS - 1)
        assert other.forming.attempt == 1
        assert other.problem == "the opener begins anew before the others had time to answer"
        await until(lambda: other.forming.attempt > 1, 5)


async def test_an_opener_that_has_missed_words_is_told_them_by_the_others(autojump_clock: MockClock) -> None:
    """Nothing that one newcomer says reaches it by their own link: it has no reason to begin anew without that one."""
    hall = Hall(3, 92)

    def half_deaf(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
        envelope = envelope_in(data)
        between = one == hall.key(FRIEND) and other == hall.key(OPENER)
        return [] if between and envelope is not None and envelope.kind in ("NONCE", "CHARTER") else [data]

    hall.network.tamper = half_deaf
    async with gathered(hall, [0, 1, 2]) as through:
        await until(through, ANSWER_SECONDS)
    agree(hall, [0, 1, 2])
    assert hall.lobbies[OPENER].forming.attempt == 1

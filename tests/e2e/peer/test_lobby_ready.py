"""Who is ready in a lobby, who is dealt in, and what the order of the words keeps from the opener."""

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.peer.guests import ANSWER_SECONDS
from p2pkaboo.peer.lobby import LINK_SECONDS
from p2pkaboo.replica.charter import RACES
from tests.support.halls import Hall, agree, gathered, lounging, until
from tests.support.peers import envelope_in


async def test_the_opener_sees_who_is_ready_before_it_offers(autojump_clock: MockClock) -> None:
    hall = lounging(3, 91)
    opener = hall.lobbies[0]
    async with gathered(hall, [0, 1, 2]) as through:
        await until(lambda: set(opener.people) == {hall.key(1), hall.key(2)})
        await trio.sleep(2)
        assert set(opener.forming.joins) == {hall.key(0)}
        hall.lobbies[1].set_ready(True)
        await until(lambda: set(opener.forming.joins) == {hall.key(0), hall.key(1)})
        assert [person.name for person in opener.unready()] == ["P2"]
        opener.start()
        await trio.sleep(ANSWER_SECONDS / 2)
        assert opener.forming.sitting is None, "all who are here are waited for"
        hall.lobbies[2].set_ready(True)
        await until(through, 5)
    agree(hall, [0, 1, 2])


async def test_who_is_not_ready_in_time_is_told_that_the_table_begins_without(autojump_clock: MockClock) -> None:
    hall = lounging(3, 92)
    async with gathered(hall, [0, 1, 2]):
        hall.lobbies[1].set_ready(True)
        await until(lambda: hall.key(1) in hall.lobbies[0].forming.joins)
        hall.lobbies[0].start()
        await until(lambda: hall.left_out == {2}, ANSWER_SECONDS + 10)
    agree(hall, [0, 1])


async def test_ready_is_taken_back(autojump_clock: MockClock) -> None:
    hall = lounging(3, 93)
    opener, guest, other = hall.lobbies
    async with gathered(hall, [0, 1, 2]) as through:
        guest.set_ready(True)
        other.set_ready(True)
        await until(lambda: len(opener.forming.joins) == 3)
        guest.set_ready(False)
        await until(lambda: hall.key(1) not in opener.forming.joins)
        await trio.sleep(5)
        assert set(opener.forming.joins) == {hall.key(0), hall.key(2)}
        assert {person.name for person in opener.unready()} == {"P1"}
        guest.set_ready(True)
        await until(lambda: len(opener.forming.joins) == 3)
        opener.start()
        await until(through, 5)
    agree(hall, [0, 1, 2])


async def test_ready_taken_back_too_late_for_the_offer_gives_no_nonce(autojump_clock: MockClock) -> None:
    hall = lounging(2, 94)
    opener, guest = hall.lobbies
    async with gathered(hall, [0, 1]):
        guest.set_ready(True)
        await until(lambda: len(opener.forming.joins) == 2)
        opener.start()
        assert opener.forming.sitting is not None
        guest.set_ready(False)
        await trio.sleep(5)
        assert set(opener.forming.nonces) == {0}


async def test_nobody_gives_its_nonce_before_the_opener(autojump_clock: MockClock) -> None:
    """Who opens a table can begin anew: it must not know the coin while it can still keep its own nonce back."""
    hall = Hall(3, 95)
    seen: list[bytes] = []

    def listen(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data)
        if envelope is not None and envelope.kind == "NONCE":
            if one == hall.key(0):
                return []
            seen.append(one)
        return [data]

    hall.network.tamper = listen
    async with gathered(hall, [0, 1, 2]) as through:
        await until(lambda: all(lobby.forming.sitting is not None for lobby in hall.lobbies))
        await trio.sleep(5)
        assert seen == []
        hall.network.tamper = None
        await until(through, 5)
    agree(hall, [0, 1, 2])


@pytest.mark.parametrize("apart", [0.7, 60.0])
async def test_the_table_begins_when_its_links_stand_or_cannot_be_had(apart: float, autojump_clock: MockClock) -> None:
    """Two guests find each other late, or never: the lobby waits for their link a while, so that no deal has to."""
    hall = Hall(3, 96)
    hall.network.separate(hall.key(1), hall.key(2))
    begin = trio.current_time()
    async with gathered(hall, [0, 1, 2]) as through:
        await trio.sleep(apart if apart < 1 else 0)
        assert apart > 1 or not any(lobby.forming.agreed for lobby in hall.lobbies)
        if apart < 1:
            hall.network.join(hall.key(1), hall.key(2))
        await until(through, LINK_SECONDS + 3)
        assert trio.current_time() - begin > min(apart, LINK_SECONDS)
    agree(hall, [0, 1, 2])


async def test_the_slowest_link_of_all_decides_the_numbers_for_races(autojump_clock: MockClock) -> None:
    """Nobody gives its ping median before it has measured all of its links."""
    hall = Hall(3, 97)
    hall.network.latency = (0.001, 0.001)

    def far(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        hall.network.slow = {one: 0.05} if {one, other} == {hall.key(1), hall.key(2)} else {}
        return [data]

    hall.network.tamper = far
    async with gathered(hall, [0, 1, 2]) as through:
        await until(through, 10)
    charter = hall.lobbies[0].forming.charter
    assert charter is not None
    assert charter.race == RACES["wan"]

"""Real peers on bad networks: lost frames, cut links, a line for a mesh, slow ends. Matches end, and are valid."""

import random

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.lab.tables.formed import small_rules
from tests.support.peers import Peers, all_is_well, inline_threads, playing


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    inline_threads(monkeypatch)


async def test_a_match_on_a_good_network(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield", match__rounds=2), 3, 1)
    async with playing(peers):
        await peers.finished()
    all_is_well(peers)
    assert len(peers.runners[0].deals) == 2


@pytest.mark.parametrize(("preset", "seats", "seed"), [("sheffield", 3, 2), ("kabbu", 4, 3), ("cabo-online", 2, 4)])
async def test_a_third_of_all_frames_is_lost(preset: str, seats: int, seed: int, autojump_clock: MockClock) -> None:
    peers = Peers(small_rules(preset), seats, seed, loss=0.3)
    async with playing(peers):
        await peers.finished()
    all_is_well(peers)


async def test_links_are_cut_and_restored_all_the_time(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 5)
    chance = random.Random(5)
    cuts = 0
    async with playing(peers):
        while not peers.done:
            one, other = chance.sample(range(3), 2)
            peers.network.separate(peers.key(one), peers.key(other))
            cuts += 1
            with trio.move_on_after(chance.uniform(0.05, 3)):
                await peers.finished()
            peers.network.join(peers.key(one), peers.key(other))
            with trio.move_on_after(chance.uniform(0.05, 1)):
                await peers.finished()
        await peers.finished()
    assert cuts > 3
    all_is_well(peers)


async def test_all_links_of_a_seat_are_cut_and_the_others_wait_for_it(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 6)
    async with playing(peers):
        await peers.until(lambda: peers.runners[0].current.lanes is not None)
        for other in (0, 1):
            peers.network.separate(peers.key(2), peers.key(other))
        await trio.sleep(30)
        assert not peers.done
        number = peers.runners[0].current.number
        await trio.sleep(30)
        assert peers.runners[0].current.number == number
        for other in (0, 1):
            peers.network.join(peers.key(2), peers.key(other))
        await peers.finished()
    all_is_well(peers)


@pytest.mark.parametrize(("seats", "seed"), [(3, 7), (4, 8)])
async def test_a_line_of_links_is_a_table_too(seats: int, seed: int, autojump_clock: MockClock) -> None:
    """A-B-C(-D): what A says reaches C through B."""
    peers = Peers(small_rules("sheffield"), seats, seed)
    for one in range(seats):
        for other in range(one + 2, seats):
            peers.network.cut.add(frozenset((peers.key(one), peers.key(other))))
    async with playing(peers):
        await peers.finished()
    all_is_well(peers)


async def test_a_seat_at_the_end_of_a_slow_line_is_waited_for(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 9)
    peers.network.slow[peers.key(1)] = 1.5
    async with playing(peers):
        await peers.finished()
    all_is_well(peers)


async def test_frames_that_come_twice_change_nothing(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 10)
    peers.network.tamper = lambda one, other, data: (data, data)
    async with playing(peers):
        await peers.finished()
    all_is_well(peers)

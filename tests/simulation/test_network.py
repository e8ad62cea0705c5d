"""The made-up network and people have the delays they are said to have, and the statistics are what they are called."""

import random
from statistics import mean, median, pstdev

import pytest

from p2pkaboo.lab.races.network import PINGS, Kind, Network
from p2pkaboo.lab.races.race import reaction, seating
from p2pkaboo.lab.races.trial import gain, share


def networks(kind: Kind, count: int) -> list[Network]:
    return [Network(kind, 4, random.Random(seed)) for seed in range(count)]


@pytest.mark.parametrize(("kind", "least", "most"), [("lan", 0.3, 5.0), ("wan", 16.0, 151.0)])
def test_round_trips_lie_where_they_should(kind: Kind, least: float, most: float) -> None:
    trips = [net.base[a][b] + net.base[b][a] for net in networks(kind, 100) for a in range(4) for b in range(a)]
    assert least <= min(trips) < least * 2.5
    assert most / 2 < max(trips) <= most


def test_ways_differ_but_not_by_much() -> None:
    skews = [net.base[0][1] / net.base[1][0] for net in networks("wan", 200)]
    assert max(skews) > 1.1
    assert all((1 - 0.3) / (1 + 0.3) <= skew <= (1 + 0.3) / (1 - 0.3) for skew in skews)


def test_a_broadcasts_way_up_is_common_to_its_copies() -> None:
    """Copies of one broadcast are late together more often than not."""
    net = Network("wan", 4, random.Random(3))
    late = [{to: way - net.base[0][to] for to, way in net.broadcast(0).items()} for _ in range(3_000)]
    assert all(way >= 0 for ways in late for way in ways.values())
    spikes = [ways for ways in late if ways[1] > 60]
    both = sum(ways[2] > 60 for ways in spikes)
    assert len(spikes) > 15
    assert both > len(spikes) / 3


@pytest.mark.parametrize(("kind", "middle"), [("lan", 2.0), ("wan", 3.0)])
def test_jitter_is_small_mostly_and_large_at_times(kind: Kind, middle: float) -> None:
    net = networks(kind, 1)[0]
    lost = [net.jitter(0) for _ in range(5_000)]
    assert min(lost) >= 0
    assert median(lost) < middle
    assert max(lost) > 5 * median(lost)


def test_queues_stand_on_a_tenth_of_the_ways_up_and_half_are_too_young_for_the_pings() -> None:
    hosts = [host for net in networks("wan", 500) for host in net.hosts]
    queued = [host for host in hosts if host.queue]
    assert 0.07 < len(queued) / len(hosts) < 0.13
    assert all(10 <= host.queue <= 80 for host in queued)
    assert 0.35 < sum(host.old_queue == host.queue for host in queued) / len(queued) < 0.65
    assert all(host.old_queue in (0, host.queue) for host in hosts)


def test_every_pair_has_pings() -> None:
    net = Network("lan", 4, random.Random(5))
    pings = net.pings()
    assert set(pings) == {(a, b) for b in range(4) for a in range(b)}
    for (a, b), trips in pings.items():
        assert len(trips) == PINGS
        assert min(trips) >= net.base[a][b] + net.base[b][a]


def test_people_react_as_people_do() -> None:
    chance = random.Random(1)
    times = [reaction(chance) for _ in range(20_000)]
    assert abs(mean(times) - 350) < 3
    assert abs(pstdev(times) - 90) < 3
    assert min(times) > 100


def test_every_host_sits_everywhere_at_times() -> None:
    seats = {tuple(seating(3, random.Random(seed))) for seed in range(60)}
    assert len(seats) == 6


def test_wilsons_interval() -> None:
    """Values from E. B. Wilson's formula, worked out by hand."""
    ten = share([True] * 10 + [False] * 10)
    assert (round(ten.low, 4), ten.value, round(ten.high, 4)) == (0.2993, 0.5, 0.7007)
    nothing = share([False] * 10)
    assert (nothing.low, nothing.value, round(nothing.high, 4)) == (0.0, 0.0, 0.2775)


def test_a_gain_is_of_pairs() -> None:
    honest = [True, False, False, False] * 25
    same = gain(honest, honest)
    assert same.value == 0
    assert same.high == -same.low < 0.05
    more = gain([True, True, False, False] * 25, honest)
    assert more.value == 0.25
    assert 0 < more.low < 0.25 < more.high

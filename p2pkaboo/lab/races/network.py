"""A made-up network of one race: where the hosts are, how long frames take, what pings have shown. Milliseconds.

Two kinds. `lan`: round trips of 0.3 to 5 ms, every second host on a wireless link with its spikes. `wan`: 16 to 150 ms,
one-way asymmetry, jitter, rare large spikes and lost packets, and on every tenth uplink a standing queue, half of them
too young for the pings to know. The way up is common to all copies of a broadcast, so that witnesses err together; no
frame waits for an earlier one on its link beyond the term for a lost packet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot, log
from typing import Final, Literal

from p2pkaboo.lab.races.chance import Chance

Kind = Literal["lan", "wan"]

ASYMMETRY: Final = 0.06
"""Standard deviation of how much longer one way of a pair is than half of its round trip."""

QUEUED: Final = 0.10
"""Share of uplinks with a standing queue (wan)."""

QUEUE_KNOWN: Final = 0.5
"""Share of these queues that are as old as the pings."""

PINGS: Final = 24
"""Round trips that every pair has measured before the race: as many as the clock keeps."""


@dataclass(frozen=True, slots=True)
class Host:
    """A host's link: `queue` on its way up now, and the part of it that the pings have met."""

    wireless: bool
    queue: float
    old_queue: float


class Network:
    """Hosts and the delays between them. Everything is drawn from one source, in a fixed order."""

    def __init__(self, kind: Kind, hosts: int, chance: Chance) -> None:
        self.kind, self.chance = kind, chance
        self.numbers = range(hosts)
        self.hosts = [self._host() for _ in self.numbers]
        self.base = self._bases()

    def _host(self) -> Host:
        draw = self.chance
        if self.kind == "lan":
            return Host(draw.random() < 0.5, 0.0, 0.0)
        queue = draw.uniform(10, 80) if draw.random() < QUEUED else 0.0
        return Host(False, queue, queue if draw.random() < QUEUE_KNOWN else 0.0)

    def _bases(self) -> list[list[float]]:
        """The one-way delay of every pair without any jitter."""
        draw = self.chance
        if self.kind == "lan":
            access, places = [draw.uniform(0.075, 1.25) for _ in self.numbers], [(0.0, 0.0)] * len(self.hosts)
        else:
            access = [draw.uniform(4, 15) for _ in self.numbers]
            places = [(draw.uniform(0, 32), draw.uniform(0, 32)) for _ in self.numbers]
        base = [[0.0 for _ in self.numbers] for _ in self.numbers]
        for one in self.numbers:
            for other in range(one + 1, len(self.hosts)):
                (x, y), (u, v) = places[one], places[other]
                way = access[one] + access[other] + hypot(x - u, y - v)
                skew = max(-0.3, min(0.3, draw.gauss(0, ASYMMETRY)))
                base[one][other], base[other][one] = way * (1 + skew), way * (1 - skew)
        return base

    def jitter(self, host: int) -> float:
        """What a frame loses at a host's link and in its program, on the way up or down; never negative."""
        draw = self.chance
        lost = draw.expovariate(5)
        if draw.random() < 0.005:
            lost += draw.uniform(2, 10)
        if self.kind == "lan":
            if not self.hosts[host].wireless:
                return lost + draw.expovariate(10)
            lost += draw.lognormvariate(log(0.8), 0.8)
            return lost + (draw.expovariate(1 / 15) if draw.random() < 0.02 else 0.0)
        lost += draw.lognormvariate(log(1.5), 0.9)
        if draw.random() < 0.02:
            lost += min(15 * draw.paretovariate(1.6), 400)
        if draw.random() < 0.003:
            lost += 200  # a lost packet is sent again
        return lost

    def broadcast(self, sender: int) -> dict[int, float]:
        """How long each copy of a frame takes that a host sends to all others at once."""
        up = self.jitter(sender) + self.hosts[sender].queue
        return {to: self.base[sender][to] + up + self.jitter(to) for to in self.numbers if to != sender}

    def pings(self) -> Mapping[tuple[int, int], list[float]]:
        """The round trips that each pair (lower host first) has measured before the race."""
        trips = {}
        for one in self.numbers:
            for other in range(one + 1, len(self.hosts)):
                still = self.base[one][other] + self.base[other][one]
                still += self.hosts[one].old_queue + self.hosts[other].old_queue
                jitters = [[self.jitter(end) for end in (one, one, other, other)] for _ in range(PINGS)]
                trips[one, other] = [still + sum(lost) for lost in jitters]
        return trips

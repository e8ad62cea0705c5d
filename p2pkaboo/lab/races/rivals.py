"""Two other ways to say who was first, on the same races: what the rule is compared with."""

from collections.abc import Sequence
from statistics import median
from typing import Final

from p2pkaboo.lab.races.chance import Chance
from p2pkaboo.lab.races.cheats import CHEAT, LIE_US, Cheat
from p2pkaboo.lab.races.network import Kind
from p2pkaboo.lab.races.race import Outcome

CLOCK_ERROR_MS: Final = {"lan": 1.0, "wan": 8.0}
"""Standard deviation of what is wrong with a clock that is set over the network."""


def host_arrival(outcome: Outcome, judge: int) -> int:
    """The first whose SNAP an honest host has read, who runs the game and plays too; a lying one always wins."""
    return min(range(len(outcome.arrivals)), key=lambda snapper: outcome.arrivals[snapper][judge])


def set_clocks(outcome: Outcome, cheat: Cheat, errors: Sequence[int]) -> int:
    """The first by the median of all hosts' stamps on clocks that are set, each with its error (microseconds)."""
    hosts = range(len(errors))

    def stamped(snapper: int, witness: int) -> int:
        stamp = outcome.arrivals[snapper][witness] + errors[witness]
        if witness != CHEAT:
            return stamp
        if snapper == CHEAT:
            return stamp - LIE_US if cheat.no_time else stamp
        return stamp + LIE_US if cheat.lies else stamp

    return min(hosts, key=lambda snapper: median(stamped(snapper, witness) for witness in hosts))


def clock_errors(kind: Kind, hosts: int, chance: Chance) -> tuple[int, ...]:
    """What is wrong with each host's clock, microseconds."""
    return tuple(round(chance.gauss(0, CLOCK_ERROR_MS[kind]) * 1000) for _ in range(hosts))

"""Many races of one kind, with every cheat in turn in the same ones, and what the counts say."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import shake_256
from math import sqrt
from typing import Final

from p2pkaboo.lab.races.chance import Chance
from p2pkaboo.lab.races.cheats import CHEAT, CHEATS, HONEST, VETO, Cheat
from p2pkaboo.lab.races.network import Kind
from p2pkaboo.lab.races.prepared import Prepared, prepare
from p2pkaboo.lab.races.race import Race
from p2pkaboo.lab.races.rivals import clock_errors, host_arrival, set_clocks
from p2pkaboo.replica.charter import RACES

NONE: Final = "honest"
ALWAYS_FIRST: Final = "one who always says 'I won'"

SURE: Final = 1.96
"""Standard errors on either side of 95 of a hundred outcomes."""

Source = Callable[[str], Chance]
"""Makes a source of chance from a text, the same one from the same text."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a race is run: the kind of network, and how many hosts."""

    kind: Kind
    hosts: int

    @property
    def cheats(self) -> Mapping[str, Cheat]:
        """What is run there: no cheat, then every cheat of the table that there is a use for."""
        if self.hosts == 2:
            return {NONE: HONEST, "clock liar": CHEATS["clock liar"], ALWAYS_FIRST: VETO}
        return {NONE: HONEST, **CHEATS}


PLACES: Final = {f"{kind}/{hosts}": Place(kind, hosts) for kind in ("lan", "wan") for hosts in (4, 2)}
"""The cells of the table."""


@dataclass(frozen=True, slots=True)
class Row:
    """One race: whether the truly fastest host was first by the rule, at a host (any of them), by set clocks; whether
    the cheat was first by the rule, at a host that is not the cheat, by set clocks; the rest as in `Outcome`."""

    fastest: tuple[bool, bool, bool]
    cheat: tuple[bool, bool, bool]
    disputed: bool
    left_out: bool


@cache
def table_of(place: Place) -> Prepared:
    """The prepared table of a place, made once."""
    return prepare(place.hosts, RACES[place.kind], _stream(f"{place.kind}{place.hosts}"))


def _stream(name: str) -> Callable[[int], bytes]:
    """Bytes for the keys of a prepared table: nothing of a race hangs on them but the lots of exact ties."""
    count = 0

    def draw(size: int) -> bytes:
        nonlocal count
        count += 1
        return shake_256(f"{name}/{count}".encode()).digest(size)

    return draw


def run_races(place: Place, numbers: Iterable[int], seed: int, source: Source) -> dict[str, list[Row]]:
    """The races of these numbers, with each cheat in turn."""
    rows: dict[str, list[Row]] = {name: [] for name in place.cheats}
    for number in numbers:
        for name, cheat in place.cheats.items():
            rows[name].append(run_race(place, f"{seed}/{place.kind}/{place.hosts}/{number}", cheat, source))
    return rows


def run_race(place: Place, name: str, cheat: Cheat, source: Source) -> Row:
    """One race. `name`: the text that its chance is made from."""
    outcome = Race(table_of(place), place.kind, source(name), cheat).run()
    chance = source(f"{name}/others")
    errors = clock_errors(place.kind, place.hosts, chance)
    clocks = set_clocks(outcome, cheat, errors)
    anybody = host_arrival(outcome, chance.randrange(place.hosts))
    rival = host_arrival(outcome, 1 + chance.randrange(place.hosts - 1))
    return Row(
        (outcome.winner == outcome.fastest, anybody == outcome.fastest, clocks == outcome.fastest),
        (outcome.winner == CHEAT, rival == CHEAT, clocks == CHEAT),
        outcome.disputed,
        bool(outcome.left_out),
    )


@dataclass(frozen=True, slots=True)
class Share:
    """A share of races, or a difference of two, with the interval in which the truth lies 95 times of a hundred."""

    value: float
    low: float
    high: float


def share(hits: Sequence[bool]) -> Share:
    """Wilson's interval of a proportion (E. B. Wilson, 1927)."""
    count, value, z = len(hits), sum(hits) / len(hits), SURE * SURE
    middle = (value + z / (2 * count)) / (1 + z / count)
    half = SURE / (1 + z / count) * sqrt(value * (1 - value) / count + z / (4 * count * count))
    return Share(value, max(0.0, middle - half), min(1.0, middle + half))


def gain(cheating: Sequence[bool], honest: Sequence[bool]) -> Share:
    """How much more often the same races are won with a cheat than without: the paired difference."""
    count = len(honest)
    differences = [int(one) - int(other) for one, other in zip(cheating, honest, strict=True)]
    value = sum(differences) / count
    spread = sum((difference - value) ** 2 for difference in differences) / max(1, count - 1)
    # One race more that goes either way: differences that never were are not proved impossible.
    half = SURE * sqrt((spread * count + 1) / (count * count))
    return Share(value, value - half, value + half)

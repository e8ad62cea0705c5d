"""A whole deal between real peers over real links: from KEYS to the end of the first look's SERVE.

Every seat has a process of its own, as every player has: what its threads cost each other is its own, and nothing of
another seat's is shared.
"""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import reduce
from itertools import pairwise
from operator import add
from pathlib import Path
from statistics import median
from typing import Any

from p2pkaboo.cli.bench_parts import operation_times
from p2pkaboo.cli.bench_seat import END, GO
from p2pkaboo.cli.match_cmd import NAMES, SeatProcess
from p2pkaboo.crypto.counting import OperationCounts
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.ruleset import Ruleset, load_preset, to_plain, with_overrides


@dataclass(slots=True)
class DealRun:
    """One deal: wall seconds, CPU seconds a seat, bytes that all seats together said by message kind (each goes to
    every other seat), group operations of all seats where they were counted."""

    seats: int
    cards: int
    wall_s: float = 0.0
    cpu_s: float = 0.0
    bytes_by_kind: dict[str, int] = field(default_factory=dict)
    counts: OperationCounts = field(default_factory=OperationCounts)


@dataclass(frozen=True, slots=True)
class DealCost:
    """What deals of one size cost: CPU seconds a seat of each, of the floors before, between and behind them, and of
    the floor of a quiet core; the median of their wall seconds; bytes by message kind as in a `DealRun`.

    A floor is what libsodium alone takes for the same operations, done by as many processes at the same time. That of
    a quiet core is computed from what one operation of each kind takes while nothing else runs: where cores slow each
    other down, or have other guests, it is lower than anything that runs on all of them can be.
    """

    seats: int
    cards: int
    cpus_s: Sequence[float]
    floors_s: Sequence[float]
    """One more than deals."""
    quiet_floor_s: float
    wall_s: float
    bytes_by_kind: dict[str, int]

    @property
    def cpu_s(self) -> float:
        """The median deal."""
        return median(self.cpus_s)

    @property
    def floor_s(self) -> float:
        """The median floor."""
        return median(self.floors_s)

    @property
    def ratios(self) -> list[float]:
        """Each deal against the mean of the two floors next to it: whatever else keeps the machine busy meanwhile
        meets all three alike. In order of size."""
        around = [(before + after) / 2 for before, after in pairwise(self.floors_s)]
        return sorted(cpu / floor for cpu, floor in zip(self.cpus_s, around, strict=True))

    def row(self) -> dict[str, Any]:
        """As `bench --json` prints it."""
        return {
            "name": f"deal {self.cards} cards, {self.seats} seats (CPU a seat)",
            "ms": round(self.cpu_s * 1e3, 2),
            "floor_ms": round(self.floor_s * 1e3, 2),
            "ratio_to_floor": round(median(self.ratios), 3),
            "ratios": [round(ratio, 3) for ratio in self.ratios],
            "wall_s": round(self.wall_s, 3),
            "quiet_floor_ms": round(self.quiet_floor_s * 1e3, 2),
            "ratio_to_quiet_floor": round(self.cpu_s / self.quiet_floor_s, 3),
        }


def bench_rules(packs: int) -> Ruleset:
    """The rules of the deals that are measured: packs of 54."""
    return with_overrides(load_preset("sheffield"), {"deck.packs": packs, "deck.jokers": 2 * packs})


class BenchTable:
    """The processes of a table's seats, which deal as often as they are asked to. A context manager."""

    processes: list[SeatProcess]
    """The seats', after the first deal."""

    def __init__(self, seats: int, packs: int) -> None:
        self.seats, self.rules = seats, bench_rules(packs)
        self.processes = []
        self._profiles = tempfile.TemporaryDirectory(prefix="p2pkaboo-bench-")
        self._deals = 0

    def __enter__(self) -> "BenchTable":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.close()
        self._profiles.cleanup()

    def deal(self, *, counting: bool = False) -> DealRun:
        """Deals once, at a new table: its times, which are longer where operations are counted.

        Raises ClickException when a seat's process fails.
        """
        self._deals += 1
        self._order(0, counting)
        invite = {key: value for key, value in self.processes[0].wait_for("invite").items() if key != "event"}
        for number in range(1, self.seats):
            self._order(number, counting, **invite)
        self._wait_for("ready")
        begun = time.perf_counter()
        self._tell(GO)
        self._wait_for("dealt")
        wall_s = time.perf_counter() - begun
        self._tell(END)
        costs = self._wait_for("cost")
        return DealRun(
            self.seats,
            len(deck(self.rules)),
            wall_s=wall_s,
            cpu_s=sum(cost["cpu_s"] for cost in costs) / self.seats,
            bytes_by_kind=costs[0]["bytes_by_kind"],
            counts=reduce(add, [OperationCounts(**cost["operations"]) for cost in costs]),
        )

    def floor(self, counts: OperationCounts) -> float:
        """Seconds of CPU a seat for the operations of a deal, which all seats' processes do at the same time.

        Only after a deal. Raises ClickException when a process fails.
        """
        each = {kind: round(count / self.seats) for kind, count in asdict(counts).items()}
        for process in self.processes:
            process.tell({"profile": "", "name": "", "seats": self.seats, "rules": {}, "operations": each})
        self._wait_for("ready")
        self._tell(GO)
        seconds: list[float] = [cost["cpu_s"] for cost in self._wait_for("cost")]
        return sum(seconds) / self.seats

    def _order(self, number: int, counting: bool, **invite: object) -> None:
        profile = str(Path(self._profiles.name) / f"{self._deals}-{number}")
        order: dict[str, object] = {"profile": profile, "name": NAMES[number], "seats": self.seats, **invite}
        order |= {"rules": to_plain(self.rules), "counting": counting}
        if number == len(self.processes):
            self.processes.append(SeatProcess(order, ("p2pkaboo.cli.bench_seat",)))
        else:
            self.processes[number].tell(order)

    def _tell(self, word: str) -> None:
        for process in self.processes:
            process.tell(word)

    def _wait_for(self, event: str) -> list[dict[str, Any]]:
        return [process.wait_for(event, self.processes) for process in self.processes]


def deal_cost(seats: int, packs: int, repeats: int) -> DealCost:
    """So many deals by turns with their floors, after one in which the operations are counted."""
    runs, floors, times = [], [], []
    with BenchTable(seats, packs) as table:
        counted = table.deal(counting=True)
        for _ in range(repeats):
            times.append(operation_times(repeats=3))
            floors.append(table.floor(counted.counts))
            runs.append(table.deal())
        floors.append(table.floor(counted.counts))
    quiet = {kind: min(time[kind] for time in times) for kind in times[0]}
    return DealCost(
        seats,
        counted.cards,
        cpus_s=[run.cpu_s for run in runs],
        floors_s=floors,
        quiet_floor_s=counted.counts.floor(quiet) / seats,
        wall_s=median(run.wall_s for run in runs),
        bytes_by_kind=counted.bytes_by_kind,
    )

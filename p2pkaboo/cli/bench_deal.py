"""A whole deal between real peers over real links, each in its own process: from KEYS to the end of the first look's
SERVE."""

import multiprocessing
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Final

from p2pkaboo.cli.bench_parts import operation_times
from p2pkaboo.cli.bench_seat import SeatFigures, bench_rules, sit
from p2pkaboo.rules.cards import deck

SETTLE_SECONDS: Final = 0.5
"""Links between all seats stand by then: what is measured is the deal, not the dialling."""

PATIENCE_SECONDS: Final = 300.0
"""How long a seat may take for anything: the largest deal takes under a minute on one slow core."""


@dataclass(slots=True)
class DealRun:
    """One deal: wall seconds, CPU seconds a seat, the floor of its operations a seat, bytes that all seats together
    said by message kind (each goes to every other seat)."""

    seats: int
    cards: int
    wall_s: float = 0.0
    cpu_s: float = 0.0
    floor_s: float = 0.0
    bytes_by_kind: dict[str, int] = field(default_factory=dict)

    def row(self) -> dict[str, Any]:
        """As `bench --json` prints it."""
        return {
            "name": f"deal {self.cards} cards, {self.seats} seats (CPU a seat)",
            "ms": round(self.cpu_s * 1e3, 2),
            "floor_ms": round(self.floor_s * 1e3, 2),
            "ratio_to_floor": round(self.cpu_s / self.floor_s, 3),
            "wall_s": round(self.wall_s, 3),
        }


class SeatProcesses:
    """The seats of one table, a process each, for as many deals as are asked for. A context manager."""

    def __init__(self, seats: int, packs: int) -> None:
        self._spawn = multiprocessing.get_context("spawn")
        self._size = seats, packs
        self._seats: list[tuple[multiprocessing.process.BaseProcess, Connection[Any, Any]]] = []

    def __enter__(self) -> "SeatProcesses":
        seats, packs = self._size
        for number in range(seats):
            ours, theirs = self._spawn.Pipe()
            process = self._spawn.Process(target=sit, args=(theirs, number, seats, packs), daemon=True)
            process.start()
            theirs.close()
            self._seats.append((process, ours))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process, pipe in self._seats:
            if error is None:
                pipe.send(None)
            else:
                process.kill()
            process.join()
            pipe.close()

    def deal(self, *, counting: bool) -> tuple[float, list[SeatFigures]]:
        """Deals once: wall seconds, and every seat's figures. `RuntimeError` if a seat does not come to its end."""
        self._tell(counting)
        invited = self._hear(0)
        for _, pipe in self._seats[1:]:
            pipe.send(invited)
        self._hear_all()
        time.sleep(SETTLE_SECONDS)
        start = time.perf_counter()
        self._tell("start")
        self._hear_all()
        wall = time.perf_counter() - start
        self._tell("stop")
        return wall, self._hear_all()

    def _tell(self, order: object) -> None:
        for _, pipe in self._seats:
            pipe.send(order)

    def _hear_all(self) -> list[Any]:
        return [self._hear(seat) for seat in range(len(self._seats))]

    def _hear(self, seat: int) -> Any:
        _, pipe = self._seats[seat]
        try:
            if pipe.poll(PATIENCE_SECONDS):
                return pipe.recv()
        except EOFError:
            raise RuntimeError(f"seat {seat} ended in the midst of a deal") from None
        raise RuntimeError(f"seat {seat} said nothing for {PATIENCE_SECONDS:g} s")


def best_deal(seats: int, packs: int, repeats: int = 3) -> DealRun:
    """The best of several deals, against the floor of one more, the first, in which the operations are counted.

    One operation of each kind is timed before every deal, and the best of these is taken too: whatever else keeps the
    machine busy meanwhile meets both alike.
    """
    best = DealRun(seats, len(deck(bench_rules(packs))))
    with SeatProcesses(seats, packs) as table:
        _, counted = table.deal(counting=True)
        times, runs = [], []
        for _ in range(repeats):
            times.append(operation_times(repeats=3))
            runs.append(table.deal(counting=False))
    fastest = {kind: min(time[kind] for time in times) for kind in times[0]}
    best.floor_s = sum(seat.counts.floor(fastest) for seat in counted if seat.counts is not None) / seats
    best.cpu_s = min(sum(seat.cpu_s for seat in figures) for _, figures in runs) / seats
    best.wall_s = min(wall for wall, _ in runs)
    best.bytes_by_kind = counted[0].bytes_by_kind
    return best

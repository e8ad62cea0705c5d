"""A whole deal between real peers over real links in this process: from KEYS to the end of the first look's SERVE."""

import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import trio

from p2pkaboo.cli.bench_parts import operation_times
from p2pkaboo.crypto.counting import count_operations
from p2pkaboo.peer.place import open_place
from p2pkaboo.peer.play import TableWish, form_table, seat_down, table_mesh
from p2pkaboo.peer.player import Answer, SnapPress
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.workers import Workers
from p2pkaboo.replica.desk import Question
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.state import Deal, RaceRecord
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.events import Event
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.rules.state import Handle
from p2pkaboo.rules.view import SeatView
from p2pkaboo.wire.slot import Slot

SETTLE_SECONDS: Final = 0.5
"""Links between all seats stand by then: what is measured is the deal, not the dialling."""


class Onlooker:
    """A player that only looks: the deal is over when it has seen its cards, and it says nothing more."""

    def __init__(self, looks: int) -> None:
        self.left = looks
        self.done = trio.Event()
        self.at = 0.0

    def begin(self, deal: Deal, seat: int) -> None: ...

    def happened(self, slot: Slot, events: Sequence[Event]) -> None: ...

    def looked(self, handle: Handle, card: str) -> None:
        self.left -= 1
        if self.left == 0:
            self.at = time.perf_counter()
            self.done.set()

    def raced(self, record: RaceRecord) -> None: ...

    def asked(self, question: Question, view: SeatView | None) -> Answer | None:
        return None

    def window(self, view: SeatView) -> SnapPress | None:
        return None

    def changed(self) -> None: ...

    def refused(self, fault: Fault) -> None:
        raise AssertionError(f"an honest deal was refused: {fault.code} at {fault.slot}: {fault.reason}")


@dataclass(slots=True)
class DealRun:
    """One deal: wall seconds, CPU seconds a seat, the floor of its operations a seat, bytes that all seats together
    said by message kind (each goes to every other seat).

    `cpu_s` is that of a deal on one core, as the floor's operations are timed; `wall_s` and `shared_cpu_s` are those of
    a deal on all. Virtual cores are often two halves of a real one: then every multiplication takes longer while both
    multiply, libsodium's too, and that is no cost of this program's.
    """

    seats: int
    cards: int
    wall_s: float = 0.0
    cpu_s: float = 0.0
    shared_cpu_s: float = 0.0
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
            "all_cores_ms": round(self.shared_cpu_s * 1e3, 2),
        }


def bench_rules(packs: int) -> Ruleset:
    """The rules of the deals that are measured: packs of 54."""
    return with_overrides(load_preset("sheffield"), {"deck.packs": packs, "deck.jokers": 2 * packs})


def run_deal(seats: int, packs: int) -> DealRun:
    """Deals once: its times, and no floor."""
    rules = bench_rules(packs)
    run = DealRun(seats, len(deck(rules)))
    trio.run(_deal, rules, seats, run)
    return run


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps the process on one core, where the system can (Linux): its threads now, and those that they start."""
    if sys.platform != "linux":
        yield
        return
    cores = os.sched_getaffinity(0)
    _keep_to({max(cores)})
    try:
        yield
    finally:
        _keep_to(cores)


def _keep_to(cores: set[int]) -> None:
    if sys.platform == "linux":
        for thread in threading.enumerate():
            with suppress(OSError):  # it has ended meanwhile
                os.sched_setaffinity(thread.native_id or 0, cores)


def best_deal(seats: int, packs: int, repeats: int = 3) -> DealRun:
    """The best of several deals on one core, against the floor of one more in which the operations are counted; and one
    on all cores, for the time that people wait.

    One operation of each kind is timed before every deal, and the best of these is taken too: whatever else keeps the
    machine busy meanwhile meets both alike.
    """
    with count_operations() as counts:
        counted = run_deal(seats, packs)
    shared = run_deal(seats, packs)
    runs, times = [], []
    with one_core():
        for _ in range(repeats):
            times.append(operation_times(repeats=3))
            runs.append(run_deal(seats, packs))
    best = min(runs, key=lambda run: run.cpu_s)
    best.wall_s, best.shared_cpu_s = shared.wall_s, shared.cpu_s
    best.floor_s = counts.floor({kind: min(time[kind] for time in times) for kind in times[0]}) / seats
    best.bytes_by_kind = counted.bytes_by_kind
    return best


async def _deal(rules: Ruleset, seats: int, run: DealRun) -> None:
    start = trio.Event()
    ready: list[SeatRunner] = []
    players = [Onlooker(rules.peek_count) for _ in range(seats)]
    invited: list[tuple[bytes, bytes, Any]] = []
    opened, everybody = trio.Event(), trio.Event()

    async def seat(number: int, folder: Path) -> None:
        async with open_place(folder) as place:
            with Workers(1) as workers:
                if number:
                    await opened.wait()
                secret = os.urandom(16) if number == 0 else invited[0][0]
                async with table_mesh(place, secret, host="127.0.0.1") as mesh:
                    wish = None
                    if number == 0:
                        wish = TableWish(rules, seats)
                        invited.append((secret, mesh.key, list(mesh.addresses())))
                        opened.set()
                    else:
                        mesh.dial(invited[0][1], invited[0][2], eager=True)
                    lobby = await form_table(
                        place, mesh, name=f"P{number}", secret=secret, opener=invited[0][1], wish=wish
                    )
                    seated = seat_down(place, mesh, lobby, players[number], workers, table_name="bench", about={})
                    ready.append(seated.runner)
                    if len(ready) == seats:
                        everybody.set()
                    await start.wait()
                    await seated.runner.run()

    with tempfile.TemporaryDirectory(prefix="p2pkaboo-bench-") as folder:
        async with trio.open_nursery() as nursery:
            for number in range(seats):
                nursery.start_soon(seat, number, Path(folder) / str(number))
            await everybody.wait()
            await trio.sleep(SETTLE_SECONDS)
            wall, cpu = time.perf_counter(), time.process_time()
            start.set()
            for player in players:
                await player.done.wait()
            run.cpu_s = (time.process_time() - cpu) / seats
            run.wall_s = max(player.at for player in players) - wall
            sizes: Counter[str] = Counter()
            for envelope in ready[0].current.held.values():
                sizes[envelope.kind] += len(envelope.data)
            run.bytes_by_kind = dict(sorted(sizes.items()))
            nursery.cancel_scope.cancel()

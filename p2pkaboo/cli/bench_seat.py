"""One seat of deals that are measured, in its own process: `python -m p2pkaboo.cli.bench_seat`, told what to do by
JSON lines on stdin, the orders of one deal after another.

It writes JSON lines: `{"event": "invite", …}` where it opens the table, `{"event": "ready"}` when it is seated and
linked to all others, after the line `"go"` `{"event": "dealt"}` when it has seen its cards, and after the line `"end"`
`{"event": "cost", …}`. Where an order names operations, it does only these, without a table: the floor of a deal.
"""

import gc
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import msgspec
import trio

from p2pkaboo.cli.main import GC_THRESHOLD
from p2pkaboo.cli.seat_process import say_line
from p2pkaboo.crypto.counting import OperationCounts, count_operations, sample_operations
from p2pkaboo.net.mesh import Mesh
from p2pkaboo.peer.place import Place, open_place
from p2pkaboo.peer.play import Seated, TableWish, form_table, seat_down, table_mesh
from p2pkaboo.peer.player import Answer, SnapPress
from p2pkaboo.peer.workers import Workers
from p2pkaboo.replica.desk import Question
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.state import Deal, RaceRecord
from p2pkaboo.rules.events import Event
from p2pkaboo.rules.ruleset import Ruleset, from_plain
from p2pkaboo.rules.state import Handle
from p2pkaboo.rules.view import SeatView
from p2pkaboo.wire.slot import Slot

GO: Final = "go"
"""Begin the deal."""

END: Final = "end"
"""Everybody has seen its cards: say what it cost."""

SLICES: Final = 10
"""Slices that the operations of a floor are done in."""

SETTLE_SECONDS: Final = 0.5
"""All links stand for so long before the deal, and what the lobbies say over and over again has been heard: what is
measured is the deal, and neither dialling nor forming the table."""


class BenchOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the process is told of a deal. `key` "": it opens the table; else this and `secret` (hex) and the addresses
    are the opener's. `counting`: it counts its group operations, which takes time. `operations`: how many of each kind
    to do instead of a deal."""

    profile: str
    name: str
    seats: int
    rules: dict[str, object]
    key: str = ""
    secret: str = ""
    addresses: list[tuple[str, int]] = []
    counting: bool = False
    operations: dict[str, int] = {}


class Onlooker:
    """A player that only looks: the deal is over when it has seen its cards, and it says nothing more."""

    def __init__(self, looks: int) -> None:
        self.left = looks
        self.done = trio.Event()

    def begin(self, deal: Deal, seat: int) -> None: ...

    def happened(self, slot: Slot, events: Sequence[Event]) -> None: ...

    def looked(self, handle: Handle, card: str) -> None:
        self.left -= 1
        if self.left == 0:
            self.done.set()

    def raced(self, record: RaceRecord) -> None: ...

    def asked(self, question: Question, view: SeatView | None) -> Answer | None:
        return None

    def window(self, view: SeatView) -> SnapPress | None:
        return None

    def changed(self) -> None: ...

    def refused(self, fault: Fault) -> None:
        raise AssertionError(f"an honest deal was refused: {fault.code} at {fault.slot}: {fault.reason}")


class Ear:
    """The lines on stdin."""

    def __init__(self) -> None:
        self._rest = b""

    async def line(self) -> bytes:
        """The next one, b"" after the last."""
        while b"\n" not in self._rest:
            # os.read, not the buffered stdin: its thread may be left behind at the end and must hold no lock of
            # Python's.
            data = await trio.to_thread.run_sync(os.read, 0, 1 << 16, abandon_on_cancel=True)
            if not data:
                return b""
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    async def told(self, word: str) -> None:
        """Waits for the word. Ends the process where whoever started it is gone."""
        if await self.line() != msgspec.json.encode(word):
            raise SystemExit(1)


async def sit_on() -> None:
    """Deals as often as it is told to."""
    ear = Ear()
    with Workers(1) as workers:
        while line := await ear.line():
            order = msgspec.json.decode(line, type=BenchOrder)
            if order.operations:
                say_line("ready")
                await ear.told(GO)
                say_line("cost", cpu_s=operate(order.operations))
            else:
                await sit(order, workers, ear)


def operate(operations: dict[str, int]) -> float:
    """Does so many group operations of each kind, a slice of each kind by turns, and nothing else: seconds of CPU."""
    samples = sample_operations()
    start = time.process_time()
    for turn in range(SLICES):
        for kind, count in operations.items():
            operation = samples[kind]
            for _ in range(count * turn // SLICES, count * (turn + 1) // SLICES):
                operation()
    return time.process_time() - start


async def sit(order: BenchOrder, workers: Workers, ear: Ear) -> None:
    """Opens or joins a table, deals when told to, and says what it took."""
    rules = from_plain(order.rules)
    async with open_place(Path(order.profile)) as place:
        secret = bytes.fromhex(order.secret) if order.secret else os.urandom(16)
        async with table_mesh(place, secret, host="127.0.0.1") as mesh:
            player = Onlooker(rules.peek_count)
            seated = await _seated(order, rules, place, mesh, secret, player, workers)
            await _settled(mesh, order.seats)
            say_line("ready")
            await ear.told(GO)
            await _deal(seated, player, ear, counting=order.counting)


async def _seated(
    order: BenchOrder,
    rules: Ruleset,
    place: Place,
    mesh: Mesh,
    secret: bytes,
    player: Onlooker,
    workers: Workers,
) -> Seated:
    opener, wish = bytes.fromhex(order.key), None
    if not opener:
        opener, wish = mesh.key, TableWish(rules, order.seats)
        say_line("invite", key=mesh.key.hex(), secret=secret.hex(), addresses=list(mesh.addresses()))
    else:
        mesh.dial(opener, [(host, port) for host, port in order.addresses], eager=True)
    lobby = await form_table(place, mesh, name=order.name, secret=secret, opener=opener, wish=wish)
    return seat_down(place, mesh, lobby, player, workers, table_name="bench", about={})


async def _settled(mesh: Mesh, seats: int) -> None:
    """Until all links stand, and then a while. Only the talk of lobbies comes in: nobody deals before all are ready."""
    while True:
        with trio.move_on_after(SETTLE_SECONDS) as quiet:
            while True:
                await mesh.receive()
        if quiet.cancelled_caught and len(mesh.connected()) == seats - 1:
            return


async def _deal(seated: Seated, player: Onlooker, ear: Ear, *, counting: bool) -> None:
    start = time.process_time()
    counts = OperationCounts()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seated.runner.run)
        if counting:
            with count_operations() as counts:
                await _until_end(player, ear)
        else:
            await _until_end(player, ear)
        cpu_s = time.process_time() - start
        sizes: Counter[str] = Counter()
        for envelope in seated.runner.current.held.values():
            sizes[envelope.kind] += len(envelope.data)
        say_line("cost", cpu_s=cpu_s, operations=asdict(counts), bytes_by_kind=dict(sorted(sizes.items())))
        nursery.cancel_scope.cancel()


async def _until_end(player: Onlooker, ear: Ear) -> None:
    await player.done.wait()
    say_line("dealt")
    await ear.told(END)


def main() -> None:
    """Reads orders, deals, reports."""
    gc.set_threshold(GC_THRESHOLD)  # as every command of the program has it
    trio.run(sit_on)


if __name__ == "__main__":
    main()

"""Whole peers in one process on virtual time: real seats, journals of rows, and a network made of memory that loses,
delays, cuts and changes frames as a test wants it."""

import heapq
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import TypeVar

import pytest
import trio

from p2pkaboo.crypto.runner import Runner, serial
from p2pkaboo.crypto.sigma import Statement, check
from p2pkaboo.lab.tables.formed import form_table
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.peer.kept import Saved
from p2pkaboo.peer.player import Answer, SnapPress
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.workers import Workers
from p2pkaboo.replica.desk import Question
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.outputs import Check
from p2pkaboo.replica.state import Deal, RaceRecord
from p2pkaboo.rules.events import Event
from p2pkaboo.rules.moves import Move, Snap
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.rules.state import Handle
from p2pkaboo.rules.view import SeatView
from p2pkaboo.wire.envelope import Envelope, decode_envelope
from p2pkaboo.wire.frames import EnvelopeFrame, decode_frame
from p2pkaboo.wire.slot import Slot
from tests.support.tables import make_identities, seeded

T = TypeVar("T")


@lru_cache(maxsize=4096)
def checked(statement: Statement, proof: bytes, run: Runner = serial) -> object:
    """A proof is as good at one seat as at the next, and in the audit: each is checked once in these tests."""
    return check(statement, proof, run)


class InlineWorkers(Workers):
    """Works at once: virtual time stands still meanwhile."""

    def __init__(self) -> None:
        self.run = serial

    async def make(self, work: Callable[[], T]) -> T:
        await trio.lowlevel.checkpoint()
        return work()

    async def verify(self, checks: Sequence[Check]) -> int | None:
        await trio.lowlevel.checkpoint()
        return next((at for at, item in enumerate(checks) if checked(item.statement, item.proof) is None), None)


class Rows:
    """A journal: what is committed outlives a kill, what waits does not."""

    def __init__(self, rows: Iterable[Saved] = ()) -> None:
        self.rows = list(rows)
        self.waiting: list[Saved] = []
        self.marks: list[int] = []
        """How many rows there were after each commit."""

    def note_received(self, data: bytes, wrong: str = "") -> None:
        self.waiting.append(Saved("received", wrong, data))

    def commit(
        self, *, secrets: Iterable[tuple[str, bytes]] = (), choices: Iterable[object] = (), sent: Iterable[bytes] = ()
    ) -> None:
        self.waiting += [Saved("choice", "", b"", choice) for choice in choices]
        self.waiting += [Saved("secret", name, value) for name, value in secrets]
        self.waiting += [Saved("sent", "", data) for data in sent]
        self.flush()

    def flush(self) -> None:
        known = {row.data for row in self.rows if row.kind in ("sent", "received")}
        self.rows += [row for row in self.waiting if row.kind not in ("sent", "received") or row.data not in known]
        self.waiting = []
        self.marks.append(len(self.rows))


class RandomPlayer:
    """Plays what is legal, at its whim; `raises` makes its next question an accident."""

    def __init__(
        self, seed: int, snap_rate: float, thinks: tuple[int, int] = (0, 300), reacts: tuple[int, int] = (200, 900)
    ) -> None:
        """`thinks`, `reacts`: milliseconds before an answer and before a snap."""
        self.chance = random.Random(seed)
        self.snap_rate, self.thinks, self.reacts = snap_rate, thinks, reacts
        self.raises = False
        self.looks: dict[Handle, str] = {}
        self.refusals: list[Fault] = []

    def begin(self, deal: Deal, seat: int) -> None:
        self.looks = {}

    def happened(self, slot: Slot, events: Sequence[Event]) -> None:
        pass

    def looked(self, handle: Handle, card: str) -> None:
        self.looks[handle] = card

    def raced(self, record: RaceRecord) -> None:
        pass

    def asked(self, question: Question, view: SeatView | None) -> Answer | None:
        if self.raises:
            raise RuntimeError("this player has an accident")
        move: Move | None = self.chance.choice(question.moves) if question.moves else None
        return Answer(move, self.chance.randint(*self.thinks))

    def window(self, view: SeatView) -> SnapPress | None:
        targets = [move.handle for move in view.moves if isinstance(move, Snap)]
        if not targets or self.chance.random() > self.snap_rate:
            return None
        return SnapPress(self.chance.choice(targets), self.chance.randint(*self.reacts))

    def changed(self) -> None:
        pass

    def refused(self, fault: Fault) -> None:
        self.refusals.append(fault)


class Wires:
    """One seat's end of the network."""

    def __init__(self, network: "Network", key: bytes) -> None:
        self._network, self.key = network, key
        self.events: list[Up | Down | Frame] = []
        self._come = trio.Event()
        self.frames_sent = 0
        self.dialled: set[bytes] = set()

    def put(self, event: Up | Down | Frame) -> None:
        self.events.append(event)
        self._come.set()

    def send(self, key: bytes, data: bytes) -> bool:
        if not self._network.linked(self.key, key):
            return False
        self.frames_sent += 1
        self._network.send(self.key, key, data)
        return True

    def broadcast(self, data: bytes) -> int:
        return sum(self.send(key, data) for key in self.connected())

    def connected(self) -> tuple[bytes, ...]:
        return tuple(sorted(key for key in self._network.ends if self._network.linked(self.key, key)))

    def addresses(self) -> list[tuple[str, int]]:
        return [("memory", 1)]

    def dial(self, key: bytes, addresses: Iterable[tuple[str, int]], *, eager: bool = False) -> None:
        self.dialled.add(key)

    def renew(self, key: bytes) -> None:
        if self._network.linked(self.key, key):
            self._network.separate(self.key, key)
            self._network.forget(self.key, key)
            self._network.join(self.key, key)

    async def receive(self) -> Up | Down | Frame:
        await trio.lowlevel.checkpoint()
        while not self.events:
            self._come = trio.Event()
            await self._come.wait()
        return self.events.pop(0)


class Network:
    """Links between keys: a frame takes `latency` seconds (a pair), keeps its order on its link, and may be lost."""

    def __init__(self, chance: random.Random, latency: tuple[float, float], loss: float) -> None:
        self.chance, self.latency, self.loss = chance, latency, loss
        self.ends: dict[bytes, Wires] = {}
        self.cut: set[frozenset[bytes]] = set()
        self.slow: dict[bytes, float] = {}
        self.tamper: Callable[[bytes, bytes, bytes], Iterable[bytes]] | None = None
        """(from, to, frame) -> the frames that go instead."""
        self.frames = 0
        self._queue: list[tuple[float, int, bytes, bytes, bytes]] = []
        self._last: defaultdict[tuple[bytes, bytes], float] = defaultdict(float)
        self._more = trio.Event()

    def linked(self, one: bytes, other: bytes) -> bool:
        there = one in self.ends and other in self.ends
        return one != other and there and frozenset((one, other)) not in self.cut

    def open(self, key: bytes) -> Wires:
        """An end comes up (again): old frames to it are gone, everybody linked hears of it."""
        self.ends[key] = Wires(self, key)
        self._queue = [entry for entry in self._queue if entry[3] != key]
        heapq.heapify(self._queue)
        for other in list(self.ends):
            if self.linked(key, other):
                self.ends[key].put(Up(other, "memory", 1, True))
                self.ends[other].put(Up(key, "memory", 1, False))
        return self.ends[key]

    def close(self, key: bytes) -> None:
        """An end goes down."""
        linked = [other for other in self.ends if self.linked(key, other)]
        del self.ends[key]
        for other in linked:
            self.ends[other].put(Down(key, "gone"))

    def separate(self, one: bytes, other: bytes) -> None:
        if self.linked(one, other):
            self.ends[one].put(Down(other, "cut"))
            self.ends[other].put(Down(one, "cut"))
        self.cut.add(frozenset((one, other)))

    def forget(self, one: bytes, other: bytes) -> None:
        """Frames under way between two ends are lost with their link."""
        self._queue = [entry for entry in self._queue if {entry[2], entry[3]} != {one, other}]
        heapq.heapify(self._queue)

    def join(self, one: bytes, other: bytes) -> None:
        self.cut.discard(frozenset((one, other)))
        if self.linked(one, other):
            self.ends[one].put(Up(other, "memory", 1, True))
            self.ends[other].put(Up(one, "memory", 1, False))

    def send(self, one: bytes, other: bytes, data: bytes) -> None:
        for frame in [data] if self.tamper is None else self.tamper(one, other, data):
            self.frames += 1
            if self.chance.random() < self.loss:
                continue
            trip = self.chance.uniform(*self.latency) + self.slow.get(one, 0.0) + self.slow.get(other, 0.0)
            due = max(trio.current_time() + trip, self._last[one, other])
            self._last[one, other] = due
            heapq.heappush(self._queue, (due, self.frames, one, other, frame))
            self._more.set()

    async def run(self) -> None:
        while True:
            self._more = trio.Event()
            if not self._queue:
                await self._more.wait()
                continue
            due = self._queue[0][0]
            if due > trio.current_time():
                with trio.move_on_after(due - trio.current_time()):
                    await self._more.wait()
                continue
            due, _, one, other, frame = heapq.heappop(self._queue)
            if self.linked(one, other):
                self.ends[other].put(Frame(one, frame, int(due * 1_000_000_000)))
            await trio.lowlevel.checkpoint()


class Peers:
    """A table of peers. `runners` are the seats that run (or ran last)."""

    def __init__(
        self,
        rules: Ruleset,
        seats: int,
        seed: int,
        *,
        latency: tuple[float, float] = (0.002, 0.03),
        loss: float = 0.0,
        snap_rate: float = 0.4,
    ) -> None:
        self.seed, self.snap_rate = seed, snap_rate
        label = f"peers{seed}"
        self.forming, self.charter, self.identities = form_table(rules, make_identities(seats, label), label)
        self.network = Network(random.Random(seed), latency, loss)
        self.journals = [Rows() for _ in range(seats)]
        self.players = [RandomPlayer(seed * 100 + seat, snap_rate) for seat in range(seats)]
        self.runners: dict[int, SeatRunner] = {}
        self.scopes: dict[int, trio.CancelScope] = {}
        self.errors: dict[int, BaseException] = {}
        self.done: set[int] = set()
        self.starts = 0
        self._changed = trio.Event()
        self._nursery: trio.Nursery | None = None

    @property
    def seats(self) -> int:
        return self.charter.seats

    def key(self, seat: int) -> bytes:
        return self.charter.keys[seat]

    def start(self, seat: int, rows: Iterable[Saved] | None = None) -> SeatRunner:
        """Starts a seat, or starts it again from its journal (or from `rows` of one)."""
        assert self._nursery is not None
        if rows is not None:
            self.journals[seat] = Rows(rows)
        again = rows is not None or seat in self.runners
        self.starts += 1
        self.journals[seat].waiting = []
        self.done.discard(seat)
        runner = SeatRunner(
            identity=self.identities[seat],
            charter=self.charter,
            forming=self.forming,
            wires=self.network.open(self.key(seat)),
            journal=self.journals[seat],
            player=self.players[seat],
            workers=InlineWorkers(),
            rng=seeded(f"peers{self.seed}/{seat}/{self.starts}"),
            now=lambda: int(trio.current_time() * 1_000_000),
            saved=list(self.journals[seat].rows) if again else None,
        )
        self.runners[seat] = runner
        self.scopes[seat] = trio.CancelScope()
        self._nursery.start_soon(self._run, seat, runner, self.scopes[seat])
        return runner

    async def _run(self, seat: int, runner: SeatRunner, scope: trio.CancelScope) -> None:
        with scope:
            try:
                await runner.run()
                self.done.add(seat)
                self.touch()
                await runner.linger()
            except Exception as error:
                self.errors[seat] = error
                self.network.close(self.key(seat))
                self.touch()

    def kill(self, seat: int) -> None:
        """As by SIGKILL: nothing of it is said or saved any more."""
        self.scopes[seat].cancel()
        self.network.close(self.key(seat))

    def touch(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def finished(self, seats: Iterable[int] | None = None, seconds: float = 3600.0) -> None:
        """Until these seats (all, by default) have come to an end, within so much virtual time."""
        wanted = set(range(self.seats) if seats is None else seats)
        with trio.fail_after(seconds):
            while not wanted <= self.done | self.errors.keys():
                await self._changed.wait()

    async def until(self, condition: Callable[[], bool], seconds: float = 600.0) -> None:
        """Looks two hundred times a virtual second."""
        with trio.fail_after(seconds):
            while not condition():  # noqa: ASYNC110 - virtual time costs nothing, and nothing tells of it
                await trio.sleep(0.005)


@asynccontextmanager
async def playing(peers: Peers, only: Iterable[int] | None = None) -> AsyncIterator[Peers]:
    """The network and all seats (or some) run inside."""
    async with trio.open_nursery() as nursery:
        peers._nursery = nursery
        nursery.start_soon(peers.network.run)
        for seat in range(peers.seats) if only is None else only:
            peers.start(seat)
        yield peers
        nursery.cancel_scope.cancel()


def inline_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the journal's work happen at once too, and audits take the proofs that a seat has checked."""

    async def run_sync(work: Callable[[], T], **_: object) -> T:
        await trio.lowlevel.checkpoint()
        return work()

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)
    monkeypatch.setattr("p2pkaboo.audit.rounds.check", checked)


def heads_of(runner: SeatRunner) -> dict[tuple[int, Slot], bytes]:
    """The head of every step of every deal."""
    return {(deal.deal, closed.slot): closed.head for deal in runner.deals for closed in deal.history}


def all_is_well(peers: Peers) -> None:
    """Every seat has played to the same end, and found every round valid."""
    assert peers.errors == {}
    (first, *others) = [peers.runners[seat] for seat in range(peers.seats)]
    for runner in (first, *others):
        assert runner.fault is None
        assert runner.finished
        assert [audit and audit.verdict for audit in runner.audits] == ["valid"] * len(runner.deals)
    for other in others:
        assert heads_of(other) == heads_of(first)


def envelope_in(frame: bytes) -> Envelope | None:
    """The envelope that a frame carries, if it carries one."""
    decoded = decode_frame(frame)
    return decode_envelope(decoded.data) if isinstance(decoded, EnvelopeFrame) else None

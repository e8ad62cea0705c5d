"""Whole peers on real links: the event loop stays free, strangers stay out, a seat that does not read holds up nobody's
machine, and everything is put away at the end."""

import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pkaboo.lab.tables.formed import form_table, small_rules
from p2pkaboo.net.handshake import Credentials, LinkError, greet
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.net.limits import DEFAULT_TIMING, Timing
from p2pkaboo.net.mesh import Mesh, open_mesh
from p2pkaboo.net.stamped import StampedStream
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.workers import Workers
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from tests.support.peers import RandomPlayer, Rows, heads_of
from tests.support.tables import make_identities

pytestmark = pytest.mark.e2e

SECRET = b"0123456789abcdef"
QUICK = replace(DEFAULT_TIMING, ping=0.2, dead=1.0, redial_min=0.01, redial_max=0.1, courtesy=0.1, close=0.5)
MOST_MS = 50
"""Processor time that one step of one task may take on the event loop: a frame at the socket waits no longer."""


def now() -> int:
    return time.monotonic_ns() // 1000


class Steps(trio.abc.Instrument):
    """Processor time of the longest step that any task took, milliseconds."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.whose = ""
        self._since: int | None = None

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self._since = time.thread_time_ns()

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        if self._since is not None:  # not the step that added this instrument
            self.longest, self.whose = max(
                (self.longest, self.whose), ((time.thread_time_ns() - self._since) / 1e6, task.name)
            )


class Pausing:
    """A mesh whose reader can be held up."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self.reads = trio.Event()
        self.reads.set()

    def send(self, key: bytes, data: bytes) -> bool:
        return self._mesh.send(key, data)

    def broadcast(self, data: bytes) -> int:
        return self._mesh.broadcast(data)

    def connected(self) -> tuple[bytes, ...]:
        return self._mesh.connected()

    async def receive(self) -> Up | Down | Frame:
        await self.reads.wait()
        return await self._mesh.receive()


@dataclass
class Real:
    """A table of peers in one process, each with its own mesh."""

    meshes: list[Mesh]
    wires: list[Pausing]
    runners: list[SeatRunner]
    ended: list[bool] = field(default_factory=list)


@asynccontextmanager
async def table(rules: Ruleset, seats: int, timing: Timing = QUICK) -> AsyncIterator[Real]:
    """Everybody linked to everybody, nobody playing yet."""
    forming, charter, identities = form_table(rules, make_identities(seats, "real"), "real")
    with trio.fail_after(90):
        async with AsyncExitStack() as stack:
            meshes = []
            for identity in identities:
                key = Ed25519PrivateKey.from_private_bytes(identity.seed)
                mesh = open_mesh(key, SECRET, host="127.0.0.1", timing=timing, allowed=charter.keys)
                meshes.append(await stack.enter_async_context(mesh))
            for one in meshes:
                for other in meshes:
                    if one is not other:
                        one.dial(other.key, other.addresses())
            workers = stack.enter_context(Workers(1))
            wires = [Pausing(mesh) for mesh in meshes]
            runners = [
                SeatRunner(
                    identity=identity,
                    charter=charter,
                    forming=forming,
                    wires=wires[seat],
                    journal=Rows(),
                    player=RandomPlayer(seat, 0.3, thinks=(0, 20), reacts=(150, 300)),
                    workers=workers,
                    rng=os.urandom,
                    now=now,
                )
                for seat, identity in enumerate(identities)
            ]
            yield Real(meshes, wires, runners)


async def until(condition: Callable[[], object]) -> None:
    """Looks a hundred times a second."""
    while not condition():  # noqa: ASYNC110 - nothing tells of it
        await trio.sleep(0.01)


async def play(real: Real) -> None:
    """All seats to the end, and until nobody needs anybody any more."""

    async def seat(runner: SeatRunner) -> None:
        await runner.run()
        await runner.linger()
        real.ended.append(True)

    async with trio.open_nursery() as nursery:
        for runner in real.runners:
            nursery.start_soon(seat, runner)


def well(real: Real) -> None:
    assert all(runner.finished and runner.fault is None for runner in real.runners)
    assert all(audit is not None and audit.verdict == "valid" for runner in real.runners for audit in runner.audits)
    assert len({tuple(sorted(heads_of(runner).items())) for runner in real.runners}) == 1


async def test_a_round_of_54_cards_never_holds_the_event_loop() -> None:
    rules = with_overrides(load_preset("sheffield"), {"match.rounds": 1, "snap.exposure_ms": 100})
    steps = Steps()
    async with table(rules, 3) as real:
        trio.lowlevel.add_instrument(steps)
        await play(real)
        trio.lowlevel.remove_instrument(steps)
    well(real)
    assert 0 < steps.longest < MOST_MS, steps.whose


async def test_strangers_and_people_who_are_not_at_the_table_are_refused_in_mid_game() -> None:
    async with table(small_rules("sheffield", snap__exposure_ms=100), 3) as real, trio.open_nursery() as nursery:
        nursery.start_soon(play, real)
        await until(lambda: real.runners[0].current.lanes is not None)
        host = real.meshes[0]
        for secret, why in ((SECRET, "does not let this key in"), (b"another secret!!", "another table secret")):
            stranger = Ed25519PrivateKey.generate()
            async with open_mesh(stranger, secret, host="127.0.0.1", timing=QUICK) as outside:
                outside.dial(host.key, host.addresses(), eager=True)
                await until(partial(outside.trouble, host.key))
                assert outside.connected() == ()
                assert why in str(outside.trouble(host.key))
                assert outside.key not in host.connected()
    well(real)


async def test_a_connection_that_says_nothing_and_one_that_babbles_disturb_nobody() -> None:
    async with table(small_rules("sheffield", snap__exposure_ms=100), 3) as real:
        silent = await trio.open_tcp_stream("127.0.0.1", real.meshes[0].port)
        babbling = await trio.open_tcp_stream("127.0.0.1", real.meshes[0].port)
        await babbling.send_all(os.urandom(4096))
        await play(real)
        await silent.aclose()
        await babbling.aclose()
    well(real)


async def test_a_seat_that_stops_reading_is_caught_up_when_it_reads_again() -> None:
    """Its links fill, are cut and come back; the others neither block nor keep its mail without end."""
    tight = replace(QUICK, inbox_bytes=4_000, outbox_bytes=60_000)
    rules = small_rules("sheffield", snap__exposure_ms=100)
    async with table(rules, 3, tight) as real, trio.open_nursery() as nursery:
        nursery.start_soon(play, real)
        await until(lambda: real.runners[0].current.lanes is not None)
        real.wires[2].reads = trio.Event()
        before = real.runners[0].stats[0].steps
        await trio.sleep(2.5)
        assert not real.runners[0].finished
        assert real.runners[0].stats[0].steps - before < 40  # the table waits for it
        real.wires[2].reads.set()
    well(real)


async def test_a_match_goes_on_while_all_threads_wait_for_names_to_be_looked_up() -> None:
    """As when somebody gives addresses by names that no server knows."""
    threads = trio.to_thread.current_default_thread_limiter()
    async with table(small_rules("cabo-online"), 2) as real:
        for number in range(int(threads.total_tokens)):
            threads.acquire_on_behalf_of_nowait(number)
        try:
            await play(real)
        finally:
            for number in range(int(threads.total_tokens)):
                threads.release_on_behalf_of(number)
    well(real)


async def test_everything_is_put_away_at_the_end() -> None:
    tasks = trio.lowlevel.current_statistics().tasks_living
    async with table(small_rules("cabo-online"), 2) as real:
        ports = [mesh.port for mesh in real.meshes]
        began = trio.current_time()
        await play(real)
        assert real.ended == [True, True]
    assert trio.current_time() - began < 30
    well(real)
    assert trio.lowlevel.current_statistics().tasks_living == tasks
    for port in ports:
        with socket.socket() as again:
            assert again.connect_ex(("127.0.0.1", port)) != 0


async def test_a_member_of_another_table_is_no_member_of_this_one() -> None:
    """With the right secret, and a key that the charter does not name: no link, whichever way it is tried."""
    async with table(small_rules("sheffield"), 2) as real:
        outsider = make_identities(4, "elsewhere")[3]
        key = Ed25519PrivateKey.from_private_bytes(outsider.seed)
        stream = await trio.open_tcp_stream("127.0.0.1", real.meshes[0].port)
        with pytest.raises(LinkError, match="does not let this key in"):
            await greet(StampedStream(stream), Credentials(key, SECRET, "0123456789abcdef"), real.meshes[0].key)
        with pytest.raises(ValueError, match="is not let in"):
            real.meshes[0].dial(outsider.public.encoded, [("127.0.0.1", 1)])

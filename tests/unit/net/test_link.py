from dataclasses import dataclass, field, replace

import pytest
import trio
import trio.testing
from websockets.frames import Frame, Opcode

from p2pkaboo.net.limits import DEFAULT_TIMING, FRAMES_A_SECOND, FRAMES_AT_ONCE, MAX_FRAME, PARSE_BYTES
from p2pkaboo.net.link import DUPLICATE, LEAVING, NOT_WELCOME, Link
from tests.unit.net.ends import linked


@dataclass
class Running:
    """A link that runs in a nursery: what it delivered, and why and when it ended."""

    link: Link
    frames: list[bytes] = field(default_factory=list)
    stamps: list[int] = field(default_factory=list)
    reason: str | None = None
    ended_at: float | None = None

    async def run(self) -> None:
        self.reason = await self.link.run(self.deliver)
        self.ended_at = trio.current_time()

    def deliver(self, data: bytes, stamp: int) -> None:
        self.frames.append(data)
        self.stamps.append(stamp)


def start(nursery: trio.Nursery, *links: Link) -> list[Running]:
    running = [Running(link) for link in links]
    for one in running:
        nursery.start_soon(one.run)
    return running


async def test_frames_of_all_sizes_arrive_whole_and_in_order() -> None:
    near, far, *_ = await linked()
    frames = [b"", b"a", bytes(125), bytes(126), bytes(70_000), b"z" * MAX_FRAME, b"last"]
    async with trio.open_nursery() as nursery:
        one, other = start(nursery, near, far)
        for frame in frames:
            assert near.send(frame)
            assert far.send(frame)
        await trio.testing.wait_all_tasks_blocked()
        near.close(LEAVING, "done")
    assert one.frames == frames
    assert other.frames == frames
    assert (one.reason, other.reason) == ("done", "it left")


async def test_frames_sent_before_the_link_runs_are_not_lost() -> None:
    near, far, *_ = await linked()
    assert far.send(b"early")
    async with trio.open_nursery() as nursery:
        one, _ = start(nursery, near, far)
        await trio.testing.wait_all_tasks_blocked()
        assert one.frames == [b"early"]
        near.cut("done")


async def test_frames_carry_the_time_at_which_they_were_read() -> None:
    now = [5]
    near, far, *_ = await linked(clock=lambda: now[0])
    async with trio.open_nursery() as nursery:
        _, other = start(nursery, near, far)
        for now[0] in (100, 200):
            near.send(b"a")
            near.send(b"b")
            await trio.testing.wait_all_tasks_blocked()
        near.cut("done")
    assert other.stamps == [100, 100, 200, 200]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (LEAVING, "it left"),
        (DUPLICATE, "it keeps another link to us"),
        (NOT_WELCOME, "it does not let us in"),
        (4999, "it closed the link (code 4999)"),
    ],
)
async def test_the_other_end_is_told_why(code: int, reason: str, autojump_clock: trio.testing.MockClock) -> None:
    near, far, *_ = await linked()
    async with trio.open_nursery() as nursery:
        one, other = start(nursery, near, far)
        near.close(code, "because")
        assert near.ending
        assert not near.send(b"too late")
    assert (one.reason, other.reason) == ("because", reason)
    assert other.frames == []
    assert one.ended_at == other.ended_at == 0.0


async def test_closing_waits_no_longer_than_its_deadline(autojump_clock: trio.testing.MockClock) -> None:
    near, far, cable, _ = await linked()
    async with trio.open_nursery() as nursery:
        one, other = start(nursery, near, far)
        await trio.testing.wait_all_tasks_blocked()
        cable.pulled = True
        near.close(LEAVING, "done")
    assert (one.reason, one.ended_at) == ("done", 1.0)
    assert other.reason == "it hung up without a goodbye"


async def test_a_pulled_cable_is_noticed_by_both_ends_in_six_seconds(autojump_clock: trio.testing.MockClock) -> None:
    near, far, *cables = await linked()
    async with trio.open_nursery() as nursery:
        one, other = start(nursery, near, far)
        await trio.sleep(59)
        assert one.reason is None
        assert other.reason is None
        for cable in cables:
            cable.pulled = True
    for running in (one, other):
        assert running.reason == "nothing was heard from it for 6 s"
        assert running.ended_at == 64.0  # the last ping came at 58


async def test_a_receiver_that_takes_nothing_is_cut(autojump_clock: trio.testing.MockClock) -> None:
    """Pings come from it all the time, so silence would not find it."""
    near, far, cable, _ = await linked()
    async with trio.open_nursery() as nursery:
        one, _ = start(nursery, near, far)
        await trio.testing.wait_all_tasks_blocked()
        cable.stuck = True
        near.send(b"a")
    assert one.reason == "it took nothing for 6 s"


async def test_a_receiver_too_slow_for_its_queue_is_cut_at_once(autojump_clock: trio.testing.MockClock) -> None:
    near, far, cable, _ = await linked(replace(DEFAULT_TIMING, outbox_bytes=10_000))
    async with trio.open_nursery() as nursery:
        one, _ = start(nursery, near, far)
        await trio.testing.wait_all_tasks_blocked()
        cable.stuck = True
        sent = [near.send(bytes(1000)) for _ in range(20)]
    assert sent == [True] * 9 + [False] * 11
    assert one.reason is not None
    assert one.reason.startswith("it reads too slowly: 10")
    assert one.ended_at == 0.0


async def test_a_flood_of_pings_is_bounded_by_the_same_queue(autojump_clock: trio.testing.MockClock) -> None:
    near, far, _, cable = await linked(replace(DEFAULT_TIMING, outbox_bytes=10_000))
    async with trio.open_nursery() as nursery:
        _, other = start(nursery, near, far)
        await trio.testing.wait_all_tasks_blocked()
        cable.stuck = True
        for _ in range(200):
            near._protocol.send_ping(bytes(100))
            near._queue()
            await trio.testing.wait_all_tasks_blocked()
            if other.reason is not None:
                break
    assert other.reason is not None
    assert other.reason.startswith("it reads too slowly: 10")


@pytest.mark.parametrize("what", ["frames", "pings"])
async def test_a_flood_of_small_frames_is_read_at_a_walking_pace(
    what: str, autojump_clock: trio.testing.MockClock
) -> None:
    near, far, *_ = await linked()
    say = near._protocol.send_binary if what == "frames" else near._protocol.send_ping
    count = 4 * FRAMES_AT_ONCE
    async with trio.open_nursery() as nursery:
        _, other = start(nursery, near, far)
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(count):
            say(b"")
        near.send(b"the end")
        due = (count - FRAMES_AT_ONCE) / FRAMES_A_SECOND
        await trio.sleep(due - 1)
        assert b"the end" not in other.frames
        await trio.sleep(2)
        assert b"the end" in other.frames
        assert not near.ending
        assert not far.ending
        far.cut("done")


async def test_a_frame_that_comes_byte_by_byte_is_read_at_a_walking_pace(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Each byte in a record of its own is a read of its own."""
    near, far, *_ = await linked()
    frame = Frame(Opcode.BINARY, bytes(2 * FRAMES_AT_ONCE)).serialize(mask=True)
    async with trio.open_nursery() as nursery:
        _, other = start(nursery, near, far)
        await trio.testing.wait_all_tasks_blocked()
        for at in range(len(frame)):
            await near._stream.send_all(frame[at : at + 1])
        due = (len(frame) - FRAMES_AT_ONCE) / FRAMES_A_SECOND
        await trio.sleep(due - 0.1)
        assert other.frames == []
        await trio.sleep(0.2)
        assert other.frames == [bytes(2 * FRAMES_AT_ONCE)]
        near.cut("done")


async def test_small_frames_that_came_together_are_not_taken_in_one_go() -> None:
    near, far, *_ = await linked()
    taken, most, turn = 0, 0, 0

    def count(data: bytes, stamp: int) -> None:
        nonlocal taken
        taken += 1

    async def watch() -> None:
        nonlocal most, turn
        while True:
            most, turn = max(most, taken - turn), taken
            await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(near.run, count)
        nursery.start_soon(far.run, count)
        nursery.start_soon(watch)
        for _ in range(FRAMES_AT_ONCE - 1):
            near.send(b"")
        while taken < FRAMES_AT_ONCE - 1:
            await trio.lowlevel.checkpoint()
        far.cut("done")
        near.cut("done")
        await near.ended.wait()
        nursery.cancel_scope.cancel()
    assert 0 < most <= 2 * PARSE_BYTES / 2  # of the two tasks either may be first in a turn


async def test_reading_stops_when_nobody_takes_the_frames(autojump_clock: trio.testing.MockClock) -> None:
    near, far, *_ = await linked(replace(DEFAULT_TIMING, inbox_bytes=100_000))
    taken = trio.Event()

    def keep(data: bytes, stamp: int) -> None:
        far.allowance.use(len(data))
        taken.set()

    async with trio.open_nursery() as nursery:
        (one,) = start(nursery, near)
        nursery.start_soon(far.run, keep)
        for _ in range(10):
            near.send(bytes(100_000))
        await taken.wait()
        await trio.testing.wait_all_tasks_blocked()
        assert far.allowance._used < 300_000  # what one read can bring on top of the bound
        await trio.sleep(60)  # unread pings in the socket are no silence
        assert not far.ended.is_set()
        far.allowance.free(far.allowance._used)
        await trio.testing.wait_all_tasks_blocked()
        assert far.allowance._used >= 100_000  # it reads on
        far.cut("done")
    assert one.reason == "it hung up without a goodbye"


async def test_our_own_oversized_frame_is_our_own_error() -> None:
    near, far, *_ = await linked()
    async with trio.open_nursery() as nursery:
        _, other = start(nursery, near, far)
        with pytest.raises(ValueError, match="at most 262144 bytes, this one has 262145"):
            near.send(bytes(MAX_FRAME + 1))
        near.send(b"still here")
        await trio.testing.wait_all_tasks_blocked()
        assert other.frames == [b"still here"]
        near.cut("done")


async def test_an_oversized_frame_of_the_other_end_ends_the_link(autojump_clock: trio.testing.MockClock) -> None:
    near, far, *_ = await linked()
    async with trio.open_nursery() as nursery:
        one, other = start(nursery, near, far)
        near._protocol.send_binary(bytes(MAX_FRAME + 1))
        near._queue()
    assert other.reason == "it sent a frame of more than 262144 bytes"
    assert one.reason == "it says we sent a frame of more than 262144 bytes"
    assert other.frames == []


@pytest.mark.parametrize("what", ["text", "fragment"])
async def test_only_whole_binary_frames_are_taken(what: str, autojump_clock: trio.testing.MockClock) -> None:
    near, far, *_ = await linked()
    async with trio.open_nursery() as nursery:
        one, other = start(nursery, near, far)
        if what == "text":
            near._protocol.send_text(b"hello")
        else:
            near._protocol.send_binary(b"hel", fin=False)
            near._protocol.send_continuation(b"lo", fin=True)
        near._queue()
    assert other.reason == "it sent something other than a whole binary frame"
    assert one.reason == "it closed the link (code 1003)"
    assert other.frames == []


async def test_a_breach_of_the_websocket_protocol_ends_the_link(autojump_clock: trio.testing.MockClock) -> None:
    near, far, *_ = await linked()
    async with trio.open_nursery() as nursery:
        _, other = start(nursery, near, far)
        await near._stream.send_all(b"\xff" * 20)
    assert other.reason == "it broke the WebSocket protocol"


async def test_broken_encryption_ends_the_link(autojump_clock: trio.testing.MockClock) -> None:
    near, far, cable, _ = await linked()
    async with trio.open_nursery() as nursery:
        _, other = start(nursery, near, far)
        await cable.send_all(b"\x17\x03\x03\x00\x20" + bytes(32))
    assert other.reason == "the connection broke"


async def test_cancelling_from_outside_ends_it_without_a_trace() -> None:
    near, far, *_ = await linked()
    async with trio.open_nursery() as nursery:
        one, other = start(nursery, near, far)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert one.reason is None
    assert other.reason is None
    assert near.ended.is_set()
    assert far.ended.is_set()

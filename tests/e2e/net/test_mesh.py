"""Meshes over real sockets on the loopback interface, with intervals short enough for tests."""

import logging
import socket
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import TypeVar

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pkaboo.net.handshake import LinkError, greet
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.net.limits import DEFAULT_TIMING, MAX_FRAME, Timing
from p2pkaboo.net.link import Link
from p2pkaboo.net.mesh import Mesh, open_mesh
from p2pkaboo.net.sockets import Address, ListenError, PortTaken
from p2pkaboo.net.stamped import StampedStream

pytestmark = pytest.mark.e2e

SECRET = b"0123456789abcdef"
QUICK = replace(DEFAULT_TIMING, ping=0.2, dead=0.6, redial_min=0.01, redial_max=0.05, courtesy=0.1, close=0.5)

STEADY = replace(QUICK, ping=DEFAULT_TIMING.ping, dead=DEFAULT_TIMING.dead)
"""For more links at once than a crowded machine serves within `QUICK`'s silence."""

PATIENCE_S = 15.0
"""How long what is due at once may take where every core has other work."""


class Since(int):
    """Equal to any stamp from then to now."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and int(self) <= other <= time.monotonic_ns()

    __hash__ = int.__hash__


def ordered(count: int) -> list[Ed25519PrivateKey]:
    """Players with ascending keys."""
    keys = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in range(1, count + 1)]
    return sorted(keys, key=lambda key: key.public_key().public_bytes_raw())


SMALL, LARGE, THIRD = ordered(3)

E = TypeVar("E", Frame, Up, Down)


@asynccontextmanager
async def mesh(
    identity: Ed25519PrivateKey, secret: bytes = SECRET, timing: Timing = QUICK, **more: object
) -> AsyncIterator[Mesh]:
    with trio.fail_after(4 * PATIENCE_S):
        async with open_mesh(identity, secret, host="127.0.0.1", timing=timing, **more) as made:  # type: ignore[arg-type]
            yield made


async def next_of(of: Mesh, kind: type[E]) -> E:
    """The next event of that kind, others passed over."""
    with trio.fail_after(PATIENCE_S):
        while True:
            event = await of.receive()
            if isinstance(event, kind):
                return event


async def connect(one: Mesh, other: Mesh) -> None:
    one.dial(other.key, other.addresses(), eager=True)
    up = await next_of(one, Up)
    assert (up.key, up.outgoing) == (other.key, True)
    back = await next_of(other, Up)
    assert (back.key, back.outgoing) == (one.key, False)


async def echo(of: Mesh) -> None:
    async for event in of.events():
        if isinstance(event, Frame):
            of.send(event.key, event.data)


async def settled(condition: Callable[[], bool]) -> None:
    """Waits until something has become true that no event tells of."""
    with trio.fail_after(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - such as the text of a failure, which the mesh only keeps
            await trio.sleep(0.005)


async def test_two_players_talk_and_part() -> None:
    async with mesh(LARGE) as large:
        async with mesh(SMALL) as small:
            await connect(small, large)
            assert small.connected() == (large.key,)
            before = time.monotonic_ns()
            assert small.send(large.key, b"hello")
            assert await next_of(large, Frame) == Frame(small.key, b"hello", stamp=Since(before))
            assert large.broadcast(b"hi") == 1
            assert (await next_of(small, Frame)).data == b"hi"
            assert not small.send(bytes(32), b"nobody")
            with pytest.raises(ValueError, match="at most 262144"):
                small.broadcast(bytes(MAX_FRAME + 1))
        assert await next_of(large, Down) == Down(small.key, "it left")
        assert large.connected() == ()
        assert not large.send(small.key, b"gone")


async def test_eight_players_who_all_call_each_other_end_up_with_one_link_a_pair() -> None:
    async with AsyncExitStack() as stack:
        meshes = [await stack.enter_async_context(mesh(identity, timing=STEADY)) for identity in ordered(8)]
        for one in meshes:
            for other in meshes:
                if other is not one:
                    one.dial(other.key, other.addresses(), eager=True)
        await settled(lambda: all(len(one.connected()) == 7 and len(one._running) == 7 for one in meshes))
        await trio.sleep(0.1)
        for one in meshes:
            for other in meshes:
                if other is not one:
                    assert one._links[other.key].outgoing != other._links[one.key].outgoing
                    assert one._links[other.key].port in (other.port, one.port) or not one._links[other.key].outgoing
        for one in meshes:
            assert one.broadcast(one.key) == 7
        for one in meshes:
            heard = {(await next_of(one, Frame)).key for _ in range(7)}
            assert heard == {other.key for other in meshes} - {one.key}


async def test_the_smaller_key_calls() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as large:
        large.dial(small.key, small.addresses())
        small.dial(large.key, large.addresses())
        up = await next_of(large, Up)
        assert not up.outgoing
        await trio.sleep(3 * QUICK.courtesy)
        assert len(large._running) == 1


async def test_the_larger_key_calls_when_the_smaller_does_not() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as large:
        begin = trio.current_time()
        large.dial(small.key, small.addresses())
        up = await next_of(large, Up)
        assert up.outgoing
        assert trio.current_time() - begin >= QUICK.courtesy


async def test_a_player_who_comes_back_is_called_again() -> None:
    async with mesh(SMALL) as small:
        async with mesh(LARGE) as large:
            await connect(small, large)
            port = large.port
        assert await next_of(small, Down) == Down(large.key, "it left")
        await settled(lambda: small.trouble(large.key) is not None)
        assert small.trouble(large.key) == f"127.0.0.1:{port}: connection refused"
        async with mesh(LARGE, port=port) as large:
            await next_of(small, Up)
            await next_of(large, Up)
            assert small.trouble(large.key) is None


async def test_a_new_run_of_a_player_takes_the_place_of_the_old_one() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as old, mesh(LARGE) as new:
        await connect(old, small)
        old._calls.clear()  # the old process no longer acts: only its connection is left
        await connect(new, small)
        assert await next_of(old, Down) == Down(small.key, "it keeps another link to us")
        small.send(new.key, b"hello")
        assert (await next_of(new, Frame)).data == b"hello"
        with trio.move_on_after(0.05):
            raise AssertionError(f"a link was lost: {await next_of(small, Down)}")


async def test_only_the_players_of_the_table_are_let_in() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as large, mesh(THIRD) as third:
        await connect(large, small)
        await connect(third, small)
        small.allow({large.key})
        assert await next_of(small, Down) == Down(third.key, "it is not one of this table's players")
        assert await next_of(third, Down) == Down(small.key, "it does not let us in")
        await settled(lambda: third.trouble(small.key) is not None)
        assert third.trouble(small.key) == f"127.0.0.1:{small.port}: the other end does not let this key in"
        with pytest.raises(ValueError, match="not let in"):
            small.dial(third.key, third.addresses())
        assert small.connected() == (large.key,)
        small.allow(None)
        assert (await next_of(small, Up)).key == third.key


async def test_a_player_who_is_no_longer_let_in_is_no_longer_heard() -> None:
    async with mesh(SMALL) as small, mesh(THIRD) as third:
        await connect(third, small)
        third.send(small.key, b"too late")
        small.allow(set())
        event = await small.receive()
        assert event == Down(third.key, "it is not one of this table's players")


async def test_a_second_link_that_would_not_stay_is_refused_in_the_handshake() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as large:
        await connect(small, large)
        stream = await trio.open_tcp_stream("127.0.0.1", small.port)
        with pytest.raises(LinkError, match="already has a link"):
            await greet(StampedStream(stream), large._credentials, small.key)
        assert len(small._running) == 1


async def test_only_links_that_stood_for_a_while_are_called_back_at_once() -> None:
    pause = 0.3
    async with mesh(SMALL, timing=replace(QUICK, redial_min=pause, redial_max=pause)) as small, mesh(LARGE) as large:
        await connect(small, large)
        for stood, least, most in ((0.0, pause / 2, 5.0), (pause * 1.1, 0.0, pause / 2)):
            await trio.sleep(stood)
            large.renew(small.key)
            await next_of(small, Down)
            begin = trio.current_time()
            await next_of(small, Up)
            assert least <= trio.current_time() - begin <= most


async def test_a_mesh_may_begin_with_its_players_known() -> None:
    async with mesh(SMALL, allowed={LARGE.public_key().public_bytes_raw()}) as small, mesh(THIRD) as third:
        third.dial(small.key, small.addresses(), eager=True)
        await settled(lambda: third.trouble(small.key) is not None)
        async with mesh(LARGE) as large:
            await connect(large, small)


async def test_no_more_links_than_there_is_room_for() -> None:
    async with mesh(SMALL, timing=replace(QUICK, max_links=1)) as small, mesh(LARGE) as large, mesh(THIRD) as third:
        await connect(large, small)
        third.dial(small.key, small.addresses(), eager=True)
        await settled(lambda: third.trouble(small.key) is not None)
        assert third.trouble(small.key) == f"127.0.0.1:{small.port}: the other end has no room for another link"
        assert small.connected() == (large.key,)


async def test_the_key_of_the_invite_is_pinned() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as large:
        wrong = THIRD.public_key().public_bytes_raw()
        small.dial(wrong, large.addresses(), eager=True)
        await settled(lambda: small.trouble(wrong) is not None)
        trouble = small.trouble(wrong)
        assert trouble is not None
        assert f"player {large.key.hex()[:8]}, expected {wrong.hex()[:8]}" in trouble
        assert small.connected() == ()
        assert large.connected() == ()


async def test_who_was_called_knows_where_and_from_where() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as large:
        assert large.arrivals() == {}
        await connect(small, large)
        assert large.arrivals() == {small.key: ("127.0.0.1", "127.0.0.1")}
        assert small.arrivals() == {}


async def test_another_table_secret_is_refused() -> None:
    async with mesh(SMALL) as small, mesh(LARGE, secret=b"another secret!!") as large:
        small.dial(large.key, large.addresses(), eager=True)
        await settled(lambda: small.trouble(large.key) is not None)
        trouble = small.trouble(large.key)
        assert trouble is not None
        assert "does not belong to this table" in trouble


async def test_the_reachable_one_of_several_addresses_is_found() -> None:
    with socket.socket() as silent, socket.socket() as closed:
        for sock in (silent, closed):
            sock.bind(("127.0.0.1", 0))
        silent.listen()  # takes connections and never says a word
        dead = [("127.0.0.1", sock.getsockname()[1]) for sock in (closed, silent)]
        async with mesh(SMALL, timing=replace(QUICK, handshake=0.3)) as small, mesh(LARGE) as large:
            small.dial(large.key, [*dead, *large.addresses()], eager=True)
            up = await next_of(small, Up)
            assert up.port == large.port
            large.renew(small.key)
            small.dial(large.key, dead)
            await settled(lambda: small.trouble(large.key) is not None)
            trouble = small.trouble(large.key)
            assert trouble is not None
            assert f"127.0.0.1:{dead[0][1]}: connection refused" in trouble
            assert f"127.0.0.1:{dead[1][1]}: it takes the connection but does not answer" in trouble


async def test_addresses_that_change_all_the_time_make_nobody_knock_all_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever tells where others are would else have this end try thousands of doors a second."""
    tried: list[Address] = []

    async def refused(addresses: Sequence[Address], *_: object) -> Link:
        tried.extend(addresses)
        await trio.lowlevel.checkpoint()
        raise LinkError("nobody is there")

    monkeypatch.setattr("p2pkaboo.net.mesh.race", refused)
    async with mesh(SMALL, timing=replace(QUICK, redial_min=0.1, redial_max=0.2)) as one:
        begun = trio.current_time()
        port = 1
        while trio.current_time() - begun < 1:
            one.dial(LARGE.public_key().public_bytes_raw(), [("192.0.2.1", port)])
            port += 1
            await trio.sleep(0.002)
        lasted = trio.current_time() - begun
    assert port > 50
    assert 3 <= len(tried) <= 4 + lasted * 2 / 0.1  # as often as addresses count at once, and as often as it is due
    assert tried[-1][1] > 20  # the newest that there was


async def test_new_addresses_count_at_once() -> None:
    slow = replace(QUICK, redial_min=10.0, redial_max=10.0)
    async with mesh(SMALL, timing=slow) as small, mesh(LARGE) as large:
        small.dial(large.key, [])
        await settled(lambda: small.trouble(large.key) == "no address is known")
        small.dial(large.key, large.addresses())
        await next_of(small, Up)


async def test_a_link_that_is_renewed_comes_back() -> None:
    for ends in (0, 1):
        async with mesh(SMALL) as small, mesh(LARGE) as large:
            await connect(small, large)
            (one, other) = (small, large)[:: -1 if ends else 1]
            one.renew(other.key)
            assert await next_of(one, Down) == Down(other.key, "this end begins afresh")
            assert await next_of(other, Down) == Down(one.key, "it left")
            assert (await next_of(small, Up)).key == large.key
            assert (await next_of(large, Up)).key == small.key


async def test_a_player_does_not_call_itself() -> None:
    async with mesh(SMALL) as small:
        with pytest.raises(ValueError, match="itself"):
            small.dial(small.key, small.addresses())


async def hammer(port: int, noise: bytes) -> None:
    """One connection of a stranger who says `noise` and hangs up when refused."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    async with stream:
        try:
            await stream.send_all(noise)
            await stream.receive_some(100)
        except trio.BrokenResourceError:
            return


async def test_a_hundred_strangers_keep_no_member_out_and_slow_no_link_down() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as large, mesh(THIRD) as third, trio.open_nursery() as nursery:
        await connect(large, small)
        nursery.start_soon(echo, small)
        for number in range(100):  # half of them noisy, half holding their connections open without a word
            nursery.start_soon(hammer, small.port, b"GET / HTTP/1.1\r\n\r\n" if number % 2 else b"")
        slowest = 0.0
        for _ in range(50):
            begin = time.perf_counter()
            large.send(small.key, b"ping")
            await next_of(large, Frame)
            slowest = max(slowest, time.perf_counter() - begin)
        begin = time.perf_counter()
        third.dial(small.key, small.addresses(), eager=True)
        await next_of(third, Up)
        assert time.perf_counter() - begin < 1.0
        assert slowest < 0.5
        nursery.cancel_scope.cancel()


async def test_an_oversized_frame_ends_only_its_own_link() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as large, mesh(THIRD) as third:
        await connect(large, small)
        await connect(third, small)
        large._calls.clear()
        link = large._links[small.key]
        link._protocol.send_binary(bytes(MAX_FRAME + 1))
        link._queue()
        assert await next_of(small, Down) == Down(large.key, "it sent a frame of more than 262144 bytes")
        third.send(small.key, b"unharmed")
        assert await next_of(small, Frame) == Frame(third.key, b"unharmed", stamp=Since(0))


async def test_a_slow_receiver_is_cut_and_nobody_waits_for_it() -> None:
    async with (
        mesh(SMALL, timing=replace(QUICK, outbox_bytes=500_000, dead=5.0)) as small,
        mesh(LARGE, timing=replace(QUICK, inbox_bytes=100_000, dead=5.0)) as slow,
        mesh(THIRD) as third,
    ):
        await connect(small, slow)
        await connect(small, third)
        slow._calls.clear()
        small._calls[slow.key].scope.cancel()
        begin = time.perf_counter()
        for _ in range(1000):  # nobody takes them out at `slow`; first the system's own buffers fill up
            if not small.send(slow.key, bytes(100_000)):
                break
            small.send(third.key, b"tick")
            assert (await next_of(third, Frame)).data == b"tick"
        down = await next_of(small, Down)
        assert down.key == slow.key
        assert down.reason.startswith("it reads too slowly: ")
        assert time.perf_counter() - begin < 5.0
        assert small.connected() == (third.key,)


async def test_a_defect_in_one_connection_reaches_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    original = Link._take

    def defective(link: Link, *args: object) -> None:
        if link.key == LARGE.public_key().public_bytes_raw():
            raise RuntimeError("a defect")
        original(link, *args)  # type: ignore[arg-type]

    async with mesh(SMALL) as small, mesh(LARGE) as large, mesh(THIRD) as third:
        await connect(large, small)
        await connect(third, small)
        large._calls.clear()
        monkeypatch.setattr(Link, "_take", defective)
        with caplog.at_level(logging.CRITICAL):
            large.send(small.key, b"boom")
            assert await next_of(small, Down) == Down(large.key, "this end failed")
        third.send(small.key, b"unharmed")
        assert (await next_of(small, Frame)).data == b"unharmed"


async def test_small_frames_are_sent_without_delay() -> None:
    async with mesh(SMALL) as small, mesh(LARGE) as large:
        await connect(small, large)
        for one in (small, large):
            (link,) = one._running
            transport = link._tap.transport
            assert isinstance(transport, trio.SocketStream)
            assert transport.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_a_port_that_is_taken_is_an_error_and_only_the_default_moves() -> None:
    async with mesh(SMALL) as small:
        with pytest.raises(PortTaken, match=f"port {small.port} is taken by another program"):
            async with mesh(LARGE, port=small.port):
                raise AssertionError("not reached")
        async with mesh(LARGE) as large:
            assert large.port != small.port
            assert large.port < 32768
        for port in (0, 65536, -1):
            with pytest.raises(ListenError, match="does not exist"):
                async with mesh(LARGE, port=port):
                    raise AssertionError("not reached")


async def test_all_interfaces_are_listened_on_unless_told_otherwise() -> None:
    async with open_mesh(SMALL, SECRET) as small:
        assert all(port == small.port for _, port in small.addresses())
        assert all(host not in ("0.0.0.0", "::") for host, _ in small.addresses())
        async with open_mesh(LARGE, SECRET) as large:
            large.dial(small.key, small.addresses(), eager=True)
            await next_of(large, Up)


async def test_an_error_of_the_body_comes_out_as_it_is_after_a_goodbye() -> None:
    async with mesh(LARGE) as large:

        async def fail() -> None:
            async with mesh(SMALL) as small:
                await connect(small, large)
                raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            await fail()
        assert await next_of(large, Down) == Down(SMALL.public_key().public_bytes_raw(), "it left")


async def test_a_cancelled_body_still_says_goodbye() -> None:
    async with mesh(LARGE) as large:
        with trio.CancelScope() as scope:
            async with mesh(SMALL) as small:
                await connect(small, large)
                scope.cancel()
                await trio.sleep_forever()
        assert scope.cancelled_caught
        assert await next_of(large, Down) == Down(small.key, "it left")


async def test_leaving_takes_no_longer_than_its_deadline() -> None:
    """The other end's program hangs: it neither reads nor answers."""
    async with mesh(SMALL, timing=replace(QUICK, dead=30.0)) as small:
        stream = await trio.open_tcp_stream("127.0.0.1", small.port)
        async with stream:
            begin = trio.current_time()
            async with mesh(LARGE, timing=replace(QUICK, dead=30.0)) as large:
                await connect(large, small)
                for link in small._running:
                    link.allowance.use(10**9)
                await trio.sleep(0.3)
                begin = trio.current_time()
            assert trio.current_time() - begin < QUICK.close + 0.3


async def measured(work: Callable[[], Awaitable[object]]) -> float:
    begin = time.perf_counter()
    await work()
    return (time.perf_counter() - begin) * 1e3


async def test_links_are_quick_enough_for_races(record_property: Callable[[str, object], None]) -> None:
    """Bounds for a busy machine, far above what a quiet one needs: a few milliseconds and 0.2 ms."""
    async with mesh(SMALL) as small, mesh(LARGE) as large, trio.open_nursery() as nursery:
        nursery.start_soon(echo, large)

        async def first_echo() -> None:
            small.dial(large.key, large.addresses())
            await next_of(small, Up)
            await round_trip()

        async def round_trip() -> None:
            small.send(large.key, bytes(1024))
            await next_of(small, Frame)

        connecting = await measured(first_echo)
        trips = sorted([await measured(round_trip) for _ in range(200)])
        record_property("connect_and_first_echo_ms", connecting)
        record_property("round_trip_ms", trips[100])
        assert connecting < 500
        assert trips[100] < 20
        nursery.cancel_scope.cancel()


async def test_a_member_of_an_older_tls_is_refused() -> None:
    async with mesh(SMALL) as small:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        stream = await trio.open_ssl_over_tcp_stream("127.0.0.1", small.port, ssl_context=context)
        with pytest.raises(trio.BrokenResourceError):
            await stream.do_handshake()
        await trio.aclose_forcefully(stream)

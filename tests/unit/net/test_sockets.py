import errno
import socket
from types import SimpleNamespace

import ifaddr
import pytest
import trio
import trio.testing

from p2pkaboo.net import sockets
from p2pkaboo.net.handshake import LinkError
from p2pkaboo.net.limits import DEFAULT_TIMING
from p2pkaboo.net.sockets import Address, ListenError, local_addresses, race


def with_interfaces(monkeypatch: pytest.MonkeyPatch, *addresses: str | tuple[str, int, int]) -> None:
    adapter = SimpleNamespace(ips=[SimpleNamespace(ip=address) for address in addresses])
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [adapter])


def test_likeliest_addresses_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    with_interfaces(
        monkeypatch,
        "127.0.0.1",
        ("::1", 0, 0),
        ("fe80::1", 0, 2),
        ("2a00::7", 0, 0),
        "8.8.8.8",
        "169.254.3.4",
        "192.168.1.20",
        ("fd00::2", 0, 0),
        "192.168.1.20",
    )
    assert local_addresses() == ("192.168.1.20", "8.8.8.8", "fd00::2", "2a00::7")


def test_without_a_network_there_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with_interfaces(monkeypatch, "127.0.0.1", ("::1", 0, 0), ("fe80::1", 0, 2))
    assert local_addresses() == ("127.0.0.1",)


def test_where_the_system_does_not_tell_there_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of descriptors, for example, which whoever opens connections to us can bring about."""

    def refused() -> list[object]:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(ifaddr, "get_adapters", refused)
    assert local_addresses() == ("127.0.0.1",)


def test_addresses_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    with_interfaces(monkeypatch, *(f"10.0.0.{number}" for number in range(1, 100)))
    assert len(local_addresses()) == 8


class Network:
    """Stands for all of TCP: for each host, how long a connect takes and what comes of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, hosts: dict[str, tuple[float, str | OSError]]) -> None:
        self.tried: list[tuple[str, float]] = []
        self.closed: list[str] = []
        self._hosts = hosts
        monkeypatch.setattr(trio, "open_tcp_stream", self.open)

    async def open(self, host: str, port: int) -> "Stream":
        self.tried.append((host, trio.current_time()))
        seconds, result = self._hosts[host]
        await trio.sleep(seconds)
        if isinstance(result, OSError):
            raise result
        return Stream(self, host)

    async def handshake(self, stream: trio.SocketStream, address: Address) -> str:
        result = self._hosts[address[0]][1]
        if result == "silent":
            await trio.sleep_forever()
        await trio.sleep(0.01)
        if result != "good":
            raise LinkError(str(result))
        return address[0]

    async def race(self, *hosts: str) -> str:
        return await race([(host, 1) for host in hosts], DEFAULT_TIMING, self.handshake)


class Stream(trio.abc.AsyncResource):
    def __init__(self, network: Network, host: str) -> None:
        self.network, self.host = network, host

    async def aclose(self) -> None:
        self.network.closed.append(self.host)
        await trio.lowlevel.checkpoint()


REFUSED = ConnectionRefusedError(errno.ECONNREFUSED, "no")


async def test_each_address_has_a_head_start_over_the_next(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    network = Network(monkeypatch, {"a": (3.0, "good"), "b": (3.0, "good"), "c": (0.1, "good")})
    assert await network.race("a", "b", "c") == "c"
    assert network.tried == [("a", 0.0), ("b", 0.25), ("c", 0.5)]
    assert trio.current_time() == pytest.approx(0.61)


async def test_a_failure_lets_the_next_go_at_once(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    network = Network(monkeypatch, {"a": (0.0, REFUSED), "b": (0.0, "wrong player"), "c": (0.0, "good")})
    assert await network.race("a", "b", "c") == "c"
    assert trio.current_time() < 0.1
    assert network.closed == ["b"]


async def test_a_loser_is_closed(monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock) -> None:
    network = Network(monkeypatch, {"a": (0.255, "good"), "b": (0.0, "good")})
    assert await network.race("a", "b") == "b"
    assert network.closed == ["a"]


async def test_all_failures_are_named(monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock) -> None:
    unknown = socket.gaierror(socket.EAI_NONAME, "?")
    hosts: dict[str, tuple[float, str | OSError]] = {
        "192.0.2.1": (0.0, REFUSED),
        "2001:db8::1": (99.0, "good"),
        "kitchen": (0.0, unknown),
        "192.0.2.2": (0.0, "silent"),
        "192.0.2.3": (0.0, "wrong player"),
        "192.0.2.4": (0.0, OSError("?")),
    }
    network = Network(monkeypatch, hosts)
    with pytest.raises(LinkError) as caught:
        await network.race(*hosts)
    assert str(caught.value).split("; ") == [
        "192.0.2.1:1: connection refused",
        "[2001:db8::1]:1: no answer",
        "kitchen:1: this name is not known",
        "192.0.2.2:1: it takes the connection but does not answer",
        "192.0.2.3:1: wrong player",
        "192.0.2.4:1: not reachable",
    ]
    assert sorted(network.closed) == ["192.0.2.2", "192.0.2.3"]


@pytest.mark.parametrize("host", ["x" * 64, "a..b", "a\0b", "\u2028", "\u0660.1.1.1", "1.2.3.4.5", ""])
async def test_an_address_that_is_none_keeps_nobody_from_the_others(host: str) -> None:
    """Addresses come from others, who may say anything: it is an error of that address, and the next one is tried."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listeners[0].socket.getsockname()[1]

    async def handshake(stream: trio.SocketStream, address: Address) -> str:
        await stream.aclose()
        return address[0]

    assert await race([(host, 9), ("127.0.0.1", port)], DEFAULT_TIMING, handshake) == "127.0.0.1"
    with pytest.raises(LinkError, match=r"this (name is not known|is no name of a machine)"):
        await race([(host, 9)], DEFAULT_TIMING, handshake)
    await listeners[0].aclose()


async def test_cancelling_a_race_closes_what_was_open(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    network = Network(monkeypatch, {"a": (0.0, "silent"), "b": (0.0, "good")})
    with trio.move_on_after(1):
        await network.race("a", "b")
    assert sorted(network.closed) == ["a", "b"]


async def test_the_port_of_before_is_used_again_unless_it_is_taken() -> None:
    (taken,) = await sockets.listen(None, "127.0.0.1")
    port = taken.socket.getsockname()[1]
    (other,) = await sockets.listen(None, "127.0.0.1", before=port)
    assert other.socket.getsockname()[1] != port
    await other.aclose()
    await taken.aclose()
    (again,) = await sockets.listen(None, "127.0.0.1", before=port)
    assert again.socket.getsockname()[1] == port
    await again.aclose()


async def test_when_every_port_is_taken_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    async def taken(port: int, host: str | None) -> list[trio.SocketListener]:
        tried.append(port)
        raise sockets.PortTaken(port)

    monkeypatch.setattr(sockets, "_bind", taken)
    with pytest.raises(ListenError, match="no free port found: 27620 and 63 random ones are taken"):
        await sockets.listen(None)
    assert tried[0] == 27620
    assert len(tried) == 64
    assert all(20000 <= port < 32768 for port in tried)


async def test_a_port_that_may_not_be_used_is_told_from_one_that_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    async def forbidden(port: int, host: str | None) -> list[trio.SocketListener]:
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(trio, "open_tcp_listeners", forbidden)
    with pytest.raises(ListenError, match="port 80 may not be used by this user"):
        await sockets.listen(80)


async def test_a_host_that_is_not_this_machines_is_named() -> None:
    with pytest.raises(ListenError, match=r"cannot listen on port 27620 of 192\.0\.2\.99"):
        await sockets.listen(27620, "192.0.2.99")

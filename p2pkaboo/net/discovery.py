"""Open tables on the local network: announced and found by DNS-SD over multicast DNS (RFC 6763, RFC 6762).

An announced table shows its secret and its opener's key to everybody on the network: that is what "open" means here.
What strangers say is taken only in exactly the form that `announce` writes; everything else is passed over.
`zeroconf` runs in threads of its own beside Trio.
"""

import ipaddress
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import trio
from zeroconf import Error as ZeroconfError
from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf

from p2pkaboo.net.limits import MAX_ADDRESSES
from p2pkaboo.net.sockets import Address
from p2pkaboo.net.tls import SECRET_BYTES
from p2pkaboo.wire.limits import MAX_NAME, MAX_SEATS

__all__ = ["SERVICE", "Announcement", "Found", "Lost", "OpenTable", "announce", "browse"]

SERVICE: Final = "_p2pkaboo._tcp.local."

_VERSION: Final = b"1"
_KEYS: Final = frozenset({b"v", b"name", b"secret", b"key", b"seats", b"rules"})
_SEATS: Final = re.compile(rb"([1-9])/([1-9])")

_MAX_TABLES: Final = 64
"""Tables looked at on one network: a stranger who announces more fills this list, not our memory."""

_RESOLVE_MS: Final = 2000
"""For the details of a table once its name is known: they usually come with it, else after one lost packet and
another try."""

_MAX_ASKING: Final = 8
"""Tables whose details are asked for at once: each takes one of Trio's forty threads, which others need too, and a
stranger can name tables that never answer."""

_OPEN_S: Final = 10.0
"""For opening the sockets: it takes milliseconds, but `zeroconf` waits for ever for a thread of its own that has failed
on one of them."""

_CLOSE_S: Final = 3.0
"""For taking back announcements (a goodbye is sent three times, 0.125 s apart) and stopping the threads."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """What an announcement says. `key`: the opener's 32 bytes; `secret`: the table's 16; `name`, `rules`: 1 to 40
    printable letters."""

    name: str
    key: bytes
    secret: bytes
    rules: str
    seats_taken: int
    seats_wanted: int

    def __post_init__(self) -> None:
        """Raises ValueError for what may not be announced."""
        for what, text in (("name", self.name), ("rules' name", self.rules)):
            if not (1 <= len(text) <= MAX_NAME and text.isprintable() and text == text.strip()):
                raise ValueError(
                    f"the table's {what} is {text[:MAX_NAME]!r}, expected 1 to {MAX_NAME} printable letters"
                )
        if len(self.key) != 32 or len(self.secret) != SECRET_BYTES:
            raise ValueError(f"a table has a key of 32 and a secret of {SECRET_BYTES} bytes")
        if not 1 <= self.seats_taken <= self.seats_wanted or not 2 <= self.seats_wanted <= MAX_SEATS:
            raise ValueError(
                f"{self.seats_taken} of {self.seats_wanted} seats are not possible, expected 1 to {MAX_SEATS}"
            )


@dataclass(frozen=True, slots=True)
class Found:
    """A table is announced, or what is said of it has changed. `id` names the announcement on this network."""

    id: str
    table: OpenTable
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """That announcement is no longer made."""

    id: str


Sighting: TypeAlias = Found | Lost


def _properties(table: OpenTable) -> dict[str | bytes, str | bytes | None]:
    return {
        b"v": _VERSION,
        b"name": table.name.encode(),
        b"secret": table.secret.hex().encode(),
        b"key": table.key.hex().encode(),
        b"seats": f"{table.seats_taken}/{table.seats_wanted}".encode(),
        b"rules": table.rules.encode(),
    }


def parse_properties(properties: Mapping[bytes, bytes | None]) -> OpenTable | None:
    """The table in the key-value pairs of a TXT record (RFC 6763 section 6), or None if they are not exactly those
    `announce` writes."""
    values = {key: value for key, value in properties.items() if value is not None}
    if values.keys() != _KEYS or len(properties) != len(_KEYS) or values[b"v"] != _VERSION:
        return None
    seats = _SEATS.fullmatch(values[b"seats"])
    if seats is None:
        return None
    try:
        table = OpenTable(
            values[b"name"].decode(),
            bytes.fromhex(values[b"key"].decode("ascii")),
            bytes.fromhex(values[b"secret"].decode("ascii")),
            values[b"rules"].decode(),
            int(seats[1]),
            int(seats[2]),
        )
    except ValueError:
        return None
    return table if _properties(table) == values else None


def parse_addresses(hosts: list[str], port: int | None) -> tuple[Address, ...]:
    """The addresses of an announcement that can be dialled, IPv4 first."""
    if port is None or not 0 < port < 1 << 16:
        return ()
    usable = []
    for host in hosts:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            continue
        if not (address.is_multicast or address.is_unspecified or (address.version == 6 and address.is_link_local)):
            usable.append(address)
    usable.sort(key=lambda address: address.version)
    return tuple((str(address), port) for address in usable[:MAX_ADDRESSES])


@asynccontextmanager
async def _zeroconf() -> AsyncIterator[Zeroconf]:
    zeroconf = await _opened()
    try:
        yield zeroconf
    finally:
        with trio.move_on_after(_CLOSE_S, shield=True), suppress(ZeroconfError):
            await trio.to_thread.run_sync(zeroconf.close, abandon_on_cancel=True)


async def _opened() -> Zeroconf:
    waited_for = True

    def work() -> Zeroconf:
        zeroconf = _open()
        if not waited_for:
            zeroconf.close()
        return zeroconf

    try:
        with trio.fail_after(_OPEN_S), _plain_errors():
            return await trio.to_thread.run_sync(work, abandon_on_cancel=True)
    except trio.TooSlowError:
        raise OSError("multicast DNS cannot be started") from None
    finally:
        waited_for = False


@contextmanager
def _plain_errors() -> Iterator[None]:
    """What `zeroconf` may find wrong with a machine or a network, as OSError."""
    try:
        yield
    except (ZeroconfError, RuntimeError) as error:
        if str(error).startswith("No interfaces"):  # its words for users of the library, no class of their own
            raise OSError("this computer is in no network") from error
        raise OSError(f"multicast DNS: {str(error) or type(error).__name__}") from error


def _open() -> Zeroconf:
    # It warns, with tracebacks, of every interface that takes no multicast: there always are some, and it goes on.
    logging.getLogger("zeroconf").setLevel(logging.ERROR)
    try:
        return Zeroconf(ip_version=IPVersion.All, use_asyncio=False)
    except OSError:  # no IPv6 on this machine
        return Zeroconf(ip_version=IPVersion.V4Only, use_asyncio=False)


class Announcement:
    """A table that is being announced."""

    def __init__(self, zeroconf: Zeroconf, info: ServiceInfo) -> None:
        self._zeroconf = zeroconf
        self._info = info

    async def update(self, table: OpenTable) -> None:
        """Says something new of the same table. Raises OSError where that cannot be done."""
        info = ServiceInfo(
            SERVICE,
            self._info.name,
            port=self._info.port,
            server=self._info.server,
            parsed_addresses=self._info.parsed_addresses(),
            properties=_properties(table),
        )
        with _plain_errors():
            await trio.to_thread.run_sync(self._zeroconf.update_service, info, abandon_on_cancel=True)
        self._info = info


@asynccontextmanager
async def announce(table: OpenTable, addresses: tuple[Address, ...]) -> AsyncIterator[Announcement]:
    """Announces a table for as long as the context lasts. `addresses`: IP addresses of this machine, all with the
    same port.

    Raises ValueError for other addresses, OSError where this machine or its network takes no part in multicast DNS.
    """
    ports = {port for _, port in addresses}
    if len(ports) != 1:
        raise ValueError(f"a table is announced at one port, not at {sorted(ports)}")
    # Named by the key, so that an opener who comes back after a crash replaces its own stale announcement.
    label = table.key.hex()[:16]
    info = ServiceInfo(
        SERVICE,
        f"{label}.{SERVICE}",
        port=ports.pop(),
        server=f"{label}.local.",
        parsed_addresses=[host for host, _ in addresses],
        properties=_properties(table),
    )
    async with _zeroconf() as zeroconf:
        # Should somebody else already use the name, "-2" is put behind it.
        register = partial(zeroconf.register_service, info, allow_name_change=True)
        with _plain_errors():
            await trio.to_thread.run_sync(register, abandon_on_cancel=True)
        yield Announcement(zeroconf, info)


class _Watch:
    """Turns zeroconf's names that come and go into sightings of tables."""

    def __init__(self, zeroconf: Zeroconf, nursery: trio.Nursery, out: trio.MemorySendChannel[Sighting]) -> None:
        self._zeroconf = zeroconf
        self._nursery = nursery
        self._out = out
        self._latest: dict[str, int] = {}
        """For each name, the number of its latest change: an answer to an earlier question is out of date."""
        self._followed: set[str] = set()
        """Names whose details are being asked for."""
        self._asking = trio.CapacityLimiter(_MAX_ASKING)
        self._shown: dict[str, Found] = {}
        self._count = 0
        self.closed = False
        """Changes may still be on their way from zeroconf's thread when the looking has ended."""

    def change(self, name: str, gone: bool) -> None:
        if self.closed:
            return
        self._count += 1
        if gone:
            self._latest.pop(name, None)
            self._hide(name)
        elif name in self._latest or len(self._latest) < _MAX_TABLES:
            self._latest[name] = self._count
            if name not in self._followed:
                self._followed.add(name)
                self._nursery.start_soon(self._follow, name)

    async def _follow(self, name: str) -> None:
        """Asks for the details of a table, and again if it has changed meanwhile."""
        while number := self._latest.get(name):
            info = await trio.to_thread.run_sync(self._ask, name, abandon_on_cancel=True, limiter=self._asking)
            if self.closed:
                return
            if self._latest.get(name) == number:
                self._show(name, info)
                break
        self._followed.discard(name)

    def _show(self, name: str, info: ServiceInfo | None) -> None:
        table = None if info is None else parse_properties(info.properties)
        addresses = () if info is None else parse_addresses(info.parsed_addresses(), info.port)
        if table is None or not addresses:
            self._hide(name)
            return
        found = Found(name, table, addresses)
        if self._shown.get(name) != found:
            self._shown[name] = found
            self._out.send_nowait(found)

    def _ask(self, name: str) -> ServiceInfo | None:
        try:
            return self._zeroconf.get_service_info(SERVICE, name, _RESOLVE_MS)
        except Exception:  # a name that zeroconf cannot take, or the end of everything: nothing to be shown either way
            return None

    def _hide(self, name: str) -> None:
        if self._shown.pop(name, None) is not None:
            self._out.send_nowait(Lost(name))


@asynccontextmanager
async def browse() -> AsyncIterator[trio.MemoryReceiveChannel[Sighting]]:
    """Looks for open tables for as long as the context lasts; iterate over what it gives for Found and Lost.

    The own table is among them, if one is announced. Raises OSError where this machine or its network takes no part in
    multicast DNS.
    """
    # Unbounded, but never long: a table's changes come no faster than the network's packets.
    out, sightings = trio.open_memory_channel[Sighting](float("inf"))
    token = trio.lowlevel.current_trio_token()
    failure: Exception | None = None
    async with _zeroconf() as zeroconf, trio.open_nursery() as nursery:
        watch = _Watch(zeroconf, nursery, out)
        browser: ServiceBrowser | None = None
        try:
            with _plain_errors():
                browser = await trio.to_thread.run_sync(_start_browser, zeroconf, partial(_pass_on, token, watch))
            yield sightings
        except Exception as error:
            failure = error
        finally:
            watch.closed = True
            sightings.close()
            nursery.cancel_scope.cancel()
            if browser is not None:
                with trio.move_on_after(_CLOSE_S, shield=True):
                    await trio.to_thread.run_sync(browser.cancel, abandon_on_cancel=True)
    if failure is not None:
        raise failure


def _start_browser(zeroconf: Zeroconf, change: Callable[[str, bool], None]) -> ServiceBrowser:
    def on_change(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        change(name, state_change is ServiceStateChange.Removed)

    return ServiceBrowser(zeroconf, SERVICE, handlers=[on_change])


def _pass_on(token: trio.lowlevel.TrioToken, watch: _Watch, name: str, gone: bool) -> None:
    """From zeroconf's thread to Trio's."""
    with suppress(trio.RunFinishedError):  # then nobody is listening any more
        token.run_sync_soon(watch.change, name, gone)

"""Listening, dialling and this machine's addresses: everything about TCP that a mesh needs."""

import errno
import ipaddress
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias, TypeVar

import ifaddr
import trio

from p2pkaboo.net.handshake import LinkError
from p2pkaboo.net.limits import DEFAULT_PORT, FALLBACK_PORTS, FALLBACK_TRIES, MAX_ADDRESSES, Timing

__all__ = ["Address", "ListenError", "PortTaken", "listen", "local_addresses", "race"]

Address: TypeAlias = tuple[str, int]
"""A host (IPv4, IPv6 or name) and a TCP port."""

T = TypeVar("T")


class ListenError(Exception):
    """This peer cannot listen: one plain sentence says why."""


class PortTaken(ListenError):
    """The port that was asked for belongs to another program."""

    def __init__(self, port: int) -> None:
        super().__init__(f"port {port} is taken by another program; choose another one, or none")
        self.port = port


async def listen(port: int | None, host: str | None = None, *, before: int | None = None) -> list[trio.SocketListener]:
    """Listeners on one port of `host` (None: all interfaces, IPv4 and IPv6). `port` None: the one of `before`, where
    others look for us, or the default one; a random one if that is taken.

    Raises PortTaken for a given port in use, ListenError for one that may not or cannot be used.
    """
    if port is not None:
        if not 0 < port < 1 << 16:
            raise ListenError(f"port {port} does not exist, expected 1 to 65535")
        return await _bind(port, host)
    first = candidate = DEFAULT_PORT if before is None else before
    for _ in range(FALLBACK_TRIES):
        try:
            return await _bind(candidate, host)
        except PortTaken:
            candidate = FALLBACK_PORTS[secrets.randbelow(len(FALLBACK_PORTS))]
    raise ListenError(f"no free port found: {first} and {FALLBACK_TRIES - 1} random ones are taken")


async def _bind(port: int, host: str | None) -> list[trio.SocketListener]:
    try:
        return await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        if error.errno == errno.EADDRINUSE or (
            isinstance(error.__cause__, OSError) and error.__cause__.errno == errno.EADDRINUSE
        ):
            raise PortTaken(port) from error
        if isinstance(error, PermissionError):
            raise ListenError(f"port {port} may not be used by this user; those above 1023 may") from error
        raise ListenError(
            f"cannot listen on port {port} of {host or 'this machine'}: {error.strerror or error}"
        ) from error


def local_addresses() -> tuple[str, ...]:
    """Hosts under which other machines may reach this one, likeliest first; the loopback address if there is no
    network at all, or the system does not tell."""
    found = []
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:  # also where this process has as many files open as it may: no reason to fall
        adapters = []
    for adapter in adapters:
        for entry in adapter.ips:
            address = ipaddress.ip_address(entry.ip if isinstance(entry.ip, str) else entry.ip[0])
            # Link-local addresses need the name of the interface, which is another one on the other machine.
            if not (address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified):
                found.append(address)
    found.sort(key=lambda address: (address.version, not address.is_private))
    return tuple(dict.fromkeys(str(address) for address in found))[:MAX_ADDRESSES] or ("127.0.0.1",)


async def race(
    addresses: Sequence[Address], timing: Timing, handshake: Callable[[trio.SocketStream, Address], Awaitable[T]]
) -> T:
    """Connects to the addresses in turn, each with a head start over the next, and gives the first `handshake` that
    succeeds.

    Handshakes are done one at a time, so that the other end never sees two of them: two addresses often lead to one
    peer. Raises LinkError if none succeeds: the message names each address and what was wrong with it.
    """
    if not addresses:
        raise LinkError("no address is known")
    winners: list[T] = []
    troubles: dict[Address, str] = {}
    one_at_a_time = trio.Lock()
    failures = [trio.Event() for _ in addresses]

    async def attempt(index: int, address: Address, scope: trio.CancelScope) -> None:
        if index:  # go ahead when the one before has had its head start, or has failed
            with trio.move_on_after(timing.stagger * index):
                await failures[index - 1].wait()
        try:
            stream = await _connect(address, timing.connect)
            try:
                async with one_at_a_time:
                    with trio.move_on_after(timing.handshake):
                        winners.append(await handshake(stream, address))
                        scope.cancel()
                        return
                raise LinkError("it takes the connection but does not answer")
            except BaseException:
                await trio.aclose_forcefully(stream)
                raise
        except LinkError as error:
            troubles[address] = str(error)
            failures[index].set()

    async with trio.open_nursery() as nursery:
        for index, address in enumerate(addresses):
            nursery.start_soon(attempt, index, address, nursery.cancel_scope)
    if not winners:
        raise LinkError("; ".join(f"{_spell(address)}: {troubles[address]}" for address in addresses))
    return winners[0]


async def _connect(address: Address, patience: float) -> trio.SocketStream:
    host, port = address
    try:
        with trio.fail_after(patience):
            return await trio.open_tcp_stream(host, port)
    except trio.TooSlowError:
        raise LinkError("no answer") from None
    except OSError as error:
        raise LinkError(_why(error)) from error
    except UnicodeError:  # a label of 64 letters, an empty one, or letters that no name may hold: others may say so
        raise LinkError("this is no name of a machine") from None


def _why(error: OSError) -> str:
    """The system's own words; `open_tcp_stream` hides them in a cause, or in a group of causes if a name has several
    addresses."""
    if isinstance(error, socket.gaierror):
        return "this name is not known"
    cause: BaseException | None = error.__cause__
    while isinstance(cause, BaseExceptionGroup):
        cause = cause.exceptions[0]
    if isinstance(cause, OSError):
        error = cause
    words = os.strerror(error.errno) if error.errno else ""
    if not words or words.startswith("Unknown"):  # Windows keeps the words for its sockets elsewhere
        words = error.strerror or "not reachable"
    return words.lower()


def _spell(address: Address) -> str:
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

"""The gate: what connections may cost us before they have proved to come from the table.

A handshake takes a few milliseconds of the event loop that also decides races. Each address therefore has a small
allowance of *failed* handshakes that refills slowly; connections beyond it wait. A handshake that succeeds gives its
allowance back, so members who come and go pay nothing. Among those waiting, and among all under way, the newest is
served and the oldest dropped: a stranger who holds a hundred connections open, or opens a hundred at once, cannot
keep a member out who comes after them.
"""

import ipaddress
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import trio

__all__ = ["Gate", "Visit"]

_ALLOWANCE: Final = 20.0
"""Failed handshakes an address may make at once: a household of eight whose clocks, secrets or versions are all
wrong, twice over."""

_REFILL_PER_S: Final = 5.0
"""Failed handshakes an address may make per second after that: about one per cent of a core."""

_MAX_PENDING: Final = 64
"""Connections in their handshakes at once, over all addresses."""

_MAX_PENDING_PER_ADDRESS: Final = 16
"""The same for one address: two tables of eight behind one router."""

_MAX_REMEMBERED: Final = 1024
"""Addresses remembered; the one that has been quiet for longest is forgotten first."""


@dataclass(slots=True, eq=False)
class _Address:
    allowance: float = _ALLOWANCE
    refilled: float = 0.0
    visits: list["Visit"] = field(default_factory=list)
    """Under way, oldest first."""

    def refill(self, now: float) -> None:
        self.allowance = min(_ALLOWANCE, self.allowance + (now - self.refilled) * _REFILL_PER_S)
        self.refilled = now


@dataclass(slots=True, eq=False)
class Visit:
    """One connection's way through the gate."""

    scope: trio.CancelScope
    address: _Address
    waiting: bool = True
    welcomed: bool = False

    async def turn(self) -> None:
        """Waits until this connection may do its handshake."""
        address = self.address
        while True:
            address.refill(trio.current_time())
            newest = next((other for other in reversed(address.visits) if other.waiting), None)
            if newest is self and address.allowance >= 1.0:
                break
            await trio.sleep(max(1.0 - address.allowance, 0.1) / _REFILL_PER_S)
        self.waiting = False
        address.allowance -= 1.0

    def welcome(self) -> None:
        """The handshake succeeded: it costs its address nothing."""
        if not self.welcomed:
            self.welcomed = True
            self.address.allowance = min(_ALLOWANCE, self.address.allowance + 1.0)


def _household(host: str) -> str:
    """What counts as one address: an IPv6 customer owns at least a /64, so single IPv6 addresses are free to change."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


class Gate:
    """The allowances of all addresses and the connections under way."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, _Address] = OrderedDict()
        self._visits: list[Visit] = []

    @contextmanager
    def visit(self, host: str, deadline: float) -> Iterator[Visit]:
        """The body waits for its turn, does the handshake, and says `welcome` if it went well.

        The body is cancelled at `deadline` (Trio time) or when newer connections push this one out; the context then
        ends without an error.
        """
        address = self._address(host)
        with trio.CancelScope(deadline=deadline) as scope:
            visit = Visit(scope, address)
            if len(address.visits) >= _MAX_PENDING_PER_ADDRESS:
                self._drop(address.visits[0])
            if len(self._visits) >= _MAX_PENDING:
                self._drop(self._visits[0])
            address.visits.append(visit)
            self._visits.append(visit)
            try:
                yield visit
            finally:
                self._forget(visit)

    def pending(self) -> int:
        """Connections in their handshakes now."""
        return len(self._visits)

    def _address(self, host: str) -> _Address:
        key = _household(host)
        if key not in self._addresses:
            self._addresses[key] = _Address(refilled=trio.current_time())
        self._addresses.move_to_end(key)
        address = self._addresses[key]
        if len(self._addresses) > _MAX_REMEMBERED:
            self._addresses.popitem(last=False)
        return address

    def _drop(self, visit: Visit) -> None:
        visit.scope.cancel()
        self._forget(visit)

    def _forget(self, visit: Visit) -> None:
        if visit in self._visits:
            self._visits.remove(visit)
            visit.address.visits.remove(visit)

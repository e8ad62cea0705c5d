"""The gate: what connections may cost us before they have proved to come from the table.

A handshake takes a few milliseconds of the event loop that also decides races. Each address therefore has a small
allowance of *failed* handshakes that refills slowly; connections beyond it wait. A handshake that succeeds gives its
allowance back, so members who come and go pay nothing; one who does nothing else pays like a stranger. Among those
waiting, and among all under way, the newest is served and the oldest dropped: a stranger who holds a hundred
connections open, or opens a hundred at once, cannot keep a member out who comes after them.
"""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

import trio

__all__ = ["Gate", "Visit"]

K = TypeVar("K")
V = TypeVar("V")

_ALLOWANCE: Final = 20.0
"""Failed handshakes an address may make at once: a household of eight whose clocks, secrets or versions are all
wrong, twice over."""

_REFILL_PER_S: Final = 5.0
"""Failed handshakes an address may make per second after that: about one per cent of a core."""

_FREE: Final = 8.0
"""Handshakes a player may make at once that cost its address nothing: restarts, and calls that crossed."""

_FREE_PER_S: Final = 1.0
"""Handshakes a player may make per second after that at no cost: a link that lasts no second is of use to nobody, and
an endless row of them takes a core."""

_MAX_PENDING: Final = 64
"""Connections in their handshakes at once, over all addresses."""

_MAX_PENDING_PER_ADDRESS: Final = 16
"""The same for one address: two tables of eight behind one router."""

_MAX_REMEMBERED: Final = 1024
"""Addresses remembered, and players; the one that has been quiet for longest is forgotten first."""


@dataclass(slots=True, eq=False)
class _Purse:
    """What is left of an allowance that refills."""

    most: float
    per_s: float
    refilled: float
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.most

    def refill(self) -> None:
        now = trio.current_time()
        self.left = min(self.most, self.left + (now - self.refilled) * self.per_s)
        self.refilled = now


@dataclass(slots=True, eq=False)
class _Address:
    purse: _Purse
    visits: list["Visit"] = field(default_factory=list)
    """Under way, oldest first."""


@dataclass(slots=True, eq=False)
class Visit:
    """One connection's way through the gate."""

    scope: trio.CancelScope
    address: _Address
    purse_of: Callable[[bytes], _Purse]
    """What a player may do at no cost."""
    waiting: bool = True
    welcomed: bool = False

    async def turn(self) -> None:
        """Waits until this connection may do its handshake."""
        address, purse = self.address, self.address.purse
        while True:
            purse.refill()
            newest = next((other for other in reversed(address.visits) if other.waiting), None)
            if newest is self and purse.left >= 1.0:
                break
            await trio.sleep(max(1.0 - purse.left, 0.1) / _REFILL_PER_S)
        self.waiting = False
        purse.left -= 1.0

    def welcome(self, key: bytes) -> None:
        """The handshake of this player succeeded: it costs its address nothing, unless the player makes one after
        another."""
        if self.welcomed:
            return
        self.welcomed = True
        free = self.purse_of(key)
        free.refill()
        if free.left >= 1.0:
            free.left -= 1.0
            self.address.purse.left = min(_ALLOWANCE, self.address.purse.left + 1.0)


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


def _remembered(known: OrderedDict[K, V], key: K, new: Callable[[], V]) -> V:
    """What is known of somebody, or new; whoever has been quiet for longest may be forgotten for it."""
    if key not in known:
        known[key] = new()
    known.move_to_end(key)
    value = known[key]
    if len(known) > _MAX_REMEMBERED:
        known.popitem(last=False)
    return value


class Gate:
    """The allowances of all addresses and players, and the connections under way."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, _Address] = OrderedDict()
        self._players: OrderedDict[bytes, _Purse] = OrderedDict()
        self._visits: list[Visit] = []

    @contextmanager
    def visit(self, host: str, deadline: float) -> Iterator[Visit]:
        """The body waits for its turn, does the handshake, and says `welcome` if it went well.

        The body is cancelled at `deadline` (Trio time) or when newer connections push this one out; the context then
        ends without an error.
        """
        address = self._address(host)
        with trio.CancelScope(deadline=deadline) as scope:
            visit = Visit(scope, address, self._purse_of)
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
        return _remembered(
            self._addresses,
            _household(host),
            lambda: _Address(_Purse(_ALLOWANCE, _REFILL_PER_S, trio.current_time())),
        )

    def _purse_of(self, key: bytes) -> _Purse:
        return _remembered(self._players, key, lambda: _Purse(_FREE, _FREE_PER_S, trio.current_time()))

    def _drop(self, visit: Visit) -> None:
        visit.scope.cancel()
        self._forget(visit)

    def _forget(self, visit: Visit) -> None:
        if visit in self._visits:
            self._visits.remove(visit)
            visit.address.visits.remove(visit)

"""What a mesh reports, and the queue it is reported through."""

from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

__all__ = ["Allowance", "Down", "Event", "Frame", "Inbox", "Up"]


@dataclass(frozen=True, slots=True)
class Up:
    """A link to the player with this key stands. A second Up without a Down between: a newer link has taken the older
    one's place.

    Frames that came by an earlier link, or were under way on it, may be lost; whoever needs them sends them again.
    """

    key: bytes
    """32-byte Ed25519 identity, proved by the handshake."""
    host: str
    """The address the link came from or went to, as this machine sees it."""
    port: int
    outgoing: bool
    """Whether this end dialled: only then is (`host`, `port`) where the other one listens."""


@dataclass(frozen=True, slots=True)
class Down:
    """No link to that player stands any more."""

    key: bytes
    reason: str
    """One plain sentence."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame from the player with this key, 0 to MAX_FRAME bytes that mean nothing here."""

    key: bytes
    data: bytes
    stamp: int
    """`time.monotonic_ns()` when its last byte was read from the socket, before decryption."""


Event: TypeAlias = Frame | Up | Down

BURST_SECONDS: Final = 0.001
"""How long events are handed out at a stretch: frames come in groups (every seat answers at once, and passes on what
the others say), and what is said to each seat leaves in one write where they are heard together. Sockets wait that long
at most for their stamps: no longer than the millisecond in which a race's times are told."""

SHARE: Final = 64
"""Events of one player that stand in the common queue; what it says beyond waits behind them. A flood of frames with
false signatures would else hold up everybody's for seconds; so it does for some hundredths of one."""

_FRAME_OVERHEAD: Final = 256
"""Bytes that a queued frame costs beside its data, about: else a flood of empty frames would be free."""


class Allowance:
    """Unread bytes of one link: its reader stops at the bound and goes on when the frames have been taken out."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._used = 0
        self._freed = trio.Event()

    @property
    def spent(self) -> bool:
        return self._used >= self._limit

    def use(self, count: int) -> None:
        self._used += count

    def free(self, count: int) -> None:
        self._used -= count
        self._freed.set()

    async def wait(self) -> None:
        while self.spent:
            self._freed = trio.Event()
            await self._freed.wait()


class Inbox:
    """Events of all links in the order they were read, but for players who have more than their SHARE waiting: of each
    player they are always in order. Putting never waits: each link watches its own allowance instead."""

    def __init__(self) -> None:
        self._events: deque[tuple[Event, Allowance | None]] = deque()
        self._standing: dict[bytes, int] = {}
        """How many of those are of each player."""
        self._behind: dict[bytes, deque[tuple[Event, Allowance | None]]] = {}
        """What players have said beyond their share."""
        self._readers = trio.lowlevel.ParkingLot()
        self._pause_at = 0.0

    def put(self, event: Event, allowance: Allowance | None = None) -> None:
        if allowance is not None and isinstance(event, Frame):
            allowance.use(len(event.data) + _FRAME_OVERHEAD)
        if not isinstance(event, Frame):
            self._drop_behind(event.key)
        if self._standing.get(event.key, 0) < SHARE:
            self._stand(event, allowance)
        else:
            self._behind.setdefault(event.key, deque()).append((event, allowance))
        self._readers.unpark()

    async def get(self) -> Event:
        """The next event. Not a checkpoint each time: see BURST_SECONDS."""
        await trio.lowlevel.checkpoint_if_cancelled()
        if self._events and trio.current_time() >= self._pause_at:
            await trio.lowlevel.cancel_shielded_checkpoint()
            self._pause_at = trio.current_time() + BURST_SECONDS
        while not self._events:
            await self._readers.park()
            self._pause_at = trio.current_time() + BURST_SECONDS
        event, allowance = self._events.popleft()
        self._move_up(event.key)
        if allowance is not None and isinstance(event, Frame):
            allowance.free(len(event.data) + _FRAME_OVERHEAD)
        return event

    def _drop_behind(self, key: bytes) -> None:
        """The link of this player has ended, or a newer one has taken its place: what it said beyond its share and
        nobody has taken yet is lost. A row of links, each filled up to its allowance, would else have no bound."""
        behind = self._behind.pop(key, ())
        for event, allowance in behind:
            if allowance is not None and isinstance(event, Frame):
                allowance.free(len(event.data) + _FRAME_OVERHEAD)
        rest = (entry for entry in behind if not isinstance(entry[0], Frame))
        kept: deque[tuple[Event, Allowance | None]] = deque(rest)
        if kept:
            self._behind[key] = kept

    def _stand(self, event: Event, allowance: Allowance | None) -> None:
        self._standing[event.key] = self._standing.get(event.key, 0) + 1
        self._events.append((event, allowance))

    def _move_up(self, key: bytes) -> None:
        """An event of this player has been taken out: its next one may stand at the end."""
        self._standing[key] -= 1
        behind = self._behind.get(key)
        if behind:
            self._stand(*behind.popleft())
        if not behind:
            self._behind.pop(key, None)
        if not self._standing[key]:
            del self._standing[key]

    # Not a generator, so that a loop over it may be left at any event.
    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        return await self.get()

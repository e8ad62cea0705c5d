"""News to any number of screens: every event before the snapshot that holds its result, nobody holds up anybody."""

from collections import deque
from collections.abc import AsyncIterator
from typing import Final

import trio

from p2pkaboo.peer import api

MAX_EVENTS: Final = 256
"""Events kept for a subscriber that does not read: motion only, the next snapshot is complete without them."""


class Subscription:
    """One subscriber's stream: the newest snapshot, and the events before it."""

    def __init__(self, feed: "Feed") -> None:
        self._feed = feed
        self._events: deque[api.AnyEvent] = deque(maxlen=MAX_EVENTS)
        self._snapshot: api.Snapshot | None = None
        self._wake = trio.Event()
        self._closed = False

    def put(self, events: list[api.AnyEvent], snapshot: api.Snapshot) -> None:
        """Takes in what was published; never blocks."""
        self._events.extend(events)
        self._snapshot = snapshot
        self._wake.set()

    def __aiter__(self) -> AsyncIterator[api.Snapshot | api.AnyEvent]:
        return self

    async def __anext__(self) -> api.Snapshot | api.AnyEvent:
        while not self._closed:
            if self._events:
                await trio.lowlevel.checkpoint()
                return self._events.popleft()
            if self._snapshot is not None:
                await trio.lowlevel.checkpoint()
                snapshot, self._snapshot = self._snapshot, None
                return snapshot
            self._wake = trio.Event()
            await self._wake.wait()
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Ends the stream."""
        self._closed = True
        self._wake.set()
        self._feed.drop(self)
        await trio.lowlevel.checkpoint()


class Feed:
    """All subscribers."""

    def __init__(self) -> None:
        self._subscriptions: set[Subscription] = set()

    @property
    def watched(self) -> bool:
        """Whether anybody is told."""
        return bool(self._subscriptions)

    def subscribe(self) -> Subscription:
        """A new stream, from now on."""
        subscription = Subscription(self)
        self._subscriptions.add(subscription)
        return subscription

    def drop(self, subscription: Subscription) -> None:
        """Forgets a stream that was closed."""
        self._subscriptions.discard(subscription)

    def publish(self, events: list[api.AnyEvent], snapshot: api.Snapshot) -> None:
        """Hands everybody the events and then the snapshot."""
        for subscription in self._subscriptions:
            subscription.put(events, snapshot)

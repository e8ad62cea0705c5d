"""Round trips before the charter: newcomers ping each other, and know how far each is when they agree on a race preset.

At the table `talk` goes on with it, by seats instead of keys and more slowly.
"""

from collections.abc import Callable
from typing import Final

import trio

from p2pkaboo.crypto.group import Rng
from p2pkaboo.crypto.identity import Identity, PublicIdentity
from p2pkaboo.peer.lobby_wires import LobbyWires
from p2pkaboo.peer.manners import PINGS, Rate
from p2pkaboo.replica.clock import PINGS_KEPT
from p2pkaboo.wire.frames import Ping, Pong, encode_frame, seal_ping, seal_pong, verify_ping

PING_SECONDS: Final = 0.5
"""How often round trips are measured before the charter: a dozen are there when people have greeted each other."""

MAX_PINGS: Final = 256
"""Unanswered pings remembered: some seconds of them to as many as a peer has links to."""


class RoundTrips:
    """The last round trips to everybody who has a link. `now`: microseconds."""

    def __init__(self, identity: Identity, wires: LobbyWires, rng: Rng, now: Callable[[], int]) -> None:
        self._identity, self._wires, self._rng, self._now = identity, wires, rng, now
        self._rate = Rate(*PINGS)
        self._pings: dict[bytes, tuple[bytes, int]] = {}
        self._trips: dict[bytes, list[int]] = {}

    def of(self, key: bytes) -> list[int]:
        """The last round trips to this key, microseconds: a list that grows as long as its link stands."""
        return self._trips.setdefault(key, [])

    def last(self, key: bytes) -> tuple[int, ...]:
        """The last round trips to this key as they are now, microseconds; none to ourselves."""
        return tuple(self._trips.get(key, ()))

    def measured(self) -> list[bytes]:
        """To whom there is a measured link."""
        return [key for key, trips in self._trips.items() if trips]

    def forget(self, key: bytes) -> None:
        """The link of this key is down."""
        self._trips.pop(key, None)

    async def measure(self) -> None:
        """Pings everybody again and again, until cancelled."""
        while True:
            for key in self._wires.connected():
                self.ping(key)
            await trio.sleep(PING_SECONDS)

    def ping(self, key: bytes) -> None:
        """Measures the link to this key."""
        nonce = self._rng(16)
        frame = encode_frame(seal_ping(self._identity, PublicIdentity.decode(key), nonce))
        self._pings[nonce] = (key, self._now())  # signing it is no part of the trip
        self._wires.send(key, frame)
        while len(self._pings) > MAX_PINGS:
            self._pings.pop(next(iter(self._pings)))

    def answer(self, key: bytes, ping: Ping) -> None:
        """Answers a ping that came by the link of this key. Raises ValueError for a key that is no identity."""
        public = PublicIdentity.decode(key)
        if self._rate.take(key, self._now()) and verify_ping(ping, public, self._identity.public):
            self._wires.send(key, encode_frame(seal_pong(self._identity, public, ping)))

    def pong(self, key: bytes, pong: Pong, stamp: int) -> None:
        """Takes the answer to a ping of ours, read at `stamp` (microseconds), as a measured round trip. Raises
        ValueError for a key that is no identity."""
        sent = self._pings.pop(pong.nonce, None)
        if sent is None or sent[0] != key:
            return
        if verify_ping(pong, PublicIdentity.decode(key), self._identity.public):
            trips = self.of(key)
            trips.append(stamp - sent[1])
            del trips[:-PINGS_KEPT]

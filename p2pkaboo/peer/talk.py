"""What peers say beside the game: what each has, what another lacks, round trips, and records that are compared.

Nothing here changes a deal. Envelopes travel by direct links and are passed on where a race needs it; what gets lost is
noticed within a quarter of a second, because everybody says what it has while nothing moves.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import trio

from p2pkaboo.crypto.group import Rng
from p2pkaboo.crypto.identity import Identity, PublicIdentity
from p2pkaboo.peer.gaps import have_of, missing, sorted_envelopes
from p2pkaboo.peer.kept import KeptDeal, Wires
from p2pkaboo.peer.manners import HAVES, PINGS, Rate
from p2pkaboo.replica.clock import Clock
from p2pkaboo.replica.state import Deal
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.frames import EnvelopeFrame, Have, Ping, Pong, encode_frame, seal_ping, seal_pong, verify_ping
from p2pkaboo.wire.slot import Slot

log = logging.getLogger(__name__)

GAP_SECONDS: Final = 0.25
"""How often what we have is said while a step is open: a lost message costs a quarter of a second."""

PING_SECONDS: Final = 2.0
"""How often round trips are measured: 24 of them, the median's, are less than a minute."""

MAX_PINGS: Final = 256
"""Unanswered pings remembered: a minute and more of them to seven seats."""

COMPARE_SECONDS: Final = 1.0
"""How often at most our whole record is shown because histories differ: between honest ends once is enough."""

SLICE: Final = 32
"""Messages of a record sent at a stretch: under a millisecond."""


class Talk:
    """One seat's links to the others. `deals` is the running seat's own list; `links`: seats with a link; `heard`: the
    deal that a seat last said it was at; `done`: seats that have said they hold all of the last deal."""

    def __init__(
        self,
        identity: Identity,
        keys: Sequence[bytes],
        forming: Iterable[bytes],
        wires: Wires,
        clock: Clock,
        rng: Rng,
        now: Callable[[], int],
        deals: list[KeptDeal],
    ) -> None:
        self.identity, self.clock, self.deals = identity, clock, deals
        self.keys, self.publics = tuple(keys), [PublicIdentity.decode(key) for key in keys]
        self.seat = self.keys.index(identity.public.encoded)
        self.links: set[int] = set()
        self.heard: dict[int, int] = {}
        self.done: set[int] = set()
        self._forming, self._wires, self._rng, self._now = tuple(forming), wires, rng, now
        self._pings: dict[bytes, tuple[int, int]] = {}
        self._ping_rate, self._have_rate = Rate(*PINGS), Rate(*HAVES)
        self._babblers: set[bytes] = set()
        self._told: set[tuple[int, Slot, bytes]] = set()
        self._doubted: Deal | None = None
        self._compared: int | None = None

    @property
    def current(self) -> Deal:
        """The deal in play."""
        return self.deals[-1].deal

    def seat_of(self, key: bytes) -> int | None:
        """The seat of a key; None for somebody who only may watch, or nobody."""
        return self.keys.index(key) if key in self.keys else None

    # ---------------------------------------------------------------- saying

    def say(self, data: bytes) -> None:
        """Sends an envelope to everybody."""
        self._wires.broadcast(encode_frame(EnvelopeFrame(data)))

    def hail(self, key: bytes | None) -> None:
        """Says what we have: to a seat whose link has come up, or (None) to all there are."""
        frame = encode_frame(have_of(self.current))
        known = self._wires.connected() if key is None else (key,)
        self.links.update(seat for seat in map(self.seat_of, known) if seat is not None)
        if key is None:
            self._wires.broadcast(frame)
        else:
            self._wires.send(key, frame)

    def forward(self, raw: bytes, envelope: Envelope, sender: bytes) -> None:
        """Races need every share and every answer at once, also where the direct link is slow."""
        if len(self.current.active) < 3:
            return
        frame = encode_frame(EnvelopeFrame(raw))
        for seat in self.current.active:
            key = self.keys[seat]
            if seat not in (self.seat, envelope.seat) and key != sender:
                self._wires.send(key, frame)

    # ---------------------------------------------------------------- hearing

    def babble(self, key: bytes, what: str) -> None:
        """Nonsense from a link is worth one warning: a flood of it is not to fill screens and disks."""
        level = logging.DEBUG if key in self._babblers else logging.WARNING
        self._babblers.add(key)
        log.log(level, "player %s sends %s", key.hex()[:8], what)

    def have(self, key: bytes, frame: Have, stamp: int) -> None:
        """Somebody says what it has: it gets what it lacks."""
        seat = self.seat_of(key)
        if seat is not None:
            self.heard[seat] = frame.deal
            if frame.deal == self.current.deal and not frame.open:
                self.done.add(seat)
        if self._have_rate.take(key, stamp):
            for data in self._lacked(frame):
                self._wires.send(key, encode_frame(EnvelopeFrame(data)))

    def _lacked(self, have: Have) -> list[bytes]:
        if have.deal == 0:  # it is still in the lobby
            return list(self._forming)
        deal = next((kept.deal for kept in self.deals if kept.deal.deal == have.deal), None)
        return [] if deal is None else [envelope.data for envelope in missing(deal, have)]

    def ping(self, key: bytes, frame: Ping, stamp: int) -> None:
        """Answers a ping."""
        seat = self.seat_of(key)
        if seat is None or not self._ping_rate.take(key, stamp):
            return
        if verify_ping(frame, self.publics[seat], self.identity.public):
            self._wires.send(key, encode_frame(seal_pong(self.identity, self.publics[seat], frame)))

    def pong(self, key: bytes, frame: Pong, stamp: int) -> None:
        """Takes the answer to a ping of ours as a measured round trip."""
        seat, sent = self.seat_of(key), self._pings.pop(frame.nonce, None)
        if sent is None or seat != sent[0]:
            return
        if verify_ping(frame, self.publics[seat], self.identity.public):
            self.clock.pinged(seat, stamp - sent[1])

    def doubt(self, deal: Deal, envelope: Envelope) -> None:
        """Two histories: somebody has said two things, or this message is made up."""
        place = (deal.deal, envelope.slot, envelope.hash)
        if place not in self._told:
            self._told.add(place)
            log.error("seat %s continues another history at %s", envelope.seat, envelope.slot)
            self._doubted = deal

    # ---------------------------------------------------------------- for as long as the seat runs

    async def gossip(self, moved: Callable[[], int]) -> None:
        """Says what we have whenever `moved`, which counts what has happened here, stands still."""
        before = -1
        while True:
            await trio.sleep(GAP_SECONDS)
            count = moved()
            if before == count:
                self._wires.broadcast(encode_frame(have_of(self.current)))
            before = count
            await self._compare()

    async def measure(self) -> None:
        """Measures round trips: at once, or soon where the lobby has measured them. All computers have begun to shuffle
        now, which is no good moment."""
        if self.clock.trips.keys() >= set(range(len(self.keys))) - {self.seat}:
            await trio.sleep(PING_SECONDS)
        while True:
            for key in self._wires.connected():
                seat = self.seat_of(key)
                if seat is None:
                    continue
                nonce = self._rng(16)
                frame = encode_frame(seal_ping(self.identity, self.publics[seat], nonce))
                self._pings[nonce] = (seat, self._now())  # signing it is no part of the trip
                self._wires.send(key, frame)
            while len(self._pings) > MAX_PINGS:
                self._pings.pop(next(iter(self._pings)))
            await trio.sleep(PING_SECONDS)

    async def _compare(self) -> None:
        """The others get our whole record, and so find the message that was said in two versions."""
        deal, now = self._doubted, self._now()
        if deal is None or (self._compared is not None and now - self._compared < COMPARE_SECONDS * 1_000_000):
            return
        self._doubted, self._compared = None, now
        # Also the deal before: a difference in its last steps shows at the first of this one.
        doubted = [kept.deal for kept in self.deals if kept.deal.deal in (deal.deal - 1, deal.deal)]
        record = [known for each in doubted for known in sorted_envelopes(each.held.values())]
        for at in range(0, len(record), SLICE):
            for known in record[at : at + SLICE]:
                self.say(known.data)
            await trio.lowlevel.checkpoint()

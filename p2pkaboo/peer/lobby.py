"""Before the charter: newcomers find each other, agree on seats and rules, and sign.

The opener takes JOINs and makes the OFFER; everybody gives a nonce and signs the charter that follows. Lost frames are
made up for by saying what one has to say again, until everybody has signed.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

import trio

from p2pkaboo.crypto.group import Rng
from p2pkaboo.crypto.identity import Identity, PublicIdentity
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.peer.manners import HAVES, PINGS, Rate
from p2pkaboo.replica.charter import nonce_commitment
from p2pkaboo.replica.clock import PINGS_KEPT
from p2pkaboo.replica.faults import PeerFault
from p2pkaboo.replica.forming import Forming, Sitting, offer_body, receive_forming, say_forming
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import CharterWord, Join, Nonce
from p2pkaboo.wire.codec import DecodeError
from p2pkaboo.wire.envelope import Envelope, decode_envelope
from p2pkaboo.wire.frames import (
    Addresses,
    EnvelopeFrame,
    Have,
    Hello,
    Members,
    Ping,
    Pong,
    decode_frame,
    encode_frame,
    seal_ping,
    seal_pong,
    verify_ping,
)
from p2pkaboo.wire.limits import MAX_SEATS

log = logging.getLogger(__name__)

REPEAT_SECONDS: Final = 0.4
"""How often what was said is said again while somebody has not signed."""

PING_SECONDS: Final = 0.5
"""How often round trips are measured before the charter: a dozen are there when people have greeted each other."""

MAX_LATER: Final = 1_000
"""Frames kept for the seat that follows: those of a deal that some have begun; what is dropped is sent again."""

ANSWER_SECONDS: Final = 15.0
"""How long the opener waits for nonces and signatures before it begins anew without those who gave none."""


class LobbyWires(Protocol):
    """What this needs of the mesh."""

    def send(self, key: bytes, data: bytes) -> bool: ...

    def broadcast(self, data: bytes) -> int: ...

    def connected(self) -> tuple[bytes, ...]: ...

    def addresses(self) -> Iterable[tuple[str, int]]: ...

    def dial(self, key: bytes, addresses: Iterable[tuple[str, int]], *, eager: bool = False) -> None: ...

    async def receive(self) -> Up | Down | Frame: ...


@dataclass(slots=True)
class Newcomer:
    """Somebody who is here: name, addresses, and the last round trips to it (microseconds)."""

    key: bytes
    name: str
    addresses: Addresses
    trips: list[int]


class Lobby:
    """One newcomer's side. `run` returns when everybody has signed the charter (`forming.charter`)."""

    def __init__(
        self,
        *,
        identity: Identity,
        name: str,
        secret: bytes,
        opener: bytes,
        wires: LobbyWires,
        rng: Rng,
        now: Callable[[], int],
        rules: Ruleset | None = None,
        race: str = "auto",
        wanted: int | None = None,
        accepts: Callable[[Sitting], bool] = lambda sitting: True,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`rules`, `race`, `wanted`: the opener's: it offers by itself when `wanted` are here, or when `start` is
        called. `accepts`: whether this newcomer takes the offer."""
        self.identity, self.name, self.rules, self.race, self.wanted = identity, name, rules, race, wanted
        self.key = identity.public.encoded
        self.forming = Forming(secret, opener)
        self.people: dict[bytes, Newcomer] = {}
        self.refused: set[bytes] = set()
        self.later: list[Frame] = []
        self.started = False
        self.problem: str | None = None
        self._wires, self._rng, self._now = wires, rng, now
        self._accepts, self._changed = accepts, changed
        self._nonce = b""
        self._said: dict[str, Envelope] = {}
        self._ping_rate, self._have_rate = Rate(*PINGS), Rate(*HAVES)
        self._pings: dict[bytes, tuple[bytes, int]] = {}
        self._agreed = trio.Event()
        self._offered_at: int | None = None

    @property
    def is_opener(self) -> bool:
        """Whether this end opened the table."""
        return self.key == self.forming.opener

    def start(self) -> None:
        """The opener: offer to everybody who is here now."""
        self.started = True
        self._step()

    async def run(self) -> None:
        """Until everybody has signed; what stands in the way of it is in `problem`."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._listen)
            nursery.start_soon(self._repeat)
            nursery.start_soon(self._measure)
            self._join()
            self._greet(None)
            self._step()
            await self._agreed.wait()
            nursery.cancel_scope.cancel()
        self._say_all()

    def messages(self) -> list[bytes]:
        """The forming messages that a transcript keeps."""
        return [envelope.data for envelope in self.forming.messages()]

    # ---------------------------------------------------------------- frames

    async def _listen(self) -> None:
        while True:
            event = await self._wires.receive()
            match event:
                case Frame():
                    self._frame(event)
                case Up(key):
                    self._greet(key)
                case Down(key):
                    self.people.pop(key, None)
                    if self.is_opener and self.forming.sitting is None:
                        self.forming.joins.pop(key, None)
            self._step()
            self._changed()

    def _frame(self, event: Frame) -> None:
        try:
            frame = decode_frame(event.data)
            match frame:
                case EnvelopeFrame(data):
                    self._envelope(event, decode_envelope(data))
                case Hello(name, addresses):
                    self._met(event.key, name, addresses)
                case Members(members):
                    for key, addresses in members:
                        if key != self.key and key not in self._wires.connected():
                            self._wires.dial(key, addresses)
                case Ping():
                    public = PublicIdentity.decode(event.key)
                    if self._ping_rate.take(event.key, self._now()) and verify_ping(
                        frame, public, self.identity.public
                    ):
                        self._wires.send(event.key, encode_frame(seal_pong(self.identity, public, frame)))
                case Pong():
                    self._trip(event, frame)
                case Have():
                    self._keep(event)
                    if frame.deal > 0 and self._have_rate.take(
                        event.key, self._now()
                    ):  # it plays already: somebody's last word has not reached us
                        self._wires.send(event.key, encode_frame(Have(0, self.forming.attempt, ())))
        except (DecodeError, ValueError) as error:
            log.warning("frame from %s refused: %s", event.key.hex()[:8], error)

    def _envelope(self, event: Frame, envelope: Envelope) -> None:
        if envelope.slot.lane != "f":
            self._keep(event)
            return
        if isinstance(envelope.body, Join) and event.key not in (envelope.body.key, self.forming.opener):
            return  # everybody joins by its own link: else one newcomer could fill the table with names
        attempt = self.forming.attempt
        try:
            news = receive_forming(self.forming, envelope)
        except PeerFault as fault:
            self.problem = fault.reason
            log.warning("forming message from %s refused: %s", event.key.hex()[:8], fault.reason)
            return
        if self.forming.attempt != attempt:
            self._said, self._nonce = {}, b""
            self._join()
        if news and self.is_opener:
            self._wires.broadcast(encode_frame(EnvelopeFrame(envelope.data)))

    def _keep(self, event: Frame) -> None:
        if len(self.later) < MAX_LATER:
            self.later.append(event)

    def _met(self, key: bytes, name: str, addresses: Addresses) -> None:
        known = self.people.get(key)
        self.people[key] = Newcomer(key, name, addresses, known.trips if known is not None else [])
        if self.is_opener:
            rows = tuple((person.key, person.addresses) for person in self.people.values() if person.addresses)
            self._wires.broadcast(encode_frame(Members(rows[: MAX_SEATS * 2])))

    def _trip(self, event: Frame, pong: Pong) -> None:
        sent = self._pings.pop(pong.nonce, None)
        person = self.people.get(event.key)
        if sent is None or person is None or sent[0] != event.key:
            return
        if verify_ping(pong, PublicIdentity.decode(event.key), self.identity.public):
            person.trips.append(event.stamp // 1000 - sent[1])
            del person.trips[:-PINGS_KEPT]

    def _greet(self, key: bytes | None) -> None:
        hello = encode_frame(Hello(self.name, tuple(self._wires.addresses())))
        if key is None:
            self._wires.broadcast(hello)
        else:
            self._wires.send(key, hello)
        self._say_all()

    # ---------------------------------------------------------------- what is to be said

    def _join(self) -> None:
        self._nonce = self._rng(32)
        self._say("JOIN", 0, 0, Join(self.key, self.name, nonce_commitment(self.key, self._nonce)))

    def _step(self) -> None:
        forming = self.forming
        if self.is_opener and forming.sitting is None and self._may_offer():
            others = [join for key, join in sorted(forming.joins.items()) if key != self.key]
            assert self.rules is not None
            self._offered_at = self._now()
            self._say("OFFER", 1, 0, offer_body([forming.joins[self.key], *others][:MAX_SEATS], self.rules, self.race))
        sitting = forming.sitting
        if sitting is not None and self.key in sitting.keys and self._accepts(sitting):
            if "NONCE" not in self._said:
                largest = max((self._median(person) for person in self.people.values()), default=0)
                self._say("NONCE", 2, sitting.keys.index(self.key), Nonce(self._nonce, largest))
            charter = forming.charter
            if charter is not None and "CHARTER" not in self._said:
                self._say("CHARTER", 3, charter.keys.index(self.key), CharterWord(charter.hash))
        if forming.agreed:
            self._agreed.set()

    def _may_offer(self) -> bool:
        here = len(self.forming.joins)
        if self.rules is None or self.key not in self.forming.joins or here < 2:
            return False
        if self.started:
            return self.rules.players_min <= here
        return self.wanted is not None and here >= self.wanted and self._all_linked()

    def _all_linked(self) -> bool:
        """Everybody who has joined has a link and one measured round trip."""
        return all(self.people[key].trips for key in self.forming.joins if key != self.key and key in self.people)

    @staticmethod
    def _median(person: Newcomer) -> int:
        trips = sorted(person.trips)
        return max(0, trips[len(trips) // 2]) if trips else 0

    def _say(self, kind: str, number: int, seat: int, body: object) -> None:
        signed = say_forming(self.forming, self.identity, kind, number, seat, body)  # type: ignore[arg-type]
        self._said[kind] = signed.envelope
        receive_forming(self.forming, signed.envelope)
        self._wires.broadcast(encode_frame(EnvelopeFrame(signed.envelope.data)))
        if kind != "JOIN":
            self._step()

    def _say_all(self) -> None:
        for envelope in self._said.values():
            self._wires.broadcast(encode_frame(EnvelopeFrame(envelope.data)))
        if self.is_opener and self.forming.sitting is not None:
            for envelope in self.forming.messages():
                self._wires.broadcast(encode_frame(EnvelopeFrame(envelope.data)))

    async def _repeat(self) -> None:
        while True:
            await trio.sleep(REPEAT_SECONDS)
            self._say_all()
            offered = self._offered_at
            if self.is_opener and offered is not None and self._now() - offered > ANSWER_SECONDS * 1_000_000:
                self._begin_anew()
            self._step()

    def _begin_anew(self) -> None:
        """Somebody gave no nonce, or did not sign: everybody commits afresh, without whoever is not here."""
        self._offered_at = None
        self.forming = Forming(self.forming.secret, self.forming.opener, self.forming.attempt + 1)
        self._said = {}
        self._join()

    async def _measure(self) -> None:
        while True:
            for key in self._wires.connected():
                nonce = self._rng(16)
                self._pings[nonce] = (key, self._now())
                ping = seal_ping(self.identity, PublicIdentity.decode(key), nonce)
                self._wires.send(key, encode_frame(ping))
            while len(self._pings) > 256:
                self._pings.pop(next(iter(self._pings)))
            await trio.sleep(PING_SECONDS)

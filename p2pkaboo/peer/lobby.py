"""Before the charter: newcomers find each other, agree on seats and rules, and sign.

The opener tells what it is going to offer, takes JOINs and makes the OFFER; everybody gives a nonce and signs the
charter that follows. Lost frames are made up for by saying what one has to say again, until everybody has signed.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

import trio

from p2pkaboo.crypto.group import Rng
from p2pkaboo.crypto.identity import Identity, PublicIdentity
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.peer.guests import ANSWER_SECONDS, Guests
from p2pkaboo.peer.manners import HAVES, PINGS, WISHES, Rate
from p2pkaboo.peer.reading import Reading
from p2pkaboo.replica.charter import nonce_commitment
from p2pkaboo.replica.clock import PINGS_KEPT
from p2pkaboo.replica.faults import PeerFault
from p2pkaboo.replica.forming import Forming, Sitting, offer_body, receive_forming, say_forming
from p2pkaboo.replica.terms import Terms, plain_rules
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import CharterWord, Join, Nonce, RacePreset
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
    Wish,
    decode_frame,
    encode_frame,
    seal_ping,
    seal_pong,
    verify_ping,
)
from p2pkaboo.wire.limits import MAX_MEMBERS, MAX_SEATS

log = logging.getLogger(__name__)

REPEAT_SECONDS: Final = 0.4
"""How often what was said is said again while somebody has not signed."""

PING_SECONDS: Final = 0.5
"""How often round trips are measured before the charter: a dozen are there when people have greeted each other."""

MAX_PINGS: Final = 256
"""Unanswered pings remembered: some seconds of them to as many as a peer has links to."""

LINK_SECONDS: Final = 2.0
"""How long a newcomer waits for its links to the others of an offer before it answers, so that the first deal need not:
a call and the wait of the one who is called first fit in. Links that cannot be had keep no table from beginning."""

MAX_LATER: Final = 1_000
"""Frames kept for the seat that follows: those of a deal that some have begun; what is dropped is sent again."""

MAX_LATER_BYTES: Final = 1 << 22
"""Bytes of those frames: the shuffles of eight seats at the largest table take a quarter of it."""

INTRODUCTIONS: Final = (4, 1.0)
"""How often a greeting of one newcomer makes the opener tell all others at once where everybody is; beyond that it
waits for the next repetition. One Hello would else cost a frame to each of them."""


class LobbyWires(Protocol):
    """What this needs of the mesh."""

    def send(self, key: bytes, data: bytes) -> bool: ...

    def broadcast(self, data: bytes) -> int: ...

    def connected(self) -> tuple[bytes, ...]: ...

    def addresses(self) -> Iterable[tuple[str, int]]: ...

    def dial(self, key: bytes, addresses: Iterable[tuple[str, int]], *, eager: bool = False) -> None: ...

    def renew(self, key: bytes) -> None: ...

    async def receive(self) -> Up | Down | Frame: ...


@dataclass(slots=True)
class Newcomer:
    """Somebody who is here: name, addresses, and the last round trips to it (microseconds)."""

    key: bytes
    name: str
    addresses: Addresses
    trips: list[int]


class LeftOut(Exception):
    """The table has been formed, and not with this newcomer."""


class Lobby:
    """One newcomer's side. `run` returns when everybody has signed the charter (`forming.charter`).

    A newcomer is here once it greets (Hello), and ready once it joins (JOIN): only who has joined is offered a seat,
    and takes it. `ready` is changed by `set_ready`, and by terms that are not those for which it was set.
    """

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
        race: RacePreset = "auto",
        wanted: int | None = None,
        table_name: str = "",
        chairs: int | None = None,
        ready: bool = True,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`rules`, `race`, `wanted`: the opener's: it offers by itself when `wanted` are ready, or when `start` is
        called. `table_name`, `chairs`: what newcomers are told of the table beside; None: as many as the rules allow.
        `ready`: whether this newcomer joins at once, whatever is offered; else somebody reads first (`attended`)."""
        self.identity, self.name, self.rules, self.race, self.wanted = identity, name, rules, race, wanted
        self.table_name, self.chairs = table_name, chairs
        self.key = identity.public.encoded
        self.forming = Forming(secret, opener)
        self.people: dict[bytes, Newcomer] = {}
        self.hosts: dict[bytes, str] = {}
        """Where each link leads, as this machine sees it."""
        self.later: list[Frame] = []
        self.started_at: int | None = None
        self.ready, self.attended = ready, not ready
        self.reading = Reading()
        self.problem: str | None = None
        self._wires, self._rng, self._now = wires, rng, now
        self._changed = changed
        self._nonce = b""
        self._said: dict[str, Envelope] = {}
        self._ping_rate, self._have_rate, self._wish_rate = Rate(*PINGS), Rate(*HAVES), Rate(*WISHES)
        self._introduction_rate, self._introduces = Rate(*INTRODUCTIONS), False
        self._pings: dict[bytes, tuple[bytes, int]] = {}
        self._trips: dict[bytes, list[int]] = {}
        self._later_bytes = 0
        self._babblers: set[bytes] = set()
        self._dialled: set[bytes] = set()
        self._agreed = trio.Event()
        self._offered_at: int | None = None
        self._offer_seen: tuple[bytes, int] | None = None
        self._guests = Guests(self.key)

    @property
    def is_opener(self) -> bool:
        """Whether this end opened the table."""
        return self.key == self.forming.opener

    @property
    def started(self) -> bool:
        """The opener has said to begin."""
        return self.started_at is not None

    @property
    def terms(self) -> Terms | None:
        """Rules and race preset as far as they have been told: by the opener's wish, then by its offer."""
        return self.reading.shown(self.forming.sitting)

    @property
    def changed_terms(self) -> str:
        """What is not as it was shown first, or as it was when this newcomer was last ready; "" if nothing is, or
        nobody reads."""
        return self.reading.changed(self.forming.sitting) if self.attended else ""

    @property
    def unplayable(self) -> str | None:
        """Why nobody who reads can be ready for what the opener wishes."""
        return self.reading.refused if self.attended and self.forming.sitting is None else None

    def start(self) -> None:
        """The opener: offer to everybody as soon as all who are here are ready, in a while to those who are."""
        if self.started_at is None:
            self.started_at = self._now()
        self._step()

    def set_ready(self, ready: bool) -> None:
        """This newcomer wants a seat, or does not after all. Once it has given its nonce it cannot take that back, and
        nobody can want one under rules that cannot be played."""
        if ready == self.ready or "NONCE" in self._said or (ready and self.unplayable):
            return
        self.ready = ready
        if ready:
            self.reading.settle(self.forming.sitting)
            self._join()
            self._step()
        elif self._said.pop("JOIN", None) is not None:
            # No message takes a JOIN back. But it lasts no longer than the link it came by.
            self.forming.joins.pop(self.key, None)
            for key in self._wires.connected():
                self._wires.renew(key)

    async def run(self) -> None:
        """Until everybody has signed; what stands in the way of it is in `problem`.

        Raises LeftOut when they have, and have no seat for this newcomer.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._listen)
            nursery.start_soon(self._repeat)
            nursery.start_soon(self._measure)
            self._join()
            self._greet(None)
            self._step()
            await self._agreed.wait()
            nursery.cancel_scope.cancel()
        if self.forming.charter is None or self.key not in self.forming.charter.keys:
            raise LeftOut("the table has been formed without you")
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
                case Up(key, host):
                    self.hosts[key] = host
                    if self.forming.sitting is None:
                        self.forming.joins.pop(key, None)  # its program may be another run: what it says now counts
                    self._greet(key)
                    self._ping(key)
                case Down(key):
                    self.people.pop(key, None)
                    self.hosts.pop(key, None)
                    self._trips.pop(key, None)
                    if self.forming.sitting is None:
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
                    self._introduced(event.key, members)
                case Wish():
                    if event.key == self.forming.opener and self._wish_rate.take(event.key, self._now()):
                        self.reading.hear(frame)
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
            self._babble(event.key, f"a frame that is refused: {error}")

    def _envelope(self, event: Frame, envelope: Envelope) -> None:
        if envelope.slot.lane != "f":
            self._keep(event)
            return
        if isinstance(envelope.body, Join) and event.key not in (envelope.body.key, self.forming.opener):
            return  # everybody joins by its own link: else one newcomer could fill the table with names
        if isinstance(envelope.body, Join) and len(self.forming.joins) >= MAX_MEMBERS:
            return
        attempt = self.forming.attempt
        try:
            news = receive_forming(self.forming, envelope)
        except PeerFault as fault:
            self.problem = fault.reason
            self._babble(event.key, f"a forming message that is refused: {fault.reason}")
            return
        if self.forming.attempt != attempt:
            self._said, self._nonce, self.problem = {}, b"", None
            self._join()
        if news and self.is_opener:
            self._wires.broadcast(encode_frame(EnvelopeFrame(envelope.data)))

    def _babble(self, key: bytes, what: str) -> None:
        """Nonsense from a link is worth one warning (see `talk.Talk.babble`)."""
        level = logging.DEBUG if key in self._babblers else logging.WARNING
        self._babblers.add(key)
        log.log(level, "player %s sends %s", key.hex()[:8], what)

    def _keep(self, event: Frame) -> None:
        if len(self.later) < MAX_LATER and self._later_bytes + len(event.data) <= MAX_LATER_BYTES:
            self.later.append(event)
            self._later_bytes += len(event.data)

    def _met(self, key: bytes, name: str, addresses: Addresses) -> None:
        known = self.people.get(key)
        self.people[key] = Newcomer(key, name, addresses, self._trips.setdefault(key, []))
        if self.is_opener and (known is None or known.addresses != addresses):
            self._introduces = True
            if self._introduction_rate.take(key, self._now()):
                self._introduce()

    def _introduce(self) -> None:
        """The opener tells everybody where everybody is."""
        self._introduces = False
        rows = tuple((person.key, person.addresses) for person in self.people.values() if person.addresses)
        self._wires.broadcast(encode_frame(Members(rows[: MAX_SEATS * 2])))

    def _introduced(self, by: bytes, members: Iterable[tuple[bytes, Addresses]]) -> None:
        """Calls those of whom the opener tells. Nobody else does, and whom we call is limited: a newcomer could else
        make everybody's machine knock at any door it likes."""
        if by != self.forming.opener:
            return
        for key, addresses in members:
            if key == self.key or key in self._wires.connected():
                continue
            if key in self._dialled or len(self._dialled) < MAX_MEMBERS:
                self._dialled.add(key)
                self._wires.dial(key, addresses)

    def _trip(self, event: Frame, pong: Pong) -> None:
        sent = self._pings.pop(pong.nonce, None)
        if sent is None or sent[0] != event.key:
            return
        if verify_ping(pong, PublicIdentity.decode(event.key), self.identity.public):
            trips = self._trips.setdefault(event.key, [])
            trips.append(event.stamp // 1000 - sent[1])
            del trips[:-PINGS_KEPT]

    def _greet(self, key: bytes | None) -> None:
        hello = encode_frame(Hello(self.name, tuple(self._wires.addresses())))
        if key is None:
            self._wires.broadcast(hello)
        else:
            self._wires.send(key, hello)
        self._say_all()

    # ---------------------------------------------------------------- what is to be said

    def _join(self) -> None:
        if not self.ready or "JOIN" in self._said:
            return
        self._nonce = self._rng(32)
        self._say("JOIN", 0, 0, Join(self.key, self.name, nonce_commitment(self.key, self._nonce)))

    def _step(self) -> None:
        forming = self.forming
        guests = self._chosen() if self.is_opener and forming.sitting is None else None
        if guests is not None and self.rules is not None:
            self._offered_at = self._now()
            self._say("OFFER", 1, 0, offer_body([forming.joins[key] for key in guests], self.rules, self.race))
        sitting = forming.sitting
        self._mind(sitting)
        if sitting is not None and self._is_ours(sitting):
            first = self.is_opener or 0 in forming.nonces
            if "NONCE" not in self._said and first and self._is_linked(sitting):
                # The opener's comes first: it alone can begin anew, so it must not keep its own back and know the coin.
                largest = max((self._median(person) for person in self.people.values()), default=0)
                self._say("NONCE", 2, sitting.keys.index(self.key), Nonce(self._nonce, largest))
            charter = forming.charter
            if charter is not None and "CHARTER" not in self._said:
                self._say("CHARTER", 3, charter.keys.index(self.key), CharterWord(charter.hash))
        if forming.agreed:
            self._agreed.set()

    def _mind(self, sitting: Sitting | None) -> None:
        """Who was ready for other terms than these is not ready for these: its player has to say so."""
        self.reading.note(sitting)
        if not (self.ready and (self.changed_terms or self.unplayable)):
            return
        if sitting is None:
            self.set_ready(False)
        else:  # the JOIN stands in the offer: who is ready for it after all can still answer
            self.ready = False

    def _is_ours(self, sitting: Sitting) -> bool:
        """Whether the offer has a seat for us, by the JOIN that we stand by: another one commits to another nonce."""
        if self.key not in sitting.keys:
            self.problem = "the seats of this table are offered to others"
            return False
        if not self.ready:  # taken back while the offer was on its way, or not ready for what it says
            return False
        if sitting.joins[sitting.keys.index(self.key)].commitment != nonce_commitment(self.key, self._nonce):
            self.problem = "the offer holds a JOIN of ours that is out of date"
            return False
        return True

    def _is_linked(self, sitting: Sitting) -> bool:
        """Whether there is a measured link to everybody in the offer, or none is to be expected any more."""
        if self._offer_seen is None or self._offer_seen[0] != sitting.offer.hash:
            self._offer_seen = sitting.offer.hash, self._now()
        waited = self._now() - self._offer_seen[1]
        linked = all(key == self.key or self._trips.get(key) for key in sitting.keys)
        return linked or waited > LINK_SECONDS * 1_000_000

    def _chosen(self) -> list[bytes] | None:
        """Whom to offer a seat now, ourselves first; None: it is not time yet."""
        if self.rules is None or not (self.started or self.wanted is not None):
            return None
        begun = self.started_at
        if begun is not None and self._now() - begun < ANSWER_SECONDS * 1_000_000 and self.unready():
            return None
        return self._guests.choose(
            self.forming,
            self.rules,
            wanted=None if self.started else self.wanted,
            linked=[key for key, trips in self._trips.items() if trips],
            here=self._wires.connected(),
            now=self._now(),
        )

    def trips(self, key: bytes) -> tuple[int, ...]:
        """The last round trips to a newcomer, microseconds; none to ourselves."""
        return tuple(self._trips.get(key, ()))

    def unready(self) -> list[Newcomer]:
        """Who is here and has not joined."""
        return [person for key, person in self.people.items() if key not in self.forming.joins]

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
        if self.is_opener and self.rules is not None:
            chairs = self.rules.players_max if self.chairs is None else self.chairs
            wish = Wish(self.table_name, plain_rules(self.rules), self.race, chairs)
            self._wires.broadcast(encode_frame(wish))
        for envelope in self._said.values():
            self._wires.broadcast(encode_frame(EnvelopeFrame(envelope.data)))
        if self.is_opener and self.forming.sitting is not None:
            for envelope in self.forming.messages():
                self._wires.broadcast(encode_frame(EnvelopeFrame(envelope.data)))

    async def _repeat(self) -> None:
        while True:
            await trio.sleep(REPEAT_SECONDS)
            self._say_all()
            if self._introduces:
                self._introduce()
            offered = self._offered_at
            if self.is_opener and offered is not None and self._now() - offered > ANSWER_SECONDS * 1_000_000:
                self._begin_anew()
            self._step()

    def _begin_anew(self) -> None:
        """Somebody gave no nonce, or did not sign: everybody commits afresh, if need be without whoever did not."""
        self._guests.note_answers(self.forming, self._now())
        self._offered_at, self.problem = None, None
        self.forming = Forming(self.forming.secret, self.forming.opener, self.forming.attempt + 1)
        self._said = {}
        self._join()

    async def _measure(self) -> None:
        while True:
            for key in self._wires.connected():
                self._ping(key)
            await trio.sleep(PING_SECONDS)

    def _ping(self, key: bytes) -> None:
        nonce = self._rng(16)
        self._pings[nonce] = (key, self._now())
        self._wires.send(key, encode_frame(seal_ping(self.identity, PublicIdentity.decode(key), nonce)))
        while len(self._pings) > MAX_PINGS:
            self._pings.pop(next(iter(self._pings)))

"""Before the charter: newcomers find each other, agree on seats and rules, and sign.

The opener tells what it is going to offer, takes JOINs and makes the OFFER; everybody gives a nonce and signs the
charter that follows. Lost frames are made up for by saying what one has to say again, until everybody has signed.
"""

from collections.abc import Callable
from typing import Final

import trio

from p2pkaboo.crypto.group import Rng
from p2pkaboo.crypto.identity import Identity
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.peer.answers import LINK_SECONDS as LINK_SECONDS
from p2pkaboo.peer.answers import Answers, is_left_to_opener
from p2pkaboo.peer.guests import Guests
from p2pkaboo.peer.lobby_ear import MAX_LATER as MAX_LATER
from p2pkaboo.peer.lobby_ear import MAX_LATER_BYTES as MAX_LATER_BYTES
from p2pkaboo.peer.lobby_ear import LobbyEar
from p2pkaboo.peer.lobby_wires import LobbyWires
from p2pkaboo.peer.newcomers import Newcomer as Newcomer
from p2pkaboo.peer.newcomers import Newcomers
from p2pkaboo.peer.reading import Reading
from p2pkaboo.peer.round_trips import RoundTrips
from p2pkaboo.peer.sayings import Sayings
from p2pkaboo.replica.faults import PeerFault
from p2pkaboo.replica.forming import Forming, Sitting, offer_body, receive_forming
from p2pkaboo.replica.terms import Terms, plain_rules
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import Join, RacePreset
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.frames import Wish, encode_frame
from p2pkaboo.wire.limits import MAX_MEMBERS

REPEAT_SECONDS: Final = 0.4
"""How often what was said is said again while somebody has not signed."""


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
        self.started_at: int | None = None
        self.ready, self.attended = ready, not ready
        self.reading = Reading()
        self.problem: str | None = None
        self._wires, self._now, self._changed = wires, now, changed
        self._sayings = Sayings(identity, name, wires, rng)
        self._trips = RoundTrips(identity, wires, rng, now)
        self._newcomers = Newcomers(name, self.key, opener, wires, now)
        self._answers = Answers(self.key, self._sayings, self._newcomers, self._trips, now)
        self._ear = LobbyEar(
            opener, wires, self._newcomers, self._trips, self.reading, now, lambda: self.forming.attempt, self._heard
        )
        self.people, self.hosts, self.later = self._newcomers.people, self._newcomers.hosts, self._ear.later
        self._guests = Guests(self.key)
        self._agreed = trio.Event()

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
        if ready == self.ready or "NONCE" in self._sayings.said or (ready and self.unplayable):
            return
        self.ready = ready
        if ready:
            self.reading.settle(self.forming.sitting)
            self._join()
            self._step()
        elif self._sayings.said.pop("JOIN", None) is not None:
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
            nursery.start_soon(self._trips.measure)
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

    # ---------------------------------------------------------------- what is heard

    async def _listen(self) -> None:
        while True:
            event = await self._wires.receive()
            match event:
                case Frame():
                    self._ear.hear(event)
                case Up(key, host):
                    self.hosts[key] = host
                    if self.forming.sitting is None:
                        self.forming.joins.pop(key, None)  # its program may be another run: what it says now counts
                    self._greet(key)
                    self._trips.ping(key)
                case Down(key):
                    self._newcomers.gone(key)
                    self._trips.forget(key)
                    if self.forming.sitting is None:
                        self.forming.joins.pop(key, None)
            self._step()
            self._changed()

    def _heard(self, key: bytes, envelope: Envelope) -> None:
        """A forming message has come by the link of `key`."""
        if isinstance(envelope.body, Join) and key not in (envelope.body.key, self.forming.opener):
            return  # everybody joins by its own link: else one newcomer could fill the table with names
        if isinstance(envelope.body, Join) and len(self.forming.joins) >= MAX_MEMBERS:
            return
        attempt = self.forming.attempt
        if isinstance(envelope.body, Join) and envelope.deal > attempt and envelope.body.key == self.forming.opener:
            stays = self._answers.stays(self.forming)
            if stays is not None:
                self.problem = stays
                return
        doubled = len(self.forming.doubled)
        try:
            news = receive_forming(self.forming, envelope)
        except PeerFault as fault:
            self.problem = fault.reason
            self._ear.babble(key, f"a forming message that is refused: {fault.reason}")
            return
        if self.forming.attempt != attempt:
            self.problem = None
            self._sayings.forget()
            self._answers.forget()
            self._join()
        if news and self.is_opener:
            self._sayings.pass_on(envelope)
        if len(self.forming.doubled) > doubled:  # whoever was told the other version learns whose fault it is
            for version in list(self.forming.doubled.values())[-1]:
                self._sayings.pass_on(version)

    # ---------------------------------------------------------------- what is to be said

    def _greet(self, key: bytes | None) -> None:
        self._newcomers.greet(key)
        self._say_all()

    def _join(self) -> None:
        if self.ready:
            self._sayings.join(self.forming)

    def _step(self) -> None:
        forming = self.forming
        guests = self._chosen() if self.is_opener and forming.sitting is None else None
        if guests is not None and self.rules is not None:
            self._guests.note_offer(self._now())
            offer = offer_body([forming.joins[key] for key in guests], self.rules, self.race)
            self._sayings.say(forming, "OFFER", 1, 0, offer)
        sitting = forming.sitting
        self._mind(sitting)
        if sitting is not None:
            self._answer(sitting)
        if forming.agreed:
            self._agreed.set()

    def _answer(self, sitting: Sitting) -> None:
        misfit = self._answers.misfit(sitting, self.ready)
        if misfit is not None:
            self.problem = misfit
        elif self.ready:  # it may be taken back while the offer is on its way, or be for other terms than it holds
            while (due := self._answers.due(self.forming, sitting)) is not None:
                self._sayings.say(self.forming, *due)

    def _mind(self, sitting: Sitting | None) -> None:
        """Who was ready for other terms than these is not ready for these: its player has to say so."""
        self.reading.note(sitting)
        if not (self.ready and (self.changed_terms or self.unplayable)):
            return
        if sitting is None:
            self.set_ready(False)
        else:  # the JOIN stands in the offer: who is ready for it after all can still answer
            self.ready = False

    def _chosen(self) -> list[bytes] | None:
        """Whom to offer a seat now, ourselves first; None: it is not time yet."""
        if self.rules is None:
            return None
        return self._guests.choose(
            self.forming,
            self.rules,
            started_at=self.started_at,
            wanted=self.wanted,
            unready=bool(self.unready()),
            linked=self._trips.measured(),
            here=self._wires.connected(),
            now=self._now(),
        )

    def trips(self, key: bytes) -> tuple[int, ...]:
        """The last round trips to a newcomer, microseconds; none to ourselves."""
        return self._trips.last(key)

    def unready(self) -> list[Newcomer]:
        """Who is here and has not joined."""
        return [person for key, person in self.people.items() if key not in self.forming.joins]

    def _say_all(self) -> None:
        if self.is_opener and self.rules is not None:
            chairs = self.rules.players_max if self.chairs is None else self.chairs
            wish = Wish(self.table_name, plain_rules(self.rules), self.race, chairs)
            self._wires.broadcast(encode_frame(wish))
        self._sayings.repeat()
        # The opener may not have had what the others have: then it is not to have a reason to begin anew.
        tells = self.is_opener or is_left_to_opener(self.forming)
        if tells and self.forming.sitting is not None:
            for envelope in self.forming.messages():
                self._sayings.pass_on(envelope)

    async def _repeat(self) -> None:
        while True:
            await trio.sleep(REPEAT_SECONDS)
            self._say_all()
            self._newcomers.repeat()
            if self._guests.overdue(self._now()):
                self._begin_anew()
            self._step()

    def _begin_anew(self) -> None:
        """Somebody gave no nonce, or did not sign: everybody commits afresh, if need be without whoever did not."""
        self._guests.note_answers(self.forming, self._now())
        self.problem = None
        self.forming = Forming(self.forming.secret, self.forming.opener, self.forming.attempt + 1)
        self._sayings.forget()
        self._answers.forget()
        self._join()

"""One seat of one match, running: frames in, frames out, save before send, and the seat's player in between.

Everything here happens on one event loop, a frame or a finished job at a time; only bodies, proofs, the journal and the
audit go to threads. The replica decides what is true, the desk what to say; this decides nothing.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

import trio

from p2pkaboo.audit.auditor import audit_round
from p2pkaboo.audit.history import deal_envelopes
from p2pkaboo.audit.report import RoundAudit
from p2pkaboo.crypto.group import Rng
from p2pkaboo.crypto.identity import Identity
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.peer.bodies import work_for
from p2pkaboo.peer.kept import Journal, KeptDeal, RoundStats, Saved, Wires
from p2pkaboo.peer.player import Player
from p2pkaboo.peer.talk import Talk
from p2pkaboo.peer.workers import Workers
from p2pkaboo.replica.charter import Charter
from p2pkaboo.replica.clock import Clock, note_window, zero_of
from p2pkaboo.replica.desk import Desk, Duty, answer, due, press, taken_up
from p2pkaboo.replica.faults import Fault, LocalError
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.match import first_deal, match_over, next_deal
from p2pkaboo.replica.outputs import Accepted, Check, Differing, Happened, Raced, Refused, StepClosed, Verify, Viewed
from p2pkaboo.replica.own import Made, Own, Work, missing_secret, viewed_face
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.rules.engine import may_snap
from p2pkaboo.rules.moves import Move, from_plain, to_plain
from p2pkaboo.rules.state import Handle
from p2pkaboo.rules.view import SeatView, seat_view
from p2pkaboo.wire.codec import DecodeError
from p2pkaboo.wire.envelope import Envelope, Signed, decode_envelope, seal, verify_envelope
from p2pkaboo.wire.frames import (
    EnvelopeFrame,
    Have,
    Hello,
    Members,
    Ping,
    Pong,
    decode_frame,
)
from p2pkaboo.wire.slot import Slot

log = logging.getLogger(__name__)

MAX_LATER: Final = 8
"""Messages of one seat kept for the next deal: before our KEYS it says no more than its own; the rest comes again."""

LINGER_SECONDS: Final = 10.0
"""How long a seat that is done answers those who are not: what is lost is asked for in a quarter of a second."""

CATCH_UP_SECONDS: Final = 1.0
"""After a restart nothing is said until every seat has told what it has of ours and this long has gone by."""

CATCH_UP_LIMIT: Final = 6.0
"""How long a restart waits for seats that do not answer: past it the table waits for us, not we for it."""

SECRETS_LOST: Final = "secrets-lost"
"""Outcome at a seat whose own messages are newer than its journal, which is an older copy: it cannot stand by them."""


class SeatRunner:
    """Plays one match at one seat. `run` returns when the match is over, or a message was refused."""

    def __init__(
        self,
        *,
        identity: Identity,
        charter: Charter,
        forming: Sequence[bytes],
        wires: Wires,
        journal: Journal,
        player: Player,
        workers: Workers,
        rng: Rng,
        now: Callable[[], int],
        saved: Iterable[Saved] | None = None,
    ) -> None:
        """`forming`: the messages that made the charter; `now`: microseconds on the clock that stamps frames; `saved`:
        the journal of this match, if it goes on after a restart (it may hold nothing), None for a new seat."""
        self.identity, self.charter, self.forming = identity, charter, tuple(forming)
        self.seat = charter.keys.index(identity.public.encoded)
        self.clock = Clock(self.seat)
        self.fault: Fault | None = None
        self.finished = False
        self.lost: str | None = None
        """Why this seat cannot go on, where that is its own journal's fault."""
        self.on_members: Callable[[Hello | Members, bytes], None] | None = None
        self._wires, self._journal, self._player, self._workers = wires, journal, player, workers
        self._rng, self._now = rng, now
        self._deals: list[KeptDeal] = []
        self.talk = Talk(identity, charter.keys, forming, wires, self.clock, rng, now, self._deals)
        self._later: list[Signed] = []
        self._made: set[bytes] = set()
        self._saved_secrets: dict[int, list[tuple[str, bytes]]] = {}
        self._asked = 0
        self._windows: set[tuple[int, Slot]] = set()
        self._taken = 0
        self._holding = False
        self._stir = trio.Event()
        self._waking = trio.Event()
        self._wake: int | None = None
        self._saving = trio.Lock()
        self._done = trio.Event()
        self._audited = trio.Event()
        self._nursery: trio.Nursery | None = None
        self._moved = 0
        self._begin(first_deal(charter), charter.hash)
        if saved is not None:
            self._restore(list(saved))

    # ---------------------------------------------------------------- what others see of it

    @property
    def links(self) -> set[int]:
        """The seats to which a link stands."""
        return self.talk.links

    @property
    def current(self) -> Deal:
        """The deal in play."""
        return self._deals[-1].deal

    @property
    def desk(self) -> Desk:
        """This seat's desk at the deal in play."""
        return self._deals[-1].desk

    @property
    def deals(self) -> list[Deal]:
        """All deals of the match so far."""
        return [kept.deal for kept in self._deals]

    @property
    def audits(self) -> list[RoundAudit | None]:
        """Our own audit of each deal, None where it is not done yet."""
        return [kept.audit for kept in self._deals]

    @property
    def stats(self) -> list[RoundStats]:
        """What each deal cost here."""
        return [kept.stats for kept in self._deals]

    def now(self) -> int:
        """Microseconds on the clock of this seat."""
        return self._now()

    def view(self, known: dict[Handle, str] | None = None) -> SeatView | None:
        """The table as this seat sees it; `known`: private faces to show (none by default but the card in hand)."""
        deal = self.current
        if deal.game is None and deal.lanes is None:
            return None
        state = joined_state(deal)
        faces = dict(known or {})
        if state.drawn is not None and state.drawn.handle in self.desk.known and state.turn == self.seat:
            faces[state.drawn.handle] = self.desk.known[state.drawn.handle]
        return seat_view(state, self.seat, faces)

    # ---------------------------------------------------------------- what its player says

    def answer(self, number: int, move: Move | None) -> bool:
        """The player's answer to a question (see `desk.answer`)."""
        if not answer(self.desk, number, move):
            return False
        self.turn()
        return True

    def press(self, handle: Handle, at: int | None = None) -> bool:
        """The player snaps; `at`: when the key press arrived, by our clock."""
        if not press(self.desk, handle, self._now() if at is None else at):
            return False
        self.turn()
        return True

    # ---------------------------------------------------------------- running

    async def run(self) -> None:
        """Plays until the match is over or somebody is caught. Messages to the others are answered until the end."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._listen)
            nursery.start_soon(self._alarm)
            nursery.start_soon(self.talk.gossip, self._count_of_moves)
            nursery.start_soon(self.talk.measure)
            if self._holding:
                nursery.start_soon(self._catch_up)
            for kept in self._deals:
                if kept.deal.over:
                    self._have_audited(kept)  # rounds that were over before a restart
            self.talk.hail(None)
            self.turn()
            await self._done.wait()
            while any(kept.auditing for kept in self._deals):
                await self._audited.wait()
            await self._flush()
            nursery.cancel_scope.cancel()
        self._nursery = None

    async def linger(self, seconds: float = LINGER_SECONDS) -> None:
        """Goes on answering after the end until nobody needs our messages: all have it too, or, where the match was
        stopped, are gone. Who is away at the end of a match that was played out may be on its way back."""
        others = set(self.current.active) - {self.seat}

        def is_needed() -> bool:
            return any(s not in self.talk.done and (self.finished or s in self.talk.links) for s in others)

        self.talk.hail(None)
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._listen)
                nursery.start_soon(self.talk.gossip, self._count_of_moves)
                await self._until(lambda: not is_needed())
                nursery.cancel_scope.cancel()

    async def _until(self, condition: Callable[[], bool]) -> None:
        """Waits for something that a frame or a link may bring about."""
        while not condition():
            await self._stir.wait()

    async def _listen(self) -> None:
        while True:
            event = await self._wires.receive()
            stir, self._stir = self._stir, trio.Event()
            match event:
                case Frame(key, data, stamp):
                    self._frame(key, data, stamp // 1000)
                case Up(key):
                    self._up(key)
                case Down(key):
                    seat = self.talk.seat_of(key)
                    if seat is not None:
                        self.talk.links.discard(seat)
                        self._player.changed()
            stir.set()

    async def _alarm(self) -> None:
        while True:
            waking, self._waking = self._waking, trio.Event()
            del waking
            if self._wake is None:
                await self._waking.wait()
                continue
            delay = (self._wake - self._now()) / 1_000_000
            if delay > 0:
                with trio.move_on_after(delay):
                    await self._waking.wait()
                    continue
            self._wake = None
            self.turn()

    def _count_of_moves(self) -> int:
        """Rises with all that happens here; while a seat catches up nothing counts as happening."""
        return 0 if self._holding else self._moved

    async def _catch_up(self) -> None:
        """After a restart: the others may hold newer messages of ours than our journal does."""
        others = set(self.current.active) - {self.seat}

        def is_told() -> bool:
            return others <= self.talk.heard.keys() and max(self.talk.heard.values()) <= self.current.deal

        with trio.move_on_after(CATCH_UP_LIMIT):
            await self._until(is_told)
        taken = -1
        while taken != self._taken:
            taken = self._taken
            await trio.sleep(CATCH_UP_SECONDS)
        self._holding = False
        self.turn()

    async def _flush(self) -> None:
        async with self._saving:
            await trio.to_thread.run_sync(self._journal.flush)

    # ---------------------------------------------------------------- frames

    def _frame(self, key: bytes, data: bytes, stamp: int) -> None:
        try:
            frame = decode_frame(data)
        except DecodeError as error:
            self.talk.babble(key, f"a frame that does not decode: {error}")
            return
        match frame:
            case EnvelopeFrame(raw):
                self._envelope(key, raw, stamp)
            case Have():
                self.talk.have(key, frame, stamp)
            case Ping():
                self.talk.ping(key, frame, stamp)
            case Pong():
                self.talk.pong(key, frame, stamp)
            case Hello() | Members():
                if self.on_members is not None:
                    self.on_members(frame, key)

    def _envelope(self, sender: bytes, raw: bytes, stamp: int) -> None:
        try:
            envelope = decode_envelope(raw)
        except DecodeError as error:
            self.talk.babble(sender, f"an envelope that does not decode: {error}")
            return
        deal = self.current
        if envelope.table != deal.table or envelope.seat >= self.charter.seats or envelope.deal > deal.deal + 1:
            return
        known = self._held(envelope)
        if known is not None and known.data == raw:
            return
        signed = verify_envelope(envelope, self.talk.publics[envelope.seat])
        if signed is None:
            self.talk.babble(sender, "a signature that does not verify")
            return
        if envelope.deal > deal.deal:
            if sum(other.envelope.seat == envelope.seat for other in self._later) < MAX_LATER:
                self.clock.arrived(envelope.deal, envelope.slot, envelope.seat, stamp)
                self._later.append(signed)
            return
        self._take(signed)
        held = self._held(envelope)
        if known is None and held is not None and held.data == raw:
            # Only what is held goes on, and only once: what nobody keeps would go round for ever.
            self._taken += 1
            self.clock.arrived(envelope.deal, envelope.slot, envelope.seat, stamp)
            if envelope.kind in ("OPEN", "SNAP", "NONE"):
                self.talk.forward(raw, envelope, sender)
        self.turn()

    def _adopt(self, kept: KeptDeal, envelope: Envelope) -> None:
        """A message of our own that was not made in this run. Our time goes on from it; without what it stands on (our
        journal is an older copy then) we could only contradict ourselves."""
        kept.desk.said.add(envelope.slot)
        kept.carried += max(0, envelope.elapsed - self._elapsed(kept))
        lacks = None if kept.deal.over else missing_secret(kept.own, envelope.body)
        if lacks is not None and self.lost is None:
            self.lost = (
                f"the others hold our {envelope.kind} at {envelope.slot} of round {envelope.deal}, which is newer than "
                f"this journal, and {lacks} was lost with the newer one: this seat cannot be taken again"
            )
            log.error("%s", self.lost)
            self._done.set()

    def _held(self, envelope: Envelope) -> Envelope | None:
        for kept in reversed(self._deals):
            if kept.deal.deal == envelope.deal:
                return kept.deal.held.get((envelope.slot, envelope.seat))
        for signed in self._later:
            if signed.envelope.data == envelope.data:
                return signed.envelope
        return None

    def _take(self, signed: Signed) -> None:
        for kept in reversed(self._deals):
            if kept.deal.deal == signed.envelope.deal:
                receive(kept.deal, signed)
                if signed.envelope.seat == self.seat and signed.envelope.hash not in self._made:
                    self._adopt(kept, signed.envelope)
                return

    def _up(self, key: bytes) -> None:
        if self.talk.seat_of(key) is not None:
            self.talk.hail(key)
            self._player.changed()

    # ---------------------------------------------------------------- the heart

    def turn(self) -> None:
        """Brings everything in line: news to the player, duties to the workers, the next alarm."""
        self._moved += 1
        while self.lost is None:
            self._digest()
            kept = self._deals[-1]
            if kept.deal.fault is not None:
                self._caught(kept.deal.fault)
                break
            if kept.deal.over:
                self._have_audited(kept)  # where our RESULT is one from before a restart
                kept.stats.ended = self._now()
                if match_over(kept.deal):
                    self.finished = True
                    self._done.set()
                    break
                self._begin(next_deal(kept.deal), kept.deal.head)
                continue
            if self._holding or self._nursery is None:
                break
            duties, wake = due(kept.desk, self._now())
            self._question()
            self._window()
            if wake is not None:
                self._alert(wake)
            if not duties:
                break
            for duty in duties:
                work = work_for(kept.deal, kept.desk, kept.own, duty, self._workers.run)
                taken_up(kept.desk, duty)
                self._nursery.start_soon(self._carry_out, kept, duty, work)
        self._player.changed()

    def _alert(self, wake: int) -> None:
        if self._wake is None or wake < self._wake:
            self._wake = wake
            self._waking.set()

    def _begin(self, deal: Deal, last_head: bytes) -> None:
        now = self._now()
        self._deals.append(
            KeptDeal(
                deal,
                Desk(deal, self.seat, self.clock, asked=self._asked),  # numbers of questions never come again
                Own(self.seat),
                now,
                stats=RoundStats(now),
                last_head=last_head,
            )
        )
        self.clock.forget(deal.deal - 1)
        self._player.begin(deal, self.seat)
        for name, value in self._saved_secrets.pop(deal.deal, []):
            self._deals[-1].own.remember(name, value)
        later, self._later = self._later, []
        for signed in later:
            self._take(signed)

    def _digest(self) -> None:
        for kept in self._deals[-2:]:
            for output in drain(kept.deal):
                self._news(kept, output)
        kept = self._deals[-1]
        main = kept.deal.main
        if main is not None and main.kind == "RESULT" and not self._holding:
            self._have_audited(kept)

    def _news(self, kept: KeptDeal, output: object) -> None:
        match output:
            case Verify(token, envelope, checks):
                if token in self._made or self._nursery is None:
                    verdict(kept.deal, token, None)
                    for more in drain(kept.deal):
                        self._news(kept, more)
                else:
                    self._nursery.start_soon(self._verify, kept, envelope, checks)
            case Accepted(envelope):
                kept.stats.messages += 1
                kept.stats.bytes += len(envelope.data)
                if envelope.hash not in self._made and envelope.kind != "SHUFFLE":
                    self._journal.note_received(envelope.data)  # our own too, where others gave it back to us
            case StepClosed(_, kind, _):
                kept.stats.steps += 1
                if kind == "SERVE" and kept.stats.dealt is None:
                    kept.stats.dealt = self._now()
            case Happened(slot, events):
                self._player.happened(slot, events)
            case Viewed(_, viewer, handle):
                if viewer == self.seat:
                    self._look(kept, handle)
            case Raced(_, record):
                self._player.raced(kept.deal.races[record])
            case Differing(envelope):
                self.talk.doubt(kept.deal, envelope)
            case Refused(fault):
                self._caught(fault)
            case _:
                pass

    def _look(self, kept: KeptDeal, handle: Handle) -> None:
        view = next(
            view for view in reversed(kept.deal.views) if view.asked.viewer == self.seat and view.asked.handle == handle
        )
        face = viewed_face(kept.deal, kept.own, view)
        kept.desk.known[handle] = face
        self._player.looked(handle, face)

    def _caught(self, fault: Fault) -> None:
        if self.fault is None:
            self.fault = fault
            log.error("seat %s: %s at %s: %s", fault.seat, fault.code, fault.slot, fault.reason)
            for data in fault.evidence:
                self._journal.note_received(data)
                self.talk.say(data)
            self._player.refused(fault)
            self._done.set()

    def _question(self) -> None:
        question = self.desk.question
        if question is None or question.number <= self._asked:
            return
        self._asked = question.number
        said = self._player.asked(question, self.view())
        if said is not None and self._nursery is not None:
            self._nursery.start_soon(
                self._after, said.after_ms * 1000 + self._now(), partial(self.answer, question.number, said.move)
            )

    def _window(self) -> None:
        """Tells the player, once a window, that a card can be snapped."""
        deal, lanes = self.current, self.current.lanes
        if lanes is None or lanes.window is None or lanes.window.kind != "WINDOW" or lanes.zero is None:
            return
        place = (deal.deal, lanes.window.slot)
        if place in self._windows or not may_snap(lanes.now, self.seat):
            return
        self._windows.add(place)
        note_window(self.clock, deal, lanes, self._now())
        view = self.view()
        said = self._player.window(view) if view is not None else None
        if said is not None and self._nursery is not None:
            zero = zero_of(self.clock, deal.deal, lanes.zero) or self._now()
            press_it = partial(self._press_on, deal, lanes.now.top, said.handle)
            self._nursery.start_soon(self._after, zero + said.after_ms * 1000, press_it)

    def _press_on(self, deal: Deal, top: Handle | None, handle: Handle) -> None:
        """A press that was meant for this discard: on the next one it would be a mistake."""
        lanes = deal.lanes
        if deal is self.current and lanes is not None and lanes.now.top == top:
            self.press(handle)

    async def _after(self, at: int, action: Callable[[], object]) -> None:
        await trio.sleep(max(0.0, (at - self._now()) / 1_000_000))
        action()

    # ---------------------------------------------------------------- jobs

    async def _verify(self, kept: KeptDeal, envelope: Envelope, checks: Sequence[Check]) -> None:
        failed = await self._workers.verify(checks)
        if envelope.kind == "SHUFFLE" and failed is None:
            self._journal.note_received(envelope.data)  # accepted on receipt, but a restart trusts what is saved
        verdict(kept.deal, envelope.hash, failed)
        self.turn()

    def _have_audited(self, kept: KeptDeal) -> None:
        """Starts our own audit of a round, once."""
        if self._nursery is not None and kept.audit is None and not kept.auditing:
            kept.auditing = True
            self._nursery.start_soon(self._audit, kept)

    async def _audit(self, kept: KeptDeal) -> None:
        deal = kept.deal
        envelopes = deal_envelopes(deal)
        kept.audit = await self._workers.make(
            partial(
                audit_round,
                deal.charter,
                deal.deal,
                deal.dealer,
                deal.active,
                deal.standing,
                kept.last_head,
                envelopes,
            )
        )
        kept.auditing = False
        kept.desk.audited = True
        audited, self._audited = self._audited, trio.Event()
        audited.set()
        self.turn()

    async def _carry_out(self, kept: KeptDeal, duty: Duty, work: Made | Work) -> None:
        """Makes the body, signs it, saves everything it stands on, and only then lets it leave."""
        made = work if isinstance(work, Made) else await self._workers.make(partial(work, self._rng))
        async with self._saving:
            if (duty.step.slot, self.seat) in kept.deal.held:
                return  # a message of ours for this slot, from before a restart, came back from the others meanwhile
            signed = seal(
                self.identity,
                table=kept.deal.table,
                deal=kept.deal.deal,
                slot=duty.step.slot,
                seat=self.seat,
                head=duty.step.head,
                kind=duty.kind,
                elapsed=self._elapsed(kept),
                body=made.body,
            )
            secrets = [(f"{kept.deal.deal}/{name}", value) for name, value in made.secrets]
            choices = []
            if duty.kind == "NONE" and kept.desk.choice is not None:
                choices.append([kept.deal.deal, duty.step.slot.number, to_plain(kept.desk.choice)])
            await trio.to_thread.run_sync(
                partial(self._journal.commit, secrets=secrets, choices=choices, sent=[signed.envelope.data])
            )
        for name, value in made.secrets:
            kept.own.remember(name, value)
        self._made.add(signed.envelope.hash)
        self.clock.said(kept.deal.deal, duty.step.slot, self._now())
        self.talk.say(signed.envelope.data)
        receive(kept.deal, signed)
        self.turn()

    def _elapsed(self, kept: KeptDeal) -> int:
        return kept.carried + (self._now() - kept.started) // 100_000

    # ---------------------------------------------------------------- after a restart

    def _restore(self, rows: list[Saved]) -> None:
        """Rebuilds replica, secrets and the player's memory from the journal; nothing is said or made anew."""
        for row in rows:
            if row.kind in ("received", "sent"):
                self._restore_envelope(row.data)
            elif row.kind == "secret":
                self._restore_secret(row)
        choice = next((row.plain for row in reversed(rows) if row.kind == "choice"), None)
        match choice:
            case [int(number), int(lanes), list(plain)] if self._waits_in(number, lanes):
                self.desk.choice = from_plain(plain)
        self._holding = True

    def _waits_in(self, number: int, lanes: int) -> bool:
        """Whether the choice made in these lanes is still to be carried out: its ACTION has not joined them."""
        deal = self.current
        return deal.deal == number and deal.lanes is not None and deal.lanes.number == lanes

    def _restore_envelope(self, data: bytes) -> None:
        envelope = decode_envelope(data)
        signed = verify_envelope(envelope, self.talk.publics[envelope.seat])
        if signed is None:
            raise LocalError("the journal holds a message whose signature does not verify")
        if envelope.deal > self.current.deal:
            self._later.append(signed)
            return
        self._take(signed)
        self.turn()

    def _restore_secret(self, row: Saved) -> None:
        number, _, name = row.name.partition("/")
        kept = next((kept for kept in self._deals if kept.deal.deal == int(number)), None)
        if kept is not None:
            kept.own.remember(name, row.data)
        else:  # its deal begins when others have given us back the end of the one before
            self._saved_secrets.setdefault(int(number), []).append((name, row.data))

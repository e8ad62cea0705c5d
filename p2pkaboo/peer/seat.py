"""One seat of one match, running: frames in, frames out, save before send, and the seat's player in between.

Everything here happens on one event loop, a frame or a finished job at a time; only bodies, proofs, the journal and the
audit go to threads (`jobs`). The replica decides what is true, the desk what to say; this decides nothing.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import trio

from p2pkaboo.audit.report import RoundAudit
from p2pkaboo.crypto.group import Rng
from p2pkaboo.crypto.identity import Identity
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.peer.asking import Asking
from p2pkaboo.peer.intake import Intake
from p2pkaboo.peer.jobs import Jobs
from p2pkaboo.peer.kept import Journal, KeptDeal, RoundStats, Saved, Wires
from p2pkaboo.peer.player import Player
from p2pkaboo.peer.restart import Restart
from p2pkaboo.peer.talk import Talk
from p2pkaboo.peer.workers import Workers
from p2pkaboo.replica.charter import Charter
from p2pkaboo.replica.clock import Clock
from p2pkaboo.replica.desk import Desk
from p2pkaboo.replica.duties import due
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.match import first_deal, match_over, next_deal
from p2pkaboo.replica.outputs import Accepted, Differing, Happened, Output, Raced, Refused, StepClosed, Verify, Viewed
from p2pkaboo.replica.own import Own, viewed_face
from p2pkaboo.replica.questions import answer
from p2pkaboo.replica.snapping import press
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.table import drain
from p2pkaboo.rules.moves import Move
from p2pkaboo.rules.state import Handle
from p2pkaboo.rules.view import SeatView
from p2pkaboo.wire.envelope import decode_envelope

log = logging.getLogger(__name__)

LINGER_SECONDS: Final = 10.0
"""How long a seat that is done answers those who are not: what is lost is asked for in a quarter of a second."""


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
        self._wires, self._journal, self._player, self._now = wires, journal, player, now
        self._deals: list[KeptDeal] = []
        self._moved = 0
        self._stir = trio.Event()
        self._waking = trio.Event()
        self._wake: int | None = None
        self._done = trio.Event()
        self.talk = Talk(identity, charter.keys, forming, wires, self.clock, rng, now, self._deals)
        self._jobs = Jobs(self.talk, workers, journal, rng, now, self.turn)
        self._restart = Restart(self.talk, now, self._jobs.failed, self._done.set)
        self.intake = Intake(self.talk, self._jobs.made, self._restart.adopt, self.turn)
        self._asking = Asking(player, self.talk, now, self.answer, self.press)
        self._begin(first_deal(charter), charter.hash)
        if saved is not None:
            self._restart.restore(saved, self.intake, self.turn)

    # ---------------------------------------------------------------- what others see of it

    @property
    def links(self) -> set[int]:
        """The seats to which a link stands."""
        return self.talk.links

    @property
    def lost(self) -> str | None:
        """Why this seat cannot go on, where that is its own journal's fault."""
        return self._restart.lost

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
        """The table as this seat sees it (see `KeptDeal.view`)."""
        return self._deals[-1].view(known)

    # ---------------------------------------------------------------- what its player says

    def answer(self, number: int, move: Move | None) -> bool:
        """The player's answer to a question (see `questions.answer`)."""
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
            self._jobs.nursery = nursery
            nursery.start_soon(self._listen)
            nursery.start_soon(self._alarm)
            nursery.start_soon(self.talk.gossip, self._count_of_moves)
            nursery.start_soon(self.talk.measure)
            if self._restart.holding:
                nursery.start_soon(self._restart.catch_up, self._until, self._count_of_steps, self.turn)
            for kept in self._deals:
                if kept.deal.over:
                    self._jobs.have_audited(kept)  # rounds that were over before a restart
            self.talk.hail(None)
            self.turn()
            await self._done.wait()
            await self._jobs.settle()
            nursery.cancel_scope.cancel()
        self._jobs.nursery = None

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
                    self.intake.frame(key, data, stamp // 1000)
                case Up(key):
                    if self.talk.seat_of(key) is not None:
                        self.talk.hail(key)
                        self._player.changed()
                case Down(key):
                    seat = self.talk.seat_of(key)
                    if seat is not None:
                        self.talk.links.discard(seat)
                        self._player.changed()
            stir.set()

    async def _alarm(self) -> None:
        while True:
            self._waking = trio.Event()
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

    def _alert(self, wake: int) -> None:
        if self._wake is None or wake < self._wake:
            self._wake = wake
            self._waking.set()

    def _count_of_steps(self) -> int:
        return sum(kept.stats.steps for kept in self._deals)

    def _count_of_moves(self) -> int:
        """Rises with all that happens here; while a seat catches up nothing counts as happening."""
        return 0 if self._restart.holding else self._moved

    # ---------------------------------------------------------------- the heart

    def turn(self) -> None:
        """Brings everything in line: news to the player, duties to the workers, the next alarm."""
        self._moved += 1
        while self.lost is None:
            self._digest()
            kept = self._deals[-1]
            if kept.deal.fault is not None:
                self._caught(kept.deal.fault)
            if self.fault is not None:  # found in this deal or in the one before: nothing more is said, or is over
                break
            if kept.deal.over:
                self._jobs.have_audited(kept)  # where our RESULT is one from before a restart
                kept.stats.ended = self._now()
                if match_over(kept.deal):
                    self.finished = True
                    self._done.set()
                    break
                self._begin(next_deal(kept.deal), kept.deal.head)
                continue
            if self._restart.holding or self._jobs.nursery is None:
                break
            duties, wake = due(kept.desk, self._now())
            self._asking.ask(self._jobs.nursery)
            if wake is not None:
                self._alert(wake)
            if not duties:
                break
            for duty in duties:
                self._jobs.take_up(kept, duty)
        self._player.changed()

    def _begin(self, deal: Deal, last_head: bytes) -> None:
        now = self._now()
        desk = Desk(deal, self.seat, self.clock, asked=self._asking.asked)  # numbers of questions never come again
        kept = KeptDeal(deal, desk, Own(self.seat), now, stats=RoundStats(now), last_head=last_head)
        self._deals.append(kept)
        self.clock.forget(deal.deal - 1)
        self._player.begin(deal, self.seat)
        self._restart.give_secrets(kept)
        self.intake.take_later()

    # ---------------------------------------------------------------- news

    def _digest(self) -> None:
        for kept in self._deals[-2:]:
            for output in drain(kept.deal):
                self._news(kept, output)
        kept = self._deals[-1]
        main = kept.deal.main
        if main is not None and main.kind == "RESULT" and not self._restart.holding:
            self._jobs.have_audited(kept)

    def _news(self, kept: KeptDeal, output: Output) -> None:
        match output:
            case Verify(_, envelope, checks):
                self._jobs.verify(kept, envelope, checks)
                for more in drain(kept.deal):  # what follows at once from a verdict that was known
                    self._news(kept, more)
            case Accepted(envelope):
                kept.stats.messages += 1
                kept.stats.bytes += len(envelope.data)
                if envelope.hash not in self._jobs.made and envelope.kind != "SHUFFLE":
                    self._journal.note_received(envelope.data)  # our own too, where others gave it back to us
            case StepClosed(_, kind, _):
                kept.stats.steps += 1
                if kind == "SERVE" and kept.stats.dealt is None:
                    kept.stats.dealt = self._now()
            case Happened(slot, events):
                self._player.happened(slot, events)
            case Viewed(_, viewer, handle):
                if viewer == self.seat:
                    kept.desk.known[handle] = viewed_face(kept.deal, kept.own, handle)
                    self._player.looked(handle, kept.desk.known[handle])
            case Raced(_, record):
                self._player.raced(kept.deal.races[record])
            case Differing(envelope):
                self.talk.doubt(kept.deal, envelope)
            case Refused(fault):
                self._caught(fault)
            case _:
                pass

    def _caught(self, fault: Fault) -> None:
        if self.fault is None:
            self.fault = fault
            log.error("seat %s: %s at %s: %s", fault.seat, fault.code, fault.slot, fault.reason)
            under_way = next(kept.deal.checking for kept in self._deals if kept.deal.deal == fault.deal)
            judged = all(decode_envelope(data).hash not in under_way for data in fault.evidence)
            for data in fault.evidence:
                if judged:  # else a restart would take for proved what nobody has checked: the others have it from us
                    self._journal.note_received(data)
                self.talk.say(data)
            self._player.refused(fault)
            self._done.set()

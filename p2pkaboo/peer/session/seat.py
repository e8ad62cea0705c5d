"""The player at a screen: implements `peer.player.Player`, remembers what it may see, keeps the log of the match."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from p2pkaboo.peer import api
from p2pkaboo.peer.player import Answer, SnapPress
from p2pkaboo.peer.session.chronicle import Chronicle
from p2pkaboo.peer.session.memory import NEVER, PEEK_MS, Memory
from p2pkaboo.peer.session.races import Races
from p2pkaboo.peer.session.result import call_held
from p2pkaboo.replica.desk import Question
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.questions import LOOK_MS
from p2pkaboo.replica.state import Deal, RaceRecord
from p2pkaboo.rules.events import Event
from p2pkaboo.rules.state import Handle, owner
from p2pkaboo.rules.view import SeatView
from p2pkaboo.wire.slot import Slot


@dataclass(slots=True)
class Shuffling:
    """When each seat's shuffle of the deal came in, in milliseconds; `since`: when the deal began."""

    since: int
    done_at: list[int] = field(default_factory=list)


class Human:
    """Everything one person at one table may know, kept up to date by the running peer."""

    def __init__(self, now_ms: Callable[[], int], changed: Callable[[], None]) -> None:
        self.deal: Deal | None = None
        self.before: Deal | None = None
        """The deal before this one, whose result is shown until everybody is ready."""
        self.seat = 0
        self.memory = Memory(0, False)
        self.chronicle = Chronicle(None, now_ms)
        self.races = Races()
        self.fault: Fault | None = None
        self.shuffling = Shuffling(now_ms())
        self.ready_early = False
        """The player is ready for the next round before its deck is shuffled."""
        self.on_screen = False
        """A screen is open that shows the table."""
        self.live = False
        """False while the past is played back after a restart: then nothing moves on the screen."""
        self._now_ms, self._changed = now_ms, changed
        self._done: set[str] = set()

    def begin(self, deal: Deal, seat: int) -> None:
        if self.deal is not None:
            self._milestones(self.deal)
            self.before = self.deal
        self.deal, self.seat = deal, seat
        self.memory = Memory(seat, deal.charter.rules.memory == "assisted")
        self.chronicle.you = seat
        self.shuffling = Shuffling(self._now_ms())
        self._done = set()
        self.chronicle.say("log.round", "turn", round=deal.standing.round_no, seat=deal.dealer)

    def happened(self, slot: Slot, events: Sequence[Event]) -> None:
        deal = self.deal
        if deal is None:
            return
        self._milestones(deal)
        card = self.chronicle.pile[-1] if self.chronicle.pile else ""
        times = self.races.times(deal, events)
        self.chronicle.happened(events, joined_state(deal), self.memory, times)
        self.races.happened(deal, events, card, self.memory.turn)
        for handle, face in self.races.turned_back(deal).items():
            if handle not in self.memory.shown and f"back{handle}" not in self._done:
                self._done.add(f"back{handle}")
                self.memory.show(handle, face, self._now_ms() + PEEK_MS)

    def looked(self, handle: Handle, card: str) -> None:
        deal = self.deal
        if deal is None:
            return
        state = joined_state(deal)
        seat = owner(state, handle)
        if deal.main is not None and deal.main.kind == "SEEN" and seat is not None:
            self.memory.look(handle, card, NEVER)
            if not self.live:
                self.memory.first_shown = -LOOK_MS  # shown before the restart
            elif self.on_screen:
                self.memory.on_screen(self._now_ms())
            self.memory.note_look(self.seat, handle)
            self.chronicle.look(self.seat, seat, state.hands[seat].index(handle), card)
        elif seat is not None and self.live:
            self.memory.look(handle, card, self._now_ms() + PEEK_MS)
        else:
            self.memory.seen[handle] = card

    def raced(self, record: RaceRecord) -> None:
        if self.deal is None:
            return
        self.races.judged(self.deal, record, self.memory.turn)
        if self.live:
            race = self.races.shown(self.deal, self.memory.turn)
            if race is not None:
                self.chronicle.motion.append(api.Raced(snapshot=0, race=race))

    def asked(self, question: Question, view: SeatView | None) -> Answer | None:
        if question.kind == "ready" and self.ready_early:
            self.ready_early = False
            return Answer(None, 0)
        return None  # a person answers through the screen

    def window(self, view: SeatView) -> SnapPress | None:
        return None

    def changed(self) -> None:
        if self.deal is not None:
            self._milestones(self.deal)
        if not self.live:
            self.chronicle.motion.clear()
        self._changed()

    def refused(self, fault: Fault) -> None:
        self.fault = fault

    # ---------------------------------------------------------------- what the engine does not report

    def _once(self, name: str) -> bool:
        if name in self._done:
            return False
        self._done.add(name)
        return True

    def _milestones(self, deal: Deal) -> None:
        """Notes what has become true since the last time: the deal is out, the looks are over, the hands are open."""
        series = deal.series
        done = series.done if series is not None and series.why == "deal" else len(deal.active) if deal.order else 0
        while len(self.shuffling.done_at) < done:
            self.shuffling.done_at.append(self._now_ms())
        if deal.game is None:
            return
        if (deal.main is None or deal.main.kind != "READY") and self._once("dealt"):
            self.chronicle.say("log.dealt")
            self.chronicle.dealt(deal.game)
        if deal.lanes is not None and self._once("looks"):
            self.chronicle.begin([deal.faces[handle] for handle in deal.lanes.base.pile])
            if deal.charter.rules.peek_count:
                self.chronicle.say("log.first_look")
        if deal.lanes is not None and deal.lanes.now.turn is None and not deal.lanes.closed and self._once("last"):
            self.chronicle.say("log.last_snaps", "turn")
        if deal.score is not None and self._once("scored"):
            self._scored(deal)
        if deal.over and self._once("over"):
            steps = len(deal.history)
            self.chronicle.say("log.verified", round=deal.standing.round_no, steps=steps)
            if deal.score is not None and deal.score.match_over:
                self.chronicle.say("log.match_over", "turn")

    def _scored(self, deal: Deal) -> None:
        score = deal.score
        assert score is not None
        self.chronicle.say("log.revealed", "turn")
        caller = deal.state.caller
        if caller is not None and caller in deal.active:
            held = call_held(deal)
            if held is not None:
                self.chronicle.say("log.call_holds" if held else "log.call_fails", "" if held else "bad", seat=caller)
        for seat in deal.active:
            self.chronicle.say("log.scored", seat=seat, points=score.round[seat])
        for seat in score.reset:
            rules = deal.charter.rules
            self.chronicle.say("log.reset", seat=seat, n=rules.reset_at, to=rules.reset_to)
        self.chronicle.motion.append(api.RoundEnded(snapshot=0, number=deal.standing.round_no))

"""The tutorial's practice: a fixed deck in the rules engine, without other peers, without any shuffle, labelled so."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from p2pkaboo.peer import api
from p2pkaboo.peer.session.choices import Asking, Options, TurnCommand, card_at, choices_of, move_of
from p2pkaboo.peer.session.chronicle import LINES_SHOWN, Chronicle, place
from p2pkaboo.peer.session.lessons import LESSONS, OTHER, RULES, YOU, coach_of
from p2pkaboo.peer.session.memory import NEVER, PEEK_MS, Memory
from p2pkaboo.peer.session.profile import PRESET_NAMES
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.peer.session.result import holds, rows_of
from p2pkaboo.peer.session.table import Phase
from p2pkaboo.peer.session.view import discard_of, final_turn_of, held_of, places_of, power_now, revealed_of
from p2pkaboo.replica.questions import LOOK_MS
from p2pkaboo.rules.engine import (
    IllegalMove,
    Needs,
    Played,
    expose,
    idle_move,
    moves,
    play,
    snap_targets,
    snappable,
    start,
    turn_moves,
)
from p2pkaboo.rules.events import Event
from p2pkaboo.rules.moves import Discard, Draw, Move, Peek, PeekInitial, Skip, Snap, Spy
from p2pkaboo.rules.scoring import score_round
from p2pkaboo.rules.state import Handle, State

THINK_MS: Final = 1_100
"""Between two moves of the other player: slow enough to follow."""

PARTNER: Final = "Ben"


class Practice:
    """One lesson, from its first look to its end."""

    def __init__(self, lesson: int, now_ms: Callable[[], int], changed: Callable[[], None], name: str) -> None:
        """`lesson`: which one, from 0. Raises Refusal for one that does not exist."""
        if lesson >= len(LESSONS):
            raise Refusal("error.unknown", what=f"lesson {lesson + 1}")
        self.rules = RULES
        self.lesson = LESSONS[lesson]
        self.memory = Memory(YOU, False)
        self.chronicle = Chronicle(YOU, now_ms)
        self._now_ms, self._changed, self._names = now_ms, changed, (name, PARTNER)
        cards = self.lesson.deck(RULES)
        handles = tuple((1, at) for at in range(len(cards)))
        self._faces: dict[Handle, str] = dict(zip(handles, cards, strict=True))
        state = start(RULES, 2, OTHER, handles)
        self.state: State = expose(state, {handle: self._faces[handle] for handle in state.pile})
        self.done = False
        self._reached = 0
        self._look_ends: int | None = None
        self._due: int | None = None
        self.chronicle.begin([self._faces[handle] for handle in state.pile])
        self.chronicle.dealt(state)
        self._play(PeekInitial(OTHER, tuple(h for h in state.hands[OTHER][: RULES.peek_count] if h is not None)))

    # ---------------------------------------------------------------- what is asked

    def _asking(self) -> Asking | None:
        if YOU in self.state.initial:
            return Asking("look", self.state, moves(self.state, YOU))
        if self._look_ends is not None:
            return Asking("seen", self.state, ())
        if self.state.gift is not None and self.state.gift.giver == YOU:
            return Asking("gift", self.state, moves(self.state, YOU))
        if self.state.turn == YOU and self.state.gift is None:
            return Asking("turn", self.state, turn_moves(self.state, self.memory.seen))
        return None

    def options(self) -> Options:
        """Everything the learner may do now."""
        looked = self._look_ends is None
        return Options(
            you=YOU,
            asking=None if self._over() else self._asking(),
            targets=snap_targets(self.state, YOU) if looked and not self._over() else (),
            snap_state=self.state,
            looking=bool(self.memory.looking),
            known=self.memory.seen,
        )

    def _over(self) -> bool:
        return self.state.turn is None

    # ---------------------------------------------------------------- what is done

    def command(self, command: api.AnyCommand) -> None:
        """A command of the turn. Raises Refusal."""
        if isinstance(command, api.Seen):
            if not self.memory.looking:
                raise Refusal("error.not_now")
            self._end_look()
            return
        if not isinstance(command, TurnCommand):
            raise Refusal("error.not_now")
        self._play(move_of(command, self.options()))

    def snap(self, command: api.Snap) -> None:
        """A snap: judged at once, nobody else is in the race. Raises Refusal."""
        handle = card_at(self.state, command.seat, command.position)
        if handle not in self.options().targets:
            raise Refusal("error.no_snap")
        self._play(Snap(YOU, handle))

    def ready(self) -> None:
        """There is no next round in a lesson."""
        raise Refusal("error.not_now")

    def tick(self) -> None:
        """Lets time pass: looks end, the other player moves."""
        now = self._now_ms()
        if self._look_ends is not None and now >= self._look_ends:
            self._end_look()
        waits = self._asking_of_other()
        if not waits or self.done:
            self._due = None
        elif self._due is None:
            self._due = now + THINK_MS
        elif now >= self._due:
            self._due = None
            self._play(self._others_move())

    def next_change(self) -> int | None:
        """When `tick` has something to do next."""
        ends = [end for end in (self._look_ends, self._due, self.memory.next_change()) if end is not None]
        return min(ends, default=None)

    def _asking_of_other(self) -> bool:
        state = self.state
        return not state.initial and self._look_ends is None and state.gift is None and state.turn == OTHER

    def _others_move(self) -> Move:
        """The other player draws and discards, so that there is something to snap."""
        options = turn_moves(self.state)
        for kind in (Draw, Discard, Skip):
            for move in options:
                if isinstance(move, kind):
                    return move
        return idle_move(self.state, OTHER)

    def _end_look(self) -> None:
        self.memory.stop_looking()
        self._look_ends = None

    def _play(self, move: Move) -> None:
        try:
            outcome = play(self.state, move, self._faces)
            if isinstance(outcome, Needs):  # the stock is empty: a fixed deck is turned over as it lies
                outcome = play(self.state, move, self._faces, reshuffled=outcome.reshuffle)
        except IllegalMove as error:
            raise Refusal("error.illegal", reason=error.reason) from None
        assert isinstance(outcome, Played)  # all faces are known here, and these rules ask for no claims
        self.state = outcome.state
        self._see(move)
        self.chronicle.happened(outcome.events, self.state, self.memory, {})
        self._count(outcome.events)
        self._changed()

    def _see(self, move: Move) -> None:
        """What the learner sees by its own move."""
        if move.seat != YOU:
            return
        now = self._now_ms()
        match move:
            case PeekInitial(_, handles):
                self._look_ends = now + LOOK_MS
                for handle in handles:
                    self.memory.look(handle, self._faces[handle], NEVER)
                    self.memory.note_look(YOU, handle)
            case Peek(_, handle) | Spy(_, handle):
                self.memory.look(handle, self._faces[handle], now + PEEK_MS)
            case Draw() if self.state.drawn is not None:
                handle = self.state.drawn.handle
                self.memory.seen[handle] = self._faces[handle]
            case _:
                pass

    def _count(self, events: tuple[Event, ...]) -> None:
        self._reached += sum(self.lesson.reached(event) for event in events)
        self.done = self.done or self._reached >= self.lesson.times

    # ---------------------------------------------------------------- what is shown

    def table(self, now_ms: int) -> api.Table:
        """The table as the learner sees it."""
        state, memory = self.state, self.memory
        memory.expire(now_ms)
        result = self._result() if self._over() else None
        looking = self._look_ends is not None
        gift = state.gift
        return api.Table(
            name=PRESET_NAMES["sheffield"],
            rules=PRESET_NAMES["sheffield"],
            preset="sheffield",
            changes=0,
            you=YOU,
            round=1,
            phase=self._phase(),
            seats=tuple(self._seat(seat) for seat in (YOU, OTHER)),
            dealer=state.dealer,
            turn=None if state.initial or looking else state.turn,
            stock=len(state.stock),
            discard=discard_of(state, state.faces, open_to_snaps=snappable(state), exposure=None),
            held=held_of(state, YOU, memory, state.faces),
            gift_to=None if gift is None else place(gift.to, gift.at),
            gift_from=None if gift is None else gift.giver,
            power=power_now(state),
            look=self._look_timer(),
            choices=choices_of(self.options()),
            caller=state.caller,
            log=tuple(self.chronicle.lines[-LINES_SHOWN:]),
            scores=_scores(result),
            result=result,
            practice=True,
            coach=coach_of(state, memory.seen, looking=looking, done=self.done),
        )

    def _phase(self) -> Phase:
        if self.state.initial or self._look_ends is not None:
            return "first_look"
        if self._over() or self.state.phase == "round_over":
            return "round_over"
        return self.state.phase

    def _look_timer(self) -> api.Timer | None:
        if self._look_ends is not None:
            return api.Timer(kind="peek", ends_at_ms=self._look_ends, total_ms=LOOK_MS)
        ends = [until for until in self.memory.looking.values() if until < NEVER]
        return api.Timer(kind="peek", ends_at_ms=max(ends), total_ms=PEEK_MS) if ends else None

    def _seat(self, seat: int) -> api.Seat:
        state = self.state
        shown = api.Seat(
            seat=seat,
            name=self._names[seat],
            bot=seat == OTHER,
            called=state.caller == seat,
            hands_off=state.caller == seat,
            final_turn=final_turn_of(state, seat),
            places=places_of(state, seat, self.memory, state.faces),
        )
        return replace(shown, places=revealed_of(state, seat, self._faces)) if self._over() else shown

    def _result(self) -> api.RoundResult:
        state = self.state
        hands = {
            seat: tuple(None if handle is None else self._faces[handle] for handle in state.hands[seat])
            for seat in (YOU, OTHER)
        }
        score = score_round(RULES, hands, state.caller)
        caller = state.caller
        return api.RoundResult(
            number=1,
            ended="called",
            caller=caller,
            call_held=None if caller is None else holds(RULES, score, caller),
            rows=rows_of(RULES, hands, score, caller, state.penalties),
            verdict=api.Verdict(verdict="valid"),
            match_over=True,
            winners=tuple(seat for seat in hands if score.round[seat] == min(score.round.values())),
        )


def _scores(result: api.RoundResult | None) -> api.ScoreSheet:
    """The sheet of the one round that a lesson can come to the end of."""
    if result is None:
        return api.ScoreSheet(totals=(0, 0), rounds_in_match=1)
    points = tuple(row.points for row in sorted(result.rows, key=lambda row: row.seat))
    played = api.ScoreRound(number=1, points=points, caller=result.caller, call_held=result.call_held)
    return api.ScoreSheet(rounds=(played,), totals=points, rounds_in_match=1)

"""Commands against the moment they were decided on: what is too old is refused, and nothing is sent."""

from dataclasses import dataclass, field

from msgspec.structs import replace

from p2pkaboo.peer import api
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.session.choices import Options, TurnCommand, card_at, move_of
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.peer.session.seat import Human
from p2pkaboo.peer.session.table import may_be_ready, options_of, window_open
from p2pkaboo.rules.state import Handle


@dataclass(slots=True)
class Turns:
    """Since which snapshot choices, the top card and every place mean what they mean."""

    decided_on: int = 0
    top_since: int = 0
    _meaning: object = None
    _top: object = None
    _places: dict[tuple[int, int], tuple[Handle | None, int]] = field(default_factory=dict)

    def stamp(self, table: api.Table, options: Options, number: int) -> api.Table:
        """The table of snapshot `number` with the numbers that its commands are checked against."""
        meaning = (table.round, options.meaning(), options.looking)
        if meaning != self._meaning:
            self._meaning, self.decided_on = meaning, number
        state = options.snap_state
        top = (table.round, table.discard.top, table.discard.count)
        if top != self._top:
            self._top, self.top_since = top, number
        for seat, hand in enumerate(state.hands if state is not None else ()):
            for at, handle in enumerate(hand):
                known = self._places.get((seat, at))
                if known is None or known[0] != handle:
                    self._places[seat, at] = (handle, number)
        return replace(table, decided_on=self.decided_on, top_since=self.top_since)

    def check(self, command: api.Command) -> None:
        """Raises Refusal for a decision that was made on a table that has changed."""
        if command.snapshot < self.decided_on:
            raise Refusal("error.stale")

    def check_snap(self, command: api.Snap) -> None:
        """The same for a snap: the card on top and the card at that place are still those that were seen."""
        if command.snapshot < self.top_since:
            raise Refusal("error.covered")
        _, since = self._places.get((command.seat, command.position), (None, 0))
        if command.snapshot < since:
            raise Refusal("error.stale")

    def snap(self, runner: SeatRunner, command: api.Snap, at_us: int) -> None:
        """Presses for the card at a place. Raises Refusal where nothing can be snapped."""
        lanes = runner.current.lanes
        if lanes is None or not window_open(runner, lanes):
            raise Refusal("error.no_snap")
        if not runner.press(card_at(lanes.now, command.seat, command.position), at_us):
            raise Refusal("error.no_snap")

    def play(self, runner: SeatRunner, human: Human, command: api.AnyCommand) -> None:
        """A command of the turn. Raises Refusal."""
        self.check(command)
        question = runner.desk.question
        if isinstance(command, api.Seen):
            if question is not None and question.kind == "seen":
                human.memory.stop_looking()
                runner.answer(question.number, None)
            elif human.memory.looking:
                human.memory.stop_looking()
            else:
                raise Refusal("error.not_now")
            return
        if not isinstance(command, TurnCommand):
            raise Refusal("error.not_now")
        move = move_of(command, options_of(runner, human))
        if question is None or not runner.answer(question.number, move):
            raise Refusal("error.not_now")

    def ready(self, runner: SeatRunner, human: Human) -> None:
        """Ready for the next round, also while its deck is still being shuffled. Raises Refusal at any other time."""
        question = runner.desk.question
        if question is not None and question.kind == "ready":
            runner.answer(question.number, None)
        elif may_be_ready(runner, human):
            human.ready_early = True
        else:
            raise Refusal("error.not_now")

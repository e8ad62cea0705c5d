"""Between desk and player: questions and open windows are put to the player, its answers given when they are due.

A bot's answer comes with the time that it takes to think; a person answers through the seat when it likes.
"""

from collections.abc import Callable
from functools import partial

import trio

from p2pkaboo.peer.player import Player
from p2pkaboo.peer.talk import Talk
from p2pkaboo.replica.clock import note_window, zero_of
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.engine import may_snap
from p2pkaboo.rules.moves import Move
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.slot import Slot


class Asking:
    """Asks one player, each thing once. `asked` is the last question's number; `answer` and `press` are the seat's."""

    def __init__(
        self,
        player: Player,
        talk: Talk,
        now: Callable[[], int],
        answer: Callable[[int, Move | None], object],
        press: Callable[[Handle], object],
    ) -> None:
        self.asked = 0
        self._player, self._talk, self._now, self._answer, self._press = player, talk, now, answer, press
        self._windows: set[tuple[int, Slot]] = set()

    def ask(self, nursery: trio.Nursery) -> None:
        """Puts to the player what is new. Answers that take their time are waited for in `nursery`."""
        self._ask_question(nursery)
        self._ask_window(nursery)

    def _ask_question(self, nursery: trio.Nursery) -> None:
        kept = self._talk.deals[-1]
        question = kept.desk.question
        if question is None or question.number <= self.asked:
            return
        self.asked = question.number
        said = self._player.asked(question, kept.view())
        if said is not None:
            at = said.after_ms * 1000 + self._now()
            nursery.start_soon(self._after, at, partial(self._answer, question.number, said.move))

    def _ask_window(self, nursery: trio.Nursery) -> None:
        """Tells the player, once a window, that a card can be snapped."""
        kept, clock = self._talk.deals[-1], self._talk.clock
        deal, lanes = kept.deal, kept.deal.lanes
        if lanes is None or lanes.window is None or lanes.window.kind != "WINDOW" or lanes.zero is None:
            return
        place = (deal.deal, lanes.window.slot)
        if place in self._windows or not may_snap(lanes.now, self._talk.seat):
            return
        self._windows.add(place)
        note_window(clock, deal, lanes, self._now())
        view = kept.view()
        said = self._player.window(view) if view is not None else None
        if said is not None:
            zero = zero_of(clock, deal.deal, lanes.zero) or self._now()
            press_it = partial(self._press_on, deal, lanes.now.top, said.handle)
            nursery.start_soon(self._after, zero + said.after_ms * 1000, press_it)

    def _press_on(self, deal: Deal, top: Handle | None, handle: Handle) -> None:
        """A press that was meant for this discard: on the next one it would be a mistake."""
        lanes = deal.lanes
        if deal is self._talk.current and lanes is not None and lanes.now.top == top:
            self._press(handle)

    async def _after(self, at: int, action: Callable[[], object]) -> None:
        await trio.sleep(max(0.0, (at - self._now()) / 1_000_000))
        action()

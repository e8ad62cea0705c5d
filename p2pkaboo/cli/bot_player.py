"""A bot on a peer's seat: hands the bot what its seat may see, and its choices back."""

from collections.abc import Callable, Sequence
from typing import Final

from p2pkaboo.peer.player import Answer, SnapPress
from p2pkaboo.players.bot import Bot
from p2pkaboo.replica.desk import Question
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.state import Deal, RaceRecord
from p2pkaboo.rules.events import Event
from p2pkaboo.rules.moves import Snap
from p2pkaboo.rules.state import Handle
from p2pkaboo.rules.view import SeatView
from p2pkaboo.wire.slot import Slot

SEEN_MS: Final = (300, 900)
"""How long a bot looks at its first cards, and takes to say that it is ready."""


class BotPlayer:
    """Implements `peer.player.Player` with a `players.bot.Bot`. Nothing but public events, own looks and views goes in.

    `patience`: what think times are multiplied with (1: like a person; 0.05: headless matches).
    """

    def __init__(self, bot: Bot, between: Callable[[int, int], int], *, patience: float = 1.0) -> None:
        """`between`: draws the length of small pauses (see `players.whims`)."""
        self._bot, self._between, self._patience = bot, between, patience

    def begin(self, deal: Deal, seat: int) -> None:
        self._bot.begin(deal.charter.rules, seat, deal.charter.seats, deal.standing.totals)

    def happened(self, slot: Slot, events: Sequence[Event]) -> None:
        for event in events:
            self._bot.notice(event)

    def looked(self, handle: Handle, card: str) -> None:
        self._bot.looked(handle, card)

    def raced(self, record: RaceRecord) -> None:
        pass

    def asked(self, question: Question, view: SeatView | None) -> Answer | None:
        if question.kind in ("ready", "seen") or view is None:
            return Answer(None, int(self._between(*SEEN_MS) * self._patience))
        moves = tuple(move for move in question.moves if not isinstance(move, Snap))
        choice = self._bot.choose(view, moves)
        return Answer(choice.move, int(choice.think_ms * self._patience))

    def window(self, view: SeatView) -> SnapPress | None:
        press = self._bot.react(view)
        return None if press is None else SnapPress(press.handle, press.react_ms)

    def changed(self) -> None:
        pass

    def refused(self, fault: Fault) -> None:
        pass

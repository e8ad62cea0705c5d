"""Who plays at a seat: a person at a screen, or a bot. The peer tells it what its seat may know, and asks it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from p2pkaboo.replica.desk import Question
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.state import Deal, RaceRecord
from p2pkaboo.rules.events import Event
from p2pkaboo.rules.moves import Move
from p2pkaboo.rules.state import Handle
from p2pkaboo.rules.view import SeatView
from p2pkaboo.wire.slot import Slot


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question, to be given after so many milliseconds (`move` None: ready, or seen)."""

    move: Move | None
    after_ms: int


@dataclass(frozen=True, slots=True)
class SnapPress:
    """A snap, to be pressed so many milliseconds after the card has come into view."""

    handle: Handle
    after_ms: int


class Player(Protocol):
    """Everything is called on the event loop and returns at once. Faces come only through `happened` (public ones) and
    `looked` (this seat's own); views hold no others."""

    def begin(self, deal: Deal, seat: int) -> None:
        """A deal begins."""

    def happened(self, slot: Slot, events: Sequence[Event]) -> None:
        """The rules engine reports of a move: public."""

    def looked(self, handle: Handle, card: str) -> None:
        """This seat has looked at a card."""

    def raced(self, record: RaceRecord) -> None:
        """A window with snaps was judged."""

    def asked(self, question: Question, view: SeatView | None) -> Answer | None:
        """Something is to be decided. None: the answer comes later through `SeatRunner.answer`."""

    def window(self, view: SeatView) -> SnapPress | None:
        """A card can be snapped by this seat. None: not now, or later through `SeatRunner.press`."""

    def changed(self) -> None:
        """Anything about the table may have changed: for screens."""

    def refused(self, fault: Fault) -> None:
        """A message was refused: the deal is over, and somebody has a name on it."""

"""A seat's own desk: what lies there between two messages. What its player is asked, has chosen and has pressed.

Pure like the table beside it: plain data, times come in. `questions` fills it with what the player decides, `snapping`
with what it presses, and `duties` tells what is to be said now.
"""

from dataclasses import dataclass, field
from typing import Literal

from p2pkaboo.replica.clock import Clock
from p2pkaboo.replica.state import Deal, Step
from p2pkaboo.rules.moves import Give, Move
from p2pkaboo.rules.state import Handle, State
from p2pkaboo.wire.slot import Slot

Kind = Literal["ready", "look", "seen", "gift", "turn"]


@dataclass(frozen=True, slots=True)
class Question:
    """What the own player has to decide. `moves`: the legal ones (empty for "ready" and "seen"); `number` tells one
    question from the next; `ends_at`: when the desk answers by itself, in microseconds, or None."""

    kind: Kind
    number: int
    state: State | None
    moves: tuple[Move, ...]
    ends_at: int | None


@dataclass(frozen=True, slots=True)
class Duty:
    """Something to say now. `step`: its slot and head; `move`, `handle`, `claim_ms`, `answers`: what the kind needs."""

    kind: str
    step: Step
    move: Move | None = None
    handle: Handle | None = None
    claim_ms: int = 0
    answers: bytes = b""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A snap that the player has pressed: its target, when, and on which discard."""

    handle: Handle
    at: int
    discard: Handle


@dataclass(slots=True)
class Desk:
    """One seat at one deal. `said`: slots that are answered or in the making; `audited`: RESULT may be said."""

    deal: Deal
    seat: int
    clock: Clock
    known: dict[Handle, str] = field(default_factory=dict)
    said: set[Slot] = field(default_factory=set)
    audited: bool = False
    ready: bool = False
    seen: bool = False
    looking_since: int | None = None
    choice: Move | None = None
    choice_marks: tuple[object, ...] | None = None
    """Where the cards lay that the choice is about; None: it was taken back from the journal, where they lie now."""
    gift: Give | None = None
    pressed: Pressed | None = None
    snapped: Slot | None = None
    """The last window in which our SNAP was said."""
    question: Question | None = None
    asked: int = 0
    ready_since: int | None = None

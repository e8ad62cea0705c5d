"""Steps, heads and lines (05-table.md, sections 2 and 3)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from verifier import encoding as e
from verifier.encoding import Slot, be4, tagged_hash
from verifier.game import Handle
from verifier.messages import Envelope

NOWHERE = Slot(0, e.FORMING, 0)


@dataclass(slots=True)
class Step:
    """A slot at which each required seat says one thing; `check` raises Fault for what must not be said."""

    kind: str
    required: tuple[int, ...]
    check: Callable[[Envelope], None]
    opens: tuple[Handle, ...] = ()
    slot: Slot = NOWHERE
    head: bytes = b""
    said: dict[int, Envelope] = field(default_factory=dict)

    def complete(self) -> bool:
        return len(self.said) == len(self.required)

    def next_head(self) -> bytes:
        """The head of this step when it is complete."""
        said = (bytes([seat]) + self.said[seat].hash for seat in self.required)
        return tagged_hash(e.TAG_STEP, self.head, str(self.slot).encode(), self.kind.encode(), *said)


Program = Iterator[Step | None]


class Line:
    """The main line or a lane. Its program yields one step after another, None where it waits for lanes."""

    def __init__(self, first: Slot, head: bytes, program: Program) -> None:
        self.next_slot = first
        self.head = head
        self.last: Step | None = None
        self.step: Step | None = None
        self.over = False
        self.elapsed: dict[int, int] = {}
        self._program = program

    def advance(self) -> None:
        """Runs the program to its next step."""
        try:
            self.step = next(self._program)
        except StopIteration:
            self.step, self.over = None, True
        if self.step is not None:
            self.step.slot, self.step.head = self.next_slot, self.head

    def finish(self, step: Step) -> None:
        """Goes on after a complete step."""
        self.head, self.last = step.next_head(), step
        number, lane, index = step.slot
        self.next_slot = Slot(number + 1, lane, 0) if lane == e.MAIN else Slot(number, lane, index + 1)
        self.advance()


def join_head(number: int, draw_end: bytes, window_end: bytes) -> bytes:
    """J: the head that the main step with this number continues."""
    return tagged_hash(e.TAG_JOIN, be4(number), draw_end, window_end)

"""What the table tells the program around it: commands to carry out and news to pass on."""

from dataclasses import dataclass

from p2pkaboo.crypto.sigma import Statement
from p2pkaboo.replica.faults import Fault
from p2pkaboo.rules.events import Event
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.slot import Slot


@dataclass(frozen=True, slots=True)
class Check:
    """A statement, the bytes of the proof that is to show it, and the fault that it is if it does not."""

    statement: Statement
    proof: bytes
    code: str


@dataclass(frozen=True, slots=True)
class Verify:
    """Command: check these proofs and answer with `table.verdict(deal, token, failed)`. Any order and delay will do."""

    token: bytes
    envelope: Envelope
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Accepted:
    """News: this envelope is now part of the history (its proofs, for a SHUFFLE, may still be under verification)."""

    envelope: Envelope


@dataclass(frozen=True, slots=True)
class StepOpened:
    """News: messages for this step may be said now."""

    slot: Slot
    kind: str


@dataclass(frozen=True, slots=True)
class StepClosed:
    """News: every seat required has said its message; `head` is the step's head."""

    slot: Slot
    kind: str
    head: bytes


@dataclass(frozen=True, slots=True)
class Happened:
    """News: what the rules engine reports of a move."""

    slot: Slot
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Viewed:
    """News: a private view is complete; only the viewer can compute the face."""

    slot: Slot
    viewer: int
    handle: Handle


@dataclass(frozen=True, slots=True)
class Raced:
    """News: a window with snaps has been judged; `record` is its entry in `Table.races`."""

    slot: Slot
    record: int


@dataclass(frozen=True, slots=True)
class Refused:
    """News: a message was refused and its author named. The deal is over for this table."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class Differing:
    """News: a signed message continues another history than ours. Names nobody: records must be exchanged."""

    envelope: Envelope


@dataclass(frozen=True, slots=True)
class DealOver:
    """News: RESULT is complete."""

    deal: int


Output = Verify | Accepted | StepOpened | StepClosed | Happened | Viewed | Raced | Refused | Differing | DealOver

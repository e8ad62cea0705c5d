"""What a running seat keeps of each deal, and what it needs of the journal and of the links."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from p2pkaboo.audit.report import RoundAudit
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.replica.desk import Desk
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.own import Own
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.state import Handle
from p2pkaboo.rules.view import SeatView, seat_view


class Journal(Protocol):
    """What this needs of a match's writer (see `journal.writer`)."""

    def note_received(self, data: bytes, wrong: str = "") -> None: ...

    def commit(
        self,
        *,
        secrets: Iterable[tuple[str, bytes]] = (),
        choices: Iterable[object] = (),
        sent: Iterable[bytes] = (),
    ) -> None: ...

    def flush(self) -> None: ...


class Wires(Protocol):
    """What this needs of the mesh (see `net.mesh`)."""

    def send(self, key: bytes, data: bytes) -> bool: ...

    def broadcast(self, data: bytes) -> int: ...

    def connected(self) -> tuple[bytes, ...]: ...

    async def receive(self) -> Up | Down | Frame: ...


@dataclass(frozen=True, slots=True)
class Saved:
    """One row of the journal, for a restart: kind `received` (`name`: the number of the proof that does not hold, or
    nothing), `sent`, `secret` or `choice`."""

    kind: str
    name: str
    data: bytes
    plain: object = None


@dataclass(slots=True)
class RoundStats:
    """What a finished round cost here: for reports."""

    began: int
    dealt: int | None = None
    ended: int | None = None
    steps: int = 0
    messages: int = 0
    bytes: int = 0


@dataclass(slots=True)
class KeptDeal:
    """A deal with what belongs to it at this seat."""

    deal: Deal
    desk: Desk
    own: Own
    started: int
    carried: int = 0
    """Elapsed tenths of a second that stand in the journal from before a restart."""
    stats: RoundStats = field(default_factory=lambda: RoundStats(0))
    audit: RoundAudit | None = None
    auditing: bool = False
    last_head: bytes = b""

    def elapsed(self, now: int) -> int:
        """Tenths of a second that this seat has spent at the deal; `now` in microseconds."""
        return self.carried + (now - self.started) // 100_000

    def view(self, known: dict[Handle, str] | None = None) -> SeatView | None:
        """The table as this seat sees it, once there are cards; `known`: private faces to show (none by default but the
        card in hand)."""
        if self.deal.game is None and self.deal.lanes is None:
            return None
        state = joined_state(self.deal)
        faces = dict(known or {})
        if state.drawn is not None and state.drawn.handle in self.desk.known and state.turn == self.desk.seat:
            faces[state.drawn.handle] = self.desk.known[state.drawn.handle]
        return seat_view(state, self.desk.seat, faces)

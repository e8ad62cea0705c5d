"""Who is connected with this seat and says what is due, and how long the seat of somebody who is away is kept."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Literal

from p2pkaboo.peer import api

Link = Literal["here", "silent", "away", "left", "forfeit"]


@dataclass(slots=True)
class Links:
    """The links of one match. `grace_ms`: how long a seat is kept."""

    you: int
    grace_ms: int
    met: set[int] = field(default_factory=set)
    """Seats that were connected at some time: who has never been is still coming."""
    away: dict[int, int] = field(default_factory=dict)
    """Seats whose link is down, and since when (milliseconds)."""
    silent: frozenset[int] = frozenset()
    """Seats that are connected, and for whose word everybody waits."""

    def update(self, linked: set[int], silent: Collection[int], now: int, changed: Callable[[int, Link], None]) -> None:
        """Takes in who is connected now and who does not say what is due; `changed` hears of those who came back, went
        or fell silent."""
        for seat in sorted(linked - {self.you}):
            self.met.add(seat)
            if self.away.pop(seat, None) is not None:
                changed(seat, "here")
        for seat in sorted(self.met - linked):
            if seat not in self.away:
                self.away[seat] = now
                changed(seat, "away")
        before, self.silent = self.silent, frozenset(silent) - self.away.keys()
        for seat in sorted(self.silent - before):
            changed(seat, "silent")
        for seat in sorted(before - self.silent - self.away.keys()):
            changed(seat, "here")

    def link(self, seat: int) -> Link:
        """Whether a seat is here, and answers."""
        if seat in self.away:
            return "away"
        return "silent" if seat in self.silent else "here"

    def grace(self, seat: int) -> api.Timer | None:
        """How long a seat that is away is kept."""
        since = self.away.get(seat)
        if since is None or not self.grace_ms:
            return None
        return api.Timer(kind="grace", ends_at_ms=since + self.grace_ms, total_ms=self.grace_ms)

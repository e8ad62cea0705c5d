"""Who is connected with this seat, and how long the seat of somebody who is away is kept."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from p2pkaboo.peer import api

Link = Literal["here", "away", "left", "forfeit"]


@dataclass(slots=True)
class Links:
    """The links of one match. `grace_ms`: how long a seat is kept."""

    you: int
    grace_ms: int
    met: set[int] = field(default_factory=set)
    """Seats that were connected at some time: who has never been is still coming."""
    away: dict[int, int] = field(default_factory=dict)
    """Seats whose link is down, and since when (milliseconds)."""

    def update(self, linked: set[int], now: int, changed: Callable[[int, Link], None]) -> None:
        """Takes in who is connected now; `changed` hears of those who came back or went."""
        for seat in sorted(linked - {self.you}):
            self.met.add(seat)
            if self.away.pop(seat, None) is not None:
                changed(seat, "here")
        for seat in sorted(self.met - linked):
            if seat not in self.away:
                self.away[seat] = now
                changed(seat, "away")

    def link(self, seat: int) -> Link:
        """Whether a seat is here."""
        return "away" if seat in self.away else "here"

    def grace(self, seat: int) -> api.Timer | None:
        """How long a seat that is away is kept."""
        since = self.away.get(seat)
        if since is None or not self.grace_ms:
            return None
        return api.Timer(kind="grace", ends_at_ms=since + self.grace_ms, total_ms=self.grace_ms)

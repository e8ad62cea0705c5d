"""What one link may ask of us: enough for every honest peer, too little to make us work for a stranger's fun."""

from dataclasses import dataclass, field
from typing import Final

MAX_REMEMBERED: Final = 1_024
"""Keys whose answers are counted: many times as many as have a link at once. Before the charter keys cost nothing, and
whoever comes under ever new ones would else take memory for each."""


@dataclass(slots=True)
class Rate:
    """So many answers at once, and so many a second from then on, for each key; who has asked nothing for longest may
    be forgotten."""

    burst: int
    a_second: float
    left: dict[bytes, tuple[float, int]] = field(default_factory=dict)
    """Answers left, and when that was (microseconds)."""

    def take(self, key: bytes, now: int) -> bool:
        """Whether this one may be answered."""
        left, at = self.left.pop(key, (float(self.burst), now))
        left = min(float(self.burst), left + (now - at) * self.a_second / 1_000_000)
        self.left[key] = (left - 1 if left >= 1 else left, now)
        if len(self.left) > MAX_REMEMBERED:
            del self.left[next(iter(self.left))]
        return left >= 1


PINGS: Final = (8, 8.0)
"""Pings answered: four times what a lobby sends in half a second; each costs us two signatures."""

WISHES: Final = (4, 4.0)
"""Wishes looked at, of the opener's: more than a lobby sends; each new one is a ruleset to be checked."""

HAVES: Final = (4, 8.0)
"""HAVEs answered: twice the pace of gap filling; each may cost us MAX_ANSWER envelopes."""

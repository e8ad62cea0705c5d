"""Whom the opener of a table offers its seats: who came first, and who answers.

Before the charter anybody with the invite may come, under any number of keys. Nothing that newcomers say or leave
unsaid may seat more than there are chairs, push out who was there before, or keep a table from beginning that can begin
without them.
"""

from collections.abc import Collection
from typing import Final

from p2pkaboo.replica.forming import Forming
from p2pkaboo.rules.ruleset import Ruleset

ANSWER_SECONDS: Final = 15.0
"""How long the opener waits for nonces and signatures before it begins anew without those who gave none, and then for
the JOINs of those who had given theirs."""


class Guests:
    """What an opener knows of its guests' manners. `key`: its own."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._missed: set[bytes] = set()
        """Who has left the last offer to it without an answer, or has given two."""
        self._awaited: frozenset[bytes] = frozenset()
        """Who is likely to join again."""
        self._since = 0
        self._offered_at: int | None = None

    def note_offer(self, now: int) -> None:
        """An offer has been made at `now` (microseconds)."""
        self._offered_at = now

    def overdue(self, now: int) -> bool:
        """Whether the last offer has waited long enough for its answers."""
        return self._offered_at is not None and now - self._offered_at > ANSWER_SECONDS * 1_000_000

    def note_answers(self, forming: Forming, now: int) -> None:
        """An offer has failed at `now` (microseconds): who has done what it asked, as far as it could be done?"""
        self._offered_at = None
        sitting, charter = forming.sitting, forming.charter
        if sitting is None:
            return
        asked, said = (sitting.keys, forming.nonces) if charter is None else (charter.keys, forming.words)
        answered = {asked[at] for at in said} | {self._key}
        if forming.doubled:  # whoever was told another nonce than we were had to sign another charter
            answered |= {sitting.keys[at] for at in forming.nonces}
            answered -= forming.doubled.keys()
        self._missed = (self._missed - answered) | (set(asked) - answered)
        self._awaited = frozenset(forming.joins.keys() - self._missed - {self._key})
        self._since = now

    def choose(
        self,
        forming: Forming,
        rules: Ruleset,
        *,
        started_at: int | None,
        wanted: int | None,
        unready: bool,
        linked: Collection[bytes],
        here: Collection[bytes],
        now: int,
    ) -> list[bytes] | None:
        """Keys to offer a seat now, the opener's first; None: it is not time yet.

        `started_at`: when the opener said to begin with all who have joined; it waits a while if some are here and
        `unready`. Before that, `wanted`: begin by itself with so many of the `linked`; None: not at all. `here`: who
        has a link.
        First come, first seated, because keys can be made to any order; who has left an offer unanswered comes last.
        """
        if started_at is None and wanted is None:
            return None
        if started_at is not None and unready and now - started_at < ANSWER_SECONDS * 1_000_000:
            return None
        joins = forming.joins
        waits = now - self._since < ANSWER_SECONDS * 1_000_000
        if self._key not in joins or (waits and self._awaited & set(here) - joins.keys()):
            return None
        others = sorted((key for key in joins if key != self._key), key=lambda key: key in self._missed)
        seats = rules.players_max
        if started_at is None and wanted is not None:
            seats, others = wanted, [key for key in others if key in linked]
            if len(others) + 1 < seats:
                return None
        elif len(prompt := [key for key in others if key not in self._missed]) + 1 >= rules.players_min:
            others = prompt
        chosen = [self._key, *others[: seats - 1]]
        return chosen if rules.players_min <= len(chosen) <= rules.players_max else None

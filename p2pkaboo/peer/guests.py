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
        """Who has left the last offer to it without an answer."""
        self._awaited: frozenset[bytes] = frozenset()
        """Who is likely to join again."""
        self._since = 0

    def note_answers(self, forming: Forming, now: int) -> None:
        """An offer has failed at `now` (microseconds): who has done what it asked, as far as it could be done?"""
        sitting, charter = forming.sitting, forming.charter
        if sitting is None:
            return
        asked, said = (sitting.keys, forming.nonces) if charter is None else (charter.keys, forming.words)
        answered = {asked[at] for at in said} | {self._key}
        self._missed = (self._missed - answered) | (set(asked) - answered)
        self._awaited = frozenset(forming.joins.keys() - self._missed - {self._key})
        self._since = now

    def choose(
        self,
        forming: Forming,
        rules: Ruleset,
        *,
        wanted: int | None,
        linked: Collection[bytes],
        here: Collection[bytes],
        now: int,
    ) -> list[bytes] | None:
        """Keys to offer a seat now, the opener's first; None: it is not time yet.

        `wanted`: begin by itself with so many of the `linked`; None: with all who have joined. `here`: who has a link.
        First come, first seated, because keys can be made to any order; who has left an offer unanswered comes last.
        """
        joins = forming.joins
        waits = now - self._since < ANSWER_SECONDS * 1_000_000
        if self._key not in joins or (waits and self._awaited & set(here) - joins.keys()):
            return None
        others = sorted((key for key in joins if key != self._key), key=lambda key: key in self._missed)
        seats = rules.players_max
        if wanted is not None:
            seats, others = wanted, [key for key in others if key in linked]
            if len(others) + 1 < seats:
                return None
        elif len(prompt := [key for key in others if key not in self._missed]) + 1 >= rules.players_min:
            others = prompt
        chosen = [self._key, *others[: seats - 1]]
        return chosen if rules.players_min <= len(chosen) <= rules.players_max else None

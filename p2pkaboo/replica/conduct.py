"""What the races of a match show of its seats: strikes for shares that came late, and races in dispute.

Derived from the records of the races by everybody alike; nothing of it is ever sent, and nothing follows from it but a
warning to the players.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from p2pkaboo.replica.charter import RACES, RaceNumbers
from p2pkaboo.replica.race import HELD_BACK
from p2pkaboo.replica.state import RaceRecord

WATCHED: Final = 20
"""Races looked back on: an evening's worth, and few enough that what is odd shows."""

STRIKES_WARN: Final = 4
"""Strikes among a seat's last snaps: somebody's share comes late by itself in one race of two hundred."""

DISPUTES_WARN: Final = {"lan": 3, "wan": 8}
"""Disputes among the last races of two seats: honest ones reach that once in a thousand times, or more rarely."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """`strikes`: by seat, of the whole match; `recent`: those among the last snaps that it sent; `warned`: seats with
    too many of them. `disputes` of `contested` races between two seats, `recent_disputes` among the last ones;
    `disputes_warned`: too many of them."""

    strikes: Mapping[int, int]
    recent: Mapping[int, int]
    warned: tuple[int, ...]
    contested: int
    disputes: int
    recent_disputes: int
    disputes_warned: bool


def conduct(records: Iterable[RaceRecord]) -> Conduct:
    """What the races of a match (all deals, in order) show."""
    snaps: dict[int, list[bool]] = {}
    disputed: list[bool] = []
    most = DISPUTES_WARN["lan"]
    for record in records:
        if len(record.facts.seats) == 2:
            if len(record.claims) == 2:
                most = _most_disputes(record.facts.numbers)
                disputed.append(record.judgement.disputed)
            continue
        for runner in record.judgement.runners:
            snaps.setdefault(runner.seat, []).append(runner.reason == HELD_BACK)
    recent = {seat: sum(struck[-WATCHED:]) for seat, struck in snaps.items()}
    lately = sum(disputed[-WATCHED:])
    return Conduct(
        {seat: sum(struck) for seat, struck in snaps.items()},
        recent,
        tuple(sorted(seat for seat, count in recent.items() if count >= STRIKES_WARN)),
        len(disputed),
        sum(disputed),
        lately,
        lately >= most,
    )


def _most_disputes(numbers: RaceNumbers) -> int:
    """The charter names no preset: links are slow where longer round trips are credited than in `lan`."""
    return DISPUTES_WARN["lan" if numbers.cap <= RACES["lan"].cap else "wan"]

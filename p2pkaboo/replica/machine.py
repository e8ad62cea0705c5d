"""The step machine of a deal as one table: which step may follow which, on each line, and who speaks in it.

This is a statement about the code, not a part of it: the specification's table and diagram are held against it, and a
test plays tables until every transition written here has happened, and none that is not.
"""

from dataclasses import dataclass
from typing import Final, Literal

Who = Literal["all", "one by one", "at turn", "the others", "snapper", "both"]
"""Who speaks in a step: every active seat; one seat a step, from the dealer's on; the seat at turn (alone); every
active seat but the one that looks; the seat whose SNAP is served; both seats of a dispute."""

LANES: Final = "lanes"
"""What follows on the main line when the game goes on: a pair of lanes, or, from a pair of lanes, the next pair."""

OVER: Final = "over"
"""The line has no further step."""

BEGIN: Final = "begin"
"""Where a line begins."""

_PURPOSES: Final = frozenset({"SHUFFLE", "OPEN", "SERVE", "REVEAL"})
"""Kinds whose steps differ by what they are for."""


@dataclass(frozen=True, slots=True)
class Row:
    """One state of the machine. `line`: m, d or w; `name`: the kind, and what it is for where that matters; `then`:
    names of what may follow on the line."""

    line: str
    name: str
    who: Who | None
    then: tuple[str, ...]


MACHINE: Final[tuple[Row, ...]] = (
    Row("m", BEGIN, None, ("KEYS",)),
    Row("m", "KEYS", "all", ("SHUFFLE deal",)),
    Row("m", "SHUFFLE deal", "one by one", ("SHUFFLE deal", "READY", "OPEN up-card", "VIEW", "SEEN")),
    Row("m", "READY", "all", ("OPEN up-card", "VIEW", "SEEN")),
    Row("m", "OPEN up-card", "all", ("VIEW", "SEEN")),
    Row("m", "VIEW", "all", ("SERVE first",)),
    Row("m", "SERVE first", "all", ("SEEN",)),
    Row("m", "SEEN", "all", (LANES,)),
    Row("m", LANES, None, ("ACTION", LANES, "OPEN1")),
    Row("m", "ACTION", "at turn", (LANES, "OPEN action", "SHUFFLE action", "DRAW", "SERVE power")),
    Row("m", "OPEN action", "all", (LANES, "OPEN action", "SHUFFLE action")),
    Row("m", "SHUFFLE action", "one by one", ("SHUFFLE action", "DRAW", LANES)),
    Row("m", "DRAW", "at turn", ("SERVE draw",)),
    Row("m", "SERVE draw", "the others", (LANES,)),
    Row("m", "SERVE power", "the others", (LANES,)),
    Row("m", "OPEN1", "all", ("OPEN2",)),
    Row("m", "OPEN2", "all", ("DISCLOSE",)),
    Row("m", "DISCLOSE", "all", ("RESULT",)),
    Row("m", "RESULT", "all", (OVER,)),
    Row("d", BEGIN, None, ("DRAW",)),
    Row("d", "DRAW", "at turn", ("SERVE draw",)),
    Row("d", "SERVE draw", "the others", (OVER,)),
    Row("w", BEGIN, None, ("WINDOW",)),
    Row("w", "WINDOW", "all", (OVER, "WITNESS", "REVEAL snap")),
    Row("w", "WITNESS", "all", ("REVEAL snap", "REVEAL dispute", "WINDOW", OVER)),
    Row("w", "REVEAL snap", "snapper", ("OPEN snap", "REVEAL snap", "WINDOW", OVER)),
    Row("w", "OPEN snap", "all", ("SHUFFLE penalty", "GIFT", "REVEAL snap", "WINDOW", OVER)),
    Row("w", "REVEAL dispute", "both", ("OPEN dispute",)),
    Row("w", "OPEN dispute", "all", ("SHUFFLE penalty", "GIFT", "WINDOW", OVER)),
    Row("w", "SHUFFLE penalty", "one by one", ("SHUFFLE penalty", "GIFT", "REVEAL snap", "WINDOW", OVER)),
    Row("w", "GIFT", "snapper", ("GIFT", "REVEAL snap", "WINDOW", OVER)),
)
"""Every state with everything that may follow it. A lane that has no step at all is left out: its `begin` is not
reached then. RESULT ends the deal; the next one begins at its head."""


def row_name(kind: str, why: str) -> str:
    """The name of a step's row. `why`: what the replica opened it for."""
    return f"{kind} {why}" if kind in _PURPOSES and why else kind

"""Slots: where in a deal a message belongs.

A slot is (number, lane, index). Lanes are ``f`` forming, ``m`` main line, ``d`` draw lane, ``w`` window lane. Main and
forming slots have index 0; a lane's slots bear the number of the main step before them. Written m12, 5w0, 5d1, f2.
"""

import re
from typing import Final, NamedTuple

from p2pkaboo.wire.limits import MAX_INDEX, MAX_NUMBER

LANES: Final = ("f", "m", "d", "w")
"""Codes of the lanes, in the order of the history: on the wire a lane is its place in this tuple."""

_TEXT: Final = re.compile(r"(?:([fm])([0-9]{1,6}))|(?:([0-9]{1,6})([dw])([0-9]{1,5}))")


class Slot(NamedTuple):
    """A step's place. In the order of the history when sorted by `order` (as bare tuples they are not)."""

    number: int
    lane: str
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody needs of a slot

    def __str__(self) -> str:
        if self.lane in "fm":
            return f"{self.lane}{self.number}"
        return f"{self.number}{self.lane}{self.index}"

    @property
    def order(self) -> tuple[int, int, int]:
        """Sort key: a main step, the draw lane that begins there, the window lane, the next main step."""
        return (self.number, LANES.index(self.lane), self.index)

    def is_valid(self) -> bool:
        """Within the limits, and index 0 where the lane has no steps of its own."""
        if self.lane not in LANES or not (0 <= self.number <= MAX_NUMBER and 0 <= self.index <= MAX_INDEX):
            return False
        return self.index == 0 or self.lane in "dw"


def parse_slot(text: str) -> Slot:
    """The slot written `text`. Raises ValueError when it is none."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"not a slot: {text!r} (expected m12, 5w0, 5d1 or f2)")
    slot = Slot(int(found[2]), found[1], 0) if found[1] else Slot(int(found[3]), found[4], int(found[5]))
    if str(slot) != text or not slot.is_valid():
        raise ValueError(f"not a slot: {text!r}")
    return slot

"""What every proof is bound to besides its statement: the table, the deal, the step and the seat."""

from dataclasses import dataclass
from typing import Final

from p2pkaboo.crypto.checks import is_a

MAX_DEAL: Final = 2**64 - 1
"""Deals are absorbed as 8 bytes."""

MAX_SEAT: Final = 2**32 - 1
"""Seats are absorbed as 4 bytes."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where a proof belongs; in any other place it does not verify.

    `table`: hash of the charter; `deal`: number of the deal, which only rises; `step`: canonical bytes that name the
    step, and the card within the step if it has several; `seat`: who proves. `ValueError` for values out of range.
    """

    table: bytes
    deal: int
    step: bytes
    seat: int

    def __post_init__(self) -> None:
        if not is_a(self.table, bytes) or not is_a(self.step, bytes):
            raise ValueError("the table and the step of a context are bytes")
        if not is_a(self.deal, int) or not 0 <= self.deal <= MAX_DEAL:
            raise ValueError(f"the deal of a context is a number from 0 to 2^64-1, not {self.deal!r}")
        if not is_a(self.seat, int) or not 0 <= self.seat <= MAX_SEAT:
            raise ValueError(f"the seat of a context is a number from 0 to 2^32-1, not {self.seat!r}")

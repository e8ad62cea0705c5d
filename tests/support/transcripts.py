"""Tables that were formed as real ones are, whose chance comes from Python's generator; and their files taken apart."""

import random

from p2pkaboo.lab.tables import formed as lab
from p2pkaboo.lab.tables.formed import deals_of, small_rules
from p2pkaboo.lab.tables.table import DELAY
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.transcript import read_transcript, write_transcript

__all__ = ["FormedTable", "deals_of", "rows_of", "small_rules", "with_rows"]


class FormedTable(lab.FormedTable):
    """A formed table that a seed repeats."""

    def __init__(
        self,
        rules: Ruleset,
        seats: int,
        seed: int,
        *,
        rounds: int = 9,
        delay: tuple[int, int] = DELAY,
        snap_rate: float = 0.3,
        proofs: bool = False,
    ) -> None:
        super().__init__(
            rules,
            seats,
            random.Random(seed),
            f"table{seed}",
            rounds=rounds,
            delay=delay,
            snap_rate=snap_rate,
            proofs=proofs,
        )


def rows_of(data: bytes) -> list[bytes]:
    """The envelopes of a file."""
    return list(read_transcript(data).envelopes)


def with_rows(data: bytes, rows: list[bytes]) -> bytes:
    """The same file with other envelopes, its footer's count put right."""
    footer = read_transcript(data).footer
    assert footer is not None
    return write_transcript(rows, footer.head)

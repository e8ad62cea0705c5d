"""The words of the audit: every verdict that it can give, and a verdict with its place and its author."""

from dataclasses import dataclass
from typing import Final

from p2pkaboo.replica.faults import FAULT_CODES, Fault, LocalError
from p2pkaboo.wire.slot import Slot

VALID: Final = "valid"
UNREADABLE: Final = "unreadable"

VERDICTS: Final[dict[str, str]] = {
    VALID: "everything that can be checked holds, to the signed end of the match",
    **FAULT_CODES,
    "bad-head": "the last head that the footer names is not that of the history before it",
    "bad-record": "a record is no envelope in its one canonical form",
    "bad-order": "a record does not stand where it belongs: repeated, foreign, misplaced, or what it needs is missing",
    "disagreement": "a signed message continues another history than the one before it, and no pair of signatures "
    "shows whose fault that is",
    "truncated": "all that is there holds, but the file does not end with a footer that fits",
    "unfinished": "all that is there holds, but the match is not at its end",
    UNREADABLE: "not a transcript of this format",
}
"""Stable words. FAULT_CODES are those with which peers refuse messages live; the others are about files."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The first thing that is wrong. `seat`: whose fault it provably is, else None; `slot`: the step that is wrong."""

    verdict: str
    reason: str
    seat: int | None = None
    slot: Slot | None = None

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise LocalError(f"unknown verdict {self.verdict}")


def finding_of(fault: Fault) -> Finding:
    """A refusal of the replica in the words of the audit."""
    return Finding(fault.code, fault.reason, fault.seat, fault.slot)

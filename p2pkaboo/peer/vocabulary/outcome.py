"""What a round and a match came to: points, hands, the audit, and who was caught cheating."""

from __future__ import annotations

from typing import Literal

from p2pkaboo.peer.vocabulary.basics import Data, Indices, Say, Spot, Words


class ScoreRound(Data, frozen=True, kw_only=True):
    """One finished round; `points` by seat (`None`: was not at the table). `call_held` is `None` if nobody called,
    or if a special hand made the call count for nothing."""

    number: int
    points: tuple[int | None, ...]
    caller: int | None = None
    call_held: bool | None = None
    resets: Indices = ()


class ScoreSheet(Data, frozen=True, kw_only=True):
    rounds: tuple[ScoreRound, ...] = ()
    totals: tuple[int, ...] = ()
    rounds_in_match: int = 0
    """0: the match ends by points, see `target`."""
    target: int = 0
    target_when: Literal["over", "reached"] = "over"
    conduct: tuple[Say, ...] = ()
    """What the match's snap races show of its players, if anything: shares that came late, races in dispute. A key that
    ends in `_warn` tells of more than bad luck explains. Nothing follows from it."""


class ResultRow(Data, frozen=True, kw_only=True):
    """One hand at the end: `cards` by position (`None` is a gap), what each counts, and what the round gave."""

    seat: int
    cards: tuple[str | None, ...]
    values: tuple[int | None, ...]
    hand: int
    points: int
    notes: tuple[Say, ...] = ()


class Verdict(Data, frozen=True, kw_only=True):
    """Your own peer's audit of a round. `verdict` is "valid", "pending" while it runs, or a class of the auditor."""

    verdict: str
    reason: str = ""
    seat: int | None = None
    step: int | None = None
    signatures: int = 0
    proofs: int = 0
    moves: int = 0
    cards: int = 0
    races: int = 0
    signed: Indices = ()


class RoundResult(Data, frozen=True, kw_only=True):
    number: int
    ended: Literal["called", "stock", "stopped", "forfeit"]
    caller: int | None
    call_held: bool | None
    rows: tuple[ResultRow, ...]
    verdict: Verdict
    match_over: bool = False
    winners: Indices = ()


class Witness(Data, frozen=True, kw_only=True):
    seat: int
    after_ms: int | None = None


class Caught(Data, frozen=True, kw_only=True):
    """A peer whose message was refused, in the terms people need: what it did, what it changed, what happens now."""

    seat: int
    verdict: str
    round: int
    step: int
    slot: str
    what: Say
    harm: Say
    place: Spot | None = None
    words: Words = ()
    found_by: tuple[Witness, ...] = ()
    next: Literal["redeal", "goes_on", "match_over"] = "redeal"
    evidence: str = ""
    """File the evidence was written to, or "" if it only stands in the journal so far."""

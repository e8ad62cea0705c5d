"""What an audit says: data, one JSON document, and text for people."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from p2pkaboo.audit.history import step_number
from p2pkaboo.audit.knowledge import Known, knowledge
from p2pkaboo.audit.rounds import RoundCheck
from p2pkaboo.audit.verdicts import UNREADABLE, VALID, VERDICTS, Finding
from p2pkaboo.replica.state import RaceRecord
from p2pkaboo.rules.scoring import RoundScore
from p2pkaboo.rules.state import Handle

HOW: Final = {
    "first-look": "first look",
    "draw": "drew it",
    "peek": "peeked",
    "spy": "spied",
    "up-card": "turned up",
    "shown": "shown",
    "snap": "snapped",
    "end": "hands opened",
}
"""How a card became known, in words."""

_HOLDS: Final = (VALID, "bad-head", "truncated", "unfinished")
"""Verdicts on the end of a file: all that is there holds."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was checked: `signatures` and `proofs` that hold, `moves` replayed, `steps` completed, `messages` and their
    `size` in bytes, `cards` decrypted, `races` judged again."""

    signatures: int
    proofs: int
    moves: int
    steps: int
    messages: int
    size: int
    cards: int
    races: int


@dataclass(frozen=True, slots=True)
class RoundAudit:
    """One round. `step` (from 1, in its deal's history), `seat` and `reason` are those of the first thing wrong.

    `hands`, `handles`: by seat and place, None for a gap; `faces`: every card of the deal; `stock`: what was never
    drawn, top first; all of these and `score` are empty or None unless the keys were disclosed and all was well.
    """

    deal: int
    round: int
    verdict: str
    reason: str
    seat: int | None
    step: int | None
    slot: str | None
    counts: Counts
    score: RoundScore[int] | None = None
    hands: Mapping[int, tuple[str | None, ...]] = field(default_factory=dict)
    handles: Mapping[int, tuple[Handle | None, ...]] = field(default_factory=dict)
    faces: Mapping[Handle, str] = field(default_factory=dict)
    stock: tuple[str, ...] = ()
    caller: int | None = None
    knowledge: tuple[Known, ...] = ()
    races: tuple[RaceRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A whole transcript. `rounds`: begun in the file, checked or not; `round`, `step`, `slot`, `seat`: where and whose
    the first thing wrong is; `audits`: the rounds checked, the last one perhaps in part."""

    verdict: str
    reason: str
    rounds: int = 0
    round: int | None = None
    step: int | None = None
    slot: str | None = None
    seat: int | None = None
    signatures: int = 0
    proofs: int = 0
    moves: int = 0
    names: tuple[str, ...] = ()
    audits: tuple[RoundAudit, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether nothing at all is wrong or missing."""
        return self.verdict == VALID

    @property
    def readable(self) -> bool:
        """Whether the file is a transcript at all."""
        return self.verdict != UNREADABLE


def round_audit(checked: RoundCheck, finding: Finding | None) -> RoundAudit:
    """The account of one checked round; `finding` is what is wrong with it, or None."""
    deal, replayed, faces = checked.deal, checked.replayed, checked.faces
    slot = finding.slot if finding is not None else None
    counts = Counts(
        signatures=checked.signatures,
        proofs=checked.proofs,
        moves=len(deal.moves),
        steps=len(deal.history),
        messages=len(deal.held),
        size=checked.size,
        cards=len(faces or ()),
        races=len(deal.races),
    )
    state = replayed.state if replayed is not None else None
    return RoundAudit(
        deal=deal.deal,
        round=deal.standing.round_no,
        verdict=VALID if finding is None else finding.verdict,
        reason="" if finding is None else finding.reason,
        seat=None if finding is None else finding.seat,
        step=None if slot is None else step_number(deal, slot),
        slot=None if slot is None else str(slot),
        counts=counts,
        score=None if replayed is None else replayed.score,
        hands={} if replayed is None else replayed.hands,
        handles={} if state is None else {seat: state.hands[seat] for seat in deal.active},
        faces=faces or {},
        stock=() if state is None or faces is None else tuple(faces[handle] for handle in state.stock),
        caller=None if state is None else state.caller,
        knowledge=knowledge(deal, faces, checked.hands),
        races=tuple(deal.races),
    )


def report_json(report: Report) -> dict[str, Any]:
    """The document that `p2pkaboo audit --json` prints."""
    return {
        "valid": report.valid,
        "rounds": report.rounds,
        "verdict": report.verdict,
        "round": report.round,
        "step": report.step,
        "slot": report.slot,
        "seat": report.seat,
        "reason": report.reason,
        "checks": {"signatures": report.signatures, "proofs": report.proofs, "moves": report.moves},
    }


def report_text(report: Report, *, cards: bool = False) -> str:
    """The report for people: the verdict, what was checked, a line for every round.

    `cards`: with every round its hands, its races, and who learned which card when.
    """
    return "\n".join(_lines(report, cards))


def _lines(report: Report, cards: bool) -> Iterator[str]:
    yield f"{report.verdict}: {report.reason or VERDICTS[report.verdict]}"
    where = [
        f"round {report.round}" if report.round is not None else "",
        f"step {report.step}" if report.step is not None else "",
        f"slot {report.slot}" if report.slot is not None else "",
        f"seat {report.seat} ({report.names[report.seat]})" if report.seat is not None else "",
    ]
    if any(where):
        yield "  at " + ", ".join(part for part in where if part)
    if not report.readable:
        return
    yield f"checked: {_counted(signature=report.signatures, proof=report.proofs, move=report.moves)}"
    if report.names:
        yield "seats: " + ", ".join(f"{seat} {name}" for seat, name in enumerate(report.names))
    if report.audits:
        yield ""
    for audit in report.audits:
        yield from _round(report, audit)
        if cards:
            yield from _details(report, audit)
            yield ""
    if report.audits and not cards:
        yield "--cards tells hands, races, and who learned which card when"


def _counted(**numbers: int) -> str:
    """`12 signatures, 1 proof`."""
    return ", ".join(f"{number} {thing}{'' if number == 1 else 's'}" for thing, number in numbers.items())


def _round(report: Report, audit: RoundAudit) -> Iterator[str]:
    """One line: verdict, scores, caller, checks; a second one where something could not be checked."""
    counts, score = audit.counts, audit.score
    scores = "" if score is None else ", ".join(_scored(report, audit, score, seat) for seat in audit.hands) + "; "
    checks = _counted(signature=counts.signatures, proof=counts.proofs, move=counts.moves, race=counts.races)
    yield f"Round {audit.round}: {audit.verdict}; {scores}checked: {checks}"
    if score is None and audit.verdict in _HOLDS:
        yield "  not all keys are disclosed: hidden cards stay hidden, all else is checked"
    elif score is None:
        yield "  checked up to what is wrong: no hands and no scores"


def _scored(report: Report, audit: RoundAudit, score: RoundScore[int], seat: int) -> str:
    more = ["called"] if seat == audit.caller else []
    more += [f"total {score.totals[seat]}"] if score.totals[seat] != score.round[seat] else []
    return f"{report.names[seat]} {score.round[seat]}" + (f" ({', '.join(more)})" if more else "")


def _details(report: Report, audit: RoundAudit) -> Iterator[str]:
    counts, score = audit.counts, audit.score
    yield f"  {_counted(step=counts.steps, message=counts.messages, byte=counts.size)}"
    if score is not None:
        for seat, hand in audit.hands.items():
            yield f"  {report.names[seat]}: {' '.join(card or '--' for card in hand)} = {score.hand[seat]}"
        yield f"  never drawn: {' '.join(audit.stock) or 'nothing'}"
    for race in audit.races:
        for runner in race.judgement.runners:
            outcome = race.outcomes.get(runner.seat, runner.reason)
            yield (
                f"  race {race.slot}: {report.names[runner.seat]} claims {runner.claim} ms, "
                f"scores {runner.score} ms: {outcome}"
            )
    for row in audit.knowledge:
        who = "everybody" if row.seat is None else report.names[row.seat]
        # Places are counted from 1, as on the table's screens; a drawn card and the first discard lay in none.
        where = "" if row.lay is None else f" at {report.names[row.lay[0]]}'s place {row.lay[1] + 1}"
        yield f"  {row.slot!s:>6} {who}: {row.card or '??'}{where} ({HOW[row.how]})"

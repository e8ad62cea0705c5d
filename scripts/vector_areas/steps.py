"""Vectors of the step machine: whole matches with all their heads, and messages that do not fit where they stand."""

from collections.abc import Iterator, Sequence
from typing import Final

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.audit.history import ordered
from p2pkaboo.lab.tables.formed import FormedTable, deals_of
from p2pkaboo.wire.envelope import decode_envelope
from p2pkaboo.wire.transcript import read_transcript, write_transcript
from vector_areas.form import Area, Vector, bad, good, require
from vector_areas.matches import MATCHES, TINY, Match, played
from vector_areas.misfits import WRONG, Wrong

BY_NAME: Final = {match.name: match for match in MATCHES}


def rows_of(match: Match) -> Sequence[bytes]:
    """The records of a golden match."""
    return read_transcript(played(match).transcript()).envelopes


def heads(table: FormedTable) -> dict[int, dict[str, bytes]]:
    """The head of every step by deal and slot, in history order."""
    return {deal.deal: {str(closed.slot): closed.head for closed in ordered(deal)} for deal in deals_of(table.nodes[0])}


def wrong_vector(case: Wrong) -> Vector:
    """The records before it, then the message; what an auditor says of them. ValueError if that is not what it must."""
    match = BY_NAME[case.match]
    table, rows = played(match), rows_of(match)
    found = [(at, said) for at, said in enumerate(map(decode_envelope, rows)) if said.kind == case.kind]
    at, made = next((at, made) for at, said in found if (made := case.change(table, said)) is not None)
    count = at + 1 if case.after else at
    report = audit_file(write_transcript([*rows[:count], made.data], bytes(64)))
    require(report.verdict == case.code, f"steps {case.name}: the auditor says {report.verdict}: {report.reason}")
    require(report.seat == (made.seat if case.blamed else None), f"steps {case.name}: seat {report.seat} is blamed")
    given = {"file": f"transcripts/{match.name}.kaboo", "records": count, "envelopes": [made.data]}
    return bad(case.name, case.about, case.code, given, {"seat": report.seat, "slot": report.slot})


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    for match in MATCHES:
        table, count = played(match), len(rows_of(match))
        given: dict[str, object] = {"file": f"transcripts/{match.name}.kaboo", "records": count, "envelopes": []}
        yield good(match.name, match.about, given, {"heads": heads(table)})
    rows = list(rows_of(TINY))
    given = {"file": None, "records": 0, "envelopes": rows[:7]}
    first = {1: {"m1": heads(played(TINY))[1]["m1"]}}
    yield good("first-step", "from the OFFER to the first head, without a file", given, {"heads": first})
    for case in WRONG:
        yield wrong_vector(case)


def area() -> Area:
    """The file of vectors."""
    return Area(
        "steps",
        "05-table.md",
        "Histories: the first `records` records of a file (below `protocol/`), then `envelopes`. A valid one gives the "
        "head of every completed step by deal and slot; in an invalid one all holds up to its last message, which is "
        "refused with this class, at this slot, and is this seat's fault (null: nobody's that can be shown).",
        tuple(vectors()),
    )

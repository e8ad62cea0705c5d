"""Vectors of the audit: the verdict on every golden transcript, and on files that are hardly any."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.audit.report import Report, report_json
from p2pkaboo.wire.transcript import MAGIC, write_transcript
from vector_areas.form import Area, Vector, bad, good, require, written
from vector_areas.tampered import Golden, goldens


@cache
def audited(golden: Golden) -> Report:
    """The package's verdict on a golden transcript."""
    return audit_file(golden.data)


def document(report: Report) -> dict[str, Any]:
    """What `audit --json` says, without its sentence."""
    return {key: value for key, value in report_json(report).items() if key != "reason"}


def vector(name: str, about: str, given: dict[str, object], report: Report) -> Vector:
    """A file and its verdict."""
    if report.valid:
        return good(name, about, given, document(report))
    return bad(name, about, report.verdict, given, document(report))


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    for golden in goldens():
        yield vector(golden.name, golden.about, {"file": f"transcripts/{golden.file}"}, audited(golden))
    empty = write_transcript([], bytes(64))
    for name, about, verdict, data in (
        ("nothing", "no byte at all", "unreadable", b""),
        ("magic-cut", "seven bytes of the magic", "unreadable", MAGIC[:-1]),
        ("magic-alone", "the magic and nothing more", "truncated", MAGIC),
        ("no-record", "a footer and nothing else", "unfinished", empty),
        ("length-cut", "a record's length is cut", "truncated", MAGIC + b"\0\0\0"),
        ("length-zero", "a record of no byte", "truncated", MAGIC + bytes(4)),
        ("length-beyond", "a record of more than MAX_FRAME bytes", "truncated", MAGIC + (262145).to_bytes(4, "big")),
        ("after-the-footer", "a byte after the footer", "truncated", empty + b"\0"),
        ("count-wrong", "the footer counts an envelope that is not there", "truncated", miscounted(empty)),
        ("record-no-envelope", "a record that is no envelope", "bad-record", write_transcript([b"\xc0"], bytes(64))),
    ):
        report = audit_file(data)
        require(report.verdict == verdict, f"audit {name}: the auditor says {report.verdict}")
        yield vector(name, about, {"bytes": data}, report)


def miscounted(empty: bytes) -> bytes:
    """An empty file whose footer counts one envelope: array, text of three letters, then the number."""
    at = len(MAGIC) + 4 + 1 + 4
    require(empty[at] == 0, "the footer's number stands elsewhere")
    return empty[:at] + b"\1" + empty[at + 1 :]


def manifest() -> str:
    """The list of the golden transcripts: what each shows and what must be said of it."""
    rows = []
    for golden in goldens():
        report = audited(golden)
        rows.append(
            {
                "file": golden.file,
                "about": golden.about,
                "bytes": len(golden.data),
                "verdict": report.verdict,
                "round": report.round,
                "step": report.step,
                "slot": report.slot,
                "seat": report.seat,
            }
        )
    return written({"version": 1, "transcripts": rows})


def area() -> Area:
    """The file of vectors."""
    return Area(
        "audit",
        "07-audit.md",
        "Transcripts, by a file below `protocol/` or by their bytes, and the document of an audit but for its sentence."
        " What must agree is the verdict; place, seat and counts are those of the reference implementation.",
        tuple(vectors()),
    )

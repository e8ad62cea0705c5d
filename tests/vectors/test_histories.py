"""Vectors of steps, races and audits, and the golden transcripts: the package gives these heads, orders, verdicts."""

from typing import Any

import pytest

from p2pkaboo.audit.auditor import Auditor, audit_file
from p2pkaboo.audit.history import ordered
from p2pkaboo.audit.report import report_json
from p2pkaboo.audit.verdicts import VERDICTS
from p2pkaboo.replica.charter import RaceNumbers
from p2pkaboo.replica.race import RaceFacts, judge, judge_two, measured_us
from p2pkaboo.wire.bodies import Lateness, Measure, Witness
from p2pkaboo.wire.transcript import read_transcript
from tests.vectors.files import PROTOCOL, manifest, transcript, vectors

LARGEST = 300_000
"""Bytes of a golden transcript at most: they are to be small."""


def fed(given: dict[str, Any]) -> tuple[Auditor, list[bytes]]:
    """All records of a vector of steps, and an auditor that has found nothing wrong with any but the last."""
    rows = list(read_transcript(transcript(given["file"])).envelopes[: given["records"]]) if given["file"] else []
    rows += [bytes.fromhex(text) for text in given["envelopes"]]
    auditor = Auditor()
    for row in rows[:-1]:
        assert auditor.feed(row) is None
    return auditor, rows


@pytest.mark.parametrize("vector", vectors("steps"), ids=lambda vector: str(vector["name"]))
def test_steps(vector: dict[str, Any]) -> None:
    auditor, rows = fed(vector["input"])
    finding = auditor.feed(rows[-1])
    if vector["valid"]:
        assert finding is None
        found = {
            str(checked.deal.deal): {str(closed.slot): closed.head.hex() for closed in ordered(checked.deal)}
            for checked in auditor.rounds
        }
        assert found == vector["output"]["heads"]
        return
    assert finding is not None
    slot = None if finding.slot is None else str(finding.slot)
    assert (finding.verdict, finding.seat, slot) == (vector["class"], *(vector["output"][n] for n in ("seat", "slot")))


@pytest.mark.parametrize("vector", vectors("race"), ids=lambda vector: str(vector["name"]))
def test_race(vector: dict[str, Any]) -> None:
    given, output = vector["input"], vector["output"]
    told = given["facts"]
    facts = RaceFacts(
        RaceNumbers(**told["numbers"]),
        tuple(told["seats"]),
        told["acting"],
        tuple(told["senders"]),
        told["reveal"],
        {int(seat): floor for seat, floor in told["floors"].items()},
        bytes.fromhex(told["q"]),
        told["window"],
    )
    claims = {int(seat): claim for seat, claim in given["claims"].items()}
    said = {
        int(seat): Witness(
            tuple(Measure(*row) for row in word["measures"]), tuple(Lateness(*row) for row in word["lateness"])
        )
        for seat, word in given["witnesses"].items()
    }
    judgement = (judge if len(facts.seats) > 2 else judge_two)(facts, claims, said)
    order = sorted(judgement.order, key=lambda seat: given["shown"].get(str(seat)) == "other")
    assert order == output["order"]
    assert {str(runner.seat): runner.score for runner in judgement.runners} == output["scores"]
    assert {str(runner.seat): runner.counts for runner in judgement.runners} == output["counts"]
    assert judgement.disputed == output["disputed"]
    for witness, row in vector["intermediate"]["measured"].items():
        measures = said[int(witness)].measures
        assert {str(one.seat): measured_us(one, int(witness), facts) for one in measures} == row


@pytest.mark.parametrize("vector", vectors("audit"), ids=lambda vector: str(vector["name"]))
def test_audit(vector: dict[str, Any]) -> None:
    given = vector["input"]
    report = audit_file(transcript(given["file"]) if "file" in given else bytes.fromhex(given["bytes"]))
    assert report.verdict == (vector["class"] or "valid")
    assert {key: value for key, value in report_json(report).items() if key != "reason"} == vector["output"]


def test_the_manifest_lists_every_transcript() -> None:
    rows = manifest()
    there = {path.name for path in (PROTOCOL / "transcripts").iterdir()} - {"manifest.json"}
    assert {row["file"] for row in rows} == there
    by_file = {vector["input"].get("file"): vector["output"] for vector in vectors("audit")}
    for row in rows:
        verdict = by_file[f"transcripts/{row['file']}"]
        for name in ("verdict", "round", "step", "slot", "seat"):
            assert row[name] == verdict[name], row["file"]
        assert row["bytes"] == len(transcript(f"transcripts/{row['file']}")) < LARGEST


def test_every_verdict_has_a_golden_transcript() -> None:
    assert {row["verdict"] for row in manifest()} == set(VERDICTS)


def test_every_class_of_refusal_has_a_vector_of_its_own() -> None:
    areas = ("steps", "key", "blind", "share", "membership", "shuffle")
    classes = {vector["class"] for area in areas for vector in vectors(area)}
    assert {"equivocation", "bad-shuffle", "bad-share", "bad-view", "bad-claim", "bad-time"} <= classes
    assert {"illegal-move", "bad-key", "bad-score", "bad-signature", "bad-order", "disagreement"} <= classes

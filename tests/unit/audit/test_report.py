"""What an audit says, to programs and to people."""

import pytest

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.audit.report import HOW, report_json, report_text
from p2pkaboo.audit.verdicts import VERDICTS, Finding
from p2pkaboo.replica.faults import FAULT_CODES, LocalError
from tests.unit.audit.matches import played
from tests.vectors.files import transcript

KEYS = ["valid", "rounds", "verdict", "round", "step", "slot", "seat", "reason", "checks"]


def test_the_document_of_a_valid_match() -> None:
    table = played("sheffield", 3, 1)
    report = audit_file(table.transcript())
    document = report_json(report)
    assert list(document) == KEYS
    assert document["valid"] is True
    assert (document["rounds"], document["verdict"], document["seat"]) == (1, "valid", None)
    assert document["checks"] == {"signatures": report.signatures, "proofs": report.proofs, "moves": report.moves}
    assert min(document["checks"].values()) > 0


def test_the_text_of_a_valid_match_tells_hands_scores_races_and_knowledge() -> None:
    table = played("sheffield", 3, 1)
    report = audit_file(table.transcript())
    text = report_text(report)
    assert text.startswith("valid: ")
    (audit,) = report.audits
    assert audit.score is not None
    assert audit.races
    for seat, name in enumerate(table.charter.names):
        assert f"{name}: {' '.join(card or '--' for card in audit.hands[seat])} = {audit.score.hand[seat]}," in text
    assert f"never drawn: {' '.join(audit.stock) or 'nothing'}" in text
    assert text.count("race ") == sum(len(race.judgement.runners) for race in audit.races)
    assert sum(f"({how})" in line for line in text.splitlines() for how in HOW.values()) == len(audit.knowledge)


def test_the_text_of_a_broken_file_says_where() -> None:
    data = bytearray(played("cabo-standard", 2, 3).transcript())
    data[-200] ^= 1
    report = audit_file(bytes(data))
    text = report_text(report)
    assert text.splitlines()[0] == f"{report.verdict}: {report.reason}"
    assert "round 1" in text.splitlines()[1]
    assert report_text(audit_file(b"no")) == "unreadable: " + audit_file(b"no").reason


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("unfinished", "not all keys are disclosed: hidden cards stay hidden, all else is checked"),
        ("bad-share", "checked up to what is wrong: no hands and no scores"),
        ("illegal-move-disclosed", "checked up to what is wrong: no hands and no scores"),  # here all keys are
        ("bad-head", None),
    ],
)
def test_a_round_without_scores_says_why_it_has_none(name: str, said: str | None) -> None:
    text = report_text(audit_file(transcript(f"transcripts/{name}.kaboo")))
    told = [line.strip() for line in text.splitlines() if "disclosed:" in line or "checked up to" in line]
    assert told == ([] if said is None else [said])


def test_every_verdict_has_a_meaning() -> None:
    assert set(FAULT_CODES) < set(VERDICTS)
    assert all(text and not text.endswith(".") for text in VERDICTS.values())
    with pytest.raises(LocalError, match="nonsense"):
        Finding("nonsense", "")

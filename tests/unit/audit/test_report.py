"""What an audit says, to programs and to people."""

import re

import pytest

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.audit.report import HOW, report_json, report_text
from p2pkaboo.audit.verdicts import VERDICTS, Finding
from p2pkaboo.replica.faults import FAULT_CODES, LocalError
from p2pkaboo.rules.cards import deck
from tests.support.transcripts import deals_of
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


def test_the_text_of_a_valid_match_is_the_verdict_and_a_line_a_round() -> None:
    table = played("cabo-standard", 3, 1, 2)
    report = audit_file(table.transcript())
    verdict, checked, seats, blank, *rounds, hint = report_text(report).splitlines()
    assert verdict == "valid: everything that can be checked holds, to the signed end of the match"
    assert checked == f"checked: {report.signatures} signatures, {report.proofs} proofs, {report.moves} moves"
    assert seats == "seats: " + ", ".join(f"{seat} {name}" for seat, name in enumerate(table.charter.names))
    assert (blank, hint) == ("", "--cards tells hands, races, and who learned which card when")
    assert len(rounds) == 2
    for line, audit in zip(rounds, report.audits, strict=True):
        score, counts = audit.score, audit.counts
        assert score is not None
        told = []
        for seat, name in enumerate(table.charter.names):
            more = ["called"] * (seat == audit.caller)
            more += [f"total {score.totals[seat]}"] * (score.totals[seat] != score.round[seat])
            told.append(f"{name} {score.round[seat]}" + (f" ({', '.join(more)})" if more else ""))
        assert line == (
            f"Round {audit.round}: valid; {', '.join(told)}; checked: {counts.signatures} signatures, "
            f"{counts.proofs} proofs, {counts.moves} moves, {counts.races} race{'s' * (counts.races != 1)}"
        )
    assert "total" not in rounds[0]
    assert "total" in rounds[1]


def test_every_card_is_in_a_hand_on_the_pile_or_in_the_stock() -> None:
    table = played("cabo-standard", 2, 3)
    (audit,) = audit_file(table.transcript()).audits
    (deal,) = deals_of(table.nodes[0])
    held = [card for hand in audit.hands.values() for card in hand if card is not None]
    piled = [audit.faces[handle] for handle in deal.state.pile]
    assert audit.stock
    assert sorted([*held, *piled, *audit.stock]) == sorted(deck(table.charter.rules))


def test_with_cards_it_tells_hands_races_and_knowledge() -> None:
    table = played("sheffield", 3, 1)
    report = audit_file(table.transcript())
    text = report_text(report, cards=True)
    assert text.startswith("valid: ")
    (audit,) = report.audits
    assert audit.score is not None
    assert audit.races
    for seat, name in enumerate(table.charter.names):
        assert f"{name}: {' '.join(card or '--' for card in audit.hands[seat])} = {audit.score.hand[seat]}\n" in text
    assert f"never drawn: {' '.join(audit.stock) or 'nothing'}" in text
    assert text.count(" race ") == sum(len(race.judgement.runners) for race in audit.races)
    lines = text.splitlines()
    assert sum(f"({how})" in line for line in lines for how in HOW.values()) == len(audit.knowledge)
    assert not re.search(r"card \d+\.\d+", text)
    # A first look, and the hands that were opened: at the places where those cards lie.
    name = table.charter.names[0]
    seen = next(row for row in audit.knowledge if row.how == "first-look" and row.seat == 0)
    assert f"    m7 {name}: {seen.card} at {name}'s place 1 (first look)" in text
    for seat, hand in audit.hands.items():
        for at, card in enumerate(hand):
            if card is not None:
                whose = f"{table.charter.names[seat]}'s place {at + 1}"
                assert any(line.endswith(f" everybody: {card} at {whose} (hands opened)") for line in lines)


def test_one_of_a_thing_is_one() -> None:
    text = report_text(audit_file(transcript("transcripts/bad-key.kaboo")))
    assert not re.search(r"\b1 (signatures|proofs|moves|races)", text)
    assert re.search(r"\b1 (signature|proof|move|race)\b", text)


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

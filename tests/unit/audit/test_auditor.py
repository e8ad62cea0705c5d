"""Whole files: honest ones are valid, and of changed ones the first thing wrong is found and nobody honest blamed."""

import time

import agree
import pytest
from flip_bits import survivors
from hypothesis import given
from hypothesis import strategies as st

from p2pkaboo.audit.auditor import audit_file, audit_round
from p2pkaboo.audit.history import deal_envelopes
from p2pkaboo.replica.match import first_deal
from p2pkaboo.replica.state import Deal
from p2pkaboo.wire.bodies import NoSnap
from p2pkaboo.wire.envelope import decode_envelope
from p2pkaboo.wire.transcript import MAGIC, write_transcript
from tests.support.attacks import resign
from tests.support.tables import Node
from tests.support.transcripts import FormedTable, deals_of, rows_of, small_rules, with_rows
from tests.unit.audit.matches import played, tiny

PRESETS = ("sheffield", "cabo-standard", "cabo-guide", "kabbu", "cabo-online")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 4])
def test_honest_matches_are_valid(preset: str, seats: int) -> None:
    table = played(preset, seats, seats, 2)
    report = audit_file(table.transcript())
    assert (report.verdict, report.reason, report.seat, report.step) == ("valid", "", None, None)
    assert (report.valid, report.rounds, report.names) == (True, 2, table.charter.names)
    rows = len(rows_of(table.transcript()))
    assert report.signatures == rows + seats  # every record, and the JOINs inside the offer
    assert [audit.verdict for audit in report.audits] == ["valid", "valid"]
    for audit, deal in zip(report.audits, deals_of(table.nodes[0]), strict=True):
        assert audit.score == deal.score
        assert audit.counts.steps == len(deal.history)
        assert audit.counts.cards == len(deal.cards)


def test_an_audit_costs_less_than_the_match() -> None:
    begun = time.process_time()
    table = FormedTable(small_rules("sheffield"), 4, 2, proofs=True)
    table.run()
    match = time.process_time() - begun
    begun = time.process_time()
    assert audit_file(table.transcript()).valid
    assert time.process_time() - begun < match


def test_a_deal_whose_only_message_is_wrong_counts_as_begun() -> None:
    table = played("sheffield", 2, 2, 2)
    rows = rows_of(table.transcript())
    first = next(at for at, row in enumerate(rows) if decode_envelope(row).deal == 2)
    rows[first] = rows[first][:-1] + bytes([rows[first][-1] ^ 1])
    report = audit_file(write_transcript(rows[: first + 1], bytes(64)))
    assert (report.verdict, report.rounds, report.round, report.step) == ("bad-signature", 2, 2, 1)


def test_a_file_cut_anywhere_is_truncated() -> None:
    data = tiny(2, 3).transcript()
    at = len(MAGIC)
    for row in rows_of(data):
        for cut in (at, at + 2, at + 4 + len(row) // 2):
            assert audit_file(data[:cut]).verdict == "truncated", cut
        at += 4 + len(row)
    for cut in range(at, len(data)):
        assert audit_file(data[:cut]).verdict == "truncated", cut
    for cut in range(len(MAGIC)):
        assert audit_file(data[:cut]).verdict == "unreadable", cut
    assert audit_file(data + b"\0").verdict == "truncated"


def test_a_file_that_ends_early_but_whole_is_unfinished() -> None:
    table = played("sheffield", 3, 1)
    deal = first_deal(table.charter)
    forming = write_transcript(table.forming, deal.head)
    assert audit_file(forming).verdict == "unfinished"
    nothing = write_transcript([], deal.head)
    assert audit_file(nothing).verdict == "unfinished"
    (full,) = deals_of(table.nodes[0])
    for closed in full.history:
        if closed.slot.lane == "m" and closed.kind != "RESULT":
            rows = [row for row in rows_of(table.transcript()) if _order(row, full) <= closed.slot.order]
            report = audit_file(write_transcript(rows, closed.head))
            assert (report.verdict, report.round, report.seat) == ("unfinished", 1, None)
            assert str(closed.slot) in report.reason


def _order(row: bytes, deal: Deal) -> tuple[int, int, int]:
    envelope = decode_envelope(row)
    return envelope.slot.order if envelope.table == deal.table else (0, 0, 0)


def test_a_footer_must_name_the_last_head() -> None:
    data = played("cabo-standard", 2, 3).transcript()
    report = audit_file(write_transcript(rows_of(data), bytes(64)))
    assert (report.verdict, report.seat) == ("bad-head", None)


def _nobody_blamed(rows: list[bytes], data: bytes, *verdicts: str) -> None:
    report = audit_file(with_rows(data, rows))
    assert report.verdict in verdicts, report
    assert report.seat is None


def test_left_out_messages_are_missed_and_nobody_is_blamed() -> None:
    data = played("sheffield", 3, 1).transcript()
    rows = rows_of(data)
    for at in range(0, len(rows), 5):
        _nobody_blamed(rows[:at] + rows[at + 1 :], data, "bad-order", "disagreement", "bad-charter", "bad-head")


def test_exchanged_messages_are_noticed_and_nobody_is_blamed() -> None:
    data = played("kabbu", 3, 1).transcript()
    rows = rows_of(data)
    for at in range(0, len(rows) - 1, 2):
        swapped = [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]
        _nobody_blamed(swapped, data, "bad-order", "disagreement", "bad-charter")


def test_repeated_messages_are_noticed_and_nobody_is_blamed() -> None:
    data = tiny(3, 1).transcript()
    rows = rows_of(data)
    for at in range(len(rows)):
        _nobody_blamed([*rows[: at + 1], *rows[at:]], data, "bad-order", "bad-charter")
    for at in range(0, len(rows), 6):
        _nobody_blamed([*rows, rows[at]], data, "bad-order")


def test_messages_of_other_tables_and_deals_are_foreign() -> None:
    data = played("sheffield", 3, 1).transcript()
    rows = rows_of(data)
    other = rows_of(played("sheffield", 3, 2).transcript())
    _nobody_blamed([*rows[:20], other[20], *rows[20:]], data, "bad-order")
    _nobody_blamed([*rows, other[-1]], data, "bad-order")
    two = played("sheffield", 4, 0, 2)
    both = rows_of(two.transcript())
    first = len(two.forming) + len(deal_envelopes(deals_of(two.nodes[0])[0]))
    _nobody_blamed(both[:first] + both[first + 4 :], two.transcript(), "bad-order")
    _nobody_blamed([*both[: first + 4], both[first - 1], *both[first + 4 :]], two.transcript(), "bad-order")


@pytest.mark.parametrize("number", [3, 7, 1_000_000])
def test_a_number_that_leaves_a_deal_out_begins_none(number: int) -> None:
    """The round before it is the last that the file has come to."""
    table = played("sheffield", 4, 0, 2)
    data = table.transcript()
    rows = rows_of(data)
    first = len(table.forming) + len(deal_envelopes(deals_of(table.nodes[0])[0]))
    begin = decode_envelope(rows[first])
    skipped = resign(table.nodes[begin.seat], begin, deal=number)
    ours, theirs = agree.documents(with_rows(data, [*rows[:first], skipped.data, *rows[first + 1 :]]))
    assert agree.differences(ours, theirs) == []
    assert (theirs["verdict"], theirs["round"], theirs["seat"]) == ("bad-order", 1, None)


def test_a_later_signature_for_an_old_slot_convicts_its_author() -> None:
    """Whatever stands where a second message is found: two signatures are proof, also of a deal long over."""
    table = played("sheffield", 4, 0, 2)
    data = table.transcript()
    rows = rows_of(data)
    node: Node = table.nodes[2]
    old = next(e for e in map(decode_envelope, rows) if e.deal == 1 and e.kind == "OPEN1" and e.seat == 2)
    second = resign(node, old, elapsed=old.elapsed + 1)
    report = audit_file(with_rows(data, [*rows, second.data]))
    assert (report.verdict, report.seat, report.round, report.slot) == ("equivocation", 2, 1, str(old.slot))


def test_a_pair_in_a_round_not_come_to_has_no_round_and_no_step() -> None:
    table = played("sheffield", 4, 0, 2)
    data = table.transcript()
    rows = rows_of(data)
    second_deal = next(e for e in map(decode_envelope, rows) if e.deal == 2 and e.kind == "OPEN1" and e.seat == 2)
    second = resign(table.nodes[2], second_deal, elapsed=second_deal.elapsed + 1)
    report = audit_file(with_rows(data, [*rows[:40], *rows[41:], second.data]))
    assert (report.verdict, report.seat, report.slot) == ("equivocation", 2, str(second_deal.slot))
    assert (report.round, report.step) == (None, None)
    (audit,) = report.audits
    assert (audit.verdict, audit.seat) == ("bad-order", None)


def test_another_message_in_the_place_of_one_is_a_disagreement_without_a_name() -> None:
    """Rightly signed and lawful by itself, but what follows continues another history: no pair, no name."""
    table = played("sheffield", 3, 1)
    data = table.transcript()
    rows = rows_of(data)
    at = next(i for i, row in enumerate(rows) if decode_envelope(row).kind == "SEEN")
    envelope = decode_envelope(rows[at])
    other = resign(table.nodes[envelope.seat], envelope, elapsed=envelope.elapsed + 1)
    report = audit_file(with_rows(data, [*rows[:at], other.data, *rows[at + 1 :]]))
    assert (report.verdict, report.seat) == ("disagreement", None)
    report = audit_file(with_rows(data, [*rows[:at], other.data, *rows[at + 1 :], rows[at]]))
    assert (report.verdict, report.seat, report.slot) == ("equivocation", envelope.seat, str(envelope.slot))


def test_a_none_that_answers_no_snap_is_the_one_named_in_words() -> None:
    """It shows when the window's last message is in, which is another seat's."""
    table = played("sheffield", 3, 1)
    data = table.transcript()
    rows = rows_of(data)
    at = next(i for i, e in enumerate(map(decode_envelope, rows)) if e.kind == "NONE" and e.seat == 0)
    other = resign(table.nodes[0], decode_envelope(rows[at]), body=NoSnap(bytes(64)))
    report = audit_file(with_rows(data, [*rows[:at], other.data, *rows[at + 1 :]]))
    assert (report.verdict, report.seat, report.slot) == ("disagreement", None, str(other.slot))
    assert "the NONE of seat 0 continues another history" in report.reason


def test_every_flipped_bit_is_noticed() -> None:
    data = tiny(2, 3).transcript()
    verdicts, unnoticed = survivors(data, 60, 7)
    assert unnoticed == []
    assert verdicts["bad-signature"] > 0


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=4), st.binary(max_size=30), st.booleans())
def test_whatever_the_bytes_are_there_is_a_verdict(rows: list[bytes], tail: bytes, magic: bool) -> None:
    data = (MAGIC if magic else b"") + b"".join(len(row).to_bytes(4, "big") + row for row in rows) + tail
    report = audit_file(data)
    assert not report.valid
    assert report.reason


def _plain_inputs(table: FormedTable, seat: int) -> list[tuple[Deal, bytes]]:
    heads = [table.charter.hash, *(deal.head for deal in deals_of(table.nodes[seat]))]
    return list(zip(deals_of(table.nodes[seat]), heads, strict=False))


def test_each_round_is_audited_before_its_result_is_signed() -> None:
    table = played("sheffield", 4, 0, 2)
    whole = audit_file(table.transcript()).audits
    for (deal, head), expected in zip(_plain_inputs(table, 1), whole, strict=True):
        rows = [row for row in deal_envelopes(deal) if decode_envelope(row).kind != "RESULT"]
        audit = audit_round(table.charter, deal.deal, deal.dealer, deal.active, deal.standing, head, rows)
        assert (audit.verdict, audit.score, audit.hands) == ("valid", deal.score, expected.hands)
        assert (audit.stock, audit.knowledge, audit.races) == (expected.stock, expected.knowledge, expected.races)
        assert audit.counts.signatures == len(rows)
        earlier = [row for row in rows if decode_envelope(row).kind != "DISCLOSE"]
        audit = audit_round(table.charter, deal.deal, deal.dealer, deal.active, deal.standing, head, earlier)
        assert (audit.verdict, audit.score, audit.hands) == ("unfinished", None, {})


def test_a_round_audit_takes_nothing_on_trust() -> None:
    table = played("sheffield", 4, 0, 2)
    deal, head = _plain_inputs(table, 0)[0]
    rows = deal_envelopes(deal)
    arguments = (table.charter, deal.deal, deal.dealer, deal.active, deal.standing)
    assert audit_round(*arguments, bytes(64), rows).verdict == "disagreement"
    assert audit_round(*arguments, head, rows[1:]).verdict == "bad-order"
    assert audit_round(*arguments, head, [*rows[:9], b"nonsense"]).verdict == "bad-record"
    changed = resign(table.nodes[1], decode_envelope(rows[1]), elapsed=9)
    audit = audit_round(*arguments, head, [*rows[:6], changed.data])
    assert (audit.verdict, audit.seat, audit.step, audit.slot) == ("equivocation", 1, 1, "m1")

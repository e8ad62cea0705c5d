"""An audited file is shown round by round, and the last one, with which it opens, says what is wrong with the whole."""

from pathlib import Path

from p2pkaboo.peer.session.opened import open_transcript
from p2pkaboo.wire.envelope import decode_envelope
from tests.support.attacks import resign
from tests.support.transcripts import rows_of, with_rows
from tests.unit.audit.matches import played


def test_two_signatures_in_the_first_round_show_with_their_seat_where_the_file_opens(tmp_path: Path) -> None:
    table = played("cabo-standard", 3, 1, 2)
    data = table.transcript()
    old = next(e for e in map(decode_envelope, rows_of(data)) if e.deal == 1 and e.kind == "OPEN1" and e.seat == 2)
    second = resign(table.nodes[2], old, elapsed=old.elapsed + 1)
    path = tmp_path / "pair.kaboo"
    path.write_bytes(with_rows(data, [*rows_of(data), second.data]))
    opened = open_transcript(path)
    for number in (0, 1, 2):
        verdict = opened.round_report(number, match="m", table="t", you=None).verdict
        assert (verdict.verdict, verdict.seat) == ("equivocation", 2), number


def test_a_valid_file_is_valid_in_every_round(tmp_path: Path) -> None:
    path = tmp_path / "valid.kaboo"
    path.write_bytes(played("cabo-standard", 3, 1, 2).transcript())
    opened = open_transcript(path)
    assert [opened.round_report(n, match="m", table="t", you=None).verdict.verdict for n in (1, 2)] == ["valid"] * 2

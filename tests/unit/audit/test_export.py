"""A played round as a scenario: replayed with every card known it gives the round that was played."""

import json

import pytest

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.audit.export import ExportError, UnreadableError, export_round
from p2pkaboo.rules.scenario import read_scenario, run_scenario
from tests.support.transcripts import deals_of, rows_of, with_rows
from tests.unit.audit.matches import played

PRESETS = ("sheffield", "cabo-standard", "cabo-guide", "kabbu", "cabo-online")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 3])
def test_run_of_an_exported_round_gives_its_result(preset: str, seats: int) -> None:
    table = played(preset, seats, seats, 2)
    data = table.transcript()
    for deal, audit in zip(deals_of(table.nodes[0]), audit_file(data).audits, strict=True):
        document = json.loads(json.dumps(export_round(data, audit.round)))
        result = run_scenario(read_scenario(document))
        assert result["ok"], result
        names, score = document["seats"], deal.score
        assert score is not None
        assert {names[seat]: list(hand) for seat, hand in audit.hands.items()} == result["hands"]
        assert {names[seat]: points for seat, points in score.round.items()} == result["round"]["round"]
        assert {names[seat]: points for seat, points in score.totals.items()} == result["round"]["totals"]
        assert result["stock"] == len(deal.state.stock)
        assert [deal.faces[handle] for handle in deal.state.pile] == result["discard"]


def test_a_round_with_reshuffles_is_exported_with_them() -> None:
    for seed in range(20):
        table = played("sheffield", 3, seed)
        document = export_round(table.transcript(), 1)
        if any("reshuffled" in move for move in document["moves"]):
            assert run_scenario(read_scenario(document))["ok"]
            return
    raise AssertionError("no round of twenty needed a reshuffle")


def test_what_stands_behind_a_round_does_not_spoil_it() -> None:
    table = played("cabo-standard", 2, 3)
    data = table.transcript()
    rows = rows_of(data)
    assert export_round(with_rows(data, [*rows, b"no envelope"]), 1) == export_round(data, 1)
    with pytest.raises(ExportError, match="bad-record"):
        export_round(with_rows(data, [*rows[:-1], b"no envelope"]), 1)


def test_what_cannot_be_exported_says_why() -> None:
    data = played("cabo-standard", 2, 3).transcript()
    with pytest.raises(UnreadableError, match="transcript"):
        export_round(b"nothing", 1)
    with pytest.raises(ExportError, match="no round 2"):
        export_round(data, 2)
    with pytest.raises(ExportError, match="not disclosed"):
        export_round(data[: len(data) // 2], 1)
    broken = bytearray(data)
    broken[len(data) // 2] ^= 1
    with pytest.raises(ExportError):
        export_round(bytes(broken), 1)

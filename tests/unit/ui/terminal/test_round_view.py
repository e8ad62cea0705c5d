"""The end of a round, the score sheet and a cheat caught, as text."""

import pytest
from msgspec.structs import replace

from p2pkaboo.peer import api
from tests.unit.ui.terminal import moments
from tests.unit.ui.terminal.moments import model, press, scene, text


def with_verdict(verdict: api.Verdict) -> api.Snapshot:
    snapshot = scene("result")
    assert snapshot.table is not None
    assert snapshot.table.result is not None
    result = replace(snapshot.table.result, verdict=verdict)
    return replace(snapshot, table=replace(snapshot.table, result=result))


def test_a_result_shows_hands_points_and_the_audit() -> None:
    shown = text(model(scene("result")))
    assert "Ben’s call holds." in shown
    ada = next(row for row in shown.splitlines() if row.startswith("Ada"))
    assert ada.split() == ["Ada", "3♣", "3", "JOK", "−1", "5♥", "5", "–", "hand", "7", "+7", "this", "round"]
    assert "Lowest alone: call holds, −5" in shown
    assert "✓ Round 4 checks out." in shown
    assert "901 signatures, 655 proofs, 120 moves, 54 cards" in " ".join(shown.split())
    assert "Still reading: you and Dana." in shown
    assert "at the latest in 0:14" in shown


def test_the_end_of_the_match_names_the_winner() -> None:
    shown = text(model(moments.match_over()))
    assert "Ben won the match." in shown
    assert "[Enter] Back to the start" in shown
    assert "Still reading" not in shown


@pytest.mark.parametrize(
    ("winners", "line"), [((0,), "You won the match!"), ((0, 2), "You and Cleo share the win."), ((), "call holds.")]
)
def test_winners(winners: tuple[int, ...], line: str) -> None:
    snapshot = moments.match_over()
    assert snapshot.table is not None
    assert snapshot.table.result is not None
    result = replace(snapshot.table.result, winners=winners)
    assert line in text(model(replace(snapshot, table=replace(snapshot.table, result=result))))


def test_a_round_that_does_not_check_out_says_whose_step() -> None:
    bad = api.Verdict(verdict="bad-share", reason="The proof of a share fails.", seat=1, step=117)
    shown = text(model(with_verdict(bad)))
    assert "✗ Round 4 does not check out: bad-share. The proof of a share fails. Ben, step 117." in shown


def test_an_audit_still_running() -> None:
    assert "Your computer is checking the round." in text(model(with_verdict(api.Verdict(verdict="pending"))))


@pytest.mark.parametrize(("ended", "line"), [("stock", "The stock ran out."), ("forfeit", "ended by forfeit")])
def test_other_endings(ended: str, line: str) -> None:
    snapshot = scene("result")
    assert snapshot.table is not None
    assert snapshot.table.result is not None
    result = replace(snapshot.table.result, ended=ended, caller=None, call_held=None)
    assert line in text(model(replace(snapshot, table=replace(snapshot.table, result=result))))


def test_the_score_sheet() -> None:
    shown = model(scene("result"))
    press(shown, "p")
    rows = [row.split() for row in text(shown).splitlines()]
    assert ["Round", "Ada", "Ben", "Cleo", "Dana"] in rows
    assert ["1", "12", "14", "−1", "▲", "12"] in rows
    assert ["2", "12", "3", "8", "17", "▽"] in rows
    assert ["Total", "38", "27", "45", "64"] in rows
    assert "Lowest wins after 5 rounds" in text(shown)


@pytest.mark.parametrize(
    ("sheet", "line"),
    [
        (api.ScoreSheet(), "No round has been counted yet."),
        (api.ScoreSheet(target=100), "when somebody passes 100"),
        (api.ScoreSheet(target=100, target_when="reached"), "when somebody reaches 100"),
        (api.ScoreSheet(rounds=(api.ScoreRound(number=1, points=(None, 50, 0, 1), resets=(1,)),)), "↺"),
    ],
)
def test_score_sheets(sheet: api.ScoreSheet, line: str) -> None:
    snapshot = scene("turn")
    assert snapshot.table is not None
    shown = model(replace(snapshot, table=replace(snapshot.table, scores=sheet)))
    press(shown, "p")
    assert line in text(shown)


def test_a_cheat_is_explained() -> None:
    shown = text(model(scene("cheat"), 100, 40))
    assert "Dana’s computer did not play fair." in shown
    assert "Round 2, step 117 (31w2). Verdict: bad-share." in shown
    assert "It was about Ben’s place 3, which stays hidden." in shown
    assert "Found by you after 3 ms, Ben after 4 ms and Cleo after 24 ms." in shown
    assert "Could it be an accident?" in shown
    assert "dealt again without Dana" in shown
    assert "p2pkaboo audit step117.kaboo" in shown


def test_stopping_the_match_can_be_taken_back() -> None:
    shown = model(scene("cheat"))
    assert press(shown, "k") == []
    assert "Really stop the match?" in text(shown)
    assert press(shown, "esc", "k") == []


def test_what_races_show_stands_on_the_score_sheet_and_a_warning_in_the_result_too() -> None:
    snapshot = scene("result")
    assert snapshot.table is not None
    said = (
        api.Say(key="conduct.strikes", params={"seat": 0, "n": 1}),
        api.Say(key="conduct.strikes_warn", params={"seat": 2, "n": 4}),
    )
    scores = replace(snapshot.table.scores, conduct=said)
    shown = model(replace(snapshot, table=replace(snapshot.table, scores=scores)))
    result = " ".join(text(shown).split())
    assert "! Cleo’s share came late in 4 of the last races." in result
    assert "Your share came late" not in result
    press(shown, "p")
    sheet = " ".join(text(shown).split())
    assert "Your share came late in 1 of the races so far." in sheet
    assert "! Cleo’s share" in sheet

"""A round's result in rows and notes: what each hand counts and why it gave what it gave."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import pytest

from p2pkaboo.peer.session.result import call_held, conduct_of, holds, rows_of, scores_of, verdict_of
from p2pkaboo.replica.race import COUNTED, HELD_BACK
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.ruleset import load_preset, with_overrides
from p2pkaboo.rules.scoring import score_round
from tests.unit.replica.test_conduct import record


def notes(
    preset: str,
    hands: Sequence[str],
    caller: int | None,
    *,
    penalties: Sequence[int] = (),
    totals: Sequence[int] = (),
    **overrides: object,
) -> list[list[tuple[str, dict[str, object]]]]:
    rules = with_overrides(load_preset(preset), {name.replace("__", "."): v for name, v in overrides.items()})
    cards = {seat: tuple(None if card == "-" else card for card in hand.split()) for seat, hand in enumerate(hands)}
    points = tuple(penalties) or (0,) * len(hands)
    before = dict(enumerate(totals)) if totals else {}
    score = score_round(rules, cards, caller, dict(enumerate(points)), before)
    rows = rows_of(rules, cards, score, caller, points)
    assert [row.points for row in rows] == [score.round[seat] for seat in cards]
    assert all(row.hand == sum(v for v in row.values if v is not None) for row in rows)
    return [[(note.key, dict(note.params)) for note in row.notes] for row in rows]


def test_a_call_that_holds_and_one_that_fails() -> None:
    assert notes("sheffield", ["6H", "9C"], 0) == [[("note.call_won", {"n": -5})], []]
    assert notes("sheffield", ["6H", "6C"], 0) == [[("note.call_lost", {"n": 5})], []]


def test_a_caller_who_ties_wins_where_the_rules_say_so() -> None:
    rules = load_preset("cabo-guide")
    score = score_round(rules, {0: ("6H",), 1: ("6C",)}, 0)
    assert holds(rules, score, 0)
    assert not holds(load_preset("sheffield"), score, 0)
    assert notes("cabo-guide", ["6H", "6C"], 0)[0] == [("note.call_zero", {})]
    assert notes("cabo-guide", ["6H", "5C"], 0)[0] == [("note.call_beaten", {"n": 5})]  # not: "not lowest alone"


def test_the_lowest_counts_nothing() -> None:
    assert notes("cabo-standard", ["6H", "9C", "3D"], None)[2] == [("note.lowest_zero", {})]


def test_a_special_hand_and_its_price() -> None:
    assert notes("cabo-standard", ["QH QC KS KC", "2D"], 1) == [
        [("note.special", {})],
        [("note.award", {"n": 50})],
    ]


@pytest.mark.parametrize(
    ("preset", "hands", "caller", "held"),
    [
        ("cabo-standard", ["QH QC KS KC", "2D"], 0, None),  # the call counts for nothing
        ("cabo-standard", ["QH QC KS KC", "2D"], 1, None),
        ("cabo-standard", ["QH QC KS", "2D"], 1, True),
        ("cabo-standard", ["2H -", "2D"], 1, False),
        ("cabo-standard", ["2H -", "2D"], None, None),
        ("sheffield", ["QH QC KS KC", "2D"], 0, False),  # no special hands there
    ],
)
def test_whether_a_call_held(preset: str, hands: list[str], caller: int | None, held: bool | None) -> None:
    rules = load_preset(preset)
    cards = {seat: [None if card == "-" else card for card in hand.split()] for seat, hand in enumerate(hands)}
    places = [[card and (seat, at) for at, card in enumerate(hand)] for seat, hand in cards.items()]
    scored = SimpleNamespace(
        charter=SimpleNamespace(rules=rules),
        active=sorted(cards),
        state=SimpleNamespace(caller=caller, hands=places),
        faces={(seat, at): card for seat, hand in cards.items() for at, card in enumerate(hand)},
        score=score_round(rules, cards, caller),
    )
    assert call_held(cast(Deal, scored)) is held


def test_points_for_wrong_snaps_and_a_round_won() -> None:
    found = notes("kabbu", ["2H -", "9C"], 1, penalties=(30, 0))
    assert found[0] == [("note.penalty", {"n": 30}), ("note.winner", {})]
    assert found[1][0] == ("note.call_lost", {"n": 50})
    assert notes("kabbu", ["2H -", "9C"], None)[0] == [("note.winner", {})]


def test_an_exact_hundred() -> None:
    found = notes("cabo-standard", ["7H", "2C"], None, totals=(93, 0))
    assert found[0] == [("note.reset", {"n": 100, "to": 50})]


def test_nothing_is_audited_yet() -> None:
    assert verdict_of(None).verdict == "pending"


@pytest.mark.parametrize(("preset", "rounds", "target"), [("sheffield", 5, 0), ("cabo-standard", 0, 100)])
def test_an_empty_sheet_says_how_the_match_ends(preset: str, rounds: int, target: int) -> None:
    sheet = scores_of([], load_preset(preset), 3)
    assert (sheet.rounds, sheet.totals) == ((), (0, 0, 0))
    assert (sheet.rounds_in_match, sheet.target) == (rounds, target)


def test_honest_races_say_nothing_of_anybody() -> None:
    assert conduct_of([]) == ()
    assert conduct_of([record(4, {0: COUNTED, 1: COUNTED})] * 30) == ()


def test_late_shares_are_told_by_seat_and_four_of_the_last_ones_warn() -> None:
    both = [record(4, {1: COUNTED, 2: HELD_BACK}), record(4, {1: HELD_BACK, 2: HELD_BACK})]
    quiet = [(say.key, dict(say.params)) for say in conduct_of(both)]
    assert quiet == [("conduct.strikes", {"seat": 1, "n": 1}), ("conduct.strikes", {"seat": 2, "n": 2})]
    loud = [(say.key, dict(say.params)) for say in conduct_of(both * 2)]
    assert loud == [("conduct.strikes", {"seat": 1, "n": 2}), ("conduct.strikes_warn", {"seat": 2, "n": 4})]


def test_disputes_of_two_are_told_and_too_many_warn() -> None:
    disputed, agreed = (record(2, {0: COUNTED, 1: COUNTED}, disputed=on) for on in (True, False))
    [few] = conduct_of([disputed, agreed, agreed])
    assert (few.key, dict(few.params)) == ("conduct.disputes", {"n": 1, "of": 3})
    [many] = conduct_of([disputed] * 3 + [agreed])
    assert (many.key, dict(many.params)) == ("conduct.disputes_warn", {"n": 3})

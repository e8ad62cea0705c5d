"""Scores: every worked example of the published texts, and the ends of matches."""

from typing import Any

import pytest

from p2pkaboo.rules.documents import DocumentError, score_document
from p2pkaboo.rules.ruleset import load_preset, with_overrides
from p2pkaboo.rules.scoring import award, score_round

Hands = dict[str, list[str | None]]


def booked(rules: str, hands: Hands, caller: str | None = None) -> dict[str, int]:
    return score_round(load_preset(rules), hands, caller).round


class TestWorkedExamples:
    def test_sheffield_caller_6_against_9_scores_1(self) -> None:
        assert booked("sheffield", {"A": ["6H"], "B": ["9H"]}, "A") == {"A": 1, "B": 9}

    def test_sheffield_caller_6_against_6_scores_11(self) -> None:
        assert booked("sheffield", {"A": ["6H"], "B": ["6S"]}, "A") == {"A": 11, "B": 6}

    def test_standard_anna_ben_clara(self) -> None:
        hands: Hands = {"Anna": ["X1", "AH", "3H"], "Ben": ["2H", "5H", "4H", "6H"], "Clara": ["8H", "AS", "2S", "3S"]}
        score = score_round(load_preset("cabo-standard"), hands, "Anna")
        assert score.hand == {"Anna": 4, "Ben": 17, "Clara": 14}
        assert score.round == {"Anna": 0, "Ben": 17, "Clara": 14}

    def test_standard_anna_calls_with_6_and_ben_has_6(self) -> None:
        hands: Hands = {"Anna": ["6H"], "Ben": ["6S"], "Clara": ["9H"]}
        assert booked("cabo-standard", hands, "Anna") == {"Anna": 16, "Ben": 0, "Clara": 9}

    @pytest.mark.parametrize(
        ("hands", "round_points"),
        [
            ((["9H"], ["JH"], ["TH", "6H"]), (0, 11, 16)),
            ((["TH", "4H"], ["8H"], ["9S", "8S"]), (19, 0, 17)),
            ((["7H"], ["7S"], ["TH"]), (0, 7, 10)),
        ],
    )
    def test_the_guides_table(self, hands: tuple[list[str | None], ...], round_points: tuple[int, ...]) -> None:
        assert tuple(booked("cabo-guide", dict(zip("ABC", hands, strict=True)), "A").values()) == round_points

    def test_the_guide_a_tie_without_caller_gives_both_nothing(self) -> None:
        assert booked("cabo-guide", {"A": ["7H"], "B": ["7S"], "C": ["TH"]}) == {"A": 0, "B": 0, "C": 10}
        assert booked("cabo-guide", {"A": ["7H"], "B": ["7S"], "C": ["TH"]}, "C") == {"A": 0, "B": 0, "C": 15}

    def test_online_a_strictly_lower_caller_scores_0_and_a_tied_or_beaten_one_5_more(self) -> None:
        assert booked("cabo-online", {"A": ["6H"], "B": ["9H"]}, "A") == {"A": 0, "B": 9}
        assert booked("cabo-online", {"A": ["6H"], "B": ["6S"]}, "A") == {"A": 11, "B": 6}
        assert booked("cabo-online", {"A": ["6H"], "B": ["5S"]}, "A") == {"A": 11, "B": 5}

    def test_special_hands(self) -> None:
        special: list[str | None] = ["QH", "QS", "KC", "KS"]
        assert booked("cabo-standard", {"A": special, "B": ["AH"]}, "B") == {"A": 0, "B": 50}
        assert booked("cabo-guide", {"A": special, "B": ["AH"]}, "B") == {"A": 0, "B": 50}
        assert booked("cabo-online", {"A": special, "B": ["AH"]}, "B") == {"A": 0, "B": 50}
        assert booked("sheffield", {"A": special, "B": ["AH"]}, "B") == {"A": 50, "B": -4}

    def test_half_the_target_is_rounded_down(self) -> None:
        assert award(with_overrides(load_preset("cabo-online"), {"match.target": 65})) == 32

    def test_kabbu_a_tied_or_beaten_caller_pays_50(self) -> None:
        assert booked("kabbu", {"A": ["5H"], "B": ["9S"]}, "A") == {"A": 5, "B": 9}
        assert booked("kabbu", {"A": ["5H"], "B": ["5S"]}, "A") == {"A": 55, "B": 5}
        assert booked("kabbu", {"A": ["5H"], "B": ["4S"]}, "A") == {"A": 55, "B": 4}

    def test_kabbu_the_lowest_unique_score_wins_the_round(self) -> None:
        rules = load_preset("kabbu")
        assert score_round(rules, {"A": ["5H"], "B": ["4S"]}, "A").round_winner == "B"
        assert score_round(rules, {"A": ["5H"], "B": ["5S"]}, "A").round_winner is None

    def test_kabbu_auto_call_scores_0_and_loses_if_another_has_0_or_less(self) -> None:
        assert booked("kabbu", {"A": [None], "B": ["4S"]}, "A") == {"A": 0, "B": 4}
        assert booked("kabbu", {"A": [None], "B": ["AS"]}, "A") == {"A": 50, "B": -1}
        assert booked("kabbu", {"A": [None], "B": []}, "A") == {"A": 50, "B": 0}

    def test_kabbu_cards_are_compared_alone_and_points_added_afterwards(self) -> None:
        score = score_round(load_preset("kabbu"), {"A": ["5H"], "B": ["9S"]}, "A", {"A": 30})
        assert (score.hand["A"], score.round["A"], score.round_winner) == (5, 35, "A")

    def test_points_count_only_where_the_rules_have_them(self) -> None:
        assert score_round(load_preset("sheffield"), {"A": ["5H"], "B": ["9S"]}, None, {"A": 30}).round["A"] == 5


class TestMatchEnd:
    def test_a_total_over_100_ends_the_match_and_exactly_100_does_not(self) -> None:
        rules = with_overrides(load_preset("cabo-standard"), {"reset.at": 0})
        at = score_round(rules, {"A": ["7H"], "B": ["AH"]}, None, totals={"A": 93})
        over = score_round(rules, {"A": ["8H"], "B": ["AH"]}, None, totals={"A": 93, "B": 70})
        assert (at.totals["A"], at.match_over, at.winners) == (100, False, ())
        assert (over.match_over, over.winners) == (True, ("B",))

    def test_online_reaching_the_target_ends_it_and_ties_are_shared_in_the_order_of_the_hands(self) -> None:
        totals = {"A": 93, "B": 40, "C": 40}
        hands: Hands = {"C": ["2H"], "A": ["7H"], "B": ["2S"]}
        score = score_round(load_preset("cabo-online"), hands, None, totals=totals)
        assert (score.totals["A"], score.match_over, score.winners) == (100, True, ("C", "B"))

    @pytest.mark.parametrize("name", ["sheffield", "kabbu"])
    def test_five_rounds(self, name: str) -> None:
        hands: Hands = {"A": ["2H"], "B": ["3H"]}
        ends = [score_round(load_preset(name), hands, None, round_no=number).match_over for number in range(1, 6)]
        assert ends == [False, False, False, False, True]

    def test_without_rounds_and_target_a_match_goes_on(self) -> None:
        rules = with_overrides(load_preset("sheffield"), {"match.rounds": 0})
        assert not score_round(rules, {"A": ["2H"], "B": ["3H"]}, None, totals={"A": 5000}, round_no=99).match_over

    def test_exactly_100_becomes_50_once(self) -> None:
        score = score_round(load_preset("cabo-guide"), {"A": ["7H"], "B": ["2H"]}, None, totals={"A": 93})
        assert (score.totals["A"], score.reset, score.match_over) == (50, ("A",), False)

    def test_a_caller_without_a_hand_is_a_mistake_of_the_program(self) -> None:
        with pytest.raises(ValueError, match="caller"):
            score_round(load_preset("sheffield"), {"A": ["2H"]}, "B")


class TestDocuments:
    def test_the_documented_examples(self) -> None:
        given: dict[str, Any] = {
            "rules": "cabo-guide",
            "overrides": {},
            "hands": {"A": ["7H"], "B": ["7S"], "C": ["TD"]},
            "caller": "A",
            "totals": {"A": 93, "B": 40, "C": 0},
            "used_reset": ["C"],
            "round_no": 1,
        }
        assert score_document(given) == {
            "hand": {"A": 7, "B": 7, "C": 10},
            "round": {"A": 0, "B": 7, "C": 10},
            "totals": {"A": 93, "B": 47, "C": 10},
            "reset": [],
            "match_over": False,
            "winners": [],
        }
        kabbu = {"rules": "kabbu", "hands": {"A": ["5H"], "B": ["9S"]}, "caller": "A", "penalties": {"A": 30}}
        assert score_document(kabbu)["round"] == {"A": 35, "B": 9}

    def test_the_rounds_winner_stands_there_where_the_rules_know_one(self) -> None:
        known: dict[str, Any] = {"overrides": {"score.round_winner": True}}
        given: dict[str, Any] = {"rules": "sheffield", "hands": {"A": ["5H"], "B": ["4S"]}}
        assert "round_winner" not in score_document(given)
        assert score_document(given | known)["round_winner"] == "B"
        assert score_document(given | known | {"hands": {"A": ["5H"], "B": ["5S"]}})["round_winner"] is None

    def test_gaps_count_nothing(self) -> None:
        assert score_document({"rules": "sheffield", "hands": {"A": ["2H", None], "B": []}})["hand"] == {"A": 2, "B": 0}

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"hands": {"A": ["5H"], "B": ["5H"]}}, "hands: 5H stands there twice"),
            ({"hands": {"A": ["5H.2"]}}, "hands: 5H.2 is no card of these rules"),
            ({"hands": {"A": ["X3"]}}, "hands: X3 is no card"),
            ({"hands": {"A": [7]}}, "hands: 7 is no card"),
            ({"hands": {"A": "5H"}}, "hands: A has 5H, expected a list of cards"),
            ({"hands": {}}, "hands: expected an object of 1 to 32 seats"),
            ({"hands": []}, "hands: expected an object"),
            ({"hands": [["5H"]]}, "hands: expected an object"),
            ({"hands": None}, "hands: expected an object"),
            ({"caller": "Z"}, "caller: no seat Z, there are A, B"),
            ({"totals": {"Z": 1}}, "totals: no seat Z"),
            ({"totals": {"A": 1.5}}, "totals: A has 1.5, expected a whole number"),
            ({"totals": {"A": 10**9 + 1}}, "totals: A has 1000000001, expected a whole number from -1000000000 to"),
            ({"penalties": {"A": True}}, "penalties: A has true"),
            ({"penalties": {"A": -30}}, "penalties: A has -30, expected a whole number from 0 to 1000000000"),
            ({"hands": {"A": None}}, "hands: A has null, expected a list of cards"),
            ({"hands": {"A\n": ["5H"]}}, "hands: A, expected a name of 1 to 64 characters"),
            ({"used_reset": ["Z"]}, "used_reset"),
            ({"round_no": 0}, "round_no: 0, expected a whole number from 1 to 1000000000"),
            ({"rules": "bridge"}, "no rules called bridge"),
            ({"rules": 5}, "rules: 5, expected the name of a preset"),
            ({"overrides": []}, "overrides: expected an object"),
            ({"overrides": {"snap.limit": "x"}}, "snap.limit = x: allowed"),
            ({"colour": "red"}, "colour: no such field"),
        ],
    )
    def test_a_wrong_document_is_one_line_that_names_the_field(self, change: dict[str, Any], said: str) -> None:
        given = {"rules": "sheffield", "hands": {"A": ["5H"], "B": ["9S"]}} | change
        with pytest.raises(DocumentError, match=said) as error:
            score_document(given)
        assert "\n" not in str(error.value)

    def test_penalties_are_what_wrong_snaps_cost(self) -> None:
        given: dict[str, Any] = {"rules": "kabbu", "hands": {"A": ["5H"], "B": ["9S"]}, "penalties": {"A": 60, "B": 0}}
        assert score_document(given)["round"] == {"A": 65, "B": 9}
        slip = given | {"penalties": {"A": 60, "B": 31}}
        with pytest.raises(
            DocumentError, match=r"^penalties: B has 31, expected a multiple of snap.wrong_points = 30$"
        ):
            score_document(slip)
        assert score_document(slip | {"overrides": {"snap.wrong_points": 1}})["round"] == {"A": 65, "B": 40}
        assert score_document(slip | {"overrides": {"snap.wrong_points": 0}})["round"] == {"A": 5, "B": 9}

    def test_missing_fields_and_other_things_than_objects(self) -> None:
        with pytest.raises(DocumentError, match="hands: missing"):
            score_document({"rules": "sheffield"})
        with pytest.raises(DocumentError, match="expected a JSON object"):
            score_document([1])

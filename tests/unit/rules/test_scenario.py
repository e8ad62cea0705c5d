"""Scenarios: the document's form, how moves are refused, and what is printed."""

from typing import Any

import pytest

from p2pkaboo.rules import engine, moves
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.documents import DocumentError
from p2pkaboo.rules.ruleset import load_preset
from p2pkaboo.rules.scenario import export_scenario, read_scenario, run_scenario
from p2pkaboo.rules.state import cards_of
from tests.unit.rules.tables import after, document, move, table


def run(raw: dict[str, Any]) -> dict[str, Any]:
    return run_scenario(read_scenario(raw))


def sheffield(*played: str, **more: Any) -> dict[str, Any]:
    raw = document("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", "TH JH QH AH", up="2S", stock="+")
    return raw | {"moves": [move(words) for words in played]} | more


def test_what_is_printed() -> None:
    result = run(sheffield("B peek_initial 0 1", "A draw", "A exchange 2", "C snap C 0"))
    assert result.pop("events")[:2] == [
        {"type": "peeked_initial", "seat": "B", "at": [0, 1]},
        {"type": "peeked_initial", "seat": "A", "at": [0, 1]},
    ]
    assert result == {
        "ok": True,
        "hands": {
            "A": ["2H", "3H", "2C", "5H"],
            "B": ["6H", "7H", "8H", "9H"],
            "C": ["TH", "JH", "QH", "AH", "4C", "6C"],
        },
        "discard": ["2S", "4H"],
        "stock": 11,
        "drawn": None,
        "gift": None,
        "penalties": {},
        "turn": "B",
        "phase": "turn",
        "caller": None,
    }


def test_the_round_is_scored_once_it_is_over() -> None:
    played = ("A call", "B draw", "B discard", "C draw", "C discard")
    assert "round" not in run(sheffield(*played[:-1]))
    result = run(sheffield(*played, totals={"A": 10}, round_no=5))
    assert (result["phase"], result["turn"], result["caller"]) == ("round_over", None, "A")
    assert result["round"] == {
        "hand": {"A": 14, "B": 30, "C": 34},
        "round": {"A": 9, "B": 30, "C": 34},
        "totals": {"A": 19, "B": 30, "C": 34},
        "reset": [],
        "match_over": True,
        "winners": ["A"],
    }


def test_penalties_and_gifts_are_printed() -> None:
    t = table("kabbu", "KH 2D 2H 3H", "KC 4H 5H 6H", stock="KS 2S +").play("A draw", "A discard", "B snap A 1")
    assert t.result["penalties"] == {"B": 30}
    assert t.play("B snap A 0").result["gift"] == {"giver": "B", "to": "A", "at": 0}
    assert t.result["turn"] == "B"


def test_a_refused_move_gives_the_state_before_it() -> None:
    result = run(sheffield("A draw", "B draw", "A discard"))
    assert (result["ok"], result["at"], result["error"]) == (False, 1, "illegal-move")
    assert result["reason"] == "B may not draw: it is not its turn (turn order)"
    assert (result["drawn"], result["turn"], result["phase"]) == ("2C", "A", "drawn")
    assert result["events"][-1] == {"type": "drew", "seat": "A", "card": "2C"}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("draw", "a move is an object with seat and do"),
        ({"do": "draw"}, "a move is an object"),
        ({"seat": "Z", "do": "draw"}, "Z may not draw: seat is Z, no seat of this table"),
        ({"seat": 1, "do": "draw"}, "no seat"),
        ({"seat": "A", "do": "fly"}, "A may not fly: there are only peek_initial, draw"),
        ({"seat": "A", "do": "pass"}, "A may not pass: there are only"),
        ({"seat": "A", "do": ["draw"]}, "there are only"),
        ({"seat": "A", "do": "snap", "of": "B"}, "A may not snap: at is missing"),
        ({"seat": "A", "do": "snap", "of": "Z", "at": 0}, "of is Z, no seat"),
        ({"seat": "A", "do": "snap", "of": "B", "at": 4}, "at is 4, B has positions 0 to 3"),
        ({"seat": "A", "do": "snap", "of": "B", "at": -1}, "at is -1"),
        ({"seat": "A", "do": "snap", "of": "B", "at": True}, "at is true"),
        ({"seat": "A", "do": "snap", "of": "B", "at": [0]}, "at is"),
        ({"seat": "A", "do": "exchange", "at": 0}, "a list of positions is expected"),
        ({"seat": "A", "do": "exchange", "at": [0], "end": "up"}, "left or right is expected"),
        ({"seat": "A", "do": "exchange", "at": [0], "into": "0"}, "into is 0"),
        ({"seat": "A", "do": "draw", "speed": 3}, "speed is no field of this move"),
        ({"seat": "A", "do": "draw", "reshuffled": ["2S"]}, "nothing is reshuffled in this move"),
        ({"seat": "A", "do": "peek_initial", "at": [0]}, "exactly 2 different cards"),
    ],
)
def test_whatever_is_wrong_inside_a_move_is_an_illegal_move(raw: Any, said: str) -> None:
    result = run(sheffield() | {"moves": [raw]})
    assert (result["ok"], result["at"], result["error"]) == (False, 0, "illegal-move")
    assert said in result["reason"]
    assert "\n" not in result["reason"]


def test_a_position_that_is_a_gap_is_refused() -> None:
    result = run(sheffield("A snap A 0", "A draw", "A exchange 0"))
    assert result["reason"] == "A may not exchange: position 0 of A is a gap (positions)"


def test_first_looks_come_before_every_other_move_once_a_seat() -> None:
    assert run(sheffield("A draw", "B peek_initial 0 1"))["at"] == 1
    assert run(sheffield("A peek_initial 0 1", "A peek_initial 0 1"))["at"] == 1
    assert run(sheffield("C peek_initial 1 0", "B peek_initial 0 1", "A peek_initial 0 1", "A draw"))["ok"]


class TestReshuffled:
    def short(self, *played: dict[str, Any]) -> dict[str, Any]:
        raw = document("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="9C")
        return run(raw | {"moves": [move("A draw"), move("A exchange 0"), *played]})

    def test_missing(self) -> None:
        result = self.short(move("B draw"))
        assert (result["at"], result["error"]) == (2, "needs-reshuffle")
        assert result["reason"] == (
            "B may not draw: the discards under the top one, 2S, have to be reshuffled first (stock.empty)"
        )

    @pytest.mark.parametrize("cards", [["2H"], [], ["2S", "2H"], ["2S", "2S"], "2S", [7]])
    def test_wrong(self, cards: Any) -> None:
        result = self.short(move("B draw") | {"reshuffled": cards})
        assert (result["at"], result["error"]) == (2, "illegal-move")

    def test_right(self) -> None:
        result = self.short(move("B draw <2S"))
        assert (result["ok"], result["drawn"], result["stock"], result["discard"]) == (True, "2S", 0, ["2H"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": "bridge"}, "no rules called bridge"),
        ({"overrides": {"deal.cards": 99}}, "deal.cards = 99"),
        ({"overrides": {"deal.carts": 1}}, "deal.carts: no such key"),
        ({"seats": ["A"]}, "seats: 1 seats: these rules allow 2 to 8"),
        ({"seats": ["A", "A", "B"]}, "seats: expected a list of different names"),
        ({"seats": ["A", "", "B"]}, "seats: , expected a name"),
        ({"seats": "ABC"}, "seats: expected a list"),
        ({"dealer": "Z"}, "dealer: no seat Z"),
        ({"dealer": 1}, "dealer: no seat 1"),
        ({"dealer": None}, "dealer: no seat null, there are A, B, C"),
        ({"rules": None}, "rules: null, expected the name of a preset"),
        ({"deck": ["2H"] * 20}, "deck: 2H stands there twice"),
        ({"deck": ["2H", "3H"]}, "deck: 2 cards, expected at least 14"),
        ({"deck": ["2H", "1H"]}, "deck: 1H is no card of these rules"),
        ({"deck": "2H"}, "deck: expected a list of cards"),
        ({"moves": {}}, "moves: expected a list"),
        ({"totals": {"Z": 1}}, "totals: no seat Z"),
        ({"used_reset": "A"}, "used_reset"),
        ({"round_no": "1"}, "round_no"),
        ({"move": []}, "move: no such field"),
    ],
)
def test_whatever_is_wrong_with_the_document_is_one_line(change: dict[str, Any], said: str) -> None:
    with pytest.raises(DocumentError) as error:
        read_scenario(sheffield() | change)
    assert str(error.value).startswith(said) or said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("field", ["rules", "seats", "dealer", "deck"])
def test_missing_fields(field: str) -> None:
    raw = sheffield()
    del raw[field]
    with pytest.raises(DocumentError, match=f"{field}: missing"):
        read_scenario(raw)


def test_a_deck_may_be_shorter_than_the_full_one_but_holds_a_card_to_draw() -> None:
    exact = document("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="9C")
    assert run(exact)["stock"] == 1
    with pytest.raises(DocumentError, match="expected at least 10"):
        read_scenario(exact | {"deck": exact["deck"][:-1]})


def test_the_two_fives_exchange_of_the_published_text() -> None:
    t = table("cabo-standard", "5H 5D 9H 2H", "6H 7H 8H AH", up="3S", stock="AS +").play("A draw", "A exchange 0 1")
    assert t.hand("A") == "AS - 9H 2H"  # three cards, and nine points fewer
    before, after = 5 + 5 + 9 + 2, 1 + 9 + 2
    assert before - after == 9


def test_with_swap_any_of_says_whose_card_mine_is() -> None:
    more = {"overrides": {"power.swap_any": True}}
    t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", "TH JH QH AH", up="2S", stock="JC +", **more)
    t.play("A draw", "A discard", "A swap 1 C 2 of B")
    assert (t.hand("B"), t.hand("C")) == ("6H QH 8H 9H", "TH JH 7H AH")


@pytest.mark.parametrize(("dealer", "first"), [(0, 1), (1, 3), (2, 3), (3, 0)])
def test_a_round_without_an_absent_seat_is_exported_without_it(dealer: int, first: int) -> None:
    rules = load_preset("sheffield")
    handles = [(1, place) for place in range(54)]
    faces = dict(zip(handles, deck(rules), strict=True))
    state = engine.start(rules, 4, dealer, handles, active=frozenset({0, 1, 3}), faces=faces)
    log: list[tuple[moves.Move, None]] = [
        (moves.PeekInitial(seat, cards_of(state, seat)[:2]), None) for seat in (0, 1, 3)
    ]
    log += [(moves.Draw(first), None), (moves.Discard(first), None)]
    for played, _ in log:
        state = after(engine.play(state, played, faces))
    raw = export_scenario(
        rules, "ABCD", dealer, handles, log, faces, active=frozenset({0, 1, 3}), totals=dict.fromkeys("ABCD", 1)
    )
    assert (raw["seats"], raw["totals"]) == (["A", "B", "D"], {"A": 1, "B": 1, "D": 1})
    result = run(raw)
    hands = {"ABCD"[seat]: [faces[handle] for handle in cards_of(state, seat)] for seat in (0, 1, 3)}
    assert (result["ok"], result["hands"]) == (True, hands)


def test_a_log_that_is_no_round_is_not_exported() -> None:
    rules = load_preset("sheffield")
    handles = [(1, place) for place in range(54)]
    faces = dict(zip(handles, deck(rules), strict=True))
    with pytest.raises(engine.IllegalMove):
        export_scenario(rules, "AB", 0, handles, [(moves.Draw(1), None)], faces)

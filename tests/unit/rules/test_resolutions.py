"""Where the published texts are silent or players argue: every resolution, played."""

from typing import Any, ClassVar

import pytest

from p2pkaboo.rules import engine, moves, scenario
from p2pkaboo.rules.outcome import Needs
from p2pkaboo.rules.ruleset import load_preset, with_overrides
from p2pkaboo.rules.scoring import Forfeit, score_round
from p2pkaboo.rules.state import cards_of
from tests.unit.rules.tables import Table, after, document, move, some, table

FULL = "+"


def sheffield(
    a: str = "2H 3H 4H 5H",
    b: str = "6H 7H 8H 9H",
    c: str = "TH JH QH AH",
    up: str = "2S",
    stock: str = FULL,
    **more: Any,
) -> Table:
    return table("sheffield", a, b, c, up=up, stock=stock, **more)


class TestPowersAndSnaps:
    """1, 12, 13."""

    def test_a_snap_before_the_powers_move_is_carried_out_before_it(self) -> None:
        t = sheffield(stock="8S " + FULL).play("A draw", "A discard", "B snap B 2", "A peek 3")
        assert t.types[-4:] == ["discarded", "snapped", "peeked", "turn"]
        assert t.hand("B") == "6H 7H - 9H"

    def test_the_discard_stays_snappable_after_the_powers_move_until_covered(self) -> None:
        t = sheffield(stock="8S " + FULL).play("A draw", "A discard", "A peek 3", "B snap B 2")
        assert t.hand("B") == "6H 7H - 9H"
        t = sheffield(stock="8S " + FULL).play("A draw", "A discard", "A peek 3", "B draw", "B discard", "C draw")
        t.refused("B give 2", "snap.gift")
        assert t.result["discard"] == ["2S", "8S", "2C"]

    @pytest.mark.parametrize("gift", ["B give 0", "B no_gift"])
    def test_a_card_looked_at_that_is_snapped_ends_the_power_even_if_a_gift_fills_the_gap(self, gift: str) -> None:
        t = sheffield(c="KH KC QH AH", stock="KS " + FULL)
        t.play("A draw", "A discard", "A spy C 1", "B snap C 1")
        assert t.result["phase"] == "gift"
        assert t.result["gift"] == {"giver": "B", "to": "C", "at": 1}
        t.play(gift)
        assert t.result["turn"] == "B"
        assert t.result["phase"] == "turn"
        assert t.types[-2:] == ["power_fizzled", "turn"]
        t.refused("A swap 0 C 0", "turn order")

    def test_a_card_looked_at_that_is_given_away_ends_the_power(self) -> None:
        t = sheffield(b="6H KC 8H 9H", c="KH JH QH AH", stock="KS " + FULL)
        t.play("A draw", "A discard", "A spy B 0", "B snap C 0", "B give 0")
        assert t.types[-2:] == ["power_fizzled", "turn"]

    def test_a_snap_of_any_other_card_leaves_the_power_alive(self) -> None:
        t = sheffield(c="KH KC QH AH", stock="KS " + FULL)
        t.play("A draw", "A discard", "A spy C 1", "C snap C 0", "A swap 2 C 1")
        assert t.hand("A") == "2H 3H KC 5H"
        assert t.hand("C") == "- 4H QH AH"

    def test_only_the_card_looked_at_may_be_swapped(self) -> None:
        t = sheffield(stock="KS " + FULL).play("A draw", "A discard")
        t.refused("A swap 0 C 1", "power.* = look-swap")
        t.play("A spy C 1").refused("A swap 0 C 2", "power.* = look-swap").refused("A spy C 2", "power.* = look-swap")
        t.refused("A swap 0 B 1", "power.* = look-swap").play("A swap 0 C 1")

    def test_a_card_that_may_not_be_swapped_may_not_be_looked_at_for_a_swap(self) -> None:
        more: dict[str, Any] = {"overrides": {"caller.protect": ["swap"]}}
        t = sheffield(stock="KS 9S " + FULL, **more).play("A call", "B draw", "B discard")
        t.refused("B spy A 0", "caller.protect").play("B spy C 0", "B skip", "C draw", "C discard", "C spy A 0")

    def test_the_black_king_looks_first_then_swaps_or_not(self) -> None:
        t = sheffield(stock="KS KC " + FULL).play("A draw", "A discard", "A spy B 0", "A skip")
        assert t.hand("B") == "6H 7H 8H 9H"
        t.play("B draw", "B discard", "B skip")
        assert t.result["turn"] == "C"

    def test_a_snapped_card_never_triggers_a_power(self) -> None:
        t = sheffield(a="2H 8D 4H 5H", up="8S").play("A snap A 1")
        assert t.result["phase"] == "turn"
        t.play("A draw", "A exchange 0")
        assert t.result["turn"] == "B"

    def test_a_power_without_a_legal_target_fizzles_when_its_card_is_discarded(self) -> None:
        t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="TD", stock="TS " + FULL)
        t.play("A call", "B draw", "B discard")  # the only other cards are the caller's
        assert t.types[-3:] == ["discarded", "power_fizzled", "round_over"]

    def test_a_blind_swap_without_a_card_of_somebody_else_fizzles(self) -> None:
        more: dict[str, Any] = {"overrides": {"caller.protect": ["swap"]}}
        t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="TD", stock="JS " + FULL, **more)
        t.play("A call", "B draw", "B discard")  # it has cards of its own, and nothing to swap them with
        assert t.types[-3:] == ["discarded", "power_fizzled", "round_over"]

    def test_a_power_fizzles_after_a_snap_that_takes_its_last_target(self) -> None:
        one: dict[str, Any] = {"overrides": {"deal.cards": 1, "peek.count": 1}}
        t = table("sheffield", "7H", "8H", up="2S", stock="7S " + FULL, **one).play("A draw", "A discard")
        assert t.result["phase"] == "power"
        t.play("A snap A 0")
        assert t.types[-2:] == ["power_fizzled", "turn"]
        assert t.result["turn"] == "B"

    def test_a_blind_swap_may_be_skipped_and_shows_nobody_anything(self) -> None:
        t = sheffield(stock="JS QS " + FULL).play("A draw", "A discard", "A swap 0 B 3")
        assert t.hand("A").startswith("9H")
        assert t.state.faces.keys() == set(t.state.pile)
        t.play("B draw", "B discard", "B skip")


class TestKabbuTurns:
    """1, 12, 13 where the power comes before the discard."""

    def kabbu(
        self, a: str = "2H 3H 4H 5H", b: str = "6H 7H 8H 9H", c: str = "TH JH QH AH", stock: str = FULL, **more: Any
    ) -> Table:
        return table("kabbu", a, b, c, stock=stock, **more)

    def test_an_ace_to_six_replaces_an_own_card(self) -> None:
        t = self.kabbu(stock="AS " + FULL).play("A draw")
        t.refused("A discard", "turn.by_rank").refused("A peek 0", "power.on = draw").play("A exchange 3")
        assert t.hand("A") == "2H 3H 4H AS"
        assert t.result["discard"] == ["5H"]

    def test_seven_to_queen_are_not_kept(self) -> None:
        self.kabbu(stock="9S " + FULL).play("A draw").refused("A exchange 0", "turn.by_rank")

    def test_the_power_comes_first_then_the_discard(self) -> None:
        t = self.kabbu(stock="9S " + FULL).play("A draw").refused("A discard", "power.skip")
        t.refused("A peek 0", "power.* = spy").play("A spy B 0")
        assert (t.result["phase"], t.result["drawn"]) == ("drawn", "9S")
        t.refused("A spy B 1", "power.on").refused("A exchange 0", "power.on").play("A discard")
        assert t.result["turn"] == "B"

    def test_a_king_is_discarded(self) -> None:
        self.kabbu(stock="KS " + FULL).play("A draw").refused("A exchange 1", "turn.by_rank").play("A discard")

    @pytest.mark.parametrize("order", [("A peek 1", "A spy C 2"), ("A spy C 2", "A peek 1")])
    def test_the_queen_looks_at_two_in_either_order_then_has_to_swap_them(self, order: tuple[str, str]) -> None:
        t = self.kabbu(stock="QS " + FULL).play("A draw", order[0])
        assert t.result["phase"] == "power"
        t.refused("A discard", "turn choices").refused("A swap 1 C 2", "power.* = look-two-swap").play(order[1])
        t.refused("A skip", "power.decline").refused("A swap 0 C 2", "power.* = look-two-swap").play("A swap 1 C 2")
        assert t.hand("A") == "2H QH 4H 5H"
        t.play("A discard")
        assert t.result["discard"] == ["QS"]

    def test_the_queens_swap_may_be_declined_where_a_house_rule_says_so(self) -> None:
        t = self.kabbu(stock="QS " + FULL, overrides={"power.decline": True})
        t.play("A draw", "A peek 1", "A spy C 2", "A skip", "A discard")
        assert t.hand("A") == "2H 3H 4H 5H"

    def test_a_card_the_queen_has_looked_at_is_snapped_and_only_the_discard_is_left(self) -> None:
        t = self.kabbu(b="KH 7H 8H 9H", stock="KS QS " + FULL).play(
            "A draw", "A discard", "B draw", "B peek 0", "B spy A 1"
        )
        t.play("B snap B 0")
        assert (t.result["phase"], t.result["drawn"]) == ("drawn", "QS")
        assert t.types[-1] == "power_fizzled"
        t.refused("B swap 1 A 1", "power.on").play("B discard")

    def test_without_a_legal_target_the_card_is_just_discarded(self) -> None:
        one: dict[str, Any] = {"overrides": {"deal.cards": 1, "peek.count": 1}}
        t = table("kabbu", "KH", "2D", stock="KS 9S JS " + FULL, **one)
        t.play("A draw", "A discard", "A snap A 0", "B draw", "B discard")  # nobody else has a card to be looked at
        assert t.types[-3:] == ["discarded", "power_fizzled", "turn"]
        assert t.result["turn"] == "A"

    def test_only_a_power_that_could_not_be_used_is_said_to_fizzle(self) -> None:
        t = self.kabbu(stock="9S KS TS " + FULL, overrides={"power.skip": True}).play(
            "A draw", "A spy B 0", "A discard"
        )
        t.play("B draw", "B discard", "C draw", "C discard")  # a power used, a card without one, a power left unused
        assert "power_fizzled" not in t.types

    def test_a_drawer_who_snapped_its_last_card_discards_whatever_it_has(self) -> None:
        one: dict[str, Any] = {"overrides": {"deal.cards": 1, "peek.count": 1}}
        t = table("kabbu", "2D", "KH", stock="KS 3S " + FULL, **one).play("A draw", "A discard", "B draw", "B snap B 0")
        t.refused("B exchange 0", "positions").play("B discard")
        assert t.result["discard"] == ["KS", "KH", "3S"]
        t = table("kabbu", "2D", "KH", stock="KS 9S " + FULL, **one).play("A draw", "A discard", "B draw", "B snap B 0")
        t.refused("B spy A 0", "no cards left").play("B discard")
        assert t.types[-3:] == ["discarded", "power_fizzled", "turn"]


class TestDiscardsAndSnaps:
    """2, 3, 4, 5, 6, 9."""

    def test_the_up_card_is_snappable_once_every_first_look_is_over(self) -> None:
        t = sheffield(a="2H 3H 4H 5H", up="2S").play("A peek_initial 0 1", "B peek_initial 1 0")
        assert not engine.snappable(t.state)
        with pytest.raises(engine.IllegalMove, match="first looks"):
            engine.play(t.state, moves.Snap(0, some(t.state.hands[0][0])), t.replay.faces)
        t.play("C peek_initial 0 1", "A snap A 0")
        assert t.hand("A") == "- 3H 4H 5H"

    def test_a_card_uncovered_when_the_top_is_taken_is_not_snappable_again(self) -> None:
        t = sheffield(a="2D 3H 4H 2H", stock="9S 8S " + FULL).play("A draw", "A discard", "A skip", "B take")
        t.refused("A snap A 3", "snap").play("B exchange 0")
        assert t.result["discard"] == ["2S", "6H"]

    def test_first_means_one_success_on_a_discard_and_the_snapped_card_is_not_snapped_in_turn(self) -> None:
        t = sheffield(a="2H 3H 4H 5H", b="2D 7H 8H 9H", up="2S").play("A snap A 0")
        t.refused("B snap B 0", "snap.limit").play("A take", "A exchange 1")
        assert t.hand("A") == "- 2H 4H 5H"

    def test_a_wrong_attempt_does_not_use_up_the_success(self) -> None:
        t = sheffield(up="2S").play("B snap B 0", "A snap A 0")
        assert t.types[-4:] == ["snap_wrong", "penalty_card", "penalty_card", "snapped"]
        assert t.hand("B") == "6H 7H 8H 9H 3C 4C"

    def test_twice_at_most_on_one_card_and_paid_each_time(self) -> None:
        t = sheffield(up="2S").play("B snap B 0", "B snap B 1").refused("B snap B 2", "snap")
        assert len(t.result["hands"]["B"]) == 8
        t.play("A draw", "A exchange 1", "B snap B 1")  # a new card on top: attempts count anew
        assert len(t.result["hands"]["B"]) == 10

    def test_all_lets_every_placed_card_be_snapped_and_opens_both_stages_again(self) -> None:
        t = table("kabbu", "KH KD 2H 3H", "KC 4H 5H 6H", stock="KS 2S " + FULL)
        t.play("A draw", "A discard", "A snap A 0", "A snap A 1", "B snap B 0")
        assert t.result["discard"] == ["KS", "KH", "KD", "KC"]

    def test_the_first_attempt_at_anothers_card_ends_the_own_stage_for_that_card(self) -> None:
        t = table("kabbu", "KH 2D 2H 3H", "KC 4H 5H 6H", stock="KS 2S " + FULL).play("A draw", "A discard")
        t.play("B snap A 1").refused("A snap A 0", "snap = own-then-others")
        assert t.result["penalties"] == {"B": 30}
        t.play("B snap A 0", "B give 1", "B snap B 0")  # the snapped king opens both stages again
        assert t.result["discard"] == ["KS", "KH", "KC"]

    def test_non_callers_snap_in_the_final_turns_but_never_the_callers_cards(self) -> None:
        t = sheffield(a="2H 3H 4H 5H", b="2D 7H 8H 9H", up="2S").play("A call")
        t.refused("B snap A 0", "caller.protect").refused("A snap A 0", "caller.snaps").play("B snap B 0")

    def test_after_the_last_final_turn_the_discard_may_still_be_snapped(self) -> None:
        t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="TD", stock="KD 6C " + FULL)
        t.play("A call", "B draw", "B exchange 1")
        assert (t.result["phase"], t.result["turn"]) == ("round_over", None)
        assert t.result["discard"][-1] == "7H"
        t.refused("A draw", "call.final_turns").refused("A snap A 0", "caller.snaps").play("B snap B 2")
        assert t.types[-3:] == ["snap_wrong", "penalty_card", "penalty_card"]
        assert t.result["round"]["hand"]["B"] == 6 + 0 + 8 + 9 + 6 + 2

    def test_a_right_snap_and_its_gift_after_the_last_final_turn(self) -> None:
        t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", "TC 7D 8S 2D", up="TD", stock="KD KH KC " + FULL)
        t.play("A call", "B draw", "B exchange 0", "C draw", "C exchange 1", "C snap B 1")
        assert t.result["phase"] == "gift"
        t.refused("B snap B 2", "snap.gift").play("C give 0")
        assert (t.result["phase"], t.hand("B"), t.hand("C")) == ("round_over", "KD TC 8H 9H", "- KH 8S 2D")
        assert t.result["round"]["hand"]["C"] == 0 + 8 + 2

    def test_a_kabbu_call_ends_the_round_with_nothing_after_it(self) -> None:
        t = table("kabbu", "KH 2D 2H 3H", "KC 4H 5H 6H", stock="KS 2S " + FULL)
        t.play("A draw", "A discard", "B call")
        assert t.result["phase"] == "round_over"
        t.refused("A snap A 0", "call.final_turns")

    def test_wrong_snaps_are_shown_to_all_and_turned_back(self) -> None:
        t = sheffield(up="2S").play("B snap C 1")
        assert t.replay.events[-3] == {"type": "snap_wrong", "seat": "B", "of": "C", "at": 1, "card": "JH"}
        assert "JH" in t.state.faces.values()
        assert t.hand("C") == "TH JH QH AH"

    def test_failed_exchanges_are_shown_to_all_and_turned_back(self) -> None:
        t = table("cabo-standard", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock=FULL).play("A draw", "A exchange 0 2")
        assert {"2H", "4H"} <= set(t.state.faces.values())
        assert t.hand("A") == "2H 3H 4H 5H 2C"


class TestNoCards:
    """6."""

    one: ClassVar[dict[str, Any]] = {"overrides": {"deal.cards": 1, "peek.count": 1}}

    def test_a_player_without_cards_cannot_snap_and_may_only_call(self) -> None:
        t = table("sheffield", "2H", "3H", "2D", up="2S", stock=FULL, **self.one).play("A snap A 0")
        t.refused("A draw", "no cards left").refused("A take", "no cards left").refused("A snap C 0", "snap.limit")
        t.play("A call")
        assert t.replay.events[-2] == {"type": "called", "seat": "A", "forced": True}

    def test_threshold_and_earliest_call_do_not_apply_to_it(self) -> None:
        more: dict[str, Any] = {
            "overrides": {"deal.cards": 1, "peek.count": 1, "call.after_turns": 3, "call.threshold": 0}
        }
        t = table("sheffield", "2H", "3H", "4D", up="2S", stock=FULL, **more)
        t.refused("A call", "call.after_turns").play("A snap A 0", "A call")

    def test_after_a_call_it_has_no_final_turn(self) -> None:
        t = table("sheffield", "2H", "3H", "4D", up="2S", stock="3D " + FULL, **self.one)
        t.play("A draw", "A discard", "B snap B 0", "B call")
        assert t.types[-2:] == ["called", "turn"]
        t = table("sheffield", "2H", "3H", "4D", up="3S", stock="5D " + FULL, **self.one).play("B snap B 0", "A call")
        assert t.result["turn"] == "C"
        assert "passed" in t.types

    def test_if_it_loses_its_last_card_at_its_final_turn_its_turn_is_left_out_of_a_scenario(self) -> None:
        t = table("sheffield", "4H", "3H", "4D", up="3S", stock=FULL, **self.one).play("A call", "B snap B 0")
        assert t.result["turn"] == "B"
        t.play("C draw", "C discard")
        assert t.types.count("passed") == 1
        assert t.result["phase"] == "round_over"

    def test_pass_is_a_move_of_the_engine_for_exactly_that_seat(self) -> None:
        t = table("sheffield", "4H", "3H", "4D", up="3S", stock=FULL, **self.one).play("A call")
        with pytest.raises(engine.IllegalMove, match="can take its final turn"):
            engine.play(t.state, moves.Pass(1))
        t.play("B snap B 0")
        assert engine.turn_moves(t.state) == (moves.Pass(1),)
        assert after(engine.play(t.state, moves.Pass(1))).turn == 2

    def test_if_the_last_final_turn_is_passed_over_the_round_is_over(self) -> None:
        t = table("sheffield", "4H", "3H", up="3S", stock=FULL, **self.one).play("A call", "B snap B 0")
        assert t.over()["phase"] == "round_over"
        assert t.over()["round"]["hand"] == {"A": 4, "B": 0}

    def test_a_draw_made_before_stands_and_is_discarded(self) -> None:
        t = table("sheffield", "4H", "3H", up="3S", stock=FULL, **self.one).play("A call", "B draw", "B snap B 0")
        t.refused("B exchange 0", "positions").play("B discard")
        assert t.result["discard"] == ["3S", "3H", "2C"]

    def test_giving_away_the_last_card_is_legal(self) -> None:
        t = table("sheffield", "4H", "3H", "4D", up="3S", stock=FULL, **self.one).play("A snap B 0", "A give 0")
        assert (t.hand("A"), t.hand("B")) == ("-", "4H")
        assert engine.turn_moves(t.state) == (moves.Call(0),)


class TestGiftsAndPositions:
    """7, 8."""

    def test_play_waits_for_the_gift_and_nobody_sees_it(self) -> None:
        t = sheffield(b="2D 7H 8H 9H", c="2C 3D 4D 5D", stock="9C TC JC QC 6D 7D", up="2S").play("A snap B 0")
        t.refused("A draw", "snap.gift").refused("B snap B 1", "snap.gift").refused("C give 0", "snap.gift")
        assert engine.idle_move(t.state, 0) == moves.Give(0, t.state.hands[0][3])
        t.play("A give 3")
        assert t.hand("A") == "2H 3H 4H -"
        assert t.hand("B") == "5H 7H 8H 9H"
        assert "5H" not in t.state.faces.values()

    def test_a_gift_may_be_kept_in_sheffield_and_must_be_given_in_kabbu(self) -> None:
        sheffield(b="2D 7H 8H 9H", up="2S").play("A snap B 0", "A no_gift")
        t = table("kabbu", "KH 2D 2H 3H", "KC 4H 5H 6H", stock="KS 2S " + FULL).play(
            "A draw", "A discard", "A snap B 0"
        )
        t.refused("A no_gift", "snap.gift").play("A give 1")
        assert t.hand("B") == "2D 4H 5H 6H"

    def test_penalty_cards_go_to_the_right_and_positions_are_never_reused(self) -> None:
        t = sheffield(b="2D 7H 8H 9H", up="2S").play("B snap B 0", "A draw", "A exchange 0", "B snap B 1")
        assert t.hand("B") == "- 7H 8H 9H 4C 6C"

    def test_an_extra_card_at_the_left_becomes_position_0_and_all_others_rise(self) -> None:
        t = table("cabo-online", "5H 5D 9H 2H", "6H 7H 8H AH", up="3S", stock="4S 2S " + FULL)
        t.play("A draw", "A exchange 0 2 3 into 2 end left")
        assert t.hand("A") == "4S 5H 5D 9H 2H 2S"
        assert t.types[-4:] == ["mismatch", "kept_extra", "penalty_card", "turn"]

    def test_gaps_rise_too(self) -> None:
        t = table("cabo-online", "5H 5D 9H 2H", "6H 7H 8H AH", up="3S", stock="4S TS KC JS " + FULL)
        t.play("A draw", "A exchange 0 1 into 1", "B draw", "B discard", "B skip")
        assert t.hand("A") == "- 4S 9H 2H"
        t.play("A draw", "A exchange 1 2 into 1 end left")
        assert t.hand("A") == "KC - 4S 9H 2H"


class TestStock:
    """10, 11."""

    def test_the_top_card_is_kept_for_the_seat_at_turn(self) -> None:
        t = sheffield(up="2S").play("B snap B 0")
        assert t.hand("B") == "6H 7H 8H 9H 3C 4C"
        assert t.play("A draw").result["drawn"] == "2C"

    def test_draw_then_snap_is_snap_then_draw(self) -> None:
        first = sheffield(up="2S").play("A draw", "B snap B 0", "C snap C 0")
        second = sheffield(up="2S").play("B snap B 0", "C snap C 0", "A draw")
        assert first.state == second.state

    def test_a_penalty_reshuffles_the_discards_beneath_the_kept_card(self) -> None:
        t = sheffield(up="2S", stock="6S 5S KS").play("A draw", "A exchange 0", "B draw", "B exchange 0")
        assert t.result["discard"] == ["2S", "2H", "6H"]
        before = t.state
        needs = engine.play(before, moves.Snap(0, some(before.hands[0][1])), t.replay.faces)
        assert isinstance(needs, Needs)
        assert [t.replay.faces[handle] for handle in needs.reshuffle] == ["2S", "2H"]
        t.play("A snap A 1 <2H 2S")
        assert t.hand("A") == "6S 3H 4H 5H 2H 2S"
        assert t.result["stock"] == 1
        assert t.play("C draw").result["drawn"] == "KS"

    def test_the_rest_of_a_penalty_is_dropped_when_nothing_is_left(self) -> None:
        t = sheffield(up="2S", stock="6S 5S KS").play("A draw", "A exchange 0", "B snap B 1 <2S")
        assert t.hand("B") == "6H 7H 8H 9H KS 2S"
        t = sheffield(up="2S", stock="6S 5S").play("A draw", "A exchange 0", "B snap B 1 <2S")
        assert t.hand("B") == "6H 7H 8H 9H 2S"
        assert t.types[-1] == "penalty_dropped"

    def test_snapping_is_suspended_while_nobody_could_pay(self) -> None:
        t = sheffield(up="2S", stock="6S").refused("B snap B 1", "snap.wrong_cards")
        assert not engine.snappable(t.state)
        t.play("A draw", "A exchange 1")
        # Empty stock, one discard under the top: that one is kept for B, so still nobody could pay.
        t.refused("C snap C 1", "snap.wrong_cards")

    def test_a_second_snap_of_the_same_window_is_served_though_the_first_took_the_last_card(self) -> None:
        t = sheffield(a="2H 3H 4H 5H", up="2S", stock="6S 5S").play("B snap B 1", "A snap A 0")
        assert t.hand("A") == "- 3H 4H 5H"

    def test_a_snap_behind_another_is_served_though_one_before_took_the_last_card(self) -> None:
        house: dict[str, Any] = {"overrides": {"snap.wrong_cards": 1, "stock.empty": "stay"}}
        t = table("kabbu", "KH 3H 4H 5H", "6H 7H 8H 9H", "KD JH QH AH", stock="KS 2S 3S", **house)
        t.play("A draw", "A discard", "B snap B 0", "C snap C 0", "A snap A 0")
        assert t.result["discard"] == ["KS", "KD", "KH"]
        assert not engine.snappable(t.state)

    def test_a_reshuffle_happens_when_a_card_is_needed(self) -> None:
        t = sheffield(up="2S", stock="6S").play("A draw", "A exchange 0")
        assert (t.result["stock"], t.result["discard"]) == (0, ["2S", "2H"])
        t.play("B draw <2S")
        assert (t.result["drawn"], t.result["discard"]) == ("2S", ["2H"])

    def test_nothing_under_the_top_card_no_draw(self) -> None:
        t = table("kabbu", "2H 3H 4H 5H", "6H 7H 8H 9H", stock="AS").play("A draw", "A exchange 0")
        t.refused("B draw", "stock.empty").refused("B take", "turn.take").play("B call")

    def test_the_round_ends_with_the_turn_that_drew_the_last_card(self) -> None:
        t = table("cabo-standard", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="8S").play("A draw", "A discard")
        assert t.result["phase"] == "power"
        t.play("A peek 0")
        assert (t.result["phase"], t.types[-1]) == ("round_over", "round_over")
        assert t.result["round"]["round"] == {"A": 0, "B": 30}

    def test_outstanding_final_turns_fall_away_and_the_callers_penalty_still_applies(self) -> None:
        t = table("cabo-standard", "2H 3H 4H 5H", "6H 7H 8H 9H", "AH AD AC AS", up="2S", stock="8S")
        t.play("A call", "B draw", "B exchange 0")
        assert t.result["phase"] == "round_over"
        assert t.result["round"]["round"] == {"A": 24, "B": 32, "C": 0}

    def test_a_seat_that_can_neither_draw_nor_take_may_always_call(self) -> None:
        t = table("cabo-online", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="8S", overrides={"call.after_turns": 9})
        t.play("A take", "A exchange 0 1 into 0", "B draw", "B exchange 0 1 into 0")
        assert (t.result["stock"], t.result["discard"]) == (0, [])
        assert engine.turn_moves(t.state) == (moves.Call(0),)
        t.refused("A draw", "stock.empty").refused("A take", "turn.take").play("A call")
        assert t.result["phase"] == "round_over"
        assert t.types[-2:] == ["passed", "round_over"]


class TestSpecialHandsAndScores:
    """14, 15, 17."""

    def test_special_hands_come_before_the_caller_rules_and_points_for_wrong_snaps_are_added_even_then(self) -> None:
        rules = with_overrides(load_preset("cabo-standard"), {"snap.wrong_points": 30})
        hands: dict[str, list[str | None]] = {"A": ["QH", "QS", "KC", "KS"], "B": ["AH"], "C": ["2H", None]}
        score = score_round(rules, hands, "B", {"A": 30, "C": 60})
        assert score.round == {"A": 30, "B": 50, "C": 110}

    def test_every_holder_of_a_special_hand_scores_nothing(self) -> None:
        rules = with_overrides(load_preset("cabo-standard"), {"deck.packs": 2})
        special = ["QH", "QS", "KC", None, "KS"]
        score = score_round(rules, {"A": special, "B": ["QD", "QC", "KC.2", "KS.2"], "C": ["AH"]}, "C")
        assert score.round == {"A": 0, "B": 0, "C": 50}

    def test_only_exactly_those_four_cards_count(self) -> None:
        rules = load_preset("cabo-standard")
        score = score_round(rules, {"A": ["QH", "QS", "KC", "KS", "X1"], "B": ["AH"]}, "B")
        assert score.round == {"A": 50, "B": 0}

    def test_a_second_exact_hundred_stays(self) -> None:
        rules = load_preset("cabo-standard")
        totals = {"A": 93, "B": 93, "C": 0}
        score = score_round(rules, {"A": ["7H"], "B": ["7S"], "C": ["AH"]}, None, None, totals, {"A"})
        assert (score.totals, score.reset, score.match_over) == ({"A": 100, "B": 50, "C": 0}, ("B",), False)

    def test_the_reset_comes_before_the_match_end_is_tested(self) -> None:
        rules = with_overrides(load_preset("cabo-standard"), {"match.when": "reached"})
        score = score_round(rules, {"A": ["7H"], "B": ["AS"]}, None, None, {"A": 93})
        assert (score.totals["A"], score.match_over) == (50, False)

    def test_cards_match_by_rank_or_by_value(self) -> None:
        by_value: dict[str, Any] = {"overrides": {"match.by": "value"}}
        for more, ok in (({}, False), (by_value, True)):
            t = table("kabbu", "TH 3H 4H 5H", "6H 7H 8H 9H", stock="JS 2S " + FULL, **more)
            t.play("A draw", "A swap 0 B 0", "A discard", "B snap B 0")
            assert (t.types[-1] == "snapped") is ok

    def test_who_forfeits_is_booked_the_largest_of_what_it_might_have_cost(self) -> None:
        rules = load_preset("sheffield")
        hands = {"A": ["2H"], "B": ["3H"], "C": []}
        assert score_round(rules, hands, "A", forfeits={"C": Forfeit(cards=6)}).round == {"A": -3, "B": 3, "C": 78}
        assert score_round(rules, hands, "A", forfeits={"C": Forfeit(cards=2)}).round["C"] == 4 * 13
        assert score_round(rules, hands, "C", forfeits={"C": Forfeit(cards=5)}).round["C"] == 5 * 13 + 5
        many: dict[str, list[str | None]] = {"A": ["2H"], "B": ["KS", "KC", "QS", "QC", "QH", "QD"], "C": []}
        assert score_round(rules, many, None, forfeits={"C": Forfeit()}).round["C"] == 74

    def test_a_forfeit_is_booked_any_award_and_the_points_of_its_wrong_snaps(self) -> None:
        rules = with_overrides(load_preset("cabo-standard"), {"special.award": 200, "snap.wrong_points": 30})
        hands = {"A": ["QH", "QS", "KC", "KS"], "B": ["AH"], "C": []}
        score = score_round(rules, hands, None, {"C": 30}, forfeits={"C": Forfeit(4)})
        assert score.round == {"A": 0, "B": 200, "C": 230}

    def test_a_hand_lost_before_the_hands_were_opened_is_left_out_of_every_comparison(self) -> None:
        rules = load_preset("cabo-standard")
        score = score_round(rules, {"A": ["2H"], "B": ["3H"], "C": ["AH"]}, "A", forfeits={"C": Forfeit(1)})
        assert (score.round["A"], score.round["B"]) == (0, 3)

    def test_a_hand_not_opened_counts_as_lower_than_every_other(self) -> None:
        rules = load_preset("cabo-standard")
        hands = {"A": ["2H"], "B": ["3H"], "C": []}
        score = score_round(rules, hands, "A", forfeits={"C": Forfeit(4, "unopened")})
        assert (score.round["A"], score.round["B"]) == (12, 3)

    def test_the_last_active_seat_wins_and_a_forfeited_one_never_does(self) -> None:
        rules = load_preset("sheffield")
        lost = {"B": Forfeit(4), "C": Forfeit(4)}
        score = score_round(rules, {"A": ["KS"], "B": [], "C": []}, None, totals={"A": 500}, forfeits=lost)
        assert (score.match_over, score.winners) == (True, ("A",))
        last = score_round(
            rules, {"A": ["KS"], "B": ["2H"], "C": []}, None, totals={"C": -500}, round_no=5, forfeits={"C": Forfeit()}
        )
        assert last.winners == ("B",)


class TestForfeitInPlay:
    """17, where the round goes on."""

    def test_a_forfeited_hand_is_not_touched_and_its_turns_are_passed_over(self) -> None:
        t = sheffield(b="2D 7H 8H 9H", up="2S", stock="JS " + FULL).play("A draw")
        gone = after(engine.forfeit(t.state, 1))
        assert 1 not in gone.active
        with pytest.raises(engine.IllegalMove):
            engine.play(gone, moves.Snap(0, some(gone.hands[1][0])), t.replay.faces)
        now = after(engine.play(gone, moves.Discard(0), t.replay.faces))
        with pytest.raises(engine.IllegalMove):
            engine.play(now, moves.Swap(0, some(now.hands[0][0]), some(now.hands[1][0])))
        assert after(engine.play(now, moves.Skip(0))).turn == 2

    def test_the_turn_of_a_seat_that_forfeits_ends_and_its_drawn_card_is_discarded_without_power(self) -> None:
        t = sheffield(up="2S", stock="8S " + FULL).play("A draw")
        needs = engine.forfeit(t.state, 0)
        assert isinstance(needs, Needs)
        (drawn,) = needs.open
        now = after(engine.forfeit(t.state, 0, {drawn: "8S"}))
        assert (now.turn, now.step, now.faces[now.pile[-1]]) == (1, "turn", "8S")

    def test_a_gift_due_by_or_to_it_falls_away(self) -> None:
        t = sheffield(b="2D 7H 8H 9H", up="2S").play("A snap B 0")
        assert after(engine.forfeit(t.state, 1)).gift is None
        assert after(engine.forfeit(t.state, 0)).gift is None


class TestIdlePlayers:
    """16."""

    def idle(self, t: Table, seat: int = 0) -> moves.Move:
        return engine.idle_move(t.state, seat, t.replay.faces)

    def test_first_look_not_chosen(self) -> None:
        t = table("cabo-guide", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock=FULL)
        assert self.idle(t) == moves.PeekInitial(0, cards_of(t.state, 0)[:2])

    def test_nothing_drawn(self) -> None:
        t = sheffield().play("C peek_initial 0 1", "A peek_initial 0 1", "B peek_initial 0 1")
        assert self.idle(t) == moves.Draw(0)

    def test_no_cards_or_nothing_to_draw_or_take_calls(self) -> None:
        one: dict[str, Any] = {"overrides": {"deal.cards": 1, "peek.count": 1}}
        t = table("sheffield", "2H", "3H", up="2S", stock=FULL, **one).play("A snap A 0")
        assert self.idle(t) == moves.Call(0)
        t = table("kabbu", "2H 3H 4H 5H", "6H 7H 8H 9H", stock="AS").play("A draw", "A exchange 0")
        assert self.idle(t, 1) == moves.Call(1)

    def test_stock_empty_but_a_discard_to_take(self) -> None:
        t = table("cabo-online", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="8S").play("A draw", "A exchange 0")
        assert self.idle(t, 1) == moves.Take(1)
        t.play("B take")
        assert self.idle(t, 1) == moves.Exchange(1, (some(t.state.hands[1][3]),))

    def test_a_stock_card_in_hand_is_discarded_and_its_power_skipped(self) -> None:
        t = sheffield(stock="8S " + FULL).play("A draw")
        assert self.idle(t) == moves.Discard(0)
        assert self.idle(t.play("A discard")) == moves.Skip(0)

    def test_kabbu_keeps_an_ace_to_six_in_place_of_the_right_most_card(self) -> None:
        t = table("kabbu", "2H 3H 4H 5H", "6H 7H 8H 9H", stock="AS " + FULL).play("A draw")
        assert self.idle(t) == moves.Exchange(0, (some(t.state.hands[0][3]),))

    def test_kabbu_uses_a_power_at_the_lowest_legal_positions_then_discards(self) -> None:
        t = table("kabbu", "2H 3H 4H 5H", "6H 7H 8H 9H", stock="QS " + FULL).play("A draw")
        done = []
        while t.state.turn == 0:
            move = self.idle(t)
            done.append(type(move).__name__)
            t.step(move)
        assert done == ["Peek", "Spy", "Swap", "Discard"]
        assert t.hand("A") == "6H 3H 4H 5H"

    def test_nothing_is_waited_for_from_others(self) -> None:
        t = sheffield().play("A draw")
        with pytest.raises(ValueError, match="seat 1"):
            self.idle(t, 1)


class TestRefusals:
    """18, 20."""

    def test_a_second_call_a_move_out_of_turn_and_an_unknown_position_are_refused(self) -> None:
        t = sheffield().refused("B draw", "turn order").play("A call").refused("B call", "call")
        t.refused("B peek 0", "turn choices").play("B draw").refused("B exchange 4", "positions")

    @pytest.mark.parametrize(
        ("rules", "played", "refused", "why"),
        [
            (
                "cabo-standard",
                "A draw, A exchange 0",
                "B draw",
                "the stock is used up and the round is over (stock.empty)",
            ),
            ("cabo-standard", "A call, B draw, B exchange 0", "A draw", "the stock is used up and the round is over"),
            ("kabbu", "A call", "B draw", "the call has ended the round (call.final_turns)"),
            ("kabbu", "A call", "B snap B 0", "the call has ended the round (call.final_turns)"),
            ("sheffield", "A call, B draw, B exchange 0", "A draw", "the final turns are over (call.final_turns)"),
            ("kabbu", "", "A snap A 0", "there is no discard to match (snap)"),
            ("sheffield", "A take", "B snap B 0", "there is no discard to match (snap)"),
            ("sheffield", "A draw, A exchange 0, B take", "A snap A 1", "uncovered when the top was taken"),
            ("sheffield", "B snap B 0", "A snap A 1", "one right snap on a discard is all"),
            ("kabbu", "A draw, A peek 0", "A draw", "the card in hand has to be discarded first"),
            ("kabbu", "A draw", "A skip", "the card in hand comes first: its power is used, or it is exchanged or"),
            ("kabbu", "", "A discard", "the turn begins with drawing or calling (turn choices)"),
            ("sheffield", "", "A discard", "the turn begins with drawing, taking or calling (turn choices)"),
            ("sheffield", "A call", "B discard", "the turn begins with drawing or taking (turn choices)"),
            ("sheffield", "A take", "A draw", "the card in hand has to be exchanged first (turn choices)"),
            ("sheffield", "A draw", "A take", "the card in hand has to be exchanged or discarded first (turn choices)"),
            ("sheffield", "A draw, A discard", "A draw", "the power has to be used or skipped first (turn choices)"),
        ],
    )
    def test_the_sentence_says_what_holds_in_these_rules_and_now(
        self, rules: str, played: str, refused: str, why: str
    ) -> None:
        up = "" if rules == "kabbu" else "5S"
        stock = "7S" if rules == "cabo-standard" else "7S " + FULL
        t = table(rules, "2H 3H 4H 6H", "5H 7H 8H 9H", up=up, stock=stock)
        t.play(*(words for words in played.split(", ") if words))
        with pytest.raises(engine.IllegalMove) as refusal:
            t.replay.play(move(refused))
        assert why in str(refusal.value)

    def test_kabbus_power_cannot_be_skipped_and_a_seat_without_cards_can_only_call(self) -> None:
        t = table("kabbu", "2H 3H 4H 6H", "5H 7H 8H 9H", stock="QS " + FULL).play("A draw", "A peek 0")
        with pytest.raises(engine.IllegalMove, match=r"the power has to be used first \(turn choices\)"):
            t.replay.play(move("A discard"))
        one: dict[str, Any] = {"overrides": {"deal.cards": 1, "peek.count": 1}}
        t = table("sheffield", "5H", "6H", up="5S", stock=FULL, **one).play("A snap A 0")
        with pytest.raises(engine.IllegalMove, match="it has no cards left and can only call"):
            t.replay.play(move("A discard"))
        t = table("sheffield", "5H", "6H", up="5S", stock=FULL, **one).play("A draw", "A snap A 0")
        with pytest.raises(engine.IllegalMove, match="the card in hand has to be discarded first"):
            t.replay.play(move("A draw"))

    def test_the_rule_named_is_that_of_the_power_in_use(self) -> None:
        t = sheffield(stock="KS " + FULL).play("A draw", "A discard").refused("A spy A 0", "power.* = look-swap")
        t.play("A spy B 0").refused("A spy B 1", "power.* = look-swap")
        t = table("kabbu", "2H 3H 4H 6H", "5H 7H 8H 9H", stock="QS " + FULL).play("A draw")
        t.refused("A spy A 0", "power.* = look-two-swap")

    def test_memory_is_a_word_to_the_players_program_and_changes_no_move(self) -> None:
        """19."""
        played = [
            sheffield(overrides={"memory": memory}).play("A draw", "A exchange 0").result["hands"]
            for memory in ("classic", "assisted")
        ]
        assert played[0] == played[1]

    def test_into_is_one_of_the_chosen_positions_and_else_the_first_named(self) -> None:
        t = table("cabo-standard", "5H 5D 9H 5S", "6H 7H 8H AH", up="3S", stock="4S 2S " + FULL).play("A draw")
        t.refused("A exchange 0 1 into 2", "multi.max").play("A exchange 3 0")
        assert t.hand("A") == "- 5D 9H 4S"
        assert t.result["discard"] == ["3S", "5S", "5H"]

    def test_cabo_online_wants_into_named(self) -> None:
        t = table("cabo-online", "5H 5D 9H 5S", "6H 7H 8H AH", up="3S", stock="4S 2S " + FULL).play("A draw")
        t.refused("A exchange 0 1", "multi.fail").play("A exchange 0 1 into 1")
        assert t.hand("A") == "- 4S 9H 5S"

    def test_an_end_is_named_only_where_the_rules_have_two(self) -> None:
        t = table("cabo-standard", "5H 5D 9H 5S", "6H 7H 8H AH", up="3S", stock="4S 2S " + FULL).play("A draw")
        t.refused("A exchange 0 1 end left", "multi.fail")

    @pytest.mark.parametrize(
        ("rules", "more", "hand", "pile"),
        [
            ("cabo-standard", "", "5H 6D 9H 5S 3S", []),
            ("cabo-online", " into 0", "5H 6D 9H 5S 3S", []),
            ("cabo-guide", "", "5H 6D 9H 5S", ["3S"]),
        ],
    )
    def test_failed_with_a_taken_card(self, rules: str, more: str, hand: str, pile: list[str]) -> None:
        t = table(rules, "5H 6D 9H 5S", "6H 7H 8H AH", up="3S", stock="4S 2S " + FULL).play("A take")
        t.play("A exchange 0 1" + more)
        assert (t.hand("A"), t.result["discard"], t.result["turn"]) == (hand, pile, "B")

    def test_a_partial_match_fails_entirely(self) -> None:
        t = table("cabo-guide", "5H 5D 9H 5S", "6H 7H 8H AH", up="3S", stock="8S 2S " + FULL).play("A draw")
        t.play("A exchange 0 1 2")
        assert (t.hand("A"), t.result["discard"]) == ("5H 5D 9H 5S", ["3S", "8S"])
        assert (t.result["turn"], t.result["phase"]) == ("B", "turn")  # the eight gives no power


def test_every_refusal_is_one_line_that_names_seat_move_and_rule() -> None:
    raw = document("kabbu", "2H 3H 4H 5H", "6H 7H 8H 9H", stock=FULL, moves=[{"seat": "A", "do": "take"}])
    result = scenario.run_scenario(scenario.read_scenario(raw))
    assert (result["ok"], result["at"], result["error"]) == (False, 0, "illegal-move")
    assert result["reason"] == "A may not take: discards may not be taken (turn.take)"

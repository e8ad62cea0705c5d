"""Clear-cut situations in which every reasonable player does the same."""

import random
import time
from dataclasses import replace
from typing import Any

import pytest

from p2pkaboo.players.bot import STYLES, Bot
from p2pkaboo.rules import engine
from p2pkaboo.rules.moves import Call, Discard, Draw, Exchange, Give, Peek, Snap, Spy, Swap, Take
from tests.unit.players.places import Game

STOCK = "3C 6D 8D TC 2D 4H"
every_style = pytest.mark.parametrize("style", STYLES)


def sheffield(*hands: str, up: str = "4C", stock: str = STOCK, **more: Any) -> Game:
    return Game("sheffield", *hands, up=up, stock=stock, **more)


@every_style
class TestTheTurn:
    def test_calls_with_next_to_nothing(self, style: str) -> None:
        game = sheffield("KH X1 AS AD", "7C QD 5C JS", peek__count=4, style=style)
        assert game.choice() == Call(0)

    def test_does_not_call_with_a_bad_hand(self, style: str) -> None:
        game = sheffield("QS JD TH 9C", "7C QD 5C JS", peek__count=4, style=style)
        assert isinstance(game.choice(), Draw | Take)

    def test_calls_with_any_hand_when_a_round_has_lasted_beyond_measure(self, style: str) -> None:
        game = sheffield("QS JD TH 9C", "AC AD AH AS", peek__count=4, style=style)
        late = replace(game.view, turns=(40, 40))
        assert game.bot.choose(late, late.moves).move == Call(0)

    def test_with_the_stock_gone_a_bad_hand_takes_a_card_and_leaves_the_call_to_others(self, style: str) -> None:
        hands = ("TS TD 9S 9D", "AC AD 2C 2D")
        game = Game("cabo-online", *hands, up="TC", stock="8C", peek__count=4, style=style)
        gone = replace(game.view, stock=0)
        assert game.bot.choose(gone, (Take(0), Call(0))).move == Take(0)
        good = Game("cabo-online", *hands[::-1], up="TC", stock="8C", peek__count=4, style=style)
        gone = replace(good.view, stock=0)
        assert good.bot.choose(gone, (Take(0), Call(0))).move == Call(0)

    def test_takes_a_joker_and_puts_it_in_place_of_its_worst_card(self, style: str) -> None:
        game = sheffield("2S QS 3D 2H", "7C QD 5C JS", up="X1", peek__count=4, call__after_turns=1, style=style)
        worst = game.at(0, 1)
        assert game.choice() == Take(0)
        assert game.choice() == Exchange(0, (worst,))

    def test_leaves_a_queen_where_it_is(self, style: str) -> None:
        game = sheffield("2S 5S 3D 7H", "7C QD 5C JS", up="QH", call__after_turns=1, style=style)
        assert game.choice() == Draw(0)

    def test_keeps_a_good_card_and_throws_a_bad_one_away(self, style: str) -> None:
        good = sheffield("2S QS 3D 2H", "7C QD 5C JS", up="KC", stock="AC 6D 8D", peek__count=4, style=style)
        queen = good.at(0, 1)
        good.play(Draw(0))
        assert good.choice() == Exchange(0, (queen,))
        bad = sheffield("2S AS 3D 2H", "7C QD 5C JS", up="KC", stock="6C 6D 8D", peek__count=4, style=style)
        bad.play(Draw(0))
        assert bad.choice() == Discard(0)

    def test_lays_down_a_pair_that_it_remembers(self, style: str) -> None:
        game = Game(
            "cabo-standard", "9S 9C 3D 2H", "7C QD 5C JS", up="QC", stock="3C 6D 8D", peek__count=4, style=style
        )
        pair = {game.at(0, 0), game.at(0, 1)}
        game.play(Draw(0))
        move = game.choice()
        assert isinstance(move, Exchange)
        assert set(move.handles) == pair

    def test_an_exchange_of_two_says_where_and_at_which_end(self, style: str) -> None:
        game = Game("cabo-online", "9S 9C 3D 2H", "7C QD 5C JS", up="QC", stock="3C 6D 8D", peek__count=4, style=style)
        game.play(Draw(0))
        move = game.choice()
        assert isinstance(move, Exchange)
        assert move.into in move.handles
        assert move.end is not None


@every_style
class TestPowers:
    def test_looks_at_an_own_card_it_does_not_know(self, style: str) -> None:
        game = sheffield("2S AS 3D 2H", "7C QD 5C JS", stock="7H 6D 8D", style=style)
        game.play(Draw(0), Discard(0))
        assert game.choice() in (Peek(0, game.at(0, 2)), Peek(0, game.at(0, 3)))

    def test_spies_on_another_card_each_time(self, style: str) -> None:
        game = sheffield("2S AS", "7C QD", stock="9H 2C 9S 8D 3C", deal__cards=2, style=style)
        game.play(Draw(0), Discard(0))
        first = game.choice()
        game.play(Draw(1), Discard(1), Draw(0), Discard(0))
        second = game.choice()
        assert {first, second} == {Spy(0, game.at(1, 0)), Spy(0, game.at(1, 1))}

    def test_swaps_its_queen_for_a_card_that_somebody_kept(self, style: str) -> None:
        game = sheffield("QS KS 2D 2H", "7C QD 5C KC", stock="6C 2C JD 8D", peek__count=4, style=style)
        game.play(Draw(0), Discard(0), Draw(1), Exchange(1, (game.at(1, 1),)), Draw(0), Discard(0))
        king, kept = game.at(0, 1), game.at(1, 1)
        assert game.choice() == Swap(0, king, kept)

    def test_looks_with_a_black_king_before_it_swaps_and_swaps_only_for_less(self, style: str) -> None:
        for theirs, swaps in (("AC AC.2 AD.2 AH", True), ("QC QD QH QS.2", False)):
            game = sheffield("TS 2S 2D 2H", theirs, stock="KS 6D 8D", deck__packs=2, peek__count=4, style=style)
            ten = game.at(0, 0)
            game.play(Draw(0), Discard(0))
            look = game.choice()
            assert isinstance(look, Spy)
            after = game.choice()
            assert (after == Swap(0, ten, look.handle)) == swaps


@every_style
class TestKabbu:
    def kabbu(self, *hands: str, stock: str, style: str, **more: Any) -> Game:
        return Game("kabbu", *hands, stock=stock, style=style, **more)

    def test_keeps_a_three_in_place_of_a_king(self, style: str) -> None:
        game = self.kabbu("KS 2S 5D 4H", "7C QD 5C JS", stock="3C 6D 8D", peek__count=4, style=style)
        king = game.at(0, 0)
        game.play(Draw(0))
        assert game.choice() == Exchange(0, (king,))

    def test_names_the_power_it_claims_and_discards_then(self, style: str) -> None:
        game = self.kabbu("KS 2S 5D 4H", "7C QD 5C JS", stock="7S 6D 8D", style=style)
        game.play(Draw(0))
        look = game.choice()
        assert isinstance(look, Peek)
        assert look.power == "peek"
        assert look.handle in (game.at(0, 2), game.at(0, 3))
        assert game.choice() == Discard(0)

    def test_gets_rid_of_a_king_with_the_queen(self, style: str) -> None:
        game = self.kabbu("KS 2S AD AH", "7C QD 5C JS", stock="QS 6D 8D", peek__count=4, style=style)
        king = game.at(0, 0)
        game.play(Draw(0))
        swap = game.choices(lambda move: isinstance(move, Swap))
        assert isinstance(swap, Swap)
        assert swap.mine == king
        assert game.choice() == Discard(0)

    def test_obeys_the_drawn_card_even_if_offered_all_that_it_might_be(self, style: str) -> None:
        game = self.kabbu("KS 2S 5D 4H", "7C QD 5C JS", stock="9S 6D 8D", style=style)
        game.play(Draw(0))
        offered = engine.turn_moves(game.now)
        assert {move.power for move in offered if isinstance(move, Peek)} != set()
        move = game.bot.choose(game.view, offered).move
        assert isinstance(move, Spy)
        assert move.power == "spy"


class TestSnaps:
    @every_style
    def test_snaps_an_own_card_just_seen_or_overlooks_it(self, style: str) -> None:
        pressed = 0
        for seed in range(60):
            game = sheffield("4S TS 3D 2H", "7C QD 5C JS", up="4C", style=style)
            game.bot._rng.seed(seed)
            press = game.bot.react(game.view)
            if press is not None:
                assert press.handle == game.at(0, 0)
                assert 200 <= press.react_ms <= 500
                pressed += 1
        assert 25 <= pressed < 60

    @every_style
    def test_snaps_nothing_that_it_knows_not_to_match(self, style: str) -> None:
        for seed in range(30):
            game = sheffield("5S TS 3D 2H", "7C QD 5C JS", up="4C", style=style)
            game.bot._rng.seed(seed)
            assert game.bot.react(game.view) is None

    def test_thinks_the_same_of_a_discard_however_often_it_is_asked(self) -> None:
        for seed in range(20):
            game = sheffield("4S TS 3D 2H", "7C QD 5C JS", up="4C", style="greedy")
            game.bot._rng.seed(seed)
            assert len({game.bot.react(game.view) is None for _ in range(10)}) == 1

    def test_the_careful_do_not_snap_on_a_memory_that_the_snap_happy_snap_on(self) -> None:
        daring = {}
        for style in ("careful", "snap-happy"):
            pressed = 0
            for seed in range(40):
                game = sheffield("9S TS 3D 2H", "7C QD 5C JS", up="9C", style=style)
                game.bot._rng.seed(seed)
                mind = game.bot._started()
                memory = mind.recall(game.at(0, 0))
                assert memory is not None
                mind._seen[game.at(0, 0)] = type(memory)(memory.card, 0.5)
                pressed += game.bot.react(game.view) is not None
            daring[style] = pressed
        assert daring["careful"] == 0
        assert daring["snap-happy"] > 20

    @every_style
    def test_keeps_its_last_card_rather_than_be_bound_to_call(self, style: str) -> None:
        pressed = {"4": 0, "Q": 0}
        for rank in pressed:
            for seed in range(20):
                game = sheffield(f"{rank}S", "7C", "AC", up=f"{rank}C", deal__cards=1, peek__count=1, style=style)
                game.bot._rng.seed(seed)
                pressed[rank] += game.bot.react(game.view) is not None
        assert pressed["4"] == 0
        assert pressed["Q"] > 0

    def test_does_not_throw_away_a_card_that_costs_nothing(self) -> None:
        for seed in range(20):
            game = sheffield("KH TS 3D 2H", "7C QD 5C JS", up="KC", style="snap-happy")
            game.bot._rng.seed(seed)
            assert game.bot.react(game.view) is None

    @every_style
    def test_gives_its_worst_card_away(self, style: str) -> None:
        game = sheffield("QS TS 3D 2H", "4S QD 5C JS", up="4C", style=style, peek__count=4)
        worst = game.at(0, 0)
        game.play(Snap(0, game.at(1, 0)))
        assert game.choice() == Give(0, worst)

    @every_style
    def test_gives_nothing_if_all_it_has_is_good(self, style: str) -> None:
        game = sheffield("X1 X2", "4S QD", up="4C", style=style, deal__cards=2)
        game.play(Snap(0, game.at(1, 0)))
        assert game.choice() == Give(0, None)


class TestTheBot:
    def test_reads_old_faces_in_its_view_only_where_memory_is_assisted(self) -> None:
        for memory, known in (("classic", False), ("assisted", True)):
            game = sheffield("4S TS 3D 2H", "7C QD 5C JS", memory=memory)
            fresh = Bot("careful", random.Random(1))
            fresh.begin(game.now.rules, 0, 2, [0, 0])
            assert game.view.hands[0][0].face == "4S"
            beliefs = fresh._look(game.view)
            assert (beliefs.recall(game.at(0, 0)) is not None) == known

    def test_notices_cards_shown_in_a_failed_exchange(self) -> None:
        game = Game("cabo-standard", "5S TS 3D 2H", "7C QD 5C JS", up="4C", stock="QC 8D 9D", seat=0)
        game.play(Draw(0), Discard(0))
        game.choices(lambda move: move.seat == 0)
        shown = game.at(1, 1)
        assert game.bot._look(game.view).recall(shown) is None
        game.play(Draw(1), Exchange(1, (game.at(1, 0), shown)))
        memory = game.bot._look(game.view).recall(shown)
        assert memory is not None
        assert memory.card == "QD"

    def test_thinks_within_its_times(self) -> None:
        game = sheffield("QS JD TH 9C", "7C QD 5C JS")
        for seed in range(20):
            bot = Bot("greedy", random.Random(seed), think_ms=(30, 90))
            bot.begin(game.now.rules, 0, 2, [0, 0])
            assert 30 <= bot.choose(game.view, game.view.moves).think_ms <= 90

    def test_with_one_move_there_is_nothing_to_choose(self) -> None:
        game = sheffield("QS JD TH 9C", "7C QD 5C JS")
        assert game.bot.choose(game.view, (Take(0),)).move == Take(0)

    def test_no_move_at_all_is_refused(self) -> None:
        game = sheffield("QS JD TH 9C", "7C QD 5C JS")
        with pytest.raises(ValueError, match="no legal move"):
            game.bot.choose(game.view, ())

    def test_a_deal_that_does_not_fit_is_refused(self) -> None:
        with pytest.raises(ValueError, match="seat 2 of 2"):
            Bot("careful", random.Random(1)).begin(sheffield("QS JD", "7C QD", deal__cards=2).now.rules, 2, 2, [0, 0])

    def test_a_failed_call_that_would_end_the_match_needs_more_certainty(self) -> None:
        calls = {0: 0, 96: 0}
        for total in calls:
            for points in range(2, 11):
                hand = f"2S 5S {points % 10 or 'T'}D 3H"
                game = Game("cabo-guide", hand, "7C QD 5C JS", up="QS", stock=STOCK, peek__count=4, style="greedy")
                game.bot.begin(game.now.rules, 0, 2, [total, 0])
                for position in range(4):
                    game.bot.looked(game.at(0, position), game.faces[game.at(0, position)])
                calls[total] += game.choice() == Call(0)
        assert 0 < calls[96] < calls[0] < 9

    def test_calls_under_a_threshold_only_if_all_its_cards_have_been_seen(self) -> None:
        for looks, may in ((2, False), (4, True)):
            game = sheffield("X1 X2 AS AD", "7C QD 5C JS", call__threshold=5, peek__count=looks, style="greedy")
            offered = engine.turn_moves(game.now, game.seen)
            assert Call(0) in offered
            assert (game.bot.choose(game.view, offered).move == Call(0)) == may

    def test_cards_that_it_has_not_seen_change_nothing(self) -> None:
        for seed in range(20):
            answers = set()
            for hidden in ("9D 8S", "X1 KH", "KC KS"):
                mine, theirs = hidden.split()
                game = sheffield(f"4S TS {mine} 2H", f"7C QD {theirs} JS", style="snap-happy")
                game.bot._rng.seed(seed)
                press = game.bot.react(game.view)
                answers.add((press, game.bot.choose(game.view, game.view.moves)))
            assert len(answers) == 1

    def test_decides_quickly_even_with_a_dozen_cards_and_every_exchange_offered(self) -> None:
        hand = "2S 2H 2D 2C 9S 9H 9D 9C TS TH TD TC"
        other = "7C QD 5C JS 3S 4S 6S 7S 8S 3H 4H 6H"
        game = Game("cabo-standard", hand, other, up="4C", stock=STOCK, deal__cards=12, peek__count=12, deck__packs=2)
        game.play(Draw(0))
        offered = engine.turn_moves(game.now, game.seen)
        assert len(offered) > 2000
        times = []
        for _ in range(10):
            began = time.thread_time_ns()
            game.bot.choose(game.view, offered)
            times.append(time.thread_time_ns() - began)
        assert min(times) < 20_000_000  # nanoseconds; a tenth of that here, the rest is for slow machines

"""Beliefs about the cards on the table."""

import random

import pytest

from p2pkaboo.players.beliefs import Beliefs, Guess
from p2pkaboo.players.bot import Bot
from p2pkaboo.rules.cards import deck, value
from p2pkaboo.rules.moves import Call, Discard, Draw, Exchange
from p2pkaboo.rules.view import seat_view
from tests.unit.players.places import Game

STOCK = "3C 6D 8D TC 2D 4H"


def game(**more: object) -> Game:
    return Game("cabo-standard", "2S AS 9D 8S", "7C QD 5C JS", up="4C", stock=STOCK, **more)  # type: ignore[arg-type]


def beliefs(subject: Game) -> Beliefs:
    return subject.bot._look(subject.view)


def test_a_card_seen_is_worth_its_points_one_not_seen_the_mean_of_those_it_may_be() -> None:
    subject = game()
    made = beliefs(subject)
    assert made.guess(subject.at(0, 0)) == Guess(2, 0, 1.0)
    may_be = [value(subject.now.rules, card) for card in deck(subject.now.rules) if card not in ("2S", "AS", "4C")]
    assert sorted(made.unseen) == sorted(card for card in deck(subject.now.rules) if card not in ("2S", "AS", "4C"))
    assert made.guess(subject.at(1, 0)).mean == pytest.approx(sum(may_be) / len(may_be))
    assert made.guess(subject.at(1, 0)).strength == 0


def test_a_card_that_another_drew_and_kept_is_believed_to_be_lower() -> None:
    subject = game()
    subject.play(Draw(0), Discard(0), Draw(1), Exchange(1, (subject.at(1, 1),)))
    made = beliefs(subject)
    assert made.guess(subject.at(1, 1)).mean < made.guess(subject.at(1, 0)).mean


def test_a_hand_is_the_sum_of_its_cards() -> None:
    subject = game()
    made = beliefs(subject)
    assert made.hand(0).mean == pytest.approx(3 + 2 * made.blind.mean)
    assert made.hand(0).variance == pytest.approx(2 * made.blind.variance)


def test_the_chance_of_a_call_falls_with_the_own_hand_and_with_more_opponents() -> None:
    low = beliefs(Game("cabo-standard", "2S AS AD 2C", "7C QD 5C JS", up="4C", stock=STOCK, peek__count=4))
    high = beliefs(Game("cabo-standard", "2S AS QC JD", "7C QD 5C JS", up="4C", stock=STOCK, peek__count=4))
    crowd = beliefs(
        Game("cabo-standard", "2S AS AD 2C", "7C QD 5C JS", "6H 7D TH 9C", up="4C", stock=STOCK, peek__count=4)
    )
    assert high.chance_lowest() < crowd.chance_lowest() < low.chance_lowest()
    assert low.chance_lowest() > 0.9
    assert high.chance_lowest() < 0.5


def test_a_match_is_as_likely_as_its_memory_is_strong_or_by_the_cards_unseen() -> None:
    subject = game()
    made = beliefs(subject)
    assert made.matching(subject.at(0, 0), "2D") == 1.0
    assert made.matching(subject.at(0, 0), "3D") == 0.0
    twos = sum(card[0] == "2" for card in made.unseen)
    assert made.matching(subject.at(1, 0), "2D") == pytest.approx(twos / len(made.unseen))


def test_one_more_turn_helps_a_bad_hand_and_not_an_empty_one() -> None:
    subject = game()
    made = beliefs(subject)
    assert made.improvement(1) > 0
    assert made.improvement(0) > 0
    good = beliefs(Game("cabo-standard", "X1 X2", "7C QD", up="4C", stock=STOCK, deal__cards=2))
    assert good.improvement(0) == 0


def test_protected_from_final_turns_where_a_call_ends_the_round() -> None:
    slow = beliefs(Game("cabo-standard", "2S AS 9D 8S", "7C QD 5C JS", up="4C", stock=STOCK))
    quick = beliefs(Game("cabo-standard", "2S AS 9D 8S", "7C QD 5C JS", up="4C", stock=STOCK, call__final_turns=False))
    assert quick.chance_lowest() > slow.chance_lowest()


def test_cards_that_may_be_swapped_away_make_a_call_less_certain() -> None:
    hands = ("2S AS AD 2C", "7C QD 5C JS")
    safe, open_ = (
        Game("cabo-standard", *hands, up="4C", stock=STOCK, peek__count=4, caller__protect=kept)
        for kept in (["swap"], [])
    )
    assert beliefs(open_).chance_lowest() < beliefs(safe).chance_lowest()


@pytest.mark.parametrize(("empty", "draws"), [("reshuffle", True), ("stay", False)])
def test_when_the_stock_is_gone_for_good_nobody_is_believed_to_draw(empty: str, draws: bool) -> None:
    subject = Game("cabo-standard", "2S AS 9D 8S", "7C QD 5C JS", up="4C", stock="KC", stock__empty=empty)
    subject.play(Draw(0), Discard(0))
    assert subject.view.stock == 0
    # The king that lies open is no help to anybody.
    assert (beliefs(subject).improvement(1) > 0) == draws


def test_what_a_call_saves_or_costs_is_what_the_rules_say() -> None:
    hand = Guess(12, 0)
    for preset, won, lost in (("sheffield", 5, -5), ("cabo-online", 12, -5), ("cabo-standard", 12, -10)):
        subject = beliefs(Game(preset, "2S AS 9D 8S", "7C QD 5C JS", up="4C", stock=STOCK))
        assert (subject.call_worth(1.0, hand), subject.call_worth(0.0, hand)) == (won, lost), preset


def test_a_spectator_has_nothing_to_decide() -> None:
    subject = game()
    with pytest.raises(ValueError, match="spectator"):
        Beliefs(seat_view(subject.now, None), subject.bot._started())


def test_a_bot_has_to_be_told_of_the_deal() -> None:
    with pytest.raises(ValueError, match="begin"):
        Bot("careful", random.Random(1)).choose(game().view, (Call(0),))

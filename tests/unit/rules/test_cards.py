"""Decks, values, powers, and which cards match."""

from p2pkaboo.rules import cards
from p2pkaboo.rules.ruleset import load_preset, with_overrides

SHEFFIELD = load_preset("sheffield")


def test_the_canonical_order_is_suit_by_suit_then_jokers_then_nothing_removed() -> None:
    deck = cards.deck(SHEFFIELD)
    assert deck[:3] == ("AC", "2C", "3C")
    assert deck[12:14] == ("KC", "AD")
    assert deck[-3:] == ("KS", "X1", "X2")
    assert cards.deck_index(SHEFFIELD)["X2"] == 53


def test_further_packs_follow_and_a_card_without_pack_is_removed_from_every_pack() -> None:
    rules = with_overrides(SHEFFIELD, {"deck.packs": 2, "deck.remove": ["KH", "AC.2", "X2"]})
    deck = cards.deck(rules)
    assert len(deck) == len(set(deck)) == 104 + 2 - 2 - 1 - 1
    assert "KH.2" not in deck
    assert "AC" in deck
    assert deck[51] == "2C.2"


def test_kings_have_two_classes() -> None:
    assert [cards.card_class(card) for card in ("KC", "KS.2", "KD", "KH", "TD", "X1")] == [
        "KB",
        "KB",
        "KR",
        "KR",
        "T",
        "X",
    ]
    assert [cards.value(SHEFFIELD, card) for card in ("KS", "KH", "X1", "AH", "JD", "QD")] == [13, 0, -1, 1, 11, 12]
    assert cards.power_of(SHEFFIELD, "KS") == "look-swap"
    assert cards.power_of(SHEFFIELD, "KH") == "none"
    assert (cards.suit("X1"), cards.suit("KH.2")) == ("", "H")


def test_matching_by_rank_and_by_value() -> None:
    by_value = with_overrides(SHEFFIELD, {"match.by": "value"})
    assert cards.match(SHEFFIELD, "KS", "KH")
    assert not cards.match(by_value, "KS", "KH")
    assert cards.match(SHEFFIELD, "X1", "X2")
    kabbu = with_overrides(load_preset("kabbu"), {"match.by": "value"})
    assert cards.match(kabbu, "TS", "QH")
    assert cards.most_alike(kabbu) == 12
    assert cards.most_alike(SHEFFIELD) == 4


def test_the_branches_of_a_claim_are_the_cards_of_its_classes() -> None:
    kabbu = load_preset("kabbu")
    kept = cards.indices_of(kabbu, cards.KEPT)
    assert len(kept) == 24
    assert {cards.deck(kabbu)[index][0] for index in kept} == set("A23456")
    assert cards.classes_with(kabbu, "peek") == {"7", "8"}
    assert len(cards.indices_of(kabbu, frozenset({"Q"}))) == 4


def test_the_worst_card() -> None:
    assert cards.highest_value(SHEFFIELD) == 13
    assert cards.highest_value(load_preset("kabbu")) == 30

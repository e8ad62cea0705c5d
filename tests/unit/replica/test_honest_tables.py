"""Honest seats on slow links, with small decks and hasty hands: every table comes to its end and nobody is blamed."""

import pytest

from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from tests.support.tables import MS, Table, differing, faults, heads

RANKS = "A23456789TJQK"


def small_deck(preset: str, kept: str, **overrides: object) -> Ruleset:
    """A preset with a deck of a few ranks, so that the rare things happen often."""
    removed = [rank + suit for suit in "CDHS" for rank in RANKS if rank not in kept]
    keys = {name.replace("__", "."): value for name, value in overrides.items()}
    small = {"deck.remove": removed, "deck.jokers": 0, "players.max": 3, "deal.cards": 3}
    return with_overrides(load_preset(preset), {**small, **keys})


def run(rules: Ruleset, seed: int, *, rounds: int = 1, slowest: int = 300) -> None:
    table = Table(rules, 2, seed, rounds=rounds, proofs=False, snap_rate=0.95, delay=(1 * MS, slowest * MS))
    table.run()
    assert faults(table) == []
    assert differing(table) == []
    assert all(node.deal.over for node in table.nodes)
    assert heads(table.nodes[0]) == heads(table.nodes[1])


def test_a_draw_stands_when_a_snap_takes_its_seats_last_card() -> None:
    run(small_deck("kabbu", "A7QK", peek__count=0), 0, rounds=2)


@pytest.mark.parametrize("seed", range(6, 18))
def test_nobody_is_blamed_for_a_card_that_others_showed_before_oneself(seed: int) -> None:
    run(small_deck("sheffield", "7QK2"), seed)


@pytest.mark.parametrize("seed", range(24, 30))
def test_nobody_is_blamed_for_a_card_snapped_onto_the_pile_after_the_last_turn(seed: int) -> None:
    rules = small_deck("sheffield", "JQ", deal__cards=1, peek__count=1, snap__limit="all")
    run(with_overrides(rules, {"players.max": 2}), seed, slowest=40)

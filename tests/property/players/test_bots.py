"""Laws of the bots: whatever the rules, they play legally, they see nothing hidden, and the seed decides."""

import random
from collections import Counter
from dataclasses import replace

import pytest
import simulate_bots
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pkaboo.players.bot import STYLES, Bot, Choice, Press
from p2pkaboo.rules.moves import Exchange, Move
from p2pkaboo.rules.ruleset import Ruleset, load_preset, preset_names, with_overrides
from p2pkaboo.rules.view import SeatView
from tests.property.rules.test_playouts import SEEDS, rulesets


def dealing(rules: Ruleset, seed: int, bots: type[Bot] = Bot) -> simulate_bots.Dealing:
    rng = random.Random(seed)
    seats = rng.randint(rules.players_min, rules.players_max)
    players = [bots(rng.choice(STYLES), random.Random(rng.random())) for _ in range(seats)]
    return simulate_bots.Dealing(rules, players, rng.randrange(seats), [0] * seats, rng, Counter())


@given(rulesets(), SEEDS)
@settings(max_examples=40)
def test_whatever_the_house_rules_every_move_is_legal_and_the_round_ends(rules: Ruleset, seed: int) -> None:
    dealing(rules, seed).play()


@given(SEEDS, st.integers(0, 20))
@settings(max_examples=8)
def test_no_call_that_the_audit_would_find_above_the_threshold(seed: int, limit: int) -> None:
    dealing(with_overrides(load_preset("sheffield"), {"call.threshold": limit}), seed).play()


class Watched(Bot):
    """A bot whose every answer is held against what it was offered and could know."""

    def choose(self, view: SeatView, moves: tuple[Move, ...]) -> Choice:
        choice = super().choose(view, moves)
        if isinstance(choice.move, Exchange) and len(choice.move.handles) > 1:
            assert len(choice.move.handles) <= view.most_exchanged
        else:
            assert choice.move in moves
        return choice


@given(rulesets(), SEEDS)
@settings(max_examples=20)
def test_a_choice_is_one_of_the_moves_offered_or_several_cards_where_the_view_allows_them(
    rules: Ruleset, seed: int
) -> None:
    dealing(rules, seed, Watched).play()


class Blindfolded(Bot):
    """A bot from whose views every face is taken that it may not use."""

    def _strip(self, view: SeatView) -> SeatView:
        hands = tuple(
            tuple(place if place.public or place.face_up else replace(place, face=None) for place in hand)
            for hand in view.hands
        )
        return replace(view, hands=hands)

    def choose(self, view: SeatView, moves: tuple[Move, ...]) -> Choice:
        return super().choose(self._strip(view), moves)

    def react(self, view: SeatView) -> Press | None:
        return super().react(self._strip(view))


@pytest.mark.parametrize("name", preset_names())
def test_in_classic_memory_a_bot_plays_the_same_without_the_faces_a_person_would_have_to_remember(name: str) -> None:
    for seed in range(3):
        plain, blind = dealing(load_preset(name), seed), dealing(load_preset(name), seed, Blindfolded)
        assert plain.play() == blind.play()
        assert without_times(plain) == without_times(blind)


def test_the_seed_decides() -> None:
    runs = [dealing(load_preset("sheffield"), 5) for _ in range(2)]
    assert runs[0].play() == runs[1].play()
    assert without_times(runs[0]) == without_times(runs[1])


def without_times(table: simulate_bots.Dealing) -> dict[str, int]:
    return {name: count for name, count in table.counts.items() if name not in ("us", "longest")}


@pytest.mark.parametrize("name", preset_names())
def test_matches_have_all_that_makes_the_game(name: str) -> None:
    """A small sample; `scripts/simulate_bots.py` shows the whole table."""
    rules = load_preset(name)
    counts = simulate_bots.play_rounds(rules, 4, 25, f"sample {name}", STYLES)
    assert counts["called"] > 5
    assert 0.25 * counts["calls"] <= counts["won"] < counts["calls"]
    assert 3 <= counts["turns"] / 25 / 4 <= 12
    assert counts["powers"] >= 25 * 4
    if rules.snap != "off":
        assert counts["right"] >= 25
        assert 1 <= counts["wrong"] < counts["right"]
    assert counts["us"] / counts["decisions"] < 3000

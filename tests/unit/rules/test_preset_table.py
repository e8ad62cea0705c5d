"""Every row of the table of presets: what the five rulesets say, key by key."""

from typing import Any

import pytest

from p2pkaboo.rules.cards import deck, value
from p2pkaboo.rules.ruleset import KEYS, load_preset, load_with, preset_names, to_plain

PRESETS = ("sheffield", "cabo-standard", "cabo-guide", "kabbu", "cabo-online")

KINGS_OUT = ["KH", "KD"]

ROWS: dict[str, dict[str, tuple[Any, Any, Any, Any, Any]]] = {
    "deck": {"deck.packs": (1, 1, 1, 1, 1), "deck.remove": ([], KINGS_OUT, KINGS_OUT, [], KINGS_OUT)},
    "jokers": {"deck.jokers": (2, 2, 2, 0, 2)},
    "values": {
        "values.A": (1, 1, 1, -1, 1),
        "values.J": (11, 11, 11, 10, 11),
        "values.Q": (12, 12, 12, 10, 12),
        "values.KB": (13, 13, 13, 30, 13),
        "values.KR": (0, 13, 13, 30, 13),
        "values.X": (-1, 0, 0, 0, 0),
    },
    "players": {"players.min": (2, 2, 2, 2, 2), "players.max": (8, 5, 5, 6, 5)},
    "deal": {"deal.cards": (4, 4, 4, 4, 4)},
    "opening discard": {"deal.opening": (True, True, True, False, True)},
    "initial peek": {"peek.count": (2, 2, 2, 2, 2), "peek.choice": (False, False, True, False, False)},
    "turn choices": {"turn.take": (True, True, True, False, True), "call.after_turns": (0, 0, 0, 0, 0)},
    "drawn from stock": {"turn.by_rank": (False, False, False, True, False), "multi.max": (1, 0, 4, 1, 4)},
    "taken from discard": {"turn.taken_open": (False, False, False, False, False)},
    "powers": {
        "power.7": ("peek",) * 5,
        "power.8": ("peek",) * 5,
        "power.9": ("spy",) * 5,
        "power.T": ("spy",) * 5,
        "power.J": ("swap",) * 5,
        "power.Q": ("swap", "swap", "swap", "look-two-swap", "swap"),
        "power.KB": ("look-swap", "none", "none", "none", "none"),
        "power.KR": ("none",) * 5,
    },
    "power trigger": {
        "power.on": ("discard", "discard", "discard", "draw", "discard"),
        "power.displaced": (False,) * 5,
    },
    "power may be skipped": {
        "power.skip": (True, True, True, False, True),
        "power.decline": (True, True, True, False, True),
    },
    "multi-exchange": {"multi.max": (1, 0, 4, 1, 4), "match.by": ("rank",) * 5},
    "failed multi-exchange": {
        "multi.fail": ("keep", "keep", "discard", "keep", "keep-end"),
        "multi.unseen_from": (0, 0, 0, 0, 3),
    },
    "snap": {
        "snap": ("any", "off", "off", "own-then-others", "off"),
        "snap.limit": ("first", "first", "first", "all", "first"),
    },
    "snap other's, right": {"snap.gift": ("may", "may", "may", "must", "may")},
    "snap wrong": {"snap.wrong_cards": (2, 0, 0, 0, 0), "snap.wrong_points": (0, 0, 0, 30, 0)},
    "call": {"call.threshold": (-1,) * 5, "call.after_turns": (0,) * 5},
    "after a call": {"call.final_turns": (True, True, True, False, True)},
    "caller's cards": {"caller.protect": (["snap", "swap", "spy"], ["swap"], ["swap"], [], [])},
    "caller may snap": {"caller.snaps": (False,) * 5},
    "stock empty": {"stock.empty": ("reshuffle", "end", "reshuffle", "reshuffle", "stay")},
    "round score": {
        "score.lowest_zero": (False, True, True, False, False),
        "score.call_won": ("total", "total", "total", "total", "zero"),
        "score.call_won_adjust": (-5, 0, 0, 0, 0),
        "score.round_winner": (False, False, False, True, False),
    },
    "caller fails": {"score.call_lost_adjust": (5, 10, 5, 50, 5)},
    "caller ties lowest": {"score.caller_tie": ("fails", "fails", "wins", "fails", "fails")},
    "special hand": {"special.award": ("off", 50, 50, "off", "half-target")},
    "match ends": {
        "match.rounds": (5, 0, 0, 5, 0),
        "match.target": (0, 100, 100, 0, 100),
        "match.when": ("over", "over", "over", "over", "reached"),
    },
    "exactly 100": {"reset.at": (0, 100, 100, 0, 0), "reset.to": (50, 50, 50, 50, 50)},
    "step timer": {"timer.step_s": (0, 0, 0, 0, 60), "timer.idle_s": (600,) * 5},
    "between rounds": {"timer.between_s": (20,) * 5},
    "memory mode": {"memory": ("classic",) * 5},
    "lost connection": {"timer.grace_s": (60,) * 5, "on_forfeit": ("redeal",) * 5},
    "for the table": {"race": ("auto",) * 5, "snap.exposure_ms": (2500,) * 5, "power.swap_any": (False,) * 5},
}


def test_the_presets_are_these_and_sheffield_is_played_when_nothing_is_said() -> None:
    assert preset_names() == PRESETS


@pytest.mark.parametrize("row", ROWS)
def test_row(row: str) -> None:
    for key, expected in ROWS[row].items():
        assert tuple(to_plain(load_preset(name))[key] for name in PRESETS) == expected, key


def test_every_key_stands_in_some_row() -> None:
    assert set().union(*ROWS.values()) == set(KEYS)


def test_the_decks_have_the_cards_of_the_texts() -> None:
    assert [len(deck(load_preset(name))) for name in PRESETS] == [54, 52, 52, 52, 52]
    for name in ("cabo-standard", "cabo-guide", "cabo-online"):
        assert [card for card in deck(load_preset(name)) if card[0] == "K"] == ["KC", "KS"]


@pytest.mark.parametrize("name", PRESETS)
def test_two_to_ten_count_their_number_everywhere(name: str) -> None:
    assert [value(load_preset(name), f"{rank}H") for rank in "23456789T"] == list(range(2, 11))


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("cabo-standard", "call.after_turns=1"),
        ("cabo-standard", "reset.at=0"),
        ("cabo-standard", "deal.cards=6"),
        ("cabo-online", "match.target=60"),
        ("cabo-online", "memory=assisted"),
        ("cabo-online", "timer.step_s=0"),
        ("cabo-online", "timer.step_s=30"),
        ("cabo-online", "timer.step_s=90"),
        ("sheffield", "deck.jokers=0"),
        ("sheffield", "deck.jokers=4"),
        ("sheffield", "stock.empty=end"),
        ("sheffield", "match.target=100"),
        ("sheffield", "deck.packs=4"),
        ("kabbu", "power.decline=true"),
        ("kabbu", "players.max=4"),
    ],
)
def test_the_options_of_the_texts_are_overrides(name: str, option: str) -> None:
    assert load_with(name, [option]) != load_preset(name)

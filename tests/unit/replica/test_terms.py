"""What is wished, taken apart; and what differs from what was read."""

from dataclasses import replace

import pytest

from p2pkaboo.replica.terms import Terms, differences, open_wish, plain_rules
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.ruleset import load_preset, preset_names, with_overrides
from p2pkaboo.wire.frames import Wish, decode_frame, encode_frame

RULES = load_preset("sheffield")
ROWS = plain_rules(RULES)


@pytest.mark.parametrize("name", preset_names())
def test_a_wish_says_all_of_the_rules(name: str) -> None:
    rules = load_preset(name)
    frame = decode_frame(encode_frame(Wish("Attic", plain_rules(rules), "wan", 4)))
    assert isinstance(frame, Wish)
    assert open_wish(frame) == Terms(rules, "wan")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ((), "name: missing"),
        (ROWS[1:], "missing, a charter states every key"),
        (ROWS[::-1], "do not stand in order"),
        ((*ROWS, ROWS[-1]), "do not stand in order"),
        ((*ROWS, ("zeal", 1)), "zeal: no such key"),
        (tuple((key, "x" * 200 if key == "snap.limit" else value) for key, value in ROWS), "snap.limit = x"),
        (tuple((key, [[1]] if key == "deck.remove" else value) for key, value in ROWS), "deck.remove"),
        (tuple((key, "recover" if key == "on_forfeit" else value) for key, value in ROWS), "on_forfeit = recover"),
    ],
)
def test_rules_that_no_table_can_play_by_are_none(rows: tuple[tuple[str, object], ...], reason: str) -> None:
    with pytest.raises(RulesError, match=reason) as caught:
        open_wish(Wish("", rows, "auto", 2))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_differences_name_key_and_both_values() -> None:
    here = Terms(RULES, "auto")
    assert list(differences(here, here)) == []
    there = Terms(with_overrides(RULES, {"snap.limit": "all", "deck.remove": ["KH"]}), "lan")
    assert list(differences(here, there)) == [
        "deck.remove = [KH] instead of []",
        f"snap.limit = all instead of {RULES.snap_limit}",
        "race = lan instead of auto",
    ]
    renamed = Terms(replace(RULES, name="house"), "auto")
    assert list(differences(here, renamed)) == ["name = house instead of sheffield"]

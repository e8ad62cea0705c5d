"""What a table of this version cannot honour is refused where one is opened or joined, in one clear line."""

import pytest

from p2pkaboo.replica.forming import offer_body
from p2pkaboo.replica.honoured import HONOURED, check_honoured, choices_of
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.ruleset import KEYS, load_preset, preset_names, with_overrides

RECOVER = with_overrides(load_preset("sheffield"), {"on_forfeit": "recover"})


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_can_be_played(preset: str) -> None:
    check_honoured(load_preset(preset))


def test_the_refusal_names_key_value_what_is_allowed_and_why() -> None:
    with pytest.raises(RulesError) as refused:
        check_honoured(RECOVER)
    assert str(refused.value) == (
        "on_forfeit = recover: a table of this version allows redeal only, "
        "because it cannot put a lost seat's key together"
    )


def test_what_is_honoured_are_values_that_the_rules_know() -> None:
    for key, honoured in HONOURED.items():
        assert set(honoured.values) < set(KEYS[key].choices)
        assert choices_of(key) == honoured.values
    assert choices_of("snap") == KEYS["snap"].choices


def test_nobody_offers_such_a_table() -> None:
    with pytest.raises(RulesError, match="on_forfeit = recover"):
        offer_body([], RECOVER, "auto")

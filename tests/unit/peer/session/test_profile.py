"""Settings, names, house rules and the scorekeeper's game, kept from one start to the next."""

from pathlib import Path
from typing import cast

import msgspec
import pytest

from p2pkaboo.journal.profile import Profile
from p2pkaboo.peer import api
from p2pkaboo.peer.session.archive import Archive
from p2pkaboo.peer.session.errand import Opening
from p2pkaboo.peer.session.errands import Errands
from p2pkaboo.peer.session.hall import Hall
from p2pkaboo.peer.session.profile import MAX_RULE_SETS, PRESET_NAMES, Keepsakes, clean_name, score_pad
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.rules.ruleset import KEYS, load_preset, preset_names


def kept(folder: Path, name: str = "") -> Keepsakes:
    return Keepsakes(Profile(folder, exclusive=False), name)


def key_of(refused: "pytest.ExceptionInfo[Refusal]") -> str:
    return refused.value.say.key


def test_a_name_is_kept_and_cleaned(tmp_path: Path) -> None:
    assert kept(tmp_path).name
    assert kept(tmp_path, "  Ada   L. ").name == "Ada L."
    assert kept(tmp_path).name == "Ada L."
    keepsakes = kept(tmp_path)
    keepsakes.set_name("Bo")
    assert kept(tmp_path).name == "Bo"
    for bad in ("", "   ", "x" * 25, "a\x07b"):
        with pytest.raises(Refusal) as refused:
            keepsakes.set_name(bad)
        assert key_of(refused) == "error.name"
        assert clean_name(bad) == ""


def test_settings_are_checked_like_their_fields_and_kept(tmp_path: Path) -> None:
    keepsakes = kept(tmp_path)
    keepsakes.set_setting("theme", "dark")
    keepsakes.set_setting("volume", 0)
    assert kept(tmp_path).settings == api.Settings(theme="dark", volume=0)
    for name, value in (("theme", "pink"), ("volume", 101), ("sound", 3), ("colour", "red"), ("volume", "loud")):
        with pytest.raises(Refusal) as refused:
            keepsakes.set_setting(name, value)
        assert key_of(refused) == "error.setting"
    assert keepsakes.settings == api.Settings(theme="dark", volume=0)


def test_settings_of_another_version_are_the_usual_ones(tmp_path: Path) -> None:
    with Profile(tmp_path, exclusive=False) as profile:
        profile.save_settings({"theme": "sepia", "name": "Ada"})
    assert kept(tmp_path).settings == api.Settings()
    assert kept(tmp_path).name == "Ada"


def test_known_keys_are_kept(tmp_path: Path) -> None:
    kept(tmp_path).know("ab" * 32)
    assert kept(tmp_path).known == {"ab" * 32}


def test_every_preset_has_a_name(tmp_path: Path) -> None:
    names = kept(tmp_path).rule_names()
    assert [name.id for name in names] == list(preset_names()) == list(PRESET_NAMES)
    assert all(name.id == name.preset and name.changes == 0 for name in names)


def test_house_rules_are_saved_replaced_and_deleted(tmp_path: Path) -> None:
    keepsakes = kept(tmp_path)
    keepsakes.save_rules("Sunday", "kabbu", {"call.threshold": 5})
    keepsakes.save_rules("Monday", "own-1", {"deck.jokers": 2})
    own = {name.name: name for name in kept(tmp_path).rule_names()}
    assert (own["Sunday"].preset, own["Sunday"].changes) == ("kabbu", 1)
    assert (own["Monday"].preset, own["Monday"].changes) == ("kabbu", 2)
    keepsakes.save_rules("Sunday", "kabbu", {"call.threshold": 7})
    assert keepsakes.rules("own-1", {}).call_threshold == 7
    assert keepsakes.rules("own-2", {"call.threshold": 1}).call_threshold == 1
    keepsakes.delete_rules("own-1")
    assert "Sunday" not in [name.name for name in kept(tmp_path).rule_names()]
    with pytest.raises(Refusal):
        keepsakes.delete_rules("own-1")


def test_rules_that_cannot_be_played_name_the_key(tmp_path: Path) -> None:
    keepsakes = kept(tmp_path)
    bad: tuple[tuple[str, dict[str, object]], ...] = (
        ("nonsense", {}),
        ("sheffield", {"deck.jokers": 99}),
        ("sheffield", {"no.key": 1}),
        ("sheffield", {"on_forfeit": "recover"}),
    )
    for key, overrides in bad:
        with pytest.raises(Refusal) as refused:
            keepsakes.save_rules("x", key, overrides)
        assert key_of(refused) == "error.rules"
    assert "deck.jokers = 99" in keepsakes.sheet("sheffield", {"deck.jokers": 99}).problem


def test_what_no_table_can_honour_is_named_and_not_offered(tmp_path: Path) -> None:
    keepsakes = kept(tmp_path)
    with pytest.raises(Refusal) as refused:
        keepsakes.table_rules("sheffield", {"on_forfeit": "recover"})
    assert "on_forfeit = recover" in str(refused.value.say.params["problem"])
    assert "on_forfeit = recover" in keepsakes.sheet("sheffield", {"on_forfeit": "recover"}).problem
    assert [row.choices for row in keepsakes.sheet("sheffield", {}).rows if row.key == "on_forfeit"] == [("redeal",)]


@pytest.mark.parametrize(
    "command", [api.Host(name="Kitchen", seats=4, rules="sheffield"), api.PlayBots(bots=3, rules="sheffield")]
)
def test_no_table_is_opened_that_cannot_be_honoured(tmp_path: Path, command: api.Host | api.PlayBots) -> None:
    errands = Errands(kept(tmp_path), cast(Archive, None), cast(Hall, None), (), bytes(32))
    assert isinstance(errands.errand(command), Opening)
    with pytest.raises(Refusal) as refused:
        errands.errand(msgspec.structs.replace(command, overrides={"on_forfeit": "recover"}))
    assert key_of(refused) == "error.rules"


def test_saved_rule_sets_have_a_limit(tmp_path: Path) -> None:
    keepsakes = kept(tmp_path)
    for number in range(MAX_RULE_SETS):
        keepsakes.save_rules(f"set {number}", "kabbu", {})
    with pytest.raises(Refusal):
        keepsakes.save_rules("one more", "kabbu", {})
    keepsakes.save_rules("set 3", "sheffield", {})


@pytest.mark.parametrize("preset", preset_names())
def test_the_sheet_has_every_key_with_its_source(tmp_path: Path, preset: str) -> None:
    sheet = kept(tmp_path).sheet(preset, {})
    assert [row.key for row in sheet.rows] == list(KEYS)
    assert sheet.problem == ""
    for row in sheet.rows:
        assert row.value == row.default
        assert row.source in ("text", "default")
        assert row.kind != "choice" or row.value in row.choices
        assert (row.least is None) == (row.kind != "number")
        if row.kind == "number":
            assert isinstance(row.value, int)
            assert row.least is not None
            assert row.most is not None
            assert row.least <= row.value <= row.most
    assert any(row.source == "text" and row.quote for row in sheet.rows)


def test_a_change_is_marked_and_every_shown_value_can_be_played(tmp_path: Path) -> None:
    keepsakes = kept(tmp_path)
    sheet = keepsakes.sheet("sheffield", {"deck.jokers": 4})
    changed = [row for row in sheet.rows if row.source == "changed"]
    assert [(row.key, row.value, row.default) for row in changed] == [("deck.jokers", 4, 2)]
    values = {row.key: row.value for row in sheet.rows if row.kind != "fixed"}
    assert keepsakes.rules("sheffield", values).deck_jokers == 4
    assert keepsakes.rules("sheffield", {}) == load_preset("sheffield")


def test_the_scorekeeper_is_kept_and_takes_back(tmp_path: Path) -> None:
    keepsakes = kept(tmp_path)
    assert score_pad(keepsakes.score()) == api.ScorePad()
    with pytest.raises(Refusal):
        keepsakes.change_score(api.ScoreAdd(points=(1, 2)))
    keepsakes.change_score(api.ScoreNew(names=("Ada", "Ben")))
    keepsakes.change_score(api.ScoreAdd(points=(5, -1)))
    keepsakes.change_score(api.ScoreAdd(points=(0, 20)))
    pad = score_pad(kept(tmp_path).score())
    assert (pad.rounds, pad.totals, pad.leaders, pad.can_undo) == (((5, -1), (0, 20)), (5, 19), (0,), True)
    assert keepsakes.change_score(api.ScoreUndo()).totals == (5, -1)
    with pytest.raises(Refusal):
        keepsakes.change_score(api.ScoreAdd(points=(1,) * 3))
    with pytest.raises(Refusal):
        keepsakes.change_score(api.ScoreNew(names=("Ada", "Ada")))

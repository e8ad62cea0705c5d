"""Rulesets as data: reading, overriding, refusing, and the form in which a charter holds them."""

from pathlib import Path
from typing import Any

import pytest

from p2pkaboo.rules.cards import RANKS, SUITS
from p2pkaboo.rules.consistency import check_seats, least_hand, stock_after_deal
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.ruleset import (
    ATTRIBUTES,
    KEYS,
    MAX_FILE,
    Ruleset,
    from_plain,
    load,
    load_file,
    load_preset,
    load_with,
    overrides_of,
    parse_set,
    parse_toml,
    preset_names,
    preset_text,
    to_plain,
    with_overrides,
)
from p2pkaboo.rules.sheet import sheet_text
from p2pkaboo.rules.sources import likest_preset, preset_sources, preset_title, sources
from verifier.ruleset import fault


@pytest.mark.parametrize("name", preset_names())
def test_every_key_of_a_preset_says_where_it_comes_from(name: str) -> None:
    stated = [line.split('"')[1] for line in preset_text(name).splitlines() if line.startswith('"')]
    known = preset_sources(name)
    assert set(stated) <= set(known)
    for key in stated:
        assert known[key].words, key
        assert known[key].origin == "default" or "“" in known[key].words or '"' in known[key].words, key
    assert len(preset_title(name)) > 20


@pytest.mark.parametrize("name", preset_names())
def test_what_a_preset_does_not_state_has_its_default(name: str) -> None:
    stated = preset_sources(name)
    rules, blank = load_preset(name), Ruleset("blank")
    for key, attribute in ATTRIBUTES.items():
        assert key in stated or getattr(rules, attribute) == getattr(blank, attribute), key


@pytest.mark.parametrize("name", preset_names())
def test_the_charter_holds_the_whole_ruleset(name: str) -> None:
    plain = to_plain(load_preset(name))
    assert set(plain) == {"name", *KEYS}
    assert from_plain(plain) == load_preset(name)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"extra": 1}, "extra: no such key"),
        ({"snap": None}, "snap = null: allowed is one of off, any, own-then-others"),
        ({"deal.cards": 4.0}, "deal.cards = 4.0: allowed is a whole number from 1 to 12"),
        ({"name": ""}, "name"),
        ({"name": 7}, "name"),
        ({"deal.opening": 1}, "deal.opening = 1: allowed is true or false"),
        ({"deal.cards": True}, "deal.cards = true: allowed is a whole number"),
    ],
)
def test_a_charter_with_another_ruleset_than_to_plain_gives_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(RulesError, match=said):
        from_plain(to_plain(load_preset("sheffield")) | change)


def test_a_charter_states_every_key() -> None:
    plain = to_plain(load_preset("sheffield"))
    del plain["snap.gift"]
    with pytest.raises(RulesError, match=r"snap\.gift: missing"):
        from_plain(plain)
    with pytest.raises(RulesError, match="table of keys"):
        from_plain([])


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("snap.limit=some", "snap.limit = some: allowed is one of first, all"),
        ("deal.cards=many", "deal.cards = many: allowed is a whole number from 1 to 12"),
        ("snap.wrong_cards=-1", "snap.wrong_cards = -1: allowed is a whole number from 0 to 8"),
        ("deal.opening=yes", "deal.opening = yes: allowed is true or false"),
        ("caller.protect=snap,hug", "caller.protect = [snap, hug]: allowed is a list of snap, swap, spy"),
        ("special.award=much", "special.award = much: allowed is off, half-target or a whole number from 0 to 1000"),
        ("limit=all", "limit: no such key, did you mean snap.limit?"),
        ("nothing=1", "nothing: no such key (`p2pkaboo rules show sheffield` lists the keys)"),
        ("snap.limit", "snap.limit: expected KEY=VALUE, such as snap.limit=all"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_key_value_and_what_is_allowed(setting: str, said: str) -> None:
    with pytest.raises(RulesError) as error:
        parse_set(setting)
    assert str(error.value) == said


def test_settings_of_every_kind_are_read() -> None:
    assert parse_set("snap.exposure_ms = 0") == ("snap.exposure_ms", 0)
    assert parse_set("deal.opening=false") == ("deal.opening", False)
    assert parse_set("caller.protect=[snap, spy]") == ("caller.protect", ("snap", "spy"))
    assert parse_set("caller.protect=") == ("caller.protect", ())
    assert parse_set("special.award=half-target") == ("special.award", "half-target")
    assert parse_set("special.award=30") == ("special.award", 30)
    assert parse_set('"memory"=assisted') == ("memory", "assisted")


def test_a_later_setting_wins() -> None:
    assert load_with("sheffield", ["deal.cards=3", "deal.cards=5"]).deal_cards == 5


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (
            {"deal.cards": 7},
            "deal.cards = 7: 8 players (players.max) need 58 cards to deal and begin, the deck holds 54",
        ),
        ({"players.min": 5, "players.max": 4}, "players.min = 5: allowed is at most players.max = 4"),
        ({"deal.cards": 1}, "peek.count = 2: allowed is at most deal.cards = 1"),
        ({"deck.jokers": 5}, "deck.jokers = 5: allowed is at most 4 for each of deck.packs = 1"),
        ({"deck.remove": ["KH.2"]}, "deck.remove = KH.2: allowed are cards that the packs and jokers hold, such as KH"),
        ({"special.award": "half-target"}, "special.award = half-target: allowed only with a match.target"),
        ({"reset.at": 50}, "reset.to = 50: allowed is less than reset.at = 50"),
    ],
)
def test_contradictions_are_refused(overrides: dict[str, object], said: str) -> None:
    with pytest.raises(RulesError) as error:
        with_overrides(load_preset("sheffield"), overrides)
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("preset", "overrides", "least"),
    [
        ("cabo-guide", {"multi.max": 1}, 0 + 0 + 1 + 1),
        ("cabo-guide", {"multi.max": 1, "deal.cards": 6}, 0 + 0 + 1 + 1 + 1 + 1),
        ("cabo-guide", {"deck.jokers": 0}, 1),
        ("cabo-online", {"multi.max": 1, "deck.jokers": 0}, 4),
        ("sheffield", {"snap": "off"}, -2),
        ("sheffield", {"snap": "off", "deck.jokers": 0, "values.KR": 5}, 4),
        ("sheffield", {"snap": "off", "multi.max": 0}, -2),
    ],
)
def test_a_threshold_below_every_hand_is_refused_where_only_a_call_ends_a_round(
    preset: str, overrides: dict[str, object], least: int
) -> None:
    base = with_overrides(load_preset(preset), overrides)
    assert least_hand(base) == least
    ways_out: list[dict[str, Any]] = [
        {"snap": "any"},
        {"stock.empty": "end"},
        {"stock.empty": "stay", "turn.take": False},
    ]
    for threshold in range(6):
        wanted = {"call.threshold": threshold}
        plain = to_plain(base) | wanted
        if threshold >= least:
            assert with_overrides(base, wanted).call_threshold == threshold
            assert fault(plain) is None
            continue
        with pytest.raises(RulesError, match=f"^call.threshold = {threshold}: allowed is at least {least}, "):
            with_overrides(base, wanted)
        assert fault(plain) == "nobody could ever call"
        for way_out in ways_out:
            assert with_overrides(base, wanted | way_out).call_threshold == threshold
            assert fault(plain | way_out) is None


def test_a_deck_without_cards_is_one_error() -> None:
    every = [rank + suit for rank in RANKS for suit in SUITS]
    with pytest.raises(RulesError, match=r"^deal\.cards = 4: .* the deck holds 0$"):
        with_overrides(load_preset("cabo-guide"), {"deck.remove": every, "deck.jokers": 0, "call.threshold": 0})


def test_what_contradicts_the_defaults_is_no_contradiction_once_all_is_said() -> None:
    rules = with_overrides(load_preset("sheffield"), {"deal.cards": 12, "players.max": 4})
    assert stock_after_deal(rules, 4) == 54 - 48 - 1


def test_seats_are_held_against_the_rules() -> None:
    check_seats(load_preset("kabbu"), 6)
    with pytest.raises(RulesError, match=r"7 seats: these rules allow 2 to 6 \(players.min, players.max\)"):
        check_seats(load_preset("kabbu"), 7)


def test_a_file_of_house_rules_starts_from_a_preset_or_from_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('base = "sheffield"\n"snap.limit" = "all"\n', encoding="utf-8")
    rules = load(str(file))
    assert rules == with_overrides(load_preset("sheffield"), {"snap.limit": "all"}, name="ours")
    file.write_text('name = "Ours"\n"snap" = "any"\n', encoding="utf-8")
    assert load_file(file) == with_overrides(Ruleset("Ours"), {"snap": "any"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("snap.limit = 'all'", 'snap: write the whole key in quotes, such as "snap.limit" = …'),
        ("[snap]\nlimit = 1", "snap: write the whole key in quotes"),
        ("[deal]\ncards = 1", 'deal: write the whole key in quotes, such as "deal.cards" = …'),
        ("nonsense", "not TOML"),
        ("base = 1", "base = 1: allowed is the name of a preset"),
        ('base = "bridge"', "no rules called bridge: there are sheffield, "),
        ("name = 3", "name = 3: allowed is a text of 1 to 64 characters"),
    ],
)
def test_a_wrong_file_is_one_line(text: str, said: str) -> None:
    with pytest.raises(RulesError, match=said) as error:
        parse_toml(text, "x")
    assert "\n" not in str(error.value)


def test_an_unreadable_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"none\.toml: cannot be read"):
        load(str(tmp_path / "none.toml"))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RulesError, match="not a text file"):
        load_file(tmp_path / "binary.toml")


def test_a_file_that_is_too_large_for_rules_is_not_read_to_its_end(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    comment = b"# " + b"x" * (MAX_FILE - 3) + b"\n"
    large.write_bytes(comment)
    assert load_file(large) == Ruleset("large")
    large.write_bytes(comment + b"\n")
    with pytest.raises(RulesError, match=f"large.toml: longer than {MAX_FILE} bytes, no file of rules is"):
        load_file(large)


def test_a_file_may_begin_with_the_mark_of_its_byte_order(tmp_path: Path) -> None:
    file = tmp_path / "marked.toml"
    file.write_bytes(b'\xef\xbb\xbf"match.rounds" = 3\r\n')
    assert load_file(file).match_rounds == 3
    with pytest.raises(RulesError, match="no rules called whist"):
        load("whist")


def test_what_differs_from_the_preset_can_be_said_and_said_again() -> None:
    rules = load_with("kabbu", ["snap.exposure_ms=600", "caller.protect=snap"])
    base, overrides = overrides_of(rules)
    assert (base, overrides) == ("kabbu", {"snap.exposure_ms": 600, "caller.protect": ["snap"]})
    assert with_overrides(load_preset(base), overrides) == rules


def test_a_changed_key_is_marked_as_changed() -> None:
    assert sources(load_with("kabbu", ["snap.exposure_ms=600"]))["snap.exposure_ms"].origin == "changed"


def test_house_rules_are_marked_against_the_preset_they_are_like_most() -> None:
    own = with_overrides(load_preset("kabbu"), {"snap.exposure_ms": 600}, name="Ours")
    assert likest_preset(own) == "kabbu"
    assert [key for key, source in sources(own).items() if source.origin == "changed"] == ["snap.exposure_ms"]
    assert sources(own)["snap"] == preset_sources("kabbu")["snap"]
    assert "H: differs from kabbu" in sheet_text(own, "House rules: Ours")
    assert "H: changed for this table" in sheet_text(load_preset("kabbu"), "Kabbu")


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 5_000,
        "a = " + "{x = " * 5_000,
        '"match.target" = ' + "9" * 5_000,
        '"match.target" = 0x' + "f" * 5_000,
        '"deck.remove" = [0x' + "f" * 5_000 + "]",
    ],
)
def test_a_file_made_to_break_its_reader_is_one_error(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_toml(text, "house")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("word", ["\x1b]0;owned\x07", "a\u202eb", "a\nb\x00c", "\ud800", "x" * 10_000])
def test_what_others_have_written_steers_no_terminal(word: str) -> None:
    """Rules come in offers too: their refusal is shown with what was wrong in them."""
    plain = to_plain(load_preset("sheffield"))
    for wrong in ({word: 1}, {"snap.limit": word}, {"deck.remove": [word]}, {"name": word}, {"match.target": word}):
        with pytest.raises(RulesError) as caught:
            from_plain({**plain, **wrong})
        assert str(caught.value).isprintable(), ascii(str(caught.value))
        assert len(str(caught.value)) < 300

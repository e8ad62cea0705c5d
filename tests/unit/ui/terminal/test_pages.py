"""Playbook of everything around the table: start, lobby, forms, and pages to read."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from rich.text import Text

from p2pkaboo.peer import api
from p2pkaboo.peer.session.profile import sheet_of
from p2pkaboo.rules.ruleset import load_preset
from p2pkaboo.ui.terminal.lobby_page import friend_lines, qr_lines
from p2pkaboo.ui.terminal.reading import StepsPage, report_lines
from p2pkaboo.ui.terminal.rules_page import shown_value
from p2pkaboo.ui.terminal.say import Voice
from p2pkaboo.ui.terminal.texts import texts
from tests.e2e.web import scenes
from tests.unit.ui.terminal import moments
from tests.unit.ui.terminal.moments import model, press, scene, text

DOWN = "down"


def typed(words: str) -> Sequence[str]:
    return list(words)


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        (["1"], api.Resume(table="s")),
        (["2", "enter"], api.PlayBots(bots=3, style="", rules="sheffield")),
        (["2", DOWN, "right", DOWN, "right", "right", "up", "up", DOWN, DOWN, DOWN, DOWN, DOWN, "enter"], None),
        (["4", "enter"], api.Join(table="a")),
        (["4", DOWN, "enter"], api.Join(table="b")),
        (["4", DOWN, DOWN, DOWN, *typed("kaboo1qq"), "enter"], api.Join(invite="kaboo1qq")),
        (["5", "1"], api.Practice(lesson=0)),
        (["5", "5"], api.PlayBots(bots=2, hints=True)),
        (["6"], api.ScoreShow()),
        (["7"], api.ShowHistory()),
        (["8", *typed("a b.kaboo"), "enter"], api.CheckTranscript(path="a b.kaboo")),
        (["9", "backspace", "x", "enter"], api.SetName(name="Adx")),
        (["9", DOWN, "left", "enter"], api.SetSetting(name="sound", value=False)),
    ],
)
def test_start(keys: list[str], command: api.AnyCommand | None) -> None:
    sent = press(model(scene("start")), *keys)
    assert len(sent) == 1
    assert command is None or sent == [command]


def test_playing_takes_every_field() -> None:
    shown = model(scene("start"))
    press(shown, "2", DOWN, "right", "right", DOWN, "right", DOWN, "left", DOWN, "right")
    assert press(shown, DOWN, DOWN, "enter") == [api.PlayBots(bots=5, style="careful", rules="own-1", hints=True)]


def test_hosting_takes_every_field() -> None:
    shown = model(scene("start"))
    press(shown, "3", DOWN, *["backspace"] * 40, *typed("Attic"), DOWN, "right", DOWN, "right", DOWN, *typed("4711"))
    press(shown, DOWN, "right")
    expected = api.Host(name="Attic", seats=5, rules="cabo-standard", private=True, port=4711)
    assert press(shown, "enter") == [expected]


@pytest.mark.parametrize("port", ["0", "65536", "x", "²"])
def test_a_bad_port_is_named(port: str) -> None:
    shown = model(scene("start"))
    assert press(shown, "3", DOWN, DOWN, DOWN, DOWN, *typed(port), "enter") == []
    assert f"“{port}” is no port. Choose 1 to 65535, or leave it empty." in text(shown)


def test_a_full_table_is_not_joined() -> None:
    shown = model(scene("start"))
    assert press(shown, "4", DOWN, DOWN, "enter") == []
    assert "That table is playing and has no free seat." in text(shown)


def test_a_pasted_invite_finds_its_field() -> None:
    shown = model(scene("start"))
    press(shown, "4")
    text(shown)
    shown.paste("  kaboo1abc\n")
    assert press(shown, "enter") == [api.Join(invite="kaboo1abc")]


def test_a_paste_elsewhere_presses_nothing() -> None:
    shown = model(scene("turn"))
    shown.paste("ddd")
    assert "There is nothing to paste into here." in text(shown)


def test_the_cursor_stays_with_its_table_when_others_come() -> None:
    snapshot = scene("start")
    shown = model(snapshot)
    press(shown, "4", DOWN)
    more = api.FoundTable(id="new", name="Garden", rules="Kabbu", taken=1, wanted=3)
    shown.heard(replace(snapshot, number=9, tables=(more, *snapshot.tables)))
    assert press(shown, "enter") == [api.Join(table="b")]


def test_house_rules_go_with_the_game() -> None:
    shown = model(scene("start"))
    (ask,) = press(shown, "2", "up", "enter")
    assert ask == api.ShowRules(rules="sheffield")
    shown.answered(ask, api.Reply(result=scenes.rules_sheet()))
    assert "Jokers in the deck" in text(shown)
    assert press(shown, "right") == [api.ShowRules(rules="sheffield", overrides={"deck.jokers": 3})]
    press(shown, "enter")
    assert "House rules (1 house rule)" in text(shown)
    assert press(shown, DOWN, "enter") == [api.PlayBots(bots=3, overrides={"deck.jokers": 3})]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("multi.fail", "discard", "discard the new one"),
        ("power.on", "discard", "when discarded"),
        ("call.threshold", -1, "any number"),
        ("call.threshold", 5, "5"),
        ("multi.max", 0, "any number"),
        ("multi.max", 1, "never several"),
        ("multi.max", 4, "4"),
        ("match.rounds", 0, "no limit"),
        ("timer.step_s", 0, "off"),
        ("turn.take", True, "yes"),
        ("snap", "off", "off"),
        ("values.X", -1, "−1"),
    ],
)
def test_a_value_of_a_rule_is_said_as_what_it_means(key: str, value: api.Value, said: str) -> None:
    assert shown_value(key, value) == said


@pytest.mark.parametrize(
    ("preset", "line"),
    [
        ("cabo-standard", '"Take a normal 52-card deck, add the two jokers"'),
        ("kabbu", "the text mentions no jokers."),
    ],
)
def test_words_of_a_text_are_quoted_once_and_ours_not_at_all(preset: str, line: str) -> None:
    shown = model(scene("start"))
    (ask,) = press(shown, "2", "up", "enter")
    shown.answered(ask, api.Reply(result=sheet_of(load_preset(preset))))
    press(shown, DOWN)
    assert line in [row.strip(" │") for row in text(shown).splitlines()]


def test_changes_belong_to_their_rule_set() -> None:
    shown = model(scene("start"))
    (ask,) = press(shown, "2", "up", "enter")
    shown.answered(ask, api.Reply(result=scenes.rules_sheet()))
    press(shown, "right", "enter", "up", "up", "right")
    assert press(shown, DOWN, DOWN, DOWN, "enter") == [api.PlayBots(bots=3, rules="cabo-standard")]


def edited(*keys: str) -> api.AnyCommand:
    shown = model(scene("start"))
    (ask,) = press(shown, "2", "up", "enter")
    shown.answered(ask, api.Reply(result=scenes.rules_sheet()))
    return press(shown, *keys)[-1]


@pytest.mark.parametrize(
    ("keys", "overrides"),
    [
        (["left"], {"deck.jokers": 1}),
        ([DOWN, DOWN, " "], {"turn.take": False}),
        ([*[DOWN] * 4, "right"], {"timer.step_s": 90}),
        ([*[DOWN] * 5, "left"], {"snap": "off"}),
        ([*[DOWN] * 7, "right"], {"snap.exposure_ms": 3000}),
        (["left", "backspace"], {}),
    ],
)
def test_rules_change_by_their_kind(keys: list[str], overrides: dict[str, api.Value]) -> None:
    assert edited(*keys) == api.ShowRules(rules="sheffield", overrides=overrides)


def test_rules_stay_in_their_limits_and_fixed_ones_stay() -> None:
    shown = model(scene("start"))
    (ask,) = press(shown, "2", "up", "enter")
    shown.answered(ask, api.Reply(result=scenes.rules_sheet()))
    press(shown, DOWN, DOWN, DOWN)
    assert press(shown, "left") == [api.ShowRules(rules="sheffield", overrides={"multi.max": 0})]
    assert press(shown, *[DOWN] * 6, "right") == []
    assert "cannot be changed here" in text(shown)


def test_rules_are_saved_by_name_and_deleted_only_when_sure() -> None:
    assert edited("right", "n", *typed("Mine"), "enter") == api.SaveRules(
        name="Mine", rules="sheffield", overrides={"deck.jokers": 3}
    )
    assert edited("delete", "delete") == api.DeleteRules(rules="sheffield")


def test_rules_that_cannot_be_played_say_why() -> None:
    shown = model(scene("turn"))
    (ask,) = press(shown, "y")
    shown.answered(ask, api.Reply(result=replace(scenes.rules_sheet(), problem="deck.packs: 9 is too many")))
    assert "Cannot be played: deck.packs: 9 is too many" in text(shown)
    assert press(shown, "right") == []


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        (["enter"], api.Ready(snapshot=3, ready=False)),
        (["b"], api.SeatBot()),
        (["w", "enter"], api.WordsMatch(key="Dana")),
        (["y"], api.ShowRules()),
        (["q", "q"], api.Leave()),
    ],
)
def test_lobby(keys: list[str], command: api.AnyCommand) -> None:
    assert press(model(scene("lobby")), *keys) == [command]


def test_the_lobby_shows_people_words_and_the_whole_invite() -> None:
    shown = text(model(scene("lobby"), 120, 40))
    assert "4 of 6 seats" in shown
    assert "copper ladder plum tide" in shown
    assert "known, 12 matches, ✓ words matched" in shown
    assert "through Cleo, who can’t read it, 58 ms" in shown
    assert "kaboo1aebqc2lt7ym4xkpdq3rnovfh52gwuuz6ae3kfdypm7tc" in shown
    assert "Waiting for Dana." in shown


def test_the_opener_deals_when_all_are_ready() -> None:
    snapshot = scene("lobby")
    assert snapshot.lobby is not None
    bot = api.Friend(key="bot-1", name="Emil", words=(), bot=True, ready=True)
    lobby = replace(snapshot.lobby, can_start=True, waiting_for=(), friends=(*snapshot.lobby.friends, bot))
    shown = model(replace(snapshot, lobby=lobby))
    assert "[Enter] Deal" in text(shown)
    assert press(shown, "enter") == [api.StartTable()]
    assert press(shown, "u") == [api.UnseatBot(key="bot-1")]


def test_a_guest_seats_no_bots() -> None:
    snapshot = scene("lobby")
    assert snapshot.lobby is not None
    shown = model(replace(snapshot, lobby=replace(snapshot.lobby, opener=False)))
    assert press(shown, "b") == []
    assert "B does nothing here." in text(shown)


def test_a_guest_by_invite_is_told_what_is_known_and_what_ready_means() -> None:
    shown = model(scene("guest"))
    seen = text(shown)
    assert "Ada’s table: waiting for players" in seen
    assert "The rules are up to Ada. Ready means that you play by them" in seen
    assert "Ada deals when all are ready." in seen
    assert "Read the rules" not in seen
    assert press(shown, "y") == []


def test_a_guest_by_invite_reads_the_rules_before_it_is_ready() -> None:
    shown = model(scene("told"))
    seen = text(shown)
    assert "Kitchen table: waiting for players" in seen
    assert "Rules: Sheffield Kaboo with 2 house rules" in seen
    assert "2 of 6 seats" in seen
    assert "Ready means" not in seen
    assert press(shown, "enter") == [api.Ready(snapshot=3)]
    assert press(shown, "y") == [api.ShowRules()]


def test_a_guest_is_told_what_is_not_as_it_read() -> None:
    seen = " ".join(text(model(scene("rules_changed"), 100, 40)).split())
    assert "! The rules are not those you were shown: match.rounds = 1 instead of 5." in seen
    assert "[Enter] I am ready" in seen


def test_a_guest_from_the_network_is_told_the_rules_that_were_announced() -> None:
    snapshot = scene("guest")
    assert snapshot.lobby is not None
    rules = api.RulesName(id="", name="Kabbu", preset="sheffield")
    seen = text(model(replace(snapshot, lobby=replace(snapshot.lobby, name="Attic", rules=rules))))
    assert "Attic: waiting for players" in seen
    assert "Rules: Kabbu" in seen
    assert "As Ada announced." in seen


def test_a_lobby_problem_is_said() -> None:
    snapshot = scene("lobby")
    assert snapshot.lobby is not None
    problem = api.Say(key="error.nobody", params={"reason": "no answer"})
    shown = model(replace(snapshot, lobby=replace(snapshot.lobby, problem=problem)))
    assert "! Nobody can be reached at this table: no answer" in text(shown)


def test_the_invite_page_has_the_code_and_both_texts() -> None:
    shown = model(scene("lobby"), 100, 60)
    press(shown, "i")
    picture = text(shown)
    assert "Good for 2:00." in picture
    assert "p2pkaboo://kaboo1" in picture
    assert "█" in picture
    shown.resize(24, 60)
    assert "needs a window 37 columns wide" in " ".join(text(shown).split())


def squares(lines: list[Text]) -> list[str]:
    """Half blocks back to rows of squares: "1" is dark."""
    upper = {"█": "0", "▀": "0", "▄": "1", " ": "1"}
    lower = {"█": "0", "▄": "0", "▀": "1", " ": "1"}
    rows = []
    for line in lines:
        rows.append("".join(upper[c] for c in line.plain))
        rows.append("".join(lower[c] for c in line.plain))
    return rows


def test_a_qr_code_keeps_every_square_and_its_border() -> None:
    code = ("101", "010", "111")
    found = squares(qr_lines(code))
    assert [row[2:5] for row in found[2:5]] == list(code)
    assert set("".join((*found[:2], *found[5:7]))) == {"0"}
    assert all(row[:2] == "00" and row[5:7] == "00" for row in found)


def test_ways_to_be_reached() -> None:
    shown = model(scene("lobby"))
    press(shown, "a")
    said = text(shown)
    assert "In this network   announced: who is in it can find the table" in said
    assert "Your network      192.168.1.20:27620: ✓ somebody has come this way" in said
    assert "IPv6              [2001:db8::7]:27620: if they have IPv6 too and your router lets it in" in said
    assert "Your router       ✗ does not work" in said
    assert said.count("✓ somebody") == 1


def test_history_opens_a_report_and_a_report_the_steps() -> None:
    shown = model(scene("start"), 130, 40)
    (ask,) = press(shown, "7")
    shown.answered(ask, api.Reply(result=scenes.history()))
    assert "2026-11-28 21:14  Kitchen table · Sheffield Kaboo · you 38, ★ Ben 27" in text(shown)
    (ask,) = press(shown, "enter")
    assert ask == api.ShowReport(match="m1")
    shown.answered(ask, api.Reply(result=scenes.report()))
    assert "✓ It all checks out." in text(shown)
    assert "Ada, place 2: joker               you (first look), Ben (turn 9: looked)" in text(shown)
    assert press(shown, "v") == [api.SaveTranscript(match="m1")]
    assert press(shown, "p") == [api.ShowReport(match="m1", round=3)]
    assert press(shown, "n") == []
    (ask,) = press(shown, "g")
    assert ask == api.ShowSteps(match="m1", round=4, count=500)
    shown.answered(ask, api.Reply(result=scenes.steps()))
    assert "Cleo shuffled the whole deck and proved that no card was added, lost or swapped  1 proof\n" in text(shown)
    assert "✗ refused" in text(shown)
    press(shown, "esc", "esc", "esc")
    assert "Play against bots" in text(shown)


def test_more_steps_are_fetched_as_one_scrolls() -> None:
    shown = model(scene("turn"))
    (ask,) = press(shown, "r")
    shown.answered(ask, api.Reply(result=scenes.report()))
    (ask,) = press(shown, "g")
    shown.answered(ask, api.Reply(result=replace(scenes.steps(), total=9)))
    assert press(shown, DOWN) == [api.ShowSteps(match="m1", round=4, first=4, count=500)]


def test_a_saved_file_is_named() -> None:
    shown = model(scene("turn"))
    shown.answered(api.SaveTranscript(), api.Reply(result=api.Saved(path="match.kaboo")))
    assert "Saved to match.kaboo" in text(shown)


def test_a_card_that_many_learned_at_once_names_them_together() -> None:
    shown = scenes.report()
    lines = [line.plain for line in report_lines(shown, Voice.of(shown), 120)]
    (ten,) = (line for line in lines if line.startswith("Cleo, place 4"))
    assert ten.endswith("  you, Ben and Dana (on the pile), Cleo (turn 19: took it)")


def test_a_report_that_is_not_there_leaves_no_empty_page() -> None:
    shown = model(scene("turn"))
    (ask,) = press(shown, "r")
    shown.answered(ask, api.Reply(error=api.Say(key="error.other", params={"reason": "no round yet"})))
    assert "No round yet" in text(shown)
    assert "● Your turn" in text(shown)


def test_the_log_is_whole_and_goes_on() -> None:
    snapshot = scene("turn")
    assert snapshot.table is not None
    shown = model(snapshot, 100, 40)
    (ask,) = press(shown, "l")
    first = api.LogLine(number=0, say=api.Say(key="log.round", params={"round": 1, "seat": 1}), at_ms=0)
    shown.answered(ask, api.Reply(result=api.LogPage(lines=(first,))))
    assert "Round 1, Ben dealt" in text(shown)
    newest = api.LogLine(number=99, say=api.Say(key="log.called", params={"seat": 2}), at_ms=5)
    shown.heard(replace(snapshot, number=5, table=replace(snapshot.table, log=(newest,))))
    assert "Cleo called Kaboo" in text(shown)


def test_the_log_opens_at_its_newest_line_also_when_it_comes_after_the_page() -> None:
    shown = model(scene("turn"), 100, 20)
    (ask,) = press(shown, "l")
    text(shown)  # drawn with the few lines that the table has, before the answer
    lines = [
        api.LogLine(number=n, say=api.Say(key="log.round", params={"round": n, "seat": 1}), at_ms=n)
        for n in range(1000, 1100)
    ]
    shown.answered(ask, api.Reply(result=api.LogPage(lines=tuple(lines))))
    assert "Round 1099, Ben dealt" in text(shown)


def test_steps_are_fetched_near_the_end_of_those_that_are_there_only() -> None:
    page = StepsPage()
    steps = [
        api.Step(number=n, slot=f"{n}m", kind="", say=api.Say(key="log.called", params={"seat": 0}), seats=(0,))
        for n in range(500)
    ]
    shown = model(scene("turn"), 100, 30)
    shown.pages.append(page)
    page.heard(api.Steps(match="m", round=1, names=("Ada", "Ben"), steps=tuple(steps), total=900))
    text(shown)
    assert press(shown, DOWN, "pagedown") == []
    (more,) = press(shown, "end")
    assert isinstance(more, api.ShowSteps)
    assert more.first == 500


def test_a_list_longer_than_the_window_shows_the_line_that_is_chosen() -> None:
    snapshot = scene("start")
    left = tuple(api.Unfinished(id=str(n), name=f"Table {n}", round=1) for n in range(30))
    shown = model(replace(snapshot, unfinished=left), 80, 24)
    press(shown, *[DOWN] * 28)
    assert "▸   Back to my seat at “Table 28”" in text(shown)
    assert press(shown, "enter") == [api.Resume(table="28")]
    found = tuple(api.FoundTable(id=str(n), name=f"Table {n}", rules="Sheffield", taken=1, wanted=4) for n in range(30))
    shown = model(replace(snapshot, tables=found), 80, 24)
    press(shown, "4", *[DOWN] * 28)
    assert "▸   Table 28" in text(shown)


def test_a_long_message_is_shown_to_its_end() -> None:
    shown = model(scene("start"), 60, 24)
    (ask,) = press(shown, "6")
    shown.answered(ask, api.Reply(result=scenes.score_pad()))
    press(shown, "x", "enter")
    assert "one for each player in order." in " ".join(text(shown).split())
    assert len(shown.lines()) == 24
    assert all(line.cell_len <= 60 for line in shown.lines())


def test_the_keys_of_every_page_fit_a_window_of_eighty_columns() -> None:
    feet = {key: words for key, words in texts().items() if key.split(".")[-1] in ("foot", "foot_read", "end")}
    assert len(feet) > 5
    assert [key for key, words in feet.items() if len(words) > 80] == []


def test_settings_are_named_in_whole() -> None:
    shown = model(scene("start"), 80, 24)
    press(shown, "9")
    assert "Ask again before a call, a gift or an exchange of several cards" in text(shown)


def test_the_scorekeeper_has_a_column_for_every_player() -> None:
    names = ("Annabella", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana")
    shown = model(scene("start"), 80, 24)
    (ask,) = press(shown, "6")
    pad = api.ScorePad(names=names, rounds=((1,) * 7 + (777,),), totals=(1,) * 7 + (777,), leaders=tuple(range(7)))
    shown.answered(ask, api.Reply(result=pad))
    assert all(line.cell_len <= 80 for line in shown.lines())
    assert "Hana" in text(shown)
    assert text(shown).count("777") == 2


def test_a_turn_that_begins_while_one_reads_is_said() -> None:
    shown = model(moments.waiting())
    press(shown, "?")
    assert "Keys and help" in text(shown)
    shown.heard(replace(scene("turn"), number=9))
    assert "At the table: Draw, or take the 5♦." in text(shown)
    press(shown, "esc")
    assert press(shown, "d") == [api.Draw(snapshot=9)]


def test_why_it_is_fair() -> None:
    shown = model(scene("turn"), 100, 40)
    press(shown, "f")
    assert "harbor mint ladder owl" in text(shown)
    assert "Every step carries a proof." in text(shown)


def test_the_scorekeeper_adds_up() -> None:
    shown = model(scene("start"))
    (ask,) = press(shown, "6")
    shown.answered(ask, api.Reply(result=api.ScorePad()))
    assert press(shown, *typed("Ada, Ben,Cleo"), "enter") == [api.ScoreNew(names=("Ada", "Ben", "Cleo"))]
    shown.answered(ask, api.Reply(result=scenes.score_pad()))
    assert "12 leads" in text(shown)
    assert press(shown, *typed("3 −4, 5"), "enter") == [api.ScoreAdd(points=(3, -4, 5))]
    assert press(shown, DOWN, DOWN, "enter") == [api.ScoreUndo()]


@pytest.mark.parametrize("points", ["1 2", "1 2 x", "1 2 1000", ""])
def test_points_that_are_none_are_refused(points: str) -> None:
    shown = model(scene("start"))
    (ask,) = press(shown, "6")
    shown.answered(ask, api.Reply(result=scenes.score_pad()))
    assert press(shown, *typed(points), "enter") == []
    assert "Expected 3 whole numbers from −999 to 999" in text(shown)


@pytest.mark.parametrize("names", ["Ada", "Ada,Ada", "", f"{'x' * 25},Ben"])
def test_names_that_are_none_are_refused(names: str) -> None:
    shown = model(scene("start"))
    (ask,) = press(shown, "6")
    shown.answered(ask, api.Reply(result=api.ScorePad()))
    assert press(shown, *typed(names), "enter") == []
    assert "Expected 2 to 8 different names of at most 24 characters" in text(shown)


def test_leaving_a_running_match_says_that_it_forfeits() -> None:
    shown = model(scene("turn"))
    press(shown, "q")
    assert "Leave and forfeit" in text(shown)
    press(shown, DOWN, "enter")
    assert shown.over
    free = model(moments.match_over())
    assert press(free, "q") == []
    assert "forfeit" not in text(free)
    assert "Nothing is lost by leaving now." in text(free)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"bot": True, "ping_ms": 17.6}, "  bot, runs here  18 ms"),
        ({"bot": True, "ping_ms": None}, "  bot, runs here"),
        ({"route": "lan", "ping_ms": 17.6}, "  new to you  direct, same network, 18 ms"),
        ({"route": "lan", "ping_ms": None}, "  new to you  direct, same network"),
    ],
)
def test_a_friend_in_the_lobby_is_told_by_what_way_and_how_far(changes: dict[str, object], said: str) -> None:
    friend = api.Friend(key="k", name="Bo", words=("a", "b", "c", "d"))
    (line,) = friend_lines(replace(friend, **changes), 100)
    assert line.plain.endswith("a b c d" + said)

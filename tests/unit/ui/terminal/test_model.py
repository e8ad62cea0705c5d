"""The model as a whole: messages, bell, closing; and whatever is pressed whenever, nothing breaks."""

import io

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.console import Console

from p2pkaboo.peer import api
from p2pkaboo.ui.terminal.keys import NAMES
from p2pkaboo.ui.terminal.model import MESSAGE_MS, Model
from p2pkaboo.ui.terminal.table_view import command_name
from tests.e2e.web import scenes
from tests.unit.ui.terminal import moments
from tests.unit.ui.terminal.moments import NOW, model, press, scene, text

KEYS = sorted(
    {*NAMES.values(), "enter", "esc", "tab", "backspace", "ctrl-c", " ", "?", *"0123456789abcdefgklmnpqrstuvwxyé"}
)
MOMENTS = moments.everything()
RESULTS: list[api.AnyResult] = [
    *scenes.RESULTS.values(),
    api.LogPage(lines=scenes.LOG),
    api.Saved(path="x.kaboo"),
    api.History(matches=()),
    api.ScorePad(),
]
PLAYED = {
    "peek_initial",
    "draw",
    "take",
    "exchange",
    "discard",
    "peek",
    "spy",
    "swap",
    "skip",
    "snap",
    "give",
    "no_gift",
}

ACTIONS = st.one_of(
    st.sampled_from(KEYS),
    st.sampled_from(MOMENTS),
    st.sampled_from(RESULTS),
    st.tuples(st.integers(1, 120), st.integers(1, 60)),
    st.text(max_size=20).map(lambda pasted: f"paste:{pasted}"),
    st.just(api.Say(key="error.stale")),
)


def named(shown: Model, command: api.AnyCommand) -> None:
    """A command of play is one of the choices, on places that they name."""
    table = shown.snapshot.table if shown.snapshot is not None else None
    if command_name(command) not in PLAYED:
        return
    assert table is not None
    found = next(c for c in table.choices if c.command == command_name(command) and not c.off)
    offered = {(s.seat, s.position) for s in (*found.mine, *found.theirs)}
    match command:
        case api.PeekInitial() | api.Exchange():
            assert found.least <= len(command.positions) <= max(found.most, 1)
            assert {(table.you, p) for p in command.positions} <= offered
        case api.Peek() | api.Give():
            assert (table.you, command.position) in offered
        case api.Spy() | api.Snap():
            assert (command.seat, command.position) in offered
        case api.Swap():
            mine = table.you if command.of is None else command.of
            assert {(mine, command.mine), (command.seat, command.theirs)} <= offered


@settings(max_examples=300)
@given(st.sampled_from(MOMENTS), st.lists(ACTIONS, max_size=25))
def test_any_key_at_any_moment(
    first: api.Snapshot, actions: list[str | api.Snapshot | api.AnyResult | tuple[int, int] | api.Say]
) -> None:
    shown = model(first)
    number = first.number
    last: api.AnyCommand = api.Draw()
    for action in actions:
        match action:
            case api.Snapshot():
                number += 1
                shown.heard(replace(action, number=number))
            case str() if action.startswith("paste:"):
                shown.paste(action.removeprefix("paste:"))
            case str():
                for last in shown.key(action):
                    named(shown, last)
                    # What the peer would refuse as a message must not leave here.
                    msgspec.json.decode(msgspec.json.encode(last), type=api.AnyCommand)
            case api.Say():
                shown.answered(last, api.Reply(error=action))
            case (width, height):
                shown.resize(width, height)
            case _:
                shown.answered(last, api.Reply(result=action))
        lines = shown.lines()
        assert len(lines) <= shown.height
        assert all("\n" not in line.plain for line in lines)


@pytest.mark.parametrize("snapshot", MOMENTS)
@pytest.mark.parametrize("size", [(80, 24), (100, 40), (132, 50)])
def test_nothing_is_cut_off_in_a_usual_window(snapshot: api.Snapshot, size: tuple[int, int]) -> None:
    for line in model(snapshot, *size).lines():
        assert line.cell_len <= size[0], line.plain


@pytest.mark.parametrize("snapshot", MOMENTS)
def test_every_moment_is_drawn_without_an_unknown_key(snapshot: api.Snapshot) -> None:
    picture = text(model(snapshot, 132, 50))
    for word in picture.split():
        family = word.split(".")[0]
        assert not (
            "." in word[:-1] and family in {"do", "todo", "detail", "log", "bad", "seat", "pile", "off", "now"}
        ), word


def test_the_screen_is_something_rich_can_print() -> None:
    console = Console(width=100, height=30, file=io.StringIO(), record=True)
    console.print(model(scene("turn")).screen())
    assert "Draw, or take the 5♦." in console.export_text()


def test_before_the_first_snapshot_keys_mean_nothing() -> None:
    shown = Model()
    assert shown.key("d") == []
    assert text(shown) == "Connecting to your own peer…"
    shown.paste("x")
    shown.heard(api.TurnBegan(snapshot=1, seat=0))
    assert shown.bells == 0


def test_a_message_stays_for_a_while_or_until_the_next_key() -> None:
    shown = model(scene("turn"))
    press(shown, "z")
    assert "Z does nothing here." in text(shown)
    shown.clock(NOW + MESSAGE_MS - 1)
    assert "Z does nothing here." in text(shown)
    shown.clock(NOW + MESSAGE_MS)
    assert "Z does nothing here." not in text(shown)
    press(shown, "z", "1")
    assert "Z does nothing here." not in text(shown)


def test_time_never_goes_back() -> None:
    shown = model(scene("turn"))
    shown.clock(NOW + 500)
    shown.clock(NOW)
    assert "open 0.9 s" in text(shown)


def test_the_bell_rings_when_something_is_asked() -> None:
    shown = model(moments.waiting())
    assert shown.bells == 0
    shown.heard(replace(scene("turn"), number=5))
    assert shown.bells == 1
    shown.heard(replace(scene("drawn"), number=6))
    assert shown.bells == 1
    shown.heard(replace(moments.waiting(), number=7))
    shown.heard(replace(scene("turn"), number=8, settings=api.Settings(sound=False)))
    assert shown.bells == 1


def test_the_bell_rings_for_a_cheat() -> None:
    shown = model(moments.waiting())
    cheat = scene("cheat")
    assert cheat.table is not None
    assert cheat.table.caught is not None
    shown.heard(api.CheatCaught(snapshot=3, caught=cheat.table.caught))
    assert shown.bells == 1


def test_ctrl_c_closes_at_once_where_nothing_is_at_stake() -> None:
    shown = model(scene("start"))
    press(shown, "ctrl-c")
    assert shown.over


def test_ctrl_c_at_a_table_is_asked_once_more() -> None:
    shown = model(scene("turn"))
    press(shown, "ctrl-c")
    assert not shown.over
    assert "Press Ctrl-C again to close. Your seat is kept" in text(shown)
    press(shown, "1", "ctrl-c")
    assert not shown.over
    press(shown, "ctrl-c")
    assert shown.over


def test_pages_close_when_the_peer_goes_elsewhere() -> None:
    shown = model(scene("start"))
    press(shown, "2")
    shown.heard(replace(scene("dealing"), number=7))
    assert "Dealing" in text(shown)
    assert "Bots" not in text(shown)


def test_a_new_notice_is_a_message() -> None:
    shown = model(moments.waiting())
    notice = api.Say(key="notice.table_gone", params={"name": "Attic"})
    shown.heard(replace(moments.waiting(), number=4, notice=notice))
    assert "The table “Attic” is gone." in text(shown)


@pytest.mark.parametrize(
    ("snapshot", "ticks"), [(scene("turn"), True), (scene("start"), False), (scene("dealing"), False)]
)
def test_ticking_only_while_something_runs_out(snapshot: api.Snapshot, ticks: bool) -> None:
    assert model(snapshot).ticking() is ticks

"""Playbook of the table: at this moment, these keys, those commands."""

import pytest
from msgspec.structs import replace

from p2pkaboo.peer import api
from p2pkaboo.peer.api import Snapshot
from p2pkaboo.ui.terminal.model import Model
from tests.unit.ui.terminal import moments
from tests.unit.ui.terminal.moments import model, press, scene, text


@pytest.mark.parametrize(
    ("snapshot", "keys", "command"),
    [
        (scene("turn"), ["d"], api.Draw(snapshot=2)),
        (scene("turn"), ["D"], api.Draw(snapshot=2)),
        (scene("turn"), ["enter"], api.Draw(snapshot=2)),
        (scene("turn"), ["t"], api.Take(snapshot=2)),
        (scene("turn"), ["c", "c"], api.CallRound(snapshot=2)),
        (scene("turn"), ["c", "enter"], api.CallRound(snapshot=2)),
        (scene("drawn"), ["x"], api.DiscardDrawn(snapshot=2)),
        (scene("drawn"), ["3", "enter"], api.Exchange(snapshot=2, positions=(2,), into=2)),
        (scene("drawn"), ["3", "2", "enter"], api.Exchange(snapshot=2, positions=(1,), into=1)),
        (scene("drawn"), ["right", "right", " ", "enter"], api.Exchange(snapshot=2, positions=(1,), into=1)),
        (moments.multi(), ["2", "enter"], api.Exchange(snapshot=2, positions=(1,), into=1)),
        (
            moments.multi(),
            ["4", "2", "enter", "enter"],
            api.Exchange(snapshot=2, positions=(3, 1), into=3, end="right"),
        ),
        (
            moments.multi(),
            ["1", "2", "e", "enter", "enter"],
            api.Exchange(snapshot=2, positions=(0, 1), into=0, end="left"),
        ),
        (moments.first_look(), ["enter"], api.PeekInitial(snapshot=2, positions=(0, 1))),
        (moments.first_look(6), ["5", "2", "enter"], api.PeekInitial(snapshot=2, positions=(1, 4))),
        (scene("peek"), ["enter"], api.Seen(snapshot=2)),
        (scene("spy-six"), ["tab", "tab", "4", "enter"], api.Spy(snapshot=2, seat=2, position=3)),
        (scene("spy-six"), ["shift-tab", "1", "enter"], api.Spy(snapshot=2, seat=5, position=0)),
        (scene("spy-six"), ["esc"], api.Skip(snapshot=2)),
        (moments.swap(), ["2", "tab", "3", "enter"], api.Swap(snapshot=2, mine=1, seat=1, theirs=2)),
        (moments.swap(), ["tab", "3", "tab", "tab", "2", "enter"], api.Swap(snapshot=2, mine=1, seat=1, theirs=2)),
        (
            moments.swap(anywhere=True),
            ["tab", "1", "tab", "4", "enter"],
            api.Swap(snapshot=2, mine=0, seat=2, theirs=3, of=1),
        ),
        (moments.look_swap(), ["3", "enter"], api.Swap(snapshot=2, mine=2, seat=2, theirs=1)),
        (moments.queen(), ["1", "enter"], api.Peek(snapshot=2, position=0)),
        (moments.queen(), ["tab", "2", "enter"], api.Spy(snapshot=2, seat=1, position=1)),
        (moments.gift(), ["2", "enter", "enter"], api.Give(snapshot=2, position=1)),
        (moments.gift(), ["esc"], api.NoGift(snapshot=2)),
        (moments.waiting(), ["3", "s"], api.Snap(snapshot=2, seat=0, position=2)),
        (moments.waiting(), ["s", "3"], api.Snap(snapshot=2, seat=0, position=2)),
        (moments.waiting(), ["tab", "2", "s"], api.Snap(snapshot=2, seat=1, position=1)),
        (moments.waiting(), ["s", "tab", "tab", "2"], api.Snap(snapshot=2, seat=2, position=1)),
        (scene("drawn"), ["4", "s"], api.Snap(snapshot=2, seat=0, position=3)),
        (scene("result"), ["enter"], api.Ready(snapshot=2)),
        (moments.match_over(), ["enter"], api.Leave(snapshot=2)),
        (scene("cheat"), ["enter"], api.Ready(snapshot=2)),
        (scene("cheat"), ["v"], api.SaveTranscript(evidence=True)),
        (scene("cheat"), ["k", "k"], api.StopMatch(snapshot=2)),
        (scene("turn"), ["m"], api.SetSetting(name="sound", value=False)),
        (scene("turn"), ["l"], api.ShowLog()),
        (scene("turn"), ["r"], api.ShowReport()),
        (scene("turn"), ["y"], api.ShowRules()),
        (scene("turn"), ["q", "down", "down", "enter"], api.Leave(snapshot=2)),
    ],
)
def test_keys_give_the_command(snapshot: Snapshot, keys: list[str], command: api.AnyCommand) -> None:
    assert press(model(snapshot), *keys) == [command]


@pytest.mark.parametrize(
    ("snapshot", "keys", "line"),
    [
        (scene("turn"), ["x"], "There is nothing to discard: Draw, or take the 5♦."),
        (scene("drawn"), ["d"], "You cannot draw now: Place the 9♣, or discard it."),
        (scene("drawn"), ["enter"], "First: mark a place for it."),
        (scene("final"), ["c"], "You cannot call now: Ben has called already"),
        (scene("final"), ["s"], "Nothing can be snapped now."),
        (scene("final"), ["1"], "Nothing can be done with your place 1 now."),
        (scene("final"), ["4"], "You have no card in place 4."),
        (scene("drawn"), ["tab", "2"], "Ben has no card in place 2."),
        (scene("dealing"), ["3"], "You have no card in place 3."),
        (moments.waiting(), ["d"], "You cannot draw now: Ben is on turn."),
        (moments.waiting(), ["enter"], "Nothing to confirm: Ben is on turn."),
        (moments.waiting(), ["esc"], "Nothing to leave or take back."),
        (moments.waiting(), ["e"], "There is no end to choose"),
        (moments.watching(), ["d"], "You are watching: you have no cards."),
        (moments.watching(), ["1"], "You are watching: you have no cards."),
        (moments.first_look(6), ["1", "enter"], "First: mark 2 of your cards."),
        (scene("turn"), ["z"], "Z does nothing here. ? shows the keys."),
        (scene("turn"), ["pageup"], "Pageup does nothing here."),
        (scene("turn"), ["²"], "² does nothing here."),
    ],
)
def test_a_wrong_key_gives_one_line_and_sends_nothing(snapshot: Snapshot, keys: list[str], line: str) -> None:
    shown = model(snapshot)
    assert press(shown, *keys) == []
    assert line in text(shown)


def test_a_wrong_key_loses_no_marks() -> None:
    shown = model(scene("drawn"))
    assert press(shown, "2", "t", "z", "enter") == [api.Exchange(snapshot=2, positions=(1,), into=1)]


def test_a_call_is_asked_once_more_and_can_be_taken_back() -> None:
    shown = model(scene("turn"))
    assert press(shown, "c") == []
    assert "Really call?" in text(shown)
    assert press(shown, "esc") == []
    assert "Really call?" not in text(shown)
    assert press(shown, "c") == []


def test_a_call_asked_about_is_forgotten_when_marks_change() -> None:
    assert press(model(moments.multi()), "1", "2", "enter", "3", "enter") == []


def test_without_confirmations_one_press_is_enough() -> None:
    snapshot = replace(scene("turn"), settings=api.Settings(confirm_calls=False))
    assert press(model(snapshot), "c") == [api.CallRound(snapshot=2)]
    several = replace(moments.multi(), settings=api.Settings(confirm_calls=False))
    assert len(press(model(several), "1", "2", "enter")) == 1


def test_esc_takes_marks_back_before_it_skips() -> None:
    shown = model(moments.swap())
    assert press(shown, "1", "esc") == []
    assert press(shown, "esc") == [api.Skip(snapshot=2)]


def test_a_number_never_snaps_by_itself() -> None:
    assert press(model(moments.waiting()), "1", "2", "3") == []


def test_a_snap_keeps_the_marks_of_the_turn() -> None:
    shown = model(scene("drawn"))
    assert [type(c) for c in press(shown, "2", "tab", "s", "1", "enter")] == [api.Snap, api.Exchange]


def test_more_marks_than_wanted_drop_the_oldest() -> None:
    shown = model(moments.first_look(6))
    assert press(shown, "1", "3", "5", "enter") == [api.PeekInitial(snapshot=2, positions=(2, 4))]


def test_while_a_card_lies_open_enter_promises_nothing_but_to_turn_it_back() -> None:
    snapshot = moments.look_swap()
    assert snapshot.table is not None
    assert "[Enter] Mark two cards to swap" in text(model(snapshot))
    looking = replace(snapshot.table, choices=(*snapshot.table.choices, api.Choice(command="seen")))
    shown = model(replace(snapshot, table=looking))
    assert text(shown).count("[Enter]") == 1
    assert "[Enter] Done looking" in text(shown)
    assert press(shown, "3", "enter") == [api.Seen(snapshot=2)]


def test_what_enter_waits_for_says_whose_card() -> None:
    shown = text(model(moments.queen()))
    assert "[Enter] Mark one of your cards to look at" in shown
    assert "[Enter] Mark another player’s card to look at" in shown


def test_the_same_number_takes_its_mark_back() -> None:
    shown = model(scene("drawn"))
    assert press(shown, "2", "2", "enter") == []


def test_tab_goes_round_the_hands_with_something_to_mark() -> None:
    shown = model(moments.look_swap())
    press(shown, "tab")
    assert "Numbers mark Cleo’s cards." in text(shown)
    press(shown, "tab")
    assert "Numbers mark" not in text(shown)


def test_the_tenth_place_has_a_key_and_the_others_the_arrows() -> None:
    places = tuple(api.Place(position=p) for p in range(12))
    snapshot = scene("drawn")
    assert snapshot.table is not None
    me = replace(snapshot.table.seats[0], places=places)
    mine = tuple(api.Spot(where="place", seat=0, position=p) for p in range(12))
    table = replace(
        snapshot.table,
        seats=(me, *snapshot.table.seats[1:]),
        choices=(api.Choice(command="exchange", mine=mine),),
    )
    shown = model(replace(snapshot, table=table))
    assert press(shown, "0", "enter") == [api.Exchange(snapshot=2, positions=(9,), into=9)]
    assert press(shown, "left", " ", "enter") == [api.Exchange(snapshot=2, positions=(11,), into=11)]


def refuse(shown: Model, command: api.AnyCommand, key: str, **params: str | int | None) -> None:
    shown.answered(command, api.Reply(error=api.Say(key=key, params=params)))


def test_a_refused_command_says_why_and_gives_the_marks_back() -> None:
    shown = model(scene("drawn"))
    (sent,) = press(shown, "3", "enter")
    refuse(shown, sent, "error.not_yet", card="5D", ms=800)
    assert "Not yet: the 5♦ stays open to snaps for 800 ms more. Nothing was sent." in text(shown)
    assert press(shown, "enter") == [sent]


def test_marks_do_not_come_back_once_others_were_made() -> None:
    shown = model(scene("drawn"))
    (sent,) = press(shown, "3", "enter")
    press(shown, "1")
    refuse(shown, sent, "error.stale")
    assert press(shown, "enter") == [api.Exchange(snapshot=2, positions=(0,), into=0)]


def test_marks_go_when_the_moment_is_over() -> None:
    shown = model(scene("drawn"))
    press(shown, "3")
    shown.heard(replace(scene("final"), number=9))
    shown.heard(replace(scene("drawn"), number=10))
    assert press(shown, "enter") == []


def test_a_race_stays_in_view_for_a_while() -> None:
    shown = model(moments.gift())
    assert "Snap on the 6♣" in text(shown)
    shown.clock(moments.NOW + 13_000)
    assert "Snap on the 6♣" not in text(shown)


def test_a_race_is_news_once_and_in_its_round_only() -> None:
    snapshot = moments.gift()
    assert snapshot.table is not None
    shown = model(snapshot)
    shown.heard(replace(snapshot, number=5, table=replace(snapshot.table, race=None)))
    assert "Snap on the 6♣" not in text(shown)
    shown.clock(moments.NOW + 13_000)
    shown.heard(replace(snapshot, number=6))
    assert "Snap on the 6♣" not in text(shown)
    fresh = model(snapshot)
    fresh.heard(replace(snapshot, number=7, table=replace(snapshot.table, round=3)))
    assert "Snap on the 6♣" not in text(fresh)


def test_a_cheat_covers_no_running_turn() -> None:
    shown = model(moments.caught_but_going_on())
    assert "Dana’s computer did not play fair. K shows what happened." in text(shown)
    assert "Ben is on turn." in text(shown)
    press(shown, "k")
    assert "Could it be an accident?" in text(shown)


def test_what_was_read_about_a_cheat_does_not_come_back() -> None:
    shown = model(scene("cheat"))
    press(shown, "enter")
    shown.heard(replace(scene("cheat"), number=5))
    assert "Could it be an accident?" not in text(shown)
    assert "The round was stopped." in text(shown)


def test_only_what_the_peer_offers_is_done_about_a_cheat() -> None:
    snapshot = scene("cheat")
    assert snapshot.table is not None
    shown = model(replace(snapshot, table=replace(snapshot.table, choices=())))
    assert "[Enter] Go on" in text(shown)
    assert "Stop the match" not in text(shown)
    assert press(shown, "k", "esc", "enter") == []
    assert "The round was stopped." in text(shown)


def test_ready_is_said_once() -> None:
    snapshot = scene("result")
    assert snapshot.table is not None
    seats = tuple(replace(seat, ready=True) for seat in snapshot.table.seats)
    shown = model(replace(snapshot, table=replace(snapshot.table, seats=seats)))
    assert press(shown, "enter") == []
    assert "You are ready." in text(shown)

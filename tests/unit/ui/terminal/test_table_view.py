"""What the table looks like: snapshot in, text out."""

import pytest
from msgspec.structs import replace

from p2pkaboo.peer import api
from tests.e2e.web.scenes import place, timer
from tests.unit.ui.terminal import moments
from tests.unit.ui.terminal.moments import NOW, model, press, scene, text


def line(shown: str, start: str) -> str:
    return next(row for row in shown.splitlines() if row.lstrip("● ▸»").startswith(start))


def test_a_turn() -> None:
    shown = text(model(scene("turn")))
    assert shown.startswith("Kitchen table · Round 2 of 5 · Sheffield Kaboo (2 house rules) · all 4 connected")
    assert "● Your turn   ◷ 0:41" in shown
    assert "  Draw, or take the 5♦." in shown
    assert "Discard [ 5♦] under it 7♠ J♠  open 1.4 s, can be snapped until covered" in shown
    assert "[D] Draw from the stock" in shown
    assert "[C] Call Kaboo, if you think your hand is the lowest" in shown
    assert "History: harbor mint ladder owl" in shown
    assert "Ben snapped place 2, J♦ on J♠  301 ms" in shown


def test_a_drawn_card_is_shown_to_its_holder() -> None:
    shown = text(model(scene("drawn")))
    assert "In your hand [ 9♣] only you see this" in shown
    assert "[X] Discard it, then look at a card" in shown
    assert "Dana looked at 2" in line(shown, "Dana")


def test_another_ones_drawn_card_is_not_shown() -> None:
    shown = text(model(scene("eight"), 120, 40))
    assert "holds a card" in line(shown, "Emil")
    assert "In your hand" not in shown


def test_gaps_keep_their_numbers_and_cards_their_backs() -> None:
    assert "(1 ▒▒▒)(2  · )(3 ▒▒▒)(4 ▒▒▒)" in line(text(model(scene("drawn"))), "Ben")


def test_a_look_shows_the_card_for_its_time() -> None:
    shown = model(scene("peek"))
    assert "6♥ in place 4: remember it." in text(shown)
    assert "│ 6♥│" in text(shown)
    assert "2.1 s" in text(shown)
    shown.clock(NOW + 1_000)
    assert "1.1 s" in text(shown)


def test_marks_are_seen_without_colours() -> None:
    shown = model(scene("drawn"))
    press(shown, "2", "tab", "3")
    picture = text(shown)
    assert "╰(1)╯ ╰▸2◂╯ ╰(3)╯ ╰(4)╯" in picture
    assert "[3 ▒▒▒]" in line(picture, "Ben")
    assert line(picture, "Ben").startswith("» Ben")


def test_the_primary_action_names_what_is_marked() -> None:
    shown = model(scene("drawn"))
    press(shown, "2")
    assert "╰▸2◂╯" in text(shown)
    assert "[Enter] Put it in place 2, that card goes out" in text(shown)
    assert "[S] Snap place 2, if it is a 5" in text(shown)


def test_a_race_shows_times_and_rulings() -> None:
    shown = text(model(scene("race")))
    assert "287 ms  ✗ wrong: Ben’s place 3 is 9♠, 2 cards more" in line(shown, "Ben           287")
    assert "312 ms  ✓ right: Cleo’s place 3 is 6♠" in shown
    assert "Timed from when each of you saw the card" in shown
    assert "?gift" in line(shown, "Cleo")


def test_who_was_slower_shows_nothing() -> None:
    snapshot = scene("race")
    assert snapshot.table is not None
    slow = api.RaceEntry(seat=3, claim_ms=500, score_ms=505, ruling="slower")
    race = api.Race(number=4, card="6C", entries=(slow,), settled=True)
    shown = text(model(replace(snapshot, table=replace(snapshot.table, race=race))))
    assert "505 ms  slower: nothing lost, nothing shown" in shown
    running = replace(race, entries=(replace(slow, ruling="open"),), settled=False)
    shown = text(model(replace(snapshot, table=replace(snapshot.table, race=running))))
    assert "505 ms  not decided yet" in shown


def test_final_turns() -> None:
    shown = text(model(scene("final")))
    assert "called: hands off" in line(shown, "Ben")
    assert "final turn done" in line(shown, "Cleo")
    assert "● Your final turn" in shown
    assert "[C] Call Kaboo, Ben has called already" in shown


def test_the_deal_shows_who_shuffles_and_who_has_checked() -> None:
    shown = text(model(scene("dealing")))
    assert "shuffled in 0.08 s  ✓ checked by you\n" in shown
    assert "Cleo          is shuffling" in shown


def test_at_a_full_table_there_is_room_for_how_many_have_checked() -> None:
    shown = text(model(scene("checking")))
    assert line(shown, "Ben           shuffled").endswith("✓ 3 of 7 checked")
    assert line(shown, "Cleo          shuffled").endswith("✓ 2 of 7 checked")


def test_a_lost_seat_shows_how_long_it_is_kept() -> None:
    snapshot = moments.waiting()
    assert snapshot.table is not None
    ben = replace(snapshot.table.seats[1], link="away", grace=timer(NOW, 41))
    seats = (snapshot.table.seats[0], ben, *snapshot.table.seats[2:])
    shown = text(model(replace(snapshot, table=replace(snapshot.table, seats=seats))))
    assert "connection lost, seat kept for 0:41" in line(shown, "Ben")
    assert "Waiting for Ben: the connection is lost." in shown
    assert "3 of 4 connected" in shown


def test_a_seat_that_does_not_answer_is_named_and_counted_as_connected() -> None:
    snapshot = moments.waiting()
    assert snapshot.table is not None
    ben = replace(snapshot.table.seats[1], link="silent")
    seats = (snapshot.table.seats[0], ben, *snapshot.table.seats[2:])
    shown = text(model(replace(snapshot, table=replace(snapshot.table, seats=seats))))
    assert "does not answer" in line(shown, "Ben")
    assert "Waiting for Ben, who is connected and does not answer." in shown
    assert "all 4 connected" in shown


def test_a_watcher_has_no_hand_and_no_actions() -> None:
    shown = text(model(moments.watching()))
    assert "[D]" not in shown
    assert "Ada" in shown
    assert "Ben is on turn." in shown


def test_a_pending_decision_is_said() -> None:
    snapshot = moments.waiting()
    assert snapshot.table is not None
    pending = api.Say(key="pending.exchange", params={"place": 1})
    shown = text(model(replace(snapshot, table=replace(snapshot.table, pending=pending))))
    assert "Waiting: Into place 2" in shown
    assert "Your choice goes out as soon as the 5♦ has been in view long enough." in shown


def test_the_peers_own_words_come_first() -> None:
    snapshot = scene("turn")
    assert snapshot.table is not None
    todo = api.Say(key="todo.call_only")
    coach = api.Say(key="coach.draw")
    shown = text(model(replace(snapshot, table=replace(snapshot.table, todo=todo, coach=coach))))
    assert "You can only call." in shown
    assert "Draw, or take" not in shown
    assert "? Draw the top card of the stock: press D." in shown


@pytest.mark.parametrize(("width", "height"), [(20, 6), (40, 12), (80, 24), (200, 60)])
def test_the_sentence_and_the_keys_are_seen_in_any_window(width: int, height: int) -> None:
    shown = model(scene("turn"), width, height)
    lines = shown.lines()
    assert len(lines) <= height
    assert "Take the" in text(shown)


def test_many_cards_fold_between_cards() -> None:
    snapshot = scene("drawn")
    assert snapshot.table is not None
    ben = replace(snapshot.table.seats[1], places=tuple(api.Place(position=p) for p in range(14)))
    seats = (snapshot.table.seats[0], ben, *snapshot.table.seats[2:])
    shown = text(model(replace(snapshot, table=replace(snapshot.table, seats=seats)), 60, 40))
    for number in range(1, 15):
        assert f"{number} ▒▒▒" in shown


def test_four_colours() -> None:
    snapshot = scene("turn")
    two = [str(span.style) for row in model(snapshot).lines() for span in row.spans]
    four = replace(snapshot, settings=api.Settings(four_colours=True))
    assert "bold blue" not in two
    assert "bold blue" in [str(span.style) for row in model(four).lines() for span in row.spans]


def test_a_gift_names_the_gap() -> None:
    snapshot = moments.gift()
    assert snapshot.table is not None
    other = replace(snapshot.table, gift_from=1, gift_to=place(0, 2), choices=())
    assert "Ben may give you a card." in text(model(replace(snapshot, table=other)))
    assert "It slides face down into place 3" in text(model(snapshot))


def test_a_long_key_is_folded_and_never_cut() -> None:
    shown = model(moments.multi(), 60, 30)
    press(shown, "1", "2")
    key = text(shown).partition("[Enter]")[2].partition("[")[0]
    assert " ".join(key.split()) == "Put it in for places 1 and 2, into 1, if they are equal, they all go out"
    assert max(len(row) for row in key.splitlines()) < 60


def test_in_a_small_window_every_hand_has_a_name_and_every_key_is_whole() -> None:
    shown = text(model(scene("turn"), 40, 15))
    for name in ("Ben", "Cleo", "Dana"):
        assert "(3 ▒▒▒)(4 ▒▒▒)" in line(shown, name)
    for key in ("[D] Draw from the stock", "[T] Take the 5♦", "[C] Call Kaboo", "[S] Snap a card"):
        assert key in shown
    assert "Discard [ 5♦]" in shown

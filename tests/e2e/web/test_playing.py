"""What pressing does: keys, clicks and taps become exactly the commands they promise."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from p2pkaboo.peer import api
from p2pkaboo.peer.guests import ANSWER_SECONDS
from tests.e2e.web import scenes
from tests.e2e.web.conftest import PHONE, faults, open_page
from tests.e2e.web.stage import Scene, Stage, staged

pytestmark = [pytest.mark.browser, pytest.mark.e2e]


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with staged(scenes.turn) as stage:
        yield stage


@pytest.fixture(scope="module")
def page(browser: Browser, stage: Stage) -> Iterator[Page]:
    page = open_page(browser)
    page.goto(stage.url)
    yield page
    assert faults(page) == []
    page.context.close()


def begin(stage: Stage, page: Page, scene: Scene) -> None:
    """Show a moment and forget what was pressed before."""
    for moment in (scenes.start, scene):
        stage.show(moment)
        page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    page.evaluate("document.activeElement.blur()")
    stage.backend.commands.clear()
    stage.backend.errors.clear()


def sent(stage: Stage, page: Page, count: int = 1) -> list[api.AnyCommand]:
    """The commands that arrived, without the snapshot number and the page's own measure."""
    for _ in range(100):
        if len(stage.commands) >= count:
            break
        page.wait_for_timeout(10)
    assert all(c.snapshot == stage.backend.number for c in stage.commands)
    plain = [replace(c, snapshot=0) for c in stage.commands]
    return [replace(c, held_ms=0.0) if isinstance(c, api.Snap) else c for c in plain]


def test_draw_and_take_by_key_and_by_click(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.turn)
    page.keyboard.press("d")
    page.keyboard.press("t")
    page.get_by_role("button", name="Stock, 29 cards").click()
    page.get_by_role("button", name="Discard pile, 5 of diamonds on top").click()
    assert sent(stage, page, 4) == [api.Draw(), api.Take(), api.Draw(), api.Take()]


def test_a_call_needs_the_key_twice_and_escape_takes_it_back(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.turn)
    page.keyboard.press("c")
    page.get_by_role("button", name="Really call?").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Call Kaboo").wait_for()
    page.keyboard.press("c")
    page.keyboard.press("c")
    assert sent(stage, page) == [api.CallRound()]


def test_enter_draws_nothing_by_itself_when_the_table_has_no_yellow_button(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.drawn)
    page.keyboard.press("Enter")
    page.wait_for_timeout(50)
    assert stage.commands == []


def test_mark_then_act(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.drawn)
    page.keyboard.press("3")
    page.get_by_role("button", name="Put it in place 3").wait_for()
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.keyboard.press("x")
    assert sent(stage, page, 2) == [api.Exchange(positions=(3,), into=3), api.DiscardDrawn()]


def test_d_twice_does_not_discard(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.drawn)
    page.keyboard.press("d")
    page.keyboard.press("d")
    page.wait_for_timeout(50)
    assert stage.commands == []


def test_the_marked_card_is_what_s_snaps(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.drawn)
    page.keyboard.press("2")
    page.keyboard.press("s")
    assert sent(stage, page) == [api.Snap(seat=0, position=1)]


def test_s_first_then_the_number(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.drawn)
    page.keyboard.press("s")
    page.get_by_role("button", name="Which card?").wait_for()
    page.keyboard.press("1")
    assert sent(stage, page) == [api.Snap(seat=0, position=0)]


def test_tab_to_another_hand_number_s(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.drawn)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("2")
    page.get_by_role("button", name="Snap Cleo’s 2").wait_for()
    page.keyboard.press("s")
    assert sent(stage, page) == [api.Snap(seat=2, position=1)]


def test_aiming_at_another_card_keeps_the_mark_for_the_turn(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.drawn)
    page.keyboard.press("3")
    page.get_by_role("button", name="Ben, place 1", exact=False).click()
    page.keyboard.press("s")
    page.keyboard.press("Enter")
    assert sent(stage, page, 2) == [api.Snap(seat=1, position=0), api.Exchange(positions=(2,), into=2)]


def test_on_your_turn_a_tap_never_snaps_by_mistake(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.turn)
    page.get_by_role("button", name="Ben, place 1", exact=False).click()
    page.wait_for_timeout(50)
    assert stage.commands == []
    page.get_by_role("button", name="Snap Ben’s 1").wait_for()


def test_when_nothing_else_is_asked_one_tap_snaps(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.eight)
    page.get_by_role("button", name="Cleo, place 2", exact=False).click()
    assert sent(stage, page) == [api.Snap(seat=2, position=1)]


def test_look_at_anothers_card_by_keyboard_alone(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.spy)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    assert sent(stage, page) == [api.Spy(seat=2, position=2)]
    begin(stage, page, scenes.spy)
    for key in ("Tab", "1", "Escape", "Escape"):
        page.keyboard.press(key)
    assert sent(stage, page) == [api.Skip()]


def test_after_acting_in_anothers_hand_numbers_mean_your_own_cards_again(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.spy)
    for key in ("Tab", "2", "Enter"):
        page.keyboard.press(key)
    assert sent(stage, page) == [api.Spy(seat=1, position=1)]
    stage.show(scenes.drawn)
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    page.keyboard.press("2")
    page.get_by_role("button", name="Put it in place 2").wait_for()


def swap_any(now: int) -> api.Snapshot:
    table = scenes.base(now, n=3, changes=0)
    choices = (
        api.Choice(
            command="swap",
            mine=scenes.own(0, 1, 2, 3),
            theirs=tuple(scenes.place(s, p) for s in (1, 2) for p in range(4)),
        ),
        api.Choice(command="skip", power="swap"),
    )
    return scenes.at_table(now, replace(table, phase="power", power="swap", choices=choices))


def test_a_swap_takes_one_of_each_side_in_any_order(stage: Stage, page: Page) -> None:
    for order in (("mine", "theirs"), ("theirs", "mine")):
        begin(stage, page, swap_any)
        for side in order:
            name = "place 4, face down" if side == "mine" else "Cleo, place 1, face down"
            page.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("button", name="Swap 4 with Cleo’s 1").wait_for()
        page.keyboard.press("Enter")
        assert sent(stage, page) == [api.Swap(mine=3, seat=2, theirs=0)]


def several(now: int) -> api.Snapshot:
    table = scenes.base(now, n=2, changes=0)
    choices = (
        api.Choice(command="exchange", mine=scenes.own(0, 1, 2, 3), most=4, ends=True, confirm=True),
        api.Choice(command="discard"),
    )
    return scenes.at_table(now, replace(table, phase="drawn", held=api.Held(seat=0, face="5H"), choices=choices))


def test_several_cards_at_once_name_the_place_and_the_end_and_are_confirmed(stage: Stage, page: Page) -> None:
    begin(stage, page, several)
    for key in ("3", "1", "e", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Really places 3 and 1?").wait_for()
    page.keyboard.press("Enter")
    assert sent(stage, page) == [api.Exchange(positions=(2, 0), into=2, end="left")]


def test_gift_and_no_gift(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.snap_race)
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    assert sent(stage, page) == [api.Give(position=3)]
    begin(stage, page, scenes.snap_race)
    page.keyboard.press("Escape")
    assert sent(stage, page) == [api.NoGift()]


def test_enter_says_ready_after_the_round(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.result)
    page.keyboard.press("Enter")
    assert sent(stage, page) == [api.Ready()]


def test_a_refusal_is_shown_beside_the_hand_and_spoken(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.turn)
    stage.backend.errors[api.Take] = api.Say(key="error.not_yet", params={"card": "5D", "ms": 800})
    page.keyboard.press("t")
    page.locator(".note .err", has_text="stays open to snaps for 800 ms more. Nothing was sent.").wait_for()
    assert "5 of diamonds" in page.locator("#live-now").inner_text()


def test_whose_turn_it_is_and_what_was_discarded_is_spoken(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.eight)
    stage.show(scenes.final)
    page.locator("#live-now", has_text="Draw, or take the 8 of hearts.").wait_for(state="attached")
    assert "8 of hearts is on the discard pile." in page.locator("#live").inner_text()


def test_the_phone_snaps_with_a_button_and_a_tap(browser: Browser, stage: Stage) -> None:
    page = open_page(browser, PHONE)
    page.goto(stage.url)
    begin(stage, page, scenes.drawn)
    page.get_by_role("button", name="Snap a card").tap()
    page.get_by_role("button", name="Dana, place 4", exact=False).tap()
    assert sent(stage, page) == [api.Snap(seat=3, position=3)]
    page.context.close()


def test_help_and_settings_open_beside_a_running_turn_and_as_pages_elsewhere(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.turn)
    page.keyboard.press("?")
    page.get_by_role("complementary", name="Keys and help").wait_for()
    stage.show(scenes.cheat)
    page.get_by_role("heading", name="did not play fair").wait_for()
    for scene in (scenes.lobby, scenes.cheat):
        begin(stage, page, scene)
        assert page.locator(".panel").count() == 0
        page.keyboard.press("l")
        page.keyboard.press("?")
        page.get_by_role("heading", name="Keys and help").wait_for()
        page.keyboard.press("?")
        page.get_by_role("heading", name="Keys and help").wait_for(state="detached")
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("switch", name="Sound").wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("switch", name="Sound").wait_for(state="detached")


def test_the_host_is_told_of_ways_to_its_table_without_promises(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.lobby)
    page.get_by_role("heading", name="Can others reach you?").wait_for()
    assert page.locator(".reach li").all_inner_texts() == [
        "In this network announced: who is in it can find the table",
        "Your network 192.168.1.20:27620: somebody has come this way",
        "IPv6 [2001:db8::7]:27620: if they have IPv6 too and your router lets it in",
        "Your router does not work",
    ]
    assert page.locator(".reach li.yes").count() == 1


def warned(now: int) -> api.Snapshot:
    race = scenes.snap_race(now)
    assert race.table is not None
    assert race.table.race is not None
    # A race of its own: the page shows each for some seconds only, and shows it no second time.
    own = replace(race.table.race, number=17)
    said = (
        api.Say(key="conduct.strikes", params={"seat": 2, "n": 1}),
        api.Say(key="conduct.strikes_warn", params={"seat": 0, "n": 4}),
    )
    return replace(race, table=replace(race.table, race=own, scores=replace(race.table.scores, conduct=said)))


def test_a_race_warns_of_late_shares_and_is_quiet_about_a_few(stage: Stage, page: Page) -> None:
    begin(stage, page, warned)
    page.locator(".race .conduct", has_text="Your share came late in 4 of the last races.").wait_for()
    assert page.locator(".race .conduct").count() == 1
    begin(stage, page, scenes.result)
    page.locator(".scorebox .conduct", has_text="Cleo’s share came late in 1 of the races so far.").wait_for()


def test_a_guest_sees_no_empty_invite_and_hears_whose_rules_they_are(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.guest)
    page.get_by_text("The rules are up to Ada. Ready means that you play by them").wait_for()
    assert page.locator(".invite").count() == 0
    assert page.locator(".btn.do").all_inner_texts() == ["I am ready"]


def first_look(now: int) -> api.Snapshot:
    look = api.Choice(command="peek_initial", mine=scenes.own(0, 1), least=2, most=2)
    return scenes.at_table(now, scenes.base(now, phase="first_look", turn=None, choices=(look,)))


def test_the_first_look_is_never_called_nothing_to_do(stage: Stage, page: Page) -> None:
    begin(stage, page, first_look)
    page.locator(".note", has_text="Once now, never again for free.").wait_for()
    assert "Nothing for you to do" not in page.locator(".note").inner_text()


def tied(now: int) -> api.Snapshot:
    shown = scenes.result(now)
    assert shown.table is not None
    assert shown.table.result is not None
    rows = tuple(replace(row, hand=3) if row.seat in (0, 1) else row for row in shown.table.result.rows)
    return replace(shown, table=replace(shown.table, result=replace(shown.table.result, rows=rows)))


def test_all_who_are_lowest_are_named(stage: Stage, page: Page) -> None:
    begin(stage, page, tied)
    page.get_by_text("You and Ben are lowest with 3 points each.").wait_for()


def test_the_second_half_of_a_double_click_presses_nothing_else(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.turn)
    page.get_by_role("button", name="Call Kaboo").dblclick()
    page.get_by_role("button", name="Really call?").wait_for()
    page.wait_for_timeout(50)
    assert stage.commands == []
    page.wait_for_timeout(600)  # longer than a double click takes
    page.get_by_role("button", name="Really call?").click()
    assert sent(stage, page) == [api.CallRound()]


def test_enter_acts_while_the_log_is_open_beside_the_table(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.drawn)
    page.keyboard.press("l")
    page.locator(".panel").wait_for()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    page.keyboard.press("Escape")
    assert [type(command) for command in stage.commands] == [api.ShowLog, api.Exchange]


@pytest.mark.parametrize("by", ["click", "focus"])
def test_enter_presses_the_yellow_button_and_not_what_came_under_the_focus(stage: Stage, page: Page, by: str) -> None:
    begin(stage, page, scenes.drawn)
    button = page.get_by_role("button", name="Discard it")
    button.click() if by == "click" else button.press("Enter")
    assert sent(stage, page) == [api.DiscardDrawn()]
    choices = (api.Choice(command="peek", mine=scenes.own(0, 1, 2, 3)), api.Choice(command="skip", power="peek"))
    stage.show(lambda now: scenes.at_table(now, scenes.base(now, phase="power", power="peek", choices=choices)))
    page.get_by_role("button", name="Do not look").wait_for()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.wait_for_timeout(50)
    assert [type(command) for command in stage.commands] == [api.DiscardDrawn, api.Peek]


@pytest.mark.parametrize(
    ("scene", "cost", "do"),
    [
        (scenes.turn, "the others cannot go on without you", "Leave for good"),
        (scenes.lobby, "Others are here already.", "Leave"),
    ],
)
def test_leaving_is_asked_for_once_more_while_the_table_moves_on(
    stage: Stage, page: Page, scene: Scene, cost: str, do: str
) -> None:
    begin(stage, page, scene)
    leave, dialog = page.get_by_role("button", name="Leave the table"), page.get_by_role("alertdialog")
    leave.click()
    dialog.filter(has_text=cost).wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Stay"
    leave.dblclick()
    stage.show(scene)
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    dialog.wait_for()
    dialog.get_by_role("button", name="Stay").press("Enter")
    dialog.wait_for(state="detached")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Leave the table"
    assert stage.commands == []
    leave.click()
    dialog.get_by_role("button", name=do).click()
    assert sent(stage, page) == [api.Leave()]


def waits(now: int, **changes: Any) -> api.Snapshot:
    """Ben is on turn."""
    return scenes.at_table(now, scenes.base(now, turn=1, phase="drawn", held=api.Held(seat=1), **changes))


def test_a_snap_is_said_to_be_in_until_something_is_known_of_it(stage: Stage, page: Page) -> None:
    begin(stage, page, lambda now: waits(now, choices=(scenes.snap_all(),)))
    page.keyboard.press("2")
    assert sent(stage, page) == [api.Snap(seat=0, position=1)]
    stage.show(waits)
    page.locator(".note", has_text="Your snap is in. All clocks are compared.").wait_for()
    race = replace(scenes.snap_race(0).table.race, number=29)  # type: ignore[union-attr, type-var]
    stage.show(lambda now: waits(now, race=race))
    page.locator(".note", has_text="Nothing for you to do yet.").wait_for()


def test_a_race_makes_room_for_the_next_card_that_can_be_snapped(stage: Stage, page: Page) -> None:
    race = replace(scenes.snap_race(0).table.race, number=31)  # type: ignore[union-attr, type-var]
    begin(stage, page, lambda now: waits(now, race=race, top_since=4))
    page.locator(".race").wait_for()
    stage.show(lambda now: waits(now, race=race, top_since=9))
    page.locator(".race").wait_for(state="detached", timeout=1500)
    page.locator(".pile.discard", has_text="can be snapped").wait_for()


SPY = api.Choice(command="spy", theirs=tuple(scenes.place(seat, 0) for seat in (1, 2, 3)))
PEEK = api.Choice(command="peek", mine=scenes.own(0, 1, 2, 3))
KABBU: dict[str, Any] = {"phase": "drawn", "held": api.Held(seat=0, face="QC")}
"""A drawn card whose power comes before it is discarded."""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"turn": 1, "phase": "power", "power": "spy"}, "Ben may look at another player’s card."),
        ({"turn": 1, "phase": "power", "power": "look-two-swap"}, "Ben looks at two cards and swaps them."),
        ({"turn": 1, "phase": "power"}, "Ben may use a power."),
        ({"phase": "power", "power": "spy"}, "One moment."),
        ({"phase": "power", "power": "spy"}, "The other computers do their part of this step."),
        ({"phase": "gift", "gift_from": 0, "gift_to": scenes.place(1, 2)}, "One moment."),
        ({"caller": 1, "choices": (api.Choice(command="take"),)}, "Take the 5"),
        ({**KABBU, "choices": (SPY,)}, "Look at somebody’s card."),
        ({**KABBU, "choices": (PEEK, SPY)}, "Look at one of yours and one of another’s."),
        ({**KABBU, "choices": (SPY,)}, "lets you do so. Mark what you choose"),
    ],
)
def test_the_sentence_is_true_of_this_moment(stage: Stage, page: Page, changes: dict[str, Any], said: str) -> None:
    begin(stage, page, lambda now: scenes.at_table(now, scenes.base(now, **changes)))
    page.locator(".note", has_text=said).wait_for()
    assert "or call" not in page.locator(".note").inner_text()


@pytest.mark.parametrize("grace_s", [0, 41])
def test_a_lost_player_is_waited_for_without_a_count_that_ends_in_nothing(
    stage: Stage, page: Page, grace_s: int
) -> None:
    def lost(now: int) -> api.Snapshot:
        table = scenes.base(now, turn=1, phase="drawn", held=api.Held(seat=1), choices=(scenes.snap_all(),))
        grace = scenes.timer(now, grace_s, 60, "grace") if grace_s else None
        ben = replace(table.seats[1], link="away", grace=grace)
        return scenes.at_table(now, replace(table, seats=(table.seats[0], ben, *table.seats[2:])))

    begin(stage, page, lost)
    page.locator(".note", has_text="Waiting for Ben: the connection is lost.").wait_for()
    page.locator(".note", has_text="The seat is kept. The round goes on as soon as Ben is back.").wait_for()
    assert page.locator(".away .pts").inner_text() == "connection lost"


@pytest.mark.parametrize(
    ("still", "said"),
    [
        ("to_come", "After your turn the others finish, then all cards are turned up."),
        ("done", "After your turn all cards are turned up."),
    ],
)
def test_a_final_turn_says_whether_others_follow(stage: Stage, page: Page, still: str, said: str) -> None:
    def final(now: int) -> api.Snapshot:
        table = scenes.base(now, caller=1, choices=(api.Choice(command="draw"),))
        ends = {0: "now", 2: "done", 3: still}
        seats = tuple(replace(seat, called=seat.seat == 1, final_turn=ends.get(seat.seat, "")) for seat in table.seats)
        return scenes.at_table(now, replace(table, seats=seats))

    begin(stage, page, final)
    page.locator(".note", has_text=said).wait_for()


def test_the_log_shows_its_end_after_a_panel_too(stage: Stage, page: Page) -> None:
    drew: tuple[str, dict[str, str | int | None], str] = ("log.drew", {"seat": 1}, "")
    long = scenes.log(*[drew] * 40)
    begin(stage, page, lambda now: waits(now, log=long))
    for _ in range(2):
        page.keyboard.press("?")
    page.locator(".side .log").wait_for()
    gap = page.evaluate(
        "(() => { const l = document.querySelector('.log'); return l.scrollHeight - l.clientHeight - l.scrollTop; })()"
    )
    assert gap <= 1


def test_what_went_wrong_is_in_sight_of_who_pressed_far_below(browser: Browser, stage: Stage) -> None:
    page = open_page(browser, PHONE)
    page.goto(stage.url)
    begin(stage, page, scenes.start)
    stage.backend.errors[api.Join] = api.Say(key="error.lost")
    page.get_by_label("With an invite").fill("kaboo1")
    page.keyboard.press("Enter")
    said = page.locator(".pageerr")
    said.wait_for()
    box = said.bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= PHONE[1] - box["height"]
    page.context.close()


def test_the_opener_is_told_what_pressing_deal_does(stage: Stage, page: Page) -> None:
    def lobby(now: int, can_start: bool) -> api.Snapshot:
        shown = scenes.lobby(now)
        assert shown.lobby is not None
        return replace(shown, lobby=replace(shown.lobby, can_start=can_start))

    begin(stage, page, lambda now: lobby(now, True))
    page.get_by_text("Waiting for Dana. Whoever is not ready 15 seconds after you press gets no seat.").wait_for()
    assert ANSWER_SECONDS == 15
    page.get_by_role("button", name="Deal when all are ready").click()
    assert sent(stage, page) == [api.StartTable()]
    stage.show(lambda now: lobby(now, False))
    page.get_by_role("button", name="Dealing as soon as all are ready…").wait_for()


def test_typing_in_a_field_plays_nothing(stage: Stage, page: Page) -> None:
    begin(stage, page, scenes.start)
    page.get_by_label("With an invite").fill("kaboo1")
    page.keyboard.type("dtx")
    page.keyboard.press("Enter")
    assert sent(stage, page) == [api.Join(invite="kaboo1dtx")]


VSYNC_MS = 1000 / 60
EMPTY_FRAMES = """async () => {
    const took = [];
    for (let i = 0; i < 15; i++) took.push(await new Promise((done) => setTimeout(() => {
        const asked = performance.now();
        requestAnimationFrame(() => {
            const port = new MessageChannel();
            port.port1.onmessage = () => done(performance.now() - asked);
            port.port2.postMessage(0);
        });
    }, 15)));
    return took;
}"""
"""How long the machine takes to give the page a frame, in ms."""


def test_a_key_press_is_on_the_screen_within_50_ms(stage: Stage, page: Page) -> None:
    """Median over 30 presses with four seats, from the event's own time stamp to the frame after the change.

    The best of a few series counts: other programs on a crowded machine can only make it slower. By how much the
    machine itself is late is seen from frames in which nothing changes.
    """
    begin(stage, page, scenes.drawn)
    page.evaluate(
        """() => {
            window.took = [];
            addEventListener('keydown', (e) => requestAnimationFrame(() => {
                const port = new MessageChannel();
                port.port1.onmessage = () => window.took.push(performance.now() - e.timeStamp);
                port.port2.postMessage(0);
            }));
        }"""
    )
    late = []
    for _ in range(5):
        page.evaluate("window.took.length = 0")
        for i in range(30):
            page.keyboard.press("1234"[i % 4])
            page.wait_for_timeout(15)
        took = page.evaluate("window.took")
        assert len(took) >= 25
        crowded = max(0.0, median(page.evaluate(EMPTY_FRAMES)) - VSYNC_MS)
        late.append(median(took) - crowded)
        if late[-1] <= 50:
            break
    assert min(late) <= 50

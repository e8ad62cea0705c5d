"""Windows that are neither a desk's nor a phone's: whatever can be pressed at the table can be reached and pressed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from p2pkaboo.peer import api
from tests.e2e.web import scenes
from tests.e2e.web.conftest import PHONE, WIDE, faults, open_page
from tests.e2e.web.scenes import PAGES, RESULTS, SCENES
from tests.e2e.web.stage import Scene, Stage, staged

pytestmark = [pytest.mark.browser, pytest.mark.e2e]

SIZES = {
    "desk": WIDE,
    "phone": PHONE,
    "barred": (390, 664),
    "low-phone": (375, 553),
    "narrow": (320, 568),
    "small": (360, 640),
    "sideways": (844, 390),
    "low": (1024, 600),
    "tablet": (768, 1024),
    "zoomed": (640, 360),
}
MOMENTS = ("turn", "drawn", "spy-six", "eight", "race", "final")

HIDDEN = """async () => {
  await Promise.all(document.getAnimations().filter((a) => !a.effect.target.dataset.run).map((a) => a.finished));
  const found = [];
  for (const e of document.querySelectorAll('.place button, .around .slot > button, .pile > button, .bar button')) {
    let seen = 'no box';
    for (const block of ['nearest', 'center', 'start']) {
      e.scrollIntoView({block, inline: 'nearest', behavior: 'instant'});
      const box = e.getBoundingClientRect();
      if (box.width === 0) { seen = ''; break; }
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const inside = box.left >= -1 && box.right <= innerWidth + 1 && box.top >= -1 && box.bottom <= innerHeight + 1;
      if (inside && e.parentElement.contains(hit)) { seen = ''; break; }
      const lies = [box.left, box.right, box.top, box.bottom].map(Math.round);
      seen = [e.outerHTML.slice(0, 70), ...lies, hit?.outerHTML.slice(0, 60)].join(' ');
    }
    if (seen) found.push(seen);
    for (const box of document.querySelectorAll('main, main *'))
      if (box.scrollLeft > 0) { found.push(`cut off: ${e.outerHTML.slice(0, 70)}`); box.scrollLeft = 0; }
  }
  return found;
}"""
"""What can be pressed but sticks out of the window or lies under something else, after it has been scrolled to."""


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with staged(SCENES["turn"]) as stage:
        yield stage


@pytest.fixture(scope="module", params=list(SIZES))
def page(request: pytest.FixtureRequest, browser: Browser, stage: Stage) -> Iterator[Page]:
    page = open_page(browser, SIZES[request.param])
    page.goto(stage.url)
    page.locator("main").wait_for()
    yield page
    page.context.close()


@pytest.mark.parametrize("name", MOMENTS)
def test_all_that_can_be_pressed_can_be_reached(name: str, page: Page, stage: Stage) -> None:
    stage.show(SCENES[name])
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    assert page.evaluate(HIDDEN) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert faults(page) == []


@pytest.mark.parametrize("name", ["turn", "drawn"])
def test_a_table_of_four_shows_its_discard_without_scrolling(name: str, page: Page, stage: Stage) -> None:
    stage.show(SCENES[name])
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    page.evaluate("scrollTo(0, 0)")
    box = page.locator('[data-spot="discard"]').first.bounding_box()
    assert box is not None
    covered = page.evaluate(
        "([x, y]) => !document.elementFromPoint(x, y)?.closest('.pile')", [box["x"] + 12, box["y"] + 20]
    )
    assert not covered


def test_a_window_that_holds_the_table_has_no_scroll_bar(browser: Browser, stage: Stage) -> None:
    page = open_page(browser)
    page.goto(stage.url)
    stage.show(SCENES["turn"])
    page.locator("main").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0
    page.context.close()


COVERED = """async () => {
  await Promise.all(document.getAnimations().filter((a) => !a.effect.target.dataset.run).map((a) => a.finished));
  const found = [];
  const plain = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  const SKIPPED = '[aria-hidden], svg, .sr, .card, select, .scorescroll, .matrixscroll, .presets';
  const clips = (e) => getComputedStyle(e).overflowX !== 'visible';
  for (const e of document.querySelectorAll('main *')) {
    if (!plain(e) || getComputedStyle(e).pointerEvents === 'none' || e.closest(SKIPPED)) continue;
    const range = document.createRange();
    range.selectNodeContents(e);
    let box = range.getBoundingClientRect();
    if (!box.width || !e.checkVisibility({visibilityProperty: true})) continue;
    for (let up = e; up; up = up.parentElement)
      if (clips(up) && box.right > up.getBoundingClientRect().right + 1) found.push(`cut off: ${e.textContent}`);
    let under = '';
    for (const block of ['center', 'start']) {
      e.scrollIntoView({block, inline: 'nearest', behavior: 'instant'});
      box = range.getBoundingClientRect();
      const hits = [box.left + 2, box.right - 2].map((x) => document.elementFromPoint(x, box.top + box.height / 2));
      under = hits.find((hit) => hit && !hit.contains(e) && !e.contains(hit))?.outerHTML.slice(0, 60) ?? '';
      if (!under) break;
    }
    if (under) found.push(`${e.textContent} under ${under}`);
  }
  return found;
}"""
"""Text that is cut off at the right, or lies under something else once it has been scrolled to."""

TWO_COLUMNS = ("start", "lobby", "told", "result", "cheat", "rules", "report", "score", "history", "race", "final")


@pytest.mark.parametrize("size", [(320, 568), (768, 1024), (900, 700), (1024, 768), (1280, 720)], ids=str)
def test_no_text_is_cut_off_or_covered(browser: Browser, size: tuple[int, int]) -> None:
    with staged(SCENES["start"]) as stage:
        stage.backend.answers = dict(RESULTS)
        page = open_page(browser, size)
        page.goto(stage.url)
        found = {}
        for name in TWO_COLUMNS:
            if (name, size[1]) == ("race", 568):  # here it is meant to lie over the other hands
                continue
            stage.show(SCENES["start" if name in PAGES else name])
            page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
            opened = name if name in PAGES else None
            page.evaluate("(n) => import('/js/store.js').then((s) => s.go(n, {rules: 'sheffield'}))", opened)
            page.locator(".plain main" if opened else "main").wait_for()
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            found[name] = [*page.evaluate(COVERED), *([f"{wide} px too wide"] if wide > 0 else [])]
        assert {name: lines for name, lines in found.items() if lines} == {}
        page.context.close()


def waiting(now: int) -> api.Snapshot:
    """Somebody else is on turn, and there is nothing to press."""
    table = scenes.base(now, turn=1, phase="drawn", held=api.Held(seat=1), timer=None)
    seats = (table.seats[0], replace(table.seats[1], bot=False), *table.seats[2:])
    return scenes.at_table(now, replace(table, seats=seats))


def top_of(page: Page, stage: Stage, scene: Scene, what: str) -> float:
    stage.show(scene)
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    box = page.locator(what).first.bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize("size", [(1280, 720), PHONE, (390, 664), (768, 1024)], ids=str)
def test_the_piles_stay_where_they_are_when_the_buttons_change(
    browser: Browser, stage: Stage, size: tuple[int, int]
) -> None:
    page = open_page(browser, size)
    page.goto(stage.url)
    page.locator("main").wait_for()
    tops = [top_of(page, stage, scene, ".pile.discard .topcard") for scene in (scenes.turn, waiting, scenes.peek)]
    assert max(tops) - min(tops) <= 1
    page.context.close()


def test_on_a_phone_the_sentence_begins_where_the_hand_does(browser: Browser, stage: Stage) -> None:
    page = open_page(browser, PHONE)
    page.goto(stage.url)
    stage.show(waiting)
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    note, hand, pocket = (page.locator(what).bounding_box() for what in (".note", ".place .hand", ".place"))
    assert note is not None
    assert hand is not None
    assert pocket is not None
    assert abs(note["x"] - hand["x"]) <= 1
    assert abs(note["x"] - pocket["x"] - (pocket["x"] + pocket["width"] - note["x"] - note["width"])) <= 1
    page.context.close()


@pytest.mark.parametrize("size", [(1280, 720), (320, 568)], ids=str)
def test_the_result_of_a_race_can_be_read_at_once(browser: Browser, stage: Stage, size: tuple[int, int]) -> None:
    page = open_page(browser, size)
    page.goto(stage.url)
    stage.show(scenes.snap_race)
    page.locator(".race").wait_for()
    page.evaluate("scrollTo(0, 0)")
    for line in page.locator(".race .ms").all():
        box = line.bounding_box()
        assert box is not None
        middle = [box["x"] + 10, box["y"] + box["height"] / 2]
        assert page.evaluate("(at) => !!document.elementFromPoint(...at)?.closest('.race')", middle)
    page.context.close()


def looked_at(seat: int, position: int) -> Scene:
    """You look at this place, at a table of eight whose hands have six cards."""

    def scene(now: int) -> api.Snapshot:
        table = scenes.base(now, n=8, look=scenes.timer(now, 3, 3.2, "peek"), choices=(api.Choice(command="seen"),))
        seats = list(table.seats)
        places = [replace(place) for place in scenes.hand(6)]
        places[position] = replace(places[position], face="4H", why="looking", looked=(0,))
        seats[seat] = replace(seats[seat], places=tuple(places))
        return scenes.at_table(now, replace(table, seats=tuple(seats)))

    return scene


@pytest.mark.parametrize("size", [PHONE, (320, 568), WIDE], ids=str)
def test_a_card_you_look_at_is_whole_wherever_it_lies(browser: Browser, stage: Stage, size: tuple[int, int]) -> None:
    page = open_page(browser, size)
    page.goto(stage.url)
    for seat, position in ((0, 0), (0, 1), (0, 4), (3, 0), (4, 0), (5, 1)):
        stage.show(looked_at(seat, position))
        page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
        page.locator(".peek").wait_for()
        box = page.locator(".peek .card").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]
    page.context.close()


def crowded_race(now: int) -> api.Snapshot:
    shown = scenes.snap_race(now)
    assert shown.table is not None
    return replace(shown, table=replace(shown.table, seats=(*shown.table.seats, *scenes.seats(8)[4:])))


def test_a_race_among_eight_has_the_width_of_the_phone(browser: Browser, stage: Stage) -> None:
    page = open_page(browser, PHONE)
    page.goto(stage.url)
    stage.show(crowded_race)
    box = page.locator(".race").bounding_box()
    assert box is not None
    assert box["width"] >= 340
    page.context.close()


def test_the_button_that_deals_is_in_sight_in_a_low_window(browser: Browser, stage: Stage) -> None:
    page = open_page(browser, (1280, 720))
    page.goto(stage.url)
    stage.show(scenes.lobby)
    box = page.get_by_role("button", name="Deal when all are ready").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 720
    page.context.close()

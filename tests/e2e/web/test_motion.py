"""Motion explains and never gets in the way: it starts from where things were, it needs no frame of the game, and who
does not want it gets a still outline instead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from p2pkaboo.peer import api
from p2pkaboo.peer.api import Spot
from tests.e2e.web import scenes
from tests.e2e.web.conftest import faults, open_page
from tests.e2e.web.stage import Stage, staged

pytestmark = [pytest.mark.browser, pytest.mark.e2e]

MOVING = "document.getAnimations().filter((a) => !a.effect.target.dataset.run).map((a) => a.effect.target.className)"

DRAWN_ANEW = """document.getAnimations().filter((a) => a.constructor === Animation).flatMap((a) =>
  a.effect.getKeyframes().flatMap((frame) => Object.keys(frame)))
  .filter((name) => !['offset', 'easing', 'composite', 'computedOffset', 'zIndex',
                      'transform', 'opacity', 'clipPath'].includes(name))"""
"""Properties in motion that would have the page drawn anew for every frame."""


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with staged(scenes.turn) as stage:
        yield stage


@pytest.fixture(scope="module")
def page(browser: Browser, stage: Stage) -> Iterator[Page]:
    page = open_page(browser)
    page.goto(stage.url)
    page.locator("body[data-snapshot]").wait_for()  # nothing can be said before the peer is heard
    yield page
    assert faults(page) == []
    page.context.close()


def setting(page: Page, stage: Stage, motion: str) -> None:
    page.evaluate("(m) => import('/js/send.js').then((s) => s.send('set_setting', {name: 'motion', value: m}))", motion)
    page.locator(f'html[data-motion="{motion}"]').wait_for()
    for _ in range(60):  # what began before, under another setting, comes to its end first
        if not page.evaluate(MOVING):
            break
        page.wait_for_timeout(50)


def draw(stage: Stage, page: Page) -> None:
    """Somebody's turn, then a card travels from the stock into your hand."""
    stage.show(scenes.turn)
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    moved = api.CardMoved(
        snapshot=stage.backend.number + 1,
        cause="draw",
        seat=0,
        start=Spot(where="stock"),
        end=Spot(where="held", seat=0),
        face="9C",
    )
    stage.tell(moved)
    stage.show(scenes.drawn)
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()


def test_a_drawn_card_travels_and_keys_work_meanwhile(stage: Stage, page: Page) -> None:
    setting(page, stage, "normal")
    draw(stage, page)
    assert any("s-C" in name for name in page.evaluate(MOVING))
    page.keyboard.press("2")
    page.get_by_role("button", name="Put it in place 2").wait_for(timeout=300)
    page.keyboard.press("2")


def test_what_moves_and_runs_costs_the_page_no_frame(stage: Stage, page: Page) -> None:
    setting(page, stage, "normal")
    draw(stage, page)
    running = page.evaluate("document.getAnimations().map((a) => a.effect.target.dataset.run).filter(Boolean)")
    assert {"ring", "spool"} <= set(running)
    assert page.evaluate(DRAWN_ANEW) == []


def test_a_snapshot_does_not_style_the_whole_page_anew(stage: Stage, page: Page) -> None:
    setting(page, stage, "normal")
    page.evaluate(
        "window.touched = []; new MutationObserver((l) => touched.push(...l.map((m) => m.attributeName)))"
        ".observe(document.documentElement, {attributes: true})"
    )
    draw(stage, page)
    assert page.evaluate("touched") == []


def test_the_ring_gets_shorter_back_to_its_beginning(page: Page) -> None:
    half = page.evaluate("import('/js/clock.js').then((c) => c.sweep(0.5))")  # the top and the right side are left
    ends = [frame["clipPath"].rstrip(")").rpartition(", ")[2] for frame in half]
    assert ends == ["110.00% 110.00%", "110.00% -10.00%", "-10.00% -10.00%"]
    assert [round(frame["offset"], 3) for frame in half] == [0, round(1 - 110 / 260, 3), 1]
    assert len({frame["clipPath"].count(",") for frame in half}) == 1  # else nothing runs between them


def test_without_motion_nothing_travels_but_the_changed_place_is_outlined(stage: Stage, page: Page) -> None:
    setting(page, stage, "none")
    draw(stage, page)
    assert page.evaluate(MOVING) == []
    page.locator('[data-spot="held0"].arrived').wait_for(timeout=500)
    assert page.locator(".ring .r1.still").count() == 1


def test_no_face_is_in_the_page_before_the_message_that_brings_it(stage: Stage, page: Page) -> None:
    setting(page, stage, "fast")
    stage.show(scenes.turn)
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    assert page.locator('[aria-label*="9 of clubs"], .face.s-C').count() == 0
    stage.tell(
        api.CardMoved(
            snapshot=stage.backend.number + 1,
            cause="draw",
            seat=0,
            start=Spot(where="stock"),
            end=Spot(where="held", seat=0),
            face="9C",
        )
    )
    page.wait_for_timeout(50)
    assert page.locator('[aria-label*="9 of clubs"], .face.s-C').count() == 0


def test_a_deal_that_takes_long_shows_its_steps(stage: Stage, page: Page) -> None:
    stage.show(scenes.dealing)
    page.locator(".steps").wait_for(state="attached")
    assert not page.locator(".steps").is_visible()
    page.locator(".steps").wait_for(timeout=6000)
    assert page.get_by_role("img", name="checked by you").count() == 1


def test_the_race_shows_for_a_while_and_leaves_by_itself(stage: Stage, page: Page) -> None:
    stage.show(scenes.snap_race)
    page.get_by_text("312", exact=False).first.wait_for()
    page.locator(".race").wait_for()
    page.locator(".race").wait_for(state="detached", timeout=6000)
    page.locator(".pile.stock").wait_for()


def hidden_race(now: int) -> api.Snapshot:
    shown = scenes.snap_race(now)
    assert shown.table is not None
    assert shown.table.race is not None
    slow = api.RaceEntry(seat=3, claim_ms=340, score_ms=341, ruling="slower")
    race = replace(shown.table.race, number=4, entries=(*shown.table.race.entries, slow))
    return replace(shown, table=replace(shown.table, race=race))


def test_who_was_slower_shows_a_time_and_no_card(stage: Stage, page: Page) -> None:
    stage.show(hidden_race)
    slower = page.locator(".race li", has_text="slower: nothing lost, nothing shown")
    slower.wait_for()
    assert "341" in slower.inner_text()
    assert slower.locator(".card").count() == 0

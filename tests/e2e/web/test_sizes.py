"""Windows that are neither a desk's nor a phone's: whatever can be pressed at the table can be reached and pressed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.web.conftest import PHONE, WIDE, faults, open_page
from tests.e2e.web.scenes import SCENES
from tests.e2e.web.stage import Stage, staged

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

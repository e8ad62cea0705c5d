"""Every screen, looked at by machine: no error, nothing that sticks out at 390 px, no accessibility violation."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, Page

from p2pkaboo.peer import api
from tests.e2e.web.conftest import PHONE, WIDE, faults, open_page
from tests.e2e.web.scenes import PAGES, RESULTS, SCENES
from tests.e2e.web.stage import Stage, staged

pytestmark = [pytest.mark.browser, pytest.mark.e2e]

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SETTLED = """Promise.all(document.getAnimations().filter((a) => !a.effect.target.dataset.run).map((a) => a.finished))"""
"""Waited for by `evaluate`: `wait_for_function` would need eval in the page, which its policy forbids."""


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with staged(SCENES["start"]) as stage:
        stage.backend.answers = dict(RESULTS)
        yield stage


SIZES = {"wide": WIDE, "phone": PHONE}
PLAIN = api.Settings()
FOUR = api.Settings(four_colours=True, motion="none")
DRESSES = [
    *((size, theme, PLAIN) for size in SIZES for theme in ("light", "dark")),
    ("wide", "light", FOUR),
    ("wide", "dark", FOUR),
    ("phone", "dark", FOUR),
]


def called(dress: tuple[str, str, api.Settings]) -> str:
    size, theme, settings = dress
    return f"{size}-{theme}" + ("-four-still" if settings is FOUR else "")


@pytest.fixture(scope="module", params=DRESSES, ids=called)
def page(request: pytest.FixtureRequest, browser: Browser, stage: Stage) -> Iterator[Page]:
    size, theme, settings = request.param
    stage.backend.settings = settings
    page = open_page(browser, SIZES[size], theme)
    page.goto(stage.url)
    page.add_init_script(AXE)
    page.reload()
    page.locator("main").wait_for()
    page.locator("body[data-snapshot]").wait_for()  # the settings come with it
    four = "html[data-four]" if settings.four_colours else "html:not([data-four])"
    page.locator(four).wait_for(state="attached")
    yield page
    page.context.close()


def check(page: Page) -> None:
    page.evaluate(SETTLED)
    assert faults(page) == []
    outside = page.evaluate(
        "document.documentElement.scrollWidth > innerWidth ? [...document.querySelectorAll('body *')].filter((e) => "
        "e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map((e) => e.outerHTML.slice(0, 90)) : []"
    )
    assert outside == []
    violations = page.evaluate(
        "async (tags) => (await axe.run(document, {runOnly: tags, resultTypes: ['violations']})).violations"
        ".map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 110) + ' ' + (n.any[0]?.message ?? ''))])",
        RULES,
    )
    assert violations == []


@pytest.mark.parametrize("name", list(SCENES))
def test_moment(name: str, page: Page, stage: Stage) -> None:
    stage.show(SCENES[name])
    number = stage.backend.number
    page.locator(f'body[data-snapshot="{number}"]').wait_for()
    check(page)


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, page: Page, stage: Stage) -> None:
    stage.show(SCENES["start"])
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    page.evaluate("(name) => import('/js/store.js').then((s) => s.go(name, {rules: 'sheffield'}))", name)
    page.locator(".plain main").wait_for()
    check(page)


def test_a_value_is_said_as_what_it_means_for_its_rule(page: Page, stage: Stage) -> None:
    stage.show(SCENES["start"])
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    page.evaluate("() => import('/js/store.js').then((s) => s.go('rules', {rules: 'sheffield'}))")
    row = page.locator("li.rule", has_text="If they do not match")
    row.wait_for()
    assert "discard the new one" in row.inner_text()
    assert "when discarded" not in row.inner_text()
    words = page.locator("li.rule", has_text="A wrong snap costs cards").locator(".cited")
    assert words.inner_text() == '"An incorrect snap, however, adds two penalty cards to your hand."'


@pytest.mark.parametrize("panel", ["help", "fair", "settings", "log"])
def test_panel(panel: str, page: Page, stage: Stage) -> None:
    stage.show(SCENES["drawn"])
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    page.evaluate("(name) => import('/js/store.js').then((s) => s.update((x) => { x.panel = name; }))", panel)
    page.locator(".panel").wait_for()
    check(page)
    page.keyboard.press("Escape")
    page.locator(".panel").wait_for(state="detached")


def test_a_guest_by_invite_reads_whose_table_it_is_and_what_ready_means(page: Page, stage: Stage) -> None:
    stage.show(SCENES["guest"])
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    assert page.get_by_role("heading", name="Ada’s table").count() == 1
    assert page.get_by_text("The rules are up to Ada. Ready means that you play by them", exact=False).count() == 1
    assert page.get_by_role("button", name="read them").count() == 0


def test_a_guest_by_invite_reads_the_rules_before_it_is_ready(page: Page, stage: Stage) -> None:
    stage.show(SCENES["told"])
    page.get_by_role("heading", name="Kitchen table").wait_for()
    assert page.locator(".lobrules b").inner_text() == "Sheffield Kaboo, 2 house rules"
    assert page.get_by_role("button", name="I am ready").count() == 1
    before = len(stage.commands)
    page.get_by_role("button", name="read them").click()
    page.locator(".rulesheet li.rule").first.wait_for()

    def asked() -> list[str]:
        return [command.rules for command in stage.commands[before:] if isinstance(command, api.ShowRules)]

    deadline = time.monotonic() + 10
    while not asked() and time.monotonic() < deadline:  # a sheet that was read before stands there at once
        page.wait_for_timeout(20)
    assert asked() == [""]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="I am ready").wait_for()


def test_a_guest_is_told_in_the_lobby_what_is_not_as_it_read(page: Page, stage: Stage) -> None:
    stage.show(SCENES["rules_changed"])
    said = page.locator(".lobproblem")
    said.wait_for()
    assert said.inner_text().strip() == (
        "The rules are not those you were shown: match.rounds = 1 instead of 5. "
        "Press “I am ready” if you agree to these, or leave."
    )
    assert page.locator(".btn.do").all_inner_texts() == ["I am ready"]

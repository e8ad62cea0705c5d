"""The browser's Back: it closes a page of ours, and does not leave the program."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.e2e.web.conftest import faults, open_page
from tests.e2e.web.scenes import SCENES
from tests.e2e.web.stage import staged

pytestmark = [pytest.mark.browser, pytest.mark.e2e]


def test_back_closes_a_page_and_stays_in_the_program(browser: Browser) -> None:
    with staged(SCENES["start"]) as stage:
        page = open_page(browser)
        page.goto(stage.url)
        host = page.get_by_role("button", name="Host a table")
        entries = 0
        for closing in ("back", "Escape", "back"):
            host.click()
            page.locator(".plain main").wait_for()
            host.wait_for(state="detached")
            entries = page.evaluate("history.length")
            if closing == "back":
                page.evaluate("history.back()")
            else:
                page.keyboard.press(closing)
            host.wait_for()
        assert page.evaluate("history.length") == entries
        assert page.url.startswith("http://127.0.0.1:")
        assert faults(page) == []
        page.context.close()

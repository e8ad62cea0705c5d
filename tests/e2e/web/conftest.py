"""A browser for all tests of the page, and the page's errors as failures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--mute-audio"]
REBOUND = "rebound.example"
"""A foreign name that resolves to this machine, as after DNS rebinding."""

WIDE, PHONE = (1280, 800), (390, 844)


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = [*FLAGS, f"--host-resolver-rules=MAP {REBOUND} 127.0.0.1"]
        browser = playwright.chromium.launch(executable_path=chromium_path, args=flags)
        yield browser
        browser.close()


def open_page(browser: Browser, size: tuple[int, int] = WIDE, theme: str = "light") -> Page:
    """A page in a context of its own; `faults(page)` are its errors."""
    context: BrowserContext = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion="no-preference",
        has_touch=size is PHONE,
    )
    page = context.new_page()
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda line: found.append(line.text) if line.type in ("error", "warning") else None)
    page.faults = found  # type: ignore[attr-defined]
    return page


def faults(page: Page) -> list[str]:
    found: list[str] = page.faults  # type: ignore[attr-defined]
    return found

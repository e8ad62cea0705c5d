"""Pictures of every screen for docs/images/screens: `PYTHONPATH=scripts python -m tests.e2e.web.shots [NAME…]`.

One sheet a screen: 1280 x 800 and 390 x 844, light above dark, of the moments of `scenes`. The name `table` takes the
README's picture instead, docs/images/table.png, from a real game against bots.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

import chromium
from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.web.conftest import FLAGS, PHONE, WIDE
from tests.e2e.web.hands import Hands, Snapshot
from tests.e2e.web.peers import peer
from tests.e2e.web.scenes import PAGES, RESULTS, SCENES
from tests.e2e.web.stage import Stage, staged

OUT = Path(__file__).parents[3] / "docs" / "images" / "screens"
QUALITY = 62
TURNS = 2
"""Own turns before the README's picture is taken: then there is something to see."""
SETTLED_MS = 700
LONG, LONG_MS = ("dealing", "checking"), 1600
"""A deal shows its steps only when it takes long."""
HEIGHT = 560
"""Pixels of a picture on the sheet: text stays readable, and the folder small."""
SHEET = """<body style="margin:0;background:#8a8f98">
<div style="display:grid;grid-template-columns:auto auto;gap:10px;width:max-content;padding:10px">{}</div></body>"""


def show(page: Page, stage: Stage, name: str) -> None:
    stage.show(SCENES[name if name in SCENES else "start"])
    page.locator(f'body[data-snapshot="{stage.backend.number}"]').wait_for()
    target = None if name in SCENES else name
    page.evaluate("(name) => import('/js/store.js').then((s) => s.go(name, {rules: 'sheffield'}))", target)
    page.wait_for_timeout(LONG_MS if name in LONG else SETTLED_MS)


def pictures(browser: Browser, stage: Stage, name: str) -> list[bytes]:
    """Wide and phone, light and dark, in the order of the sheet."""
    taken = []
    for theme in ("light", "dark"):
        for size in (WIDE, PHONE):
            view = {"width": size[0], "height": size[1]}
            context = browser.new_context(viewport=view, color_scheme=theme)  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(stage.url)
            page.locator("main").wait_for()
            show(page, stage, name)
            taken.append(page.screenshot())
            context.close()
    return taken


def sheet(browser: Browser, taken: list[bytes], path: Path) -> None:
    cells = "".join(
        f'<img height={HEIGHT} src="data:image/png;base64,{base64.b64encode(picture).decode()}">' for picture in taken
    )
    page = browser.new_page(viewport={"width": 1700, "height": 1640})
    page.set_content(SHEET.format(cells))
    page.wait_for_timeout(200)
    page.locator("div").screenshot(path=path, type="jpeg", quality=QUALITY)
    page.close()


def real_table(browser: Browser, path: Path) -> None:
    """Your turn with a drawn card, a few turns into a real round."""
    with tempfile.TemporaryDirectory() as folder, peer(Path(folder), "play", "--as", "Ada") as running:
        page = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]}, color_scheme="light")
        page.goto(running.url)
        hands = Hands(page, call_after=9)

        def worth_a_picture(now: Snapshot) -> bool:
            table = now["table"]
            holding = table and table["held"] and table["turn"] == table["you"] and table["phase"] == "drawn"
            return bool(holding and hands.turns >= TURNS and any(c["command"] == "snap" for c in table["choices"]))

        hands.play(worth_a_picture, 240)
        page.keyboard.press("3")
        page.wait_for_timeout(500)
        page.screenshot(path=path)
        page.close()


def main(names: list[str]) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with staged(SCENES["start"]) as stage, sync_playwright() as playwright:
        stage.backend.answers = dict(RESULTS)
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        if "table" in names:
            names.remove("table")
            real_table(browser, OUT.parent / "table.png")
            print(OUT.parent / "table.png")
            if not names:
                return
        for name in names or [*SCENES, *PAGES]:
            sheet(browser, pictures(browser, stage, name), OUT / f"{name}.jpg")
            print(OUT / f"{name}.jpg")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])

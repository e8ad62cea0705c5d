"""Pictures of a first round for the tutorial, docs/images/round: `python -m tests.e2e.web.round_shots`.

A real round of Sheffield rules against three bots, played by `Hands` in a browser on a fresh profile; each moment is
taken when it comes. Which cards they show is as the shuffle has it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import chromium
from playwright.sync_api import Page, sync_playwright

from tests.e2e.web.conftest import FLAGS, WIDE
from tests.e2e.web.hands import Hands, Snapshot
from tests.e2e.web.peers import peer

OUT: Final = Path(__file__).parents[3] / "docs" / "images" / "round"
QUALITY: Final = 62
SECONDS: Final = 240.0
"""How long a moment may take to come."""


def choices(now: Snapshot) -> set[str]:
    return {choice["command"] for choice in now["table"]["choices"] if not choice["off"]} if now["table"] else set()


def looking(now: Snapshot) -> bool:
    """The first look, two own cards face up."""
    table = now["table"]
    return bool(table and sum(bool(place["face"]) for place in table["seats"][table["you"]]["places"]) == 2)


def my_turn(now: Snapshot) -> bool:
    return "draw" in choices(now) and "take" in choices(now)


def final_turn(now: Snapshot) -> bool:
    """Somebody has called, you or a bot, and the turns after it are under way."""
    table = now["table"]
    return bool(table and any(seat["called"] for seat in table["seats"]) and not table["result"])


def over(now: Snapshot) -> bool:
    """The round is over; nobody has said "ready" for the next one yet."""
    return bool(now["table"] and now["table"]["result"])


MOMENTS: Final[tuple[tuple[str, Callable[[Snapshot], bool], int], ...]] = (
    ("look", looking, 600),
    ("turn", my_turn, 300),
    ("final", final_turn, 300),
    ("result", over, 1500),
)
"""Name, what the table must be like, and milliseconds until what moves lies still."""


def take(page: Page, name: str) -> None:
    path = OUT / f"{name}.jpg"
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    print(path)


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        page = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]}, color_scheme="light")
        with peer(Path(folder), "play", "--as", "Ada") as running:
            page.goto(running.url)
            hands = Hands(page, call_after=4)
            for name, moment, settle in MOMENTS:
                hands.play(moment, SECONDS)
                page.wait_for_timeout(settle)
                if name == "result":
                    page.get_by_text("Round 1 checks out.").wait_for()
                take(page, name)
            page.get_by_role("button", name="Who knew which card when").click()
            page.get_by_text("It all checks out.").wait_for()
            page.wait_for_timeout(300)
            take(page, "report")
        browser.close()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))
    main()

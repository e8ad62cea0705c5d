"""Contrast of the page's colours, from its tokens alone: text 4.5 : 1, lines and shapes that say something 3 : 1
(WCAG 2.2, level AA), by day and by night, with two colours of suits and with four."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

STATIC = files("p2pkaboo.ui.web") / "static"
CSS = re.sub(r"/\*.*?\*/", "", (STATIC / "css" / "tokens.css").read_text("utf-8"), flags=re.DOTALL)

SHEETS = "sheet sheet-2"
SUITS = ("spade", "heart", "diamond", "club", "joker")
TEXT = {
    "ink": "page sheet sheet-2 caution-wash wrong-wash right-wash",
    "ink-2": "page sheet sheet-2",
    "link": "page sheet sheet-2 caution-wash",
    "thread-ink": SHEETS,
    "right": "sheet sheet-2 right-wash",
    "wrong": "sheet sheet-2 wrong-wash",
    "caution": "sheet caution-wash",
    "on-cloth": "cloth cloth-2 cloth-3",
    "on-cloth-2": "cloth cloth-2 cloth-3",
    "do-ink": "do",
    "snap-ink": "snap",
    "call-ink": "call",
    "calm-ink": "calm",
    **dict.fromkeys(SUITS, "card"),
    **{f"{suit}-ink": "page sheet sheet-2 caution-wash wrong-wash right-wash" for suit in SUITS},
    **{f"seat-{n}-ink": "sheet" for n in range(1, 9)},
}
LINES = {
    "field-line": "sheet page",
    "thread": "cloth cloth-2 cloth-3",
    "snap-glow": "cloth cloth-2",
    "do": "cloth cloth-2",
    "card": "cloth cloth-2",
    "on-cloth-2": "cloth",
    "focus": "sheet page",
    "snap": "sheet",
    **{f"seat-{n}": "cloth" for n in range(1, 9)},
}


def block(selector: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for body in re.findall(r"(?:^|\})\s*" + re.escape(selector) + r"\s*\{(.*?)(?=\})", CSS, flags=re.DOTALL):
        found |= {name: colour.strip() for name, colour in re.findall(r"--([\w-]+):\s*([^;]+);", body)}
    return found


DAY = block(":root")
NIGHT = DAY | block('[data-theme="dark"]')
THEMES = {
    "day": DAY,
    "day, four colours": DAY | block("[data-four]"),
    "night": NIGHT,
    "night, four colours": NIGHT | block("[data-four]") | block('[data-theme="dark"][data-four]'),
}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def ratio(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize(("pairs", "least"), [(TEXT, 4.5), (LINES, 3.0)], ids=["text", "lines"])
def test_contrast(theme: str, pairs: dict[str, str], least: float) -> None:
    colours = THEMES[theme]
    measured = {(front, back): ratio(colours[front], colours[back]) for front in pairs for back in pairs[front].split()}
    assert {pair: round(found, 2) for pair, found in measured.items() if found < least} == {}


def test_initials_and_rims_of_seats() -> None:
    assert min(ratio(DAY["seat-ink"], DAY[f"seat-{n}"]) for n in range(1, 9)) >= 4.5


def test_the_backs_closed_eyes() -> None:
    drawn = set(re.findall(r"#[0-9a-f]{6}", (STATIC / "back.svg").read_text("utf-8")))
    assert {"#b5482f", "#ffe9cf"} <= drawn
    assert ratio("#b5482f", "#ffe9cf") >= 4.5


def test_four_colours_are_four() -> None:
    for name in ("day, four colours", "night, four colours"):
        for end in ("", "-ink"):
            assert len({THEMES[name][suit + end] for suit in SUITS[:4]}) == 4

"""The reference, the page's words and the data types say the same."""

from __future__ import annotations

import posixpath
import re
from importlib.resources import files
from pathlib import Path
from typing import get_args, get_type_hints

from p2pkaboo.peer import api

STATIC = files("p2pkaboo.ui.web") / "static"
REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "local-api.md"
PAIR = re.compile(r"""(?:(?<=[ {])|')([a-zA-Z0-9_.–↵?-]+)'?:\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")""")
ROW = re.compile(r"^\| `([a-z_.A-Z0-9-]+)` \| (.*?) \| (.*) \|$", re.MULTILINE)


def words() -> dict[str, str]:
    """All the page's strings by key."""
    found: dict[str, str] = {}
    for name in ("strings-table.js", "strings-pages.js", "strings-rules.js"):
        text = (STATIC / "js" / name).read_text("utf-8")
        found.update((key, single or double) for key, single, double in PAIR.findall(text))
    return found


def test_every_sentence_of_the_reference_is_in_the_page_with_the_same_blanks() -> None:
    known = words()
    rows = ROW.findall(REFERENCE.read_text("utf-8"))
    assert len(rows) > 100
    for key, blanks, _ in rows:
        assert key in known, key
        assert sorted(set(re.findall(r"\{(\w+)\}", known[key]))) == sorted(re.findall(r"`(\w+)`", blanks)), key


def test_every_log_line_and_error_of_the_page_is_in_the_reference() -> None:
    listed = {key for key, _, _ in ROW.findall(REFERENCE.read_text("utf-8"))}
    titles = {"log.title", "log.whole", "log.label", "log.empty", "log.panel"}
    for key in words():
        if key.startswith(("log.", "error.", "notice.", "caught.", "coach.", "conduct.")) and not key.endswith(".you"):
            assert key in listed or key in titles, key


def test_every_word_the_page_asks_for_is_there() -> None:
    known = words()
    scripts = [f for f in _scripts() if not f[0].startswith("strings")]
    asked = {key for _, text in scripts for key in re.findall(r"\bt\('([a-z_.A-Z0-9-]+)'", text)}
    assert len(asked) > 150
    missing = sorted(key for key in asked if key not in known and not key.endswith("."))
    assert missing == []


def literals(kind: type, field: str) -> tuple[str, ...]:
    """The words a field may hold."""
    values: tuple[str, ...] = get_args(get_type_hints(kind)[field])
    return values


def test_every_word_that_the_types_can_say_is_in_the_page() -> None:
    known = words()
    for kind, field, start in (
        (api.RaceEntry, "ruling", "race."),
        (api.Friend, "route", "route."),
        (api.Reach, "way", "reach."),
        (api.Reach, "state", "reach."),
        (api.Caught, "next", "cheat.next."),
        (api.Settings, "theme", "settings.theme."),
        (api.Settings, "motion", "settings.motion."),
        (api.Settings, "notify", "settings.notify."),
    ):
        for word in literals(kind, field):
            assert start + word in known
    for way in literals(api.Reach, "way"):
        assert f"reach.open.{way}" in known


def _paths() -> list[str]:
    """Every file of the page, relative to its root."""
    root = Path(str(STATIC))
    return [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]


def _scripts() -> list[tuple[str, str]]:
    """Name and text of every script of our own."""
    own = [path for path in _paths() if path.startswith("js/")]
    return [(path.rpartition("/")[2], (Path(str(STATIC)) / path).read_text("utf-8")) for path in own]


def _needed(path: str, seen: set[str], pattern: str) -> set[str]:
    """The modules that one imports, with all that they import."""
    if path not in seen:
        seen.add(path)
        text = (STATIC / path).read_text("utf-8")
        for found in re.findall(pattern, text):
            _needed(posixpath.normpath(posixpath.join(posixpath.dirname(path), found)), seen, pattern)
    return seen


def test_what_the_first_screen_needs_is_preloaded_and_every_module_is_needed_by_some_screen() -> None:
    page = (STATIC / "index.html").read_text("utf-8")
    preloaded = set(re.findall(r'rel="modulepreload" href="([^"]+)"', page))
    assert preloaded == _needed("js/main.js", set(), r"""(?:from|import) ?['"](\.[^'"]+)['"]""")
    all_of_it = _needed("js/main.js", set(), r"""(?:from|import) ?\(?['"](\.[^'"]+)['"]""")
    assert all_of_it == {path for path in _paths() if path.endswith(".js")}
    assert len(preloaded) < 0.6 * len(all_of_it)

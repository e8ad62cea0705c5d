"""The strings: the peer's keys are the same as the page's, nothing is missing, nothing is left over."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import p2pkaboo.ui
import p2pkaboo.ui.terminal
from p2pkaboo.ui.terminal.reading import KEYS
from p2pkaboo.ui.terminal.texts import blanks, count, has, listed, raw, signed, t, texts

SPOKEN = (
    "caught",
    "coach",
    "conduct",
    "detail",
    "error",
    "harm",
    "knew",
    "log",
    "note",
    "notice",
    "pending",
    "step",
    "todo",
)
"""Families of keys that a peer may use in a `Say`."""
OWN = ("log.title", "pending")
"""Keys of those families that an interface uses for itself."""
TERMINAL = Path(p2pkaboo.ui.terminal.__path__[0])
PAGE = Path(p2pkaboo.ui.__path__[0]) / "web" / "static" / "js"
_JS_PAIR = re.compile(r"'([a-z_.0-9-]+(?:\.[\w-]+)*)':\s*'((?:[^'\\]|\\.)*)'")


def page_texts() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(PAGE.glob("strings*.js")):
        found |= dict(_JS_PAIR.findall(path.read_text("utf-8")))
    return found


def names(sentence: str) -> set[str]:
    return set(blanks(sentence)[1::2])


def literals() -> Iterator[str]:
    """Strings of the package's code as patterns; what is filled in, except at the beginning, stands for anything."""
    for path in TERMINAL.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.escape(node.value)
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                yield "".join(
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w.–?-]+"
                    for part in node.values
                )


def test_the_page_and_the_terminal_know_the_same_sentences_of_a_peer() -> None:
    page = {key: text for key, text in page_texts().items() if key.split(".")[0] in SPOKEN and key not in OWN}
    assert len(page) > 150
    missing = {key for key in page if not has(key)}
    assert not missing, f"the page has these, the terminal has not: {sorted(missing)}"
    others = {key: (names(page[key]), names(raw(key))) for key in page if names(page[key]) != names(raw(key))}
    assert not others, f"the blanks differ: {others}"


def test_every_key_in_the_code_is_a_sentence() -> None:
    families = {key.split(".")[0] for key in texts()}
    for path in TERMINAL.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            key = node.args[0].value
            if name in ("t", "_say", "phrase") and isinstance(key, str):
                assert has(key), f"{path.name}:{node.lineno}: no text for {key!r}"
            elif name == "count" and isinstance(key, str) and key.split(".")[0] in families:
                assert has(f"{key}.1"), f"{path.name}:{node.lineno}: no text for {key!r}.1"
                assert has(f"{key}.n"), f"{path.name}:{node.lineno}: no text for {key!r}.n"


def test_no_text_of_ones_own_is_left_over() -> None:
    patterns = [pattern for pattern in set(literals()) if re.match(r"[a-z]+\\\.", pattern)]
    assert not any(re.fullmatch(pattern, "do.no_such_key") for pattern in patterns)
    anything = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
    short = {"a", "an", "s", "ms", "you", "and"}
    counted = set(literals())
    unused = [
        key
        for key in texts()
        if key.split(".")[0] not in SPOKEN
        and key not in short
        and not (re.search(r"\.[1n]$", key) and key[:-2] in counted)
        and not anything.fullmatch(re.sub(r"\.(1|n|you)$", "", key))
        and not anything.fullmatch(key)
    ]
    assert not unused, f"texts that no code uses: {unused}"


def test_every_key_has_its_help() -> None:
    assert {f"keys.{key}" for key in KEYS} == {key for key in texts() if key.startswith("keys.")}


def test_blanks_are_filled_and_stars_dropped() -> None:
    assert t("do.take", card="8♥") == "Take the 8♥"
    assert t("do.take") == "Take the "
    assert "**" not in t("fair.shuffle")
    assert t("no.such.key") == "no.such.key"


def test_numbers_and_lists() -> None:
    assert count("points", 1) == "1 point"
    assert count("points", -1) == "−1 point"
    assert count("points", 0) == "0 points"
    assert signed(-12) == "−12"
    assert listed([]) == ""
    assert listed(["Ada"]) == "Ada"
    assert listed(["Ada", "Ben", "Cleo"]) == "Ada, Ben and Cleo"

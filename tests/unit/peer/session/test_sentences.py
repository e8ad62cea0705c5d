"""A peer says only what the reference of the local API lists, with the blanks that it names."""

import re
from pathlib import Path

import pytest

import p2pkaboo.peer.session

REFERENCE = Path(__file__).parents[4] / "docs" / "reference" / "local-api.md"
SOURCES = sorted(Path(p2pkaboo.peer.session.__file__).parent.glob("*.py"))
KEY = re.compile(r'"((?:log|error|notice|caught|harm|note|knew|step|coach|pending|conduct)\.[a-z_0-9.-]+)"')
ROW = re.compile(r"^\| `([a-z_0-9.-]+)` \| ([^|]*) \|", re.MULTILINE)
SAID = re.compile(r'\.say\(\s*"(log\.[a-z_]+)"((?:[^()]|\([^()]*\))*)\)')


def listed() -> dict[str, set[str]]:
    """Key -> its blanks."""
    return {key: set(re.findall(r"`(\w+)`", blanks)) for key, blanks in ROW.findall(REFERENCE.read_text())}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_every_sentence_is_in_the_reference(source: Path) -> None:
    text = REFERENCE.read_text()
    for key in KEY.findall(source.read_text()):
        assert f"`{key}`" in text


def test_every_line_of_the_log_fills_the_blanks_that_are_listed() -> None:
    known = listed()
    seen = set()
    for source in SOURCES:
        for key, rest in SAID.findall(source.read_text()):
            given = set(re.findall(r"(\w+)=", rest))
            if "**" not in rest:
                assert given == known[key], key
            seen.add(key)
    assert len(seen) > 30

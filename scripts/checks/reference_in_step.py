"""The reference says what the program has: its commands and keys, the files of a profile, the environment's variables.

`commands.md` and `rules-keys.md` are as `scripts/reference.py` would write them. `profile.md` is written by hand; the
first columns of its marked tables name every file of a profile and every variable that the code speaks of, and no more.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import files
import reference

PROFILE: Final = "profile.md"
MARKED: Final = re.compile(r"<!-- table: ([\w-]+) -->\n(.*?)<!-- end -->", re.DOTALL)
FIRST: Final = re.compile(r"^\| `([^`]+)`", re.MULTILINE)
IN_FOLDER: Final = re.compile(r'\.folder / "([\w.-]+)"')
VARIABLE: Final = re.compile(r"\bP2PKABOO_[A-Z]+(?:_[A-Z]+)*\b")
READERS: Final = ("p2pkaboo", "scripts", "tests", ".ci")
"""Where variables are read: the program, its scripts, its tests and what runs them."""


def run() -> list[str]:
    return [*check_pages(reference.PLACE), *check_profile(reference.PLACE, variables())]


def check_pages(folder: Path) -> Iterator[str]:
    """Whether the pages that come from the code are as they would be written."""
    for name, page in reference.PAGES.items():
        path = folder / name
        if not path.is_file() or path.read_text("utf-8") != page():
            yield f"docs/reference/{name}: is not what the code says; run scripts/reference.py"


def check_profile(folder: Path, known_variables: set[str]) -> Iterator[str]:
    """Whether the tables of the profile's page name what there is."""
    page = (folder / PROFILE).read_text("utf-8")
    tables = {name: FIRST.findall(rows) for name, rows in MARKED.findall(page)}
    for name, known in (("files", profile_files()), ("variables", known_variables)):
        said = tables.get(name)
        if said is None:
            yield f"docs/reference/{PROFILE}: the table {name!r} is missing"
            continue
        yield from (f"docs/reference/{PROFILE}: lacks {word}, which the code has" for word in sorted(known - {*said}))
        yield from (f"docs/reference/{PROFILE}: has {word}, which the code has not" for word in sorted({*said} - known))


def profile_files() -> set[str]:
    """The files and folders of a profile that the program names, relative to it."""
    return {name for path in files.ours(".py") if path.parts[0] == "p2pkaboo" for name in IN_FOLDER.findall(text(path))}


def variables() -> set[str]:
    """Every environment variable of ours that the code speaks of."""
    return {name for path in files.ours() if path.parts[0] in READERS for name in VARIABLE.findall(text(path))}


def text(path: Path) -> str:
    """A file's text; nothing of a file that is none."""
    return files.text_of(path) or ""

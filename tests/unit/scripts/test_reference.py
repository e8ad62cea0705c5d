"""The reference pages say what there is, and the check finds where they do not."""

import pathlib
import re
import shutil

import pytest
import reference
from checks import reference_in_step
from click.testing import CliRunner

from p2pkaboo.cli.main import cli
from p2pkaboo.rules.ruleset import KEYS, preset_names


@pytest.fixture
def pages(tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the reference."""
    return pathlib.Path(shutil.copytree(reference.PLACE, tmp_path / "reference"))


def test_the_reference_as_it_is_passes() -> None:
    assert reference_in_step.run() == []


@pytest.mark.parametrize("name", ["commands.md", "rules-keys.md"])
def test_a_page_that_is_not_what_the_code_says_is_found(pages: pathlib.Path, name: str) -> None:
    page = pages / name
    page.write_text(page.read_text("utf-8").replace("--set KEY=VALUE", "--put KEY=VALUE", 1), "utf-8")
    assert list(reference_in_step.check_pages(pages)) == [
        f"docs/reference/{name}: is not what the code says; run scripts/reference.py"
    ]
    page.unlink()
    assert len(list(reference_in_step.check_pages(pages))) == 1


def test_files_and_variables_that_are_missing_or_too_many_are_found(pages: pathlib.Path) -> None:
    page = pages / "profile.md"
    text = page.read_text("utf-8")
    page.write_text(text.replace("| `rules.json` |", "| `laws.json` |"), "utf-8")
    known = reference_in_step.variables()
    assert list(reference_in_step.check_profile(pages, {*known, "P2PKABOO_" + "NEW"})) == [
        "docs/reference/profile.md: lacks rules.json, which the code has",
        "docs/reference/profile.md: has laws.json, which the code has not",
        "docs/reference/profile.md: lacks P2PKABOO_" + "NEW, which the code has",
    ]
    page.write_text(text.replace("<!-- table: files -->", ""), "utf-8")
    assert list(reference_in_step.check_profile(pages, known)) == [
        "docs/reference/profile.md: the table 'files' is missing"
    ]


def section(page: str, head: str) -> str:
    """The text from a heading to the next of its kind."""
    return re.split(r"\n## ", page.split(f"\n## {head}\n")[1])[0]


@pytest.mark.parametrize("path", [path for path, _ in reference.all_commands()])
def test_every_option_of_help_stands_in_the_section_of_its_command(path: str) -> None:
    said = CliRunner().invoke(cli, [*path.split()[1:], "--help"]).output
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", said.partition("\nOptions:")[2])) - {"--help"}
    written = section(reference.commands_page(), path)
    assert {option for option in options if not re.search(rf"{option}(?![\w-])", written)} == set()
    assert "Usage:" in said


def test_every_key_has_a_row_and_every_preset_a_column() -> None:
    page = reference.keys_page()
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if re.match(r"\| `[\w.]+` \|", line)]
    assert sorted(row[0].strip("`") for row in rows) == sorted(KEYS)
    assert {len(row) for row in rows} == {4 + len(preset_names())}
    cells = {row[0].strip("`"): dict(zip(preset_names(), row[4:], strict=True)) for row in rows}
    assert cells["values.KB"]["kabbu"] == "**`30`**"
    assert cells["match.rounds"]["sheffield"] == "`5`"
    assert cells["deck.remove"]["cabo-standard"] == '**`["KH", "KD"]`**'

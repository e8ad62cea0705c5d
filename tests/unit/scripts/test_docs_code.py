"""What the documents show as programs and files does what they say."""

import json
import re
import subprocess
import sys

import environment

from p2pkaboo.rules.ruleset import load_preset, parse_toml, to_plain
from p2pkaboo.rules.scenario import read_scenario, run_scenario

DOCS = environment.ROOT / "docs"


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    text = (DOCS / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_programs_of_the_cryptography_print_what_stands_behind_them() -> None:
    page = "explanation/the-cryptography.md"
    programs, said = blocks(page, "python"), blocks(page, "text")
    assert len(programs) == len(said) > 0
    # One after another, as a reader types them: a later one uses what an earlier one has made.
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(programs)],
        cwd=environment.ROOT / "protocol",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stderr, done.stdout) == ("", "".join(said))


def test_the_scenario_of_the_guide_runs_as_it_says() -> None:
    [document] = blocks("how-to/run-scenarios.md", "json")
    scenario = json.loads(document)
    result = run_scenario(read_scenario(scenario))
    assert result["hands"] == {"Ann": ["9D", "4S", "2H", "AS"], "Bo": ["2C", "KH", "5C", None]}
    assert result["round"]["round"] == {"Ann": 16, "Bo": 2}
    scenario["moves"][6]["at"] = 1
    assert run_scenario(read_scenario(scenario))["error"] == "needs-reshuffle"
    scenario["moves"][9]["reshuffled"] = ["8H", "QH"]
    assert run_scenario(read_scenario(scenario))["ok"]
    scenario["moves"][8]["seat"] = "Ann"
    refused = run_scenario(read_scenario(scenario))
    assert (refused["at"], refused["error"]) == (8, "illegal-move")


def test_the_house_rules_of_the_guide_are_rules() -> None:
    [text] = blocks("how-to/house-rules.md", "toml")
    rules = to_plain(parse_toml(text, "sunday"))
    base = to_plain(load_preset("sheffield"))
    changed = {key for key in rules if rules[key] != base[key]}
    assert changed == {
        "name",
        "match.rounds",
        "deck.jokers",
        "values.X",
        "snap.limit",
        "snap.wrong_cards",
        "memory",
    }

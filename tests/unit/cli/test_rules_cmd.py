"""`p2pkaboo rules` and `p2pkaboo score` from the outside: what is printed, exit codes, one line for every mistake."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from p2pkaboo.cli import main as command_line
from p2pkaboo.rules.ruleset import KEYS, preset_names

SCENARIO = {
    "rules": "sheffield",
    "seats": ["A", "B"],
    "dealer": "B",
    "deck": ["2H", "6H", "3H", "7H", "4H", "8H", "5H", "9H", "2S", "9C", "TC"],
    "moves": [{"seat": "A", "do": "draw"}, {"seat": "A", "do": "exchange", "at": [0]}],
}


class Run:
    """Runs the command line in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        for name, attribute in (("rules", "rules_group"), ("score", "score_command")):
            entry = command_line.Entry(f"p2pkaboo.cli.{name}_cmd", attribute, "")
            monkeypatch.setitem(command_line.COMMANDS, name, entry)

    def __call__(self, *arguments: str, given: str | bytes = "") -> tuple[int, str, str]:
        """Exit code, stdout, stderr."""
        data = given if isinstance(given, bytes) else given.encode()
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        with pytest.raises(SystemExit) as left:
            command_line.main(arguments)
        out, err = self.capsys.readouterr()
        code = left.value.code
        assert isinstance(code, int)
        return code, out, err

    def fails(self, *arguments: str, given: str | bytes = "") -> str:
        """Exit code 2, nothing on stdout, and the one line on stderr."""
        code, out, err = self(*arguments, given=given)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        return err


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(monkeypatch, capsys)


def test_list(run: Run) -> None:
    code, out, _ = run("rules", "list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(preset_names())
    _, out, _ = run("rules", "list", "--json")
    assert [row["name"] for row in json.loads(out)] == list(preset_names())


def test_show(run: Run) -> None:
    code, out, _ = run("rules", "show", "kabbu", "--set", "players.max=4")
    assert code == 0
    assert "  H  2 to 4 players." in out
    _, out, _ = run("rules", "show", "kabbu", "--json")
    document = json.loads(out)
    assert set(document["keys"]) == set(KEYS)
    assert document["keys"]["snap.gift"]["origin"] == "text"
    assert document["keys"]["snap.gift"]["source"].startswith('"you must give')
    assert {line["origin"] for line in document["sheet"]} == {"text", "default"}


def test_show_and_check_a_file_of_house_rules(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('base = "sheffield"\n"snap.limit" = "all"\n')
    code, out, _ = run("rules", "check", str(file))
    assert (code, out) == (0, f"{file}: fine, {len(KEYS)} keys, 2 to 8 players\n")
    _, out, _ = run("rules", "check", str(file), "--json")
    assert json.loads(out)["rules"]["snap.limit"] == "all"
    assert "House rules: ours" in run("rules", "show", str(file))[1]
    file.write_text('"snap.limits" = "all"\n')
    assert run.fails("rules", "check", str(file)).startswith(f"p2pkaboo: {file}: snap.limits: no such key")


def test_mistakes_with_rules(run: Run, tmp_path: Path) -> None:
    assert "no rules called whist" in run.fails("rules", "show", "whist")
    assert "deal.cards = 99: allowed is" in run.fails("rules", "show", "kabbu", "--set", "deal.cards=99")
    assert "cannot be read" in run.fails("rules", "check", str(tmp_path / "none.toml"))
    assert "cannot be read" in run.fails("rules", "check", str(tmp_path))
    assert "cannot be read" in run.fails("rules", "check", "none")


def test_run_a_scenario(run: Run, tmp_path: Path) -> None:
    code, out, err = run("rules", "run", "-", given=json.dumps(SCENARIO))
    result = json.loads(out)
    assert (code, err, result["ok"], result["hands"]["A"][0]) == (0, "", True, "9C")
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(SCENARIO), encoding="utf-8-sig")
    assert json.loads(run("rules", "run", str(file))[1]) == result


def test_a_refused_move_exits_1_with_the_document(run: Run) -> None:
    wrong = SCENARIO | {"moves": [{"seat": "B", "do": "draw"}]}
    code, out, err = run("rules", "run", "-", given=json.dumps(wrong))
    result = json.loads(out)
    assert (code, err, result["ok"], result["at"]) == (1, "", False, 0)
    assert (result["error"], result["reason"]) == (
        "illegal-move",
        "B may not draw: it is not its turn (turn order)",
    )
    short = SCENARIO | {"deck": SCENARIO["deck"][:10]}
    short = short | {"moves": [*SCENARIO["moves"], {"seat": "B", "do": "draw"}]}
    code, out, _ = run("rules", "run", "-", given=json.dumps(short))
    assert (code, json.loads(out)["error"]) == (1, "needs-reshuffle")


@pytest.mark.parametrize(
    "given",
    [
        "",
        "{",
        "[]",
        "nonsense",
        "null",
        b"\xff\xfe",
        "[" * 100_000,
        json.dumps(SCENARIO | {"rules": "bridge"}),
        json.dumps(SCENARIO | {"deck": []}),
        json.dumps(SCENARIO | {"dealer": "Z"}),
        json.dumps(SCENARIO | {"seats": ["A"]}),
        json.dumps(SCENARIO | {"seats": ["A\n", "B"]}),
        json.dumps(SCENARIO | {"overrides": {"x": 1}}),
        json.dumps(SCENARIO | {"round_no": 10**400}),
    ],
    ids=range(14),
)
def test_a_malformed_scenario_exits_2(run: Run, given: Any) -> None:
    run.fails("rules", "run", "-", given=given)


def test_files_that_are_not_there(run: Run, tmp_path: Path) -> None:
    assert "cannot be read" in run.fails("rules", "run", str(tmp_path / "none.json"))
    assert "cannot be read" in run.fails("rules", "run", str(tmp_path))
    run.fails("rules", "run")


def test_odd_characters_come_out_as_one_json_document(run: Run) -> None:
    wrong = SCENARIO | {"moves": [{"seat": "A", "do": "\ud800"}]}
    code, out, _ = run("rules", "run", "-", given=json.dumps(wrong))
    assert (code, json.loads(out)["at"]) == (1, 0)


def test_score_a_round(run: Run) -> None:
    given = {"rules": "kabbu", "hands": {"A": ["5H"], "B": ["9S"]}, "caller": "A", "penalties": {"A": 30}}
    code, out, _ = run("rules", "score", given=json.dumps(given))
    assert (code, json.loads(out)["round"]) == (0, {"A": 35, "B": 9})
    assert "5H stands there twice" in run.fails(
        "rules", "score", given=json.dumps(given | {"hands": {"A": ["5H", "5H"]}})
    )


@pytest.mark.parametrize(
    ("command", "given", "name"),
    [
        ("score", '{"rules": "kabbu", "hands": {"A": ["5H"], "A": ["9S"]}}', "A"),
        ("score", '{"rules": "kabbu", "hands": {"A": ["5H"]}, "rules": "sheffield"}', "rules"),
        ("run", json.dumps(SCENARIO)[:-1] + ', "moves": []}', "moves"),
        ("run", json.dumps(SCENARIO).replace('"do": "draw"', '"do": "take", "do": "draw"'), "do"),
    ],
)
def test_a_name_that_stands_twice_in_an_object_is_refused(run: Run, command: str, given: str, name: str) -> None:
    said = run.fails("rules", command, "-", given=given)
    assert said == f"p2pkaboo: stdin: not a JSON document ({name} stands twice in one object)\n"


@pytest.mark.parametrize("arguments", [("score",), ("score", "-"), ("run", "-")])
def test_an_error_of_what_came_on_stdin_says_so(run: Run, arguments: tuple[str, ...]) -> None:
    assert run.fails("rules", *arguments, given="").startswith("p2pkaboo: stdin: not a JSON document (")
    assert run.fails("rules", *arguments, given="{}").startswith("p2pkaboo: stdin: ")


def test_the_scorekeeper_is_kept_between_runs(run: Run, tmp_path: Path) -> None:
    profile = ("--profile", str(tmp_path / "p"))
    typed = "2\nAnn\nAnn\nBen\n5 -3\n1 x\n1\n10, −2\nundo\nrounds\nquit\n"
    code, out, _ = run("score", *profile, given=typed)
    assert code == 0
    assert "two players are called Ann" in out
    assert "Ben leads (lowest total)." in out
    assert "2 whole numbers are expected" in out
    assert "1 score for 2 players\n" in out
    assert json.loads((tmp_path / "p" / "score.json").read_text()) == {
        "names": ["Ann", "Ben"],
        "rounds": [[5, -3]],
    }
    code, out, _ = run("score", *profile, given="undo\nundo\n")
    assert code == 0
    assert "No rounds saved yet." in out
    assert "no round to take back" in out
    code, out, _ = run("score", *profile, given="new\nn\nnew\ny\n2\nCy\nDi\n")
    assert json.loads((tmp_path / "p" / "score.json").read_text())["names"] == ["Cy", "Di"]


def test_a_bad_name_is_asked_for_again_and_any_sign_may_be_one(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("score", "--profile", str(tmp_path / "p"), given=f"two\n2\n?\n?\n{'x' * 25}\nBo\nquit\n")
    assert code == 0
    assert "Error: 'two' is not a whole number from 2 to 8\n" in out
    assert "two players are called ?" in out
    assert "every player needs a name of 1 to 24 characters" in out
    assert json.loads((tmp_path / "p" / "score.json").read_text())["names"] == ["?", "Bo"]


def test_a_damaged_scorekeeper_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "score.json").write_text('{"names": ["A"]}')
    assert "not a saved game" in run.fails("score", "--profile", str(tmp_path))
    (tmp_path / "score.json").write_text("{")
    assert "damaged" in run.fails("score", "--profile", str(tmp_path))

"""`p2pkaboo audit` and `p2pkaboo rules export`: exit codes, one document, one line."""

import json
import pathlib

import pytest

from p2pkaboo.cli import main as cli_main
from p2pkaboo.rules.scenario import read_scenario, run_scenario
from tests.unit.audit.matches import played


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        cli_main.main(arguments)
    out, err = capsys.readouterr()
    assert isinstance(stopped.value.code, int)
    return stopped.value.code, out, err


@pytest.fixture
def match_file(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "m.kaboo"
    path.write_bytes(played("cabo-standard", 2, 3).transcript())
    return path


def test_a_valid_file(capsys: pytest.CaptureFixture[str], match_file: pathlib.Path) -> None:
    code, out, err = run(capsys, "audit", str(match_file))
    assert (code, err) == (0, "")
    assert out.startswith("valid: ")
    assert len(out.splitlines()) == 6
    assert "first look" not in out
    code, told, err = run(capsys, "audit", str(match_file), "--cards")
    assert (code, err) == (0, "")
    assert told.startswith("\n".join(out.splitlines()[:5]))
    assert "'s place 1 (first look)" in told
    code, out, err = run(capsys, "audit", str(match_file), "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["verdict"] == "valid"


def test_a_damaged_file(capsys: pytest.CaptureFixture[str], match_file: pathlib.Path) -> None:
    match_file.write_bytes(match_file.read_bytes()[:-1])
    code, out, err = run(capsys, "audit", str(match_file), "--json")
    assert (code, err) == (1, "")
    assert json.loads(out)["verdict"] == "truncated"
    code, out, err = run(capsys, "audit", str(match_file))
    assert (code, err) == (1, "")
    assert out.startswith("truncated: ")


def test_no_transcript_at_all(capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all")
    for arguments in (["audit", str(path)], ["rules", "export", str(path), "--round", "1"]):
        code, out, err = run(capsys, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "not a .kaboo transcript" in err
    code, out, err = run(capsys, "audit", str(path), "--json")
    assert (code, err.count("\n")) == (2, 1)
    assert json.loads(out)["verdict"] == "unreadable"
    for arguments in (["audit", str(tmp_path / "none")], ["rules", "export", str(tmp_path), "--round", "1"]):
        code, out, err = run(capsys, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "cannot be read" in err


def test_an_exported_round_runs(capsys: pytest.CaptureFixture[str], match_file: pathlib.Path) -> None:
    code, out, err = run(capsys, "rules", "export", str(match_file), "--round", "1")
    assert (code, err) == (0, "")
    assert run_scenario(read_scenario(json.loads(out)))["ok"]
    code, out, err = run(capsys, "rules", "export", str(match_file), "--round", "7")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "no round 7" in err
    assert run(capsys, "rules", "export", str(match_file), "--round", "0")[0] == 2

"""The rules and the file of a headless match, as the command line says them."""

import json
from pathlib import Path

import click
import pytest
import trio
from click.testing import CliRunner

from p2pkaboo.cli import match_cmd
from p2pkaboo.cli.match_cmd import EXPOSURE_MS, check_place, match_command, match_rules
from p2pkaboo.net.loopback import NoLoopback
from p2pkaboo.rules.keys import RulesError


@pytest.mark.parametrize(
    ("settings", "rounds", "played"),
    [((), None, 1), ((), 3, 3), (("match.rounds=4",), None, 4), (("match.rounds=4",), 4, 4)],
)
def test_rounds_are_said_by_either_option(settings: tuple[str, ...], rounds: int | None, played: int) -> None:
    assert match_rules("sheffield", settings, 2, rounds).match_rounds == played


def test_two_numbers_of_rounds_are_refused() -> None:
    with pytest.raises(RulesError, match=r"match\.rounds = 3: --rounds says 2"):
        match_rules("sheffield", ("match.rounds=3",), 2, 2)


def test_a_match_of_bots_has_an_end() -> None:
    with pytest.raises(RulesError, match=r"match\.rounds = 0"):
        match_rules("sheffield", ("match.rounds=0",), 2, None)
    assert match_rules("cabo-standard", ("match.rounds=0",), 2, None).match_target == 100


@pytest.mark.parametrize("setting", ["snap.exposure_ms=0", '"snap.exposure_ms" = 0'])
def test_an_exposure_that_is_set_stands(setting: str) -> None:
    assert match_rules("sheffield", (setting,), 2, 1).snap_exposure_ms == 0
    assert match_rules("sheffield", (), 2, 1).snap_exposure_ms == EXPOSURE_MS


def test_a_file_that_cannot_be_written_is_refused_before_the_match(tmp_path: Path) -> None:
    with pytest.raises(click.ClickException, match="its folder does not exist"):
        check_place(tmp_path / "nowhere" / "m.kaboo")
    with pytest.raises(click.ClickException, match="cannot be written"):
        check_place(tmp_path)
    check_place(tmp_path / "m.kaboo")
    assert list(tmp_path.iterdir()) == []


def test_without_the_computers_own_network_no_match_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        await trio.lowlevel.checkpoint()
        raise NoLoopback

    monkeypatch.setattr(match_cmd, "check_loopback", check)
    done = CliRunner().invoke(match_command, ["--seats", "2"])
    assert done.exit_code != 0
    assert "this computer's own network (127.0.0.1) does not answer" in done.output


def test_what_was_set_stands_in_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_cmd, "play_processes", lambda options, folder: [])
    monkeypatch.setattr(match_cmd, "match_document", lambda options, preset, results: {"rules": preset, "valid": True})
    done = CliRunner().invoke(match_command, ["--json", "--set", "snap.limit=all", "--set", "caller.protect=snap"])
    assert json.loads(done.output)["overrides"] == {"snap.limit": "all", "caller.protect": ["snap"]}

"""The rules and the file of a headless match, as the command line says them."""

import errno
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click
import pytest
import trio
from click.testing import CliRunner

from p2pkaboo.cli import match_cmd
from p2pkaboo.cli.match_cmd import EXPOSURE_MS, check_place, keep, match_command, match_rules
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


def test_a_transcript_replaces_the_file_before_it_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, played = tmp_path / "out" / "m.kaboo", tmp_path / "match" / "played.kaboo"
    for path, data in ((out, b"of before"), (played, b"of now")):
        path.parent.mkdir()
        path.write_bytes(data)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(click.ClickException) as refused:
            keep(played, out)
    assert out.read_bytes() == b"of before"
    assert list(out.parent.iterdir()) == [out]
    why, kept = refused.value.message.split("; the transcript is in ")
    assert why == f"{out}: cannot be written (No space left on device)"
    assert Path(kept).read_bytes() == b"of now"
    keep(Path(kept), out)
    assert out.read_bytes() == b"of now"


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are others there")
def test_a_transcript_goes_through_a_link_and_into_a_pipe(tmp_path: Path) -> None:
    played, out, link, pipe = (tmp_path / name for name in ("played.kaboo", "m.kaboo", "link.kaboo", "pipe"))
    played.write_bytes(b"of now")
    link.symlink_to(out)
    check_place(link)
    keep(played, link)
    assert link.is_symlink()
    assert out.read_bytes() == b"of now"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    keep(played, pipe)
    assert os.read(reader, 100) == b"of now"
    os.close(reader)


def test_what_a_seat_cannot_do_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    order = {"profile": str(tmp_path / "file" / "p"), "name": "Ada"}
    done = subprocess.run(
        [sys.executable, "-m", "p2pkaboo.cli.seat_process"],
        input=json.dumps(order) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    said = f"p2pkaboo: the seat of Ada: {tmp_path / 'file' / 'p'}: cannot be made a profile folder (Not a directory)\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


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

"""The command line's frame: help, version, one line for bad usage, lazily loaded commands."""

import errno
import importlib
import itertools
import os
import pathlib
import subprocess
import sys
from typing import NoReturn

import click
import pytest

from p2pkaboo.cli import host_cmd, play_cmd
from p2pkaboo.cli import main as cli_main
from p2pkaboo.cli.options import given_profile, profile_option
from p2pkaboo.net.invite import Contact, Invite


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        cli_main.main(arguments)
    out, err = capsys.readouterr()
    assert isinstance(stopped.value.code, int)
    return stopped.value.code, out, err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cli_main.COMMANDS, "deal", cli_main.Entry("no.such.module", "deal", "Deals once."))
    code, out, err = run(capsys, "--help")
    assert (code, err) == (0, "")
    for name, entry in cli_main.COMMANDS.items():
        assert f"  {name} " in out
        assert entry.summary[:30] in out


def test_no_command_is_the_start_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    shown: list[tuple[pathlib.Path, str]] = []
    monkeypatch.setattr(play_cmd, "start_screen", lambda folder, ui: shown.append((folder, ui)))
    assert run(capsys, "--profile", str(tmp_path)) == (0, "", "")
    assert run(capsys, "--profile", str(tmp_path), "--ui", "terminal") == (0, "", "")
    assert shown == [(tmp_path, "web"), (tmp_path, "terminal")]


@pytest.mark.parametrize("command", ["host", "play", "match"])
def test_no_command_opens_a_table_that_cannot_be_honoured(
    capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("P2PKABOO_HOME", str(tmp_path))
    code, out, err = run(capsys, command, "--set", "on_forfeit=recover")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "on_forfeit = recover: a table of this version allows redeal only, because" in err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version")[:2] == (0, "p2pkaboo 0.1.0\n")


def test_every_command_of_the_table_is_there_and_explains_itself() -> None:
    for entry in cli_main.COMMANDS.values():
        command = getattr(importlib.import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        assert command.help


def test_every_module_of_a_command_is_in_the_table() -> None:
    folder = pathlib.Path(cli_main.__file__).parent
    modules = {f"p2pkaboo.cli.{path.stem}" for path in folder.glob("*_cmd.py")}
    assert {entry.module for entry in cli_main.COMMANDS.values()} == modules


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["shuffel"], "No such command 'shuffel'"),
        (["--nonsense"], "No such option"),
        (["--profile"], "requires an argument"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("p2pkaboo: ")
    assert expected in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["host", "--port", "x"], "'--port': 'x' is not a whole number from 1 to 65535"),
        (["host", "--port", ""], "'--port': '' is not a whole number from 1 to 65535"),
        (["host", "--seats", "9"], "'--seats': '9' is not a whole number from 2 to 8"),
        (["rules", "export", "m.kaboo", "--round", "0"], "'--round': '0' is not a whole number from 1 on"),
        (["bot", "kaboo1x", "--patience", "y"], "'--patience': 'y' is not a number from 0 to 10"),
        (["bot", "kaboo1x", "--patience", "10.5"], "'--patience': '10.5' is not a number from 0 to 10"),
    ],
)
def test_a_number_out_of_its_range_is_said_with_the_range(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert f": Invalid value for {said} (see p2pkaboo " in err


@pytest.mark.parametrize("command", ["join", "bot"])
@pytest.mark.parametrize("name", ["a" * 25, " ", "red\x1b[31m"])
def test_a_name_that_cannot_stand_at_a_table_is_bad_usage(
    capsys: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    code, out, err = run(capsys, command, "kaboo1x", "--as", name)
    said = "Invalid value for '--as': a name has 1 to 24 characters that can be printed"
    assert (code, out) == (2, "")
    assert err == f"p2pkaboo {command}: {said} (see p2pkaboo {command} --help)\n"


@pytest.mark.parametrize("name", ["a" * 41, " ", "red\x1b[31m"])
def test_a_name_that_no_table_can_have_is_bad_usage(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, name: str
) -> None:
    monkeypatch.setattr(host_cmd, "run_until_interrupted", lambda play: 77)
    said = "Invalid value for '--name': a table's name has 1 to 40 characters that can be printed"
    arguments = ["host", "--profile", str(tmp_path), "--name"]
    assert run(capsys, *arguments, name) == (2, "", f"p2pkaboo host: {said} (see p2pkaboo host --help)\n")
    assert run(capsys, *arguments, "a" * 40 + " ") == (77, "", "")


@pytest.mark.parametrize("command", ["join", "bot"])
@pytest.mark.parametrize("apart", [(20,), (1, 100), ()])
def test_an_invite_that_a_window_broke_into_words_is_one_invite(
    capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path, command: str, apart: tuple[int, ...]
) -> None:
    text = Invite(0, bytes(16), (Contact(bytes(32), (("192.0.2.2", 27620),)),)).encode()
    cuts = [0, *apart, len(text)]
    words = [text[a:b] for a, b in itertools.pairwise(cuts)]
    code, out, err = run(capsys, command, *words, "--style" if command == "bot" else "--bot", "greedy")
    # Read in whole: it is only too old.
    said = "this invite does not work: this invite was good until 1970-01-01 00:00 UTC; ask for a new one"
    assert (code, out, err) == (2, "", f"p2pkaboo: {said}\n")
    code, _, err = run(capsys, command, text[:-4], "--profile", str(tmp_path))
    assert "is cut short: its end is missing; if it stood on several lines, all are needed" in err


def test_a_commands_own_exit_code_is_the_programs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse = click.Command("refuse", callback=lambda: 1)
    monkeypatch.setattr(cli_main.LazyGroup, "get_command", lambda self, ctx, name: refuse)
    assert run(capsys, "refuse") == (1, "", "")


def test_an_error_of_several_lines_becomes_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable() -> None:
        raise click.ClickException("m.kaboo is not\n   a transcript.")

    command = click.Command("audit", callback=unreadable)
    monkeypatch.setattr(cli_main.LazyGroup, "get_command", lambda self, ctx, name: command)
    assert run(capsys, "audit") == (2, "", "p2pkaboo: m.kaboo is not a transcript\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe without a reader is another error there")
@pytest.mark.parametrize("arguments", [["--help"], ["rules", "list"], ["rules", "show", "sheffield"]])
def test_output_that_nobody_reads_is_no_answer(arguments: list[str]) -> None:
    """A 1 would be one: of `audit FILE | head -1` the shell would tell that the file is not valid."""
    with subprocess.Popen(
        [sys.executable, "-m", "p2pkaboo", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == cli_main.EXIT_UNREAD


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [["--help"], ["rules", "list"], ["rules", "show", "sheffield"]])
def test_output_for_which_there_is_no_room_is_one_line(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "p2pkaboo", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (2, "p2pkaboo: the system says: No space left on device\n")


def test_an_error_of_the_system_is_one_line_that_names_the_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    command = click.Command("bench", callback=(tmp_path / "none").read_bytes)
    monkeypatch.setattr(cli_main.LazyGroup, "get_command", lambda self, ctx, name: command)
    said = f"p2pkaboo: {tmp_path / 'none'}: the system says: No such file or directory\n"
    assert run(capsys, "bench") == (2, "", said)


def test_ctrl_c_among_several_tasks_is_no_defect(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*others: Exception) -> None:
        raise BaseExceptionGroup("tasks", [BaseExceptionGroup("a task", [KeyboardInterrupt()]), *others])

    command = click.Command("match", callback=stopped)
    monkeypatch.setattr(cli_main.LazyGroup, "get_command", lambda self, ctx, name: command)
    assert run(capsys, "match") == (130, "", "")
    command.callback = lambda: stopped(ValueError("a defect beside it"))
    with pytest.raises(BaseExceptionGroup, match="tasks"):
        cli_main.main(["match"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(["--profile", "a", "where"], "a"), (["where", "--profile", "b"], "b"), (["where"], None)],
)
def test_the_profile_counts_wherever_it_is_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: str | None
) -> None:
    seen: list[pathlib.Path | None] = []

    @click.command
    @profile_option
    @click.pass_context
    def where(ctx: click.Context) -> None:
        seen.append(given_profile(ctx))

    monkeypatch.setattr(cli_main.LazyGroup, "get_command", lambda self, ctx, name: where)
    assert run(capsys, *arguments)[0] == 0
    assert seen == [pathlib.Path(expected) if expected else None]


@pytest.mark.parametrize(
    ("arguments", "cannot"),
    [
        (["audit"], "read"),
        (["rules", "export", "--round", "1"], "read"),
        (["match", "--seats", "2", "--out"], "written"),
    ],
)
def test_a_file_that_one_has_no_right_to_is_said_alike_by_all_commands(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: pathlib.Path,
    arguments: list[str],
    cannot: str,
) -> None:
    def denied(*_: object, **__: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied")

    file = tmp_path / "m.kaboo"
    file.touch()
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    monkeypatch.setattr(pathlib.Path, "open", denied)
    said = f"p2pkaboo: {file}: cannot be {cannot} (Permission denied)\n"
    assert run(capsys, *arguments, str(file)) == (2, "", said)


def test_a_profile_without_a_name_is_not_the_folder_one_is_in(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "whoami", "--profile", "")
    said = "Invalid value for '--profile': the name of a folder is missing (see p2pkaboo whoami --help)"
    assert (code, out, err) == (2, "", f"p2pkaboo whoami: {said}\n")
    assert list(tmp_path.iterdir()) == []
    assert run(capsys, "whoami", "--profile", ".")[0] == 0


def test_help_loads_none_of_the_heavy_modules() -> None:
    code = (
        "import sys; from p2pkaboo.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'trio', 'cryptography', 'rbcl', 'websockets', 'rich', 'msgspec'}\n"
        "print(*sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == ""

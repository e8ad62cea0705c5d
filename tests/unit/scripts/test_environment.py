"""The environment of `scripts/`: used again while it matches, made again when it does not, one clear line on errors."""

import json
import pathlib
import subprocess
import sys
import venv

import environment
import pytest


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder for an environment that does not exist yet."""
    there = tmp_path / "venv"
    monkeypatch.setenv("P2PKABOO_VENV", str(there))
    return there


class FakePip:
    """Stands in for `subprocess.run`: notes each pip command and answers as told."""

    def __init__(self, returncode: int = 0, stderr: str = "") -> None:
        self.commands: list[list[str]] = []
        self.returncode = returncode
        self.stderr = stderr

    def __call__(self, command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        self.commands.append(command)
        return subprocess.CompletedProcess(command, self.returncode, "", self.stderr)


def half_made(folder: pathlib.Path) -> None:
    """An environment in which only Python itself is there."""
    environment.python_of(folder).parent.mkdir(parents=True)
    environment.python_of(folder).touch()
    (folder / "pyvenv.cfg").write_text(f"version = {environment.THIS_PYTHON}.0\n")


def test_installs_from_the_lock_by_hash_and_then_the_project_alone(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half_made(folder)
    pip = FakePip()
    monkeypatch.setattr(subprocess, "run", pip)
    assert environment.prepare(environment.DEV_LOCK) == environment.python_of(folder)
    packages, project = pip.commands
    assert "--require-hashes" in packages
    assert str(environment.ROOT / environment.DEV_LOCK) in packages
    assert {"--no-deps", "--no-build-isolation", "--editable"} <= set(project)


def test_an_environment_that_matches_is_left_alone(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half_made(folder)
    monkeypatch.setattr(subprocess, "run", FakePip())
    environment.prepare(environment.DEV_LOCK)
    again = FakePip()
    monkeypatch.setattr(subprocess, "run", again)
    environment.prepare(environment.DEV_LOCK)
    environment.prepare(environment.PLAY_LOCK)
    assert again.commands == []


def test_one_for_playing_is_not_enough_for_testing(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half_made(folder)
    monkeypatch.setattr(subprocess, "run", FakePip())
    environment.prepare(environment.PLAY_LOCK)
    again = FakePip()
    monkeypatch.setattr(subprocess, "run", again)
    environment.prepare(environment.DEV_LOCK)
    assert len(again.commands) == 2


@pytest.mark.parametrize("key", ["python", "requirements.txt", "pyproject.toml"])
def test_any_difference_installs_again(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    half_made(folder)
    monkeypatch.setattr(subprocess, "run", FakePip())
    environment.prepare(environment.PLAY_LOCK)
    stamp = folder / environment.STAMP
    stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {key: "other"}))
    again = FakePip()
    monkeypatch.setattr(subprocess, "run", again)
    environment.prepare(environment.PLAY_LOCK)
    assert len(again.commands) == 2


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("WARNING: Retrying … NewConnectionError('…')\nERROR: No matching distribution found", "cannot be reached"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "does not match its hash"),
        ("/venv/bin/python: No module named pip", "has no pip"),
        ("ERROR: Could not build wheels for rbcl", "Could not build wheels for rbcl"),
        ("", "pip failed"),
    ],
)
def test_a_failed_installation_gives_one_line_and_leaves_no_stamp(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, said: str, expected: str
) -> None:
    half_made(folder)
    monkeypatch.setattr(subprocess, "run", FakePip(1, said))
    with pytest.raises(environment.SetupError, match=expected) as caught:
        environment.prepare(environment.PLAY_LOCK)
    assert "\n" not in str(caught.value)
    assert not (folder / environment.STAMP).exists()
    assert said in (folder / environment.LOG).read_text("utf-8")


@pytest.mark.parametrize("module", ["ensurepip", "venv"])
def test_a_python_without_venv_is_told_what_to_install(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(environment.SetupError, match=f"lacks the module {module}.*apt install python3.*-venv"):
        environment.prepare(environment.PLAY_LOCK)


@pytest.mark.parametrize("stopped_in", ["venv", "pip"])
def test_a_setup_that_was_stopped_begins_anew(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, stopped_in: str
) -> None:
    made: list[bool] = []

    def make(self: venv.EnvBuilder, path: pathlib.Path) -> None:
        made.append(environment.python_of(path).exists())
        half_made(path)
        if stopped_in == "venv" and len(made) == 1:
            raise KeyboardInterrupt

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        if stopped_in == "pip" and len(made) == 1:
            raise KeyboardInterrupt
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(venv.EnvBuilder, "create", make)
    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(KeyboardInterrupt):
        environment.prepare(environment.PLAY_LOCK)
    environment.prepare(environment.PLAY_LOCK)
    environment.prepare(environment.DEV_LOCK)
    assert made == [False, False]  # twice, both times in an empty folder; more packages need no new one


def test_a_setup_that_was_stopped_at_once_begins_anew(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(self: venv.EnvBuilder, path: pathlib.Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "run", FakePip())
    monkeypatch.setattr(venv.EnvBuilder, "create", stopped)
    with pytest.raises(KeyboardInterrupt):
        environment.prepare(environment.PLAY_LOCK)
    monkeypatch.setattr(venv.EnvBuilder, "create", lambda self, path: half_made(path))
    assert environment.prepare(environment.PLAY_LOCK) == environment.python_of(folder)


def test_an_environment_of_somebody_else_is_installed_into(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half_made(folder)
    theirs = folder / "theirs"
    theirs.touch()
    monkeypatch.setattr(subprocess, "run", FakePip(returncode=1))
    with pytest.raises(environment.SetupError):
        environment.prepare(environment.PLAY_LOCK)
    monkeypatch.setattr(subprocess, "run", FakePip())
    environment.prepare(environment.PLAY_LOCK)
    assert theirs.exists()


def test_a_folder_that_is_no_environment_is_not_removed(folder: pathlib.Path) -> None:
    folder.mkdir()
    (folder / "letters.txt").write_text("dear")
    with pytest.raises(environment.SetupError, match="not a Python environment"):
        environment.prepare(environment.PLAY_LOCK)
    assert (folder / "letters.txt").read_text() == "dear"


def test_another_pythons_environment_is_left_alone(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("P2PKABOO_VENV", raising=False)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    assert environment.choose_folder() == tmp_path / ".venv"
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("home = there\nversion = 3.9.1\n")
    assert environment.choose_folder() == tmp_path / f".venv-{environment.THIS_PYTHON}"
    (tmp_path / ".venv" / "pyvenv.cfg").write_text(f"version_info = {environment.THIS_PYTHON}.2.final.0\n")
    assert environment.choose_folder() == tmp_path / ".venv"


def test_a_missing_lock_is_named(folder: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    with pytest.raises(environment.SetupError, match=r"requirements\.txt cannot be read"):
        environment.prepare(environment.PLAY_LOCK)

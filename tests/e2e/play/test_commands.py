"""`host`, `join` and `bot` as people type them, in processes of their own, with bots in the seats of the people."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.net.test_lan import two_hosts

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[3]
LIMIT_S = 120
"""For a short match on a crowded machine."""

SHORT = ("--set", "match.rounds=1", "--set", "snap.exposure_ms=600")
HASTY = ("--patience", "0.05", "--json")

assert callable(two_hosts)  # the fixture is used by its name below


def command(folder: Path, *arguments: str, host: str | None = None) -> list[str]:
    prefix = ["ip", "netns", "exec", host] if host else []
    return [*prefix, sys.executable, "-m", "p2pkaboo", "--profile", str(folder), *arguments]


def run(folder: Path, *arguments: str, host: str | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(folder, *arguments, host=host),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        stdin=subprocess.DEVNULL,
    )


@contextmanager
def running(folder: Path, *arguments: str, host: str | None = None) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        command(folder, *arguments, host=host),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "P2PKABOO_NO_BROWSER": "1", "PYTHONUNBUFFERED": "1"},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def invite_of(process: "subprocess.Popen[str]") -> str:
    """Waits until the table is open."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"invite: (kaboo1\w+)", line):
            return found.group(1)
    raise AssertionError("no invite was printed")


def end_of(process: "subprocess.Popen[str]") -> dict[str, object]:
    out, _ = process.communicate(timeout=LIMIT_S)
    document = json.loads(out)
    assert isinstance(document, dict)
    return document


def agreed(first: dict[str, object], second: dict[str, object]) -> None:
    """Both ends have played the same match to its end and find it valid."""
    assert first["valid"] is second["valid"] is True
    assert first["names"] == second["names"]
    assert isinstance(first["names"], list)
    assert len(set(first["names"])) == 2  # also where one user of a machine sits down twice
    assert first["seat"] != second["seat"]
    assert isinstance(first["rounds"], list)
    assert isinstance(second["rounds"], list)
    assert [row["scores"] for row in first["rounds"]] == [row["scores"] for row in second["rounds"]]


def test_a_table_is_joined_without_an_address_and_the_match_is_audited(tmp_path: Path) -> None:
    table = f"Table {os.getpid()}"
    host = ("host", "--bot", "greedy", "--seats", "2", "--name", table, "--as", "Hedda", *HASTY, *SHORT)
    with running(tmp_path / "a", *host) as hosting:
        invite_of(hosting)
        joined = run(tmp_path / "b", "join", "--bot", "snap-happy", "--as", "Jon", *HASTY)
        assert joined.returncode == 0, joined.stderr
        assert table in joined.stderr
        agreed(end_of(hosting), json.loads(joined.stdout))
    transcript = json.loads(joined.stdout)["transcript"]
    assert run(tmp_path / "b", "audit", transcript).returncode == 0
    past = json.loads(run(tmp_path / "b", "history", "--json").stdout)["matches"]
    assert [(match["name"], sorted(match["players"]), match["verdict"]) for match in past] == [
        (table, ["Hedda", "Jon"], "valid")
    ]


def test_a_private_table_is_not_found_but_joined_by_its_invite(tmp_path: Path) -> None:
    host = ("host", "--bot", "careful", "--as", "Ada", "--seats", "2", "--private", *HASTY, *SHORT)
    with running(tmp_path / "a", *host) as hosting:
        invite = invite_of(hosting)
        lost = run(tmp_path / "b", "join", "--bot", "careful")
        assert lost.returncode == 2
        assert lost.stderr.startswith("p2pkaboo: no open table in this network")
        assert lost.stderr.count("\n") == 1
        joined = run(tmp_path / "b", "bot", f"p2pkaboo://join/{invite}", "--style", "greedy", "--as", "Ada", *HASTY)
        assert joined.returncode == 0, joined.stderr
        agreed(end_of(hosting), json.loads(joined.stdout))


@pytest.mark.netns
def test_a_table_is_joined_from_another_host_on_the_same_wire(tmp_path: Path, two_hosts: tuple[str, str]) -> None:
    there, here = two_hosts
    host = ("host", "--bot", "greedy", "--seats", "2", *HASTY, *SHORT)
    with running(tmp_path / "a", *host, host=there) as hosting:
        invite_of(hosting)
        joined = run(tmp_path / "b", "join", "--bot", "greedy", *HASTY, host=here)
        assert joined.returncode == 0, joined.stderr
        agreed(end_of(hosting), json.loads(joined.stdout))


def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run(tmp_path, "host", "--port", port)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"p2pkaboo: port {port} is in use: choose another one, or none\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("join", "kaboo1nonsense"), "this invite does not work"),
        (("bot", "hello"), "this invite does not work"),
        (("play", "--rules", "nonsense"), "no rules called nonsense"),
        (("host", "--set", "snap.limit=2"), "snap.limit = 2"),
        (("play", "--rules", "kabbu", "--bots", "7"), "2 to 6"),
    ],
)
def test_what_cannot_begin_is_one_line(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_nothing_to_go_back_to(tmp_path: Path) -> None:
    done = run(tmp_path, "resume")
    assert (done.returncode, done.stderr) == (1, "p2pkaboo resume: no unfinished table\n")


def test_a_profile_that_is_in_use_is_one_line(tmp_path: Path) -> None:
    with running(tmp_path, "--ui", "web") as first:
        assert first.stdout is not None
        assert first.stdout.readline().startswith("Open in your browser: http://127.0.0.1:")
        done = run(tmp_path, "play")
    assert done.returncode == 2
    assert "in use by process" in done.stderr
    assert done.stderr.count("\n") == 1

"""Matches of bots in processes of their own, over real links, as the command plays them."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest
from kill_match import play

from p2pkaboo.cli.match_cmd import MatchOptions, SeatProcess, match_rules, play_processes, seat_orders
from p2pkaboo.journal.store import Journal
from tests.unit.spec.validator import problems

pytestmark = pytest.mark.e2e

SCHEMAS = Path(__file__).parents[3] / "protocol" / "schemas"


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "p2pkaboo", *arguments], capture_output=True, text=True, timeout=240, check=False
    )


def test_a_match_of_processes_is_valid_and_its_transcript_too(tmp_path: Path) -> None:
    out = tmp_path / "m.kaboo"
    done = run("match", "--seats", "3", "--rounds", "2", "--set", "snap.exposure_ms=250", "--json", "--out", str(out))
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert problems(json.loads((SCHEMAS / "match.json").read_text()), document) == []
    assert document["valid"]
    assert document["seats"] == 3
    assert document["overrides"] == {"snap.exposure_ms": 250}
    assert [row["audit"] for row in document["rounds"]] == ["valid", "valid"]
    assert document["totals"] == [sum(row["scores"][seat] for row in document["rounds"]) for seat in range(3)]
    audit = run("audit", str(out), "--json")
    report = json.loads(audit.stdout)
    assert (audit.returncode, report["verdict"], report["rounds"]) == (0, "valid", 2)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no groups of processes that a key press goes to")
@pytest.mark.parametrize("together", [[], ["--in-process"]])
def test_ctrl_c_ends_a_match_without_a_word(together: list[str], tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "p2pkaboo", "match", "--seats", "2", *together],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        start_new_session=True,
        text=True,
    ) as process:
        # Both seats play when each has begun its journal.
        while len(list(tmp_path.glob("p2pkaboo-match-*/*/journal.sqlite3-wal"))) < 2:
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
        assert process.stderr is not None
        assert process.stderr.read().strip() == ""
    assert process.returncode == 130
    assert list(tmp_path.glob("p2pkaboo-match-*")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such limit there")
def test_a_match_for_which_there_is_no_room_is_one_line() -> None:
    """A limit to the size of files takes the place of a full disk."""
    limited = ["sh", "-c", 'ulimit -f 100; exec "$0" -m p2pkaboo match --seats 2', sys.executable]
    done = subprocess.run(limited, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "p2pkaboo: the system says: File too large\n")


def test_a_match_survives_seats_that_are_killed() -> None:
    document = play(seats=3, rounds=1, kills=3, seed=7, every=(0.5, 2.5))
    assert document["valid"]
    assert document["kills"] == 3


def test_a_seat_whose_port_was_taken_while_it_was_away_comes_back_by_another(tmp_path: Path) -> None:
    options = MatchOptions(match_rules("sheffield", ("snap.exposure_ms=250",), 2, 1), 2, 3, False)
    opener, guest = seat_orders(options, tmp_path)
    seats = [SeatProcess(opener)]
    with socket.socket() as stranger:
        try:
            seats.append(SeatProcess({**guest, "invite": seats[0].wait_for("invite")["invite"]}))
            for seat in seats:
                seat.wait_for("seated", seats)
            seats[1].process.kill()
            seats[1].process.wait()
            with Journal(tmp_path / "seat1" / "journal.sqlite3") as journal:
                port = journal.unfinished()[0].about["port"]
            assert isinstance(port, int)
            stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            stranger.bind(("127.0.0.1", port))
            stranger.listen()
            seats[1].start(resume=True)
            result = seats[0].wait_for("result", seats)
        finally:
            for seat in seats:
                seat.close()
    assert result["outcome"] == "finished"


@pytest.mark.timeout(60)
def test_a_seat_that_ends_by_accident_ends_the_match(tmp_path: Path) -> None:
    (tmp_path / "seat1").touch()  # no folder for its profile
    options = MatchOptions(match_rules("sheffield", (), 2, 1), 2, 1, False)
    with pytest.raises(click.ClickException, match="seat of Ben ended with an error"):
        play_processes(options, tmp_path)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("match", "--rules", "no-such-rules"), "no-such-rules"),
        (("match", "--set", "deal.cards=90"), "deal.cards"),
        (("match", "--set", "snap.exposure"), "snap.exposure"),
        (("match", "--rules", "cabo-guide", "--seats", "8"), "seats 8"),
        (("match", "--out", "/no/such/folder/m.kaboo"), "/no/such/folder"),
        (("match", "--rounds", "2", "--set", "match.rounds=3"), "--rounds says 2"),
        (("match", "--set", "match.rounds=0"), "match.rounds = 0"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: tuple[str, ...], word: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert word in done.stderr

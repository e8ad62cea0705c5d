"""A process that is killed while it writes has told nobody anything that the journal does not hold."""

import os
import random
import subprocess
import sys
from pathlib import Path

from p2pkaboo.journal.store import Journal, MatchId

CHILD = Path(__file__).with_name("committer.py")
REPOSITORY = Path(__file__).parents[3]
KILLS = 10


def run_and_kill(path: Path, match: MatchId, first: int, lines: int) -> int:
    """Lets the child write until it has said `lines` numbers, kills it, and gives the last number it ever said."""
    child = subprocess.Popen(
        [sys.executable, str(CHILD), str(path), str(match), str(first)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    assert child.stdout is not None
    with child:
        said = [child.stdout.readline() for _ in range(lines)]
        child.kill()
        said += child.stdout.readlines()
    numbers = [int(line) for line in said if line.endswith(b"\n")]
    assert numbers[: len(numbers)] == list(range(first, first + len(numbers)))
    assert len(numbers) >= lines
    return numbers[-1]


def test_killed_while_writing(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        match = journal.start_match(
            secret=b"s", table_name="T", opened=True, own_name="A", contacts=[], about={}, started=0
        )
    first = 0
    for _ in range(KILLS):
        last_said = run_and_kill(path, match, first, random.randrange(1, 60))
        with Journal(path) as journal:
            rows = list(journal.rows(match))
        assert len(rows) % 4 == 0, "a transaction is there in part"
        stored = len(rows) // 4
        assert stored > last_said, "something was said that is not stored"
        for number in range(first, stored):
            received, choice, secret, sent = rows[4 * number : 4 * number + 4]
            assert (received.kind, received.data) == ("received", b"received %d " % number + bytes(3000))
            assert (choice.kind, choice.plain) == ("choice", number)
            assert (secret.kind, secret.name, secret.data) == ("secret", f"{number}", b"%d" % number)
            assert (sent.kind, sent.data) == ("sent", b"sent %d" % number)
        first = stored

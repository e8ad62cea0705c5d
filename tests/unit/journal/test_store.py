import os
import random
import shutil
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pkaboo.journal.database import SCHEMA
from p2pkaboo.journal.errors import StoreError
from p2pkaboo.journal.store import Journal, MatchId, _match_row


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as opened:
        yield opened


def start(journal: Journal, name: str = "Kitchen", started: int = 1_700_000_000) -> MatchId:
    return journal.start_match(
        secret=b"0123456789abcdef",
        table_name=name,
        opened=True,
        own_name="Ada",
        contacts=[[b"k" * 32, [["10.0.0.1", 27620]]]],
        about={"rules": "sheffield", "rounds": 3, "bots": [b"seed"], "set": {"snap.exposure_ms": 600}},
        started=started,
    )


def test_a_match_is_read_back_as_it_was_started(journal: Journal) -> None:
    row = journal.match(start(journal))
    assert row.secret == b"0123456789abcdef"
    assert (row.table_name, row.opened, row.own_name, row.started) == ("Kitchen", True, "Ada", 1_700_000_000)
    assert row.contacts == [[b"k" * 32, [["10.0.0.1", 27620]]]]
    assert row.about == {"rules": "sheffield", "rounds": 3, "bots": [b"seed"], "set": {"snap.exposure_ms": 600}}
    assert (row.finished, row.outcome, row.summary) == (None, None, {})


def test_unfinished_and_history_newest_first(journal: Journal) -> None:
    one, two, three = (start(journal, name, 10 - place) for place, name in enumerate("ABC"))
    journal.finish_match(two, outcome="won", summary={"totals": {"Ada": 12}}, finished=99)
    assert [row.id for row in journal.unfinished()] == [three, one]
    assert [row.id for row in journal.history()] == [three, two, one]
    done = journal.match(two)
    assert (done.outcome, done.summary, done.finished) == ("won", {"totals": {"Ada": 12}}, 99)


def test_numbers_of_matches_are_never_given_twice(journal: Journal, path: Path) -> None:
    last = start(journal)
    with sqlite3.connect(path) as other:
        other.execute("DELETE FROM match")
    other.close()
    assert start(journal) > last


def test_unknown_match(journal: Journal) -> None:
    for call in (
        lambda: journal.match(MatchId(7)),
        lambda: journal.writer(MatchId(7)),
        lambda: journal.finish_match(MatchId(7), outcome="won", summary={}, finished=0),
    ):
        with pytest.raises(StoreError, match=r"journal\.sqlite3: has no match 7$"):
            call()


def test_everything_is_there_after_opening_again(path: Path) -> None:
    with Journal(path) as journal:
        match = start(journal)
        journal.writer(match).commit(sent=[b"hello"])
    with Journal(path) as journal:
        assert [row.data for row in journal.rows(match)] == [b"hello"]
        assert [row.id for row in journal.unfinished()] == [match]


def test_a_copy_of_the_files_made_after_a_commit_holds_it(journal: Journal, path: Path, tmp_path: Path) -> None:
    """What a commit has written does not wait for the journal to be closed."""
    match = start(journal)
    journal.writer(match).commit(secrets=[("x", b"1")], sent=[b"hello"])
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in (path.name, path.name + "-wal"):
        shutil.copy(path.parent / name, copy / name)
    with Journal(copy / path.name) as other:
        assert [row.data for row in other.rows(match)] == [b"1", b"hello"]


def test_the_list_can_be_read_while_a_match_is_written(journal: Journal, path: Path) -> None:
    match = start(journal)
    writer = journal.writer(match)
    writer.commit(sent=[b"one"])
    with Journal(path) as reader:
        assert [row.id for row in reader.history()] == [match]
        writer.commit(sent=[b"two"])
        assert [row.data for row in reader.rows(match)] == [b"one", b"two"]


@pytest.mark.skipif(os.name == "nt", reason="rights are the folder's there")
def test_the_files_are_for_their_owner_alone(journal: Journal, path: Path) -> None:
    start(journal)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    Journal(path).close()
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=rf"journal\.sqlite3: written by a newer p2pkaboo .*version {SCHEMA + 1}"):
        Journal(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"journal\.sqlite3: a database, but not a journal"):
        Journal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", [b"no database at all" * 100, None])
def test_a_damaged_file_is_refused_and_left_alone(path: Path, damage: bytes | None) -> None:
    if damage is None:
        Journal(path).close()
        good = path.read_bytes()
        damage = good[:100] + b"\xff" * (len(good) - 100)
    path.write_bytes(damage)
    with pytest.raises(StoreError, match=r"journal\.sqlite3: "):
        Journal(path)
    assert path.read_bytes() == damage


def test_damaged_plain_data_is_named(journal: Journal, path: Path) -> None:
    match = start(journal)
    journal.writer(match).commit(choices=["draw"])
    with sqlite3.connect(path) as other:
        other.execute("UPDATE entry SET data = x'c1'")
        other.execute("UPDATE match SET about = x'90'")
    other.close()
    with pytest.raises(StoreError, match=r"journal\.sqlite3: row 1 is damaged"):
        list(journal.rows(match))
    with pytest.raises(StoreError, match=r"journal\.sqlite3: match 1 is damaged"):
        journal.history()


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        (1, "0123456789abcdef", "a secret or a name"),
        (2, b"Kitchen", "a secret or a name"),
        (4, None, "a secret or a name"),
        (7, "soon", "a time or the outcome"),
        (8, b"", "a time or the outcome"),
        (9, 1, "a time or the outcome"),
    ],
)
def test_a_column_that_only_a_damaged_file_can_hold(column: int, value: object, reason: str) -> None:
    """The tables allow no such value, so it is put before what reads them."""
    row = [1, b"0123456789abcdef", "Kitchen", 1, "Ada", b"\x90", b"\x80", 10, None, None, None]
    assert _match_row(tuple(row)).about == {}
    row[column] = value
    with pytest.raises(TypeError, match=reason):
        _match_row(tuple(row))


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"nowhere.journal\.sqlite3: cannot be opened"):
        Journal(tmp_path / "nowhere" / "journal.sqlite3")


def test_an_empty_file_becomes_a_journal(path: Path) -> None:
    """A process killed between making the file and filling it must not leave a profile that never opens again."""
    path.touch()
    with Journal(path) as journal:
        assert journal.history() == []


def test_one_match_is_noted_while_another_is_being_written_to(journal: Journal) -> None:
    """A seat that is being left still writes its last messages when the player sits down at the next table."""
    left = start(journal, "left")
    begun, go_on = threading.Event(), threading.Event()

    def write() -> None:
        with journal._database.transaction() as connection:
            begun.set()
            assert go_on.wait(10)
            connection.execute("INSERT INTO entry (match, kind, name, data) VALUES (?, 'sent', '', ?)", (left, b"last"))

    writing = threading.Thread(target=write)
    writing.start()
    assert begun.wait(10)
    threading.Timer(0.1, go_on.set).start()
    following = start(journal, "next")
    writing.join()
    assert [row.id for row in journal.history()] == [following, left]
    assert [row.data for row in journal.rows(left)] == [b"last"]


def test_a_journal_damaged_anywhere_is_one_error_that_names_it(path: Path, tmp_path: Path) -> None:
    """Bytes changed anywhere: what is read is well formed, or refused in one line, and nothing foreign is raised."""
    with Journal(path) as journal:
        for number in range(4):
            match = start(journal, f"Table {number}")
            writer = journal.writer(match)
            writer.note_known("forming", [b"abc" * 50])
            writer.commit(secrets=[("1/x", bytes(32))], choices=[[1, 2, ["call", 0]]], sent=[b"z" * 300])
            if number % 2:
                journal.finish_match(match, outcome="finished", summary={"names": ["A", "B"]}, finished=20)
    good = path.read_bytes()
    chance = random.Random(7)
    refused: list[str] = []
    for _ in range(400):
        damaged = bytearray(good)
        for _ in range(chance.choice((1, 20, 200))):
            damaged[chance.randrange(len(good) if chance.random() < 0.7 else 200)] = chance.randrange(256)
        path.write_bytes(damaged)
        for left in tmp_path.glob("journal.sqlite3-*"):
            left.unlink()
        try:
            with Journal(path) as journal:
                rows = [*journal.history(), *journal.unfinished()]
                entries = [entry for row in rows for entry in journal.rows(row.id)]
        except StoreError as error:
            refused.append(str(error))
        else:
            assert all(isinstance(entry.data, bytes) for entry in entries)
            assert all(isinstance(row.started, int) for row in rows)
    assert 100 < len(refused) < 400
    assert all(line.startswith(str(path)) and "\n" not in line for line in refused)

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2pkaboo.journal.errors import StoreError
from p2pkaboo.journal.store import Journal, MatchId
from p2pkaboo.journal.writer import Writer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as opened:
        yield opened


@pytest.fixture
def match(journal: Journal) -> MatchId:
    return journal.start_match(
        secret=b"s", table_name="T", opened=False, own_name="A", contacts=[], about={}, started=0
    )


@pytest.fixture
def writer(journal: Journal, match: MatchId) -> Writer:
    return journal.writer(match)


def told(journal: Journal, match: MatchId) -> list[tuple[str, str, bytes]]:
    return [(row.kind, row.name, row.data) for row in journal.rows(match)]


def test_a_commit_keeps_the_order_of_what_happened(journal: Journal, match: MatchId, writer: Writer) -> None:
    writer.note_received(b"r1")
    writer.note_choice(["draw"])
    writer.note_received(b"r2")
    writer.note_known("key", ["host", 1])
    writer.commit(sent=[b"m1", b"m2"], secrets=[("x", b"1"), ("rho", b"2")], choices=[["swap", 0, b"\x00"]])
    writer.commit(sent=[b"m3"])
    rows = list(journal.rows(match))
    assert [(row.kind, row.name) for row in rows] == [
        ("received", ""),
        ("choice", ""),
        ("received", ""),
        ("known", "key"),
        ("choice", ""),
        ("secret", "x"),
        ("secret", "rho"),
        ("sent", ""),
        ("sent", ""),
        ("sent", ""),
    ]
    assert [row.data for row in rows if row.kind not in ("choice", "known")] == [
        b"r1", b"r2", b"1", b"2", b"m1", b"m2", b"m3",
    ]  # fmt: skip
    assert [row.plain for row in rows if row.kind in ("choice", "known")] == [
        ["draw"],
        ["host", 1],
        ["swap", 0, b"\x00"],
    ]
    assert [row.number for row in rows] == sorted({row.number for row in rows})


def test_what_is_noted_waits(journal: Journal, match: MatchId, writer: Writer) -> None:
    writer.note_received(b"r")
    assert told(journal, match) == []
    writer.flush()
    assert told(journal, match) == [("received", "", b"r")]


@pytest.mark.parametrize("store", [Writer.commit, Writer.flush])
def test_what_is_noted_while_another_thread_waits_for_the_disk_is_stored_too(
    store: Callable[[Writer], None], journal: Journal, match: MatchId, writer: Writer
) -> None:
    at_the_disk, noted = threading.Event(), threading.Event()

    def hold(statement: str) -> None:
        if statement == "COMMIT":
            at_the_disk.set()
            assert noted.wait(10)

    journal._database._connection.set_trace_callback(hold)
    writer.note_received(b"before")
    storing = threading.Thread(target=store, args=(writer,))
    storing.start()
    assert at_the_disk.wait(10)
    writer.note_received(b"meanwhile")
    noted.set()
    storing.join()
    journal._database._connection.set_trace_callback(None)
    assert told(journal, match) == [("received", "", b"before")]
    writer.commit(sent=[b"m"])
    assert told(journal, match) == [("received", "", b"before"), ("received", "", b"meanwhile"), ("sent", "", b"m")]


def test_only_a_flush_does_without_the_disk(journal: Journal, writer: Writer) -> None:
    connection = journal._database._connection
    levels = {"NORMAL": 1, "FULL": 2}
    level: int = connection.execute("PRAGMA synchronous").fetchone()[0]
    at_commit = []

    def watch(statement: str) -> None:
        nonlocal level
        if statement.startswith("PRAGMA synchronous = "):
            level = levels[statement.split()[-1]]
        elif statement == "COMMIT":
            at_commit.append(level)

    connection.set_trace_callback(watch)
    for store in (writer.commit, writer.flush, writer.commit, writer.flush, writer.flush, writer.commit):
        writer.note_received(b"%d" % len(at_commit))
        store()
    assert at_commit == [2, 1, 2, 1, 1, 2]
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == level == 2


def test_equal_envelopes_are_stored_once(journal: Journal, match: MatchId, writer: Writer) -> None:
    writer.note_received(b"a")
    writer.note_received(b"a")
    writer.commit(sent=[b"b", b"b"])
    writer.note_received(b"b")  # our own, come back from another seat
    writer.commit(sent=[b"a", b"c"])
    expected = [("received", "", b"a"), ("sent", "", b"b"), ("sent", "", b"c")]
    assert told(journal, match) == expected
    again = journal.writer(match)
    again.note_received(b"c")
    again.commit(sent=[b"a", b"b"])
    assert told(journal, match) == expected


def test_what_is_wrong_with_an_envelope_stands_beside_it(journal: Journal, match: MatchId, writer: Writer) -> None:
    writer.note_received(b"a", "3")
    writer.note_received(b"a")  # the same, as evidence
    writer.commit()
    assert told(journal, match) == [("received", "3", b"a")]


def test_two_matches_know_nothing_of_each_other(journal: Journal, match: MatchId, writer: Writer) -> None:
    other = journal.start_match(
        secret=b"t", table_name="U", opened=False, own_name="A", contacts=[], about={}, started=0
    )
    writer.commit(secrets=[("x", b"1")], sent=[b"a"])
    journal.writer(other).commit(secrets=[("x", b"2")], sent=[b"a", b"b"])
    assert told(journal, match) == [("secret", "x", b"1"), ("sent", "", b"a")]
    assert told(journal, other) == [("secret", "x", b"2"), ("sent", "", b"a"), ("sent", "", b"b")]


def test_the_same_choice_may_be_made_again(journal: Journal, match: MatchId, writer: Writer) -> None:
    writer.commit(choices=["ready"])
    writer.commit(choices=["ready"])
    assert [row.plain for row in journal.rows(match)] == ["ready", "ready"]


def test_known_things_are_stored_when_they_change(journal: Journal, match: MatchId, writer: Writer) -> None:
    for value in ("a", "a", "b", "a"):
        writer.note_known("key", value)
    writer.note_known("other", "a")
    writer.flush()
    journal.writer(match).note_known("key", "a")
    assert [(row.name, row.plain) for row in journal.rows(match)] == [
        ("key", "a"),
        ("key", "b"),
        ("key", "a"),
        ("other", "a"),
    ]


def test_a_secret_is_never_made_twice(journal: Journal, match: MatchId, writer: Writer) -> None:
    writer.commit(secrets=[("x", b"1")])
    writer.commit(secrets=[("x", b"1")])
    for current in (writer, journal.writer(match)):
        with pytest.raises(StoreError, match=r"match 1 has another secret named 'x'"):
            current.commit(secrets=[("y", b"3"), ("x", b"2")], choices=["no"], sent=[b"no"])
        current.commit()
    assert told(journal, match) == [("secret", "x", b"1")]


def test_a_failed_commit_stores_nothing_and_can_be_made_again(
    journal: Journal, match: MatchId, writer: Writer, path: Path
) -> None:
    with sqlite3.connect(path) as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON entry WHEN NEW.kind = 'sent' "
            "BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
        )
    writer.note_received(b"r")
    with pytest.raises(StoreError, match=r"journal\.sqlite3: disk is full"):
        writer.commit(secrets=[("x", b"1")], choices=["draw"], sent=[b"m"])
    assert told(journal, match) == []
    with other:
        other.execute("DROP TRIGGER full")
    other.close()
    writer.commit()
    assert [row[0] for row in told(journal, match)] == ["received", "choice", "secret", "sent"]

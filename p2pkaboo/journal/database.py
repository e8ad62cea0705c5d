"""The journal's SQLite file: opening it, its tables, transactions, and errors that name the file."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from p2pkaboo.journal.errors import StoreError

SCHEMA: Final = 1
"""Version of the tables below, in the file's `user_version`. A file with a higher one is refused, not guessed at."""

_APPLICATION: Final = 0x4B41424F
"""The file's `application_id`, "KABO": tells our journal from any other SQLite file."""

_BUSY_SECONDS: Final = 5.0
"""How long to wait while another process (a listing of the history) is at the file."""

_TABLES: Final = """
CREATE TABLE match (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    secret BLOB NOT NULL,
    table_name TEXT NOT NULL,
    opened INTEGER NOT NULL,
    own_name TEXT NOT NULL,
    contacts BLOB NOT NULL,
    about BLOB NOT NULL,
    started INTEGER NOT NULL,
    finished INTEGER,
    outcome TEXT,
    summary BLOB
) STRICT;
CREATE TABLE entry (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    match INTEGER NOT NULL REFERENCES match (id),
    kind TEXT NOT NULL CHECK (kind IN ('received', 'sent', 'secret', 'choice', 'known')),
    name TEXT NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE INDEX entry_of_match ON entry (match, number);
"""


class Database:
    """An opened journal file. Every failure of SQLite comes out as StoreError.

    Any thread may use it. Transactions wait for each other: those of a match that is being left, and of the next one,
    come from different threads.
    """

    def __init__(self, path: Path) -> None:
        """Opens `path`, making it where it is missing. Raises StoreError; no other file is changed."""
        self.path: Final = path
        self._turn: Final = threading.Lock()
        try:
            # SQLite would make a file that everybody may read. Only a missing one is touched: closing a handle of a
            # file that SQLite has open would drop SQLite's own locks on it (sqlite.org, "How To Corrupt", 2.2).
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            pass
        except OSError as error:
            raise StoreError(f"{path}: cannot be opened ({error.strerror})") from None
        with self._named_errors():
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        try:
            with self._named_errors():
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        self._check_version()
        mode = self._pragma("journal_mode = WAL")
        if mode != "wal":
            raise StoreError(f"{self.path}: this file system cannot hold a journal (SQLite's WAL is refused: {mode})")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        if self._pragma("user_version") == 0:
            with self.transaction() as connection:
                if self._pragma("user_version") == 0:  # not made by another process meanwhile
                    for statement in _TABLES.split(";\n")[:-1]:
                        connection.execute(statement)
                    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {SCHEMA}")

    def _check_version(self) -> None:
        version, application = self._pragma("user_version"), self._pragma("application_id")
        empty = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if application != _APPLICATION and not (empty and version == 0):
            raise StoreError(f"{self.path}: a database, but not a journal of p2pkaboo; move it away")
        if isinstance(version, int) and version > SCHEMA:
            raise StoreError(
                f"{self.path}: written by a newer p2pkaboo (tables of version {version}, this one knows {SCHEMA}); "
                "use that one"
            )

    def _pragma(self, text: str) -> object:
        value: object = self._connection.execute(f"PRAGMA {text}").fetchone()[0]
        return value

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged file may hold texts that are none
            raise StoreError(f"{self.path}: {error}") from error

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """All statements inside happen, or none. `durable`: on the disk when the block is left, also in a power cut.

        Without it they may be lost in a power cut, but never when only the process dies, and never in part.
        """
        with self._turn, self._named_errors():
            if not durable:
                self._connection.execute("PRAGMA synchronous = NORMAL")
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
            finally:
                if not durable:
                    self._connection.execute("PRAGMA synchronous = FULL")

    def query(self, statement: str, values: tuple[object, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a SELECT, read as they are asked for."""
        with self._named_errors():
            yield from self._connection.execute(statement, values)

    def close(self) -> None:
        """Closes the file. Idempotent."""
        with self._named_errors():
            self._connection.close()

"""The journal: the matches of a profile and, of each, what was received, sent, decided and kept secret.

Save, then send: a message leaves only after the transaction that holds it, everything received before it and all
secrets that will be needed for it is on the disk. So a process that is killed at any instant comes back knowing at
least all that anybody has heard from it, sends unsent messages again byte for byte, and makes nothing twice.

The interface is synchronous. A commit belongs into a worker thread, so that waiting for the disk does not hold the
event loop; one thread at a time may commit to a match, while another notes (`Writer.note_…`), which waits for nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NewType, Self

import msgspec

from p2pkaboo.journal.database import Database
from p2pkaboo.journal.errors import StoreError
from p2pkaboo.journal.rows import Row, read_rows
from p2pkaboo.journal.writer import Writer

MatchId = NewType("MatchId", int)
"""Number of a match in one profile's journal, from 1."""

_COLUMNS: Final = "id, secret, table_name, opened, own_name, contacts, about, started, finished, outcome, summary"


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match as the journal knows it. Times are seconds since 1970, as the caller gave them."""

    id: MatchId
    secret: bytes
    """The table secret."""
    table_name: str
    opened: bool
    """Whether this player opened the table."""
    own_name: str
    contacts: object
    """Plain data: how to find the others."""
    about: dict[str, object]
    """Plain data: rules, bots and whatever else is needed to go on."""
    started: int
    finished: int | None
    outcome: str | None
    """How it ended; None while it can go on."""
    summary: dict[str, object]
    """Plain data for the list of matches: opponents, totals, rules. Empty while it can go on."""


class Journal:
    """The journal of a profile. Raises StoreError, with one line that names the file, for all that goes wrong.

    Only who holds the profile may write to a match; anybody may look at the list of matches meanwhile.
    """

    def __init__(self, path: Path) -> None:
        """Opens `path`, making it where it is missing."""
        self._database: Final = Database(path)

    def close(self) -> None:
        """Closes the file. What a writer still holds back is not written: `flush` it first."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def start_match(
        self,
        *,
        secret: bytes,
        table_name: str,
        opened: bool,
        own_name: str,
        contacts: object,
        about: Mapping[str, object],
        started: int,
    ) -> MatchId:
        """Notes a new match, durably. `contacts` and `about` are plain data (see `MatchRow` for all of them)."""
        encode = msgspec.msgpack.encode
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO match (secret, table_name, opened, own_name, contacts, about, started)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (secret, table_name, opened, own_name, encode(contacts), encode(dict(about)), started),
            )
            assert cursor.lastrowid is not None
            return MatchId(cursor.lastrowid)

    def finish_match(self, match: MatchId, *, outcome: str, summary: Mapping[str, object], finished: int) -> None:
        """Notes, durably, that the match cannot go on: how it ended, and what the list of matches shows of it."""
        with self._database.transaction() as connection:
            changed = connection.execute(
                "UPDATE match SET outcome = ?, summary = ?, finished = ? WHERE id = ?",
                (outcome, msgspec.msgpack.encode(dict(summary)), finished, match),
            ).rowcount
            if changed != 1:
                raise StoreError(f"{self._database.path}: has no match {match}")

    def match(self, match: MatchId) -> MatchRow:
        """One match. Raises StoreError when there is none of this number."""
        for row in self._matches("WHERE id = ?", (match,)):
            return row
        raise StoreError(f"{self._database.path}: has no match {match}")

    def unfinished(self) -> list[MatchRow]:
        """The matches that can go on, newest first."""
        return list(self._matches("WHERE outcome IS NULL ORDER BY id DESC", ()))

    def history(self) -> list[MatchRow]:
        """All matches, newest first."""
        return list(self._matches("ORDER BY id DESC", ()))

    def _matches(self, which: str, values: tuple[object, ...]) -> Iterator[MatchRow]:
        for row in self._database.query(f"SELECT {_COLUMNS} FROM match {which}", values):
            try:
                yield _match_row(row)
            except (msgspec.DecodeError, TypeError) as error:
                raise StoreError(f"{self._database.path}: match {row[0]} is damaged ({error})") from None

    def rows(self, match: MatchId) -> Iterator[Row]:
        """Everything written of a match, in order: what a peer is rebuilt from."""
        return read_rows(self._database, match)

    def writer(self, match: MatchId) -> Writer:
        """What writes to this match; one at a time, because it alone knows what is stored already."""
        self.match(match)
        return Writer(self._database, match)


def _match_row(row: tuple[Any, ...]) -> MatchRow:
    number, secret, table_name, opened, own_name, contacts, about, started, finished, outcome, summary = row
    decode = msgspec.msgpack.decode
    if not isinstance(secret, bytes) or not isinstance(table_name, str) or not isinstance(own_name, str):
        raise TypeError("a secret or a name is none")
    if not isinstance(started, int) or not isinstance(finished, int | None) or not isinstance(outcome, str | None):
        raise TypeError("a time or the outcome is none")
    return MatchRow(
        MatchId(number),
        secret,
        table_name,
        bool(opened),
        own_name,
        decode(contacts),
        decode(about, type=dict[str, object]),
        started,
        finished,
        outcome,
        decode(summary, type=dict[str, object]) if summary is not None else {},
    )

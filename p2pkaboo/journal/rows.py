"""One thing written of a match, and reading them back in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import msgspec

from p2pkaboo.journal.database import Database
from p2pkaboo.journal.errors import StoreError

Kind: TypeAlias = Literal["received", "sent", "secret", "choice", "known"]
"""`received`: an envelope of another seat that the replica took in; `sent`: one of our own; `secret`: what our messages
need besides (a deal's key, a view's blinding, a snap's nonce); `choice`: what the player decided; `known`: what helps
to find the others again."""

PLAIN_KINDS: Final = ("choice", "known")
"""Kinds whose data is plain data in MessagePack; that of the others is what it is."""


@dataclass(frozen=True, slots=True)
class Row:
    """`number` rises along the match (with gaps); `name` is that of a secret or of something known; of a received
    envelope it says what is wrong with it, or nothing; else it is empty."""

    number: int
    kind: Kind
    name: str
    data: bytes

    @property
    def plain(self) -> object:
        """The value of a choice or of something known: plain data (arrays come back as lists)."""
        value: object = msgspec.msgpack.decode(self.data)
        return value


def read_rows(database: Database, match: int) -> Iterator[Row]:
    """Everything written of a match, in order. Raises StoreError for a row whose plain data is damaged."""
    query = "SELECT number, kind, name, data FROM entry WHERE match = ? ORDER BY number"
    for number, kind, name, data in database.query(query, (match,)):
        # The tables allow nothing else, but a damaged file may hold it.
        if not isinstance(data, bytes) or not isinstance(name, str):
            raise StoreError(f"{database.path}: row {number} is damaged (no data, or no name)")
        row = Row(number, kind, name, data)
        if kind in PLAIN_KINDS:
            try:
                row.plain  # noqa: B018  (decoding is the check)
            except msgspec.DecodeError as error:
                raise StoreError(f"{database.path}: row {number} is damaged ({error})") from None
        yield row

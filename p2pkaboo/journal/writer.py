"""Writing to one match: receipts wait, a commit takes them and everything that a message stands on to the disk."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

import msgspec

from p2pkaboo.journal.database import Database
from p2pkaboo.journal.errors import StoreError
from p2pkaboo.journal.rows import Kind, read_rows

_Entry = tuple[Kind, str, bytes]


class Writer:
    """Appends to one match. What is noted waits in memory, in order, for the next `commit` or `flush`.

    Envelopes whose bytes are stored already, whichever way they came, are not stored twice; nor is a secret or
    something known that says again what it said. While one thread waits for the disk in `commit` or `flush`, another
    may go on noting.
    """

    def __init__(self, database: Database, match: int) -> None:
        """Reads what is stored of the match already."""
        self._database: Final = database
        self._match: Final = match
        self._waiting: list[_Entry] = []
        self._envelopes: set[bytes] = set()
        """SHA-256 of every envelope that is stored or waits."""
        self._secrets: dict[str, bytes] = {}
        self._known: dict[str, bytes] = {}
        for row in read_rows(database, match):
            self._remember((row.kind, row.name, row.data))

    def note_received(self, data: bytes, wrong: str = "") -> None:
        """An envelope that the replica took in. `wrong`: what it was refused for, as far as a replica that gets it
        again would not see that by itself."""
        self._note("received", wrong, data)

    def note_choice(self, value: object) -> None:
        """What the player decided, as plain data: at this place among the receipts."""
        self._note("choice", "", msgspec.msgpack.encode(value))

    def note_known(self, name: str, value: object) -> None:
        """Something that helps to find the others again (addresses of a key), as plain data; the last word counts."""
        self._note("known", name, msgspec.msgpack.encode(value))

    def commit(
        self,
        *,
        secrets: Iterable[tuple[str, bytes]] = (),
        choices: Iterable[object] = (),
        sent: Iterable[bytes] = (),
    ) -> None:
        """One transaction, on the disk when this returns: all that waits, then the choices, the secrets, the messages.

        Only then may the messages leave. Raises StoreError when it fails: then nothing of it is stored, the messages
        must not leave, and all of it waits for another `commit()`. Raises StoreError too, and takes nothing, when a
        secret is given under a name that holds another one: a key made twice has lost what was done with the first.
        """
        secrets = list(secrets)
        for name, value in secrets:
            if self._secrets.get(name, value) != value:
                raise StoreError(f"{self._database.path}: match {self._match} has another secret named {name!r}")
        for choice in choices:
            self.note_choice(choice)
        for name, value in secrets:
            self._note("secret", name, value)
        for data in sent:
            self._note("sent", "", data)
        self._store(durable=True)

    def flush(self) -> None:
        """Stores what waits. It outlives this process, but perhaps not a power cut: the others send it again."""
        self._store(durable=False)

    def _note(self, kind: Kind, name: str, data: bytes) -> None:
        entry: _Entry = (kind, name, bytes(data))
        if self._is_new(entry):
            self._remember(entry)
            self._waiting.append(entry)

    def _is_new(self, entry: _Entry) -> bool:
        kind, name, data = entry
        match kind:
            case "received" | "sent":
                return sha256(data).digest() not in self._envelopes
            case "secret":
                return name not in self._secrets
            case "known":
                return self._known.get(name) != data
            case "choice":
                return True

    def _remember(self, entry: _Entry) -> None:
        kind, name, data = entry
        match kind:
            case "received" | "sent":
                self._envelopes.add(sha256(data).digest())
            case "secret":
                self._secrets[name] = data
            case "known":
                self._known[name] = data
            case "choice":
                pass  # the same choice may be made again

    def _store(self, *, durable: bool) -> None:
        storing = tuple(self._waiting)
        if not storing:
            return
        with self._database.transaction(durable=durable) as connection:
            connection.executemany(
                "INSERT INTO entry (match, kind, name, data) VALUES (?, ?, ?, ?)",
                [(self._match, *entry) for entry in storing],
            )
        del self._waiting[: len(storing)]  # what was noted meanwhile goes on waiting

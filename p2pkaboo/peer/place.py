"""Where a player stands, at a table or not: the profile, who it is, and its journal."""

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pkaboo.crypto.identity import Identity
from p2pkaboo.journal.profile import Profile
from p2pkaboo.journal.store import Journal


def now_us() -> int:
    """Microseconds on the clock that stamps frames."""
    return time.monotonic_ns() // 1000


@dataclass(slots=True)
class Place:
    """Where a player stands: profile, identity and journal. One running peer a profile (see `journal.profile`)."""

    profile: Profile
    identity: Identity
    journal: Journal

    @property
    def signing_key(self) -> Ed25519PrivateKey:
        """The identity as the links need it."""
        return Ed25519PrivateKey.from_private_bytes(self.identity.seed)


@asynccontextmanager
async def open_place(folder: Path) -> AsyncIterator[Place]:
    """Takes a profile for a running peer. Raises JournalError (`ProfileBusy` among them)."""
    with Profile(folder, exclusive=True) as profile:
        identity = Identity(profile.identity_seed(os.urandom))
        with Journal(profile.journal_path) as journal:
            yield Place(profile, identity, journal)

"""A profile: the folder that holds one player's key, journal, settings, house rules and transcripts.

Reading is free at any time; what runs a peer opens the profile `exclusive`, and there is one of those a folder. The
identity's seed and the journal hold secrets: they are made for their owner alone (mode 0600; on Windows the rights of
the user's own folder do that).
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import platformdirs

from p2pkaboo.journal.errors import ProfileError
from p2pkaboo.journal.files import Json, read_json, write_json, write_whole
from p2pkaboo.journal.lock import FolderLock

HOME_VARIABLE: Final = "P2PKABOO_HOME"
"""Environment variable that names the profile folder."""

SEED_BYTES: Final = 32
"""Length of an Ed25519 seed (RFC 8032, section 5.1.5)."""

_SEED_MAGIC: Final = "kaboo-identity-1"
_MAX_SLUG: Final = 40


def profile_folder(option: Path | None, environ: Mapping[str, str]) -> Path:
    """Which folder: `option` (`--profile DIR`), else the environment's, else the platform's own."""
    if option is not None:
        return option
    if environ.get(HOME_VARIABLE):
        return Path(environ[HOME_VARIABLE])
    return platformdirs.user_data_path("p2pkaboo", appauthor=False)


class Profile:
    """An opened profile folder. Raises ProfileError, with one line that names the file, for all that goes wrong."""

    def __init__(self, folder: Path, *, exclusive: bool) -> None:
        """Opens the folder, making it (for the owner alone) where it is missing.

        `exclusive`: a peer is going to run on it; held until `close`. Raises ProfileBusy when one does already.
        """
        self.folder: Final = folder
        self._lock: FolderLock | None = None
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ProfileError(f"{folder}: cannot be made a profile folder ({error.strerror})") from None
        if exclusive:
            self._lock = FolderLock(self._lock_path)

    def close(self) -> None:
        """Lets another peer run on this profile."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _lock_path(self) -> Path:
        return self.folder / "lock"

    @property
    def journal_path(self) -> Path:
        """Where this profile's journal is (see `store.Journal`)."""
        return self.folder / "journal.sqlite3"

    # The identity

    @property
    def identity_path(self) -> Path:
        """Where the seed of the long-term key is."""
        return self.folder / "identity"

    def identity_seed(self, rng: Callable[[int], bytes]) -> bytes:
        """The 32-byte seed of this player's long-term key, made with `rng` (`os.urandom`) the first time.

        Raises ProfileError when the file is damaged (it is never replaced: a new key would be a new person), and
        ProfileBusy when it must be made while another process holds the profile.
        """
        try:
            return self._read_seed()
        except FileNotFoundError:
            pass
        lock = FolderLock(self._lock_path) if self._lock is None else None
        try:
            if self.identity_path.exists():  # made by somebody else before we had the lock
                return self._read_seed()
            seed = rng(SEED_BYTES)
            if len(seed) != SEED_BYTES:
                raise ValueError(f"the random source gave {len(seed)} bytes where {SEED_BYTES} were asked for")
            try:
                write_whole(self.identity_path, _seed_text(seed).encode(), private=True)
            except OSError as error:
                raise ProfileError(f"{self.identity_path}: cannot be written ({error.strerror})") from None
            return seed
        finally:
            if lock is not None:
                lock.release()

    def _read_seed(self) -> bytes:
        try:
            with self.identity_path.open("rb") as file:
                text = file.read(1000).decode("ascii", "replace")
        except FileNotFoundError:
            raise
        except OSError as error:
            raise ProfileError(f"{self.identity_path}: cannot be read ({error.strerror})") from None
        words = text.split()
        try:
            seed = bytes.fromhex(words[1]) if len(words) == 3 else b""
        except ValueError:
            seed = b""
        if len(seed) != SEED_BYTES or _seed_text(seed) != text:
            raise ProfileError(
                f"{self.identity_path}: damaged, not the key of a player; restore it from a copy, "
                "or move it away to become somebody new"
            )
        return seed

    # Small documents

    @property
    def settings_path(self) -> Path:
        """Where the settings are."""
        return self.folder / "settings.json"

    def settings(self) -> dict[str, Json]:
        """The saved settings by name; none in a new profile."""
        return self._object(self.settings_path)

    def save_settings(self, settings: Mapping[str, Json]) -> None:
        """Replaces all saved settings."""
        write_json(self.settings_path, dict(settings))

    @property
    def rule_sets_path(self) -> Path:
        """Where the house rules are."""
        return self.folder / "rules.json"

    def rule_sets(self) -> dict[str, Json]:
        """The player's own rule sets by name, in whatever plain form they were saved."""
        return self._object(self.rule_sets_path)

    def save_rule_sets(self, rule_sets: Mapping[str, Json]) -> None:
        """Replaces all saved rule sets."""
        write_json(self.rule_sets_path, dict(rule_sets))

    @property
    def scorekeeper_path(self) -> Path:
        """Where the scorekeeper's game with paper cards is."""
        return self.folder / "score.json"

    def scorekeeper(self) -> dict[str, Json]:
        """The state of the scorekeeper; empty when there is no game with paper cards."""
        return self._object(self.scorekeeper_path)

    def save_scorekeeper(self, state: Mapping[str, Json]) -> None:
        """Replaces the scorekeeper's state."""
        write_json(self.scorekeeper_path, dict(state))

    def _object(self, path: Path) -> dict[str, Json]:
        value = read_json(path, {})
        if not isinstance(value, dict):
            raise ProfileError(f"{path}: damaged, holds no JSON object; repair it or move it away")
        return value

    # Transcripts

    def transcript_path(self, match: int, table_name: str, started: int) -> Path:
        """Where the transcript of a match belongs: `transcripts/2026-01-31-table-name-7.kaboo`, the day in UTC.

        `match`: number of the match in the journal, so that no two share a file; `started`: seconds since 1970.
        """
        letters = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in table_name.lower())
        slug = "-".join(part for part in letters.split("-") if part)[:_MAX_SLUG].strip("-") or "table"
        day = datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%d")
        return self.folder / "transcripts" / f"{day}-{slug}-{match}.kaboo"


def _seed_text(seed: bytes) -> str:
    """The file's only line. The checksum is there because any 32 bytes are a key, just not of the same person."""
    return f"{_SEED_MAGIC} {seed.hex()} {sha256(_SEED_MAGIC.encode() + seed).hexdigest()[:16]}\n"

"""Transcript files (`.kaboo`) on disk: written whole or not at all, read up to a limit. Their contents are `wire`'s."""

from pathlib import Path
from typing import Final

from p2pkaboo.journal.errors import TranscriptFileError
from p2pkaboo.journal.files import write_whole
from p2pkaboo.wire.transcript import MAX_FILE

_PIECE: Final = 1 << 20
"""Bytes of one read: most transcripts are in by then."""


def save_transcript(path: Path, data: bytes) -> None:
    """Writes `data` to `path`, making its folder; a file that is there is replaced in one step.

    Raises TranscriptFileError, and leaves the old file then.
    """
    if len(data) > MAX_FILE:
        raise TranscriptFileError(f"{path}: a transcript has at most {MAX_FILE} bytes, this one {len(data)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Only what was broadcast is in it: nothing to hide from those who may read the folder.
        write_whole(path, data, private=False)
    except OSError as error:
        raise TranscriptFileError(f"{path}: cannot be written ({error.strerror})") from None


def load_transcript(path: Path) -> bytes:
    """The bytes of `path`, whatever they are. Raises TranscriptFileError when it cannot be read or is too large."""
    parts = []
    size = 0
    try:
        with path.open("rb") as file:
            # Piece by piece: one read of MAX_FILE would first set aside that much memory for any small file.
            while size <= MAX_FILE and (part := file.read(_PIECE)):
                parts.append(part)
                size += len(part)
    except OSError as error:
        raise TranscriptFileError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError:
        raise TranscriptFileError(f"{str(path)!r}: cannot be read (this is no name of a file)") from None
    if size > MAX_FILE:
        raise TranscriptFileError(f"{path}: larger than {MAX_FILE} bytes, which no transcript is")
    return b"".join(parts)

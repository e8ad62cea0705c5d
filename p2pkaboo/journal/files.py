"""Small files, written whole or not at all."""

import json
import os
from pathlib import Path
from typing import Final, TypeAlias

from p2pkaboo.journal.errors import ProfileError

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
"""What a JSON document can say."""

MAX_DOCUMENT: Final = 1 << 20
"""Bytes of one JSON document: settings and house rules are a few kilobytes; a larger file is not ours."""

_PRIVATE: Final = 0o600
_PUBLIC: Final = 0o666


def write_whole(path: Path, data: bytes, *, private: bool) -> None:
    """Replaces `path` by `data` in one step: whoever reads it, also after a power cut, finds the old or the new bytes.

    `private`: for the owner alone (where the system knows such rights). Raises OSError, and leaves the old file then.
    """
    temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}.tmp")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(temporary, flags, _PRIVATE if private else _PUBLIC), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # a folder cannot be opened there, and the rename is written through anyway
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_json(path: Path, default: Json) -> Json:
    """The document in `path`, or `default` where there is no such file. Raises ProfileError when it is damaged."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_DOCUMENT + 1)
    except FileNotFoundError:
        return default
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read ({error.strerror})") from None
    if len(data) > MAX_DOCUMENT:
        raise ProfileError(f"{path}: larger than {MAX_DOCUMENT} bytes, which no file of this kind is")
    try:
        value: Json = json.loads(data)
        _written(value)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path}: damaged, not valid JSON ({error}); repair it or move it away") from None
    return value


def _written(value: Json) -> bytes:
    """The bytes of a file that holds `value`. ValueError, RecursionError for what no such file can: Python's reader
    also takes numbers that are none, and halves of characters, which then come up wherever the value is used."""
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False).encode() + b"\n"


def write_json(path: Path, value: Json) -> None:
    """Saves `value` in `path`, for its owner to read. Raises ProfileError, and leaves the old file then."""
    try:
        data = _written(value)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path}: cannot be written ({error})") from None
    if len(data) > MAX_DOCUMENT:
        raise ProfileError(f"{path}: would be larger than {MAX_DOCUMENT} bytes")
    try:
        write_whole(path, data, private=True)
    except OSError as error:
        raise ProfileError(f"{path}: cannot be written ({error.strerror})") from None

"""The vectors and golden transcripts as they lie in the repository."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import environment

PROTOCOL: Final[Path] = environment.ROOT / "protocol"

AREAS: Final = tuple(sorted(path.stem for path in (PROTOCOL / "vectors").glob("*.json")))
"""The areas that have a file."""


@cache
def area(name: str) -> dict[str, Any]:
    """The document of one area."""
    loaded: dict[str, Any] = json.loads((PROTOCOL / "vectors" / f"{name}.json").read_text("utf-8"))
    return loaded


@cache
def manifest() -> tuple[dict[str, Any], ...]:
    """The rows of the list of golden transcripts."""
    loaded = json.loads((PROTOCOL / "transcripts" / "manifest.json").read_text("utf-8"))
    return tuple(loaded["transcripts"])


@cache
def transcript(name: str) -> bytes:
    """A file below `protocol/`."""
    return (PROTOCOL / name).read_bytes()


def vectors(name: str) -> list[dict[str, Any]]:
    """The vectors of one area."""
    found: list[dict[str, Any]] = area(name)["vectors"]
    return found

"""The form of vectors: one operation each, what goes in, what comes out, and what may be compared on the way."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha512
from typing import Any, Final

from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.group import L, Point, encode_scalar
from p2pkaboo.crypto.tags import SUITE

EXACT: Final = 1 << 53
"""Integers beyond this either way are written as decimal texts: not every reader of JSON holds them exactly."""

Frames = Sequence[tuple[bytes, bytes]]
"""Labels and data of a proof's transcript."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One vector; `code` is the class that an invalid one must give, where a class is due."""

    name: str
    about: str
    valid: bool
    code: str | None
    input: Mapping[str, object]
    output: object = None
    intermediate: Mapping[str, object] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """As it stands in its file."""
        found: dict[str, Any] = {
            "name": self.name,
            "about": self.about,
            "valid": self.valid,
            "class": self.code,
            "input": plain(self.input),
            "output": plain(self.output),
        }
        return {**found, "intermediate": plain(self.intermediate)} if self.intermediate else found


@dataclass(frozen=True, slots=True)
class Area:
    """One file of vectors. `section`: where the specification says what they test, below `protocol/`."""

    name: str
    section: str
    about: str
    vectors: tuple[Vector, ...]

    def text(self) -> str:
        """The file. ValueError for a name that stands twice."""
        names = [vector.name for vector in self.vectors]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"area {self.name}: two vectors are called {twice[0]}")
        document = {
            "area": self.name,
            "version": 1,
            "section": self.section,
            "about": self.about,
            "vectors": [vector.document() for vector in self.vectors],
        }
        return written(document)


def written(document: object) -> str:
    """JSON as the files hold it."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def good(
    name: str,
    about: str,
    given: Mapping[str, object],
    output: object = None,
    intermediate: Mapping[str, object] | None = None,
) -> Vector:
    """A vector of an operation that succeeds."""
    return Vector(name, about, True, None, given, output, intermediate or {})


def bad(name: str, about: str, code: str | None, given: Mapping[str, object], output: object = None) -> Vector:
    """A vector of an operation that must fail."""
    return Vector(name, about, False, code, given, output)


def plain(value: object) -> Any:
    """In the JSON mapping: byte strings and points as hexadecimal, integers that are too large as decimal texts."""
    match value:
        case bytes():
            return value.hex()
        case Point():
            return value.encoded.hex()
        case bool() | str() | None:
            return value
        case int():
            return value if abs(value) <= EXACT else str(value)
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case Iterable():
            return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no place in a vector")


def context_plain(context: Context) -> dict[str, object]:
    """A context by its fields."""
    return {
        "table": context.table,
        "deal": context.deal,
        "step": context.step.decode(),
        "seat": context.seat,
    }


def frame(label: bytes, data: bytes) -> bytes:
    """One frame of a transcript, as the specification writes it."""
    return bytes([len(label)]) + label + len(data).to_bytes(4, "big") + data


def transcript(tag: bytes, context: Context, frames: Frames) -> bytes:
    """The whole input of the hash up to a challenge: the frames of the context, then those of the proof."""
    opening = [
        (b"suite", SUITE),
        (b"proof", tag),
        (b"table", context.table),
        (b"deal", context.deal.to_bytes(8, "big")),
        (b"step", context.step),
        (b"seat", context.seat.to_bytes(4, "big")),
    ]
    return b"".join(frame(label, data) for label, data in [*opening, *frames])


def challenge_of(frames: bytes, label: bytes = b"challenge") -> int:
    """The challenge that follows these frames, by the specification's own words."""
    return int.from_bytes(sha512(frames + frame(label, b"")).digest(), "little") % L


def require(holds: bool, what: str) -> None:
    """A vector that is not what its text says must not be written. ValueError."""
    if not holds:
        raise ValueError(f"vectors: {what}")


def flipped(data: bytes, bit: int = 0) -> bytes:
    """The same bytes with one bit changed, counted from the lowest of the first byte."""
    at, low = divmod(bit, 8)
    return data[:at] + bytes([data[at] ^ 1 << low]) + data[at + 1 :]


def beyond_order(scalar: bytes) -> bytes:
    """Another 32 bytes that mean the same scalar modulo the order, which no decoder may take."""
    return (int.from_bytes(scalar, "little") + L).to_bytes(32, "little")


def scalars(values: Iterable[int]) -> list[bytes]:
    """Scalars in their encoding."""
    return [encode_scalar(value) for value in values]

"""The `.kaboo` file: everything that was broadcast in a match, in the order of the history, and nothing else.

Layout: the magic ``KABOO\\x00\\x01\\n`` (the seventh byte is the format's version), then records. A record is a length
(4 bytes, big-endian) and as many bytes. Each record but the last is one envelope; the last is the footer, the canonical
array ["end", number of envelopes, head of the last main step]. A file cut short therefore has no footer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from p2pkaboo.wire.codec import DecodeError, decode, encode
from p2pkaboo.wire.limits import MAX_FRAME

MAGIC: Final = b"KABOO\x00\x01\n"
MAX_ENVELOPES: Final = 5_000_000
"""Envelopes in one file: a thousand rounds of eight seats."""
MAX_FILE: Final = 1 << 31
"""Bytes of one file that are read at all: one that is larger is no transcript of a card game."""

_VERSION_AT: Final = 6
_UNVERSIONED: Final = MAGIC[:_VERSION_AT] + MAGIC[_VERSION_AT + 1 :]
_LENGTH: Final = 4
"""Bytes of a record's length."""
_HEAD: Final = 64
"""Bytes of a head: SHA-512."""
_MAX_FOOTER: Final = 1 + 4 + 9 + 2 + _HEAD
"""Bytes of the longest footer: array, "end", a 64-bit count, a head."""


class TranscriptError(ValueError):
    """The bytes are no transcript of this format; the text says why."""


@dataclass(frozen=True, slots=True)
class Footer:
    """The last record: how many envelopes come before it, and the head of the last main step."""

    count: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Transcript:
    """A file taken apart. `footer` is None, and `cut` says where, when the file ends before its footer."""

    envelopes: tuple[bytes, ...]
    footer: Footer | None
    cut: str


def write_transcript(envelopes: Iterable[bytes], head: bytes) -> bytes:
    """The bytes of a file of these envelopes, in history order, whose last main step has `head` (64 bytes).

    Raises TranscriptError for what could not be read again.
    """
    if len(head) != _HEAD:
        raise TranscriptError(f"a head has {_HEAD} bytes, not {len(head)}")
    parts = [MAGIC]
    count = 0
    for data in envelopes:
        if not 1 <= len(data) <= MAX_FRAME or _footer(data) is not None:
            raise TranscriptError(f"record {count} is no envelope")
        parts.append(len(data).to_bytes(_LENGTH, "big"))
        parts.append(data)
        count += 1
    if count > MAX_ENVELOPES:
        raise TranscriptError(f"a transcript has at most {MAX_ENVELOPES} envelopes, this one {count}")
    end = encode(["end", count, head])
    return b"".join([*parts, len(end).to_bytes(_LENGTH, "big"), end])


def read_transcript(data: bytes) -> Transcript:
    """Takes a file apart. Raises TranscriptError when it is none; a file cut short is read up to the cut."""
    magic = data[: len(MAGIC)]
    if len(magic) < len(MAGIC) or magic[:_VERSION_AT] + magic[_VERSION_AT + 1 :] != _UNVERSIONED:
        raise TranscriptError("not a .kaboo transcript (the first bytes are not its magic)")
    if magic != MAGIC:
        raise TranscriptError(f"unknown transcript version {magic[_VERSION_AT]} (this program reads version 1)")
    if len(data) > MAX_FILE:
        raise TranscriptError(f"larger than {MAX_FILE} bytes, which no transcript is")
    at = len(MAGIC)
    rows: list[bytes] = []
    while at < len(data):
        if len(data) - at < _LENGTH:
            return Transcript(tuple(rows), None, f"record {len(rows)} ends within its length")
        size = int.from_bytes(data[at : at + _LENGTH], "big")
        if size == 0 or size > MAX_FRAME:
            return Transcript(tuple(rows), None, f"record {len(rows)} has the impossible length {size}")
        row = data[at + _LENGTH : at + _LENGTH + size]
        if len(row) < size:
            return Transcript(tuple(rows), None, f"record {len(rows)} ends after {len(row)} of {size} bytes")
        at += _LENGTH + size
        footer = _footer(row)
        if footer is not None:
            if at != len(data):
                return Transcript(tuple(rows), None, f"{len(data) - at} bytes follow the footer")
            if footer.count != len(rows):
                return Transcript(
                    tuple(rows), None, f"the footer counts {footer.count} envelopes, {len(rows)} are here"
                )
            return Transcript(tuple(rows), footer, "")
        if len(rows) == MAX_ENVELOPES:
            return Transcript(tuple(rows), None, f"more than {MAX_ENVELOPES} envelopes")
        rows.append(row)
    return Transcript(tuple(rows), None, "the footer is missing")


def _footer(row: bytes) -> Footer | None:
    if len(row) > _MAX_FOOTER:
        return None
    try:
        value = decode(row)
    except DecodeError:
        return None
    match value:
        # `type`, because True is an int too, and would be a second way to write 1.
        case ["end", int(count), bytes(head)] if type(count) is int and count >= 0 and len(head) == _HEAD:
            return Footer(count, head)
        case _:
            return None

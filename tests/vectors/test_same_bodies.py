"""Both verifiers take the same envelopes: every field of every kind of message at the edges of what it may hold."""

from collections.abc import Iterator
from typing import Any

import msgpack
import pytest

from p2pkaboo.wire.codec import DecodeError, decode
from p2pkaboo.wire.envelope import decode_envelope
from tests.vectors.files import vectors
from verifier import encoding
from verifier.messages import read_envelope

KINDS = {row["output"]["kind"]: bytes.fromhex(row["input"]["bytes"]) for row in vectors("envelope") if row["valid"]}
"""One envelope of each kind."""

LIMITS = (0, 1, 3, 7, 8, 16, 31, 40, 63, 64, 224, 10_000, 100_000, 10**6, 3_600_000, 2**32, 2**53, 2**63, 2**64 - 1)
NEAR = {near for limit in LIMITS for near in (limit - 1, limit, limit + 1, -limit, -limit - 1)}
NUMBERS = sorted(number for number in NEAR if -(2**63) <= number < 2**64)
SIZES = (0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 224, 225)
TEXTS = (
    "",
    " ",
    "a",
    " a",
    "a ",
    "a" * 40,
    "a" * 41,
    "é" * 40,
    "\U0001f600" * 40,
    "own",
    "lan",
    "KEYS",
    "\x1f",
    "\x7f",
)
LETTERS = ("\x9f", "\xa0", "\u061c", "\u200d", "\u200e", "\u200f", "\u2028", "\u202f", "\u2066", "\u206a", "\ufeff")


def others(value: object) -> Iterator[object]:
    """What might stand in the place of this value."""
    yield from (None, True, False, [], [[]], value)
    if isinstance(value, bytes):
        yield from (bytes(size) for size in SIZES)
    elif isinstance(value, str):
        yield from (*TEXTS, *(f"a{letter}b" for letter in LETTERS))
    elif isinstance(value, list):
        yield from (value[:-1], [*value, None])
        if value:
            yield from (value[:1] * size for size in SIZES)
    else:
        yield from NUMBERS


def changed(value: Any, depth: int = 0) -> Iterator[Any]:
    """The value with one thing in it replaced, at every place."""
    if depth:
        yield from others(value)
    if isinstance(value, list):
        for at, item in enumerate(value[:12]):
            for other in changed(item, depth + 1):
                yield [*value[:at], other, *value[at + 1 :]]


def outcome(data: bytes) -> tuple[bool, bool]:
    """Whether the package takes these bytes as an envelope, and whether the second verifier does."""
    ours = theirs = True
    try:
        decode_envelope(data)
    except DecodeError:
        ours = False
    try:
        read_envelope(data)
    except encoding.BadEncoding:
        theirs = False
    return ours, theirs


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_edges_of_every_field_are_the_same_for_both(kind: str) -> None:
    tried = set()
    for value in changed(decode(KINDS[kind])):
        data = msgpack.packb(value, use_bin_type=True)
        found = outcome(data)
        assert found[0] == found[1], (found, value)
        tried.add(found)
    assert tried == {(True, True), (False, False)}

"""Values as bytes: the strict MessagePack subset, checks of shape, tagged hashes and slots (01-encoding.md)."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

Value = None | bool | int | bytes | str | list["Value"]
Check = Callable[[Value], bool]

# 01-encoding.md, section 8.
MAX_FRAME = 262144
MAX_ENVELOPE = 262128
MAX_DEPTH = 6
MAX_ITEMS = 4096
MAX_VALUES = 16384
MAX_TEXT = 512
MAX_CARDS = 224
MAX_NUMBER = 100000
MAX_INDEX = 10000
MAX_DEAL = 1000000
MAX_ELAPSED = 2**32
MAX_CLAIM_MS = 3600000
MAX_STAMP_US = 2**53


class BadEncoding(ValueError):
    """These bytes are not the one form of a value."""


# ---------------------------------------------------------------------------------------------------------------
# Section 1: decoding and encoding


class _Reader:
    """Walks through the bytes of one value."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.room = MAX_VALUES

    def take(self, count: int) -> bytes:
        piece = self.data[self.at : self.at + count]
        if len(piece) != count:
            raise BadEncoding("the bytes end inside a value")
        self.at += count
        return piece

    def number(self, size: int, signed: bool = False) -> int:
        return int.from_bytes(self.take(size), "big", signed=signed)

    def text(self, size: int) -> str:
        try:
            text = self.take(size).decode("utf-8")
        except UnicodeDecodeError:
            raise BadEncoding("a text is not UTF-8") from None
        if len(text) > MAX_TEXT:
            raise BadEncoding("a text is too long")
        return text

    def array(self, count: int, depth: int) -> Value:
        if count > MAX_ITEMS:
            raise BadEncoding("an array has too many elements")
        self.room -= count or 1
        if self.room < 0:
            raise BadEncoding("the arrays together have too many elements")
        if depth >= MAX_DEPTH:
            raise BadEncoding("arrays nest too deep")
        return [self.value(depth + 1) for _ in range(count)]

    def value(self, depth: int = 0) -> Value:
        """One value, leniently: what is not in its shortest form is found by encoding it again."""
        first = self.number(1)
        if first <= 0x7F:
            return first
        if first >= 0xE0:
            return first - 256
        if 0x90 <= first <= 0x9F:
            return self.array(first - 0x90, depth)
        if 0xA0 <= first <= 0xBF:
            return self.text(first - 0xA0)
        if first == 0xC0:
            return None
        if first in (0xC2, 0xC3):
            return first == 0xC3
        if 0xC4 <= first <= 0xC6:
            return self.take(self.number(1 << (first - 0xC4)))
        if 0xCC <= first <= 0xCF:
            return self.number(1 << (first - 0xCC))
        if 0xD0 <= first <= 0xD3:
            return self.number(1 << (first - 0xD0), signed=True)
        if first in (0xD9, 0xDA):
            return self.text(self.number(1 << (first - 0xD9)))
        if first == 0xDC:
            return self.array(self.number(2), depth)
        raise BadEncoding("a first byte that no value has")


def decode(data: bytes) -> Value:
    """The value of which `data` is the encoding; BadEncoding if there is none."""
    if not 0 < len(data) <= MAX_FRAME:
        raise BadEncoding("no bytes, or too many")
    reader = _Reader(data)
    value = reader.value()
    if reader.at != len(data):
        raise BadEncoding("bytes after the value")
    if encode(value) != data:
        raise BadEncoding("not the shortest form")
    return value


def encode(value: Value) -> bytes:
    """The encoding of a value."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _encode_integer(value)
    if isinstance(value, bytes):
        for code, size in ((0xC4, 1), (0xC5, 2), (0xC6, 4)):
            if len(value) < 1 << (8 * size):
                return bytes([code]) + len(value).to_bytes(size, "big") + value
        raise BadEncoding("too many bytes")
    if isinstance(value, str):
        data = value.encode("utf-8")
        if len(data) < 32:
            return bytes([0xA0 + len(data)]) + data
        size = 1 if len(data) < 256 else 2
        return bytes([0xD8 + size]) + len(data).to_bytes(size, "big") + data
    head = bytes([0x90 + len(value)]) if len(value) < 16 else b"\xdc" + len(value).to_bytes(2, "big")
    return head + b"".join(encode(item) for item in value)


def _encode_integer(value: int) -> bytes:
    if 0 <= value < 128:
        return bytes([value])
    if -32 <= value < 0:
        return bytes([256 + value])
    for step in range(4):
        size = 1 << step
        if 0 <= value < 1 << (8 * size):
            return bytes([0xCC + step]) + value.to_bytes(size, "big")
        if -(1 << (8 * size - 1)) <= value < 0:
            return bytes([0xD0 + step]) + value.to_bytes(size, "big", signed=True)
    raise BadEncoding("an integer of more than 64 bits")


# ---------------------------------------------------------------------------------------------------------------
# Section 1: the types that stand in the tables of the specification, as checks


def octets(low: int, high: int | None = None) -> Check:
    top = low if high is None else high
    return lambda value: isinstance(value, bytes) and low <= len(value) <= top


def text(low: int, high: int = MAX_TEXT) -> Check:
    return lambda value: isinstance(value, str) and low <= len(value) <= high


def whole(low: int, high: int) -> Check:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def word(*texts: str) -> Check:
    return lambda value: isinstance(value, str) and value in texts


def array(low: int, high: int, item: Check) -> Check:
    return lambda value: isinstance(value, list) and low <= len(value) <= high and all(map(item, value))


def record(*fields: Check) -> Check:
    def check(value: Value) -> bool:
        if not isinstance(value, list) or len(value) != len(fields):
            return False
        return all(field(item) for field, item in zip(fields, value, strict=True))

    return check


def optional(check: Check) -> Check:
    return lambda value: value is None or check(value)


def boolean(value: Value) -> bool:
    return isinstance(value, bool)


def anything(value: Value) -> bool:
    return True


SEAT = whole(0, 7)
HANDLE = record(whole(1, 10000), whole(0, 224))
POINTS = whole(-1000000, 1000000)
STAMP = whole(-MAX_STAMP_US, MAX_STAMP_US)

# ---------------------------------------------------------------------------------------------------------------
# Section 2: hashes


def be4(number: int) -> bytes:
    return number.to_bytes(4, "big")


def be8(number: int) -> bytes:
    return number.to_bytes(8, "big")


def tagged_hash(tag: bytes, *parts: bytes) -> bytes:
    """H(tag, parts …), 64 bytes."""
    framed = b"".join(be4(len(part)) + part for part in parts)
    return hashlib.sha512(bytes([len(tag)]) + tag + framed).digest()


# Section 7: the tags.
TAG_SUITE = b"p2pkaboo-v1-ristretto255-sha512"
TAG_ENVELOPE = b"p2pkaboo-v1-envelope"
TAG_NONCE = b"p2pkaboo-v1-nonce"
TAG_CHARTER = b"p2pkaboo-v1-charter"
TAG_COIN = b"p2pkaboo-v1-coin"
TAG_SEATING = b"p2pkaboo-v1-seating"
TAG_DEAL = b"p2pkaboo-v1-deal"
TAG_STEP = b"p2pkaboo-v1-step"
TAG_JOIN = b"p2pkaboo-v1-join"
TAG_SNAP = b"p2pkaboo-v1-snap"
TAG_RACE = b"p2pkaboo-v1-race"
TAG_TIE = b"p2pkaboo-v1-tie"

# ---------------------------------------------------------------------------------------------------------------
# Section 4: slots

FORMING, MAIN, DRAW_LANE, WINDOW_LANE = range(4)


class Slot(NamedTuple):
    """A place in a deal. Tuples of these fields sort in history order."""

    number: int
    lane: int
    place: int

    def __str__(self) -> str:
        if self.lane in (FORMING, MAIN):
            return f"{'fm'[self.lane]}{self.number}"
        return f"{self.number}{'fmdw'[self.lane]}{self.place}"

    def exists(self) -> bool:
        """Whether there is such a slot at all."""
        top = 0 if self.lane in (FORMING, MAIN) else MAX_INDEX
        return 0 <= self.number <= MAX_NUMBER and 0 <= self.lane <= 3 and 0 <= self.place <= top

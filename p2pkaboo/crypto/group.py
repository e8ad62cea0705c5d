"""ristretto255 (RFC 9496): points, scalars, hash-to-group. A `Point` is always a valid group element.

What comes from outside is decoded once, strictly: wrong lengths, non-canonical encodings, the identity element and
scalars that are not below the order are refused there, and nowhere else. Arithmetic is total: 0·P, k·O and results
that are the identity are defined, so nothing that a peer sends can make it raise.

Multiplications run in constant time inside libsodium. Scalar arithmetic is Python integers modulo the order, which is
not constant time; the scalars concerned live for one deal.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from p2pkaboo.crypto import sodium
from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.hashing import HASH_BYTES, expand_message_xmd
from p2pkaboo.crypto.sodium import ENCODED_BYTES, IDENTITY_BYTES

L: Final = 2**252 + 27742317777372353535851937790883648493
"""The prime order of the group."""

Scalar = int
"""An integer in [0, L)."""

Rng = Callable[[int], bytes]
"""A source of randomness: `rng(n)` gives n uniform bytes. Peers pass the operating system's."""


class CryptoDecodeError(ValueError):
    """Bytes from outside that are not the one canonical encoding of what was expected."""


class Point:
    """An immutable group element; equality and hash are those of its canonical 32 bytes.

    Made by `Point.decode`, `base_mul`, `hash_to_group` or arithmetic, never directly.
    """

    __slots__ = ("encoded",)

    encoded: bytes
    """The canonical encoding, 32 bytes (RFC 9496, section 4.3.2)."""

    def __new__(cls, *_: object) -> "Point":
        raise TypeError("a Point is made by Point.decode or by arithmetic")

    @staticmethod
    def decode(data: bytes) -> "Point":
        """The element encoded by 32 bytes; `CryptoDecodeError` for other lengths, other encodings and the identity."""
        if not is_a(data, bytes) or len(data) != ENCODED_BYTES:
            raise CryptoDecodeError(f"a point is {ENCODED_BYTES} bytes, not {_describe(data)}")
        if data == IDENTITY_BYTES:
            raise CryptoDecodeError("a point is the identity element, which no honest peer sends")
        if not sodium.is_valid(data):
            raise CryptoDecodeError("a point is not a canonical ristretto255 encoding")
        return trusted_point(data)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Point is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Point is immutable")

    def __add__(self, other: "Point") -> "Point":
        return trusted_point(sodium.add(self.encoded, other.encoded))

    def __sub__(self, other: "Point") -> "Point":
        return trusted_point(sodium.sub(self.encoded, other.encoded))

    def __neg__(self) -> "Point":
        return trusted_point(sodium.sub(IDENTITY_BYTES, self.encoded))

    def __mul__(self, scalar: int) -> "Point":
        """scalar·self for any integer, which is reduced modulo L first."""
        return trusted_point(sodium.mul((scalar % L).to_bytes(ENCODED_BYTES, "little"), self.encoded))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return self.encoded == other.encoded if isinstance(other, Point) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.encoded)

    def __repr__(self) -> str:
        return f"Point({self.encoded.hex()})"

    def __reduce__(self) -> tuple[Callable[[bytes], "Point"], tuple[bytes]]:
        return trusted_point, (self.encoded,)


_set_encoded: Callable[[Point, bytes], None] = Point.__dict__["encoded"].__set__


def trusted_point(encoded: bytes) -> Point:
    """A point from bytes that libsodium itself has produced. Bytes from outside go through `Point.decode`."""
    point = object.__new__(Point)
    _set_encoded(point, encoded)
    return point


def decode_points(data: bytes) -> tuple[Point, ...]:
    """Points one after another, up to the last byte; `CryptoDecodeError` as for `Point.decode` of the first bad one."""
    pieces = [data[start : start + ENCODED_BYTES] for start in range(0, len(data), ENCODED_BYTES)]
    whole = is_a(data, bytes) and len(data) % ENCODED_BYTES == 0
    if whole and IDENTITY_BYTES not in pieces and all(map(sodium.is_valid, pieces)):
        return tuple(map(trusted_point, pieces))
    return tuple([Point.decode(piece) for piece in pieces])


IDENTITY: Final = trusted_point(IDENTITY_BYTES)
"""The neutral element O. It occurs in arithmetic only; decoding refuses it."""


def base_mul(scalar: int) -> Point:
    """scalar·G for any integer, which is reduced modulo L first."""
    return trusted_point(sodium.base((scalar % L).to_bytes(ENCODED_BYTES, "little")))


G: Final = base_mul(1)
"""The generator of RFC 9496, section 4."""


def sum_points(points: Iterable[Point]) -> Point:
    """The sum; of nothing, the identity."""
    add = sodium.add
    iterator = iter(points)
    first = next(iterator, None)
    if first is None:
        return IDENTITY
    total = first.encoded
    for point in iterator:
        total = add(total, point.encoded)
    return trusted_point(total)


def hash_to_group(domain: bytes, message: bytes) -> Point:
    """ristretto255_XMD:SHA-512_R255MAP_RO_ (RFC 9380, appendix B): nobody knows a discrete logarithm of the result."""
    return trusted_point(sodium.from_hash(expand_message_xmd(message, domain, HASH_BYTES)))


def encode_scalar(scalar: int) -> bytes:
    """32 bytes, little-endian, of any integer reduced modulo L."""
    return (scalar % L).to_bytes(ENCODED_BYTES, "little")


def decode_scalar(data: bytes) -> Scalar:
    """The scalar encoded by 32 little-endian bytes; `CryptoDecodeError` for wrong length or a value of L or more."""
    if not is_a(data, bytes) or len(data) != ENCODED_BYTES:
        raise CryptoDecodeError(f"a scalar is {ENCODED_BYTES} bytes, not {_describe(data)}")
    scalar = int.from_bytes(data, "little")
    if scalar >= L:
        raise CryptoDecodeError("a scalar is not below the group order")
    return scalar


def random_scalar(rng: Rng) -> Scalar:
    """A uniform scalar, not zero: 64 random bytes reduced modulo L, so the bias is below 2^-250."""
    scalar = int.from_bytes(random_bytes(rng, HASH_BYTES), "little") % L
    if scalar == 0:
        # One chance in 2^252; in practice a source that is broken, which must not be used for a key.
        raise RuntimeError("the random source gave a zero scalar")
    return scalar


def random_bytes(rng: Rng, count: int) -> bytes:
    """`count` bytes from the source; `RuntimeError` if it gives fewer or more, which would weaken a secret unseen."""
    data = rng(count)
    if len(data) != count:
        raise RuntimeError(f"the random source gave {len(data)} bytes instead of {count}")
    return data


def _describe(data: Any) -> str:
    return str(len(data)) if isinstance(data, bytes) else type(data).__name__

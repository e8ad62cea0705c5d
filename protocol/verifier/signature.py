"""Ed25519 with the strict rules of 02-crypto.md, section 9."""

import hashlib
from functools import lru_cache

from verifier.curve import D, L, P, Point, combine, negate, root_of_ratio
from verifier.encoding import TAG_ENVELOPE

_SMALL = 2707385501144840649318225287225658788936804267575313519463743609750303402022
SMALL_ORDER_Y = frozenset({0, 1, P - 1, _SMALL, P - _SMALL})


def _height(data: bytes) -> int | None:
    """y of an encoding that keeps rules 1 and 2, else None."""
    y = int.from_bytes(data, "little") & ((1 << 255) - 1)
    return y if len(data) == 32 and y < P and y not in SMALL_ORDER_Y else None


@lru_cache(maxsize=256)
def identity_key(data: bytes) -> Point | None:
    """The point of a key that keeps rules 1 to 3, else None."""
    y = _height(data)
    if y is None:
        return None
    square, x = root_of_ratio(y * y - 1, D * y * y + 1)
    if not square:
        return None
    if x & 1 != data[31] >> 7:
        x = P - x
    return x, y, 1, x * y % P


def _pack(point: Point) -> bytes:
    """The encoding of RFC 8032, 5.1.2."""
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


@lru_cache(maxsize=1 << 16)
def verifies(key: bytes, unsigned: bytes, signature: bytes) -> bool:
    """Whether `signature` is that of the owner of `key` under an envelope's `unsigned` bytes."""
    a = identity_key(key)
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if a is None or len(signature) != 64 or _height(r) is None or s >= L:
        return False
    message = bytes([len(TAG_ENVELOPE)]) + TAG_ENVELOPE + unsigned
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L
    return _pack(combine([k], [negate(a)], base=s)) == r

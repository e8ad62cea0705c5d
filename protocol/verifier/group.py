"""ristretto255 (RFC 9496), hashing into it (RFC 9380), cards and generators as points (02-crypto.md, 1 and 2)."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from verifier.curve import SQRT_M1, D, L, P, Point, add, root_of_ratio
from verifier.encoding import be4

# The constants of RFC 9496, 4.1.
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ONE_MINUS_D_SQ = (1 - D * D) % P
D_MINUS_ONE_SQ = (D - 1) ** 2 % P

TAG_CARD = b"p2pkaboo-v1-card-with-ristretto255_XMD:SHA-512_R255MAP_RO_"
TAG_GENERATOR = b"p2pkaboo-v1-TW-with-ristretto255_XMD:SHA-512_R255MAP_RO_"


def _absolute(x: int) -> int:
    """The one of x and −x that is even, "non-negative" in the words of RFC 9496."""
    x %= P
    return P - x if x & 1 else x


@lru_cache(maxsize=1 << 16)
def point(data: bytes) -> Point | None:
    """The point with this canonical encoding (RFC 9496, 4.3.1); None for other bytes and for the identity."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or s & 1 or s == 0:
        return None
    ss = s * s % P
    u1, u2 = 1 - ss, 1 + ss
    u2_sqr = u2 * u2 % P
    v = (-D * u1 * u1 - u2_sqr) % P
    square, inverse = root_of_ratio(1, v * u2_sqr % P)
    den_x = inverse * u2 % P
    den_y = inverse * den_x * v % P
    x = _absolute(2 * s * den_x)
    y = u1 * den_y % P
    t = x * y % P
    if not square or t & 1 or y == 0:
        return None
    return x, y, 1, t


def points(data: bytes) -> list[Point] | None:
    """The points whose encodings stand one after another; None if one of them is none."""
    if len(data) % 32:
        return None
    found = [point(data[at : at + 32]) for at in range(0, len(data), 32)]
    return [each for each in found if each is not None] if None not in found else None


def pack(element: Point) -> bytes:
    """The canonical encoding of a group element (RFC 9496, 4.3.2), of the identity too."""
    x0, y0, z0, t0 = element
    u1 = (z0 + y0) * (z0 - y0) % P
    u2 = x0 * y0 % P
    _, inverse = root_of_ratio(1, u1 * u2 * u2 % P)
    den1 = inverse * u1 % P
    den2 = inverse * u2 % P
    z_inv = den1 * den2 * t0 % P
    if t0 * z_inv % P & 1:
        x, y = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P
        den_inv = den1 * INVSQRT_A_MINUS_D % P
    else:
        x, y, den_inv = x0, y0, den2
    if x * z_inv % P & 1:
        y = -y
    return _absolute(den_inv * (z0 - y)).to_bytes(32, "little")


def pack_all(elements: Sequence[Point]) -> bytes:
    return b"".join(map(pack, elements))


def scalar(data: bytes) -> int | None:
    """The scalar in 32 bytes; None unless it is below L."""
    number = int.from_bytes(data, "little")
    return number if len(data) == 32 and number < L else None


def scalars(data: bytes) -> list[int] | None:
    """The scalars that stand one after another; None if one of them is none."""
    if len(data) % 32:
        return None
    found = [scalar(data[at : at + 32]) for at in range(0, len(data), 32)]
    return [each for each in found if each is not None] if None not in found else None


def pack_scalar(number: int) -> bytes:
    return (number % L).to_bytes(32, "little")


def _map(half: bytes) -> Point:
    """The map of RFC 9496, 4.3.4, from 32 of the 64 bytes."""
    t = int.from_bytes(half, "little") & ((1 << 255) - 1)
    r = SQRT_M1 * t * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    square, s = root_of_ratio(u, v)
    c = -1
    if not square:
        s = -_absolute(s * t) % P
        c = r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0 = 2 * s * v % P
    w1 = n * SQRT_AD_MINUS_ONE % P
    w2 = (1 - s * s) % P
    w3 = (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def hash_to_group(message: bytes, tag: bytes) -> Point:
    """hash_to_ristretto255 of RFC 9380, appendix B, with expand_message_xmd and SHA-512 (5.3.1) to 64 bytes."""
    tail = tag + bytes([len(tag)])
    b0 = hashlib.sha512(bytes(128) + message + (64).to_bytes(2, "big") + b"\x00" + tail).digest()
    uniform = hashlib.sha512(b0 + b"\x01" + tail).digest()
    return add(_map(uniform[:32]), _map(uniform[32:]))


@lru_cache(maxsize=512)
def card_point(index: int) -> Point:
    """M_j of the card with this index."""
    return hash_to_group(be4(index), TAG_CARD)


@lru_cache(maxsize=512)
def generator(index: int) -> Point:
    """h_i of 03-shuffle.md, section 2."""
    return hash_to_group(be4(index), TAG_GENERATOR)

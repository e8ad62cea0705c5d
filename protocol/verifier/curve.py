"""The curve under both groups: edwards25519 in extended coordinates, and multiplication of many points at once.

Everything checked here is public, so nothing needs to take constant time.
"""

from collections.abc import Sequence
from functools import lru_cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
D2 = 2 * D % P
SQRT_M1 = pow(2, (P - 1) // 4, P)

# (X, Y, Z, T) with x = X/Z, y = Y/Z, x·y = T/Z.
Point = tuple[int, int, int, int]
IDENTITY: Point = (0, 1, 1, 0)


def add(p: Point, q: Point) -> Point:
    """p + q, for all points (the formula of Hisil, Wong, Carter and Dawson is complete on this curve)."""
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = t1 * D2 % P * t2 % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(p: Point) -> Point:
    x, y, z, _ = p
    a = x * x % P
    b = y * y % P
    h = a + b
    e = h - (x + y) * (x + y) % P
    g = a - b
    f = 2 * z * z % P + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negate(p: Point) -> Point:
    return -p[0] % P, p[1], p[2], -p[3] % P


def total(points: Sequence[Point]) -> Point:
    """The sum of points, the identity for none."""
    result = IDENTITY
    for point in points:
        result = add(result, point)
    return result


def root_of_ratio(u: int, v: int) -> tuple[bool, int]:
    """(whether u/v is a square, the non-negative root of u/v or of √−1·u/v): SQRT_RATIO_M1 of RFC 9496, 4.2."""
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    minus_u = -u % P
    if check in (minus_u, minus_u * SQRT_M1 % P):
        r = r * SQRT_M1 % P
    square = check in (u % P, minus_u)
    return square, P - r if r & 1 else r


# The base point: y = 4/5, x even (RFC 8032, 5.1). It is the generator of ristretto255 too (RFC 9496, 4).
_BASE_Y = 4 * pow(5, -1, P) % P
_BASE_X = root_of_ratio(_BASE_Y * _BASE_Y - 1, D * _BASE_Y * _BASE_Y + 1)[1]
BASE: Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % P)


def _signed_digits(scalar: int, width: int) -> list[tuple[int, int]]:
    """(position, odd digit) with scalar = Σ digit·2^position and |digit| < 2^(width−1)."""
    digits = []
    position = 0
    while scalar:
        zeros = (scalar & -scalar).bit_length() - 1
        scalar >>= zeros
        position += zeros
        digit = scalar & ((1 << width) - 1)
        if digit >> (width - 1):
            digit -= 1 << width
        digits.append((position, digit))
        scalar -= digit
    return digits


def _odd_multiples(point: Point, count: int) -> list[Point]:
    """1·point, 3·point, 5·point, …"""
    twice = double(point)
    table = [point]
    for _ in range(count - 1):
        table.append(add(table[-1], twice))
    return table


@lru_cache(maxsize=1)
def _base_table() -> list[Point]:
    return _odd_multiples(BASE, 64)


def combine(scalars: Sequence[int], points: Sequence[Point], base: int = 0) -> Point:
    """base·G + Σ scalars[i]·points[i]; scalars are taken modulo L.

    All sums share their doublings (Straus); scalars are in signed windowed form.
    """
    adds: list[list[Point]] = [[] for _ in range(256)]
    jobs = [(scalar % L, _odd_multiples(point, 8), 5) for scalar, point in zip(scalars, points, strict=True)]
    if base % L:
        jobs.append((base % L, _base_table(), 8))
    for scalar, table, width in jobs:
        for position, digit in _signed_digits(scalar, width):
            adds[position].append(table[digit >> 1] if digit > 0 else negate(table[-digit >> 1]))
    result = IDENTITY
    for summands in reversed(adds):
        result = double(result)
        for summand in summands:
            result = add(result, summand)
    return result

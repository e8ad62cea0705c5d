"""Cards as layered ElGamal ciphertexts: every seat puts its layer on and takes it off, in any order.

A card j is the point M_j; masked under the joint key H = sum of the seats' H_p it is (a, b) = (r·G, M_j + r·H). The
share of a seat is x_p·a, and b minus all shares is M_j. A private view hides a behind a' = a + rho·G, so that the
others' shares of a' are of use to the one who knows rho only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.group import (
    CryptoDecodeError,
    G,
    Point,
    Scalar,
    base_mul,
    decode_points,
    hash_to_group,
    sum_points,
)
from p2pkaboo.crypto.sodium import ENCODED_BYTES

CIPHERTEXT_BYTES: Final = 2 * ENCODED_BYTES
"""Length of an encoded ciphertext: a, then b."""

MAX_MASKED_CARDS: Final = 256
"""Card indices are below this: four packs of 54 are 216; it bounds the tables and the work a deck can ask for."""


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """A masked card (a, b) = (r·G, M + r·H)."""

    a: Point
    b: Point

    def encode(self) -> bytes:
        """64 bytes: a, then b."""
        return self.a.encoded + self.b.encoded

    @staticmethod
    def decode(data: bytes) -> "Ciphertext":
        """From 64 bytes; `CryptoDecodeError` for another length or a bad point."""
        if not is_a(data, bytes) or len(data) != CIPHERTEXT_BYTES:
            raise CryptoDecodeError(f"a masked card is {CIPHERTEXT_BYTES} bytes: two points")
        return Ciphertext(Point.decode(data[:ENCODED_BYTES]), Point.decode(data[ENCODED_BYTES:]))


def decode_deck(data: bytes) -> tuple[Ciphertext, ...]:
    """A deck from 64 bytes a card, top first; `CryptoDecodeError` for another length or a bad point."""
    if not is_a(data, bytes) or len(data) % CIPHERTEXT_BYTES:
        raise CryptoDecodeError(f"a deck is {CIPHERTEXT_BYTES} bytes a card: two points")
    points = decode_points(data)
    return tuple(map(Ciphertext, points[::2], points[1::2]))


@lru_cache(maxsize=MAX_MASKED_CARDS)
def card_point(index: int) -> Point:
    """M_index, hashed to the group so that nobody knows a relation between cards; `ValueError` out of range."""
    if not 0 <= index < MAX_MASKED_CARDS:
        raise ValueError(f"card {index} is not in 0 to {MAX_MASKED_CARDS - 1}")
    return hash_to_group(tags.CARD, index.to_bytes(4, "big"))


@lru_cache(maxsize=MAX_MASKED_CARDS)
def _index_of_point(cards: range | tuple[int, ...]) -> dict[Point, int]:
    return {card_point(index): index for index in cards}


def card_index(point: Point, cards: int | Iterable[int]) -> int | None:
    """Which card a point is: one of the first `cards`, or one of the indices in `cards`; None if none of them."""
    return _index_of_point(range(cards) if isinstance(cards, int) else tuple(cards)).get(point)


def fresh(index: int, key: Point) -> Ciphertext:
    """A public card entering the deck: (G, M_index + key). The mask is 1, so no identity element is in any deck."""
    return Ciphertext(G, card_point(index) + key)


def joint_key(publics: Iterable[Point]) -> Point:
    """H, the sum of the seats' keys, each of which must have been proved."""
    return sum_points(publics)


def remask(card: Ciphertext, key: Point, r: Scalar) -> Ciphertext:
    """The same card under the additional mask r: (a + r·G, b + r·key)."""
    return Ciphertext(card.a + base_mul(r), card.b + key * r)


def share(secret: Scalar, a: Point) -> Point:
    """One seat's layer of a card with first component `a`: secret·a."""
    return a * secret


def remove(b: Point, shares: Iterable[Point]) -> Point:
    """Take layers off: b minus all `shares`. With every seat's share this is the card's point."""
    return b - sum_points(shares)


def blind(a: Point, rho: Scalar) -> Point:
    """a' = a + rho·G, what a viewer shows instead of a. rho is drawn anew for each view and is not zero."""
    return a + base_mul(rho)


def unblind(share_of_blinded: Point, rho: Scalar, public: Point) -> Point:
    """The share x·a of the seat with key `public` = x·G from its share x·a' of a blinded card."""
    return share_of_blinded - public * rho

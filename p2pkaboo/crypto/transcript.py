"""The Fiat-Shamir transcript: labelled, length-prefixed frames under SHA-512.

A frame is: length of the label (1 byte), label, length of the data (4 bytes, big-endian), data. A transcript is the
frames ("suite", SUITE) and ("proof", tag), then, for a proof, the context and the whole statement. A challenge is the
SHA-512 of all frames so far and of an empty frame with the challenge's label, read as a little-endian integer and
reduced modulo L; the 64 bytes of the hash become a frame in turn, so that later challenges depend on it.
"""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.group import L, Point, Rng, Scalar, random_bytes

HEDGE_BYTES: Final = 64
"""Fresh randomness in a nonce: a whole hash output, so that the nonce is uniform even with a known secret."""


class Transcript:
    """The state of one proof's conversation; prover and verifier append the same frames in the same order."""

    __slots__ = ("_hash",)

    def __init__(self, tag: bytes, context: Context) -> None:
        self._hash = hashlib.sha512(_opening(tag, context))

    def append(self, label: bytes, data: bytes) -> None:
        """Absorb one frame."""
        self._hash.update(_frame(label, data))

    def append_points(self, label: bytes, points: Iterable[Point]) -> None:
        """Absorb the encodings of all points as one frame; its length tells how many there are."""
        self.append(label, b"".join([point.encoded for point in points]))

    def append_number(self, label: bytes, number: int) -> None:
        """Absorb a number from 0 to 2^32-1."""
        self.append(label, number.to_bytes(4, "big"))

    def challenge(self, label: bytes) -> Scalar:
        """A challenge in [0, L) that depends on everything absorbed."""
        return int.from_bytes(self._squeeze(label), "little") % L

    def challenges(self, label: bytes, count: int) -> list[Scalar]:
        """`count` challenges from one seed: the i-th is SHA-512(EXPAND, seed, i as 4 bytes) modulo L, i from 0."""
        return _expand(self._squeeze(label), count)

    def nonces(self, secret: bytes, rng: Rng, count: int) -> list[Scalar]:
        """`count` secret scalars, hedged: from the statement absorbed so far, the secret and fresh randomness.

        A weak random source then gives no nonce twice for two statements, and a repeated statement is safe as long as
        the source is good. Not part of the specification: a verifier cannot tell how nonces were made.
        """
        state = self._hash.copy()
        state.update(_frame(b"nonce secret", secret))
        state.update(_frame(b"nonce random", random_bytes(rng, HEDGE_BYTES)))
        return _expand(state.digest(), count)

    def _squeeze(self, label: bytes) -> bytes:
        state = self._hash.copy()
        state.update(_frame(label, b""))
        seed = state.digest()
        self.append(label, seed)
        return seed


# A step asks for several proofs of the same kind and context, and small proofs take no longer than these frames.
@lru_cache(maxsize=64)
def _opening(tag: bytes, context: Context) -> bytes:
    frames = (
        (b"suite", tags.SUITE),
        (b"proof", tag),
        (b"table", context.table),
        (b"deal", context.deal.to_bytes(8, "big")),
        (b"step", context.step),
        (b"seat", context.seat.to_bytes(4, "big")),
    )
    return b"".join([_frame(label, data) for label, data in frames])


def _frame(label: bytes, data: bytes) -> bytes:
    return len(label).to_bytes(1, "big") + label + len(data).to_bytes(4, "big") + data


def _expand(seed: bytes, count: int) -> list[Scalar]:
    prefix = hashlib.sha512(tags.EXPAND + seed)
    scalars = []
    for number in range(count):
        state = prefix.copy()
        state.update(number.to_bytes(4, "big"))
        scalars.append(int.from_bytes(state.digest(), "little") % L)
    return scalars

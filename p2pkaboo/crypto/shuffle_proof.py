"""What a shuffle claims, and the proof as data with its one encoding. Making and checking proofs is in `shuffle`."""

from dataclasses import dataclass
from typing import Final

from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import MAX_MASKED_CARDS, Ciphertext
from p2pkaboo.crypto.group import CryptoDecodeError, Point, Scalar, decode_points
from p2pkaboo.crypto.proofs import (
    decode_scalars,
    encode_scalars,
    require_context,
    require_points,
    require_scalars,
)
from p2pkaboo.crypto.sodium import ENCODED_BYTES

SINGLE_RESPONSES: Final = 4
"""Responses that a proof has once: for the sum of the commitments, the chain's end, the weighted sum, the masks."""


@dataclass(frozen=True, slots=True)
class ShuffleStatement:
    """`after` holds the cards of `before`, each once, re-masked under `key`, in another order.

    Decks of different lengths, or of none or more than MAX_MASKED_CARDS cards, make a statement that no proof verifies.
    """

    context: Context
    key: Point
    before: tuple[Ciphertext, ...]
    after: tuple[Ciphertext, ...]

    def __post_init__(self) -> None:
        require_context("a shuffle statement", self.context)
        require_points("a shuffle statement", (self.key,))
        for deck in (self.before, self.after):
            if not is_a(deck, tuple) or not all(is_a(card, Ciphertext) for card in deck):
                raise TypeError("a deck of a shuffle statement is a tuple of masked cards")

    def is_sized(self) -> bool:
        """Whether both decks have the same, possible length."""
        return 1 <= len(self.before) == len(self.after) <= MAX_MASKED_CARDS


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """Permutation commitments and chain, one point a card each; the challenge; four single responses; two a card."""

    commitments: tuple[Point, ...]
    chain: tuple[Point, ...]
    challenge: Scalar
    singles: tuple[Scalar, ...]
    chain_responses: tuple[Scalar, ...]
    card_responses: tuple[Scalar, ...]

    def __post_init__(self) -> None:
        cards = len(self.commitments)
        per_card = (self.chain, self.chain_responses, self.card_responses)
        if not 1 <= cards <= MAX_MASKED_CARDS or any(len(values) != cards for values in per_card):
            raise CryptoDecodeError(f"a shuffle proof has 1 to {MAX_MASKED_CARDS} cards, each with all its parts")
        if len(self.singles) != SINGLE_RESPONSES:
            raise CryptoDecodeError(f"a shuffle proof has {SINGLE_RESPONSES} single responses")
        require_points("a shuffle proof", (*self.commitments, *self.chain))
        scalars = (self.challenge, *self.singles, *self.chain_responses, *self.card_responses)
        require_scalars("a shuffle proof", scalars)

    @staticmethod
    def size(cards: int) -> int:
        """Length in bytes of the proof for that many cards."""
        return ENCODED_BYTES * (4 * cards + 1 + SINGLE_RESPONSES)

    def encode(self) -> bytes:
        """Commitments, chain, challenge, the single responses, the chain's responses, the cards' responses."""
        points = b"".join([point.encoded for point in (*self.commitments, *self.chain)])
        scalars = (self.challenge, *self.singles, *self.chain_responses, *self.card_responses)
        return points + encode_scalars(scalars)

    @staticmethod
    def decode(data: bytes) -> "ShuffleProof":
        """From bytes whose length tells the number of cards; `CryptoDecodeError` for any that is not a proof's."""
        if not is_a(data, bytes):
            raise CryptoDecodeError("a shuffle proof is bytes")
        cards = (len(data) // ENCODED_BYTES - 1 - SINGLE_RESPONSES) // 4
        if not 1 <= cards <= MAX_MASKED_CARDS or len(data) != ShuffleProof.size(cards):
            raise CryptoDecodeError(f"{len(data)} bytes are not the length of a shuffle proof for any deck")
        points = decode_points(data[: 2 * cards * ENCODED_BYTES])
        scalars = decode_scalars(data[2 * cards * ENCODED_BYTES :])
        first = 1 + SINGLE_RESPONSES
        return ShuffleProof(
            commitments=points[:cards],
            chain=points[cards:],
            challenge=scalars[0],
            singles=scalars[1:first],
            chain_responses=scalars[first : first + cards],
            card_responses=scalars[first + cards :],
        )

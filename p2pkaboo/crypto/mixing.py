"""Shuffling itself: a uniformly random order and a fresh mask for each card. Its proof is in `shuffle`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from p2pkaboo.crypto import sodium
from p2pkaboo.crypto.elgamal import MAX_MASKED_CARDS, Ciphertext
from p2pkaboo.crypto.group import Point, Rng, Scalar, encode_scalar, random_bytes, random_scalar, trusted_point
from p2pkaboo.crypto.runner import Runner, cut, serial

DRAW_BYTES: Final = 8
"""Random bytes for one place of a permutation; draws beyond the last multiple are thrown away, so none is favoured."""

MAX_DRAWS: Final = 8
"""Draws for one place before the source counts as broken: a good one needs a second once in 2^56 times."""


@dataclass(frozen=True, slots=True)
class ShuffleWitness:
    """The secret of a shuffle: after[i] is before[permutation[i]] with the mask masks[permutation[i]] added."""

    permutation: tuple[int, ...] = field(repr=False)
    masks: tuple[Scalar, ...] = field(repr=False)


def shuffle(
    before: Sequence[Ciphertext], key: Point, rng: Rng, run: Runner = serial
) -> tuple[tuple[Ciphertext, ...], ShuffleWitness]:
    """A uniformly random order with fresh masks: the new deck and the secret for its proof.

    `ValueError` for an empty deck or one of more than MAX_MASKED_CARDS cards.
    """
    cards = len(before)
    if not 1 <= cards <= MAX_MASKED_CARDS:
        raise ValueError(f"a deck of {cards} cards cannot be shuffled; 1 to {MAX_MASKED_CARDS} can")
    permutation = random_permutation(cards, rng)
    masks = tuple([random_scalar(rng) for _ in range(cards)])

    def remask(chunk: range) -> list[Ciphertext]:
        mul, base, add, key_bytes = sodium.mul, sodium.base, sodium.add, key.encoded
        out = []
        for place in chunk:
            source = permutation[place]
            mask, card = encode_scalar(masks[source]), before[source]
            a = add(card.a.encoded, base(mask))
            b = add(card.b.encoded, mul(mask, key_bytes))
            out.append(Ciphertext(trusted_point(a), trusted_point(b)))
        return out

    after = tuple([card for part in run(remask, cut(cards)) for card in part])
    return after, ShuffleWitness(permutation, masks)


def random_permutation(count: int, rng: Rng) -> tuple[int, ...]:
    """A uniform permutation of 0 to count-1: Fisher-Yates with draws by rejection."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = _random_below(last + 1, rng)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _random_below(bound: int, rng: Rng) -> int:
    """A uniform integer from 0 to bound-1."""
    favoured = 2 ** (8 * DRAW_BYTES) // bound * bound
    for _ in range(MAX_DRAWS):
        draw = int.from_bytes(random_bytes(rng, DRAW_BYTES), "big")
        if draw < favoured:
            return draw % bound
    raise RuntimeError(f"the random source gave {MAX_DRAWS} unusable draws in a row")

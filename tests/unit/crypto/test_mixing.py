"""Shuffling itself: uniform order, fresh masks, the same cards."""

from collections import Counter
from itertools import permutations

import pytest

from p2pkaboo.crypto.elgamal import MAX_MASKED_CARDS, card_index, remask, remove, share
from p2pkaboo.crypto.mixing import random_permutation, shuffle
from tests.unit.crypto.samples import deck, seeded, table

AT = table()


@pytest.mark.parametrize("cards", [1, 2, 3, 54])
def test_the_cards_stay_the_same(cards: int) -> None:
    before = deck(cards, AT.key)
    after, witness = shuffle(before, AT.key, seeded(f"{cards}"))
    faces = [card_index(remove(card.b, [share(x, card.a) for x in AT.secrets]), cards) for card in after]
    assert faces == list(witness.permutation)
    assert sorted(witness.permutation) == list(range(cards))
    assert len(set(witness.masks)) == cards
    assert not {card.a for card in before} & {card.a for card in after}
    for place, source in enumerate(witness.permutation):
        assert after[place] == remask(before[source], AT.key, witness.masks[source])


def test_the_witness_is_not_shown_by_accident() -> None:
    _, witness = shuffle(deck(3, AT.key), AT.key, seeded("repr"))
    assert repr(witness) == "ShuffleWitness()"


def test_every_order_is_as_likely() -> None:
    rng = seeded("uniform")
    draws = 3000
    counts = Counter(random_permutation(4, rng) for _ in range(draws))
    assert set(counts) == set(permutations(range(4)))
    expected = draws / 24
    # Chi-square with 23 degrees of freedom: above 49.7 once in a thousand; the seed is fixed.
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 49.7


def test_draws_beyond_the_last_multiple_are_thrown_away() -> None:
    # 2^64 = 1 modulo 3: the highest value alone would favour the first place.
    draws = iter([b"\xff" * 8, (4).to_bytes(8, "big"), (1).to_bytes(8, "big")])
    assert random_permutation(3, lambda _: next(draws)) == (0, 2, 1)


def test_a_source_stuck_at_unusable_draws_is_noticed() -> None:
    with pytest.raises(RuntimeError, match="unusable"):
        random_permutation(3, lambda count: b"\xff" * count)


def test_deck_sizes_are_limited() -> None:
    with pytest.raises(ValueError, match="0 cards"):
        shuffle((), AT.key, seeded("empty"))
    with pytest.raises(ValueError, match="257 cards"):
        shuffle(deck(1, AT.key) * (MAX_MASKED_CARDS + 1), AT.key, seeded("large"))

"""The shuffle proof: complete for any size, refused for every way of cheating, recomputed by hand."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import TypeVar

import pytest

from p2pkaboo.crypto.counting import count_operations
from p2pkaboo.crypto.elgamal import MAX_MASKED_CARDS, Ciphertext, fresh, remask
from p2pkaboo.crypto.group import CryptoDecodeError, G, L, base_mul, sum_points, trusted_point
from p2pkaboo.crypto.shuffle import (
    ShuffleProof,
    ShuffleStatement,
    ShuffleWitness,
    prove_shuffle,
    shuffle,
    shuffle_generators,
    trace_shuffle,
    verify_shuffle,
)
from tests.unit.crypto.samples import changed, context, deck, seeded, table

T = TypeVar("T")
AT = table()


@lru_cache
def shuffled(cards: int) -> tuple[ShuffleStatement, ShuffleWitness, ShuffleProof]:
    rng = seeded(f"shuffle {cards}")
    before = deck(cards, AT.key)
    after, witness = shuffle(before, AT.key, rng)
    statement = ShuffleStatement(context(), AT.key, before, after)
    return statement, witness, prove_shuffle(statement, witness, rng)


@pytest.mark.parametrize("cards", [1, 2, 3, 6, 7, 54])
def test_a_shuffle_is_proved(cards: int) -> None:
    statement, _, proof = shuffled(cards)
    verdict = verify_shuffle(statement, proof)
    assert verdict is not None
    assert verdict.value is statement
    assert len(proof.encode()) == ShuffleProof.size(cards) == 32 * (4 * cards + 5)
    assert ShuffleProof.decode(proof.encode()) == proof


def test_a_second_shuffle_of_the_result_is_proved() -> None:
    statement, _, _ = shuffled(7)
    rng = seeded("second")
    after, witness = shuffle(statement.after, AT.key, rng)
    second = ShuffleStatement(context(1), AT.key, statement.after, after)
    assert verify_shuffle(second, prove_shuffle(second, witness, rng)) is not None


def tampered_decks() -> dict[str, tuple[Ciphertext, ...]]:
    after = shuffled(7)[0].after
    shift = base_mul(99)
    return {
        "duplicated": (after[1], *after[1:]),
        "duplicated and re-masked": (remask(after[1], AT.key, 5), *after[1:]),
        "swapped": (after[1], after[0], *after[2:]),
        "another card": (remask(fresh(40, AT.key), AT.key, 5), *after[1:]),
        "re-masked once more": (remask(after[0], AT.key, 5), *after[1:]),
        "re-masked under another key": (remask(after[0], AT.publics[0], 5), *after[1:]),
        "marked": (Ciphertext(after[0].a, after[0].b + shift), *after[1:]),
        # The sum of all cards stays what it was: only weights that nobody could foresee find it.
        "marked in pairs": (
            Ciphertext(after[0].a, after[0].b + shift),
            Ciphertext(after[1].a, after[1].b - shift),
            *after[2:],
        ),
    }


@pytest.mark.parametrize("kind", list(tampered_decks()))
def test_a_changed_deck_is_refused(kind: str) -> None:
    statement, witness, proof = shuffled(7)
    cheated = replace(statement, after=tampered_decks()[kind])
    assert verify_shuffle(cheated, proof) is None
    assert verify_shuffle(cheated, prove_shuffle(cheated, witness, seeded(kind))) is None


def test_added_and_missing_cards_are_refused() -> None:
    statement, witness, proof = shuffled(7)
    for after in (statement.after[:-1], (*statement.after, statement.after[0]), ()):
        resized = replace(statement, after=after)
        assert verify_shuffle(resized, proof) is None
        with pytest.raises(ValueError, match="no proof"):
            prove_shuffle(resized, witness, seeded("size"))
        with pytest.raises(ValueError, match="does not fit"):
            trace_shuffle(resized, proof)
    shorter = replace(statement, before=statement.before[:-1], after=statement.after[:-1])
    assert verify_shuffle(shorter, proof) is None
    empty = replace(statement, before=(), after=())
    assert verify_shuffle(empty, proof) is None


def test_a_deck_beyond_the_limit_is_refused() -> None:
    statement, _, proof = shuffled(1)
    large = replace(
        statement, before=statement.before * (MAX_MASKED_CARDS + 1), after=statement.after * (MAX_MASKED_CARDS + 1)
    )
    assert verify_shuffle(large, proof) is None


def test_a_witness_that_is_no_permutation_is_refused() -> None:
    statement, witness, _ = shuffled(3)
    for permutation in ((0, 0, 1), (0, 1), (0, 1, 3)):
        with pytest.raises(ValueError, match="no proof"):
            prove_shuffle(statement, ShuffleWitness(permutation, witness.masks), seeded("witness"))
    with pytest.raises(ValueError, match="no proof"):
        prove_shuffle(statement, ShuffleWitness(witness.permutation, witness.masks[:2]), seeded("witness"))


def test_a_proof_cannot_be_made_without_the_witness() -> None:
    statement, witness, _ = shuffled(3)
    masks = (witness.masks[0] + 1, *witness.masks[1:])
    order = (*witness.permutation[1:], witness.permutation[0])
    for wrong in (ShuffleWitness(witness.permutation, masks), ShuffleWitness(order, witness.masks)):
        assert verify_shuffle(statement, prove_shuffle(statement, wrong, seeded("wrong"))) is None


def test_a_proof_for_the_same_deck_elsewhere_is_refused() -> None:
    statement, _, proof = shuffled(3)
    here = statement.context
    for there in (
        replace(here, table=b"other"),
        replace(here, deal=4),
        replace(here, step=b"x"),
        replace(here, seat=1),
    ):
        assert verify_shuffle(replace(statement, context=there), proof) is None


def test_every_part_of_a_proof_matters() -> None:
    statement, _, proof = shuffled(3)
    for name in ("commitments", "chain"):
        for place in range(3):
            points = list(getattr(proof, name))
            points[place] = points[place] + G
            assert verify_shuffle(statement, changed(proof, **{name: tuple(points)})) is None, (name, place)
    for name in ("singles", "chain_responses", "card_responses"):
        for place in range(len(getattr(proof, name))):
            scalars = list(getattr(proof, name))
            scalars[place] = (scalars[place] + 1) % L
            assert verify_shuffle(statement, changed(proof, **{name: tuple(scalars)})) is None, (name, place)
    assert verify_shuffle(statement, replace(proof, challenge=(proof.challenge + 1) % L)) is None


def test_the_trace_is_what_plain_arithmetic_gives() -> None:
    statement, _, proof = shuffled(7)
    trace = trace_shuffle(statement, proof)
    origin, generators, generator_sum = shuffle_generators(7)
    h, hs = trusted_point(origin), [trusted_point(generator) for generator in generators]
    u, c = trace.card_challenges, proof.challenge
    assert len(u) == 7
    assert trace.challenge == c
    assert trusted_point(generator_sum) == sum_points(hs)
    assert trace.sum_claim == sum_points(proof.commitments) - sum_points(hs)
    assert trace.chain_claim == proof.chain[-1] - h * prod(u)
    assert trace.weighted_claim == sum_points(point * w for point, w in zip(proof.commitments, u, strict=True))
    assert trace.weighted_before.a == sum_points(card.a * w for card, w in zip(statement.before, u, strict=True))
    assert trace.weighted_before.b == sum_points(card.b * w for card, w in zip(statement.before, u, strict=True))
    s1, s2, s3, s4 = proof.singles
    weights = proof.card_responses
    assert trace.announcements == (
        base_mul(s1) - trace.sum_claim * c,
        base_mul(s2) - trace.chain_claim * c,
        base_mul(s3) + sum_points(point * w for point, w in zip(hs, weights, strict=True)) - trace.weighted_claim * c,
        sum_points(card.b * w for card, w in zip(statement.after, weights, strict=True))
        - statement.key * s4
        - trace.weighted_before.b * c,
        sum_points(card.a * w for card, w in zip(statement.after, weights, strict=True))
        - base_mul(s4)
        - trace.weighted_before.a * c,
    )
    links = (h, *proof.chain)
    for place, announced in enumerate(trace.chain_announcements):
        response = base_mul(proof.chain_responses[place]) + links[place] * weights[place]
        assert announced == response - links[place + 1] * c


def test_generators_differ_from_each_other_and_from_the_base() -> None:
    origin, generators, _ = shuffle_generators(54)
    assert len({origin, *generators, G.encoded}) == 56
    assert shuffle_generators(3)[1] == generators[:3]


def test_threads_give_the_same_result_as_one() -> None:
    statement, witness, proof = shuffled(54)
    with ThreadPoolExecutor(2) as pool:

        def threads(work: Callable[[range], T], chunks: Sequence[range], /) -> list[T]:
            return list(pool.map(work, chunks))

        after, again = shuffle(statement.before, AT.key, seeded("shuffle 54"), run=threads)
        assert (after, again) == (statement.after, witness)
        assert verify_shuffle(statement, proof, run=threads) is not None
        threaded = prove_shuffle(statement, witness, seeded("threads"), run=threads)
    assert threaded == prove_shuffle(statement, witness, seeded("threads"))
    assert verify_shuffle(statement, threaded) is not None


def test_the_work_grows_with_the_deck_and_no_faster() -> None:
    statement, witness, proof = shuffled(54)
    with count_operations() as shuffling:
        shuffle(statement.before, AT.key, seeded("count"))
    with count_operations() as proving:
        prove_shuffle(statement, witness, seeded("count"))
    with count_operations() as verifying:
        verify_shuffle(statement, proof)
    assert (shuffling.mul, shuffling.base, shuffling.add) == (54, 54, 108)
    assert (proving.mul, proving.base) == (5 * 54 + 1, 3 * 54 + 4)
    assert (verifying.mul, verifying.base) == (8 * 54 + 7, 54 + 4)
    assert proving.add <= 6 * 54
    assert verifying.add <= 9 * 54 + 5


@pytest.mark.parametrize("size", [0, 1, 5, 8, 10, 4 * 3 + 4, 4 * (MAX_MASKED_CARDS + 1) + 5])
def test_lengths_that_no_deck_has_are_refused(size: int) -> None:
    with pytest.raises(CryptoDecodeError, match="length"):
        ShuffleProof.decode(bytes(32 * size))


def test_bad_encodings_are_refused() -> None:
    data = shuffled(3)[2].encode()
    for bad in (data[:-1], data + b"\x00", bytes(32) + data[32:], data[:-32] + L.to_bytes(32, "little"), "x", None):
        with pytest.raises(CryptoDecodeError):
            ShuffleProof.decode(bad)  # type: ignore[arg-type]


def test_proofs_and_statements_are_whole() -> None:
    statement, _, proof = shuffled(3)
    for change in (
        {"chain": proof.chain[:2]},
        {"singles": proof.singles[:3]},
        {"challenge": L},
        {"card_responses": ()},
    ):
        with pytest.raises(CryptoDecodeError):
            changed(proof, **change)
    with pytest.raises(TypeError, match="Point"):
        changed(proof, chain=(1, 2, 3))
    with pytest.raises(TypeError, match="deck"):
        changed(statement, after=list(statement.after))
    with pytest.raises(TypeError, match="deck"):
        changed(statement, before=(G, G, G))

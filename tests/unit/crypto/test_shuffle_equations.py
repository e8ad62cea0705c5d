"""Each equation of a shuffle's proof alone keeps a false shuffle out: forgeries for which all the others hold.

The forger knows everything that can be known (all masks, its own commitments), and makes every announcement that it can
answer. What the verifier recomputes then differs in the one equation that is wrong, and nowhere else.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from p2pkaboo.crypto.elgamal import MAX_MASKED_CARDS, Ciphertext, fresh, remask
from p2pkaboo.crypto.group import (
    CryptoDecodeError,
    L,
    Point,
    Scalar,
    base_mul,
    random_scalar,
    sum_points,
    trusted_point,
)
from p2pkaboo.crypto.shuffle import (
    ShuffleProof,
    ShuffleStatement,
    shuffle_generators,
    trace_shuffle,
    verify_shuffle,
)
from p2pkaboo.crypto.tags import SHUFFLE
from p2pkaboo.crypto.transcript import Transcript
from tests.unit.crypto.samples import context, seeded

Matrix = tuple[tuple[int, ...], ...]
"""Row j: how the commitment of the card at j before is made of the generators of the places after."""

CARDS = 4
HALF = pow(2, -1, L)
RNG = seeded("equations")
SECRET = random_scalar(RNG)
KEY = base_mul(SECRET)
BEFORE = tuple(remask(fresh(index, KEY), KEY, random_scalar(RNG)) for index in range(CARDS))
MASKS = [random_scalar(RNG) for _ in range(CARDS)]

SAME: Matrix = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
SWAPPED: Matrix = ((0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
SCALED: Matrix = ((2, 0, 0, 0), (0, HALF, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
MIXED: Matrix = ((2, -1, 0, 0), (-1, 2, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
MIXED_BACK: Matrix = ((2, 1, 0, 0), (1, 2, 0, 0), (0, 0, 3, 0), (0, 0, 0, 3))  # three times the inverse of MIXED


def weighted(weights: Sequence[Scalar], points: Sequence[Point]) -> Point:
    return sum_points(point * weight for weight, point in zip(weights, points, strict=True))


def times(matrix: Matrix, challenges: Sequence[Scalar]) -> list[Scalar]:
    """v_i = sum over j of matrix[j][i]·u_j."""
    return [sum(matrix[j][i] * challenges[j] for j in range(CARDS)) % L for i in range(CARDS)]


def mixture(rows: Matrix, scale: Scalar = 1) -> tuple[Ciphertext, ...]:
    """Cards after: each a combination of the masked cards before, as its row says, times `scale`."""
    after = []
    for row in rows:
        weights = [weight * scale for weight in row]
        after.append(
            Ciphertext(weighted(weights, [c.a for c in BEFORE]), weighted(weights, [c.b for c in BEFORE])),
        )
    return tuple(after)


@dataclass(frozen=True)
class Forgery:
    """What is committed to, what the chain multiplies, what the cards are weighted with, and the deck that comes out.

    `masks`: what the forger says were the masks, by card before; `wrong`: names of the equations that cannot hold.
    """

    committed: Matrix
    chained: Matrix
    answered: Matrix
    after: tuple[Ciphertext, ...]
    masks: Sequence[Scalar]
    wrong: frozenset[str]


def remasked(order: Sequence[int]) -> tuple[Ciphertext, ...]:
    return tuple(remask(BEFORE[source], KEY, MASKS[source]) for source in order)


def with_first(change: Callable[[Ciphertext], Ciphertext]) -> tuple[Ciphertext, ...]:
    honest = remasked(range(CARDS))
    return (change(honest[0]), *honest[1:])


NONE = [0] * CARDS
LINKS = frozenset({"link 0", "link 1"})
FORGERIES = {
    "honest": Forgery(SAME, SAME, SAME, remasked(range(CARDS)), MASKS, frozenset()),
    "halves": Forgery(
        SCALED, SCALED, SCALED, mixture(((HALF, 0, 0, 0), (0, 2, 0, 0), *SAME[2:])), NONE, frozenset({"sum"})
    ),
    "mixtures": Forgery(MIXED, MIXED, MIXED, mixture(MIXED_BACK, pow(3, -1, L)), NONE, frozenset({"chain"})),
    "mixtures in another chain": Forgery(MIXED, SAME, MIXED, mixture(MIXED_BACK, pow(3, -1, L)), NONE, LINKS),
    "another order than committed": Forgery(
        SAME, SWAPPED, SWAPPED, remasked((1, 0, 2, 3)), MASKS, frozenset({"weighted"})
    ),
    "a card twice": Forgery(
        SAME, SAME, SAME, with_first(lambda _: remask(BEFORE[1], KEY, 7)), MASKS, frozenset({"b", "a"})
    ),
    "another face": Forgery(
        SAME, SAME, SAME, with_first(lambda card: Ciphertext(card.a, card.b + base_mul(5))), MASKS, frozenset({"b"})
    ),
    "a card that nobody can read": Forgery(
        SAME, SAME, SAME, with_first(lambda card: Ciphertext(card.a + base_mul(5), card.b)), MASKS, frozenset({"a"})
    ),
}


def forge(forgery: Forgery) -> tuple[ShuffleStatement, ShuffleProof, dict[str, Point]]:
    """Statement, proof, and the announcements that the forger made, by the names of the equations."""
    statement = ShuffleStatement(context(), KEY, BEFORE, forgery.after)
    origin_bytes, generator_bytes, _ = shuffle_generators(CARDS)
    origin, generators = trusted_point(origin_bytes), [trusted_point(data) for data in generator_bytes]
    draw = [random_scalar(RNG) for _ in range(4 * CARDS + 4)]
    commit_masks, chain_masks, chain_nonces, card_nonces = (draw[at * CARDS : (at + 1) * CARDS] for at in range(4))
    first, second, third, fourth = draw[4 * CARDS :]
    commitments = [
        base_mul(mask) + weighted(row, generators) for mask, row in zip(commit_masks, forgery.committed, strict=True)
    ]
    transcript = Transcript(SHUFFLE, statement.context)
    transcript.append_points(b"key", (KEY,))
    for label, deck in ((b"before", statement.before), (b"after", statement.after)):
        transcript.append(label, b"".join(card.encode() for card in deck))
    transcript.append_points(b"commitments", commitments)
    challenges = transcript.challenges(b"cards", CARDS)

    chain, on_base, before = [], 0, origin
    announced_links = []
    for place, factor in enumerate(times(forgery.chained, challenges)):
        announced_links.append(base_mul(chain_nonces[place]) + before * card_nonces[place])
        before = base_mul(chain_masks[place]) + before * factor
        on_base = (chain_masks[place] + factor * on_base) % L
        chain.append(before)
    cards = forgery.after
    announced = (
        base_mul(first),
        base_mul(second),
        base_mul(third) + weighted(card_nonces, generators),
        weighted(card_nonces, [card.b for card in cards]) - KEY * fourth,
        weighted(card_nonces, [card.a for card in cards]) - base_mul(fourth),
    )
    transcript.append_points(b"chain", chain)
    transcript.append_points(b"announcements", announced)
    transcript.append_points(b"chain announcements", announced_links)
    c = transcript.challenge(b"challenge")

    def answer(nonce: Scalar, secret: Scalar) -> Scalar:
        return (nonce + c * secret) % L

    answered = times(forgery.answered, challenges)
    proof = ShuffleProof(
        commitments=tuple(commitments),
        chain=tuple(chain),
        challenge=c,
        singles=(
            answer(first, sum(commit_masks)),
            answer(second, on_base),
            answer(third, sum(mask * u for mask, u in zip(commit_masks, challenges, strict=True))),
            answer(fourth, sum(mask * u for mask, u in zip(forgery.masks, challenges, strict=True))),
        ),
        chain_responses=tuple(map(answer, chain_nonces, chain_masks)),
        card_responses=tuple(map(answer, card_nonces, answered)),
    )
    return statement, proof, named(announced, announced_links)


def named(announcements: Sequence[Point], links: Sequence[Point]) -> dict[str, Point]:
    names = ("sum", "chain", "weighted", "b", "a")
    return {
        **dict(zip(names, announcements, strict=True)),
        **{f"link {place}": link for place, link in enumerate(links)},
    }


@pytest.mark.parametrize("cards", [0, MAX_MASKED_CARDS + 1])
def test_no_proof_is_of_no_cards_or_of_more_than_there_are(cards: int) -> None:
    points, scalars = (base_mul(1),) * cards, (1,) * cards
    with pytest.raises(CryptoDecodeError, match=f"1 to {MAX_MASKED_CARDS} cards"):
        ShuffleProof(points, points, 1, (1,) * 4, scalars, scalars)
    fits = min(max(cards, 1), MAX_MASKED_CARDS)
    ShuffleProof((base_mul(1),) * fits, (base_mul(1),) * fits, 1, (1,) * 4, (1,) * fits, (1,) * fits)


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=list(FORGERIES))
def test_the_one_equation_that_is_wrong_refuses_it(forgery: Forgery) -> None:
    statement, proof, announced = forge(forgery)
    trace = trace_shuffle(statement, proof)
    recomputed = named(trace.announcements, trace.chain_announcements)
    assert {name for name in announced if announced[name] != recomputed[name]} == forgery.wrong
    assert (verify_shuffle(statement, proof) is None) == bool(forgery.wrong)

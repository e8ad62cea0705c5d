"""A shuffle of masked cards and its Terelius-Wikström proof, for any deck of 1 to MAX_MASKED_CARDS cards.

Terelius and Wikström, "Proofs of Restricted Shuffles", AFRICACRYPT 2010, in the form of Haenni, Locher, Koenig and
Dubuis, "Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets", FC 2017 workshops, written additively, in the
letters of protocol/03-shuffle.md. Places count from 0. After the shuffle, card i is card j = p(i) of before with the
mask r_j added. The prover commits to the permutation, c_j = k_j·G + g_i, gets a challenge u_j for each card (v_i = u_j)
and shows with one sigma proof:

- sum c_j - sum g_i and sum u_j·c_j - sum v_i·g_i are multiples of G, and the chain C_i = m_i·G + v_i·C_(i-1), from
  C_(-1) = h on, ends at the product of all u_j times h plus a multiple of G: so c commits to a permutation;
- the same permutation, with re-masking only, takes sum u_j·before_j to sum v_i·after_i.

In the code k are `commit_masks`, m `chain_masks`, r `witness.masks`, v `ordered`, and h, g `origin`, `generators`.

The loops work on encoded bytes: an object for each intermediate point would cost more than the interpreter itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from p2pkaboo.crypto import sodium, tags
from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.elgamal import MAX_MASKED_CARDS, Ciphertext
from p2pkaboo.crypto.group import L, Point, Rng, Scalar, encode_scalar, hash_to_group, trusted_point
from p2pkaboo.crypto.mixing import ShuffleWitness, shuffle
from p2pkaboo.crypto.proofs import encode_scalars
from p2pkaboo.crypto.runner import Runner, cut, serial
from p2pkaboo.crypto.shuffle_proof import SINGLE_RESPONSES, ShuffleProof, ShuffleStatement
from p2pkaboo.crypto.sodium import ENCODED_BYTES
from p2pkaboo.crypto.transcript import Transcript
from p2pkaboo.crypto.verified import Verified, seal

__all__ = [
    "ShuffleProof",
    "ShuffleStatement",
    "ShuffleTrace",
    "ShuffleWitness",
    "prove_shuffle",
    "shuffle",
    "shuffle_generators",
    "trace_shuffle",
    "verify_shuffle",
]


@dataclass(frozen=True, slots=True)
class ShuffleTrace:
    """Everything a verifier computes on the way, for vectors and for checking a shuffle by hand.

    `card_challenges`: u_j; `sum_claim` = sum c - sum g; `chain_claim` = C_(N-1) - (product of u)·h; `weighted_claim` =
    sum u_j·c_j; `weighted_before` = sum u_j·before_j; `announcements`: the single ones t_1, t_2, t_3, then t_b and
    t_a; `chain_announcements`: one for each place; `challenge`: the one the proof must have.
    """

    card_challenges: tuple[Scalar, ...]
    sum_claim: Point
    chain_claim: Point
    weighted_claim: Point
    weighted_before: Ciphertext
    announcements: tuple[Point, ...]
    chain_announcements: tuple[Point, ...]
    challenge: Scalar


def prove_shuffle(statement: ShuffleStatement, witness: ShuffleWitness, rng: Rng, run: Runner = serial) -> ShuffleProof:
    """Proof that `statement.after` comes from `statement.before` by the witness.

    `ValueError` if the sizes differ or the witness holds no permutation. Whether the witness belongs to the decks is
    not looked at: a proof made with another one does not verify.
    """
    cards = len(statement.before)
    if not statement.is_sized() or sorted(witness.permutation) != list(range(cards)) or len(witness.masks) != cards:
        raise ValueError(f"a shuffle of {cards} to {len(statement.after)} cards has no proof with this witness")
    permutation, masks, after, key = witness.permutation, witness.masks, statement.after, statement.key.encoded
    origin, generators, _ = shuffle_generators(cards)
    transcript = _transcript(statement)
    secret = encode_scalars((*permutation, *masks))
    nonces = iter(transcript.nonces(secret, rng, 4 * cards + SINGLE_RESPONSES))
    commit_masks, chain_masks, chain_nonces, card_nonces = ([next(nonces) for _ in range(cards)] for _ in range(4))
    single_nonces = list(nonces)

    def commit(chunk: range) -> list[bytes]:
        base, add = sodium.base, sodium.add
        return [add(generators[place], base(encode_scalar(commit_masks[permutation[place]]))) for place in chunk]

    commitments = [b""] * cards
    for source, commitment in zip(permutation, _joined(run(commit, cut(cards))), strict=True):
        commitments[source] = commitment
    challenges = _card_challenges(transcript, commitments)
    ordered = [challenges[source] for source in permutation]

    # C_i = on_base[i]·G + on_origin[i]·h: with both known, no link of the chain waits for the one before it.
    on_base, on_origin = [0], [1]
    for mask, challenge in zip(chain_masks, ordered, strict=True):
        on_base.append((mask + challenge * on_base[-1]) % L)
        on_origin.append(challenge * on_origin[-1] % L)

    def announce(chunk: range) -> tuple[list[bytes], list[bytes], list[bytes]]:
        mul, base, add = sodium.mul, sodium.base, sodium.add
        chain, announced = [], []
        weighted: list[list[bytes]] = [[], [], []]
        for place in chunk:
            link = base(on_base[place + 1].to_bytes(ENCODED_BYTES, "little"))
            chain.append(add(link, mul(on_origin[place + 1].to_bytes(ENCODED_BYTES, "little"), origin)))
            nonce = card_nonces[place]
            link = base(encode_scalar(chain_nonces[place] + nonce * on_base[place]))
            announced.append(add(link, mul(encode_scalar(nonce * on_origin[place]), origin)))
            weight, card = nonce.to_bytes(ENCODED_BYTES, "little"), after[place]
            weighted[0].append(mul(weight, generators[place]))
            weighted[1].append(mul(weight, card.b.encoded))
            weighted[2].append(mul(weight, card.a.encoded))
        return chain, announced, [reduce(add, points) for points in weighted]

    parts = run(announce, cut(cards))
    chain, chain_announced = _joined([part[0] for part in parts]), _joined([part[1] for part in parts])
    weighted, of_b, of_a = _summed([part[2] for part in parts])
    first, second, third, fourth = single_nonces
    fourth_bytes = encode_scalar(fourth)
    announcements = (
        sodium.base(encode_scalar(first)),
        sodium.base(encode_scalar(second)),
        sodium.add(weighted, sodium.base(encode_scalar(third))),
        sodium.sub(of_b, sodium.mul(fourth_bytes, key)),
        sodium.sub(of_a, sodium.base(fourth_bytes)),
    )
    challenge = _final_challenge(transcript, chain, announcements, chain_announced)
    secrets = (
        sum(commit_masks),
        on_base[-1],
        sum([mask * u for mask, u in zip(commit_masks, challenges, strict=True)]),
        sum([mask * u for mask, u in zip(masks, challenges, strict=True)]),
    )
    return ShuffleProof(
        commitments=tuple([trusted_point(point) for point in commitments]),
        chain=tuple([trusted_point(point) for point in chain]),
        challenge=challenge,
        singles=_responses(single_nonces, challenge, secrets),
        chain_responses=_responses(chain_nonces, challenge, chain_masks),
        card_responses=_responses(card_nonces, challenge, ordered),
    )


def verify_shuffle(
    statement: ShuffleStatement, proof: ShuffleProof, run: Runner = serial
) -> Verified[ShuffleStatement] | None:
    """The verdict on a shuffle; None if the proof is not one of this statement. Never raises."""
    if not is_a(statement, ShuffleStatement) or not is_a(proof, ShuffleProof):
        return None
    if not statement.is_sized() or len(proof.commitments) != len(statement.before):
        return None
    return seal(statement) if trace_shuffle(statement, proof, run).challenge == proof.challenge else None


def trace_shuffle(statement: ShuffleStatement, proof: ShuffleProof, run: Runner = serial) -> ShuffleTrace:
    """All that verification computes; the proof holds if its challenge is the trace's.

    The sizes of statement and proof must agree, which `verify_shuffle` sees to; `ValueError` if they do not.
    """
    cards = len(statement.before)
    if not statement.is_sized() or len(proof.commitments) != cards:
        raise ValueError(f"a proof for {len(proof.commitments)} cards does not fit a shuffle of {cards}")
    before, after, key = statement.before, statement.after, statement.key.encoded
    origin, generators, generator_sum = shuffle_generators(cards)
    commitments = [point.encoded for point in proof.commitments]
    chain = [point.encoded for point in proof.chain]
    transcript = _transcript(statement)
    challenges = _card_challenges(transcript, commitments)
    challenge = encode_scalar(proof.challenge)

    def recompute(chunk: range) -> tuple[list[bytes], list[bytes]]:
        mul, base, add, sub = sodium.mul, sodium.base, sodium.add, sodium.sub
        announced = []
        columns: list[list[bytes]] = [[], [], [], [], [], [], []]
        total, claimed, before_b, before_a, weighted, after_b, after_a = columns
        for place in chunk:
            u, commitment, card = challenges[place].to_bytes(ENCODED_BYTES, "little"), commitments[place], before[place]
            total.append(commitment)
            claimed.append(mul(u, commitment))
            before_b.append(mul(u, card.b.encoded))
            before_a.append(mul(u, card.a.encoded))
            weight, card = proof.card_responses[place].to_bytes(ENCODED_BYTES, "little"), after[place]
            weighted.append(mul(weight, generators[place]))
            after_b.append(mul(weight, card.b.encoded))
            after_a.append(mul(weight, card.a.encoded))
            link = base(proof.chain_responses[place].to_bytes(ENCODED_BYTES, "little"))
            link = add(link, mul(weight, chain[place - 1] if place else origin))
            announced.append(sub(link, mul(challenge, chain[place])))
        return announced, [reduce(add, points) for points in columns]

    parts = run(recompute, cut(cards))
    total, claimed, before_b, before_a, weighted, after_b, after_a = _summed([part[1] for part in parts])
    mul, base, add, sub = sodium.mul, sodium.base, sodium.add, sodium.sub
    sum_claim = sub(total, generator_sum)
    chain_claim = sub(chain[-1], mul(encode_scalar(reduce(lambda product, u: product * u % L, challenges, 1)), origin))
    first, second, third, fourth = [encode_scalar(response) for response in proof.singles]
    announcements = (
        sub(base(first), mul(challenge, sum_claim)),
        sub(base(second), mul(challenge, chain_claim)),
        sub(add(weighted, base(third)), mul(challenge, claimed)),
        sub(sub(after_b, mul(fourth, key)), mul(challenge, before_b)),
        sub(sub(after_a, base(fourth)), mul(challenge, before_a)),
    )
    chain_announced = _joined([part[0] for part in parts])
    return ShuffleTrace(
        card_challenges=tuple(challenges),
        sum_claim=trusted_point(sum_claim),
        chain_claim=trusted_point(chain_claim),
        weighted_claim=trusted_point(claimed),
        weighted_before=Ciphertext(trusted_point(before_a), trusted_point(before_b)),
        announcements=tuple([trusted_point(point) for point in announcements]),
        chain_announcements=tuple([trusted_point(point) for point in chain_announced]),
        challenge=_final_challenge(transcript, chain, announcements, chain_announced),
    )


@lru_cache(maxsize=MAX_MASKED_CARDS)
def shuffle_generators(cards: int) -> tuple[bytes, tuple[bytes, ...], bytes]:
    """Encoded: the chain's origin h (index 0), the generators h_1 to h_cards, and the sum of the latter."""
    origin, *generators = [_generator(index) for index in range(cards + 1)]
    return origin, tuple(generators), reduce(sodium.add, generators)


@lru_cache(maxsize=MAX_MASKED_CARDS + 1)
def _generator(index: int) -> bytes:
    return hash_to_group(tags.GENERATOR, index.to_bytes(4, "big")).encoded


def _transcript(statement: ShuffleStatement) -> Transcript:
    transcript = Transcript(tags.SHUFFLE, statement.context)
    transcript.append_points(b"key", (statement.key,))
    transcript.append(b"before", b"".join([card.encode() for card in statement.before]))
    transcript.append(b"after", b"".join([card.encode() for card in statement.after]))
    return transcript


def _card_challenges(transcript: Transcript, commitments: Sequence[bytes]) -> list[Scalar]:
    transcript.append(b"commitments", b"".join(commitments))
    return transcript.challenges(b"cards", len(commitments))


def _final_challenge(
    transcript: Transcript, chain: Sequence[bytes], announcements: Sequence[bytes], chain_announced: Sequence[bytes]
) -> Scalar:
    transcript.append(b"chain", b"".join(chain))
    transcript.append(b"announcements", b"".join(announcements))
    transcript.append(b"chain announcements", b"".join(chain_announced))
    return transcript.challenge(b"challenge")


def _responses(nonces: Iterable[Scalar], challenge: Scalar, secrets: Iterable[Scalar]) -> tuple[Scalar, ...]:
    return tuple([(nonce + challenge * secret) % L for nonce, secret in zip(nonces, secrets, strict=True)])


def _joined(parts: Iterable[list[bytes]]) -> list[bytes]:
    return [point for part in parts for point in part]


def _summed(parts: Iterable[list[bytes]]) -> list[bytes]:
    """The sums of several columns of points from those of the chunks."""
    return [reduce(sodium.add, column) for column in zip(*parts, strict=True)]

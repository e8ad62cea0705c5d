"""Vectors of the shuffle: with everything that a verifier computes on the way, and with one thing changed at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha512
from typing import Final

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import Ciphertext, decode_deck, fresh, joint_key, remask
from p2pkaboo.crypto.group import IDENTITY, CryptoDecodeError, G, Point, encode_scalar
from p2pkaboo.crypto.mixing import ShuffleWitness, shuffle
from p2pkaboo.crypto.shuffle import (
    ShuffleProof,
    ShuffleStatement,
    prove_shuffle,
    shuffle_generators,
    trace_shuffle,
    verify_shuffle,
)
from p2pkaboo.crypto.sigma import check
from p2pkaboo.lab.tables.chance import seeded
from p2pkaboo.rules.cards import deck
from p2pkaboo.wire.bodies import Keys, Shuffle
from p2pkaboo.wire.envelope import decode_envelope
from p2pkaboo.wire.transcript import read_transcript
from vector_areas.form import (
    Area,
    Vector,
    bad,
    beyond_order,
    challenge_of,
    context_plain,
    flipped,
    frame,
    good,
    require,
    scalars,
    transcript,
)
from vector_areas.matches import TINY, played
from vector_areas.proofs import PUBLICS, context, elsewhere

KEY: Final = joint_key(PUBLICS)
CARDS: Final = 3
"""Cards in the decks of the invalid vectors."""


def encoded(cards: Sequence[Ciphertext]) -> bytes:
    """A deck as bytes."""
    return b"".join(card.encode() for card in cards)


def told(statement: ShuffleStatement, proof: bytes) -> dict[str, object]:
    """The input of a vector."""
    return {
        "context": context_plain(statement.context),
        "key": statement.key,
        "before": encoded(statement.before),
        "after": encoded(statement.after),
        "proof": proof,
    }


def intermediate(statement: ShuffleStatement, proof: ShuffleProof) -> dict[str, object]:
    """Everything that a verifier computes on the way, as 03-shuffle.md names it. ValueError if it does not fit."""
    trace = trace_shuffle(statement, proof)
    origin, generators, _ = shuffle_generators(len(statement.before))
    frames = [
        (b"key", statement.key.encoded),
        (b"before", encoded(statement.before)),
        (b"after", encoded(statement.after)),
        (b"commitments", b"".join(point.encoded for point in proof.commitments)),
    ]
    require(proof.challenge == trace.challenge, "shuffle: the proof does not hold")
    early = transcript(tags.SHUFFLE, statement.context, frames)
    seed = seed_of(early)
    late = transcript(
        tags.SHUFFLE,
        statement.context,
        [
            *frames,
            (b"cards", seed),
            (b"chain", b"".join(point.encoded for point in proof.chain)),
            (b"announcements", b"".join(point.encoded for point in trace.announcements)),
            (b"chain announcements", b"".join(point.encoded for point in trace.chain_announcements)),
        ],
    )
    require(challenge_of(late) == trace.challenge, "shuffle: the challenge is not that of its frames")
    return {
        "generators": [origin, *generators],
        "cards_seed": seed,
        "cards": scalars(trace.card_challenges),
        "sum_claim": trace.sum_claim,
        "chain_claim": trace.chain_claim,
        "weighted_claim": trace.weighted_claim,
        "weighted_before": [trace.weighted_before.a, trace.weighted_before.b],
        "announcements": trace.announcements,
        "chain_announcements": trace.chain_announcements,
        "challenge": encode_scalar(trace.challenge),
    }


def seed_of(frames: bytes) -> bytes:
    """The hash from which the card challenges are expanded."""
    return sha512(frames + frame(b"cards", b"")).digest()


def true_vector(name: str, about: str, statement: ShuffleStatement, witness: ShuffleWitness) -> Vector:
    """A shuffle with its proof, what a verifier computes, and what only the shuffler knows."""
    proof = prove_shuffle(statement, witness, seeded(f"vectors/shuffle/{name}/proof"))
    require(verify_shuffle(statement, proof) is not None, f"shuffle {name} does not hold")
    secret = {"permutation": witness.permutation, "masks": scalars(witness.masks)}
    return good(name, about, told(statement, proof.encode()), None, {**secret, **intermediate(statement, proof)})


def fresh_deck(cards: int) -> tuple[Ciphertext, ...]:
    """The deck that a deal starts with."""
    return tuple(fresh(index, KEY) for index in range(cards))


def golden_first() -> Vector:
    """The first shuffle of the tiny golden transcript, from the bytes of its file."""
    table = played(TINY)
    envelopes = [decode_envelope(row) for row in read_transcript(table.transcript()).envelopes]
    publics = [Point.decode(one.body.public) for one in envelopes if isinstance(one.body, Keys)]
    said = next(one for one in envelopes if isinstance(one.body, Shuffle))
    body = said.body
    assert isinstance(body, Shuffle)
    at = Context(said.table, said.deal, str(said.slot).encode(), said.seat)
    key = joint_key(publics)
    before = tuple(fresh(index, key) for index in range(len(deck(TINY.rules))))
    statement = ShuffleStatement(at, key, before, decode_deck(body.deck))
    require(check(statement, body.proof) is not None, "the first shuffle of the tiny transcript does not hold")
    proof = ShuffleProof.decode(body.proof)
    about = f"the first SHUFFLE of transcripts/{TINY.name}.kaboo: slot {said.slot}, seat {said.seat}"
    return good("golden-first", about, told(statement, body.proof), None, intermediate(statement, proof))


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    at = context("m2", 1)
    for cards, permutation in ((1, (0,)), (2, (1, 0)), (2, (0, 1)), (5, (3, 0, 4, 1, 2))):
        name = f"cards-{cards}-{''.join(map(str, permutation))}"
        masks = [11 + index for index in range(cards)]
        before = fresh_deck(cards)
        after = tuple(remask(before[source], KEY, masks[source]) for source in permutation)
        statement = ShuffleStatement(at, KEY, before, after)
        order = "in the order they had" if permutation == tuple(range(cards)) else f"in the order {permutation}"
        about = f"{cards} card{'s' if cards > 1 else ''} {order}; small masks"
        yield true_vector(name, about, statement, ShuffleWitness(permutation, tuple(masks)))
    before = fresh_deck(CARDS)
    rng = seeded("vectors/shuffle/again")
    first, _ = shuffle(before, KEY, rng)
    after, witness = shuffle(first, KEY, rng)
    statement = ShuffleStatement(at, KEY, first, after)
    yield true_vector("second-seat", "three cards that another seat has shuffled before", statement, witness)
    yield golden_first()
    proof = prove_shuffle(statement, witness, seeded("vectors/shuffle/second-seat/proof"))
    for name, about, where in elsewhere(statement.context):
        given = told(replace(statement, context=where), proof.encode())
        require(not holds(given, where), f"shuffle {name} holds")
        yield bad(name, about, "bad-shuffle", given)
    for name, about, changed, data in wrong(statement, witness, proof):
        given = told(statement, data) | changed
        require(not holds(given, statement.context), f"shuffle {name} holds")
        yield bad(name, about, "bad-shuffle", given)


def holds(given: dict[str, object], at: Context) -> bool:
    """Whether the package accepts a shuffle, from the fields of a vector."""
    before, after, proof, key = given["before"], given["after"], given["proof"], given["key"]
    assert isinstance(before, bytes)
    assert isinstance(after, bytes)
    assert isinstance(proof, bytes)
    assert isinstance(key, Point)
    try:
        return check(ShuffleStatement(at, key, decode_deck(before), decode_deck(after)), proof) is not None
    except CryptoDecodeError:
        return False


Wrong = tuple[str, str, dict[str, object], bytes]
"""Name, text, changed fields of the input, and proof of an invalid vector."""


def wrong(statement: ShuffleStatement, witness: ShuffleWitness, proof: ShuffleProof) -> Iterator[Wrong]:
    """One thing changed in a true shuffle of three cards."""
    whole, after = proof.encode(), statement.after
    yield "other-key", "re-masked under another key than is said", {"key": KEY + G}, whole
    yield "other-before", "another deck before", {"before": encoded(fresh_deck(CARDS))}, whole
    yield "order-changed", "two cards of the deck after it change places", {"after": encoded(after[::-1])}, whole
    yield from lies(statement, witness)
    yield "card-missing", "one card fewer", {"after": encoded(after[:-1])}, whole
    yield "card-added", "one card more", {"after": encoded((*after, after[0]))}, whole
    identity = IDENTITY.encoded + encoded(after)[32:]
    yield "identity-in-deck", "the identity element as a of a card", {"after": identity}, whole
    yield "deck-short", "the last byte of the deck is missing", {"after": encoded(after)[:-1]}, whole
    yield from spoiled(proof)


def lies(statement: ShuffleStatement, witness: ShuffleWitness) -> Iterator[Wrong]:
    """Decks that are no shuffle, proved as well as their author can."""
    first, *rest = statement.after
    changed: list[tuple[str, str, tuple[Ciphertext, ...]]] = [
        ("card-replaced", "b of a card plus G", (Ciphertext(first.a, first.b + G), *rest)),
        ("card-doubled", "one card twice, re-masked", (remask(rest[0], KEY, 7), *rest)),
        ("mask-of-another-key", "one card re-masked under another key", (remask(first, KEY + G, 5), *rest)),
    ]
    for name, about, deck_after in changed:
        lie = replace(statement, after=deck_after)
        proof = prove_shuffle(lie, witness, seeded(f"vectors/shuffle/{name}"))
        yield name, f"{about}; the best proof of it", {"after": encoded(deck_after)}, proof.encode()
    twice = ShuffleWitness(witness.permutation, (*witness.masks[:-1], witness.masks[-1] + 1))
    proof = prove_shuffle(statement, twice, seeded("vectors/shuffle/mask-wrong"))
    yield "mask-wrong", "a true shuffle, proved with a wrong mask", {}, proof.encode()


def spoiled(proof: ShuffleProof) -> Iterator[Wrong]:
    """Proofs with one part changed."""
    whole = proof.encode()
    at = {"commitment": 0, "chain": CARDS, "challenge": 2 * CARDS, "chain-response": 2 * CARDS + 5}
    at |= {f"response-{number}": 2 * CARDS + number for number in (1, 2, 3, 4)}
    at |= {"card-response": 3 * CARDS + 5}
    for part, place in at.items():
        piece = whole[32 * place : 32 * place + 32]
        is_point = place < 2 * CARDS
        other = (Point.decode(piece) + G).encoded if is_point else flipped(piece)
        about = "the first one plus G" if is_point else "one bit is another"
        yield f"{part}-changed", f"{part}: {about}", {}, whole[: 32 * place] + other + whole[32 * place + 32 :]
    for name, about, place, piece in (
        ("commitment-identity", "a commitment is the identity element", 0, IDENTITY.encoded),
        ("chain-identity", "a link of the chain is the identity element", CARDS, IDENTITY.encoded),
        ("commitment-no-point", "a commitment is no canonical encoding", 0, b"\1" + bytes(31)),
        ("challenge-beyond-order", "the challenge plus L", 2 * CARDS, beyond_order(encode_scalar(proof.challenge))),
        ("last-beyond-order", "the last response plus L", 4 * CARDS + 4, beyond_order(whole[-32:])),
    ):
        yield name, about, {}, whole[: 32 * place] + piece + whole[32 * place + 32 :]
    yield "short", "the last byte is missing", {}, whole[:-1]
    yield "long", "a byte follows", {}, whole + b"\0"
    yield "proof-of-fewer-cards", "the length of a proof for two cards", {}, whole[: ShuffleProof.size(CARDS - 1)]
    yield "empty", "there is no proof", {}, b""


def area() -> Area:
    """The file of vectors."""
    return Area(
        "shuffle",
        "03-shuffle.md",
        "Shuffles with their proofs. Intermediate values are those of 03-shuffle.md, section 7, besides `cards_seed` "
        "(the hash that the frame `cards` holds) and, where the shuffler is known, its `permutation` and `masks`.",
        tuple(vectors()),
    )

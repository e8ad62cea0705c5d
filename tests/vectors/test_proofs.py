"""Every vector of a proof: the package accepts the true ones and no other, and its challenge is that of the frames."""

from hashlib import sha512
from typing import Any

import pytest

from p2pkaboo.crypto.group import L, Point, base_mul, decode_scalar, encode_scalar
from p2pkaboo.crypto.sharing import open_part, recombine
from p2pkaboo.crypto.shuffle import ShuffleProof, ShuffleStatement, shuffle_generators, trace_shuffle
from p2pkaboo.crypto.sigma import check
from tests.vectors import statements
from tests.vectors.files import vectors

PROOFS = ("key", "blind", "share", "membership", "shuffle", "recovery-key", "split", "complaint")


def holds(area: str, given: dict[str, Any]) -> bool:
    """Whether the package accepts the proof of a vector."""
    try:
        statement = statements.statement(area, given)
    except ValueError:
        return False
    return check(statement, statements.raw(given, "proof")) is not None


@pytest.mark.parametrize("area", PROOFS)
def test_the_package_accepts_the_true_ones_and_no_other(area: str) -> None:
    wrong = [vector["name"] for vector in vectors(area) if holds(area, vector["input"]) != vector["valid"]]
    assert wrong == []
    assert {vector["valid"] for vector in vectors(area)} == {True, False}


@pytest.mark.parametrize("area", [area for area in PROOFS if area != "shuffle"])
def test_the_challenge_is_that_of_the_frames(area: str) -> None:
    """By the words of the specification alone: SHA-512 of the frames and of an empty one, modulo L."""
    for vector in vectors(area):
        if not vector["valid"]:
            continue
        inner, proof = vector["intermediate"], bytes.fromhex(vector["input"]["proof"])
        seed = sha512(bytes.fromhex(inner["frames"]) + b"\x09challenge\0\0\0\0").digest()
        challenge = int.from_bytes(seed, "little") % L
        assert encode_scalar(challenge).hex() == inner["challenge"]
        branches = range(0, len(proof), 96) if area == "membership" else (0,)
        assert sum(decode_scalar(proof[at : at + 32]) for at in branches) % L == challenge


def test_everything_a_verifier_of_a_shuffle_computes_is_there() -> None:
    for vector in vectors("shuffle"):
        if not vector["valid"]:
            continue
        given, inner = vector["input"], vector["intermediate"]
        statement = statements.statement("shuffle", given)
        assert isinstance(statement, ShuffleStatement)
        trace = trace_shuffle(statement, ShuffleProof.decode(statements.raw(given, "proof")))
        origin, generators, _ = shuffle_generators(len(statement.before))
        assert inner["generators"] == [origin.hex(), *(one.hex() for one in generators)]
        assert inner["cards"] == [encode_scalar(u).hex() for u in trace.card_challenges]
        for name in ("sum_claim", "chain_claim", "weighted_claim"):
            assert inner[name] == getattr(trace, name).encoded.hex()
        weighted = (trace.weighted_before.a, trace.weighted_before.b)
        assert inner["weighted_before"] == [one.encoded.hex() for one in weighted]
        for name in ("announcements", "chain_announcements"):
            assert inner[name] == [one.encoded.hex() for one in getattr(trace, name)]
        assert inner["challenge"] == encode_scalar(trace.challenge).hex()


def test_permutation_and_masks_make_the_deck_after() -> None:
    known = [vector for vector in vectors("shuffle") if "masks" in vector.get("intermediate", {})]
    assert len(known) >= 4
    for vector in known:
        given, inner = vector["input"], vector["intermediate"]
        key = statements.point(given, "key")
        before, after = (statements.deck(statements.raw(given, name)) for name in ("before", "after"))
        for place, source in enumerate(inner["permutation"]):
            mask = decode_scalar(bytes.fromhex(inner["masks"][source]))
            assert after[place].b == before[source].b + key * mask


def test_the_parts_of_a_split_open_and_add_up() -> None:
    (vector,) = (vector for vector in vectors("split") if vector["valid"])
    given, output = vector["input"], vector["output"]
    split = statements.split(given)
    secrets = [decode_scalar(bytes.fromhex(secret)) for secret in given["secrets"]]
    values = {}
    for part, secret, value, pad in zip(
        split.parts, secrets, output["values"], vector["intermediate"]["pads"], strict=True
    ):
        opened = open_part(split, part.seat, secret)
        assert opened == decode_scalar(bytes.fromhex(value)) == (part.sealed - decode_scalar(bytes.fromhex(pad))) % L
        values[part.seat] = opened
    assert recombine(split, values) == decode_scalar(bytes.fromhex(output["key"]))


def test_published_commitments_are_those_of_the_equations() -> None:
    (vector,) = (vector for vector in vectors("share") if vector["valid"])
    given, inner = vector["input"], vector["intermediate"]
    proof = statements.raw(given, "proof")
    c, s = decode_scalar(proof[:32]), decode_scalar(proof[32:])
    public, base, element = (statements.point(given, name) for name in ("public", "base", "share"))
    first, second = (Point.decode(bytes.fromhex(one)) for one in inner["commitments"])
    assert first + public * c == base_mul(s)
    assert second + element * c == base * s

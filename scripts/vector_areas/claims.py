"""Vectors of claims, the proofs that a viewed card is one of several: true ones, and one thing changed at a time."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.elgamal import card_point, joint_key, share
from p2pkaboo.crypto.group import G, Point, base_mul, encode_scalar, sum_points
from p2pkaboo.crypto.membership import MembershipProof
from p2pkaboo.crypto.sigma import MembershipStatement, prove_membership
from p2pkaboo.lab.tables.chance import seeded
from vector_areas.form import Area, Vector, challenge_of, good, require, transcript
from vector_areas.proofs import (
    BLINDED,
    CARD,
    MASKED,
    PUBLICS,
    RHO,
    SECRETS,
    Fields,
    context,
    context_in,
    elsewhere,
    holds,
    judged,
    point_in,
    spoiled_scalars,
    told,
)

CANDIDATES: Final = (2, 3, 5, 7, 11)

POINTS: Final = ("viewer", "original", "blinded", "b", "others_sum", "others_key")
"""The six points of a claim, by the names of their frames."""


def membership_statement(given: Fields) -> MembershipStatement:
    candidates = given["candidates"]
    assert isinstance(candidates, tuple)
    viewer, original, blinded, b, total, key = (point_in(given, name) for name in POINTS)
    return MembershipStatement(context_in(given), viewer, original, blinded, b, total, key, candidates)


def membership_commitments(statement: MembershipStatement, proof: MembershipProof) -> list[Point]:
    """The three commitments of every branch."""
    found = []
    branches = zip(statement.candidates, proof.challenges, proof.key_responses, proof.blind_responses, strict=True)
    for index, challenge, for_x, for_rho in branches:
        layer = statement.b - statement.others_sum - card_point(index)
        found.append(base_mul(for_x) - statement.viewer_public * challenge)
        found.append(base_mul(for_rho) - (statement.blinded - statement.original) * challenge)
        found.append(statement.original * for_x - statement.others_key * for_rho - layer * challenge)
    return found


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    at = context("m9", 0)
    total = sum_points(share(secret, BLINDED) for secret in SECRETS[1:])
    key = joint_key(PUBLICS[1:])
    statement = MembershipStatement(at, PUBLICS[0], MASKED.a, BLINDED, MASKED.b, total, key, CANDIDATES)

    def fields(of: MembershipStatement, proof: bytes) -> dict[str, object]:
        points = {name: point.encoded for name, point in zip(POINTS, of.points(), strict=True)}
        return {"at": of.context, **points, "candidates": of.candidates, "proof": proof}

    def true(name: str, about: str, of: MembershipStatement) -> Vector:
        proof = prove_membership(of, SECRETS[0], RHO, CARD, seeded(f"vectors/membership/{name}"))
        given = fields(of, proof.encode())
        require(holds(given, membership_statement), f"membership {name} does not hold")
        commitments = membership_commitments(of, proof)
        frames = [
            *(
                (name.replace("_", " ").encode(), point.encoded)
                for name, point in zip(POINTS, of.points(), strict=True)
            ),
            (b"candidates", b"".join(index.to_bytes(4, "big") for index in of.candidates)),
            (b"commitments", b"".join(point.encoded for point in commitments)),
        ]
        whole = transcript(tags.MEMBERSHIP, at, frames)
        challenge = challenge_of(whole)
        inner = {"frames": whole, "commitments": commitments, "challenge": encode_scalar(challenge)}
        return good(name, about, told(given), None, inner)

    yield true("true", "card 7 is one of five", statement)
    yield true("alone", "one candidate: the card itself", replace(statement, candidates=(CARD,)))
    proof = prove_membership(statement, SECRETS[0], RHO, CARD, seeded("vectors/membership/true")).encode()
    given = fields(statement, proof)
    false = replace(statement, candidates=(2, 3, 5, 11))
    lie = prove_membership(false, SECRETS[0], RHO, 5, seeded("vectors/membership/lie")).encode()
    wrong: list[tuple[str, str, Fields]] = [
        *((name, about, {"at": where}) for name, about, where in elsewhere(at)),
        (
            "not-a-candidate",
            "one of four others, proved as if it were 5",
            {"candidates": (2, 3, 5, 11), "proof": lie},
        ),
        ("candidate-replaced", "another set of candidates", {"candidates": (2, 3, 5, 7, 12)}),
        ("candidates-reordered", "the same candidates in another order", {"candidates": (3, 2, 5, 7, 11)}),
        ("branch-missing", "four branches for five candidates", {"proof": proof[:-96]}),
        ("branch-added", "six branches for five candidates", {"proof": proof + bytes(96)}),
        ("other-viewer", "the key of another seat", {"viewer": PUBLICS[2].encoded}),
        ("other-card", "b of another card", {"b": (MASKED.b + G).encoded}),
        ("other-blinding", "another a′", {"blinded": (BLINDED + G).encoded}),
        ("share-missing", "the sum lacks a share", {"others_sum": (total - share(SECRETS[1], BLINDED)).encoded}),
        ("key-missing", "the sum of the others' keys lacks one", {"others_key": (key - PUBLICS[1]).encoded}),
        *((name, about, {"proof": data}) for name, about, data in spoiled_scalars(proof, 15)),
    ]
    yield from judged(membership_statement, "bad-claim", given, wrong)


def area() -> Area:
    """The file of vectors."""
    return Area(
        "membership",
        "02-crypto.md#7-claims-one-of-several-cards",
        "Proofs that a viewed card is one of several. `frames` ends before the total challenge.",
        tuple(vectors()),
    )

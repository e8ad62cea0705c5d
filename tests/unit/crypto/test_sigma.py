"""`check` verifies an encoded proof of any statement, and nothing that is thrown at it makes it raise."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.counting import OperationCounts, count_operations
from p2pkaboo.crypto.elgamal import Ciphertext
from p2pkaboo.crypto.group import G, L, Point
from p2pkaboo.crypto.membership import verify_membership
from p2pkaboo.crypto.schnorr import verify_blind, verify_key, verify_share
from p2pkaboo.crypto.sharing import Part, verify_complaint, verify_recovery_key, verify_split
from p2pkaboo.crypto.shuffle import verify_shuffle
from p2pkaboo.crypto.sigma import check
from p2pkaboo.crypto.verified import Verified
from tests.unit.crypto.samples import changed, proved_statements

PROVED = proved_statements()
KINDS = list(PROVED)
VERIFIERS: list[Callable[..., Verified[Any] | None]] = [
    verify_key,
    verify_blind,
    verify_share,
    verify_membership,
    verify_shuffle,
    verify_recovery_key,
    verify_split,
    verify_complaint,
]


def variants(value: Any) -> list[Any]:
    """Values that differ from `value` in one place each, at any depth."""
    if isinstance(value, Point):
        return [value + G, -value]
    if isinstance(value, bytes):
        return [value + b"\x00", value[:-1], bytes([value[0] ^ 1]) + value[1:]]
    if isinstance(value, int):
        return [(value + 1) % L]
    if isinstance(value, tuple):
        shorter, longer, turned = value[:-1], (*value, value[0]), (*value[1:], value[0])
        inside = [
            (*value[:place], variant, *value[place + 1 :])
            for place, item in enumerate(value)
            for variant in variants(item)
        ]
        return [shorter, longer, turned, *inside]
    assert is_dataclass(value)
    return [
        changed(value, **{field.name: variant})
        for field in fields(value)
        for variant in variants(getattr(value, field.name))
        if not (field.name == "candidates" and len(set(variant)) < len(variant))
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_right_proof_passes(kind: str) -> None:
    statement, proof = PROVED[kind]
    verdict = check(statement, proof)
    assert verdict is not None
    assert verdict.value is statement


@pytest.mark.parametrize("kind", KINDS)
def test_a_statement_changed_in_any_one_field_is_refused(kind: str) -> None:
    statement, proof = PROVED[kind]
    changes = variants(statement)
    assert len(changes) >= 8 + 2
    for variant in changes:
        assert variant != statement
        assert check(variant, proof) is None, variant


def test_variants_reach_every_kind_of_field() -> None:
    reached = {type(value) for kind in KINDS for value in leaves(PROVED[kind][0])}
    assert reached == {Point, bytes, int}
    assert {Context, Ciphertext, Part} <= {type(value) for kind in KINDS for value in branches(PROVED[kind][0])}


def branches(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [branch for item in value for branch in branches(item)]
    if is_dataclass(value):
        below = [branch for field in fields(value) for branch in branches(getattr(value, field.name))]
        return [value, *below]
    return []


def leaves(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in leaves(item)]
    if is_dataclass(value):
        return [leaf for field in fields(value) for leaf in leaves(getattr(value, field.name))]
    return [value]


@pytest.mark.parametrize("kind", KINDS)
def test_a_proof_of_another_statement_is_refused(kind: str) -> None:
    for other, (_, proof) in PROVED.items():
        assert (check(PROVED[kind][0], proof) is not None) is (other == kind), other


@pytest.mark.parametrize("kind", KINDS)
def test_garbage_instead_of_a_proof_is_refused(kind: str) -> None:
    statement, proof = PROVED[kind]
    size = len(proof)
    for garbage in (
        b"",
        proof[:-1],
        proof + b"\x00",
        proof * 2,
        bytes(size),
        b"\xff" * size,
        bytes(size - 32),
        b"\x01" * size,
    ):
        assert check(statement, garbage) is None
    others: list[Any] = [None, 7, "text", bytearray(proof), memoryview(proof), [proof]]
    for other in others:
        assert check(statement, other) is None


def test_a_shuffle_proof_for_another_deck_is_refused_before_its_points_are_decoded() -> None:
    other = proved_statements(cards=4)["shuffle"][1]
    with count_operations() as counts:
        assert check(PROVED["shuffle"][0], other) is None
    assert counts == OperationCounts()


@pytest.mark.parametrize("kind", KINDS)
def test_a_statement_cannot_hold_anything_but_a_context_and_points(kind: str) -> None:
    """Then arithmetic on its fields cannot fail, and a verifier has nothing to raise."""
    statement, _ = PROVED[kind]
    for field in fields(statement):
        value = getattr(statement, field.name)
        if isinstance(value, Context | Point):
            for other in (None, b"bytes", G.encoded):
                with pytest.raises(TypeError, match=f"where a {type(value).__name__} belongs"):
                    changed(statement, **{field.name: other})


def test_garbage_instead_of_a_statement_is_refused() -> None:
    for garbage in (None, 7, b"bytes", Verified, object()):
        assert check(garbage, PROVED["key"][1]) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("verify", VERIFIERS)
def test_verifiers_take_anything_without_raising(verify: Callable[..., Verified[Any] | None]) -> None:
    things = [None, 7, b"bytes", "text", G, object(), *[statement for statement, _ in PROVED.values()]]
    for statement in things:
        for proof in things:
            assert verify(statement, proof) is None

"""Proofs of keys, blindings and shares: what they bind, what they refuse."""

from dataclasses import replace

import pytest

from p2pkaboo.crypto.elgamal import share
from p2pkaboo.crypto.group import CryptoDecodeError, G, L, base_mul
from p2pkaboo.crypto.proofs import SchnorrProof
from p2pkaboo.crypto.schnorr import (
    BlindStatement,
    KeyStatement,
    ShareStatement,
    prove_blind,
    prove_key,
    prove_share,
    verify_blind,
    verify_key,
    verify_share,
)
from tests.unit.crypto.samples import context, seeded, table

RNG = seeded("schnorr")
AT = table()


def test_a_key_is_proved() -> None:
    statement = KeyStatement(context(), AT.publics[0])
    verdict = verify_key(statement, prove_key(statement, AT.secrets[0], RNG))
    assert verdict is not None
    assert verdict.value is statement


def test_a_key_of_somebody_else_cannot_be_claimed() -> None:
    mine = KeyStatement(context(1), AT.publics[0])
    assert verify_key(mine, prove_key(mine, AT.secrets[1], RNG)) is None
    theirs = KeyStatement(context(0), AT.publics[0])
    assert verify_key(mine, prove_key(theirs, AT.secrets[0], RNG)) is None


def test_a_rogue_key_that_cancels_the_others_cannot_be_proved() -> None:
    rogue = KeyStatement(context(3), base_mul(5) - AT.publics[0] - AT.publics[1])
    assert verify_key(rogue, prove_key(rogue, 5, RNG)) is None


def test_a_blinding_is_proved() -> None:
    statement = BlindStatement(context(), AT.card.a, AT.blinded)
    assert verify_blind(statement, prove_blind(statement, AT.rho, RNG)) is not None
    assert verify_blind(statement, prove_blind(statement, AT.rho + 1, RNG)) is None


def test_an_unblinded_card_is_refused_although_its_proof_is_right() -> None:
    statement = BlindStatement(context(), AT.card.a, AT.card.a)
    assert verify_blind(statement, prove_blind(statement, 0, RNG)) is None


def test_a_view_redirected_to_another_card_is_refused() -> None:
    other = table(card=9, seed="other card")
    statement = BlindStatement(context(), AT.card.a, other.blinded)
    assert verify_blind(statement, prove_blind(statement, other.rho, RNG)) is None


def test_a_share_is_proved() -> None:
    statement = ShareStatement(context(1), AT.publics[1], AT.blinded, share(AT.secrets[1], AT.blinded))
    assert verify_share(statement, prove_share(statement, AT.secrets[1], RNG)) is not None


def test_a_wrong_share_cannot_be_proved() -> None:
    right = ShareStatement(context(1), AT.publics[1], AT.blinded, share(AT.secrets[1], AT.blinded))
    for wrong in (
        replace(right, share=right.share + G),
        replace(right, share=share(AT.secrets[2], AT.blinded)),
        replace(right, base=AT.card.a),
        replace(right, public=AT.publics[2]),
    ):
        assert verify_share(wrong, prove_share(wrong, AT.secrets[1], RNG)) is None
        assert verify_share(wrong, prove_share(right, AT.secrets[1], RNG)) is None


def test_proofs_of_one_kind_are_worthless_as_another() -> None:
    # Both statements claim to know the logarithm of the same point.
    key = KeyStatement(context(), AT.blinded - AT.card.a)
    blinding = BlindStatement(context(), AT.card.a, AT.blinded)
    assert verify_key(key, prove_key(key, AT.rho, RNG)) is not None
    assert verify_key(key, prove_blind(blinding, AT.rho, RNG)) is None
    assert verify_blind(blinding, prove_key(key, AT.rho, RNG)) is None


def test_two_proofs_share_no_nonce() -> None:
    statement = KeyStatement(context(), AT.publics[0])
    proofs = [prove_key(statement, AT.secrets[0], RNG) for _ in range(2)]
    assert proofs[0].challenge != proofs[1].challenge
    # With a broken source that repeats itself, two statements still do not share one.
    fixed = [prove_key(KeyStatement(context(seat), AT.publics[0]), AT.secrets[0], seeded("fixed")) for seat in (0, 1)]
    nonces = [(proof.response - proof.challenge * AT.secrets[0]) % L for proof in fixed]
    assert nonces[0] != nonces[1]


def test_encoding() -> None:
    proof = SchnorrProof(3, L - 1)
    assert proof.encode() == (3).to_bytes(32, "little") + (L - 1).to_bytes(32, "little")
    assert SchnorrProof.decode(proof.encode()) == proof


@pytest.mark.parametrize(
    "data", [b"", bytes(63), bytes(65), bytes(32) + L.to_bytes(32, "little"), b"\xff" * 64, "x", None]
)
def test_bad_encodings_are_refused(data: bytes) -> None:
    with pytest.raises(CryptoDecodeError):
        SchnorrProof.decode(data)


@pytest.mark.parametrize("scalars", [(-1, 0), (0, L), ("1", 0), (0, None)])
def test_a_proof_has_one_form_only(scalars: tuple[int, int]) -> None:
    with pytest.raises(CryptoDecodeError):
        SchnorrProof(*scalars)


def test_statements_hold_points_and_contexts_only() -> None:
    with pytest.raises(TypeError, match="Context"):
        KeyStatement(None, G)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Point"):
        ShareStatement(context(), G, G, G.encoded)  # type: ignore[arg-type]

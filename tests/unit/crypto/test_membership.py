"""Claims about a viewed card: true ones pass for every branch, false ones for none."""

import pytest

from p2pkaboo.crypto.counting import count_operations
from p2pkaboo.crypto.elgamal import MAX_MASKED_CARDS
from p2pkaboo.crypto.group import CryptoDecodeError, L
from p2pkaboo.crypto.membership import BRANCH_BYTES, MembershipProof, prove_membership, verify_membership
from tests.unit.crypto.samples import CARD, Table, changed, membership_statement, seeded, table

RNG = seeded("membership")
RANKS = tuple(range(24))


def prove(at: Table, candidates: tuple[int, ...], index: int) -> MembershipProof:
    return prove_membership(membership_statement(at, candidates), at.secrets[0], at.rho, index, RNG)


@pytest.mark.parametrize("card", [0, 11, 23])
def test_each_of_24_candidates_can_be_the_card(card: int) -> None:
    at = table(card=card, seed=f"card {card}")
    proof = prove(at, RANKS, card)
    assert verify_membership(membership_statement(at, RANKS), proof) is not None
    assert len(proof.encode()) == 24 * BRANCH_BYTES == 2304
    assert MembershipProof.decode(proof.encode()) == proof


def test_a_single_candidate_is_possible() -> None:
    at = table()
    assert verify_membership(membership_statement(at, (CARD,)), prove(at, (CARD,), CARD)) is not None


def test_a_card_that_is_no_candidate_cannot_be_claimed() -> None:
    at, low = table(), (1, 2, 3)
    statement = membership_statement(at, low)
    for claimed in low:
        assert verify_membership(statement, prove(at, low, claimed)) is None
    with pytest.raises(ValueError, match="not among"):
        prove(at, low, CARD)


def test_wrong_secrets_prove_nothing() -> None:
    at = table()
    statement = membership_statement(at)
    for x, rho in ((at.secrets[0] + 1, at.rho), (at.secrets[0], at.rho + 1), (at.secrets[1], at.rho)):
        assert verify_membership(statement, prove_membership(statement, x, rho, CARD, RNG)) is None


def test_the_proof_binds_the_candidates_and_their_order() -> None:
    at = table()
    proof = prove(at, (3, CARD, 9), CARD)
    assert verify_membership(membership_statement(at, (3, CARD, 9)), proof) is not None
    for other in ((CARD, 3, 9), (3, CARD, 10), (3, CARD), (3, CARD, 9, 10)):
        assert verify_membership(membership_statement(at, other), proof) is None


def test_proving_does_the_same_work_whichever_branch_is_true() -> None:
    counted = []
    for card in (2, 11):
        at = table(card=card)
        prove(at, (2, 5, 11), card)  # the card points are cached from here on
        statement = membership_statement(at, (2, 5, 11))
        with count_operations() as counts:
            prove_membership(statement, at.secrets[0], at.rho, card, RNG)
        counted.append(counts)
    assert counted[0] == counted[1]
    assert counted[0].mul == 3 * 5


def test_proofs_do_not_repeat() -> None:
    at = table()
    first, second = (prove(at, (3, CARD), CARD) for _ in range(2))
    assert not set(first.challenges) & set(second.challenges)


@pytest.mark.parametrize("candidates", [(), (1, 1), [1, 2], (-1,), (MAX_MASKED_CARDS,), ("1",), None])
def test_candidates_are_distinct_cards(candidates: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="candidates"):
        changed(membership_statement(table()), candidates=candidates)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        bytes(95),
        bytes(97),
        bytes(BRANCH_BYTES * (MAX_MASKED_CARDS + 1)),
        bytes(64) + L.to_bytes(32, "little"),
        "x",
        None,
    ],
)
def test_bad_encodings_are_refused(data: bytes) -> None:
    with pytest.raises(CryptoDecodeError):
        MembershipProof.decode(data)


@pytest.mark.parametrize("parts", [((), (), ()), ((1,), (1,), ()), ((1,), (1, 2), (1,)), ((L,), (1,), (1,))])
def test_branches_are_complete(parts: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]) -> None:
    with pytest.raises(CryptoDecodeError):
        MembershipProof(*parts)

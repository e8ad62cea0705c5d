"""Laws of the cards, of the proofs and of their encodings, for values that nobody has picked."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import card_index, card_point, fresh, joint_key, remask, remove, share
from p2pkaboo.crypto.group import CryptoDecodeError, L, Point, base_mul, decode_scalar, encode_scalar, random_scalar
from p2pkaboo.crypto.identity import Identity, PublicIdentity, verify
from p2pkaboo.crypto.membership import MembershipProof, prove_membership
from p2pkaboo.crypto.proofs import SchnorrProof
from p2pkaboo.crypto.schnorr import KeyStatement, ShareStatement, prove_key, prove_share
from p2pkaboo.crypto.sharing import open_part, prove_split, recombine, split_key
from p2pkaboo.crypto.shuffle import ShuffleProof, ShuffleStatement, prove_shuffle, shuffle
from p2pkaboo.crypto.sigma import check
from tests.unit.crypto.samples import deck, membership_statement, proved_statements, seeded, table

T = TypeVar("T")
PROVED = proved_statements()
SCALARS = st.integers(min_value=0, max_value=L - 1)
SEED_BYTES = st.binary(min_size=32, max_size=32)
SEEDS = st.text(max_size=8)
CONTEXTS = st.builds(
    Context,
    table=st.binary(max_size=40),
    deal=st.integers(0, 2**64 - 1),
    step=st.binary(max_size=40),
    seat=st.integers(0, 2**32 - 1),
)


@given(SCALARS, SCALARS, SCALARS)
def test_the_group_is_a_group(x: int, y: int, z: int) -> None:
    p, q, r = base_mul(x), base_mul(y), base_mul(z)
    assert p + q == q + p == base_mul(x + y)
    assert (p + q) + r == p + (q + r)
    assert p * y == q * x == base_mul(x * y)
    assert (p + q) * z == p * z + q * z
    assert p - q == base_mul(x - y)


def decoded(decode: Callable[[bytes], T], data: bytes) -> T | None:
    try:
        return decode(data)
    except CryptoDecodeError:
        return None


@given(st.binary(min_size=32, max_size=32) | SCALARS.map(lambda x: base_mul(x).encoded))
def test_whatever_decodes_encodes_to_the_same_bytes(data: bytes) -> None:
    scalar, point = decoded(decode_scalar, data), decoded(Point.decode, data)
    assert (scalar is None) is (int.from_bytes(data, "little") >= L)
    assert scalar is None or encode_scalar(scalar) == data
    assert point is None or point.encoded == data


@given(st.binary(max_size=700))
def test_decoders_raise_their_one_error_only(data: bytes) -> None:
    proofs: list[Callable[[bytes], Any]] = [SchnorrProof.decode, MembershipProof.decode, ShuffleProof.decode]
    for decode in proofs:
        proof = decoded(decode, data)
        assert proof is None or proof.encode() == data
    elements: list[Callable[[bytes], Any]] = [Point.decode, PublicIdentity.decode]
    for decode in elements:
        element = decoded(decode, data)
        assert element is None or element.encoded == data


@given(st.data(), st.integers(2, 8), SEEDS)
def test_layers_come_off_in_any_order(data: st.DataObject, seats: int, seed: str) -> None:
    rng = seeded(seed)
    secrets = [random_scalar(rng) for _ in range(seats)]
    key = joint_key(base_mul(x) for x in secrets)
    index = data.draw(st.integers(0, 53))
    card = fresh(index, key)
    for _ in range(data.draw(st.integers(0, 4))):
        card = remask(card, key, random_scalar(rng))
    bare = card.b
    for secret in data.draw(st.permutations(secrets)):
        assert card_index(bare, 54) is None
        bare = remove(bare, [share(secret, card.a)])
    assert bare == card_point(index)


@given(CONTEXTS, st.integers(1, L - 1), st.integers(1, L - 1), SEEDS)
def test_key_and_share_proofs_are_complete(at: Context, x: int, base: int, seed: str) -> None:
    key = KeyStatement(at, base_mul(x))
    assert check(key, prove_key(key, x, seeded(seed)).encode()) is not None
    given_share = ShareStatement(at, base_mul(x), base_mul(base), base_mul(base) * x)
    assert check(given_share, prove_share(given_share, x, seeded(seed)).encode()) is not None


@given(st.lists(st.integers(0, 53), min_size=1, max_size=6, unique=True), st.data(), SEEDS)
def test_membership_proofs_are_complete_and_sound(candidates: list[int], data: st.DataObject, seed: str) -> None:
    card = data.draw(st.sampled_from(candidates) | st.integers(0, 53))
    at = table(seats=data.draw(st.integers(2, 5)), card=card, seed=seed)
    statement = membership_statement(at, tuple(candidates))
    claimed = card if card in candidates else candidates[0]
    proof = prove_membership(statement, at.secrets[0], at.rho, claimed, seeded(seed))
    assert (check(statement, proof.encode()) is not None) is (card in candidates)


@given(st.integers(1, 9), CONTEXTS, SEEDS)
def test_shuffle_proofs_are_complete(cards: int, at: Context, seed: str) -> None:
    rng = seeded(seed)
    key = base_mul(random_scalar(rng))
    before = deck(cards, key)
    after, witness = shuffle(before, key, rng)
    statement = ShuffleStatement(at, key, before, after)
    assert check(statement, prove_shuffle(statement, witness, rng).encode()) is not None


@given(st.sets(st.integers(1, 9), min_size=1, max_size=7), st.integers(1, L - 1), SEEDS)
def test_a_split_key_comes_back(seats: set[int], x: int, seed: str) -> None:
    rng = seeded(seed)
    seconds = {seat: random_scalar(rng) for seat in sorted(seats)}
    at = Context(b"table", 1, b"split", 0)
    split, k = split_key(at, x, [(seat, base_mul(e)) for seat, e in seconds.items()], rng)
    assert check(split, prove_split(split, k, rng).encode()) is not None
    parts = {seat: open_part(split, seat, e) for seat, e in seconds.items()}
    assert recombine(split, {seat: part for seat, part in parts.items() if part is not None}) == x


@pytest.mark.parametrize("kind", list(PROVED))
@given(st.data())
def test_a_proof_with_one_bit_flipped_is_refused(kind: str, data: st.DataObject) -> None:
    statement, proof = PROVED[kind]
    bit = data.draw(st.integers(0, 8 * len(proof) - 1))
    flipped = bytearray(proof)
    flipped[bit // 8] ^= 1 << bit % 8
    assert check(statement, bytes(flipped)) is None


@pytest.mark.parametrize("kind", list(PROVED))
@given(st.data())
def test_random_bytes_are_no_proof(kind: str, data: st.DataObject) -> None:
    statement, proof = PROVED[kind]
    size = len(proof)
    # Scalars below 2^248 always decode, so the verifiers themselves are reached.
    scalars = st.lists(st.binary(min_size=31, max_size=31), min_size=size // 32, max_size=size // 32)
    strategy = st.binary(max_size=2 * size) | scalars.map(lambda parts: b"".join([part + b"\x00" for part in parts]))
    assert check(statement, data.draw(strategy)) is None


@pytest.mark.parametrize("kind", list(PROVED))
@given(CONTEXTS)
def test_a_proof_holds_in_its_own_context_only(kind: str, at: Context) -> None:
    statement, proof = PROVED[kind]
    assert (check(replace(statement, context=at), proof) is not None) is (at == statement.context)


@given(
    st.binary(min_size=32, max_size=32),
    st.binary(min_size=1, max_size=40),
    st.binary(max_size=80),
    st.binary(max_size=80),
)
def test_signatures_hold_for_their_own_message_only(seed: bytes, tag: bytes, message: bytes, other: bytes) -> None:
    identity = Identity(seed)
    signature = identity.sign(tag, message)
    assert verify(identity.public, tag, message, signature)
    assert verify(identity.public, tag, other, signature) is (other == message)
    assert verify(identity.public, tag, message, other) is (other == signature)

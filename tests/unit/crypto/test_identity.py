"""Ed25519: RFC 8032 vectors, and everything that a lax verifier would let through."""

import copy
import pickle
from typing import Any

import pytest
from vector_areas import published

from p2pkaboo.crypto.group import CryptoDecodeError, L
from p2pkaboo.crypto.identity import FIELD, Identity, PublicIdentity, tagged, verify
from tests.unit.crypto.samples import seeded


def accepted(key: str, message: str, signature: str) -> bool:
    try:
        public = PublicIdentity.decode(bytes.fromhex(key))
    except CryptoDecodeError:
        return False
    return public.accepts(bytes.fromhex(message), bytes.fromhex(signature))


D = -121665 * pow(121666, -1, FIELD) % FIELD
ROOT_OF_MINUS_ONE = pow(2, (FIELD - 1) // 4, FIELD)


def root(square: int) -> int | None:
    """A square root in the field, None if there is none."""
    candidate = pow(square, (FIELD + 3) // 8, FIELD)
    for value in (candidate, candidate * ROOT_OF_MINUS_ONE % FIELD):
        if value * value % FIELD == square % FIELD:
            return value
    return None


def x_of(y: int) -> int | None:
    """One x of the curve -x^2 + y^2 = 1 + d·x^2·y^2, None if the y has none."""
    return root((y * y - 1) * pow(D * y * y + 1, -1, FIELD))


def small_order_encodings() -> list[bytes]:
    """All eight points of small order, worked out from the curve's equation."""
    ys = [0, 1, FIELD - 1]
    # A point of order 8 doubles to one with y = 0, so x^2 = -y^2 and d·y^4 + 2·y^2 - 1 = 0.
    discriminant = root(1 + D)
    assert discriminant is not None
    for sign in (1, -1):
        y = root((-1 + sign * discriminant) * pow(D, -1, FIELD))
        if y is not None:
            ys += [y, FIELD - y]
    encodings = []
    for y in ys:
        x = x_of(y)
        assert x is not None
        encodings += [(y | bit << 255).to_bytes(32, "little") for bit in ({0} if x == 0 else {0, 1})]
    return encodings


@pytest.mark.parametrize(("seed", "key", "message", "signature"), published.ED25519)
def test_rfc_8032(seed: str, key: str, message: str, signature: str) -> None:
    identity = Identity(bytes.fromhex(seed))
    assert identity.public.encoded.hex() == key
    assert identity.seed.hex() == seed
    assert accepted(key, message, signature)
    assert not accepted(key, message + "00", signature)


@pytest.mark.parametrize(("message", "key", "signature", "why"), published.TAMING)
def test_edge_cases_of_the_equation(message: str, key: str, signature: str, why: str | None) -> None:
    assert accepted(key, message, signature) is (why is None)


def test_keys_of_small_order_are_refused() -> None:
    encodings = small_order_encodings()
    assert len(set(encodings)) == 8
    for encoding in encodings:
        for flipped in (encoding, encoding[:-1] + bytes([encoding[-1] ^ 0x80])):
            with pytest.raises(CryptoDecodeError, match="small order"):
                PublicIdentity.decode(flipped)


def test_keys_that_are_not_canonical_are_refused() -> None:
    for excess in range(19):
        for bit in (0, 1):
            with pytest.raises(CryptoDecodeError, match="canonical"):
                PublicIdentity.decode((FIELD + excess | bit << 255).to_bytes(32, "little"))


def test_keys_that_are_no_points_are_refused() -> None:
    points = {y for y in range(2, 40) if x_of(y) is not None}
    assert 8 < len(points) < 30
    for y in range(2, 40):
        data = y.to_bytes(32, "little")
        if y in points:
            assert PublicIdentity.decode(data).encoded == data
        else:
            with pytest.raises(CryptoDecodeError, match="not a point"):
                PublicIdentity.decode(data)


@pytest.mark.parametrize("data", [b"", bytes(31), bytes(33), "x" * 32, None])
def test_other_lengths_are_refused(data: bytes) -> None:
    with pytest.raises(CryptoDecodeError, match="32 bytes"):
        PublicIdentity.decode(data)
    with pytest.raises(CryptoDecodeError, match="32 bytes"):
        Identity(data)


def test_a_signature_is_over_the_tag_and_the_message() -> None:
    identity, other = Identity.generate(seeded("one")), Identity.generate(seeded("two"))
    signature = identity.sign(b"tag", b"message")
    assert verify(identity.public, b"tag", b"message", signature)
    assert identity.public.accepts(b"\x03tagmessage", signature)
    assert not verify(identity.public, b"gat", b"message", signature)
    assert not verify(identity.public, b"tagm", b"essage", signature)
    assert not verify(identity.public, b"tag", b"messag", signature)
    assert not verify(other.public, b"tag", b"message", signature)


def test_a_signature_has_one_form() -> None:
    identity = Identity.generate(seeded("one"))
    signature = identity.sign(b"tag", b"message")
    s = int.from_bytes(signature[32:], "little")
    assert not verify(identity.public, b"tag", b"message", signature[:32] + (s + L).to_bytes(32, "little"))
    assert not verify(identity.public, b"tag", b"message", signature[:32] + L.to_bytes(32, "little"))
    for bit in range(512):
        flipped = bytearray(signature)
        flipped[bit // 8] ^= 1 << bit % 8
        assert not verify(identity.public, b"tag", b"message", bytes(flipped))


def test_verify_never_raises() -> None:
    public = Identity.generate(seeded("one")).public
    attempts: list[Any] = [
        (None, b"tag", b"m", bytes(64)),
        (public, None, b"m", bytes(64)),
        (public, b"", b"m", bytes(64)),
        (public, b"t" * 256, b"m", bytes(64)),
        (public, b"tag", "m", bytes(64)),
        (public, b"tag", b"m", None),
        (public, b"tag", b"m", bytes(63)),
        (public, b"tag", b"m", bytes(64)),
        (public, b"tag", b"m", b"\xff" * 64),
    ]
    for arguments in attempts:
        assert verify(*arguments) is False


@pytest.mark.parametrize("tag", [b"", b"t" * 256])
def test_tags_have_a_length_of_one_byte(tag: bytes) -> None:
    with pytest.raises(ValueError, match="1 to 255"):
        tagged(tag, b"m")
    assert tagged(b"t" * 255, b"m") == b"\xff" + b"t" * 255 + b"m"


def test_identities_hide_their_seed_and_public_ones_are_values() -> None:
    identity = Identity.generate(seeded("one"))
    assert identity.seed.hex() not in repr(identity)
    public = identity.public
    assert {public, PublicIdentity.decode(public.encoded)} == {public}
    assert public != public.encoded
    assert copy.deepcopy(public) == pickle.loads(pickle.dumps(public)) == public
    assert public.encoded.hex() in repr(public)
    with pytest.raises(AttributeError):
        public.encoded = bytes(32)
    with pytest.raises(AttributeError):
        del public.encoded
    with pytest.raises(TypeError):
        PublicIdentity(bytes(32))

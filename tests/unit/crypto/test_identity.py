"""Ed25519: RFC 8032 vectors, and everything that a lax verifier would let through."""

import copy
import pickle
from typing import Any

import pytest

from p2pkaboo.crypto.group import CryptoDecodeError, L
from p2pkaboo.crypto.identity import FIELD, Identity, PublicIdentity, tagged, verify
from tests.unit.crypto.samples import seeded

# RFC 8032, section 7.1, tests 1 to 3: seed, public key, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]

SMALL = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"
MIXED = "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43"
MIXED2 = "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d"
ORDINARY = "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623"
MINUS_ONE = "ec" + "ff" * 31

# Chalkias, Garillot, Nikolaenko, "Taming the Many EdDSAs", SSR 2020, table 6c: message, key, signature, and why it is
# refused (None: accepted, because the equation without the cofactor holds and nothing is small).
TAMING = [
    (
        "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6",
        SMALL,
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a" + "00" * 32,
        "small A and R",
    ),
    (
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        SMALL,
        MIXED + "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        "small A",
    ),
    (
        "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab",
        MIXED,
        SMALL + "8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e",
        "small R",
    ),
    (
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        MIXED2,
        "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f"
        "87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009",
        None,
    ),
    (
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        MIXED2,
        "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed512"
        "5ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09",
        "only with cofactor",
    ),
    (
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        MIXED2,
        "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7"
        "e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405",
        "only with cofactor",
    ),
    (
        "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
        ORDINARY,
        "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e"
        "547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514",
        "S above L",
    ),
    (
        "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
        ORDINARY,
        "8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa1942"
        "7e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22",
        "S far above L",
    ),
    (
        "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
        MIXED,
        MINUS_ONE + "03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f",
        "R not canonical",
    ),
    (
        "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
        MIXED,
        MINUS_ONE + "ca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908",
        "R not canonical",
    ),
    (
        "e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b",
        MINUS_ONE,
        "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        "A not canonical",
    ),
    (
        "39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f",
        MINUS_ONE,
        "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        "A not canonical",
    ),
]


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


@pytest.mark.parametrize(("seed", "key", "message", "signature"), VECTORS)
def test_rfc_8032(seed: str, key: str, message: str, signature: str) -> None:
    identity = Identity(bytes.fromhex(seed))
    assert identity.public.encoded.hex() == key
    assert identity.seed.hex() == seed
    assert accepted(key, message, signature)
    assert not accepted(key, message + "00", signature)


@pytest.mark.parametrize(("message", "key", "signature", "why"), TAMING)
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

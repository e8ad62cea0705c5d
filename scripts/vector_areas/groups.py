"""Vectors of the group: points and scalars as bytes, hashing to the group, and the masking of cards."""

from collections.abc import Iterator
from typing import Final

from p2pkaboo.crypto import sodium, tags
from p2pkaboo.crypto.elgamal import (
    MAX_MASKED_CARDS,
    Ciphertext,
    blind,
    card_index,
    card_point,
    fresh,
    joint_key,
    remask,
    remove,
    share,
    unblind,
)
from p2pkaboo.crypto.group import L, base_mul, decode_scalar, encode_scalar, hash_to_group, random_scalar
from p2pkaboo.crypto.hashing import HASH_BYTES, expand_message_xmd
from p2pkaboo.crypto.tags import REGISTRY
from p2pkaboo.lab.tables.chance import seeded
from vector_areas import published
from vector_areas.form import Area, Vector, bad, good, require

CARDS: Final = 54
"""Cards in the decks of the masks' vectors."""


# ---------------------------------------------------------------- group


def group_vectors() -> Iterator[Vector]:
    """Multiples of the generator, encodings that are none, scalars at their bound."""
    for number, point in enumerate(published.MULTIPLES):
        require(base_mul(number).encoded.hex() == point, f"{number}·G is not as published")
        yield good(f"multiple-{number}", f"RFC 9496, A.1: {number}·G", {"multiple": number}, {"point": point})
    for number, point in enumerate(published.INVALID_POINTS, start=1):
        yield bad(f"no-point-{number}", f"RFC 9496, A.2: no canonical encoding ({number})", None, {"point": point})
    yield bad("no-point-identity", "the identity element, which no message holds", None, {"point": bytes(32)})
    yield bad("no-point-short", "31 bytes", None, {"point": base_mul(1).encoded[:31]})
    yield bad("no-point-long", "33 bytes", None, {"point": base_mul(1).encoded + b"\0"})
    for name, about, value in (("zero", "0 is a scalar", 0), ("greatest", "L − 1, the greatest scalar", L - 1)):
        yield good(f"scalar-{name}", about, {"scalar": encode_scalar(value)}, {"point": base_mul(value)})
    for name, about, value in (("order", "L", L), ("all-ones", "2^256 − 1", 2**256 - 1)):
        yield bad(f"scalar-{name}", f"{about}: not below L", None, {"scalar": value.to_bytes(32, "little")})


def group() -> Area:
    """The file of vectors."""
    return Area(
        "group",
        "02-crypto.md#1-group-and-scalars",
        "`multiple`: a factor of G, in arithmetic; `point`, `scalar`: bytes to be decoded, refused where not "
        "valid. The point of a scalar is that multiple of G.",
        tuple(group_vectors()),
    )


# ---------------------------------------------------------------- hash-to-group


def hash_vectors() -> Iterator[Vector]:
    """Published ones of each stage, then those of the two tags in use."""
    for length, outputs in ((32, published.EXPAND_32), (128, published.EXPAND_128)):
        for number, (message, uniform) in enumerate(zip(published.EXPAND_MESSAGES, outputs, strict=True), start=1):
            require(expand_message_xmd(message, published.EXPAND_TAG, length).hex() == uniform, "expand_message_xmd")
            yield good(
                f"rfc-9380-expand-{length}-{number}",
                "RFC 9380, K.3: expand_message_xmd with SHA-512 alone",
                {"tag": published.EXPAND_TAG, "message": message, "length": length},
                {"uniform": uniform},
            )
    for number, (uniform, point) in enumerate(published.DERIVED, start=1):
        require(sodium.from_hash(bytes.fromhex(uniform)).hex() == point, "the map to the group")
        yield good(f"rfc-9496-map-{number}", "RFC 9496, A.3: the map alone", {"uniform": uniform}, {"point": point})
    blinding = decode_scalar(bytes.fromhex(published.OPRF_BLIND))
    for number, (text, blinded) in enumerate(published.OPRF, start=1):
        message = bytes.fromhex(text)
        element = hash_to_group(published.OPRF_TAG, message)
        require((element * blinding).encoded.hex() == blinded, "hash to the group")
        yield good(
            f"rfc-9497-oprf-{number}",
            "RFC 9497, A.1.1: the whole suite; BlindedElement is the point times Blind",
            {"tag": published.OPRF_TAG, "message": message, "blind": published.OPRF_BLIND},
            {"point": element, "blinded": blinded},
            {"uniform": expand_message_xmd(message, published.OPRF_TAG, HASH_BYTES)},
        )
    for name, tag, indices in (
        ("card", tags.CARD, (0, 1, 51, 53, 255)),
        ("generator", tags.GENERATOR, (0, 1, 54, 256)),
    ):
        require(REGISTRY[name].value == tag, f"the tag {name}")
        for index in indices:
            message = index.to_bytes(4, "big")
            yield good(
                f"{name}-{index}",
                f"the point of the tag `{name}` with index {index}",
                {"tag": tag, "message": message},
                {"point": hash_to_group(tag, message)},
                {"uniform": expand_message_xmd(message, tag, HASH_BYTES)},
            )


def hashing() -> Area:
    """The file of vectors."""
    return Area(
        "hash-to-group",
        "02-crypto.md#2-cards-as-points",
        "ristretto255_XMD:SHA-512_R255MAP_RO_. Published vectors of its parts: with `length` in the input only the "
        "expansion, with `uniform` in the input only the map.",
        tuple(hash_vectors()),
    )


# ---------------------------------------------------------------- masks


def masked(card: int, secrets: list[int], masks: list[int]) -> Ciphertext:
    """A card entered with mask 1 and re-masked by each mask in turn."""
    key = joint_key(map(base_mul, secrets))
    found = fresh(card, key)
    for mask in masks:
        found = remask(found, key, mask)
    return found


def mask_vectors() -> Iterator[Vector]:
    """Cards masked and read, by all and by one viewer; and what is no card."""
    for seats, card, rounds in ((2, 0, 0), (2, 53, 2), (3, 7, 3), (8, 30, 8)):
        rng = seeded(f"vectors/masks/{seats}/{rounds}")
        secrets, masks = ([random_scalar(rng) for _ in range(count)] for count in (seats, rounds))
        found = masked(card, secrets, masks)
        shares = [share(secret, found.a) for secret in secrets]
        require(card_index(remove(found.b, shares), CARDS) == card, "a card is not read")
        given: dict[str, object] = {
            "card": card,
            "secrets": [encode_scalar(secret) for secret in secrets],
            "masks": [encode_scalar(mask) for mask in masks],
        }
        out: dict[str, object] = {"a": found.a, "b": found.b, "shares": shares, "index": card}
        known = {"joint_key": joint_key(map(base_mul, secrets)), "card_point": card_point(card)}
        after = f"after {rounds} re-maskings" if rounds else "as it enters a deck, with mask 1"
        yield good(f"open-{seats}-seats-{rounds}-masks", f"a card of {seats} seats {after}", given, out, known)
        if rounds:
            rho, viewer = random_scalar(rng), seats - 1
            blinded = blind(found.a, rho)
            served = [share(secret, blinded) for secret in secrets[:viewer]]
            layers = [unblind(one, rho, base_mul(secret)) for one, secret in zip(served, secrets, strict=False)]
            require(layers == shares[:viewer], "a view gives other layers")
            yield good(
                f"view-{seats}-seats-{rounds}-masks",
                f"the same card seen by seat {viewer} alone: `served` are the others' shares of a′, `shares` what "
                "the viewer takes off, its own layer last",
                {**given, "viewer": viewer, "rho": encode_scalar(rho)},
                {**out, "blinded": blinded, "served": served},
                known,
            )
    secrets = [random_scalar(seeded("vectors/masks/none")), 2]
    found = masked(7, secrets, [3])
    shares = [share(secrets[0], found.a), share(secrets[1] + 1, found.a)]
    require(card_index(remove(found.b, shares), MAX_MASKED_CARDS) is None, "a wrong share opens a card")
    yield bad(
        "open-with-a-share-of-another-key",
        "with one share that is not x·a the card is read as none: `shares` are given",
        "bad-share",
        {"a": found.a, "b": found.b, "shares": shares},
    )


def masks() -> Area:
    """The file of vectors."""
    return Area(
        "masks",
        "02-crypto.md#3-keys-and-masks",
        f"Cards of a deck of {CARDS} under the keys of some seats: `masks` come on top of the 1 of a card that enters.",
        tuple(mask_vectors()),
    )

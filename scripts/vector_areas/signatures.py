"""Vectors of Ed25519 at its edges: what is valid here, and what other implementations let through."""

from collections.abc import Iterator
from hashlib import sha512
from typing import Final

from p2pkaboo.crypto.group import CryptoDecodeError, L, encode_scalar
from p2pkaboo.crypto.identity import FIELD, Identity, PublicIdentity, tagged, verify
from p2pkaboo.lab.tables.chance import seeded
from p2pkaboo.wire.tags import ENVELOPE, PING
from vector_areas import published
from vector_areas.form import Area, Vector, bad, beyond_order, flipped, good, require

SIGNER: Final = Identity.generate(seeded("vectors/signer"))
OTHER: Final = Identity.generate(seeded("vectors/other signer"))
MESSAGE: Final = b"the stock is on the left"
SIGN_BIT: Final = 1 << 255


def encoded(y: int, *, sign: bool = False) -> bytes:
    """32 bytes with this y, which may be too large, and the sign of x."""
    return (y | (SIGN_BIT if sign else 0)).to_bytes(32, "little")


def is_valid(key: bytes, tag: bytes | None, message: bytes, signature: bytes) -> bool:
    """Whether the package accepts a signature; without a tag, over the bare message."""
    try:
        public = PublicIdentity.decode(key)
    except CryptoDecodeError:
        return False
    return public.accepts(message, signature) if tag is None else verify(public, tag, message, signature)


def case(
    name: str, about: str, key: bytes, tag: bytes | None, message: bytes, signature: bytes, refused: str | None = None
) -> Vector:
    """A vector; `refused`: its class if it is invalid."""
    given = {"key": key, "tag": tag, "message": message, "signature": signature}
    require(is_valid(key, tag, message, signature) == (refused is None), f"signature {name}")
    if refused is not None:
        return bad(name, about, refused, given)
    signed = message if tag is None else tagged(tag, message)
    return good(name, about, given, None, {"k": encode_scalar(challenge_of(key, signed, signature))})


def challenge_of(key: bytes, signed: bytes, signature: bytes) -> int:
    """The k of a signature."""
    return int.from_bytes(sha512(signature[:32] + key + signed).digest(), "little") % L


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    yield from published_ones()
    key, signature = SIGNER.public.encoded, SIGNER.sign(ENVELOPE, MESSAGE)
    yield case("true", "a signature with the tag of envelopes", key, ENVELOPE, MESSAGE, signature)
    ping = SIGNER.sign(PING, b"")
    yield case("empty-message", "the tag alone is signed", key, PING, b"", ping)
    wrong: list[tuple[str, str, bytes, bytes | None, bytes, bytes]] = [
        ("other-message", "another message", key, ENVELOPE, MESSAGE + b".", signature),
        ("other-tag", "the tag of pings", key, PING, MESSAGE, signature),
        ("no-tag", "verified over the bare message", key, None, MESSAGE, signature),
        ("other-key", "the key of somebody else", OTHER.public.encoded, ENVELOPE, MESSAGE, signature),
        ("r-changed", "one bit of R is another", key, ENVELOPE, MESSAGE, flipped(signature)),
        ("s-changed", "one bit of S is another", key, ENVELOPE, MESSAGE, flipped(signature, 256)),
        ("s-beyond-order", "S plus L", key, ENVELOPE, MESSAGE, signature[:32] + beyond_order(signature[32:])),
        ("s-all-ones", "S is 2^256 − 1", key, ENVELOPE, MESSAGE, signature[:32] + b"\xff" * 32),
        ("short", "63 bytes", key, ENVELOPE, MESSAGE, signature[:-1]),
        ("long", "65 bytes", key, ENVELOPE, MESSAGE, signature + b"\0"),
    ]
    for row in wrong:
        yield case(*row, "bad-signature")
    yield from bad_keys()


def published_ones() -> Iterator[Vector]:
    """Those of RFC 8032, and the edge cases of a paper."""
    for number, (seed, key, message, signature) in enumerate(published.ED25519, start=1):
        about = f"RFC 8032, 7.1, TEST {number} (seed {seed})"
        yield case(f"rfc-8032-{number}", about, unhexed(key), None, unhexed(message), unhexed(signature))
    for number, (message, key, signature, why) in enumerate(published.TAMING):
        source = "Chalkias, Garillot, Nikolaenko, “Taming the Many EdDSAs”, table 6c"
        about = f"{source}, case {number}: {why or 'a key with a part of small order, and the exact equation holds'}"
        no_key = why is not None and ("small A" in why or "A not" in why)
        refused = None if why is None else "bad-charter" if no_key else "bad-signature"
        yield case(f"taming-{number}", about, unhexed(key), None, unhexed(message), unhexed(signature), refused)


def bad_keys() -> Iterator[Vector]:
    """Keys that are no identities. With those of small order nothing but the key is wrong: R is S·B, and k·A is the
    neutral element."""
    eighth = 2707385501144840649318225287225658788936804267575313519463743609750303402022
    # The public key is a·B for a clamped half of the hash of the seed (RFC 8032, section 5.1.5).
    clamped = int.from_bytes(sha512(SIGNER.seed).digest()[:32], "little") & ((1 << 254) - 8) | 1 << 254
    fits = SIGNER.public.encoded + encode_scalar(clamped)
    keys = [
        ("small-order-1", "the neutral element: with it one signature fits every message", encoded(1)),
        ("small-order-2", "the point of order 2", encoded(FIELD - 1)),
        ("small-order-4", "a point of order 4", encoded(0)),
        ("small-order-4-sign", "the other point of order 4", encoded(0, sign=True)),
        ("small-order-8", "a point of order 8", encoded(eighth)),
        ("small-order-8-sign", "another point of order 8", encoded(FIELD - eighth, sign=True)),
        ("small-order-1-sign", "y = 1 with the sign bit set, though x = 0", encoded(1, sign=True)),
        ("small-order-2-sign", "y = −1 with the sign bit set, though x = 0", encoded(FIELD - 1, sign=True)),
        ("not-canonical", "y = p + 1, another form of the neutral element", encoded(FIELD + 1)),
        ("not-canonical-4", "y = p + 4, no small order but not canonical", encoded(FIELD + 4)),
        ("not-canonical-greatest", "y = 2^255 − 1", encoded(SIGN_BIT - 1)),
        ("not-on-the-curve", "no point has y = 2", encoded(2)),
    ]
    for name, about, key in keys:
        message = next(one for one in (MESSAGE + bytes([n]) for n in range(256)) if fits_but(key, one, fits))
        yield case(f"key-{name}", about, key, ENVELOPE, message, fits, "bad-charter")
    short = SIGNER.public.encoded[:-1]
    yield case("key-short", "a key of 31 bytes", short, ENVELOPE, MESSAGE, fits, "bad-charter")


def fits_but(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether k is a multiple of 8, so that a key of small order drops out of the equation."""
    return challenge_of(key, tagged(ENVELOPE, message), signature) % 8 == 0


def unhexed(text: str) -> bytes:
    """A hexadecimal text as bytes."""
    return bytes.fromhex(text)


def area() -> Area:
    """The file of vectors."""
    return Area(
        "signature",
        "02-crypto.md#9-ed25519",
        "Ed25519 over byte(len(tag)) ‖ tag ‖ message; where `tag` is null (published ones), over the message alone. "
        "The class is `bad-charter` where the key is no identity at all, as in a JOIN.",
        tuple(vectors()),
    )

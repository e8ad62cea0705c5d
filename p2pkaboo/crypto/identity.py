"""Ed25519 identities (RFC 8032), verified strictly and by one pinned equation.

A signature is over: length of the tag (1 byte), tag, message. It is valid exactly when

- the public key A and R, the first half of the signature, are canonical encodings (y below 2^255-19, and no sign bit
  with x = 0), and neither is one of the eight points of small order;
- S, the second half, is below the group order L;
- encode([S]B - [k]A) = R byte for byte, with k = SHA-512(R ‖ A ‖ tagged message) modulo L: the equation without the
  cofactor, as OpenSSL computes it.

OpenSSL by itself accepts keys of small order, for which one signature fits every message; those are refused here, when
the key is decoded.
"""

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.group import CryptoDecodeError, L, Rng, random_bytes

KEY_BYTES: Final = 32
"""Length of a public key, and of the seed of a private one (RFC 8032, section 5.1.5)."""

SIGNATURE_BYTES: Final = 64
"""Length of a signature: R, then S (RFC 8032, section 5.1.6)."""

MAX_TAG_BYTES: Final = 255
"""The length of a tag is one byte."""

FIELD: Final = 2**255 - 19
"""The prime of the curve's field."""

_D: Final = -121665 * pow(121666, -1, FIELD) % FIELD
_SIGN: Final = 1 << 255

# y of the points of small order: (0, 1) of order 1, (0, -1) of order 2, two of order 4 with y = 0, and four of order 8,
# whose y solves d·y^4 + 2·y^2 - 1 = 0.
_EIGHTH: Final = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_SMALL_ORDER_Y: Final = frozenset({0, 1, FIELD - 1, _EIGHTH, FIELD - _EIGHTH})


class PublicIdentity:
    """A public key that is canonical, on the curve and not of small order. Equal and hashed by its 32 bytes."""

    __slots__ = ("_key", "encoded")

    encoded: bytes
    _key: Ed25519PublicKey

    def __new__(cls, *_: object) -> "PublicIdentity":
        raise TypeError("a public identity is made by PublicIdentity.decode")

    @staticmethod
    def decode(data: bytes) -> "PublicIdentity":
        """From 32 bytes; `CryptoDecodeError` if they are no canonical key, or one of small order."""
        if not is_a(data, bytes) or len(data) != KEY_BYTES:
            raise CryptoDecodeError(f"a public key is {KEY_BYTES} bytes")
        if not _is_strict(data):
            raise CryptoDecodeError("a public key is not canonical or has a small order")
        if not _is_on_curve(data):
            raise CryptoDecodeError("a public key is not a point of the curve")
        identity = object.__new__(PublicIdentity)
        object.__setattr__(identity, "encoded", data)
        object.__setattr__(identity, "_key", Ed25519PublicKey.from_public_bytes(data))
        return identity

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a public identity is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a public identity is immutable")

    def __eq__(self, other: object) -> bool:
        return self.encoded == other.encoded if isinstance(other, PublicIdentity) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.encoded)

    def __repr__(self) -> str:
        return f"PublicIdentity({self.encoded.hex()})"

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return PublicIdentity.decode, (self.encoded,)

    def accepts(self, message: bytes, signature: bytes) -> bool:
        """Whether `signature` is the key's over the bare `message`, by the rule of this module."""
        if not is_a(signature, bytes) or len(signature) != SIGNATURE_BYTES or not is_a(message, bytes):
            return False
        if not _is_strict(signature[:KEY_BYTES]) or int.from_bytes(signature[KEY_BYTES:], "little") >= L:
            return False
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


class Identity:
    """A private key. Its seed is 32 random bytes; nothing but `seed` ever shows it."""

    __slots__ = ("_key", "_seed", "public")

    def __init__(self, seed: bytes) -> None:
        """From a seed; `CryptoDecodeError` unless it is 32 bytes."""
        if not is_a(seed, bytes) or len(seed) != KEY_BYTES:
            raise CryptoDecodeError(f"the seed of an identity is {KEY_BYTES} bytes")
        self._seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = PublicIdentity.decode(self._key.public_key().public_bytes_raw())

    @staticmethod
    def generate(rng: Rng) -> "Identity":
        """A new identity from the random source."""
        return Identity(random_bytes(rng, KEY_BYTES))

    @property
    def seed(self) -> bytes:
        """The 32 secret bytes from which the identity can be made again."""
        return self._seed

    def sign(self, tag: bytes, message: bytes) -> bytes:
        """64 bytes over the tagged message; `ValueError` for a tag that is empty or longer than 255 bytes."""
        return self._key.sign(tagged(tag, message))

    def __repr__(self) -> str:
        return f"Identity(public={self.public.encoded.hex()})"


def verify(public: PublicIdentity, tag: bytes, message: bytes, signature: bytes) -> bool:
    """Whether `signature` is `public`'s over the tagged message, by the rule of this module. Never raises."""
    if not is_a(public, PublicIdentity) or not is_a(tag, bytes) or not is_a(message, bytes):
        return False
    if not 1 <= len(tag) <= MAX_TAG_BYTES:
        return False
    return public.accepts(tagged(tag, message), signature)


def tagged(tag: bytes, message: bytes) -> bytes:
    """What is really signed: length of the tag (1 byte), tag, message."""
    if not 1 <= len(tag) <= MAX_TAG_BYTES:
        raise ValueError(f"a signature's tag is 1 to {MAX_TAG_BYTES} bytes, not {len(tag)}")
    return len(tag).to_bytes(1, "big") + tag + message


def _is_strict(data: bytes) -> bool:
    """Whether 32 bytes have a canonical y that is not that of a small-order point; those with x = 0 are among these."""
    y = int.from_bytes(data, "little") & (_SIGN - 1)
    return y < FIELD and y not in _SMALL_ORDER_Y


def _is_on_curve(data: bytes) -> bool:
    """Whether a y has an x: x^2 = (y^2 - 1) / (d·y^2 + 1) is a square (RFC 8032, section 5.1.3). Not zero here."""
    y = int.from_bytes(data, "little") & (_SIGN - 1)
    # A quotient is a square exactly when the product is.
    return pow((y * y - 1) * (_D * y * y + 1), (FIELD - 1) // 2, FIELD) == 1

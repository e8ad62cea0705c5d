"""What the proofs have in common: (challenge, responses) as scalars, strict encoding, checks of field types."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.group import CryptoDecodeError, L, Point, Scalar, decode_scalar, encode_scalar
from p2pkaboo.crypto.sodium import ENCODED_BYTES

SCHNORR_BYTES: Final = 2 * ENCODED_BYTES
"""Length of a proof with one challenge and one response."""


def encode_scalars(scalars: Iterable[Scalar]) -> bytes:
    """The 32-byte encodings one after another."""
    return b"".join([encode_scalar(scalar) for scalar in scalars])


def decode_scalars(data: bytes) -> tuple[Scalar, ...]:
    """Scalars one after another, up to the last byte; `CryptoDecodeError` as for `decode_scalar`."""
    size = ENCODED_BYTES
    return tuple([decode_scalar(data[start : start + size]) for start in range(0, len(data), size)])


def require_scalars(owner: str, scalars: Iterable[Scalar]) -> None:
    """`CryptoDecodeError` unless all are integers in [0, L): a proof has one form only, also when built by hand."""
    for scalar in scalars:
        if not is_a(scalar, int) or not 0 <= scalar < L:
            raise CryptoDecodeError(f"a scalar of {owner} is not an integer below the group order")


def require_points(owner: str, points: Iterable[Point]) -> None:
    """`TypeError` unless all are points: then arithmetic on the fields of a statement cannot fail."""
    for point in points:
        if not is_a(point, Point):
            raise TypeError(f"{owner} holds {type(point).__name__} where a Point belongs")


def require_context(owner: str, context: Context) -> None:
    """`TypeError` unless it is a context."""
    if not is_a(context, Context):
        raise TypeError(f"{owner} holds {type(context).__name__} where a Context belongs")


@dataclass(frozen=True, slots=True)
class SchnorrProof:
    """Challenge and response of a Schnorr or Chaum-Pedersen proof; the commitments are recomputed when verifying."""

    challenge: Scalar
    response: Scalar

    def __post_init__(self) -> None:
        require_scalars("a Schnorr proof", (self.challenge, self.response))

    def encode(self) -> bytes:
        """64 bytes: challenge, response."""
        return encode_scalar(self.challenge) + encode_scalar(self.response)

    @staticmethod
    def decode(data: bytes) -> "SchnorrProof":
        """From 64 bytes; `CryptoDecodeError` for another length or a scalar that is not below the order."""
        if not is_a(data, bytes) or len(data) != SCHNORR_BYTES:
            raise CryptoDecodeError(f"a Schnorr proof is {SCHNORR_BYTES} bytes: challenge and response")
        return SchnorrProof(decode_scalar(data[:ENCODED_BYTES]), decode_scalar(data[ENCODED_BYTES:]))

"""The group operations of libsodium (through rbcl) on encoded points and scalars, made total.

Everything here works on 32-byte strings: points are canonical ristretto255 encodings (RFC 9496) that are known to be
valid, scalars are little-endian integers below the group order. `group.Point` is the safe face of this module; only
loops over whole decks use it directly, because an object for every intermediate point would cost more than a tenth of
the time. Callers reach the functions as attributes (`sodium.add`), so that `counting` can put counters in their place.

rbcl's own behaviour at the edges, and why it is wrapped: `scalarmult` raises for a zero scalar and for the identity,
add and sub return the identity for an invalid operand without a word, and `is_valid_point` accepts the identity.
The calls release the interpreter lock, so threads share the work of a shuffle.
"""

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import rbcl

ENCODED_BYTES: Final = 32
"""Length of an encoded point and of an encoded scalar (RFC 9496, sections 4.3.2 and 4.4)."""

IDENTITY_BYTES: Final = bytes(ENCODED_BYTES)
"""The encoding of the identity element, and of the scalar zero."""

_scalarmult: Callable[[bytes, bytes], bytes] = rbcl.crypto_scalarmult_ristretto255


def mul(scalar: bytes, point: bytes) -> bytes:
    """`scalar`·`point`, the identity included as operand and as result; `ValueError` if `point` is no group element."""
    try:
        return _scalarmult(scalar, point)
    except RuntimeError:
        # libsodium reports three things in one: zero scalar, identity, invalid point. The order is prime, so there
        # is no other way to reach the identity.
        if scalar == IDENTITY_BYTES or point == IDENTITY_BYTES:
            return IDENTITY_BYTES
        raise ValueError("scalar multiplication of bytes that are no ristretto255 element") from None


base: Callable[[bytes], bytes] = rbcl.crypto_scalarmult_ristretto255_base_allow_scalar_zero
"""scalar·G, the identity for zero."""

add: Callable[[bytes, bytes], bytes] = rbcl.crypto_core_ristretto255_add
"""Sum of two valid points; the identity is a valid operand."""

sub: Callable[[bytes, bytes], bytes] = rbcl.crypto_core_ristretto255_sub
"""Difference of two valid points; the identity is a valid operand."""

from_hash: Callable[[bytes], bytes] = rbcl.crypto_core_ristretto255_from_hash
"""The element derived from 64 uniform bytes (RFC 9496, section 4.3.4)."""

is_valid: Callable[[bytes], bool] = rbcl.crypto_core_ristretto255_is_valid_point
"""Whether 32 bytes are the canonical encoding of an element, the identity included."""


def _remove_unpacked_library() -> None:
    """Delete the copy of libsodium that rbcl unpacks into a temporary file, and forgets, each time it is imported.

    The library stays loaded without its file. Windows does not let go of the file; it stays there.
    """
    path = getattr(sys.modules.get("rbcl._sodium"), "lib_path", None)
    if isinstance(path, str):
        with contextlib.suppress(OSError):
            Path(path).unlink()


_remove_unpacked_library()

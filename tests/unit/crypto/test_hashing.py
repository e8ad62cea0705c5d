"""expand_message_xmd and hash-to-group against RFC 9380 and RFC 9497."""

import hashlib

import pytest
from vector_areas import published

from p2pkaboo.crypto.group import Point, decode_scalar, hash_to_group
from p2pkaboo.crypto.hashing import expand_message_xmd


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        *zip(published.EXPAND_MESSAGES, published.EXPAND_32, strict=True),
        *zip(published.EXPAND_MESSAGES, published.EXPAND_128, strict=True),
    ],
)
def test_expansion(message: bytes, expected: str) -> None:
    assert expand_message_xmd(message, published.EXPAND_TAG, len(expected) // 2).hex() == expected


@pytest.mark.parametrize(("message", "blinded"), published.OPRF)
def test_hash_to_group(message: str, blinded: str) -> None:
    point = hash_to_group(published.OPRF_TAG, bytes.fromhex(message))
    assert (point * decode_scalar(bytes.fromhex(published.OPRF_BLIND))).encoded.hex() == blinded
    assert Point.decode(point.encoded) == point


def test_long_tags_are_hashed_first() -> None:
    whole, cut = expand_message_xmd(b"m", b"t" * 256, 64), expand_message_xmd(b"m", b"t" * 255, 64)
    assert whole != cut
    # RFC 9380, section 5.3.3, by hand.
    short = hashlib.sha512(b"H2C-OVERSIZE-DST-" + b"t" * 256).digest()
    assert whole == expand_message_xmd(b"m", short, 64)


def test_tags_separate() -> None:
    assert hash_to_group(b"one", b"m") != hash_to_group(b"two", b"m")
    assert hash_to_group(b"one", b"m") != hash_to_group(b"onem", b"")


def test_limits() -> None:
    assert len(expand_message_xmd(b"m", b"t", 16320)) == 16320
    for length in (-1, 0, 16321):
        with pytest.raises(ValueError, match="16320"):
            expand_message_xmd(b"m", b"t", length)
    with pytest.raises(ValueError, match="empty"):
        expand_message_xmd(b"m", b"", 64)

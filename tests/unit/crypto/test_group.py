"""ristretto255 against the published vectors of RFC 9496, strict decoding, total arithmetic."""

import copy
import pickle
import sys
from pathlib import Path

import pytest
from vector_areas import published

from p2pkaboo.crypto import sodium
from p2pkaboo.crypto.group import (
    IDENTITY,
    CryptoDecodeError,
    G,
    L,
    Point,
    base_mul,
    decode_scalar,
    encode_scalar,
    random_scalar,
    sum_points,
)


def test_multiples_of_the_generator() -> None:
    running = IDENTITY
    for factor, encoding in enumerate(published.MULTIPLES):
        assert base_mul(factor).encoded.hex() == encoding
        assert (G * factor).encoded.hex() == encoding
        assert running.encoded.hex() == encoding
        running = running + G


@pytest.mark.parametrize("encoding", published.MULTIPLES[1:])
def test_decode_gives_the_same_bytes_back(encoding: str) -> None:
    assert Point.decode(bytes.fromhex(encoding)).encoded.hex() == encoding


@pytest.mark.parametrize("encoding", published.INVALID_POINTS)
def test_invalid_encodings_are_refused(encoding: str) -> None:
    with pytest.raises(CryptoDecodeError, match="canonical"):
        Point.decode(bytes.fromhex(encoding))


def test_the_identity_is_refused() -> None:
    with pytest.raises(CryptoDecodeError, match="identity"):
        Point.decode(IDENTITY.encoded)


@pytest.mark.parametrize(
    "data", [b"", G.encoded[:-1], G.encoded + b"\x00", G.encoded * 2, "text", None, 7, bytearray(32)]
)
def test_other_lengths_and_types_are_refused(data: bytes) -> None:
    with pytest.raises(CryptoDecodeError, match="32 bytes"):
        Point.decode(data)
    with pytest.raises(CryptoDecodeError, match="32 bytes"):
        decode_scalar(data)


@pytest.mark.parametrize(("uniform", "element"), published.DERIVED)
def test_derivation_from_uniform_bytes(uniform: str, element: str) -> None:
    assert sodium.from_hash(bytes.fromhex(uniform)).hex() == element


def test_arithmetic_is_total() -> None:
    point = base_mul(12345)
    assert point * 0 == IDENTITY
    assert point * L == IDENTITY
    assert base_mul(0) == base_mul(L) == IDENTITY
    assert IDENTITY * 5 == IDENTITY * 0 == IDENTITY
    assert point - point == point + -point == IDENTITY
    assert point + IDENTITY == IDENTITY + point == point - IDENTITY == point
    assert IDENTITY - point == -point == point * (L - 1)
    assert sum_points([]) == IDENTITY
    assert sum_points([point, G, -point]) == G
    assert 3 * G == G * 3 == base_mul(3)


def test_scalars_are_reduced_before_they_multiply() -> None:
    # libsodium would take a scalar of L or more and clear its highest bit.
    assert G * (L + 2) == base_mul(L + 2) == base_mul(2)
    assert base_mul(L - 1) == G * -1


def test_scalar_encoding() -> None:
    assert encode_scalar(1) == b"\x01" + bytes(31)
    assert decode_scalar(encode_scalar(L - 1)) == L - 1
    assert encode_scalar(-1) == encode_scalar(L - 1)
    for value in (L, L + 1, 2**255, 2**256 - 1):
        with pytest.raises(CryptoDecodeError, match="order"):
            decode_scalar(value.to_bytes(32, "little"))


def test_points_are_equal_and_hashed_by_their_encoding() -> None:
    assert {base_mul(2), G + G, Point.decode(base_mul(2).encoded)} == {base_mul(2)}
    assert base_mul(2) != base_mul(3)
    assert base_mul(2) != base_mul(2).encoded
    assert repr(G) == f"Point({published.MULTIPLES[1]})"


def test_points_are_immutable_and_cannot_be_made_up() -> None:
    point = base_mul(2)
    with pytest.raises(AttributeError):
        point.encoded = bytes(32)
    with pytest.raises(AttributeError):
        del point.encoded
    with pytest.raises(TypeError):
        Point(bytes(32))
    assert copy.deepcopy(point) == pickle.loads(pickle.dumps(point)) == point == base_mul(2)


def test_random_scalar_takes_64_bytes_and_reduces_them() -> None:
    asked: list[int] = []

    def source(count: int) -> bytes:
        asked.append(count)
        return b"\xff" * count

    assert random_scalar(source) == (2**512 - 1) % L
    assert asked == [64]


def test_a_broken_random_source_is_noticed() -> None:
    with pytest.raises(RuntimeError, match="zero"):
        random_scalar(bytes)
    with pytest.raises(RuntimeError, match="63 bytes instead of 64"):
        random_scalar(lambda count: b"\x01" * (count - 1))


def test_multiplying_no_group_element_is_an_error_not_the_identity() -> None:
    with pytest.raises(ValueError, match="no ristretto255 element"):
        sodium.mul(encode_scalar(2), b"\x01" + bytes(31))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps the file of a loaded library")
def test_no_copy_of_libsodium_is_left_behind() -> None:
    assert not Path(sys.modules["rbcl._sodium"].lib_path).exists()
    assert base_mul(1) == G

import math

import msgpack
import pytest

from p2pkaboo.wire.codec import DecodeError, Value, decode, encode
from p2pkaboo.wire.limits import MAX_DEPTH, MAX_FRAME, MAX_ITEMS, MAX_TEXT, MAX_VALUES


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (None, "c0"),
        (False, "c2"),
        (True, "c3"),
        (0, "00"),
        (127, "7f"),
        (128, "cc80"),
        (256, "cd0100"),
        (65536, "ce00010000"),
        (1 << 32, "cf0000000100000000"),
        ((1 << 64) - 1, "cfffffffffffffffff"),
        (-1, "ff"),
        (-32, "e0"),
        (-33, "d0df"),
        (-129, "d1ff7f"),
        (-(1 << 63), "d38000000000000000"),
        (b"", "c400"),
        (b"\x01", "c40101"),
        ("", "a0"),
        ("é", "a2c3a9"),
        ("a" * 32, "d920" + "61" * 32),
        ([], "90"),
        ([1, [b"", "x"]], "920192c400a178"),
        ([0] * 16, "dc0010" + "00" * 16),
    ],
)
def test_the_encoding_is_pinned(value: Value, data: str) -> None:
    assert encode(value).hex() == data
    assert decode(bytes.fromhex(data)) == value


@pytest.mark.parametrize(
    "data",
    [
        "cc00",  # 0 as uint8
        "cc7f",
        "d001",  # 1 as int8
        "cd00ff",
        "ce0000ffff",
        "cf00000000ffffffff",
        "d0ff",  # -1 as int8
        "d1ff80",
        "d2ffff8000",
        "d3ffffffff80000000",
        "d30000000000000001",
        "d90161",  # "a" as str8
        "da0001" + "61",
        "db00000001" + "61",
        "c5000101",  # one byte as bin16
        "c60000000101",
        "dc000101",  # [1] as array16
        "dd0000000101",
    ],
)
def test_a_longer_form_is_refused(data: str) -> None:
    with pytest.raises(DecodeError, match="not the canonical"):
        decode(bytes.fromhex(data))


@pytest.mark.parametrize(
    "data",
    [
        "ca3f800000",  # 1.0
        "cb3ff0000000000000",
        "cb7ff8000000000000",  # NaN
        "80",  # {}
        "810001",
        "de0000",
        "df00000000",
        "d40100",  # extension types
        "d6ff00000000",  # a timestamp
        "c70001",
        "c8000001",
        "91ca3f800000",
        "9180",
        "c1",  # never used
        "a1ff",  # no UTF-8
        "a2c080",  # an overlong zero
        "a3eda080",  # a surrogate
        "",
        "91",
        "c402ff",
        "0000",
        "c0c0",
    ],
)
def test_what_does_not_exist_on_the_wire_is_refused(data: str) -> None:
    with pytest.raises(DecodeError):
        decode(bytes.fromhex(data))


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        math.nan,
        {},
        {1: 2},
        {1},
        bytearray(1),
        memoryview(b""),
        object(),
        "\ud800",
        1 << 64,
        -(1 << 63) - 1,
        [[1.0]],
        (1, {}),
    ],
)
def test_what_could_not_be_decoded_is_not_encoded(value: object) -> None:
    with pytest.raises(DecodeError):
        encode(value)


def nested(depth: int) -> Value:
    value: Value = []
    for _ in range(depth - 1):
        value = [value]
    return value


def full(elements: int) -> Value:
    """Four arrays in one, with so many elements in all five together."""
    value: Value = [0] * (elements - 4 - 3 * MAX_ITEMS)
    return [[0] * MAX_ITEMS, [0] * MAX_ITEMS, [0] * MAX_ITEMS, value]


def empty(elements: int) -> Value:
    """Arrays of empty arrays, each of which counts twice: as an element, and as if it held one."""
    count = elements // 2 - 2
    return [[[]] * (count // 3), [[]] * (count // 3), [[]] * (count - count // 3 * 2), 0]


LIMITS: list[tuple[object, object]] = [
    (nested(MAX_DEPTH), nested(MAX_DEPTH + 1)),
    ([0] * MAX_ITEMS, [0] * (MAX_ITEMS + 1)),
    (full(MAX_VALUES), full(MAX_VALUES + 1)),
    (empty(MAX_VALUES), empty(MAX_VALUES + 2)),
    ("é" * MAX_TEXT, "é" * (MAX_TEXT + 1)),
    (bytes(MAX_FRAME - 5), bytes(MAX_FRAME - 4)),
]


@pytest.mark.parametrize(("fits", "too_much"), LIMITS)
def test_limits_from_both_sides(fits: object, too_much: object) -> None:
    assert decode(encode(fits)) == fits
    with pytest.raises(DecodeError):
        encode(too_much)
    with pytest.raises(DecodeError):
        decode(msgpack.packb(too_much))


def test_a_frame_has_a_largest_size() -> None:
    assert len(encode(bytes(MAX_FRAME - 5))) == MAX_FRAME
    with pytest.raises(DecodeError, match=f"longer than {MAX_FRAME} bytes"):
        decode(bytes(MAX_FRAME + 1))


@pytest.mark.parametrize(
    "data",
    [
        b"\x91" * 100_000,
        b"\xdc\x10\x00" * 80_000,
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc9\xff\xff\xff\xff\x00",
    ],
)
def test_bombs(data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode(data)


def test_tuples_are_arrays() -> None:
    assert encode((1, (2,))) == encode([1, [2]])

import msgpack
from hypothesis import given
from hypothesis import strategies as st

from p2pkaboo.wire.codec import DecodeError, decode, encode
from tests.property.wire.strategies import VALUES, damaged


def same(left: object, right: object) -> bool:
    """Equal, and of equal types all the way down: 1 is not True here."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


@given(VALUES)
def test_what_is_encoded_decodes_to_the_same(value: object) -> None:
    assert same(decode(encode(value)), value)


def decodes_to_itself_or_is_refused(data: bytes) -> None:
    try:
        value = decode(data)
    except DecodeError:
        return
    assert encode(value) == data


@given(st.binary(max_size=60))
def test_random_bytes(data: bytes) -> None:
    decodes_to_itself_or_is_refused(data)


@given(damaged(VALUES.map(encode)))
def test_damaged_bytes(data: bytes) -> None:
    decodes_to_itself_or_is_refused(data)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(ANYTHING)
def test_all_of_messagepack(value: object) -> None:
    """Whatever MessagePack itself can say: taken back unchanged, or refused."""
    decodes_to_itself_or_is_refused(msgpack.packb(value))


@given(VALUES, st.binary(min_size=1, max_size=5))
def test_nothing_may_follow(value: object, tail: bytes) -> None:
    try:
        decode(encode(value) + tail)
    except DecodeError:
        return
    raise AssertionError("trailing bytes were taken")

"""Canonical MessagePack: the one encoding of a value, and nothing else decodes.

Values are ``None``, ``bool``, ``int`` (64 bits), ``bytes``, ``str`` and arrays of values. Maps, floats and extension
types do not exist on the wire: field order is fixed by position, so equal messages have equal bytes and a signature
over the bytes is a signature over the meaning. (MessagePack specification, "Serialization": the shortest form of each
value is the only one allowed here.)
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import msgpack

from p2pkaboo.wire.limits import MAX_DEPTH, MAX_FRAME, MAX_ITEMS, MAX_TEXT, MAX_VALUES

Value: TypeAlias = "bool | int | bytes | str | list[Value] | None"

_INT_MIN: Final = -(1 << 63)
_INT_MAX: Final = (1 << 64) - 1

_SURELY_FEW: Final = MAX_VALUES // 2
"""Bytes that cannot hold more than MAX_VALUES elements: each takes one, and counts as two at most."""


class DecodeError(ValueError):
    """Bytes that are not the canonical encoding of what was expected; the text says what was wrong."""


def _check(value: object, depth: int) -> None:
    kind = type(value)
    if value is None or kind is bool:
        return
    if kind is int:
        if not _INT_MIN <= value <= _INT_MAX:  # type: ignore[operator]
            raise DecodeError("an integer beyond 64 bits")
    elif kind is bytes:
        if len(value) > MAX_FRAME:  # type: ignore[arg-type]
            raise DecodeError(f"a byte string longer than {MAX_FRAME} bytes")
    elif kind is str:
        if len(value) > MAX_TEXT:  # type: ignore[arg-type]
            raise DecodeError(f"a text longer than {MAX_TEXT} characters")
    elif kind is list or kind is tuple:
        if depth >= MAX_DEPTH:
            raise DecodeError(f"arrays nested deeper than {MAX_DEPTH}")
        if len(value) > MAX_ITEMS:  # type: ignore[arg-type]
            raise DecodeError(f"an array of more than {MAX_ITEMS} elements")
        for item in value:  # type: ignore[attr-defined]
            _check(item, depth + 1)
    else:
        raise DecodeError(f"a value of type {kind.__name__}, which does not exist on the wire")


def _counting() -> Callable[[list[Value]], list[Value]]:
    """Is handed every array of a message as it is complete, and raises DecodeError once they hold too much."""
    left = MAX_VALUES

    def count(items: list[Value]) -> list[Value]:
        nonlocal left
        left -= len(items) or 1
        if left < 0:
            raise DecodeError(f"arrays with more than {MAX_VALUES} elements together")
        return items

    return count


def _unpack(data: bytes) -> Value:
    try:
        value: Value = msgpack.unpackb(
            data,
            raw=False,
            use_list=True,
            list_hook=_counting() if len(data) > _SURELY_FEW else None,
            strict_map_key=True,
            max_map_len=0,
            max_ext_len=0,
            max_array_len=MAX_ITEMS,
        )
    except DecodeError:
        raise
    except Exception as error:  # msgpack raises a dozen kinds (also RecursionError-like ones) for malformed input
        raise DecodeError(f"not MessagePack as used here: {str(error)[:80]}") from None
    return value


def encode(value: object) -> bytes:
    """The canonical bytes of `value` (tuples count as arrays).

    Raises DecodeError when `value` could not be decoded again: nothing leaves that would be refused.
    """
    _check(value, 0)
    try:
        packed: bytes = msgpack.packb(value, use_bin_type=True)
    except (ValueError, OverflowError, TypeError) as error:
        raise DecodeError(f"not encodable: {error}") from None
    if len(packed) > MAX_FRAME:
        raise DecodeError(f"longer than {MAX_FRAME} bytes")
    if len(packed) > _SURELY_FEW:
        _unpack(packed)
    return packed


def decode(data: bytes) -> Value:
    """The value of canonical `data`. Raises DecodeError for anything else, and nothing but DecodeError."""
    if len(data) > MAX_FRAME:
        raise DecodeError(f"longer than {MAX_FRAME} bytes")
    value = _unpack(data)
    _check(value, 0)
    if msgpack.packb(value, use_bin_type=True) != data:
        raise DecodeError("not the canonical (shortest) encoding")
    return value

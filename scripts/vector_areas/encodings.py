"""Vectors of the encoding of values: each form at its bounds, and every other form of the same value."""

from collections.abc import Iterator
from typing import Any, Final

from p2pkaboo.wire.codec import DecodeError, Value, decode, encode
from p2pkaboo.wire.limits import MAX_DEPTH, MAX_FRAME, MAX_ITEMS, MAX_TEXT
from vector_areas.form import EXACT, Area, Vector, bad, good, require

CODE: Final = "bad-record"
"""What bytes that do not decode are in a transcript."""


def shown(value: Value) -> Any:
    """A value so that its type can be seen: a byte string is {"bytes": …}, an integer beyond 2^53 {"int": …}."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, list):
        return [shown(item) for item in value]
    return {"int": str(value)} if type(value) is int and abs(value) > EXACT else value


BOUNDS: Final = (
    *(0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53, 2**53 + 1, 2**63, 2**64 - 1),
    *(-1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**53) - 1, -(2**63)),
)
"""Integers at the ends of every form."""

OTHERS: Final[tuple[tuple[str, str, Value], ...]] = (
    ("nil", "nil", None),
    ("false", "false", False),
    ("true", "true", True),
    ("bytes-0", "no byte", b""),
    ("bytes-1", "one byte", b"\x2a"),
    ("bytes-255", "the most bytes with a length of one byte", bytes(255)),
    ("bytes-256", "the fewest bytes with a length of two", bytes(256)),
    ("text-0", "the empty text", ""),
    ("text-ascii", "a word", "stock"),
    ("text-not-ascii", "two, three and four bytes a code point", "é ♠ 🂡"),
    ("text-not-composed", "an e and an accent: nothing is normalised", "e\u0301"),
    ("text-31", "the longest text with its length in the first byte", "k" * 31),
    ("text-32", "the shortest text with a length byte", "k" * 32),
    ("text-256", "the shortest text with a length of two bytes", "k" * 256),
    ("text-512-points", "as many code points as there may be, two bytes each", "ö" * MAX_TEXT),
    ("array-0", "no element", []),
    ("array-mixed", "an element of each kind", [None, True, 7, -7, b"\x07", "7", []]),
    ("array-15", "the most elements with their number in the first byte", list(range(15))),
    ("array-16", "the fewest elements with their number in two bytes", list(range(16))),
    ("array-deepest", "as deep as arrays may nest", [[[[[[]]]]]]),
)

LONGER: Final = (
    ("int-0-in-2-bytes", "0 in two bytes", "cc00"),
    ("int-127-in-2-bytes", "127 in two bytes", "cc7f"),
    ("int-1-signed", "1 as a signed integer", "d001"),
    ("int-128-signed", "128 as a signed integer of two bytes", "d10080"),
    ("int-255-in-3-bytes", "255 in three bytes", "cd00ff"),
    ("int-65535-in-5-bytes", "65535 in five bytes", "ce0000ffff"),
    ("int-2-32-less-1-in-9-bytes", "2^32 − 1 in nine bytes", "cf00000000ffffffff"),
    ("int-minus-1-in-2-bytes", "−1 in two bytes", "d0ff"),
    ("int-minus-128-in-3-bytes", "−128 in three bytes", "d1ff80"),
    ("int-minus-32768-in-5-bytes", "−32768 in five bytes", "d2ffff8000"),
    ("int-minus-2-31-in-9-bytes", "−2^31 in nine bytes", "d3ffffffff80000000"),
    ("text-1-with-length-byte", "a text of one byte with a length byte", "d90161"),
    ("text-1-with-2-length-bytes", "a text of one byte with two length bytes", "da000161"),
    ("text-1-with-4-length-bytes", "a text of one byte with four length bytes", "db0000000161"),
    ("bytes-1-with-2-length-bytes", "one byte with two length bytes", "c5000101"),
    ("bytes-1-with-4-length-bytes", "one byte with four length bytes", "c60000000101"),
    ("array-1-with-2-count-bytes", "an array of one element with two count bytes", "dc000101"),
    ("array-1-with-4-count-bytes", "an array of one element with four count bytes", "dd0000000101"),
)

NONE_AT_ALL: Final = (
    ("nothing", "no byte", ""),
    ("float-32", "a floating-point number", "ca3f800000"),
    ("float-64", "a floating-point number of eight bytes", "cb3ff0000000000000"),
    ("map-0", "an empty map", "80"),
    ("map-1", "a map", "810001"),
    ("extension", "an extension type", "d40100"),
    ("time-stamp", "the extension type of a time", "d6ff00000000"),
    ("never-used", "the first byte that means nothing", "c1"),
    ("trailing-byte", "a byte after the value", "0000"),
    ("trailing-value-in-array", "two elements in an array of one", "910101"),
    ("array-cut", "one element in an array of two", "9201"),
    ("bytes-cut", "one byte of two", "c40201"),
    ("int-cut", "one byte of two", "cd01"),
    ("text-cut", "one byte of two", "a261"),
    ("text-surrogate", "a surrogate in UTF-8", "a3eda080"),
    ("text-overlong", "a slash in two bytes of UTF-8", "a2c0af"),
    ("text-no-utf-8", "a byte that UTF-8 never has", "a1ff"),
    ("text-beyond-unicode", "a code point beyond U+10FFFF", "a4f4908080"),
)

BEYOND: Final = (
    ("array-too-deep", f"arrays nested {MAX_DEPTH + 1} deep (MAX_DEPTH)", "91" * MAX_DEPTH + "90"),
    ("text-too-long", "a text of 513 code points (MAX_TEXT)", f"da{MAX_TEXT + 1:04x}" + "6b" * (MAX_TEXT + 1)),
    ("array-too-long", "an array of 4097 elements (MAX_ITEMS)", f"dc{MAX_ITEMS + 1:04x}" + "c0" * (MAX_ITEMS + 1)),
)


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    values = [(f"int-{number}".replace("--", "-minus-"), f"the integer {number}", number) for number in BOUNDS]
    for name, about, value in [*values, *OTHERS]:
        data = encode(value)
        require(decode(data) == value, f"encoding {name} does not decode to its value")
        yield good(name, about, {"bytes": data}, {"value": shown(value)})
    for name, about, text in [*LONGER, *NONE_AT_ALL, *BEYOND]:
        try:
            decode(bytes.fromhex(text))
        except DecodeError:
            yield bad(name, about, CODE, {"bytes": text})
        else:
            require(False, f"encoding {name} decodes")


def area() -> Area:
    """The file of vectors."""
    return Area(
        "encoding",
        "01-encoding.md#1-values",
        'Values as bytes. In `value` a byte string is {"bytes": hexadecimal}, an integer beyond 2^53 {"int": decimal '
        f"text}}, so that types show. Without a vector for its size: an encoding of more than {MAX_FRAME} bytes.",
        tuple(vectors()),
    )

import unicodedata

import pytest

from p2pkaboo.wire.limits import MAX_NAME
from p2pkaboo.wire.names import check_name


@pytest.mark.parametrize("name", ["A", "Ada L.", "Åse ☂", "محمد", "می‌خواهم", "👩‍🚀", "-", "x" * MAX_NAME])
def test_names(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "1 to 40 characters, this one 0"),
        ("x" * (MAX_NAME + 1), "1 to 40 characters, this one 41"),
        (" a", "space"),
        ("a ", "space"),
        (" ", "space"),
        ("a\nb", r"no control character \(U\+000A\)"),
        ("\x1b[31m", r"no control character \(U\+001B\)"),
        ("a\x9bb", r"no control character \(U\+009B\)"),
        ("a\u202eb", r"no direction mark \(U\+202E\)"),
        ("a\u2066b", r"no direction mark \(U\+2066\)"),
        ("a\u2028b", r"no line separator \(U\+2028\)"),
        ("\ufeffa", r"no byte order mark \(U\+FEFF\)"),
    ],
)
def test_what_is_no_name(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_name(name)


@pytest.mark.parametrize(
    "around",
    [
        ["a\x00a", "a\x1fa", "a a", "a~a", "a\x7fa", "a\x9fa", "a\xa0a"],
        ["a\u061ba", "a\u061ca", "a\u061da", "a\u200da", "a\u200ea", "a\u200fa", "a\u2010a"],
        ["a\u2027a", "a\u2028a", "a\u202ea", "a\u202fa", "a\u2065a", "a\u2066a", "a\u2069a", "a\u206aa"],
        ["a\ufefea", "a\ufeffa", "a\uff00a"],
    ],
)
def test_the_list_begins_and_ends_where_the_specification_says(around: list[str]) -> None:
    """01-encoding.md: two programs that differ in one code point differ in whom they seat."""
    listed = [(0x00, 0x1F), (0x7F, 0x9F), (0x061C, 0x061C), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069)]
    listed.append((0xFEFF, 0xFEFF))
    for name in around:
        if any(first <= ord(name[1]) <= last for first, last in listed):
            with pytest.raises(ValueError, match="a name holds no"):
                check_name(name)
        else:
            check_name(name)


def test_everything_that_steers_direction_or_lines_is_in_the_list() -> None:
    """Python's Unicode knows which characters these are; the list must not have forgotten any."""
    steering = {"BN", "B", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for code in range(0x3000):
        letter = chr(code)
        if unicodedata.category(letter) in ("Cc", "Zl", "Zp") or unicodedata.bidirectional(letter) in steering - {"BN"}:
            with pytest.raises(ValueError, match="a name"):
                check_name(f"a{letter}b")

import unicodedata

import pytest

from p2pkaboo.wire.limits import MAX_NAME
from p2pkaboo.wire.names import check_name
from verifier import messages as second


@pytest.mark.parametrize(
    "name", ["A", "Ada L.", "A\xa0B", "☂\ufe0f", "Åse ☂", "محمد", "می‌خواهم", "👩‍🚀", "-", "x" * MAX_NAME]
)
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
        ("\u3000a", r"a space \(U\+3000\)"),
        ("a\xa0", r"a space \(U\+00A0\)"),
        ("\u200d", r"a joiner \(U\+200D\)"),
        ("a\u200c", r"a joiner \(U\+200C\)"),
        ("\ufe0f", r"variation selector \(U\+FE0F\)"),
        ("\u200b", r"no invisible character \(U\+200B\)"),
        ("a\u2060", r"no invisible character \(U\+2060\)"),
        ("\u3164", r"no invisible character \(U\+3164\)"),
        ("a\U000e0041", r"no invisible character \(U\+E0041\)"),
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


LISTED = """0000–001F, 007F–009F, 00AD, 034F, 061C, 115F–1160, 17B4–17B5, 180B–180F, 200B, 200E–200F, 2028–202E,
2060–206F, 2800, 3164, FEFF, FFA0, FFF0–FFFB, 1BCA0–1BCA3, 1D173–1D17A, E0000–E0FFF"""
EDGES = "0020, 00A0, 1680, 2000–200A, 200C–200D, 202F, 205F, 3000"


def codes(ranges: str) -> set[int]:
    """The code points of ranges as the specification writes them."""
    ends = [part.split("–") for part in ranges.replace("\n", " ").split(", ")]
    return {code for end in ends for code in range(int(end[0], 16), int(end[-1], 16) + 1)}


INSIDE, AT_THE_ENDS, FIRST = codes(LISTED), codes(EDGES), codes("FE00–FE0F")
NEAR = sorted({code + step for code in INSIDE | AT_THE_ENDS | FIRST for step in (-1, 0, 1)} - {-1} | set(range(0x3100)))
"""Every code point that stands in a list, its neighbours, and those of most scripts."""


def is_name(name: str) -> bool:
    try:
        check_name(name)
    except ValueError:
        return False
    return True


def test_the_lists_are_those_of_the_specification() -> None:
    """01-encoding.md: two programs that differ in one code point differ in whom they seat."""
    for code in NEAR:
        letter = chr(code)
        assert is_name(f"a{letter}b") == (code not in INSIDE), hex(code)
        assert is_name(f"a{letter}") == (code not in INSIDE | AT_THE_ENDS), hex(code)
        assert is_name(f"{letter}a") == (code not in INSIDE | AT_THE_ENDS | FIRST), hex(code)


def test_the_second_verifier_has_the_same_lists() -> None:
    for name in [name for code in NEAR for name in (f"a{chr(code)}b", f"a{chr(code)}", f"{chr(code)}a")]:
        assert second.is_name(name) == is_name(name), ascii(name)


def test_everything_that_steers_direction_or_lines_is_in_the_list() -> None:
    """Python's Unicode knows which characters these are; the list must not have forgotten any."""
    steering = {"BN", "B", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for code in range(0x3000):
        letter = chr(code)
        if unicodedata.category(letter) in ("Cc", "Zl", "Zp") or unicodedata.bidirectional(letter) in steering - {"BN"}:
            with pytest.raises(ValueError, match="a name"):
                check_name(f"a{letter}b")

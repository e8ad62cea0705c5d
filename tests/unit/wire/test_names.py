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


def test_everything_that_steers_direction_or_lines_is_in_the_list() -> None:
    """Python's Unicode knows which characters these are; the list must not have forgotten any."""
    steering = {"BN", "B", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for code in range(0x3000):
        letter = chr(code)
        if unicodedata.category(letter) in ("Cc", "Zl", "Zp") or unicodedata.bidirectional(letter) in steering - {"BN"}:
            with pytest.raises(ValueError, match="a name"):
                check_name(f"a{letter}b")

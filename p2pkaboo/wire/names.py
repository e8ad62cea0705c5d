"""Names that players give themselves and that others' screens show: nothing in them may steer a terminal or a line,
and none may be invisible."""

from typing import Final

from p2pkaboo.wire.limits import MAX_NAME

_RANGES: Final = (
    (0x00, 0x1F, "a control character"),
    (0x7F, 0x9F, "a control character"),
    (0xAD, 0xAD, "an invisible character"),
    (0x034F, 0x034F, "an invisible character"),
    (0x061C, 0x061C, "a direction mark"),
    (0x115F, 0x1160, "an invisible character"),
    (0x17B4, 0x17B5, "an invisible character"),
    (0x180B, 0x180F, "an invisible character"),
    (0x200B, 0x200B, "an invisible character"),
    (0x200E, 0x200F, "a direction mark"),
    (0x2028, 0x2029, "a line separator"),
    (0x202A, 0x202E, "a direction mark"),
    (0x2060, 0x2065, "an invisible character"),
    (0x2066, 0x2069, "a direction mark"),
    (0x206A, 0x206F, "an invisible character"),
    (0x2800, 0x2800, "an invisible character"),
    (0x3164, 0x3164, "an invisible character"),
    (0xFEFF, 0xFEFF, "a byte order mark"),
    (0xFFA0, 0xFFA0, "an invisible character"),
    (0xFFF0, 0xFFFB, "an invisible character"),
    (0x1BCA0, 0x1BCA3, "an invisible character"),
    (0x1D173, 0x1D17A, "an invisible character"),
    (0xE0000, 0xE0FFF, "an invisible character"),
)
"""What no name may hold: it would steer a terminal or a line, or make two names look the same. A fixed list and not
Python's `isprintable`: that changes with the version of Unicode, and then one peer would refuse a newcomer whom another
seats."""

_SPACES: Final = ((0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x202F, 0x202F), (0x205F, 0x205F))
_EDGES: Final = (*_SPACES, (0x200C, 0x200D), (0x3000, 0x3000))
"""What no name may begin or end with: spaces, and the two joiners, needed between letters or pictures only."""

_SELECTORS: Final = (0xFE00, 0xFE0F)
"""What no name may begin with: these choose how the character before them looks."""


def check_name(name: str) -> None:
    """Raises ValueError, saying why, unless `name` is 1 to MAX_NAME code points that a screen can show in one line."""
    if not 1 <= len(name) <= MAX_NAME:
        raise ValueError(f"a name has 1 to {MAX_NAME} characters, this one {len(name)}")
    for edge in (ord(name[0]), ord(name[-1])):
        if any(first <= edge <= last for first, last in _EDGES):
            what = "a joiner" if 0x200C <= edge <= 0x200D else "a space"
            raise ValueError(f"a name neither begins nor ends with {what} (U+{edge:04X})")
    if _SELECTORS[0] <= ord(name[0]) <= _SELECTORS[1]:
        raise ValueError(f"a name does not begin with a variation selector (U+{ord(name[0]):04X})")
    for letter in name:
        for first, last, what in _RANGES:
            if first <= ord(letter) <= last:
                raise ValueError(f"a name holds no {what.split(' ', 1)[1]} (U+{ord(letter):04X})")

"""Names that players give themselves and that others' screens show: nothing in them may steer a terminal or a line."""

from typing import Final

from p2pkaboo.wire.limits import MAX_NAME

_RANGES: Final = (
    (0x00, 0x1F, "a control character"),
    (0x7F, 0x9F, "a control character"),
    (0x061C, 0x061C, "a direction mark"),
    (0x200E, 0x200F, "a direction mark"),
    (0x2028, 0x2029, "a line separator"),
    (0x202A, 0x202E, "a direction mark"),
    (0x2066, 0x2069, "a direction mark"),
    (0xFEFF, 0xFEFF, "a byte order mark"),
)
"""What no name may hold. A fixed list and not Python's `isprintable`: that changes with the version of Unicode, and
then one peer would refuse a newcomer whom another seats."""


def check_name(name: str) -> None:
    """Raises ValueError, saying why, unless `name` is 1 to MAX_NAME code points that a screen can show in one line."""
    if not 1 <= len(name) <= MAX_NAME:
        raise ValueError(f"a name has 1 to {MAX_NAME} characters, this one {len(name)}")
    if name != name.strip(" "):
        raise ValueError("a name neither begins nor ends with a space")
    for letter in name:
        for first, last, what in _RANGES:
            if first <= ord(letter) <= last:
                raise ValueError(f"a name holds no {what.split(' ', 1)[1]} (U+{ord(letter):04X})")

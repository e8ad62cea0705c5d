"""Invites as QR codes, for a phone held to the screen.

The code holds the text form in upper case: QR's alphanumeric mode then packs it into two thirds of the squares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pkaboo.net.invite import Invite

if TYPE_CHECKING:
    import segno

__all__ = ["qr_rows", "qr_text"]

# One character shows two rows. Its upper half is the foreground, its lower half the background colour.
_HALVES = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
_PAPER = "\x1b[38;5;231;48;5;16m"
_RESET = "\x1b[0m"


def _code(invite: Invite) -> segno.QRCode:
    import segno  # here, because a start without an invite needs none of it

    # Least error correction: a screen has no stains, and fewer squares are read from further away.
    return segno.make_qr(invite.encode().upper(), error="l", boost_error=False)


def qr_rows(invite: Invite) -> tuple[str, ...]:
    """The squares row by row, "1" dark and "0" light, without a border: for screens that draw them."""
    return tuple("".join("1" if square else "0" for square in row) for row in _code(invite).matrix_iter(border=0))


def qr_text(invite: Invite, *, colour: bool = True) -> str:
    """The code for a terminal, in half blocks, two rows a line; with a quiet border of two squares.

    `colour` False leaves the terminal's own colours, for those that know no escape sequences: readable if light on
    dark.
    """
    rows = [list(row) for row in _code(invite).matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    lines = [
        "".join(_HALVES[int(bool(upper)), int(bool(lower))] for upper, lower in zip(rows[y], rows[y + 1], strict=True))
        for y in range(0, len(rows), 2)
    ]
    return "\n".join(f"{_PAPER}{line}{_RESET}" if colour else line for line in lines)

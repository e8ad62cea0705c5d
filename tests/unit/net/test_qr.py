import re

import segno

from p2pkaboo.net.invite import Contact, Invite
from p2pkaboo.net.qr import qr_rows, qr_text

INVITE = Invite(2**31, bytes(16), (Contact(bytes(32), (("192.168.1.20", 27620),)),))
EXPECTED = segno.make_qr(INVITE.encode().upper(), error="l", boost_error=False)
SQUARES = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


def squares(text: str) -> list[list[int]]:
    rows: list[list[int]] = []
    for line in text.splitlines():
        rows.append([SQUARES[letter][0] for letter in line])
        rows.append([SQUARES[letter][1] for letter in line])
    return rows


def test_terminal_squares_are_those_of_the_code() -> None:
    rows = squares(qr_text(INVITE, colour=False))
    expected = [[int(bool(square)) for square in row] for row in EXPECTED.matrix_iter(border=2)]
    assert rows[: len(expected)] == expected
    assert all(square == 0 for row in rows[len(expected) :] for square in row)
    assert EXPECTED.mode == "alphanumeric"


def test_colours_are_set_and_reset_on_each_line() -> None:
    plain, coloured = qr_text(INVITE, colour=False).splitlines(), qr_text(INVITE).splitlines()
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured] == plain
    assert all(line.startswith("\x1b[") and line.endswith("\x1b[0m") for line in coloured)


def test_rows_are_those_of_the_code_without_a_border() -> None:
    assert [[int(square) for square in row] for row in qr_rows(INVITE)] == [
        [int(bool(square)) for square in row] for row in EXPECTED.matrix_iter(border=0)
    ]

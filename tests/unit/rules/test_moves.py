"""Moves on the wire: every kind there and back, everything else refused."""

from typing import Any

import pytest

from p2pkaboo.rules.moves import (
    NAMES,
    Call,
    Discard,
    Draw,
    Exchange,
    Give,
    Move,
    MoveError,
    Pass,
    Peek,
    PeekInitial,
    Skip,
    Snap,
    Spy,
    Swap,
    Take,
    from_plain,
    to_plain,
)

EVERY: tuple[Move, ...] = (
    PeekInitial(0, ((1, 0), (1, 3))),
    Draw(1),
    Take(2),
    Exchange(3, ((1, 0), (2, 5)), (2, 5), "left"),
    Exchange(3, ((1, 0),)),
    Discard(4),
    Peek(5, (1, 7), "peek"),
    Peek(5, (1, 7)),
    Spy(6, (3, 0), "look-two-swap"),
    Swap(7, (1, 1), (1, 2), None),
    Skip(0),
    Snap(1, (1, 1)),
    Give(2, (1, 1)),
    Give(2, None),
    Call(3),
    Pass(4),
)


@pytest.mark.parametrize("move", EVERY, ids=str)
def test_there_and_back(move: Move) -> None:
    plain = to_plain(move)
    assert from_plain(plain) == move
    assert from_plain(tuple(plain)) == move


def test_every_kind_is_among_them() -> None:
    assert {type(move) for move in EVERY} == set(NAMES)


@pytest.mark.parametrize(
    "plain",
    [
        None,
        "draw",
        [],
        ["draw"],
        ["fly", 1],
        [1, 1],
        ["draw", -1],
        ["draw", 8],
        ["draw", True],
        ["draw", 1, 1],
        ["snap", 1],
        ["snap", 1, [1]],
        ["snap", 1, [1, 2, 3]],
        ["snap", 1, [1, -2]],
        ["snap", 1, [1, 2.0]],
        ["snap", 1, [True, 2]],
        ["snap", 1, [1, 1 << 16]],
        ["snap", 1, None],
        ["peek", 1, [1, 1], "fly"],
        ["peek", 1, [1, 1], 3],
        ["exchange", 1, [[1, 1]], None, "up"],
        ["exchange", 1, [1, 1], None, None],
        ["exchange", 1, [[1, 1]] * 65, None, None],
        ["exchange", 1, "ab", None, None],
        ["peek_initial", 1, {}],
    ],
    ids=repr,
)
def test_anything_else_is_refused_with_the_one_error(plain: Any) -> None:
    with pytest.raises(MoveError):
        from_plain(plain)

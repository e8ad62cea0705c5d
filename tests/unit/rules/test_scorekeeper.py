"""The scorekeeper of the Kabbu text."""

from typing import Any

import pytest

from p2pkaboo.rules.scorekeeper import MAX_ROUNDS, ScoreError, Scorekeeper, from_plain, new_game


def test_a_game_from_the_first_name_to_an_undo() -> None:
    game = new_game(["Ann", " Ben ", "Cy"])
    assert (game.names, game.round_no, game.leaders, game.totals) == (("Ann", "Ben", "Cy"), 1, (), (0, 0, 0))
    game = game.add([5, -1, 30]).add([0, 6, -20])
    assert (game.round_no, game.totals, game.leaders) == (3, (5, 5, 10), (0, 1))
    assert game.recent() == ((2, (0, 6, -20)), (1, (5, -1, 30)))
    assert game.recent(1) == ((2, (0, 6, -20)),)
    assert game.undo().totals == (5, -1, 30)
    assert game.undo().leaders == (1,)


def test_nothing_to_take_back() -> None:
    with pytest.raises(ScoreError, match="no round"):
        new_game(["Ann", "Ben"]).undo()


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Ann"], "1 players, expected 2 to 8"),
        (list("abcdefghi"), "9 players"),
        (["Ann", "  "], "every player needs a name"),
        (["Ann", "x" * 25], "every player needs a name"),
        (["Ann", "B\n"], "two|every"),
        (["Ann", "Ann"], "two players are called Ann"),
        (["Ann", 3], "every player needs a name"),
    ],
)
def test_names(names: list[Any], said: str) -> None:
    if said == "two|every":
        assert new_game(names).names == ("Ann", "B")  # a line break at the end of what was typed is no part of a name
        return
    with pytest.raises(ScoreError, match=said):
        new_game(names)


@pytest.mark.parametrize("points", [[1], [1, 2, 3], [1, 1000], [1, -1000], [1, 1.5], [1, True], [1, "2"]])
def test_points(points: list[Any]) -> None:
    with pytest.raises(ScoreError):
        new_game(["Ann", "Ben"]).add(points)


def test_saved_and_read_again() -> None:
    game = new_game(["Ann", "Ben"]).add([3, -4])
    assert from_plain(game.to_plain()) == game


@pytest.mark.parametrize(
    "plain",
    [
        None,
        {},
        {"names": ["A", "B"]},
        {"names": ["A", "B"], "rounds": [], "x": 1},
        {"names": "AB", "rounds": []},
        {"names": ["A", "B"], "rounds": {}},
        {"names": ["A", "B"], "rounds": [[1]]},
        {"names": ["A", "B"], "rounds": ["12"]},
        {"names": ["A", "B"], "rounds": [["\x1b[31m", 1]]},
        {"names": ["A", "B"], "rounds": [["x" * 5_000, 1]]},
        {"names": ["A", None], "rounds": []},
    ],
)
def test_a_damaged_file_is_refused(plain: Any) -> None:
    with pytest.raises(ScoreError) as caught:
        from_plain(plain)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_a_game_has_an_end() -> None:
    full = Scorekeeper(("A", "B"), ((1, 2),) * MAX_ROUNDS)
    with pytest.raises(ScoreError, match="at most"):
        full.add([1, 2])

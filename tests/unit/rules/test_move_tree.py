"""Known sizes of the move tree for tiny decks, counted by hand or by a recursion that knows nothing of the engine."""

from collections.abc import Iterator

import pytest

from p2pkaboo.rules import engine, moves
from p2pkaboo.rules.outcome import Played
from p2pkaboo.rules.scenario import Replay, read_scenario
from p2pkaboo.rules.state import Handle, State
from tests.unit.rules.tables import document


def tree(rules: str, *hands: str, up: str = "", stock: str, **overrides: object) -> tuple[State, dict[Handle, str]]:
    """A tiny round without first looks."""
    more = {key.replace("__", "."): value for key, value in overrides.items()} | {"deal.cards": len(hands[0].split())}
    raw = document(rules, *hands, up=up, stock=stock, overrides={"peek.count": 0, **more})
    replay = Replay(read_scenario(raw))
    return replay.state, replay.faces


def everybodys(state: State, faces: dict[Handle, str]) -> Iterator[moves.Move]:
    """Every legal move of every seat, what is in the drawn card being known."""
    for seat in range(state.seats):
        yield from engine.moves(state, seat, faces)


def paths(state: State, faces: dict[Handle, str], depth: int) -> int:
    """How many sequences of `depth` legal moves there are; none of them needs a reshuffle."""
    if depth == 0:
        return 1
    total = 0
    for move in everybodys(state, faces):
        outcome = engine.play(state, move, faces)
        assert isinstance(outcome, Played)
        total += paths(outcome.state, faces, depth - 1)
    return total


def plain_turns(depth: int) -> int:
    """Two seats with one card each, no snaps, no powers: a turn is draw (exchange or discard), take (exchange) or call,
    after which the other seat has one last turn of the same kind without the call."""
    if depth == 0:
        return 1
    last = {1: 2, 2: 3}.get(depth - 1, 0) if depth > 1 else 1
    through_draw_and_take = 2 if depth == 1 else 3 * plain_turns(depth - 2)
    return through_draw_and_take + last


@pytest.mark.parametrize("depth", range(1, 7))
def test_plain_turns(depth: int) -> None:
    state, faces = tree("sheffield", "2H", "3H", up="4H", stock="5H 6H 5D 6D", snap="off")
    assert paths(state, faces, depth) == plain_turns(depth)
    assert [plain_turns(n) for n in range(1, 6)] == [3, 5, 12, 15, 36]


def test_snaps_and_gifts() -> None:
    """Depth 1: draw, take, call, and each seat may snap either card. Depth 2: after the draw 2 + 4 snaps; after the
    take one exchange; after the call B draws, takes or snaps its own; A without cards calls; after B's own snap 3;
    gifts 2 + 2.
    """
    state, faces = tree("sheffield", "2H", "2D", up="2S", stock="5H 6H 5D 6D", snap__wrong_cards=0)
    assert paths(state, faces, 1) == 7
    assert paths(state, faces, 2) == 6 + 1 + 3 + 1 + 3 + 2 + 2


def test_kabbu_turns() -> None:
    """Draw or call; a seven has one card to look at, then is discarded; then B draws or calls, or one of four snaps."""
    state, faces = tree("kabbu", "2H", "3H", stock="7S 8S 9S")
    assert [paths(state, faces, depth) for depth in range(1, 5)] == [2, 1, 1, 2 + 4]


def test_queen_of_kabbu() -> None:
    """Two own and two others' cards: look at one of four, then at one of the other pair, swap, discard."""
    state, faces = tree("kabbu", "2H 3H", "4H 5H", stock="QS 8S 9S")
    assert [paths(state, faces, depth) for depth in range(1, 6)] == [2, 4, 8, 8, 8]


def test_exchanges_of_several() -> None:
    """Three cards in hand: singles 3; pairs 3, each of two `into`; all three, each of three; both ends; the discard."""
    state, faces = tree("cabo-online", "5H 5D 9H", "2H 3H 4H", up="6H", stock="AS KC 9S")
    assert paths(state, faces, 1) == 3
    drawn = engine.play(state, moves.Draw(0), faces)
    assert isinstance(drawn, Played)
    assert paths(drawn.state, faces, 1) == 3 + 2 * (3 * 2 + 3) + 1


def test_blind_swaps() -> None:
    """A jack that is discarded: 2 own cards times 4 of the others, or skip."""
    state, faces = tree("cabo-standard", "2H 3H", "4H 5H", "6H 7H", up="8H", stock="JS 9S TS")
    for move in (moves.Draw(0), moves.Discard(0)):
        outcome = engine.play(state, move, faces)
        assert isinstance(outcome, Played)
        state = outcome.state
    assert paths(state, faces, 1) == 2 * 4 + 1

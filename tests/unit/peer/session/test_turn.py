"""Decisions against the moment they were made on: what no longer means the same is refused."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from p2pkaboo.peer import api
from p2pkaboo.peer.session.choices import Asking, Options
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.peer.session.turn import Turns
from p2pkaboo.rules.engine import expose, start, turn_moves
from p2pkaboo.rules.ruleset import load_preset
from p2pkaboo.rules.state import State

TABLE = api.Table(
    name="Kitchen", rules="", preset="sheffield", changes=0, you=0, round=1, phase="turn", seats=(), dealer=1
)


def dealt() -> State:
    handles = tuple((1, at) for at in range(54))
    state = start(load_preset("sheffield"), 2, 1, handles)
    return replace(expose(state, {state.pile[-1]: "9C"}), initial=frozenset())


def options(state: State, kind: str = "turn") -> Options:
    return Options(0, Asking(kind, state, turn_moves(state)), (), state)


def stale(turns: Turns, number: int) -> bool:
    try:
        turns.check(api.Draw(snapshot=number))
    except Refusal as refusal:
        return refusal.say.key == "error.stale"
    return False


def test_a_decision_stands_while_the_choices_mean_the_same() -> None:
    turns, state = Turns(), dealt()
    assert turns.stamp(TABLE, options(state), 5).decided_on == 5
    shown = turns.stamp(changed(TABLE, stock=3), options(state), 6)
    assert shown.decided_on == 5
    assert not stale(turns, 5)
    assert stale(turns, 4)


def test_a_choice_that_was_gone_for_a_moment_is_a_new_one() -> None:
    turns, state = Turns(), dealt()
    turns.stamp(TABLE, options(state), 5)
    turns.stamp(TABLE, Options(0), 6)
    assert turns.stamp(TABLE, options(state), 7).decided_on == 7
    assert stale(turns, 5)


def test_a_new_card_on_top_makes_older_snaps_too_late() -> None:
    turns, state = Turns(), dealt()
    turns.stamp(TABLE, options(state), 5)
    turns.check_snap(api.Snap(snapshot=5, seat=1, position=0))
    covered = changed(TABLE, discard=api.Discard(count=2, top="4H"))
    assert turns.stamp(covered, options(state), 6).top_since == 6
    assert turns.stamp(covered, Options(0), 7).top_since == 6
    with pytest.raises(Refusal) as refused:
        turns.check_snap(api.Snap(snapshot=5, seat=1, position=0))
    assert refused.value.say.key == "error.covered"
    turns.check_snap(api.Snap(snapshot=6, seat=1, position=0))


def test_another_card_at_the_place_makes_an_older_snap_stale() -> None:
    turns, state = Turns(), dealt()
    turns.stamp(TABLE, options(state), 5)
    mine, theirs = state.hands
    swapped = replace(state, hands=((theirs[0], *mine[1:]), (mine[0], *theirs[1:])))
    assert turns.stamp(TABLE, options(swapped), 6).top_since == 5
    turns.check_snap(api.Snap(snapshot=5, seat=1, position=1))
    with pytest.raises(Refusal) as refused:
        turns.check_snap(api.Snap(snapshot=5, seat=1, position=0))
    assert refused.value.say.key == "error.stale"
    turns.check_snap(api.Snap(snapshot=6, seat=1, position=0))


def test_to_take_means_another_card_when_the_top_has_changed() -> None:
    turns, state = Turns(), dealt()
    turns.stamp(TABLE, options(state), 5)
    covered = replace(state, pile=(*state.pile, state.stock[0]))
    assert turns.stamp(TABLE, options(covered), 6).decided_on == 6

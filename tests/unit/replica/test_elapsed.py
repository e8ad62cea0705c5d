"""Elapsed times never fall along main line, lane, main line; the two lanes of a pair are not compared."""

import pytest

from p2pkaboo.replica.lanes import action_head
from p2pkaboo.replica.own import draw_work
from p2pkaboo.replica.state import Step
from p2pkaboo.wire.bodies import Action, NoSnap
from p2pkaboo.wire.slot import Slot
from tests.unit.replica.racing import MS, OPENED, Racers, prepared

GIVEN_UP = OPENED + 5_000 * MS


def opened() -> tuple[Racers, int]:
    """A table at its first pair of lanes, and the seat at turn."""
    racers = Racers(prepared(3))
    racers.open()
    acting = racers.lanes.now.turn
    assert acting is not None
    return racers, acting


@pytest.mark.parametrize(("earlier", "fault"), [(0, None), (100 * MS, "bad-time")])
def test_an_action_comes_no_earlier_than_its_seats_last_word_in_a_lane(earlier: int, fault: str | None) -> None:
    racers, acting = opened()
    racers.none(acting, at=GIVEN_UP)
    racers.none(*(seat for seat in racers.seats if seat != acting), at=GIVEN_UP)
    head = action_head(racers.deal)
    assert head is not None
    step = Step(Slot(racers.deal.number + 1, "m", 0), "ACTION", head, (acting,))
    racers.say(acting, "ACTION", Action(("take", acting), None, b""), GIVEN_UP - earlier, step)
    assert racers.faulty() == (None if fault is None else (acting, fault))


def test_a_word_in_a_lane_comes_no_earlier_than_the_last_on_the_main_line() -> None:
    racers, acting = opened()
    second = next(seat for seat in racers.seats if seat != acting)
    for seat in (acting, second):
        racers.deal.elapsed[seat, "m"] = racers.table.elapsed + 20
    racers.say(acting, "NONE", NoSnap(b""), OPENED + 2_000 * MS)
    assert racers.faulty() is None
    racers.say(second, "NONE", NoSnap(b""), OPENED + 1_900 * MS)
    assert racers.faulty() == (second, "bad-time")
    fault = racers.deal.fault
    assert fault is not None
    assert "falls" in fault.reason


def test_the_lanes_of_a_pair_are_not_compared_with_each_other() -> None:
    racers, acting = opened()
    racers.none(acting, at=GIVEN_UP)
    step = racers.lanes.draw
    assert step is not None
    racers.say(acting, "DRAW", draw_work(racers.deal, step, acting)(racers.rng).body, OPENED, step)
    assert racers.faulty() is None
    assert racers.lanes.draw is not None
    assert racers.lanes.draw.kind == "SERVE"

"""The race that a screen shows: what its snaps come to while that is being found out, and how long it stays."""

from types import SimpleNamespace
from typing import cast

from p2pkaboo.peer import api
from p2pkaboo.peer.session.races import Races
from p2pkaboo.replica.race import COUNTED
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.window import RIGHT, TURNED_BACK
from tests.unit.replica.test_conduct import record


def deal(number: int) -> Deal:
    return cast(Deal, SimpleNamespace(deal=number, faces={(1, 0): "6C"}, history=[]))


def rulings(race: api.Race | None) -> dict[int, str]:
    assert race is not None
    return {entry.seat: entry.ruling for entry in race.entries}


def test_nobody_is_slower_before_it_is_settled() -> None:
    races, won = Races(), record(4, {0: COUNTED, 2: COUNTED})
    races.judged(deal(1), won, turn=5)
    shown = races.shown(deal(1), 5)
    assert rulings(shown) == {0: "open", 2: "open"}
    assert shown is not None
    assert not shown.settled
    won.outcomes.update({0: RIGHT, 2: TURNED_BACK})
    shown = races.shown(deal(1), 5)
    assert rulings(shown) == {0: "right", 2: "slower"}
    assert shown is not None
    assert shown.settled


def test_a_race_stays_until_the_next_turn_is_over_and_never_into_another_deal() -> None:
    races = Races()
    races.judged(deal(1), record(4, {0: COUNTED}), turn=5)
    assert races.shown(deal(1), 6) is not None
    assert races.shown(deal(1), 7) is None
    assert races.shown(deal(2), 0) is None

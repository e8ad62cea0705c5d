"""Strikes and disputes of a match: counted, and where they warn."""

import pytest

from p2pkaboo.replica.charter import RACES
from p2pkaboo.replica.conduct import conduct
from p2pkaboo.replica.race import COUNTED, HELD_BACK, TOO_LATE, Judgement, RaceFacts, Runner
from p2pkaboo.replica.state import RaceRecord
from p2pkaboo.wire.slot import Slot


def record(seats: int, reasons: dict[int, str], *, disputed: bool = False, preset: str = "lan") -> RaceRecord:
    everybody = tuple(range(seats))
    facts = RaceFacts(RACES[preset], everybody, None, everybody, True, dict.fromkeys(everybody, 150), b"", 1)
    runners = tuple(Runner(seat, 300, 300_000, 150, 300, why == COUNTED, why) for seat, why in reasons.items())
    order = tuple(seat for seat, why in reasons.items() if why == COUNTED)
    claims = dict.fromkeys(reasons, 300)
    return RaceRecord(Slot(9, "w", 1), (1, 0), facts, claims, Judgement(order, runners, disputed))


def struck(seat: int = 1) -> RaceRecord:
    return record(4, {0: COUNTED, seat: HELD_BACK})


def clean(seat: int = 1) -> RaceRecord:
    return record(4, {0: COUNTED, seat: COUNTED})


def test_four_strikes_in_twenty_snaps_warn_and_three_do_not() -> None:
    three = conduct([struck()] * 3 + [clean()] * 17)
    assert (three.strikes, three.recent, three.warned) == ({0: 0, 1: 3}, {0: 0, 1: 3}, ())
    assert conduct([struck()] * 4 + [clean()] * 16).warned == (1,)


def test_old_strikes_are_counted_but_warn_no_more() -> None:
    past = conduct([struck()] * 4 + [clean()] * 17)
    assert (past.strikes[1], past.recent[1], past.warned) == (4, 3, ())


def test_a_seats_own_snaps_are_what_is_looked_back_on() -> None:
    others = [clean(2)] * 40
    assert conduct([struck(), struck(), *others, struck(), struck()]).warned == (1,)


def test_a_snap_that_came_too_late_is_no_strike() -> None:
    assert conduct([record(4, {0: COUNTED, 1: TOO_LATE})] * 9).strikes == {0: 0, 1: 0}


@pytest.mark.parametrize(("preset", "most"), [("lan", 3), ("wan", 8)])
def test_disputes_warn_by_preset(preset: str, most: int) -> None:
    both = {0: COUNTED, 1: COUNTED}
    disputed = record(2, both, disputed=True, preset=preset)
    agreed = record(2, both, preset=preset)
    alone = record(2, {0: COUNTED}, preset=preset)
    few = conduct([disputed] * (most - 1) + [agreed] * 20 + [alone] * 30 + [disputed] * (most - 1))
    assert (few.contested, few.disputes, few.recent_disputes) == (20 + 2 * (most - 1), 2 * (most - 1), most - 1)
    assert not few.disputes_warned
    many = conduct([disputed] * most + [alone] * 30 + [agreed] * (20 - most))
    assert many.recent_disputes == most
    assert many.disputes_warned
    assert many.warned == ()


def test_no_races_show_nothing() -> None:
    nothing = conduct([])
    assert (nothing.strikes, nothing.contested, nothing.disputes_warned) == ({}, 0, False)

"""A seat's clock: zeros, exposure, what it testifies, and what a lost stamp makes of it."""

from dataclasses import replace

from p2pkaboo.replica.clock import (
    PINGS_KEPT,
    Clock,
    exposed_until,
    measure,
    note_window,
    shown_since,
    zero_of,
)
from p2pkaboo.replica.clock import testimony as said_by
from p2pkaboo.replica.race import measured_us
from p2pkaboo.wire.bodies import Lateness, Measure
from p2pkaboo.wire.slot import Slot
from tests.unit.replica.racing import MS, OPENED, Racers, prepared

EXPOSURE = 2_500 * MS


def opened(at: dict[int, int], ways: dict[tuple[int, int], int] | None = None, race: str = "lan") -> Racers:
    """Four seats; the shares leave at these instants after `OPENED`."""
    racers = Racers(prepared(4, race), ways)
    racers.open({seat: OPENED + at.get(seat, 0) for seat in racers.seats})
    return racers


def snapped(racers: Racers, seat: int, after: int) -> Slot:
    """The seat snaps so long after `OPENED`; gives the window's slot."""
    slot = racers.step.slot
    racers.snap(seat, racers.right(seat)[0], 0, OPENED + after)
    return slot


def about(racers: Racers, witness: int, snapper: int, slot: Slot) -> Measure:
    for seat in racers.deal.active:
        if seat not in racers.step.said:
            racers.none(seat, at=OPENED + 10_000 * MS)
    return measure(racers.clock(witness), racers.deal, racers.lanes, slot, snapper)


def test_the_median_is_of_the_last_round_trips() -> None:
    clock = Clock(0)
    assert clock.trip(1) == 0
    for trip in (10, 30, 20):
        clock.pinged(1, trip)
    assert clock.trip(1) == 20
    for _ in range(PINGS_KEPT):
        clock.pinged(1, 7)
    assert clock.trip(1) == 7
    assert len(clock.trips[1]) == PINGS_KEPT == 24


def test_only_the_first_stamp_counts() -> None:
    clock, slot = Clock(0), Slot(3, "w", 0)
    for now in (5, 9):
        clock.arrived(1, slot, 1, now)
        clock.said(1, slot, now)
    assert clock.arrivals[1, slot, 1] == clock.sent[1, slot] == 5


def test_stamps_of_earlier_deals_are_forgotten() -> None:
    clock, slot = Clock(0), Slot(3, "w", 0)
    for deal in (1, 2):
        clock.arrived(deal, slot, 1, 5)
        clock.said(deal, slot, 5)
    clock.forget(2)
    assert list(clock.arrivals) == [(2, slot, 1)]
    assert list(clock.sent) == [(2, slot)]


def test_zero_is_when_the_last_foreign_message_is_in() -> None:
    racers = opened({0: 50 * MS, 1: 10 * MS, 2: 30 * MS}, {(1, 0): 25 * MS})
    assert racers.lanes.zero is not None
    zeros = [zero_of(racers.clock(seat), racers.deal.deal, racers.lanes.zero) for seat in racers.seats]
    assert zeros == [OPENED + 35 * MS, OPENED + 50 * MS, OPENED + 50 * MS, OPENED + 50 * MS]


def test_zero_of_the_only_sender_is_when_it_sent() -> None:
    racers = opened({2: 40 * MS}, {(2, 3): 15 * MS})
    zero = racers.lanes.zero
    assert zero is not None
    alone = replace(zero, said={2: zero.said[2]})
    assert zero_of(racers.clock(2), racers.deal.deal, alone) == OPENED + 40 * MS
    assert zero_of(racers.clock(3), racers.deal.deal, alone) == OPENED + 55 * MS


def test_a_lost_stamp_leaves_no_zero() -> None:
    racers = opened({})
    zero = racers.lanes.zero
    assert zero is not None
    del racers.clock(0).arrivals[racers.deal.deal, zero.slot, 3]
    assert zero_of(racers.clock(0), racers.deal.deal, zero) is None


def test_exposure_runs_from_the_zero_but_not_before_the_own_share() -> None:
    racers = opened({0: 40 * MS, 1: 10 * MS})
    clock = racers.clock(1)
    assert shown_since(clock, racers.deal, racers.lanes) == OPENED + 40 * MS
    assert exposed_until(clock, racers.deal, racers.lanes) == OPENED + 40 * MS + EXPOSURE
    own_last = racers.clock(0)
    assert shown_since(own_last, racers.deal, racers.lanes) == OPENED + 40 * MS  # its zero is at 10 ms
    assert exposed_until(own_last, racers.deal, racers.lanes) == OPENED + 40 * MS + EXPOSURE


def test_exposure_counts_from_the_first_window_on_a_card() -> None:
    racers = opened({})
    first = exposed_until(racers.clock(1), racers.deal, racers.lanes)
    racers.clock(1).trips.clear()
    note_window(racers.clock(1), racers.deal, racers.lanes, OPENED + 7_000 * MS)
    assert exposed_until(racers.clock(1), racers.deal, racers.lanes) == first


def test_a_measure_worked_out_by_hand() -> None:
    """Seat 3's share leaves at 0, 0's at 20, 1's at 30; 3's takes 10 ms to seat 1, its SNAP leaves at 300."""
    racers = opened({0: 20 * MS, 1: 30 * MS}, {(3, 1): 10 * MS})
    racers.clock(1).pinged(3, 6 * MS)
    slot = snapped(racers, 3, 300 * MS)
    row = about(racers, 1, 3, slot)
    # Zero of seat 1 is 20 ms (0's share); all but 3's was held, the own included, at 30 ms.
    assert (row.arrival, row.full, row.sent, row.rtt) == (290 * MS, 10 * MS, 10 * MS, 6 * MS)
    facts = racers.lanes.facts
    assert facts is not None
    assert measured_us(row, 1, facts) == (290 - 3 - 13) * MS


def test_the_credit_for_a_slow_link_is_capped() -> None:
    for race, cap in (("lan", 8), ("wan", 100)):
        racers = opened({}, race=race)
        racers.clock(1).pinged(3, 400 * MS)
        assert about(racers, 1, 3, snapped(racers, 3, 300 * MS)).rtt == cap * MS


def test_a_snapper_that_holds_its_share_back_does_not_make_itself_look_fast() -> None:
    """Witnesses count from when they held every share but the snapper's: seat 3's comes 200 ms after the others."""
    racers = opened({3: 200 * MS})
    slot = snapped(racers, 3, 300 * MS)
    row = about(racers, 1, 3, slot)
    facts = racers.lanes.facts
    assert facts is not None
    assert measured_us(row, 1, facts) == 300 * MS


def test_an_honest_snapper_does_not_look_slow_because_another_holds_its_share_back() -> None:
    racers = opened({0: 200 * MS})
    row = about(racers, 1, 3, snapped(racers, 3, 500 * MS))
    facts = racers.lanes.facts
    assert facts is not None
    assert measured_us(row, 1, facts) == 300 * MS


def test_free_to_give_up_is_the_later_of_exposure_and_the_acting_seats_answer() -> None:
    racers = opened({})
    acting = racers.lanes.now.turn
    assert acting is not None
    snapper, witness, other = (seat for seat in racers.seats if seat != acting)
    slot = racers.step.slot
    racers.none(acting, at=OPENED + 4_000 * MS)
    racers.snap(snapper, racers.right(snapper)[0], 0, OPENED + 5_000 * MS)
    racers.none(witness, other, at=OPENED + 5_000 * MS)

    def given_up(seat: int) -> int | None:
        return measure(racers.clock(seat), racers.deal, racers.lanes, slot, snapper).given_up

    assert given_up(witness) == given_up(acting) == 4_000 * MS
    racers.clock(witness).arrivals[racers.deal.deal, slot, acting] = OPENED + 1_000 * MS
    assert given_up(witness) == EXPOSURE
    del racers.clock(witness).arrivals[racers.deal.deal, slot, acting]
    assert given_up(witness) is None


def test_where_nobody_acts_the_exposure_alone_counts() -> None:
    racers = opened({})
    racers.lanes.now = replace(racers.lanes.now, turn=None)
    note_window(racers.clock(1), racers.deal, racers.lanes, racers.now)
    slot = racers.step.slot
    racers.clock(1).arrived(racers.deal.deal, slot, 3, OPENED + 300 * MS)
    assert measure(racers.clock(1), racers.deal, racers.lanes, slot, 3).given_up == EXPOSURE


def test_lateness_worked_out_by_hand() -> None:
    """Seat 3's share leaves 90 ms after the last of the others and takes 5 ms; a median trip of 20 ms is credited."""
    racers = opened({0: 10 * MS, 3: 100 * MS}, {(3, 1): 5 * MS})
    racers.clock(1).pinged(3, 20 * MS)
    slot = snapped(racers, 0, 300 * MS)
    about(racers, 1, 0, slot)
    rows = said_by(racers.clock(1), racers.deal, racers.lanes, slot).lateness
    assert rows == (
        Lateness(0, (10 - 105) * MS),
        Lateness(2, (0 - 105) * MS),
        Lateness(3, (105 - 20 - 10) * MS),
    )


def test_the_credit_of_a_late_share_is_at_most_twice_the_limit_and_not_capped_like_a_snaps() -> None:
    for trip, credit in ((40, 40), (60, 60), (400, 60)):
        racers = opened({3: 100 * MS})
        racers.clock(1).pinged(3, trip * MS)
        slot = snapped(racers, 0, 300 * MS)
        about(racers, 1, 0, slot)
        rows = said_by(racers.clock(1), racers.deal, racers.lanes, slot).lateness
        assert rows[-1] == Lateness(3, (100 - credit) * MS)


def test_a_witness_that_is_late_itself_calls_nobody_late() -> None:
    """The last other share may be the witness's own: it was there when it left."""
    racers = opened({1: 95 * MS, 3: 100 * MS})
    slot = snapped(racers, 0, 300 * MS)
    about(racers, 1, 0, slot)
    assert said_by(racers.clock(1), racers.deal, racers.lanes, slot).lateness[-1] == Lateness(3, 5 * MS)
    assert said_by(racers.clock(2), racers.deal, racers.lanes, slot).lateness[-1] == Lateness(3, 5 * MS)


def test_after_a_restart_a_witness_says_that_its_stamps_are_lost() -> None:
    racers = opened({3: 100 * MS})
    slot = snapped(racers, 0, 300 * MS)
    about(racers, 1, 0, slot)
    said = said_by(Clock(1), racers.deal, racers.lanes, slot)
    assert said.measures == (Measure(0, None, None, None, 0, None),)
    assert said.lateness == (Lateness(0, 0), Lateness(2, 0), Lateness(3, 0))

"""When a seat may give up a card: every term of the wait, at its exact microsecond."""

from dataclasses import replace

import pytest

from p2pkaboo.replica.clock import note_window
from p2pkaboo.replica.desk import Desk
from p2pkaboo.replica.duties import due
from p2pkaboo.replica.questions import answer
from p2pkaboo.replica.snapping import press
from p2pkaboo.rules.moves import Call, Draw, Move, Snap, Take
from p2pkaboo.wire.bodies import NoSnap
from p2pkaboo.wire.limits import MAX_CLAIM_MS
from tests.unit.replica.racing import MS, OPENED, Racers, mixed, prepared, snap_of, with_both

EXPOSURE = 2_500 * MS
E_MOST = 2_500
"""e of this table, ms: its exposure, longer than a second."""


def table(**overrides: object) -> Racers:
    racers = Racers(prepared(4, "lan", mixed(**overrides)))
    racers.open()
    return racers


def roles(racers: Racers) -> tuple[int, int, int]:
    """The seat at turn, and two others."""
    acting = racers.lanes.now.turn
    assert acting is not None
    one, other, *_ = (seat for seat in racers.seats if seat != acting)
    return acting, one, other


def snap_with(racers: Racers, seat: int, claim_ms: int, after_ms: int) -> None:
    """The seat snaps so long after everybody's zero; its frame is read at once, its links have no length."""
    racers.snap(seat, racers.right(seat)[0], claim_ms, OPENED + after_ms * MS)


def wake(racers: Racers, seat: int) -> int | None:
    """When the seat's NONE is due at the earliest, after the zero; it is not due a microsecond before."""
    said, at = racers.due(seat, racers.now)
    assert said == []
    if at is None or at > OPENED + 60_000 * MS:
        return None
    assert racers.due(seat, at - 1)[0] == []
    assert racers.due(seat, at)[0] == ["NONE"]
    return at - OPENED


# -------------------------------------------------------------------- without a snap


def test_a_seat_gives_up_after_its_exposure_and_the_acting_seats_answer() -> None:
    racers = table()
    acting, one, other = roles(racers)
    assert racers.due(one, OPENED + EXPOSURE + 60_000 * MS)[0] == []
    racers.none(acting, at=OPENED + EXPOSURE)
    assert racers.due(one, OPENED + EXPOSURE - 1) == ([], OPENED + EXPOSURE)
    assert racers.due(one, OPENED + EXPOSURE)[0] == ["NONE"]
    assert racers.due(other, OPENED + EXPOSURE)[0] == ["NONE"]


def test_the_acting_seat_gives_up_once_it_has_chosen_not_to_draw_and_its_exposure_is_over() -> None:
    racers = table()
    acting, _, _ = roles(racers)
    desk = racers.desks[acting]
    assert "NONE" not in racers.due(acting, OPENED + EXPOSURE)[0]
    desk.choice, desk.question = Draw(acting), None  # that has a lane of its own
    assert racers.due(acting, OPENED + EXPOSURE)[0] == ["DRAW"]
    racers = table()
    desk = racers.desks[acting]
    racers.due(acting, OPENED)
    question = desk.question
    assert question is not None
    desk.choice = next(move for move in question.moves if not isinstance(move, Draw))
    assert racers.due(acting, OPENED + EXPOSURE - 1) == ([], OPENED + EXPOSURE)
    assert racers.due(acting, OPENED + EXPOSURE)[0] == ["NONE"]


def test_a_draw_that_must_wait_for_a_reshuffle_is_a_choice_like_any_other() -> None:
    """Else nobody ever may give up: the seats wait for the draw, and the draw for the window."""
    racers = table()
    acting, _, _ = roles(racers)
    lanes = racers.lanes
    lanes.base = replace(lanes.base, stock=())
    lanes.now = replace(lanes.now, stock=(), pile=(lanes.now.stock[0], *lanes.now.pile))
    lanes.draw = None
    racers.desks[acting].choice = Draw(acting)
    assert racers.due(acting, OPENED + EXPOSURE)[0] == ["NONE"]


def test_where_nobody_acts_exposure_alone_decides() -> None:
    racers = table()
    lanes = racers.lanes
    lanes.base = replace(lanes.base, turn=None)
    lanes.now = replace(lanes.now, turn=None)
    for seat in racers.seats:
        note_window(racers.clock(seat), racers.deal, lanes, OPENED)
        assert racers.due(seat, OPENED + EXPOSURE - 1) == ([], OPENED + EXPOSURE)
        assert racers.due(seat, OPENED + EXPOSURE)[0] == ["NONE"]


# -------------------------------------------------------------------- against a snap


@pytest.mark.parametrize(
    ("claim", "seen", "wait"),
    [
        (300, 300, 300),  # an honest snap: whoever would have been faster has pressed by then
        (1, 300, 300),  # a backdated claim: what was measured
        (1, 1, 150),  # nobody is faster than the floor
        (320, 300, 320),  # a claim above the measure is honoured …
        (400, 300, 338),  # … up to cap and late above it: 300 + 8 + 30
        (3_600_000, 300, 338),  # a huge claim stops nobody for long
        (1, 60_000, E_MOST),  # a snap that comes after a minute: the exposure at most
        (60_000, 60_000, E_MOST),
    ],
)
def test_the_wait_against_a_snap(claim: int, seen: int, wait: int) -> None:
    racers = table()
    acting, one, other = roles(racers)
    snap_with(racers, one, claim, seen)
    slot = racers.step.slot
    racers.clock(other).arrivals[racers.deal.deal, slot, one] = OPENED + seen * MS
    racers.now = OPENED
    assert wake(racers, other) == wait * MS
    racers.clock(acting).arrivals[racers.deal.deal, slot, one] = OPENED + seen * MS
    assert racers.due(acting, OPENED + wait * MS)[0] == ["NONE"]  # also the seat at turn, undecided


def test_the_wait_is_exact_to_the_microsecond() -> None:
    racers = table()
    _, one, other = roles(racers)
    racers.snap(one, racers.right(one)[0], 1, OPENED + 300_777)
    racers.now = OPENED
    assert wake(racers, other) == 300_777


def test_a_table_that_hardly_shows_its_cards_still_waits_a_second_against_a_snap() -> None:
    racers = table(**{"snap.exposure_ms": 0})
    _, one, other = roles(racers)
    snap_with(racers, one, 60_000, 60_000)
    racers.now = OPENED
    assert wake(racers, other) == 1_000 * MS


def test_a_known_card_snapped_at_one_millisecond_is_not_unopposed() -> None:
    """It scores its seat's floor of 400 ms: until then everybody has the time to be faster."""
    racers = table()
    _, one, other = roles(racers)
    facts = racers.lanes.facts
    assert facts is not None
    racers.lanes.facts = replace(facts, floors={**facts.floors, one: 400})
    snap_with(racers, one, 1, 1)
    racers.now = OPENED
    assert wake(racers, other) == 400 * MS
    target = racers.right(other)[0]
    assert press(racers.desks[other], target, OPENED + 399 * MS)
    assert racers.due(other, OPENED + 399 * MS)[0] == ["SNAP"]


def test_the_own_floor_does_not_prolong_the_wait() -> None:
    racers = table()
    _, one, other = roles(racers)
    facts = racers.lanes.facts
    assert facts is not None
    racers.lanes.facts = replace(facts, floors={**facts.floors, other: 400})
    snap_with(racers, one, 200, 200)
    racers.now = OPENED
    assert wake(racers, other) == 200 * MS


def test_with_several_snaps_the_first_that_may_be_answered_is() -> None:
    racers = table()
    acting, one, other = roles(racers)
    last = next(seat for seat in racers.seats if seat not in (acting, one, other))
    snap_with(racers, one, 300, 300)
    first = racers.deal.held[racers.step.slot, one].hash
    snap_with(racers, other, 280, 310)
    racers.now = OPENED
    assert wake(racers, last) == 300 * MS
    (duty,), _ = racers.duties(last, OPENED + 300 * MS)
    assert duty.answers == first
    racers.clock(last).arrivals[racers.deal.deal, racers.step.slot, other] = OPENED + 290 * MS
    (duty,), _ = racers.duties(last, OPENED + 299 * MS)
    assert duty.answers == racers.deal.held[racers.step.slot, other].hash


def test_a_none_names_the_snap_it_answers_and_the_table_takes_it() -> None:
    racers = table()
    _, one, _ = roles(racers)
    snap_with(racers, one, 300, 300)
    answers = racers.deal.held[racers.step.slot, one].hash
    racers.none(*(seat for seat in racers.seats if seat != one), answers=answers, at=OPENED + 300 * MS)
    assert racers.deal.fault is None
    assert racers.step.kind == "WITNESS"


# -------------------------------------------------------------------- the seat at turn, after its answer


def given_up(racers: Racers, wanted: type[Move]) -> int:
    """The seat at turn has chosen a move of this kind and said NONE for it; gives the seat."""
    acting, _, _ = roles(racers)
    desk = racers.desks[acting]
    racers.due(acting, OPENED)
    question = desk.question
    assert question is not None
    assert answer(desk, question.number, next(move for move in question.moves if isinstance(move, wanted)))
    (duty,), _ = racers.duties(acting, OPENED + EXPOSURE)
    racers.carry_out(acting, duty)
    return acting


def test_after_its_none_the_seat_at_turn_draws_no_more_unless_somebody_snaps() -> None:
    racers = table()
    acting = given_up(racers, Take)
    desk = racers.desks[acting]
    desk.choice, desk.choice_marks = Draw(acting), None
    assert racers.due(acting, OPENED + EXPOSURE)[0] == []
    assert desk.choice == Draw(acting)
    one = next(seat for seat in racers.seats if seat != acting)
    racers.snap(one, racers.right(one)[0], 2_600)
    assert racers.due(acting, racers.now)[0] == ["DRAW"]


def test_who_wanted_the_discard_is_asked_anew_when_a_snap_has_covered_it() -> None:
    racers = table()
    acting = given_up(racers, Take)
    racers.due(acting, racers.now)
    assert racers.desks[acting].choice == Take(acting)
    one = next(seat for seat in racers.seats if seat != acting)
    racers.race({one: (racers.right(one)[0], 100)}, silent=(acting,))
    racers.settle()
    assert racers.record.outcomes == {one: "right"}
    racers.due(acting, racers.now)
    desk = racers.desks[acting]
    assert desk.choice is None
    assert desk.question is not None


def test_what_a_question_does_not_list_for_good_reason_is_no_answer_to_it() -> None:
    """A snap is no turn, and a draw that its seat has given up is none, lawful as both would be on this table."""
    racers = table()
    acting, _, _ = roles(racers)
    desk = racers.desks[acting]
    racers.due(acting, OPENED)
    assert desk.question is not None
    assert not answer(desk, desk.question.number, Snap(acting, racers.right(acting)[0]))
    given_up(racers, Take)
    desk.choice = None
    racers.due(acting, OPENED + EXPOSURE)
    assert desk.question is not None
    assert not answer(desk, desk.question.number, Draw(acting))
    assert answer(desk, desk.question.number, Call(acting))


def test_a_choice_taken_back_from_the_journal_stands() -> None:
    """After a restart nobody is asked again what the others have answered already."""
    racers = table()
    acting = given_up(racers, Take)
    fresh = Desk(racers.deal, acting, racers.clock(acting), said={racers.step.slot}, choice=Take(acting))
    due(fresh, racers.now)
    assert fresh.choice == Take(acting)
    assert fresh.question is None


# -------------------------------------------------------------------- what receivers can see of it


def test_a_none_that_names_no_snap_before_the_exposure_is_over_is_refused() -> None:
    racers = table()
    acting, one, other = roles(racers)
    racers.none(acting, at=OPENED)  # nobody can tell when its player had chosen
    racers.say(one, "NONE", NoSnap(b""), OPENED + EXPOSURE - 100 * MS)
    assert racers.faulty() is None
    racers.say(other, "NONE", NoSnap(b""), OPENED + EXPOSURE - 101 * MS)
    assert racers.faulty() == (other, "bad-time")


# -------------------------------------------------------------------- presses


def test_a_press_before_the_zero_claims_nothing_and_no_claim_is_longer_than_a_message_may_say() -> None:
    for at, claim in ((OPENED - 5 * MS, 0), (OPENED + 1_234_567, 1_234), (OPENED + 2 * 3_600_000 * MS, MAX_CLAIM_MS)):
        racers = table()
        _, one, _ = roles(racers)
        assert press(racers.desks[one], racers.right(one)[0], at)
        (duty,), _ = racers.duties(one, max(at, OPENED))
        assert (duty.kind, duty.claim_ms) == ("SNAP", claim)


def test_a_second_press_while_the_first_is_under_way_is_none() -> None:
    racers = table()
    _, one, _ = roles(racers)
    target = racers.right(one)[0]
    assert press(racers.desks[one], target, OPENED + 200 * MS)
    (duty,), _ = racers.duties(one, OPENED + 200 * MS)
    racers.carry_out(one, duty)
    assert not press(racers.desks[one], target, OPENED + 210 * MS)
    assert racers.desks[one].pressed is None


def test_a_press_after_the_own_none_is_kept_for_the_next_window() -> None:
    racers = with_both(4)
    acting, one, other = roles(racers)
    last = next(seat for seat in racers.seats if seat not in (acting, one, other))
    snap = racers.snap(one, racers.wrong(one)[0], 200, OPENED + 200 * MS)
    racers.none(other, answers=snap.envelope.hash, at=OPENED + 300 * MS)
    racers.desks[other].said.add(racers.step.slot)
    assert press(racers.desks[other], racers.right(other)[0], OPENED + 310 * MS)
    racers.none(acting, last, answers=snap.envelope.hash, at=OPENED + 320 * MS)
    racers.witness()
    racers.settle()
    assert racers.record.outcomes == {one: "wrong"}
    (duty,), _ = racers.duties(other, racers.now)
    assert (duty.kind, duty.claim_ms) == ("SNAP", 0)
    assert snap_of(snap).claim_ms == 200


def test_under_all_a_snapped_card_has_an_exposure_of_its_own() -> None:
    racers = with_both(3, rules=mixed(**{"snap.limit": "all"}))
    acting, one, other = roles(racers)
    racers.race({one: (racers.right(one)[0], 300)})
    racers.settle()
    opened = racers.now
    racers.none(acting)
    assert racers.due(other, opened + EXPOSURE - 1)[0] == []
    assert racers.due(other, opened + EXPOSURE)[0] == ["NONE"]
    racers.say(other, "NONE", NoSnap(b""), opened + EXPOSURE - 200 * MS)
    assert racers.faulty() == (other, "bad-time")

"""Judging a race, by numbers worked out by hand: three, four and two seats."""

from dataclasses import replace

import pytest

from p2pkaboo.replica.charter import RACES, RaceNumbers
from p2pkaboo.replica.race import (
    COUNTED,
    HELD_BACK,
    TOO_LATE,
    Judgement,
    RaceFacts,
    dispute_lot,
    judge,
    judge_two,
    late_us,
    measured_us,
    race_q,
)
from p2pkaboo.wire.bodies import Lateness, Measure, Witness
from p2pkaboo.wire.tags import TIE, tagged_hash

NUMBERS = RaceNumbers(cap=100, slack=5, late=150, floor=150)
Q = b"q" * 64


def facts(seats: int = 4, **changes: object) -> RaceFacts:
    everybody = tuple(range(seats))
    plain = RaceFacts(NUMBERS, everybody, 0, everybody, True, dict.fromkeys(everybody, 150), Q, 1)
    return replace(plain, **changes)  # type: ignore[arg-type]


def measured(seat: int, ms: int, given_up: int = 10**9) -> Measure:
    """What a witness says that makes its m exactly so many milliseconds: no way, all held at its zero."""
    return Measure(seat, ms * 1000, 0, 0, 0, given_up)


def said_by(rows: dict[int, dict[int, int]], late: dict[int, dict[int, int]] | None = None) -> dict[int, Witness]:
    """`rows` [witness][snapper]: m in ms; `late` [witness][seat]: L in µs."""
    return {
        witness: Witness(
            tuple(measured(seat, ms) for seat, ms in sorted(said.items())),
            tuple(Lateness(seat, us) for seat, us in sorted((late or {}).get(witness, {}).items())),
        )
        for witness, said in rows.items()
    }


def scores(judgement: Judgement) -> dict[int, int]:
    return {runner.seat: runner.score for runner in judgement.runners}


def lot(seat: int, window: int = 1) -> bytes:
    return tagged_hash(TIE, Q, window.to_bytes(4, "big"), bytes([seat]))


# -------------------------------------------------------------------- what a witness measured


def test_half_the_round_trip_and_what_the_witness_held_are_taken_off() -> None:
    # A = 400 ms, ρ = 60: 400 − 30 − max(F = 20, s + 30 = 10 + 30) = 330
    row = Measure(1, 400_000, 20_000, 10_000, 60_000, None)
    assert measured_us(row, 2, facts()) == 330_000
    # F is the later one: 400 − 30 − 90
    assert measured_us(row.__class__(1, 400_000, 90_000, 10_000, 60_000, None), 2, facts()) == 280_000


def test_an_odd_round_trip_is_halved_downwards() -> None:
    assert measured_us(Measure(1, 1_000, 0, 0, 7, None), 2, facts()) == 1_000 - 3 - 3


def test_a_witness_that_had_nothing_to_send_has_no_sent_term() -> None:
    row = Measure(1, 400_000, 20_000, None, 60_000, None)
    assert measured_us(row, 2, facts(senders=(0, 1, 3))) == 350_000


def test_after_a_step_of_the_snapper_alone_the_trips_cancel() -> None:
    row = Measure(1, 234_000, 0, None, 60_000, None)
    assert measured_us(row, 2, facts(senders=(1,))) == 234_000


@pytest.mark.parametrize(
    "row",
    [
        Measure(1, None, 0, 0, 10_000, 0),
        Measure(1, 400_000, None, 0, 10_000, 0),
        Measure(1, 400_000, 0, None, 10_000, 0),
    ],
)
def test_a_lost_stamp_makes_the_measure_nothing(row: Measure) -> None:
    assert measured_us(row, 2, facts()) == 0


def test_lateness_counts_from_when_the_witness_could_give_up() -> None:
    row = Measure(1, 3_000_000, 0, 0, 60_000, 2_500_000)
    assert late_us(row, facts()) == 3_000_000 - 30_000 - 2_500_000
    assert late_us(row, facts(acting=1)) == 0  # the seat at turn never comes too late
    assert late_us(Measure(1, 3_000_000, 0, 0, 60_000, None), facts()) == 0
    assert late_us(Measure(1, None, None, None, 0, 2_500_000), facts()) == 0


# -------------------------------------------------------------------- scores


def test_a_score_worked_out_by_hand() -> None:
    # Seat 1 claims 290. Of 310, 320 and 280 the second largest (f + 1 = 2) is 310; less the slack of 5: 305.
    # Seat 2 claims 307: of 309, 300 and 311 it is 309, less 5 is 304; the claim counts.
    rows = {0: {1: 310, 2: 309}, 1: {2: 300}, 2: {1: 320}, 3: {1: 280, 2: 311}}
    judgement = judge(facts(), {1: 290, 2: 307}, said_by(rows))
    assert scores(judgement) == {1: 305, 2: 307}
    assert judgement.order == (1, 2)
    assert [runner.measured_us for runner in judgement.runners] == [310_000, 309_000]
    assert not judgement.disputed
    assert {runner.reason for runner in judgement.runners} == {COUNTED}


@pytest.mark.parametrize(("seats", "place"), [(3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)])
def test_the_witness_that_counts_is_the_one_after_those_who_may_lie(seats: int, place: int) -> None:
    """f + 1 of n − 1, largest first."""
    values = [900 - 100 * witness for witness in range(1, seats)]
    rows = {witness: {0: values[witness - 1]} for witness in range(1, seats)}
    judgement = judge(facts(seats, acting=None), {0: 0}, said_by({0: {}, **rows}))
    assert scores(judgement) == {0: values[place - 1] - 5}


def test_one_liar_among_four_moves_a_score_no_further_than_the_next_witness() -> None:
    """A mean would follow the liar wherever it goes."""
    for lie in (500, 5_000, 500_000):
        rows = {0: {1: lie}, 1: {}, 2: {1: 300}, 3: {1: 310}}
        assert scores(judge(facts(), {1: 300}, said_by(rows))) == {1: 305}
    rows = {0: {1: -(10**6)}, 1: {}, 2: {1: 300}, 3: {1: 310}}
    assert scores(judge(facts(), {1: 0}, said_by(rows))) == {1: 295}


def test_a_backdated_claim_counts_as_it_was_measured() -> None:
    rows = {0: {1: 400, 2: 380}, 1: {2: 380}, 2: {1: 400}, 3: {1: 400, 2: 380}}
    judgement = judge(facts(), {1: 0, 2: 380}, said_by(rows))
    assert judgement.order == (2, 1)
    (liar,) = (runner for runner in judgement.runners if runner.seat == 1)
    assert (liar.claim, liar.measured_us, liar.score) == (0, 400_000, 395)


def test_nobody_scores_less_than_its_floor() -> None:
    rows = {0: {1: 20, 2: 20}, 1: {2: 20}, 2: {1: 20}, 3: {1: 20, 2: 20}}
    judgement = judge(facts(floors={0: 150, 1: 400, 2: 150, 3: 150}), {1: 1, 2: 390}, said_by(rows))
    assert scores(judgement) == {1: 400, 2: 390}
    assert judgement.order == (2, 1)


def test_scores_are_whole_milliseconds() -> None:
    def one(us: int) -> dict[int, Witness]:
        row = Measure(1, us, 0, 0, 0, None)
        return {0: Witness((row,), ()), 1: Witness((), ()), 2: Witness((row,), ())}

    for us, score in ((305_000, 300), (305_999, 300), (306_000, 301)):
        assert scores(judge(facts(3), {1: 0}, one(us))) == {1: score}


def test_exact_ties_go_to_the_lower_lot_and_a_millisecond_is_no_tie() -> None:
    """No lottery for near ties: it would feed those who copy a rival's snap."""
    rows = {0: {1: 0, 2: 0}, 1: {2: 0}, 2: {1: 0}, 3: {1: 0, 2: 0}}
    firsts = set()
    for window in range(1, 12):
        now = facts(window=window)
        tied = judge(now, {1: 300, 2: 300}, said_by(rows))
        assert list(tied.order) == sorted((1, 2), key=lambda seat: lot(seat, window))
        firsts.add(tied.order[0])
        assert judge(now, {1: 301, 2: 300}, said_by(rows)).order == (2, 1)
        assert judge(now, {1: 300, 2: 301}, said_by(rows)).order == (1, 2)
    assert firsts == {1, 2}


# -------------------------------------------------------------------- what counts


def late_rows(*us: int) -> dict[int, Witness]:
    """Seat 1's snap; the other seats ascending say how long after they could have given up it came."""
    others = (0, 2, 3)
    return {1: Witness((), ())} | {
        seat: Witness((Measure(1, 400_000, 0, 0, 0, 400_000 - t),), ()) for seat, t in zip(others, us, strict=True)
    }


def test_a_snap_after_the_others_gave_up_does_not_count() -> None:
    limit = NUMBERS.late * 1000
    for us, counts in (
        ((limit + 1, limit + 1, 0), False),
        ((limit, limit, limit), True),  # exactly the limit is not above it
        ((limit + 1, limit, 0), True),  # one witness of f + 1 = 2 is not enough
    ):
        judgement = judge(facts(), {1: 300}, late_rows(*us))
        assert bool(judgement.order) is counts
        assert judgement.runners[0].reason == (COUNTED if counts else TOO_LATE)


def test_the_seat_at_turn_never_comes_too_late() -> None:
    assert judge(facts(acting=1), {1: 300}, late_rows(10**9, 10**9, 10**9)).order == (1,)


def held(*us: int) -> dict[int, Witness]:
    """Seat 1 and 2 snap; the others ascending say by how much seat 1's share came late."""
    rows = {0: {1: 300, 2: 310}, 1: {2: 310}, 2: {1: 300}, 3: {1: 300, 2: 310}}
    late = {seat: {1: t} for seat, t in zip((0, 2, 3), us, strict=True)}
    return said_by(rows, late)


def test_who_held_back_its_share_is_left_out_and_the_race_goes_on() -> None:
    limit = NUMBERS.late * 1000
    for us, order in (
        ((limit + 1, limit + 1, 0), (2,)),
        ((limit, limit, limit), (1, 2)),
        ((limit + 1, 0, 0), (1, 2)),
    ):
        judgement = judge(facts(), {1: 300, 2: 310}, held(*us))
        assert judgement.order == order
    assert judge(facts(), {1: 300, 2: 310}, held(10**9, 10**9, 0)).runners[0].reason == HELD_BACK
    # Only where the step before was the opening of the discard is a share late.
    assert judge(facts(reveal=False), {1: 300, 2: 310}, held(10**9, 10**9, 10**9)).order == (1, 2)


def test_a_late_share_is_named_before_a_late_snap() -> None:
    late = late_rows(10**9, 10**9, 10**9)
    both = {seat: Witness(said.measures, (Lateness(1, 10**9),)) for seat, said in late.items() if seat != 1}
    assert judge(facts(), {1: 300}, {1: late[1], **both}).runners[0].reason == HELD_BACK


# -------------------------------------------------------------------- two seats


def two(claims: dict[int, int], seen: dict[int, int], **changes: object) -> Judgement:
    """`seen` [witness]: its measure of the other, ms."""
    rows = {witness: {1 - witness: ms} for witness, ms in seen.items()}
    return judge_two(facts(2, **changes), claims, said_by(rows))


def test_two_views_that_agree_stand() -> None:
    # Seat 0's view: own 300 against 340 measured. Seat 1's: own 335 against 310 measured.
    judgement = two({0: 300, 1: 335}, {0: 340, 1: 310})
    assert (judgement.order, judgement.disputed) == ((0, 1), False)
    assert two({0: 400, 1: 335}, {0: 340, 1: 410}).order == (1, 0)


def test_two_views_that_differ_are_a_dispute() -> None:
    judgement = two({0: 300, 1: 305}, {0: 310, 1: 308})
    assert judgement.disputed
    assert judgement.order == (0, 1)


def test_a_view_uses_only_its_own_numbers() -> None:
    """The rival's claim is worth nothing: seat 1 claims 0 and was measured at 400."""
    assert two({0: 300, 1: 0}, {0: 400, 1: 400}).disputed
    assert two({0: 300, 1: 0}, {0: 250, 1: 400}).order == (1, 0)
    assert not two({0: 300, 1: 500}, {0: 400, 1: 300}).disputed


def test_floors_count_in_both_views() -> None:
    # Seat 1 knew the card: 400 at least, in seat 0's view and in its own.
    judgement = two({0: 390, 1: 1}, {0: 1, 1: 395}, floors={0: 150, 1: 400})
    assert (judgement.order, judgement.disputed) == ((0, 1), False)
    assert scores(judgement) == {1: 400, 0: 395}


def test_a_tie_in_a_view_goes_to_the_lower_lot() -> None:
    for window in range(1, 8):
        judgement = two({0: 300, 1: 300}, {0: 300, 1: 300}, window=window)
        assert not judgement.disputed
        assert judgement.order[0] == min((0, 1), key=lambda seat: lot(seat, window))


def test_between_two_seats_nothing_is_late() -> None:
    rows = {
        0: Witness((Measure(1, 300_000, 0, 0, 0, -(10**9)),), ()),
        1: Witness((Measure(0, 400_000, 0, 0, 0, -(10**9)),), ()),
    }
    assert judge_two(facts(2, acting=None), {0: 400, 1: 300}, rows).order == (1, 0)


# -------------------------------------------------------------------- names and lots


def test_q_names_deal_card_window_and_shares() -> None:
    shares = (b"a" * 32, b"b" * 32)
    plain = race_q(1, (1, 7), 1, shares)
    others = {
        race_q(2, (1, 7), 1, shares),
        race_q(1, (2, 7), 1, shares),
        race_q(1, (1, 8), 1, shares),
        race_q(1, (1, 7), 2, shares),
        race_q(1, (1, 7), 1, shares[::-1]),
        race_q(1, (1, 7), 1, (b"a" * 32, b"c" * 32)),
    }
    assert len(others) == 6
    assert plain not in others
    assert plain == race_q(1, (1, 7), 1, list(shares))


def test_a_dispute_s_lot_hangs_on_both_nonces_and_the_seat() -> None:
    nonces = (b"a" * 32, b"b" * 32)
    assert dispute_lot(0, nonces) == tagged_hash(TIE, b"a" * 32, b"b" * 32, b"\x00")
    assert len({dispute_lot(0, nonces), dispute_lot(1, nonces), dispute_lot(0, (b"c" * 32, b"b" * 32))}) == 3


def test_the_presets() -> None:
    assert RACES["lan"] == RaceNumbers(cap=8, slack=0, late=30, floor=150)
    assert RACES["wan"] == RaceNumbers(cap=100, slack=5, late=150, floor=150)

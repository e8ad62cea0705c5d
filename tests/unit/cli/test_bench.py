"""What stands around the measuring: lines through points, the time that is left, the SRA deal, the table's lines."""

from itertools import count

import pytest

from p2pkaboo.cli import bench_sra
from p2pkaboo.cli.bench_cmd import TimeLeft
from p2pkaboo.cli.bench_deal import DealCost
from p2pkaboo.cli.bench_growth import fit, growth
from p2pkaboo.cli.bench_sra import PRIME, exponentiations, gmpy2_power, sra_deal, sra_on_all_cores
from p2pkaboo.cli.bench_text import growth_lines, part_line, sra_line
from p2pkaboo.crypto.counting import OperationCounts


def test_a_line_through_points_of_a_line_is_that_line() -> None:
    line = fit([(x, 3 + 0.5 * x) for x in (2, 3, 5, 8)])
    assert line.slope == pytest.approx(0.5)
    assert line.intercept == pytest.approx(3)
    assert line.r2 == pytest.approx(1)


def test_what_bends_fits_worse() -> None:
    squares = fit([(0, 0), (1, 1), (2, 4)])  # the line 2x - 1/3 misses 6 of the 78 ninths
    assert squares.slope == pytest.approx(2)
    assert squares.r2 == pytest.approx(12 / 13)
    with pytest.raises(ValueError, match="two places"):
        fit([(4, 1.0), (4, 2.0)])


def test_growth_over_cards_over_seats_and_over_all() -> None:
    costs = [(seats, 54 * packs, 0.75 * seats * 54 * packs + 5) for seats in (2, 3, 4) for packs in (1, 2, 3)]
    rows = {row["name"]: row for row in growth(costs)}
    assert set(rows) == {"2 seats", "3 seats", "4 seats", "54 cards", "108 cards", "162 cards", "all sizes"}
    assert rows["3 seats"]["ms"] == pytest.approx(3 * 0.75)
    assert rows["108 cards"]["ms"] == pytest.approx(108 * 0.75)
    assert (rows["all sizes"]["ms"], rows["all sizes"]["at_zero_ms"], rows["all sizes"]["r2"]) == (0.75, 5, 1)
    lines = growth_lines({"growth": [rows["all sizes"]], "growth_of_floor": [rows["3 seats"]]})
    assert [line.split(",")[0] for line in lines] == [
        "CPU a seat grows by:",
        "  all sizes: 0.750 ms a seat and card",
        "the floor a seat grows by:",
        "  3 seats: 2.250 ms a card",
    ]


def test_two_sizes_make_no_line() -> None:
    assert growth([(4, 54, 150.0), (4, 108, 300.0)]) == []
    assert growth_lines({"growth": [], "growth_of_floor": []}) == []


def test_counts_of_several_seats_are_one() -> None:
    both = OperationCounts(mul=2, base=3) + OperationCounts(mul=5, add=7, hash=1, decode=4)
    assert both == OperationCounts(mul=7, base=3, add=7, hash=1, decode=4)
    assert both.floor({"mul": 2.0, "base": 1.0, "add": 0.5, "hash": 10.0, "decode": 0.25}) == 14 + 3 + 3.5 + 10 + 1


def test_each_deal_is_set_against_the_floors_beside_it() -> None:
    """The machine becomes twice as slow during the second deal: against the median floor that deal would be at 1.8."""
    cost = DealCost(4, 54, [1.2, 1.8, 2.6], [1.0, 1.0, 2.0, 2.0], quiet_floor_s=0.9, wall_s=0.4, bytes_by_kind={})
    assert cost.ratios == pytest.approx([1.2, 1.2, 1.3])
    row = cost.row()
    assert (row["ms"], row["floor_ms"], row["ratio_to_floor"]) == (1800.0, 1500.0, 1.2)
    assert (row["ratios"], row["ratio_to_quiet_floor"]) == ([1.2, 1.2, 1.3], 2.0)
    assert "1.20 to 1.30 in 3 deals; 0.4 s wall" in part_line(row)


def test_the_time_left_follows_what_the_jobs_have_taken() -> None:
    clock = count(0, 30.0)
    left = TimeLeft([1.0, 2.0, 3.0], lambda: next(clock))
    assert [left.after() for _ in range(3)] == [30.0 * 5, 60.0 / 3 * 3, 0.0]


def test_an_sra_deal_shows_cards_of_the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []

    def power(base: int, exponent: int, modulus: int) -> int:
        done.append(modulus)
        return pow(base, exponent, modulus)

    seconds = sra_deal(2, 6, 2, power)
    assert len(done) == 2 * exponentiations(2, 6, 2) == 2 * (18 + 5)
    assert set(done) == {PRIME}
    assert seconds > 0
    with pytest.raises(AssertionError, match="no card"):
        sra_deal(2, 6, 2, lambda base, exponent, modulus: base * exponent % modulus + 1)

    done.clear()
    sra_deal(2, 6, 2, power, working=1)
    assert len(done) == exponentiations(2, 6, 2)


def test_sra_is_timed_on_all_cores_and_with_the_power_that_is_asked_for() -> None:
    assert sra_on_all_cores(2, 4, 1, fast=False) > 0
    if gmpy2_power() is None:
        with pytest.raises(AssertionError):
            sra_on_all_cores(2, 4, 1, fast=True, working=1)


def test_the_prime_is_a_safe_one_of_2048_bits() -> None:
    """RFC 3526, group 14; Fermat's test with two bases each, for it and for half of it."""
    assert bench_sra.PRIME.bit_length() == 2048
    for prime in (PRIME, PRIME // 2):
        assert all(pow(base, prime - 1, prime) == 1 for base in (2, 3))


def test_an_sra_line_tells_what_was_run() -> None:
    row = {"sra_pow_ms": 3600.4, "times_ours": 23.1, "exponentiations": 171, "seats_run": 4}
    assert sra_line(row) == "  SRA with pow 3600 ms (23.1 times ours), 171 exponentiations a seat, done by all 4 seats"
    row |= {"sra_gmpy2_ms": 430.0, "times_ours_gmpy2": 2.8, "seats_run": 1}
    assert sra_line(row).endswith("gmpy2 430 ms (2.8 times), 171 exponentiations a seat, one seat's part done")

"""The benchmark's deal is a real one, and its floor counts what a deal does."""

from p2pkaboo.cli.bench_deal import best_deal


def test_a_deal_for_two_is_measured_against_its_floor() -> None:
    deal = best_deal(2, 1, repeats=1)
    assert (deal.seats, deal.cards) == (2, 54)
    assert set(deal.bytes_by_kind) == {"KEYS", "SHUFFLE", "OPEN", "VIEW", "SERVE"}
    # A shuffle is its deck and its proof: 64 bytes a card and 4 times 32; what is around them is small.
    assert 0 < deal.bytes_by_kind["SHUFFLE"] - 2 * 54 * (64 + 128) < 2 * 600
    assert 0 < deal.floor_s < deal.cpu_s < 20 * deal.floor_s
    assert 0 < deal.shared_cpu_s < 20 * deal.floor_s
    assert deal.wall_s > 0

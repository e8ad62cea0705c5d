"""The benchmark's deal is a real one, and its floor counts what a deal does."""

import click
import pytest

from p2pkaboo.cli.bench_deal import BenchTable, deal_cost
from p2pkaboo.crypto.counting import OperationCounts


def test_a_deal_for_two_is_measured_against_its_floor() -> None:
    deal = deal_cost(2, 1, repeats=1)
    assert (deal.seats, deal.cards) == (2, 54)
    assert set(deal.bytes_by_kind) == {"KEYS", "SHUFFLE", "OPEN", "VIEW", "SERVE"}
    # A shuffle is its deck and its proof: 64 bytes a card and 4 times 32; what is around them is small.
    assert 0 < deal.bytes_by_kind["SHUFFLE"] - 2 * 54 * (64 + 128) < 2 * 600
    assert 0 < deal.floor_s < deal.cpu_s < 20 * deal.floor_s
    assert 0 < deal.quiet_floor_s < 2 * deal.floor_s
    assert deal.wall_s > 0
    assert (len(deal.cpus_s), len(deal.floors_s), len(deal.ratios)) == (1, 2, 1)


def test_a_table_deals_again_and_a_seat_that_dies_is_told() -> None:
    with BenchTable(2, 1) as table:
        assert table.deal().cpu_s > 0
        counted = table.deal(counting=True)
        # Every seat makes one shuffle and verifies the other's: in all four per card and more of each.
        assert counted.counts.mul > 2 * 54 * 10
        assert table.deal().counts == OperationCounts()
        table.processes[1].process.kill()
        with pytest.raises(click.ClickException, match="ended"):
            table.deal()

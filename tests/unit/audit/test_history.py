"""One order of the history, whatever order the messages came in."""

import random

import pytest

from p2pkaboo.audit.history import deal_envelopes, last_head, match_transcript, ordered, step_number
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.match import first_deal
from p2pkaboo.wire.envelope import decode_envelope
from p2pkaboo.wire.slot import Slot
from tests.support.transcripts import deals_of, rows_of
from tests.unit.audit.matches import played


def test_all_seats_write_the_same_file_whatever_the_order_they_saw() -> None:
    orders = set()
    for seed in range(3):
        table = played("sheffield", 4, seed, 2)
        assert len({table.transcript(seat) for seat in range(4)}) == 1
        orders |= {tuple(closed.slot for closed in deals_of(node)[0].history) for node in table.nodes}
    assert len(orders) > 3  # lanes run side by side: the seats of one table have completed steps in different orders


def test_steps_are_in_history_order_and_seats_ascend() -> None:
    deal = deals_of(played("sheffield", 4, 0, 2).nodes[0])[0]
    places = [(e.slot.order, e.seat) for e in map(decode_envelope, deal_envelopes(deal))]
    assert places == sorted(places)
    assert len(set(places)) == len(places) == sum(len(closed.said) for closed in deal.history)
    history = list(deal.history)
    random.Random(1).shuffle(deal.history)
    try:
        assert ordered(deal) == sorted(history, key=lambda closed: closed.slot.order)
        assert [(e.slot.order, e.seat) for e in map(decode_envelope, deal_envelopes(deal))] == places
    finally:
        deal.history[:] = history


def test_step_numbers_count_from_one() -> None:
    deal = deals_of(played("sheffield", 4, 0, 2).nodes[0])[0]
    steps = ordered(deal)
    assert [step_number(deal, closed.slot) for closed in steps] == list(range(1, len(steps) + 1))
    assert step_number(deal, Slot(deal.number + 1, "m", 0)) == len(steps) + 1


def test_the_last_head_is_that_of_the_last_main_step() -> None:
    table = played("sheffield", 4, 0, 2)
    first, second = deals_of(table.nodes[0])
    begun = first_deal(table.charter)
    assert last_head([first, second]) == second.head
    assert last_head([begun]) == begun.head
    assert last_head([first, begun]) == first.head  # nothing is complete yet in the deal that follows
    with pytest.raises(LocalError, match="no head"):
        last_head([])


def test_a_match_without_a_deal_has_no_transcript() -> None:
    with pytest.raises(LocalError):
        match_transcript([], [])


def test_a_transcript_begins_with_the_forming_messages() -> None:
    table = played("sheffield", 4, 0, 2)
    assert rows_of(table.transcript())[: len(table.forming)] == table.forming

"""Messages for slots where nothing may be said any more: what they are, and when they are past."""

from p2pkaboo.replica.outputs import Differing
from p2pkaboo.wire.bodies import NoSnap
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.slot import Slot
from tests.support.records import record, take


def test_a_slot_of_forming_counts_as_one_of_the_main_line() -> None:
    """Past as soon as its number is, also while a draw lane of the same number is open; before, it waits."""
    game = record("sheffield", 3, 0)
    deal = game.begin()
    rows = iter(game.rows)
    while deal.lanes is None or deal.lanes.draw is None:
        take(deal, next(rows), game.honest)
    for number, past in ((deal.number - 1, True), (deal.number, True), (deal.number + 1, False)):
        stray = seal(
            game.identities[1],
            table=deal.table,
            deal=deal.deal,
            slot=Slot(number, "f", 0),
            seat=1,
            head=bytes(64),
            kind="NONE",
            elapsed=0,
            body=NoSnap(b""),
        )
        told = [output for output in take(deal, stray, game.honest) if isinstance(output, Differing)]
        assert bool(told) is past, number
        assert (stray.envelope.slot in deal.early) is not past, number
    assert deal.fault is None


def test_a_draw_of_a_seat_that_is_not_at_turn_names_it_also_when_it_comes_late() -> None:
    """No ACTION of that seat follows, so the message itself is all the evidence, and nobody left a draw out."""
    game = record("sheffield", 3, 0)
    deal = game.begin()
    rows = iter(game.rows)
    while deal.lanes is None or deal.lanes.draw is None:
        take(deal, next(rows), game.honest)
    number, turn = deal.number, deal.lanes.draw.required[0]
    while deal.number == number:
        take(deal, next(rows), game.honest)
    liar = next(seat for seat in deal.active if seat != turn)
    (drawn,) = (row.envelope for row in game.rows if row.envelope.slot == Slot(number, "d", 0))
    stray = seal(
        game.identities[liar],
        table=deal.table,
        deal=deal.deal,
        slot=drawn.slot,
        seat=liar,
        head=drawn.head,
        kind="DRAW",
        elapsed=drawn.elapsed,
        body=drawn.body,
    )
    take(deal, stray, game.honest)
    fault = deal.fault
    assert fault is not None
    assert (fault.seat, fault.code, fault.slot) == (liar, "illegal-move", drawn.slot)
    assert fault.reason == f"nothing is to be said by this seat at {drawn.slot}"
    assert fault.evidence == (stray.envelope.data,)


def test_a_late_message_in_a_lane_is_a_lie_under_the_head_of_its_own_step_only() -> None:
    """The second step of a draw lane, long over: the seat that drew had nothing to say there."""
    game = record("sheffield", 3, 0)
    served = next(closed for closed in game.end.history if closed.slot.lane == "d" and closed.slot.index == 1)
    (asked,) = (closed for closed in game.end.history if closed.slot == served.slot._replace(index=0))
    (drawer,) = asked.said
    for head, lie in ((next(iter(asked.said.values())).head, False), (bytes(64), False), (asked.head, True)):
        deal = game.begin()
        rows = iter(game.rows)
        while deal.number <= served.slot.number:
            take(deal, next(rows), game.honest)
        stray = seal(
            game.identities[drawer],
            table=deal.table,
            deal=deal.deal,
            slot=served.slot,
            seat=drawer,
            head=head,
            kind="NONE",
            elapsed=0,
            body=NoSnap(b""),
        )
        told = [output for output in take(deal, stray, game.honest) if isinstance(output, Differing)]
        assert bool(told) is not lie
        assert (None if deal.fault is None else (deal.fault.seat, deal.fault.code)) == (
            (drawer, "illegal-move") if lie else None
        )

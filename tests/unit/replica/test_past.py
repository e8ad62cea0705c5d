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

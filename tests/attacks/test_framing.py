"""Nobody honest is ever blamed: messages that are due in one history are no offence in another."""

import pytest

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.wire.bodies import Action
from p2pkaboo.wire.envelope import Envelope
from tests.support.attacks import refusals, resign
from tests.support.tables import Node, differing
from tests.support.transcripts import FormedTable, small_rules


@pytest.mark.parametrize("seed", range(6))
def test_who_is_told_another_move_is_not_blamed_for_playing_on(seed: int) -> None:
    """One seat takes the discard, and tells its neighbour alone that it has called: the neighbour plays its turn."""
    table = FormedTable(small_rules("cabo-standard"), 3, seed)
    told: list[tuple[int, tuple[int, int, int], int]] = []

    def tamper(node: Node, envelope: Envelope) -> dict[int, Envelope | None] | None:
        if told:
            liar, since, victim = told[0]
            return {victim: None} if envelope.seat == liar and envelope.slot.order > since else None
        if isinstance(envelope.body, Action) and envelope.body.move[0] == "take":
            victim = (envelope.seat + 1) % 3
            told.append((envelope.seat, envelope.slot.order, victim))
            return {victim: resign(node, envelope, body=Action(("call", envelope.seat), None, b""))}
        return None

    table.tamper = tamper
    table.run()
    ((liar, _, _),) = told
    for seat in range(3):
        assert all(fault.seat == liar for fault in refusals(table, seat))
        assert audit_file(table.transcript(seat)).seat in (None, liar)
    assert differing(table) or refusals(table, 0) or refusals(table, 1) or refusals(table, 2)

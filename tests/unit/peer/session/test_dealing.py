"""Who has checked the shuffles: what a screen says of the others is true at the others."""

from __future__ import annotations

from functools import partial

from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.lab.tables.table import Node
from p2pkaboo.peer import api
from p2pkaboo.peer.session.dealing import dealing_of
from p2pkaboo.peer.session.seat import Human
from p2pkaboo.replica.outputs import Verify
from tests.support.tables import MS, Table

SEATS, SLOW = 4, 400 * MS


class Watched(Table):
    """A table whose first seat is watched, and takes its time over every proof."""

    def __init__(self) -> None:
        super().__init__(small_rules("sheffield"), SEATS, 5, proofs=False)
        self.human = Human(lambda: self.now // 1000, lambda: None)
        self.human.begin(self.nodes[0].deal, 0)
        self.seen: list[api.Dealing] = []
        self.true: list[set[int]] = []
        """The seats that have checked all, by their own replicas, at each moment of `seen`."""

    def turn(self, node: Node) -> None:
        super().turn(node)
        if node.seat == 0 and node.deal.deal == 1 and node.deal.lanes is None:
            self.seen.append(dealing_of(node.deal, self.human))
            self.true.append({other.seat for other in self.nodes if other.deal.order or other.deal.deal > 1})

    def judged(self, node: Node, command: Verify) -> None:
        if node.seat == 0 and command.envelope.kind == "SHUFFLE":
            self.at(SLOW, partial(super().judged, node, command))
        else:
            super().judged(node, command)


def test_a_seat_is_said_to_have_checked_once_it_has_and_has_shown_it() -> None:
    table = Watched()
    table.run()
    checked = [{step.seat: set(step.checked_by) for step in dealing.shuffles} for dealing in table.seen]
    for shown, true in zip(checked, table.true, strict=True):
        assert all(by - {0} <= true for by in shown.values())
        assert all(seat not in by for seat, by in shown.items())
    everybody = {seat: set(range(SEATS)) - {seat} for seat in range(SEATS)}
    assert checked[-1] == everybody
    assert {seat: set() for seat in range(SEATS)} in checked
    # the others were quicker, and what they sent told so before the own check was done
    assert any(shown[1] >= {2, 3} and 0 not in shown[1] for shown in checked)

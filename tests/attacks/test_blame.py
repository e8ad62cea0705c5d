"""Whose fault it is where several cheat at once, and whose it is not where a message belongs elsewhere."""

import pytest

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.crypto.elgamal import remask
from p2pkaboo.crypto.mixing import shuffle
from p2pkaboo.crypto.shuffle import ShuffleStatement, prove_shuffle
from p2pkaboo.lab.tables.cheating import resign
from p2pkaboo.replica.context import context_of
from p2pkaboo.replica.desk import Duty
from p2pkaboo.replica.shuffling import shuffling_order
from p2pkaboo.replica.table import receive
from p2pkaboo.wire.bodies import Body, Shuffle
from p2pkaboo.wire.envelope import decode_envelope, verify_envelope
from tests.support.attacks import refusals, table_of
from tests.support.tables import MS, Node
from tests.support.transcripts import small_rules

CABO = small_rules("cabo-standard")


def doubled(node: Node, duty: Duty) -> Body:
    """A shuffle in which one card stands twice, with the best proof there is for it."""
    series = node.deal.series
    assert series is not None
    key, context = node.deal.key(), context_of(node.deal, duty.step.slot, node.seat)
    after, witness = shuffle(series.deck, key, node.rng)
    changed = (remask(after[1], key, 7), *after[1:])
    proof = prove_shuffle(ShuffleStatement(context, key, series.deck, changed), witness, node.rng)
    return Shuffle(b"".join(card.encode() for card in changed), proof.encode())


@pytest.mark.parametrize("late", [0, 1])
def test_of_several_false_shuffles_the_first_in_order_is_blamed(late: int) -> None:
    """Who shuffles a false deck on is not the one who made it false; the verdict on the second may come first."""
    table = table_of(CABO, 6)
    order = shuffling_order(table.nodes[0].deal)
    cheats, honest = order[:2], order[2]

    def make(node: Node, duty: Duty) -> Body | None:
        return doubled(node, duty) if duty.kind == "SHUFFLE" and node.seat in cheats else None

    judged = table.judged

    def slowly(node: Node, command: object) -> None:
        """The honest seat checks the proofs of one of the two cheats last."""
        seat = command.envelope.seat  # type: ignore[attr-defined]
        waits = 50 * MS if node.seat == honest and seat == cheats[late] else 0
        table.at(waits, lambda: judged(node, command))  # type: ignore[arg-type]

    table.make = make
    table.judged = slowly  # type: ignore[method-assign]
    table.run()
    (fault,) = refusals(table, honest)
    assert (fault.seat, fault.code, str(fault.slot)) == (cheats[0], "bad-shuffle", "m2")
    report = audit_file(table.transcript(honest))
    assert (report.verdict, report.seat, report.slot) == ("bad-shuffle", cheats[0], "m2")


@pytest.mark.parametrize("where", [{"table": bytes(64)}, {"deal": 2}, {"deal": 0}])
def test_what_is_signed_for_elsewhere_is_nothing_here(where: dict[str, object]) -> None:
    """Also at the very slot that is open, where it would be the second message of its seat."""
    table = table_of(CABO, 7)
    changed: list[bool] = []

    def arrive() -> None:
        node, other = table.nodes[0], table.nodes[1]
        honest = decode_envelope(other.sent[0])
        foreign = resign(other, honest, elapsed=honest.elapsed + 1, **where)  # type: ignore[arg-type]
        signed = verify_envelope(foreign, table.keys[1])
        assert signed is not None
        before = dict(node.deal.held)
        receive(node.deal, signed)
        changed.append(node.deal.held != before or node.deal.fault is not None)

    table.at(500 * MS, arrive)
    table.run()
    assert changed == [False]
    assert refusals(table, 0) == []
    assert table.nodes[0].deal.over

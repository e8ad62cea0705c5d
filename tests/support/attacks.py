"""One cheating seat at a formed table, and what must come of it: everybody else refuses, the auditor confirms."""

from collections.abc import Callable

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.replica.desk import Duty
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.outputs import Refused
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import Body
from p2pkaboo.wire.envelope import Envelope, seal
from p2pkaboo.wire.slot import Slot
from tests.support.tables import Node, duty_body
from tests.support.transcripts import FormedTable

CHEAT = 1
"""The seat that cheats."""


def resign(
    node: Node,
    envelope: Envelope,
    *,
    body: Body | None = None,
    head: bytes | None = None,
    elapsed: int | None = None,
    kind: str | None = None,
    slot: Slot | None = None,
) -> Envelope:
    """Another message of the same seat, in most things like this one, and honestly signed."""
    return seal(
        node.identity,
        table=envelope.table,
        deal=envelope.deal,
        slot=envelope.slot if slot is None else slot,
        seat=envelope.seat,
        head=envelope.head if head is None else head,
        kind=envelope.kind if kind is None else kind,
        elapsed=envelope.elapsed if elapsed is None else elapsed,
        body=envelope.body if body is None else body,
    ).envelope


def make_once(
    table: FormedTable, kind: str, forge: Callable[[Node, Duty, Body], Body | None], *, openly: bool = False
) -> list[Slot]:
    """Lets the cheat forge its first message of a kind for which `forge` gives a body, from the honest one.

    Its own replica holds the honest message, so that the cheat goes on as if nothing were; `openly`: the forged one.
    Gives the slot of the forged message, once there is one.
    """
    done: list[Slot] = []
    forged: list[Body] = []

    def make(node: Node, duty: Duty) -> Body | None:
        if node.seat != CHEAT or duty.kind != kind or done:
            return None
        made = duty_body(node, duty)
        for name, value in made.secrets:
            node.own.remember(name, value)
        body = forge(node, duty, made.body)
        if body is None:
            return made.body
        done.append(duty.step.slot)
        if openly:
            return body
        forged.append(body)
        return made.body

    def tamper(node: Node, envelope: Envelope) -> dict[int, Envelope | None] | None:
        if not forged or envelope.seat != CHEAT:
            return None
        lie = resign(node, envelope, body=forged.pop())
        return dict.fromkeys((other.seat for other in table.nodes if other.seat != CHEAT), lie)

    table.make, table.tamper = make, tamper
    return done


def table_of(rules: Ruleset, seed: int, *, snap_rate: float = 0.5) -> FormedTable:
    """Three seats that verify every proof."""
    return FormedTable(rules, 3, seed, snap_rate=snap_rate, proofs=True)


def refusals(table: FormedTable, seat: int) -> list[Fault]:
    """What a seat has refused."""
    return [output.fault for output in table.nodes[seat].outputs if isinstance(output, Refused)]


def caught(table: FormedTable, code: str, slot: Slot, *, cheat: int = CHEAT) -> None:
    """Every honest seat has refused the cheat's message at `slot`, and nobody else's; every transcript says so too."""
    for seat in range(len(table.nodes)):
        if seat == cheat:
            continue
        (fault,) = refusals(table, seat)
        assert (fault.seat, fault.code, fault.slot) == (cheat, code, slot), fault.reason
        report = audit_file(table.transcript(seat))
        assert (report.verdict, report.seat, report.slot) == (code, cheat, str(slot)), report.reason
        assert report.round == 1
        assert report.step is not None
        assert report.reason
        assert not report.valid

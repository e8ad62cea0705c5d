"""One lying seat at a formed table: another message in place of an honest one, honestly signed."""

from collections.abc import Callable
from typing import Final

from p2pkaboo.lab.tables.formed import FormedTable
from p2pkaboo.lab.tables.table import Node, honest_body
from p2pkaboo.replica.desk import Duty
from p2pkaboo.wire.bodies import Body
from p2pkaboo.wire.envelope import Envelope, seal
from p2pkaboo.wire.slot import Slot

CHEAT: Final = 1
"""The seat that cheats."""

Forge = Callable[[Node, Duty, Body], Body | None]
"""A lie: the body to be said instead of the honest one. None: not this time."""


def resign(
    node: Node,
    envelope: Envelope,
    *,
    body: Body | None = None,
    head: bytes | None = None,
    elapsed: int | None = None,
    kind: str | None = None,
    slot: Slot | None = None,
    table: bytes | None = None,
    deal: int | None = None,
    seat: int | None = None,
) -> Envelope:
    """Another message, in most things like this one, signed by `node`, which is its seat unless it lies about that."""
    return seal(
        node.identity,
        table=envelope.table if table is None else table,
        deal=envelope.deal if deal is None else deal,
        slot=envelope.slot if slot is None else slot,
        seat=envelope.seat if seat is None else seat,
        head=envelope.head if head is None else head,
        kind=envelope.kind if kind is None else kind,
        elapsed=envelope.elapsed if elapsed is None else elapsed,
        body=envelope.body if body is None else body,
    ).envelope


def make_once(table: FormedTable, kind: str, forge: Forge, *, openly: bool = False, cheat: int = CHEAT) -> list[Slot]:
    """Lets the cheat forge its first message of a kind for which `forge` gives a body, from the honest one.

    Its own replica holds the honest message, so that the cheat goes on as if nothing were; `openly`: the forged one.
    Gives the slot of the forged message, once there is one.
    """
    done: list[Slot] = []
    forged: list[Body] = []

    def make(node: Node, duty: Duty) -> Body | None:
        if node.seat != cheat or duty.kind != kind or done:
            return None
        made = honest_body(node, duty)
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
        if not forged or envelope.seat != cheat:
            return None
        lie = resign(node, envelope, body=forged.pop())
        return dict.fromkeys((other.seat for other in table.nodes if other.seat != cheat), lie)

    table.make, table.tamper = make, tamper
    return done

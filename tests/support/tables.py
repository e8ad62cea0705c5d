"""Tables on virtual time whose chance comes from Python's generator; and what tests ask of their seats."""

import random

from p2pkaboo.lab.tables import table as lab
from p2pkaboo.lab.tables.chance import seeded
from p2pkaboo.lab.tables.table import DELAY, MS, Node, make_charter, make_identities
from p2pkaboo.replica.outputs import Accepted, Differing, Refused
from p2pkaboo.rules.ruleset import Ruleset

__all__ = [
    "MS",
    "Node",
    "Table",
    "accepted",
    "differing",
    "faults",
    "heads",
    "make_charter",
    "make_identities",
    "seeded",
]


class Table(lab.Table):
    """A table that a seed repeats."""

    def __init__(
        self,
        rules: Ruleset,
        seats: int,
        seed: int,
        *,
        rounds: int = 1,
        delay: tuple[int, int] = DELAY,
        snap_rate: float = 0.3,
        proofs: bool = True,
    ) -> None:
        super().__init__(
            rules,
            seats,
            random.Random(seed),
            f"table{seed}",
            rounds=rounds,
            delay=delay,
            snap_rate=snap_rate,
            proofs=proofs,
        )


def heads(node: Node) -> dict[str, bytes]:
    """The head of every step that this seat completed, in all deals."""
    deals = [*node.deals, node.deal]
    return {f"{deal.deal}/{closed.slot}": closed.head for deal in deals for closed in deal.history}


def faults(table: lab.Table) -> list[object]:
    """Everything that any seat has refused."""
    return [output.fault for node in table.nodes for output in node.outputs if isinstance(output, Refused)]


def differing(table: lab.Table) -> list[object]:
    """Every message that any seat found to continue another history."""
    return [output for node in table.nodes for output in node.outputs if isinstance(output, Differing)]


def accepted(node: Node) -> int:
    """How many messages a seat has accepted."""
    return sum(isinstance(output, Accepted) for output in node.outputs)

"""Whole rounds with real proofs for every size of table: 2 to 8 seats, 1 to 4 packs, on virtual time in one process.

    .venv/bin/python scripts/many_tables.py [--preset sheffield] [--seats 2 3 4] [--packs 1 2] [--seed 1]

Every message passes every replica; each proof is verified once (it is the same for everybody), and every round is
audited from its transcript. Exit code 1 if a table does not come to one end, or somebody is blamed.
"""

import argparse
import random
import sys
import time
from dataclasses import dataclass

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.crypto.sigma import check
from p2pkaboo.lab.tables.formed import FormedTable
from p2pkaboo.lab.tables.table import Node
from p2pkaboo.replica.outputs import Refused, Verify
from p2pkaboo.replica.table import verdict
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.ruleset import load_preset, with_overrides

SEATS = range(2, 9)
PACKS = range(1, 5)


@dataclass(frozen=True)
class Played:
    """One round: how it was sized, what it took, and what is wrong with it (nothing, if it is well)."""

    seats: int
    packs: int
    cards: int
    steps: int
    messages: int
    kilobytes: float
    seconds: float
    wrong: str


class SharedProofs(FormedTable):
    """A proof that one seat has verified is as good at the next."""

    verdicts: dict[bytes, int | None]

    def judged(self, node: Node, command: Verify) -> None:
        """The first seat to ask does the work."""
        if command.token not in self.verdicts:
            proved = (check(item.statement, item.proof) for item in command.checks)
            self.verdicts[command.token] = next((at for at, proof in enumerate(proved) if proof is None), None)
        verdict(node.deal, command.token, self.verdicts[command.token])
        self.turn(node)


def play(preset: str, seats: int, packs: int, seed: int) -> Played:
    """One round from the charter to the signed result."""
    keys: dict[str, object] = {"deck.packs": packs, "players.max": max(seats, 2), "match.rounds": 1}
    rules = with_overrides(load_preset(preset), keys)
    began = time.perf_counter()
    table = SharedProofs(rules, seats, random.Random(seed), f"many{seats}/{packs}/{seed}", rounds=1, snap_rate=0.3)
    table.verdicts = {}
    table.run()
    node = table.nodes[0]
    sent = [data for each in table.nodes for data in each.sent]
    return Played(
        seats,
        packs,
        len(deck(rules)),
        len(node.deal.history),
        len(sent),
        sum(map(len, sent)) / 1024,
        time.perf_counter() - began,
        _wrong(table),
    )


def _wrong(table: SharedProofs) -> str:
    for node in table.nodes:
        for output in node.outputs:
            if isinstance(output, Refused):
                return f"seat {node.seat} refused seat {output.fault.seat}: {output.fault.reason}"
    if not all(node.deal.over for node in table.nodes):
        return "the round did not end"
    if len({node.deal.head for node in table.nodes}) != 1:
        return "the seats ended with different histories"
    report = audit_file(table.transcript())
    return "" if report.valid else f"the audit says {report.verdict}: {report.reason}"


def main(arguments: list[str] | None = None) -> int:
    """Plays the sizes asked for; 0 if all is well."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--preset", default="sheffield")
    parser.add_argument("--seats", type=int, nargs="+", default=list(SEATS))
    parser.add_argument("--packs", type=int, nargs="+", default=list(PACKS))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    wrong = 0
    print("seats packs cards steps messages    kB seconds")
    for packs in options.packs:
        for seats in options.seats:
            played = play(options.preset, seats, packs, options.seed)
            row = f"{seats:5} {packs:5} {played.cards:5} {played.steps:5} {played.messages:8} {played.kilobytes:5.0f}"
            print(f"{row} {played.seconds:7.1f}  {played.wrong or 'valid'}", flush=True)
            wrong += bool(played.wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

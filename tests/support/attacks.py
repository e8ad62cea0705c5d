"""One cheating seat at a formed table, and what must come of it: everybody else refuses, the auditor confirms."""

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.lab.tables.cheating import CHEAT, make_once, resign
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.outputs import Refused
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.slot import Slot
from tests.support.transcripts import FormedTable

__all__ = ["CHEAT", "caught", "make_once", "refusals", "resign", "table_of"]


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

"""Games that were played once, as records: all messages of a deal in the order in which one seat accepted them."""

from dataclasses import dataclass, field
from functools import lru_cache

from p2pkaboo.crypto.identity import Identity
from p2pkaboo.crypto.sigma import check
from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.replica.charter import Charter
from p2pkaboo.replica.match import first_deal
from p2pkaboo.replica.outputs import Accepted, Output, Verify
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.wire.envelope import Signed, verify_envelope
from tests.support.tables import Table, faults

PRESETS = ("sheffield", "kabbu", "cabo-standard", "cabo-guide", "cabo-online")


@dataclass(frozen=True)
class Record:
    """One deal: who played, what was said, and the deal at its end."""

    name: str
    charter: Charter = field(repr=False)
    identities: tuple[Identity, ...] = field(repr=False)
    rows: tuple[Signed, ...] = field(repr=False)
    end: Deal = field(repr=False)

    @property
    def honest(self) -> frozenset[bytes]:
        """Hashes of the messages."""
        return frozenset(row.envelope.hash for row in self.rows)

    def heads(self) -> dict[str, bytes]:
        return heads_of(self.end)

    def begin(self) -> Deal:
        """The deal before its first message."""
        return first_deal(self.charter)


@lru_cache(maxsize=64)
def record(preset: str, seats: int, seed: int, *, everything: bool = False) -> Record:
    """A deal with a small deck and hasty players; `everything`: every snapped card may be snapped."""
    rules = small_rules(preset, **({"snap__limit": "all", "players__max": 5} if everything else {"players__max": 5}))
    table = Table(rules, seats, seed, proofs=False, snap_rate=0.8)
    table.run()
    assert faults(table) == []
    node = table.nodes[0]
    rows = []
    for output in node.outputs:
        if isinstance(output, Accepted):
            signed = verify_envelope(output.envelope, table.keys[output.envelope.seat])
            assert signed is not None
            rows.append(signed)
    assert node.deal.over
    identities = tuple(each.identity for each in table.nodes)
    return Record(f"{preset}/{seats}/{seed}/{everything}", table.charter, identities, tuple(rows), node.deal)


def heads_of(deal: Deal) -> dict[str, bytes]:
    """The head of every completed step."""
    return {str(closed.slot): closed.head for closed in deal.history}


def take(deal: Deal, signed: Signed, honest: frozenset[bytes]) -> list[Output]:
    """Hands in a message and answers what the replica asks for: `honest` messages are proved, others are checked."""
    receive(deal, signed)
    return settle(deal, honest)


def settle(deal: Deal, honest: frozenset[bytes]) -> list[Output]:
    """Answers until nothing is asked for any more."""
    seen: list[Output] = []
    while outputs := drain(deal):
        seen += outputs
        for output in outputs:
            if isinstance(output, Verify):
                verdict(deal, output.token, judged(output, honest))
    return seen


def judged(command: Verify, honest: frozenset[bytes]) -> int | None:
    """The first check that fails."""
    if command.envelope.hash in honest:
        return None
    proofs = ((at, check(item.statement, item.proof)) for at, item in enumerate(command.checks))
    return next((at for at, proved in proofs if proved is None), None)


def plain(deal: Deal) -> dict[str, object]:
    """The replica as plain data, without what is only waiting to be reported."""
    return {name: getattr(deal, name) for name in Deal.__dataclass_fields__ if name != "out"}

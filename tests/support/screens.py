"""Screens at a table on virtual time: every seat's messages, with the steps that were complete at that time."""

from dataclasses import dataclass, field
from typing import cast

import msgspec
from msgspec.structs import replace

from p2pkaboo.audit.auditor import audit_round
from p2pkaboo.audit.history import deal_envelopes
from p2pkaboo.audit.report import RoundAudit
from p2pkaboo.peer import api
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.session.links import Links
from p2pkaboo.peer.session.seat import Human
from p2pkaboo.peer.session.table import options_of, table_of
from p2pkaboo.peer.session.turn import Turns
from p2pkaboo.replica.desk import Desk
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.outputs import Happened, Output, Raced, Viewed
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.slot import Slot
from tests.support.tables import Node, Table

NAME = api.RulesName(id="", name="", preset="sheffield")


@dataclass(slots=True)
class Stand:
    """What a running seat shows of itself, for a node on virtual time."""

    table: Table
    node: Node
    fault: Fault | None = None
    finished: bool = False
    links: set[int] = field(default_factory=set)

    @property
    def seat(self) -> int:
        return self.node.seat

    @property
    def current(self) -> Deal:
        return self.node.deal

    @property
    def desk(self) -> Desk:
        return self.node.desk

    @property
    def clock(self) -> object:
        return self.node.clock

    @property
    def deals(self) -> list[Deal]:
        return [*self.node.deals, self.node.deal] if self.node.deal not in self.node.deals else self.node.deals

    @property
    def audits(self) -> list[RoundAudit | None]:
        return [None for _ in self.deals]

    def now(self) -> int:
        return self.table.now


@dataclass(frozen=True, slots=True)
class Shot:
    """One message to a screen: at what time (ms), what it says, and which steps were complete at its seat."""

    seat: int
    at_ms: int
    said: api.Snapshot | api.AnyEvent
    complete: frozenset[Slot]

    @property
    def json(self) -> bytes:
        return msgspec.json.encode(self.said)


class ScreenTable(Table):
    """A table at which every seat has a screen; `shots` are all messages to them. One round."""

    def __init__(self, rules: Ruleset, seats: int, seed: int) -> None:
        self.shots: list[Shot] = []
        self.humans: dict[int, Human] = {}
        self.stands: dict[int, Stand] = {}
        self.turns: dict[int, Turns] = {}
        self.numbers: dict[int, int] = {}
        super().__init__(rules, seats, seed, proofs=False, snap_rate=0.5)
        for node in self.nodes:
            human = Human(lambda: self.now // 1000, lambda: None)
            human.begin(node.deal, node.seat)
            human.live = human.on_screen = True
            self.humans[node.seat] = human
            self.stands[node.seat] = Stand(self, node)
            self.turns[node.seat], self.numbers[node.seat] = Turns(), 0

    def turn(self, node: Node) -> None:
        before = len(node.outputs)
        super().turn(node)
        human = self.humans[node.seat]
        for output in node.outputs[before:]:
            _tell(node, human, output)
        human.changed()
        self.shoot(node)

    def shoot(self, node: Node) -> None:
        """Builds what a screen gets now."""
        human, runner = self.humans[node.seat], cast(SeatRunner, self.stands[node.seat])
        number = self.numbers[node.seat] = self.numbers[node.seat] + 1
        complete = frozenset(closed.slot for closed in node.deal.history)
        now = self.now // 1000
        motion, human.chronicle.motion = human.chronicle.motion, []
        table = table_of(
            runner,
            human,
            Links(node.seat, 60_000),
            now_ms=now,
            name="Table",
            rules_name=NAME,
            bots=frozenset(),
            evidence="",
        )
        table = self.turns[node.seat].stamp(table, options_of(runner, human), number)
        snapshot = api.Snapshot(
            number=number, now_ms=now, screen="table", me=api.Person(name=f"P{node.seat}"), table=table
        )
        for event in motion:
            self.shots.append(Shot(node.seat, now, replace(event, snapshot=number), complete))
        self.shots.append(Shot(node.seat, now, snapshot, complete))


def _tell(node: Node, human: Human, output: Output) -> None:
    """What the running peer tells its player."""
    match output:
        case Happened(slot, events):
            human.happened(slot, events)
        case Viewed(_, viewer, handle) if viewer == node.seat:
            human.looked(handle, node.desk.known[handle])
        case Raced(_, record):
            human.raced(node.deal.races[record])
        case _:
            pass


def truth(node: Node) -> RoundAudit:
    """The whole round with nothing hidden, from the keys that are disclosed at its end."""
    deal = node.deal
    return audit_round(
        deal.charter, deal.deal, deal.dealer, deal.active, deal.standing, deal.charter.hash, deal_envelopes(deal)
    )

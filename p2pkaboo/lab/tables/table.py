"""A table on virtual time: every seat a replica, a desk and a clock, with made-up wires and people between them.

Messages take random times and come in any order; people choose legal moves at random. All chance comes from one source,
so a run is repeated by its seed. `Table.tamper` and `Table.make` let a seat lie.
"""

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from p2pkaboo.crypto.identity import Identity, PublicIdentity
from p2pkaboo.crypto.runner import serial
from p2pkaboo.crypto.sigma import check
from p2pkaboo.lab.tables.chance import Chance, seeded
from p2pkaboo.peer.bodies import work_for
from p2pkaboo.replica.charter import RACES, Charter
from p2pkaboo.replica.clock import Clock
from p2pkaboo.replica.desk import Desk, Duty
from p2pkaboo.replica.duties import due, taken_up
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.match import first_deal, match_over, next_deal
from p2pkaboo.replica.outputs import Output, Verify, Viewed
from p2pkaboo.replica.own import Made, Own, viewed_face
from p2pkaboo.replica.questions import answer
from p2pkaboo.replica.snapping import press
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.rules.engine import snap_targets
from p2pkaboo.rules.moves import Move
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Body
from p2pkaboo.wire.envelope import Envelope, Signed, decode_envelope, seal, verify_envelope
from p2pkaboo.wire.slot import Slot

MS: Final = 1000
"""Microseconds in a millisecond: all times here are microseconds."""

DELAY: Final = (1 * MS, 40 * MS)
"""How long a message takes, at least and at most, where nothing else is said."""

VERIFIES: Final = (0, 5 * MS)
"""How long a seat takes to verify the proofs of a message."""

THINKS: Final = (0, 400 * MS)
"""How long a player takes to choose."""

REACTS: Final = (150 * MS, 900 * MS)
"""How long a player takes to snap."""


def make_identities(seats: int, label: str) -> list[Identity]:
    """One identity a seat."""
    return [Identity.generate(seeded(f"{label}/identity{seat}")) for seat in range(seats)]


def make_charter(rules: Ruleset, identities: list[Identity], label: str, race: str = "lan") -> Charter:
    """A charter in the order of the identities."""
    keys = tuple(identity.public.encoded for identity in identities)
    nonces = tuple(seeded(f"{label}/nonce{seat}")(32) for seat in range(len(identities)))
    return Charter(rules, RACES[race], keys, tuple(f"P{seat}" for seat in range(len(identities))), nonces)


@dataclass(slots=True)
class Node:
    """One seat: its replica, desk, secrets and clock, and a record of what it sent, received and reported."""

    seat: int
    identity: Identity
    deal: Deal
    desk: Desk
    own: Own
    clock: Clock
    rng: Callable[[int], bytes]
    started: int = 0
    sent: list[bytes] = field(default_factory=list)
    received: list[bytes] = field(default_factory=list)
    secrets: list[tuple[str, bytes]] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    deals: list[Deal] = field(default_factory=list)
    """Those that are over, the one in play too once it is."""
    later: list[Signed] = field(default_factory=list)
    wondered: set[tuple[int, Slot]] = field(default_factory=set)
    """Windows (by deal and slot) in which its player has made up its mind about a snap."""


class Table:
    """`run` plays until every deal asked for is over, or nothing happens any more.

    `chance`: of delays and choices; `label`: what all secrets are made from; `rounds`: deals at most; `delay`: of a
    message; `snap_rate`: how often a player snaps that can; `proofs`: whether the seats verify each other's proofs.
    """

    def __init__(
        self,
        rules: Ruleset,
        seats: int,
        chance: Chance,
        label: str,
        *,
        rounds: int = 1,
        delay: tuple[int, int] = DELAY,
        snap_rate: float = 0.3,
        proofs: bool = True,
    ) -> None:
        self.chance, self.label = chance, label
        self.delay, self.snap_rate, self.rounds, self.proofs = delay, snap_rate, rounds, proofs
        self.now = 0
        self.queue: list[tuple[int, int, Callable[[], None]]] = []
        self.count = 0
        self.tamper: Callable[[Node, Envelope], Mapping[int, Envelope | None] | None] | None = None
        """What each seat gets instead of an envelope that a seat says (None: nothing); None: all get it as it is."""
        self.make: Callable[[Node, Duty], Body | None] | None = None
        """What a seat says to a duty instead of the honest body; None: the honest one."""
        self.charter, seated = self.form(rules, make_identities(seats, label))
        self.keys = [PublicIdentity.decode(key) for key in self.charter.keys]
        self.nodes = [self.make_node(seat, identity) for seat, identity in enumerate(seated)]
        for node in self.nodes:
            self.at(0, partial(self.turn, node))

    def form(self, rules: Ruleset, identities: list[Identity]) -> tuple[Charter, list[Identity]]:
        """The charter, and the identities in seat order."""
        return make_charter(rules, identities, self.label), identities

    def make_node(self, seat: int, identity: Identity) -> Node:
        """A seat before the first deal."""
        deal = first_deal(self.charter)
        clock = Clock(seat)
        return Node(seat, identity, deal, Desk(deal, seat, clock), Own(seat), clock, seeded(f"{self.label}/rng{seat}"))

    def at(self, delay: int, action: Callable[[], None]) -> None:
        """Something that will happen after so many microseconds."""
        self.count += 1
        heapq.heappush(self.queue, (self.now + delay, self.count, action))

    def run(self, limit: int = 200_000) -> None:
        """Lets things happen until none is left. LocalError after `limit` of them."""
        for _ in range(limit):
            if not self.queue:
                return
            self.now, _, action = heapq.heappop(self.queue)
            action()
        raise LocalError("the table does not come to rest")

    # ---------------------------------------------------------------- one seat

    def turn(self, node: Node) -> None:
        """Everything that a seat does at an instant."""
        while True:
            self.digest(node)
            if node.deal.over and not self.next(node):
                return
            duties, wake = due(node.desk, self.now)
            self.ask(node)
            if not duties:
                break
            for duty in duties:
                taken_up(node.desk, duty)
                self.say(node, duty)
        if wake is not None:
            self.at(max(1, wake - self.now), partial(self.turn, node))

    def next(self, node: Node) -> bool:
        """Goes on to the next deal; False if there is none."""
        if all(
            deal is not node.deal for deal in node.deals
        ):  # at the end of the match it comes here with every late message
            node.deals.append(node.deal)
        if match_over(node.deal) or len(node.deals) >= self.rounds:
            return False
        node.deal = next_deal(node.deal)
        node.desk = Desk(node.deal, node.seat, node.clock)
        node.own = Own(node.seat)
        node.started = self.now
        later, node.later = node.later, []
        for signed in later:
            self.take(node, signed)
        return True

    def digest(self, node: Node) -> None:
        """Carries out what the seat's replica asks for, and takes note of what it reports."""
        for output in drain(node.deal):
            node.outputs.append(output)
            match output:
                case Verify():
                    self.at(self.chance.randint(*VERIFIES), partial(self.judged, node, output))
                case Viewed(_, viewer, handle) if viewer == node.seat:
                    node.desk.known[handle] = viewed_face(node.deal, node.own, handle)
                case _:
                    pass
        if node.deal.score is not None:
            node.desk.audited = True

    def judged(self, node: Node, command: Verify) -> None:
        """The proofs of a message are verified."""
        failed = None
        if self.proofs and command.envelope.seat != node.seat:
            verdicts = (check(item.statement, item.proof) for item in command.checks)
            failed = next((at for at, proved in enumerate(verdicts) if proved is None), None)
        verdict(node.deal, command.token, failed)
        self.turn(node)

    def say(self, node: Node, duty: Duty) -> None:
        """Makes a message and sends it to everybody."""
        made = self.body(node, duty)
        for name, value in made.secrets:
            node.own.remember(name, value)
            node.secrets.append((name, value))
        signed = seal(
            node.identity,
            table=node.deal.table,
            deal=node.deal.deal,
            slot=duty.step.slot,
            seat=node.seat,
            head=duty.step.head,
            kind=duty.kind,
            elapsed=(self.now - node.started) // (100 * MS),
            body=made.body,
        )
        node.clock.said(node.deal.deal, duty.step.slot, self.now)
        versions = self.tamper(node, signed.envelope) if self.tamper else None
        for other in self.nodes:
            envelope = signed.envelope if versions is None else versions.get(other.seat, signed.envelope)
            if envelope is None:
                continue
            if other is node:
                node.sent.append(envelope.data)
                receive(node.deal, signed)
            else:
                self.at(self.chance.randint(*self.delay), partial(self.deliver, other, envelope.data))

    def deliver(self, node: Node, data: bytes) -> None:
        """A message arrives."""
        envelope = decode_envelope(data)
        signed = verify_envelope(envelope, self.keys[envelope.seat])
        if signed is None:
            raise LocalError("a message is delivered whose signature does not verify")
        node.received.append(data)
        self.take(node, signed)
        self.turn(node)

    def take(self, node: Node, signed: Signed) -> None:
        """Stamps a message and hands it to the replica, or keeps it for the deal that it belongs to."""
        envelope = signed.envelope
        node.clock.arrived(envelope.deal, envelope.slot, envelope.seat, self.now)
        if envelope.deal > node.deal.deal:
            node.later.append(signed)
        else:
            receive(node.deal, signed)

    def body(self, node: Node, duty: Duty) -> Made:
        """What a seat says."""
        lie = self.make(node, duty) if self.make is not None else None
        return honest_body(node, duty) if lie is None else Made(lie)

    # ---------------------------------------------------------------- its player

    def ask(self, node: Node) -> None:
        """Puts the desk's question to the player, and a card that may be snapped before it."""
        question = node.desk.question
        if question is not None:
            move = self.chance.choice(question.moves) if question.moves else None
            self.at(self.chance.randint(*THINKS), partial(self.answered, node, question.number, move))
        lanes = node.deal.lanes
        if lanes is None or lanes.window is None or lanes.window.kind != "WINDOW":
            return
        slot = lanes.window.slot
        if slot in node.desk.said or (node.deal.deal, slot) in node.wondered:
            return
        node.wondered.add((node.deal.deal, slot))
        targets = snap_targets(lanes.now, node.seat)
        if targets and self.chance.random() < self.snap_rate:
            target = self.chance.choice(targets)
            self.at(self.chance.randint(*REACTS), partial(self.snap, node, target))

    def answered(self, node: Node, number: int, move: Move | None) -> None:
        """The player has chosen."""
        if answer(node.desk, number, move):
            self.turn(node)

    def snap(self, node: Node, target: Handle) -> None:
        """The player presses."""
        if press(node.desk, target, self.now):
            self.turn(node)


def honest_body(node: Node, duty: Duty) -> Made:
    """What an honest seat says."""
    work = work_for(node.deal, node.desk, node.own, duty, serial)
    return work if isinstance(work, Made) else work(node.rng)

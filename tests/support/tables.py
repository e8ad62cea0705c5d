"""A whole table in one process, on virtual time: real replicas, desks, clocks and proofs; only wires and people are
made up. Every delay comes from one seeded generator, so a failing run is repeated by its seed."""

import heapq
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import shake_256

from p2pkaboo.crypto.identity import Identity, PublicIdentity
from p2pkaboo.crypto.runner import serial
from p2pkaboo.crypto.sigma import check
from p2pkaboo.replica import own as own_messages
from p2pkaboo.replica.charter import RACES, Charter
from p2pkaboo.replica.clock import Clock
from p2pkaboo.replica.desk import Desk, Duty, answer, due, press, taken_up
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.match import first_deal, match_over, next_deal
from p2pkaboo.replica.outputs import Accepted, Differing, Output, Refused, Verify, Viewed
from p2pkaboo.replica.own import Made, Own
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.rules.engine import Needs, play, snap_targets
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import Body, NoSnap, Ready, Seen
from p2pkaboo.wire.envelope import Envelope, Signed, decode_envelope, seal, verify_envelope

MS = 1000


def seeded(text: str) -> Callable[[int], bytes]:
    """A stream of bytes from a text: for tests only."""
    count = 0

    def rng(size: int) -> bytes:
        nonlocal count
        count += 1
        return shake_256(f"{text}/{count}".encode()).digest(size)

    return rng


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
    """One seat: its replica, desk, secrets and clock."""

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
    later: list[Signed] = field(default_factory=list)


class Table:
    """`run` plays until every deal asked for is over, or nothing happens any more."""

    def __init__(
        self,
        rules: Ruleset,
        seats: int,
        seed: int,
        *,
        rounds: int = 1,
        delay: tuple[int, int] = (1 * MS, 40 * MS),
        snap_rate: float = 0.3,
        proofs: bool = True,
    ) -> None:
        self.random = random.Random(seed)
        self.label = f"table{seed}"
        self.delay, self.snap_rate, self.rounds, self.proofs = delay, snap_rate, rounds, proofs
        self.now = 0
        self.queue: list[tuple[int, int, Callable[[], None]]] = []
        self.count = 0
        identities = make_identities(seats, self.label)
        self.charter = make_charter(rules, identities, self.label)
        self.keys = [PublicIdentity.decode(key) for key in self.charter.keys]
        self.nodes = [self.make_node(seat, identities[seat]) for seat in range(seats)]
        self.tamper: Callable[[Node, Envelope], Mapping[int, Envelope | None] | None] | None = None
        self.make: Callable[[Node, Duty], Body | None] | None = None
        for node in self.nodes:
            self.at(0, lambda node=node: self.turn(node))  # type: ignore[misc]

    def make_node(self, seat: int, identity: Identity) -> Node:
        deal = first_deal(self.charter)
        clock = Clock(seat)
        return Node(seat, identity, deal, Desk(deal, seat, clock), Own(seat), clock, seeded(f"{self.label}/rng{seat}"))

    def at(self, delay: int, action: Callable[[], None]) -> None:
        self.count += 1
        heapq.heappush(self.queue, (self.now + delay, self.count, action))

    def run(self, limit: int = 200_000) -> None:
        for _ in range(limit):
            if not self.queue:
                return
            self.now, _, action = heapq.heappop(self.queue)
            action()
        raise AssertionError("the table does not come to rest")

    def trip(self) -> int:
        return self.random.randint(*self.delay)

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
            self.at(max(1, wake - self.now), lambda: self.turn(node))

    def next(self, node: Node) -> bool:
        node.deals.append(node.deal)
        if match_over(node.deal) or len(node.deals) >= self.rounds:
            node.deal.fault = None
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
        for output in drain(node.deal):
            node.outputs.append(output)
            match output:
                case Verify(token, envelope, checks):
                    failed = None
                    if self.proofs and envelope.seat != node.seat:
                        for at, item in enumerate(checks):
                            if check(item.statement, item.proof) is None:
                                failed = at
                                break
                    self.at(self.random.randint(0, 5 * MS), lambda t=token, f=failed: self.judged(node, t, f))  # type: ignore[misc]
                case Viewed(_, viewer, handle) if viewer == node.seat:
                    view = next(
                        v for v in reversed(node.deal.views) if v.asked.viewer == viewer and v.asked.handle == handle
                    )
                    node.desk.known[handle] = own_messages.viewed_face(node.deal, node.own, view)
                case _:
                    pass
        if node.deal.score is not None:
            node.desk.audited = True

    def judged(self, node: Node, token: bytes, failed: int | None) -> None:
        verdict(node.deal, token, failed)
        self.turn(node)

    def say(self, node: Node, duty: Duty) -> None:
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
            elapsed=(self.now - node.started) // 100_000,
            body=made.body,
        )
        node.clock.said(node.deal.deal, duty.step.slot, self.now)
        versions = self.tamper(node, signed.envelope) if self.tamper else None
        for other in self.nodes:
            envelope: Envelope | None = signed.envelope
            if versions is not None and other.seat in versions:
                envelope = versions[other.seat]
            if envelope is None:
                continue
            if other is node:
                node.sent.append(envelope.data)
                receive(node.deal, signed)
            else:
                self.at(self.trip(), lambda o=other, d=envelope.data: self.deliver(o, d))  # type: ignore[misc]

    def deliver(self, node: Node, data: bytes) -> None:
        envelope = decode_envelope(data)
        signed = verify_envelope(envelope, self.keys[envelope.seat])
        assert signed is not None
        node.received.append(data)
        self.take(node, signed)
        self.turn(node)

    def take(self, node: Node, signed: Signed) -> None:
        envelope = signed.envelope
        node.clock.arrived(envelope.deal, envelope.slot, envelope.seat, self.now)
        if envelope.deal > node.deal.deal:
            node.later.append(signed)
        else:
            receive(node.deal, signed)

    def body(self, node: Node, duty: Duty) -> Made:
        if self.make is not None:
            body = self.make(node, duty)
            if body is not None:
                return Made(body)
        return duty_body(node, duty)

    # ---------------------------------------------------------------- its player

    def ask(self, node: Node) -> None:
        question = node.desk.question
        if question is not None:
            number = question.number
            move = self.random.choice(question.moves) if question.moves else None
            self.at(self.random.randint(0, 400 * MS), lambda: self.answered(node, number, move))
        lanes = node.deal.lanes
        if lanes is not None and lanes.window is not None and lanes.window.kind == "WINDOW":
            slot = lanes.window.slot
            if slot not in node.desk.said and (slot, "asked") not in self.pressed_at(node):
                self.pressed_at(node).add((slot, "asked"))
                targets = snap_targets(lanes.now, node.seat)
                if targets and self.random.random() < self.snap_rate:
                    target = self.random.choice(targets)
                    self.at(self.random.randint(150 * MS, 900 * MS), lambda: self.snap(node, target))

    def pressed_at(self, node: Node) -> set[object]:
        seen: set[object] = self.__dict__.setdefault(f"_pressed{node.seat}_{node.deal.deal}", set())
        return seen

    def answered(self, node: Node, number: int, move: object) -> None:
        if answer(node.desk, number, move):  # type: ignore[arg-type]
            self.turn(node)

    def snap(self, node: Node, target: tuple[int, int]) -> None:
        if press(node.desk, target, self.now):
            self.turn(node)


def duty_body(node: Node, duty: Duty) -> Made:
    """What an honest seat says."""
    deal, own, step = node.deal, node.own, duty.step
    match duty.kind:
        case "KEYS":
            return own_messages.keys_work(deal, step, own.seat)(node.rng)
        case "SHUFFLE":
            return own_messages.shuffle_work(deal, step, own.seat, serial)(node.rng)
        case "OPEN" | "OPEN1" | "OPEN2":
            return own_messages.open_work(deal, step, own)(node.rng)
        case "SERVE":
            return own_messages.serve_work(deal, step, own)(node.rng)
        case "VIEW":
            return own_messages.view_work(deal, step, own.seat, duty.move.handles)(node.rng)  # type: ignore[union-attr]
        case "DRAW":
            return own_messages.draw_work(deal, step, own.seat)(node.rng)
        case "READY":
            return Made(Ready(()))
        case "SEEN":
            return Made(Seen())
        case "SNAP":
            assert duty.handle is not None
            return own_messages.snap_work(deal, own.seat, duty.handle, duty.claim_ms)(node.rng)
        case "NONE":
            return Made(NoSnap(duty.answers))
        case "WITNESS":
            from p2pkaboo.replica.clock import testimony

            assert deal.lanes is not None
            window = next(c.slot for c in reversed(deal.history) if c.kind == "WINDOW")
            return Made(testimony(node.clock, deal, deal.lanes, window))
        case "REVEAL":
            from p2pkaboo.replica.examine import snap_of

            return Made(own_messages.reveal_body(own, snap_of(deal, own.seat)))
        case "GIFT":
            from p2pkaboo.wire.bodies import Gift

            return Made(Gift(duty.move.handle))  # type: ignore[union-attr]
        case "ACTION":
            assert duty.move is not None
            state = joined_state(deal)
            outcome = play(state, duty.move)
            classes = outcome.claim if isinstance(outcome, Needs) else frozenset()
            card = node.desk.known.get(state.drawn.handle) if state.drawn is not None else None
            return own_messages.action_work(deal, step.slot, own, duty.move, state, classes, card)(node.rng)
        case "DISCLOSE":
            return Made(own_messages.disclose_body(own))
        case "RESULT":
            return Made(own_messages.result_body(deal))
        case kind:
            raise AssertionError(kind)


def heads(node: Node) -> dict[str, bytes]:
    """The head of every step that this seat completed, in all deals."""
    deals = [*node.deals, node.deal]
    return {f"{deal.deal}/{closed.slot}": closed.head for deal in deals for closed in deal.history}


def faults(table: Table) -> list[object]:
    return [output.fault for node in table.nodes for output in node.outputs if isinstance(output, Refused)]


def differing(table: Table) -> list[object]:
    return [output for node in table.nodes for output in node.outputs if isinstance(output, Differing)]


def accepted(node: Node) -> int:
    return sum(isinstance(output, Accepted) for output in node.outputs)

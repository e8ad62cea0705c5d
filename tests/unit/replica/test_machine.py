"""The table of the step machine says what happens: whatever small tables do is written there, and all of it happens."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from p2pkaboo.crypto.elgamal import card_index
from p2pkaboo.crypto.group import L
from p2pkaboo.replica.machine import BEGIN, LANES, MACHINE, OVER, Row, row_name
from p2pkaboo.replica.state import Closed, Deal
from p2pkaboo.rules.cards import deck, match
from p2pkaboo.rules.engine import snap_targets
from p2pkaboo.rules.moves import Call, Exchange, Move
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.rules.state import Handle, State, cards_of
from p2pkaboo.wire.slot import Slot
from tests.support.tables import MS, Node, Table, faults

RANKS = "A23456789TJQK"
ROWS: dict[tuple[str, str], Row] = {(row.line, row.name): row for row in MACHINE}
Transition = tuple[str, str, str]


class Seers(Table):
    """A table whose players see through the cards, so that what hardly ever happens to people happens to them.

    Most of their snaps are right, many of them at the same card; some exchange two cards that differ.
    """

    def __init__(self, game: "Game", seed: int) -> None:
        slowest = game.slowest_ms * MS
        super().__init__(game.rules(), game.seats, seed, rounds=game.rounds, delay=(1 * MS, slowest), proofs=False)
        self.dice, self.sight = random.Random(seed), game.sight
        self.wondering: set[tuple[int, int, Slot]] = set()

    def face(self, deal: Deal, handle: Handle) -> str | None:
        secrets = [node.own.secret for node in self.nodes if node.deal.deal == deal.deal]
        known = [secret for secret in secrets if secret is not None]
        if len(known) < len(self.nodes):
            return None
        cards, masked = deck(deal.charter.rules), deal.cards[handle]
        index = card_index(masked.b - masked.a * (sum(known) % L), len(cards))
        return None if index is None else cards[index]

    def ask(self, node: Node) -> None:
        question = node.desk.question
        if question is not None:
            number, move = question.number, self.choice(question.state, question.moves, node.seat)
            waits = node.deal.lanes is not None and node.deal.lanes.now.step == "power"
            self.at(self.dice.randint(0, 400 * MS) + waits * 2000 * MS, lambda: self.answered(node, number, move))
        lanes = node.deal.lanes
        if lanes is None or lanes.window is None or lanes.window.kind != "WINDOW":
            return
        slot = lanes.window.slot
        if slot in node.desk.said or (node.seat, node.deal.deal, slot) in self.wondering:
            return
        self.wondering.add((node.seat, node.deal.deal, slot))
        target = self.target(node.deal, lanes.now, node.seat)
        if target is not None:
            self.at(self.dice.randint(150 * MS, 900 * MS), lambda: self.snap(node, target))

    def choice(self, state: State | None, moves: tuple[Move, ...], seat: int) -> Move | None:
        several = state is not None and any(isinstance(move, Exchange) for move in moves) and state.rules.multi_max != 1
        if state is not None and several and self.dice.random() < 0.5:
            cards = cards_of(state, seat)
            if len(cards) > 1:
                two = tuple(self.dice.sample(cards, 2))
                return Exchange(seat, two, two[0], None)
        patient = [move for move in moves if not isinstance(move, Call)] if self.dice.random() < 0.85 else []
        return self.dice.choice(patient or moves) if moves else None

    def target(self, deal: Deal, state: State, seat: int) -> Handle | None:
        targets = snap_targets(state, seat)
        if not targets or self.dice.random() < 0.1:
            return None
        top = state.faces[state.pile[-1]]
        faces = {handle: self.face(deal, handle) for handle in targets}
        right = sorted(handle for handle, face in faces.items() if face is not None and match(state.rules, face, top))
        if right and self.dice.random() < self.sight:
            others = [handle for handle in right if handle not in state.hands[seat]]
            return self.dice.choice(others if others and self.dice.random() < 0.5 else right)
        return self.dice.choice(targets) if self.dice.random() < 1.2 - self.sight else None


@dataclass(frozen=True)
class Game:
    """A small table: a deck of few ranks, hasty players, links slow enough."""

    preset: str
    ranks: str
    seats: int
    rounds: int = 1
    slowest_ms: int = 300
    sight: float = 0.8
    keys: dict[str, object] = field(default_factory=dict)

    def rules(self) -> Ruleset:
        removed = [rank + suit for suit in "CDHS" for rank in RANKS if rank not in self.ranks]
        small = {"deck.remove": removed, "deck.jokers": 0, "players.max": self.seats, "deal.cards": 3}
        return with_overrides(load_preset(self.preset), {**small, **self.keys})

    def deals(self, seed: int) -> list[Deal]:
        table = Seers(self, seed)
        table.run()
        assert faults(table) == []
        return table.nodes[0].deals


ONE: dict[str, object] = {"deal.cards": 1, "peek.count": 1, "snap.limit": "all"}
TWO: dict[str, object] = {"deal.cards": 2, "snap.limit": "all"}
SLOW = Game("sheffield", "7QK2", 3, rounds=2, slowest_ms=1500, sight=0.2, keys={"snap.exposure_ms": 300})
CLUMSY = Game("sheffield", "7QK2", 2, sight=0.2, keys={"peek.count": 0})
KABBU_BLIND = Game("kabbu", "A7QK", 2, rounds=2, keys={"peek.count": 0})
KABBU = Game("kabbu", "A7QK", 2, rounds=2)
GUIDE = Game("cabo-guide", "7QK2", 2, slowest_ms=40, keys={"multi.unseen_from": 2})
LAST_CARDS = Game("sheffield", "JQ", 3, keys=ONE)
LATE = Game("sheffield", "JQ", 3, slowest_ms=1500, keys={**ONE, "snap.exposure_ms": 200})
KINGS = Game("sheffield", "KJ7", 2, sight=0.5, keys=TWO)
SEVENS = Game("sheffield", "7K", 2, sight=0.5, keys=TWO)

SHOWN = (
    (SEVENS, 6),
    (KINGS, 7),
    (KABBU, 6),
    (CLUMSY, 8),
    (GUIDE, 7),
    (KABBU_BLIND, 9),
    (LATE, 10),
    (SLOW, 6),
    (LAST_CARDS, 18),
)
"""Games, by their seeds, that together show everything."""

MOST_SEEDS = 30
"""Seeds tried with every game for what those, once the code has changed, no longer show."""


def tables() -> Iterator[list[Deal]]:
    for game, seed in SHOWN:
        yield game.deals(seed)
    for seed in range(MOST_SEEDS):
        for game, _ in SHOWN:
            yield game.deals(seed)


def name_of(step: Closed) -> str:
    return row_name(step.kind, step.why)


def transitions(deal: Deal) -> set[Transition]:
    """Every transition of a deal that is over."""
    lanes: defaultdict[tuple[str, int], list[Closed]] = defaultdict(list)
    for step in sorted(deal.history, key=lambda step: step.slot.order):
        lanes[step.slot.lane, step.slot.number].append(step)
    found: set[Transition] = set()
    for (lane, _), steps in lanes.items():
        if lane != "m":
            names = [BEGIN, *map(name_of, steps), OVER]
            found |= {(lane, before, after) for before, after in pairwise(names)}
    main = [BEGIN]
    for number in range(1, deal.number + 1):
        closed = lanes.get(("m", number))
        if closed is None:  # the number rose by one without a message
            main.append(LANES)
        else:
            main += [LANES] * (closed[0].kind in ("ACTION", "OPEN1")) + [name_of(closed[0])]
    main.append(OVER)
    return found | {("m", before, after) for before, after in pairwise(main)}


def speakers_are_right(deal: Deal, step: Closed) -> bool:
    row, said = ROWS[step.slot.lane, name_of(step)], set(step.said)
    if row.who == "all":
        return said == set(deal.active)
    if row.who == "the others":
        return len(said) == len(deal.active) - 1
    if row.who == "both":
        return len(said) == 2 == len(deal.active)
    return len(said) == 1


def test_every_row_happens_and_nothing_else() -> None:
    written = {(row.line, row.name, then) for row in MACHINE for then in row.then}
    seen: set[Transition] = set()
    for deals in tables():
        for deal in deals:
            new = transitions(deal)
            assert new <= written
            assert all(speakers_are_right(deal, step) for step in deal.history)
            seen |= new
        if seen == written:
            break
    assert seen == written


def test_names_are_unique_and_lead_somewhere() -> None:
    assert len(ROWS) == len(MACHINE)
    for row in MACHINE:
        for then in row.then:
            assert then == OVER or (row.line, then) in ROWS

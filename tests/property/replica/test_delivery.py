"""Any order, delay and repetition of delivery gives one history; a replica from its records is the same replica."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.replica.outputs import Accepted, Verify
from p2pkaboo.replica.state import Closed, Deal
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.wire.envelope import Envelope, Signed, decode_envelope, verify_envelope
from tests.support.records import PRESETS, Record, heads_of, plain, record, take
from tests.support.tables import MS, Node, Table, differing, faults, heads

RECORDS = st.builds(
    record,
    st.sampled_from(PRESETS),
    st.sampled_from((2, 3)),
    st.integers(0, 2),
    everything=st.booleans(),
)


@settings(max_examples=40)
@given(game=RECORDS, seed=st.integers(0, 2**32))
def test_any_order_and_repetition_and_any_pace_of_proofs_gives_the_same_end(game: Record, seed: int) -> None:
    chance = random.Random(seed)
    deal = game.begin()
    mail = [*game.rows, *chance.choices(game.rows, k=len(game.rows) // 2)]
    chance.shuffle(mail)
    waiting: list[bytes] = []
    while mail or waiting:
        if mail and (not waiting or chance.random() < 0.7):
            receive(deal, mail.pop())
        else:
            verdict(deal, waiting.pop(chance.randrange(len(waiting))), None)
        waiting += [output.token for output in drain(deal) if isinstance(output, Verify)]
    assert deal.fault is None
    assert deal.over
    assert heads_of(deal) == game.heads()
    assert (deal.head, deal.state, deal.score) == (game.end.head, game.end.state, game.end.score)
    assert deal.early == {}
    assert deal.astray == {}


def by_lane(game: Record, lanes: str) -> list[Signed]:
    """The messages in history order, with one lane of each pair before the other."""
    rank = {"m": 0, **{lane: at + 1 for at, lane in enumerate(lanes)}}
    place = {row.envelope.hash: at for at, row in enumerate(game.rows)}

    def key(row: Signed) -> tuple[int, int, int, int]:
        slot = row.envelope.slot
        return slot.number, rank[slot.lane], slot.index, place[row.envelope.hash]

    return sorted(game.rows, key=key)


@settings(max_examples=20)
@given(game=RECORDS)
def test_the_lanes_commute(game: Record) -> None:
    """Draw, then snaps = snaps, then draw: state, heads and clocks are the same at every join."""
    joins: list[object] = []
    for lanes in ("dw", "wd"):
        deal, seen = game.begin(), {}
        for row in by_lane(game, lanes):
            take(deal, row, game.honest)
            if row.envelope.slot.lane == "m":
                number = row.envelope.slot.number
                seen[number] = (deal.head, deal.game, deal.elapsed, deal.lanes is None)
        assert deal.over
        joins.append(seen)
    assert joins[0] == joins[1]


@settings(max_examples=40)
@given(game=RECORDS, part=st.floats(0, 1), seed=st.integers(0, 2**32))
def test_a_replica_from_its_records_is_the_same_and_goes_on_to_the_same_end(
    game: Record, part: float, seed: int
) -> None:
    """Mail comes in near order; killed at any instant, what was accepted, in that order, makes the same plain data."""
    chance = random.Random(seed)
    mail = sorted(game.rows, key=lambda row: row.envelope.slot.order[0] + chance.random() * 6)
    signed = {row.envelope.hash: row for row in game.rows}
    live, accepted = game.begin(), []
    for row in mail[: int(part * len(mail))]:
        outputs = take(live, row, game.honest)
        accepted += [output.envelope for output in outputs if isinstance(output, Accepted)]
    again = game.begin()
    for envelope in accepted:
        take(again, signed[envelope.hash], game.honest)
    assert known(again, accepted) == known(live, accepted)
    for row in chance.sample(game.rows, len(game.rows)):
        take(again, row, game.honest)
    assert heads_of(again) == game.heads()
    assert (again.head, again.state, again.score) == (game.end.head, game.end.state, game.end.score)


def known(deal: Deal, accepted: list[Envelope]) -> dict[str, object]:
    """The replica without what only waits, or came early: that is sent again."""
    fields = plain(deal)
    del fields["early"], fields["held"]
    return fields | {"said": {place for place in deal.held if deal.held[place] in accepted}}


class Restarting(Table):
    """Now and then a seat is killed: replica and desk are rebuilt from what it had accepted and said, and everything
    that was said to it comes again, in any order."""

    kills = 0

    def judged(self, node: Node, command: Verify) -> None:
        if node.deal.checking.get(command.token) is not None:  # else it was asked before the kill
            super().judged(node, command)

    def deliver(self, node: Node, data: bytes) -> None:
        super().deliver(node, data)
        if self.chance.random() < 0.05 and not node.deal.over:
            self.kill(node)

    def kill(self, node: Node) -> None:
        self.kills += 1
        before = node.deal
        fresh = self.make_node(node.seat, node.identity)
        for name, value in node.secrets:
            fresh.own.remember(name, value)
        node.deal, node.desk, node.clock, node.own = fresh.deal, fresh.desk, fresh.clock, fresh.own
        rows = [*rows_of(before.history), *(e.data for (_, seat), e in before.held.items() if seat == node.seat)]
        for data in rows:
            self.take(node, self.signed(data))
            self.trust(node)
        for slot, seat in node.deal.held:
            if seat == node.seat:
                node.desk.said.add(slot)
        for other in self.nodes:
            if other is not node:
                for data in other.sent:
                    self.at(self.chance.randint(*self.delay), lambda d=data: super(Restarting, self).deliver(node, d))  # type: ignore[misc]
        self.turn(node)

    def trust(self, node: Node) -> None:
        """What the records hold was proved before."""
        while any(isinstance(output, Verify) for output in node.deal.out):
            commands = [output for output in node.deal.out if isinstance(output, Verify)]
            node.deal.out = [output for output in node.deal.out if not isinstance(output, Verify)]
            for command in commands:
                verdict(node.deal, command.token, None)

    def signed(self, data: bytes) -> Signed:
        envelope = decode_envelope(data)
        signed = verify_envelope(envelope, self.keys[envelope.seat])
        assert signed is not None
        return signed


def rows_of(history: list[Closed]) -> list[bytes]:
    return [envelope.data for closed in history for envelope in closed.said.values()]


@pytest.mark.parametrize(("preset", "seats"), [("sheffield", 2), ("sheffield", 4), ("kabbu", 3), ("cabo-guide", 3)])
def test_seats_killed_in_mid_game_play_on_to_one_end(preset: str, seats: int) -> None:
    kills = 0
    for seed in range(4):
        table = Restarting(small_rules(preset), seats, seed, proofs=False, snap_rate=0.7)
        table.run()
        kills += table.kills
        assert faults(table) == []
        assert differing(table) == []
        assert all(node.deal.over for node in table.nodes)
        assert len({tuple(sorted(heads(node).items())) for node in table.nodes}) == 1
    assert kills > 3


class Twice(Table):
    """Every message comes again, some time later; links are as slow as they like."""

    def deliver(self, node: Node, data: bytes) -> None:
        super().deliver(node, data)
        self.at(self.chance.randint(0, 5_000 * MS), lambda: super(Twice, self).deliver(node, data))


@settings(max_examples=20)
@given(
    preset=st.sampled_from(PRESETS),
    seats=st.integers(2, 5),
    seed=st.integers(0, 2**20),
    slowest=st.sampled_from([1, 40, 700, 4_000]),
    everything=st.booleans(),
)
def test_tables_on_any_links_come_to_one_end(
    preset: str, seats: int, seed: int, slowest: int, everything: bool
) -> None:
    keys: dict[str, object] = {"players__max": 5} | ({"snap__limit": "all"} if everything else {})
    rules = small_rules(preset, kept="A2379TQK", **keys)
    table = Twice(rules, seats, seed, proofs=False, snap_rate=0.6, delay=(0, slowest * MS))
    table.run()
    assert faults(table) == []
    assert differing(table) == []
    assert all(node.deal.over for node in table.nodes)
    assert len({tuple(sorted(heads(node).items())) for node in table.nodes}) == 1

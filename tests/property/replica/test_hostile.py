"""Whatever a seat signs, no replica falls: it is refused with that seat's name on it, or changes nothing for others."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pkaboo.replica.state import Deal
from p2pkaboo.wire.bodies import NoSnap, Shuffle
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.limits import MAX_ASTRAY, MAX_EARLY, MAX_EARLY_BYTES
from p2pkaboo.wire.slot import Slot
from tests.property.replica.forgeries import Forger
from tests.support.records import PRESETS, Record, record, take

RECORDS = st.builds(
    record, st.sampled_from(PRESETS), st.sampled_from((2, 3, 4)), st.integers(0, 1), everything=st.booleans()
)


def go_on(game: Record, deal: Deal, at: int) -> None:
    """Everybody else plays on."""
    for row in game.rows[at:]:
        take(deal, row, game.honest)


@settings(max_examples=150)
@given(game=RECORDS, part=st.floats(0, 1), seed=st.integers(0, 2**32), count=st.integers(1, 6))
def test_forged_messages_blame_their_author_or_nobody(game: Record, part: float, seed: int, count: int) -> None:
    chance = random.Random(seed)
    at = int(part * len(game.rows))
    deal = game.begin()
    for row in game.rows[:at]:
        take(deal, row, game.honest)
    forger = Forger(game, deal, chance.randrange(game.charter.seats), chance)
    near = list(game.rows[at : at + 10] or game.rows[-1:])
    for _ in range(count):
        take(deal, forger.forge(near), game.honest)
    go_on(game, deal, at)
    if deal.fault is not None:
        assert deal.fault.seat == forger.seat, deal.fault
        assert deal.fault.evidence
        take(deal, forger.forge(near), game.honest)  # and after that nothing matters any more
        return
    # Where the forger has used up a slot that the game needed, the others wait for what it said; nobody is blamed.
    waited = [step.waits_for() for step in forger._open() if step.waits_for()]
    assert deal.over or waited or deal.lanes is not None


@settings(max_examples=40)
@given(game=RECORDS, seed=st.integers(0, 2**32))
def test_forged_messages_for_what_is_not_due_change_nothing(game: Record, seed: int) -> None:
    """Messages for past slots under other heads and for far-away slots: the honest game goes on to the same end."""
    chance = random.Random(seed)
    deal = game.begin()
    author = chance.randrange(game.charter.seats)
    for at, row in enumerate(game.rows):
        if chance.random() < 0.4:
            number, lane = chance.choice(((9_000 + at, "m"), (900, "w")))
            slot = Slot(number, lane, at if lane == "w" else 0)
            if deal.history and chance.random() < 0.5:
                slot = Slot(chance.choice(deal.history).slot.number, "w", 5_000 + at)
            junk = seal(
                game.identities[author],
                table=deal.table,
                deal=1,
                slot=slot,
                seat=author,
                head=chance.randbytes(64),
                kind="NONE",
                elapsed=0,
                body=NoSnap(b""),
            )
            take(deal, junk, game.honest)
        take(deal, row, game.honest)
    assert deal.fault is None
    assert deal.over
    assert deal.head == game.end.head
    assert deal.astray.get(author, 0) <= MAX_ASTRAY


def test_what_is_kept_of_one_seat_is_bounded_in_number_and_size() -> None:
    game = record("sheffield", 3, 0)
    deal = game.begin()
    for number in range(MAX_EARLY + 100):
        big = number % 8 == 0
        junk = seal(
            game.identities[1],
            table=deal.table,
            deal=1,
            slot=Slot(1_000 + (number * 7) % 5_000, "m", 0),
            seat=1,
            head=bytes(64),
            kind="SHUFFLE" if big else "NONE",
            elapsed=0,
            body=Shuffle(bytes(64 * 200), bytes(60_000)) if big else NoSnap(b""),
        )
        take(deal, junk, frozenset())
    early = [waits[1] for waits in deal.early.values()]
    assert 0 < len(early) <= MAX_EARLY
    assert sum(len(envelope.data) for envelope in early) <= MAX_EARLY_BYTES
    assert len(deal.held) == len(early)
    # What is kept is what is nearest.
    assert min(envelope.slot.number for envelope in early) == 1_000
    for row in game.rows:
        take(deal, row, game.honest)
    assert deal.over
    assert deal.head == game.end.head


def test_the_nearest_messages_of_a_seat_survive_its_own_junk() -> None:
    """Its KEYS comes after a flood of its junk: there is always room for what is nearer."""
    game = record("sheffield", 2, 0)
    deal = game.begin()
    for number in range(MAX_EARLY):
        junk = seal(
            game.identities[0],
            table=deal.table,
            deal=1,
            slot=Slot(5_000 + number, "m", 0),
            seat=0,
            head=bytes(64),
            kind="NONE",
            elapsed=0,
            body=NoSnap(b""),
        )
        take(deal, junk, frozenset())
    assert sum(map(len, deal.early.values())) == MAX_EARLY
    for row in reversed(game.rows):
        take(deal, row, game.honest)
    for row in game.rows:
        take(deal, row, game.honest)
    assert deal.over
    assert deal.fault is None


def test_a_lie_said_early_is_the_lie_said_late() -> None:
    """A message for a slot that does not come to be: whether it came before or after the lane ended, all refuse it or
    compare records; nobody is left behind without a word."""
    game = record("sheffield", 3, 3)
    windows = [row.envelope.slot for row in game.rows if row.envelope.kind == "NONE"]
    slot = windows[0]
    ends = max(row.envelope.slot.index for row in game.rows if row.envelope.slot[:2] == slot[:2])
    deal = game.begin()
    last = None
    for row in game.rows:
        take(deal, row, game.honest)
        if row.envelope.slot == slot._replace(index=ends):
            last = next((c.head for c in deal.history if c.slot == row.envelope.slot), None)
    assert last is not None
    lie = seal(
        game.identities[2],
        table=deal.table,
        deal=1,
        slot=slot._replace(index=ends + 1),
        seat=2,
        head=last,
        kind="NONE",
        elapsed=10**6,
        body=NoSnap(b""),
    )
    codes = []
    for early in (True, False):
        deal = game.begin()
        if early:
            take(deal, lie, game.honest)
        for row in game.rows:
            if deal.fault is None:
                take(deal, row, game.honest)
            if (
                not early
                and deal.number >= slot.number
                and any(c.slot == slot._replace(index=ends) for c in deal.history)
            ):
                take(deal, lie, game.honest)
        assert deal.fault is not None
        codes.append((deal.fault.seat, deal.fault.code, deal.fault.slot))
    assert codes == [(2, "illegal-move", slot._replace(index=ends + 1))] * 2

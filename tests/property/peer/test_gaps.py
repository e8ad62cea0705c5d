"""Gap filling: whatever part of a deal each replica has heard, a few HAVEs make all of them whole."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pkaboo.peer.gaps import MAX_ANSWER, have_of, missing
from p2pkaboo.replica.state import Deal
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.frames import Have
from tests.property.wire.strategies import frames
from tests.support.records import PRESETS, Record, heads_of, record, take

RECORDS = st.builds(record, st.sampled_from(PRESETS), st.sampled_from((2, 3)), st.integers(0, 2))


def fill(game: Record, lagging: Deal, ahead: Deal) -> int:
    """One HAVE and its answer."""
    answer = missing(ahead, have_of(lagging))
    signed = {row.envelope.hash: row for row in game.rows}
    for envelope in answer:
        take(lagging, signed[envelope.hash], game.honest)
    return len(answer)


@settings(max_examples=20)
@given(game=RECORDS, seed=st.integers(0, 2**32), replicas=st.integers(2, 4))
def test_replicas_that_heard_different_parts_make_each_other_whole(game: Record, seed: int, replicas: int) -> None:
    chance = random.Random(seed)
    deals = [game.begin() for _ in range(replicas)]
    for row in sorted(game.rows, key=lambda row: row.envelope.slot.order[0] + chance.random() * 5):
        hears = chance.sample(deals, chance.randint(1, replicas))
        for deal in hears:
            take(deal, row, game.honest)
    for _ in range(2 * len(game.rows)):
        if all(deal.over for deal in deals):
            break
        one, other = chance.sample(deals, 2)
        fill(game, one, other)
    assert all(deal.over and deal.fault is None for deal in deals)
    assert all(heads_of(deal) == game.heads() for deal in deals)


@settings(max_examples=25)
@given(game=RECORDS, part=st.floats(0, 1), behind=st.floats(0, 1))
def test_who_has_more_sends_exactly_what_is_lacking(game: Record, part: float, behind: float) -> None:
    """Nothing that the other holds already, and all that its next steps need."""
    here, there = game.begin(), game.begin()
    cut = int(part * len(game.rows))
    for row in game.rows[:cut]:
        take(here, row, game.honest)
    for row in game.rows[: int(behind * cut)]:
        take(there, row, game.honest)
    answer = missing(here, have_of(there))
    held = {envelope.hash for envelope in there.held.values()}
    assert not {envelope.hash for envelope in answer} & held
    assert len(answer) == min(MAX_ANSWER, len(here.held) - len(there.held))
    fill(game, there, here)
    if len(answer) < MAX_ANSWER:
        assert heads_of(there) == heads_of(here)
        assert fill(game, there, here) == 0


@settings(max_examples=25)
@given(game=RECORDS, part=st.floats(0, 1))
def test_what_continues_another_history_goes_to_who_lacks_it_and_to_nobody_else(game: Record, part: float) -> None:
    """Whose link to its author is cut could else never find out who has told two histories."""
    here, there = game.begin(), game.begin()
    cut = int(part * (len(game.rows) - 1))
    for row in game.rows[:cut]:
        take(here, row, game.honest)
        take(there, row, game.honest)
    envelope = game.rows[cut].envelope
    stray = seal(
        game.identities[envelope.seat],
        table=envelope.table,
        deal=envelope.deal,
        slot=envelope.slot,
        seat=envelope.seat,
        head=bytes(len(envelope.head)),
        kind=envelope.kind,
        elapsed=envelope.elapsed,
        body=envelope.body,
    )
    take(here, stray, game.honest)
    assert missing(here, have_of(there)) == [stray.envelope]
    take(there, stray, game.honest)
    assert missing(here, have_of(there)) == []


@settings(max_examples=50)
@given(game=RECORDS, part=st.floats(0, 1), have=frames(Have))
def test_any_have_gets_an_answer_within_bounds(game: Record, part: float, have: Have) -> None:
    deal = game.begin()
    for row in game.rows[: int(part * len(game.rows))]:
        take(deal, row, game.honest)
    answer = missing(deal, have)
    assert len(answer) <= MAX_ANSWER
    assert all(envelope in deal.held.values() for envelope in answer)

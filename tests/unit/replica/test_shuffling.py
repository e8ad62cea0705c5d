"""Shuffles are accepted on receipt and proved meanwhile; of those that fail the first in shuffling order is blamed."""

from itertools import permutations

import pytest

from p2pkaboo.replica.outputs import Verify
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.wire.bodies import Shuffle
from p2pkaboo.wire.envelope import Signed, seal
from tests.support.records import Record, record, take

GAME = record("sheffield", 3, 0)
SHUFFLES = [row for row in GAME.rows if row.envelope.kind == "SHUFFLE"][:3]
ORDER = [row.envelope.seat for row in SHUFFLES]


def keyed(game: Record) -> Deal:
    """The deal before its first shuffle."""
    deal = game.begin()
    for row in game.rows:
        if row.envelope.kind == "SHUFFLE":
            break
        take(deal, row, game.honest)
    return deal


def tokens(deal: Deal, rows: list[Signed]) -> list[bytes]:
    """Hands in these shuffles; what is asked to be verified, in order."""
    for row in rows:
        receive(deal, row)
    return [output.token for output in drain(deal) if isinstance(output, Verify)]


def blamed(deal: Deal) -> tuple[int, str] | None:
    return None if deal.fault is None else (deal.fault.seat, deal.fault.code)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_nothing_is_dealt_before_every_proof_holds(order: tuple[int, ...]) -> None:
    deal = keyed(GAME)
    asked = tokens(deal, SHUFFLES)
    assert len(asked) == 3
    for at in order:
        assert deal.order == ()
        verdict(deal, asked[at], None)
    assert len(deal.order) == len(deal.cards) > 0


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("failing", [{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}])
def test_the_first_that_fails_is_blamed_whichever_verdict_comes_first(
    order: tuple[int, ...], failing: set[int]
) -> None:
    """Its successors worked on what they were given, and their proofs may be as good as none."""
    deal = keyed(GAME)
    asked = tokens(deal, SHUFFLES)
    known: set[int] = set()
    for at in order:
        verdict(deal, asked[at], 0 if at in failing else None)
        known.add(at)
        due = set(range(min(failing) + 1)) <= known  # all before it hold, and it fails
        assert blamed(deal) == ((ORDER[min(failing)], "bad-shuffle") if due else None)
    assert deal.order == ()


@pytest.mark.parametrize(("failed", "culprit"), [(0, 0), (None, 1)])
def test_a_deck_that_is_none_is_refused_once_the_one_before_it_is_judged(failed: int | None, culprit: int) -> None:
    deal = keyed(GAME)
    (first,) = tokens(deal, SHUFFLES[:1])
    honest = SHUFFLES[1].envelope
    body = honest.body
    assert isinstance(body, Shuffle)
    short = seal(
        GAME.identities[honest.seat],
        table=honest.table,
        deal=honest.deal,
        slot=honest.slot,
        seat=honest.seat,
        head=honest.head,
        kind="SHUFFLE",
        elapsed=honest.elapsed,
        body=Shuffle(body.deck[:-64], body.proof),
    )
    assert tokens(deal, [short]) == []
    assert blamed(deal) is None
    verdict(deal, first, failed)
    assert blamed(deal) == (ORDER[culprit], "bad-shuffle")

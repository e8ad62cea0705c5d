"""Made-up tables: their chance is the same everywhere, and the same dice give the same match."""

import pytest

from p2pkaboo.lab.tables.chance import Dice, seeded
from p2pkaboo.lab.tables.formed import FormedTable, deals_of, small_rules
from p2pkaboo.replica.faults import LocalError

TINY = small_rules("cabo-standard", kept="A27", deal__cards=2, players__max=3)


def table(label: str) -> FormedTable:
    return FormedTable(TINY, 2, Dice(label), label)


def test_the_stream_of_a_text_never_changes() -> None:
    """SHAKE-256 of "a text/1" and "a text/2"."""
    rng = seeded("a text")
    assert rng(4).hex() == "4100d755"
    assert rng(4).hex() == "2a05d49e"
    assert seeded("another")(4) != seeded("a text")(4)


def test_dice_stay_within_their_bounds_and_reach_both() -> None:
    dice = Dice("bounds")
    assert {dice.randint(3, 6) for _ in range(200)} == {3, 4, 5, 6}
    assert {dice.choice("xyz") for _ in range(100)} == set("xyz")
    throws = [dice.random() for _ in range(400)]
    assert 0 <= min(throws) < 0.05
    assert 0.95 < max(throws) < 1
    assert dice.randint(7, 7) == 7


def test_the_same_dice_give_the_same_file() -> None:
    first, again, other = (table(label) for label in ("one", "one", "two"))
    for played in (first, again, other):
        played.run()
    assert first.transcript() == again.transcript() != other.transcript()
    assert first.transcript(0) == first.transcript(1)
    assert [deal.over for deal in deals_of(first.nodes[0])] == [True]
    assert first.nodes[0].deals == [first.nodes[0].deal]


def test_a_table_that_does_not_come_to_rest_says_so() -> None:
    with pytest.raises(LocalError, match="rest"):
        table("slow").run(limit=10)

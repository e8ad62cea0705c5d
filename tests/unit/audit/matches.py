"""Matches for the tests of the audit, each played once."""

from functools import lru_cache

from tests.support.transcripts import FormedTable, small_rules


@lru_cache(maxsize=32)
def played(preset: str, seats: int, seed: int, rounds: int = 1) -> FormedTable:
    """A table whose match is over. Its nodes must not be changed: other tests use them too."""
    table = FormedTable(small_rules(preset, match__rounds=rounds), seats, seed)
    table.run()
    assert all(node.deal.over for node in table.nodes)
    return table


@lru_cache(maxsize=4)
def tiny(seats: int, seed: int) -> FormedTable:
    """A match over after a few turns with a deck of a few cards: for tests that audit it a hundred times."""
    rules = small_rules("cabo-standard", kept="A27", deal__cards=2, call__after_turns=0)
    table = FormedTable(rules, seats, seed)
    table.run()
    assert all(node.deal.over for node in table.nodes)
    return table

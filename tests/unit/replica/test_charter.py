"""The charter's names as people read them."""

from p2pkaboo.replica.charter import RACES, Charter, distinct
from p2pkaboo.rules.ruleset import load_preset


def test_names_are_told_apart() -> None:
    assert distinct(("Anna", "Ben", "Anna", "Anna")) == ("Anna", "Ben", "Anna (2)", "Anna (3)")
    assert distinct(("Anna", "Anna", "Anna (2)")) == ("Anna", "Anna (3)", "Anna (2)")


def test_what_is_shown_is_not_what_is_signed() -> None:
    seats = {"keys": (bytes(32), bytes([1] * 32)), "nonces": (bytes(32), bytes(32))}
    charter = Charter(load_preset("sheffield"), RACES["lan"], names=("Anna", "Anna"), **seats)
    assert charter.shown_names == ("Anna", "Anna (2)")
    assert charter.plain()[4] == ["Anna", "Anna"]

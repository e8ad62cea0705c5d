"""Cards as text, the deck of a ruleset, what a card is worth, and which cards match.

`5H`: rank `A 2 … 9 T J Q K`, suit `C D H S`; jokers `X1 X2 …`; a second pack's cards `5H.2`.
"""

from functools import lru_cache

from .catalogue import Ruleset

RANKS = "A23456789TJQK"
SUITS = "CDHS"

KEPT = frozenset({"A", "2", "3", "4", "5", "6", "X"})
"""Classes that `turn.by_rank` has the drawer keep. The text's table says ace to 6; a joker, which its deck does not
hold, is kept as well where a house rule adds one (it would otherwise have to be thrown away)."""

_FIXED = {**{str(n): n for n in range(2, 10)}, "T": 10}


@lru_cache(maxsize=64)
def deck(rules: Ruleset) -> tuple[str, ...]:
    """The full deck in canonical order: pack by pack, clubs, diamonds, hearts, spades, ace to king, then the jokers.

    A card's index in the protocol is its place in this tuple.
    """
    suffixes = [""] + [f".{pack}" for pack in range(2, rules.deck_packs + 1)]
    removed = set(rules.deck_remove)
    cards = [
        rank + suit + suffix
        for suffix in suffixes
        for suit in SUITS
        for rank in RANKS
        if rank + suit not in removed and rank + suit + suffix not in removed
    ]
    jokers = [f"X{number}" for number in range(1, rules.deck_jokers + 1)]
    return tuple(cards + [joker for joker in jokers if joker not in removed])


@lru_cache(maxsize=64)
def deck_index(rules: Ruleset) -> dict[str, int]:
    """Card -> its index in the full deck (treat as immutable)."""
    return {card: index for index, card in enumerate(deck(rules))}


def rank(card: str) -> str:
    """`A 2 … 9 T J Q K`, or `X` for a joker."""
    return card[0]


def suit(card: str) -> str:
    """`C D H S`, or an empty text for a joker."""
    return "" if card[0] == "X" else card[1]


def card_class(card: str) -> str:
    """The rank, but `KB` for a black and `KR` for a red king: what values and powers go by."""
    if card[0] != "K":
        return card[0]
    return "KB" if card[1] in "CS" else "KR"


def value(rules: Ruleset, card: str) -> int:
    """Points of a card under these rules."""
    match card_class(card):
        case "A":
            return rules.values_a
        case "J":
            return rules.values_j
        case "Q":
            return rules.values_q
        case "KB":
            return rules.values_kb
        case "KR":
            return rules.values_kr
        case "X":
            return rules.values_x
        case number:
            return _FIXED[number]


def match(rules: Ruleset, a: str, b: str) -> bool:
    """Do two cards match, for a snap or for an exchange of several cards?"""
    return value(rules, a) == value(rules, b) if rules.match_by == "value" else a[0] == b[0]


@lru_cache(maxsize=64)
def most_alike(rules: Ruleset) -> int:
    """The most cards of the deck that all match one another: more can never be exchanged at once with success."""
    counts: dict[object, int] = {}
    for card in deck(rules):
        like: object = value(rules, card) if rules.match_by == "value" else card[0]
        counts[like] = counts.get(like, 0) + 1
    return max(counts.values())


@lru_cache(maxsize=64)
def highest_value(rules: Ruleset) -> int:
    """Points of the worst card in the deck."""
    return max(value(rules, card) for card in deck(rules))


@lru_cache(maxsize=64)
def powers(rules: Ruleset) -> dict[str, str]:
    """Card class -> power, for the classes that have one (treat as immutable)."""
    named: dict[str, str] = {
        "7": rules.power_7,
        "8": rules.power_8,
        "9": rules.power_9,
        "T": rules.power_t,
        "J": rules.power_j,
        "Q": rules.power_q,
        "KB": rules.power_kb,
        "KR": rules.power_kr,
    }
    return {name: power for name, power in named.items() if power != "none"}


def power_of(rules: Ruleset, card: str) -> str:
    """The power of a card under these rules."""
    return powers(rules).get(card_class(card), "none")


def classes_with(rules: Ruleset, power: str) -> frozenset[str]:
    """The card classes that have this power."""
    return frozenset(name for name, named in powers(rules).items() if named == power)


def indices_of(rules: Ruleset, classes: frozenset[str]) -> tuple[int, ...]:
    """The indices, ascending, of all cards of the deck whose class is among `classes`: the branches of a claim."""
    return tuple(index for index, card in enumerate(deck(rules)) if card_class(card) in classes)

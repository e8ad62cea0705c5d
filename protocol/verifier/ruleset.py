"""Rulesets and the deck they describe (08-rules.md, sections 1 and 2)."""

from collections.abc import Callable
from typing import NamedTuple

from verifier.encoding import Value, text, whole

RANKS = "A23456789TJQK"
SUITS = "CDHS"
MAX_LIST = 64
MAX_RULES_NAME = 64

Rules = dict[str, Value]


class Card(NamedTuple):
    """A card of a deck: `rank` is `X` for a joker, whose `suit` is its number."""

    rank: str
    suit: str
    pack: int

    @property
    def name(self) -> str:
        return f"{self.rank}{self.suit}" + (f".{self.pack}" if self.pack > 1 else "")

    @property
    def kind(self) -> str:
        """The class of the card: its rank, kings by colour."""
        if self.rank == "K":
            return "KB" if self.suit in "CS" else "KR"
        return self.rank


# ---------------------------------------------------------------------------------------------------------------
# Section 1: what each key may hold

Allowed = Callable[[Value], bool]
_POWER = ("none", "peek", "spy", "swap", "look-swap", "look-two-swap")


def _flag(value: Value) -> bool:
    return isinstance(value, bool)


def _one_of(*texts: str) -> Allowed:
    return lambda value: isinstance(value, str) and value in texts


def _texts(value: Value) -> bool:
    if not isinstance(value, list) or len(value) > MAX_LIST or not all(isinstance(each, str) for each in value):
        return False
    return all(value.index(each) == place for place, each in enumerate(value))


def _protected(value: Value) -> bool:
    return _texts(value) and isinstance(value, list) and all(each in ("snap", "swap", "spy") for each in value)


def _award(value: Value) -> bool:
    return value in ("off", "half-target") if isinstance(value, str) else whole(0, 1000)(value)


KEYS: dict[str, Allowed] = {
    "deck.packs": whole(1, 4),
    "deck.jokers": whole(0, 16),
    "deck.remove": _texts,
    **{f"values.{kind}": whole(-50, 100) for kind in ("A", "J", "Q", "KB", "KR", "X")},
    "players.min": whole(2, 8),
    "players.max": whole(2, 8),
    "deal.cards": whole(1, 12),
    "deal.opening": _flag,
    "peek.count": whole(0, 12),
    "peek.choice": _flag,
    "turn.take": _flag,
    "turn.taken_open": _flag,
    "turn.by_rank": _flag,
    **{f"power.{kind}": _one_of(*_POWER) for kind in ("7", "8", "9", "T", "J", "Q", "KB", "KR")},
    "power.on": _one_of("discard", "draw"),
    "power.skip": _flag,
    "power.decline": _flag,
    "power.displaced": _flag,
    "power.swap_any": _flag,
    "multi.max": whole(0, 12),
    "multi.fail": _one_of("keep", "discard", "keep-end"),
    "multi.unseen_from": whole(0, 12),
    "match.by": _one_of("rank", "value"),
    "snap": _one_of("off", "any", "own-then-others"),
    "snap.limit": _one_of("first", "all"),
    "snap.gift": _one_of("may", "must"),
    "snap.wrong_cards": whole(0, 8),
    "snap.wrong_points": whole(0, 500),
    "snap.exposure_ms": whole(0, 10000),
    "call.final_turns": _flag,
    "call.after_turns": whole(0, 20),
    "call.threshold": whole(-1, 200),
    "caller.protect": _protected,
    "caller.snaps": _flag,
    "stock.empty": _one_of("reshuffle", "end", "stay"),
    "score.lowest_zero": _flag,
    "score.call_won": _one_of("total", "zero"),
    "score.call_won_adjust": whole(-500, 500),
    "score.call_lost_adjust": whole(-500, 500),
    "score.caller_tie": _one_of("fails", "wins"),
    "score.round_winner": _flag,
    "special.award": _award,
    "match.rounds": whole(0, 1000),
    "match.target": whole(0, 10000),
    "match.when": _one_of("over", "reached"),
    "reset.at": whole(0, 10000),
    "reset.to": whole(0, 10000),
    "timer.step_s": whole(0, 3600),
    "timer.idle_s": whole(10, 86400),
    "timer.between_s": whole(0, 3600),
    "timer.grace_s": whole(1, 3600),
    "memory": _one_of("classic", "assisted"),
    "on_forfeit": _one_of("redeal", "recover"),
    "race": _one_of("auto", "lan", "wan"),
}


def number(rules: Rules, key: str) -> int:
    """The integer under a key."""
    value = rules[key]
    assert isinstance(value, int)
    return value


def names(rules: Rules, key: str) -> list[str]:
    """The list under a key."""
    value = rules[key]
    assert isinstance(value, list)
    return [each for each in value if isinstance(each, str)]


def _has_unseen(name: str) -> bool:
    """Whether the name holds one of the code points that it must not (08-rules, section 1)."""
    unseen = ((0x00, 0x1F), (0x7F, 0x9F), (0x61C, 0x61C), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069))
    return any(first <= ord(letter) <= last for letter in name for first, last in unseen)


def fault(rules: Rules) -> str | None:
    """What is wrong with a ruleset (with its name under `name`); None if nothing is."""
    name = rules.get("name")
    if not text(1, MAX_RULES_NAME)(name) or not isinstance(name, str) or _has_unseen(name):
        return "the ruleset has no proper name"
    for key in rules:
        if key != "name" and key not in KEYS:
            return f"the ruleset has an unknown key {key!r}"
    for key, allowed in KEYS.items():
        if key not in rules:
            return f"the ruleset lacks {key}"
        if not allowed(rules[key]):
            return f"the value of {key} is not allowed"
    return _contradiction(rules)


def _contradiction(rules: Rules) -> str | None:
    packs, cards = number(rules, "deck.packs"), number(rules, "deal.cards")
    if number(rules, "deck.jokers") > 4 * packs:
        return "more jokers than four a pack"
    held = {card.name for card in _whole_deck(rules)}
    if not held.issuperset(names(rules, "deck.remove")):
        return "deck.remove names a card that is not there"
    seats = number(rules, "players.max")
    if number(rules, "players.min") > seats:
        return "players.min is above players.max"
    if seats * cards + bool(rules["deal.opening"]) + 1 > len(deck(rules)):
        return "too few cards for players.max"
    if number(rules, "peek.count") > cards:
        return "peek.count is above deal.cards"
    if _never_called(rules):
        return "nobody could ever call"
    if rules["special.award"] == "half-target" and rules["match.target"] == 0:
        return "half of no target"
    if 0 < number(rules, "reset.at") <= number(rules, "reset.to"):
        return "reset.to is not below reset.at"
    return None


def _never_called(rules: Rules) -> bool:
    """Whether the threshold lies below every hand there can be, while only a call ends a round."""
    threshold, empty = number(rules, "call.threshold"), rules["stock.empty"]
    endless = empty == "reshuffle" or (empty == "stay" and rules["turn.take"] is True)
    if threshold < 0 or rules["snap"] != "off" or not endless:
        return False
    values = sorted(value(rules, card) for card in deck(rules))
    if number(rules, "multi.max") == 1:
        return threshold < sum(values[: number(rules, "deal.cards")])
    return threshold < values[0]  # with a negative value there is a hand below every threshold


# ---------------------------------------------------------------------------------------------------------------
# Section 2


def _whole_deck(rules: Rules) -> list[Card]:
    packs = range(1, number(rules, "deck.packs") + 1)
    plain = [Card(rank, suit, pack) for pack in packs for suit in SUITS for rank in RANKS]
    return plain + [Card("X", str(joker), 1) for joker in range(1, number(rules, "deck.jokers") + 1)]


def deck(rules: Rules) -> list[Card]:
    """The cards in canonical order; the place of a card is its index."""
    removed = set(names(rules, "deck.remove"))
    return [card for card in _whole_deck(rules) if not removed & {card.name, card._replace(pack=1).name}]


def value(rules: Rules, card: Card) -> int:
    """The points of a card."""
    if card.rank in "23456789":
        return int(card.rank)
    return 10 if card.rank == "T" else number(rules, f"values.{card.kind}")


def power(rules: Rules, kind: str) -> str:
    """The power of a class of cards, `none` for none."""
    return str(rules.get(f"power.{kind}", "none"))


def match(rules: Rules, card: Card, other: Card) -> bool:
    if rules["match.by"] == "value":
        return value(rules, card) == value(rules, other)
    return card.rank == other.rank

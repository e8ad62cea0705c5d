"""Contradictions within a ruleset, and between a ruleset and a number of seats."""

from .cards import RANKS, SUITS, deck, value
from .catalogue import Ruleset
from .keys import RulesError, shown


def cards_needed(rules: Ruleset, seats: int) -> int:
    """Cards that a deal needs: the hands, the card turned up, and one to draw."""
    return seats * rules.deal_cards + int(rules.deal_opening) + 1


def stock_after_deal(rules: Ruleset, seats: int) -> int:
    """Cards left in the stock after the deal; few of them mean a short round, worth a word before the game."""
    return len(deck(rules)) - cards_needed(rules, seats) + 1


def check_seats(rules: Ruleset, seats: int) -> None:
    """May so many sit down under these rules?

    Raises RulesError if not.
    """
    if not rules.players_min <= seats <= rules.players_max:
        raise RulesError(
            f"{seats} seats: these rules allow {rules.players_min} to {rules.players_max} (players.min, players.max)"
        )


def contradiction(rules: Ruleset) -> str:
    """What contradicts what in these rules, in one line; empty if nothing does."""
    checks = (_deck, _players, _looks, _call, _score)  # a later one relies on those before
    return next((problem for check in checks if (problem := check(rules))), "")


def _deck(rules: Ruleset) -> str:
    if rules.deck_jokers > 4 * rules.deck_packs:
        return f"deck.jokers = {rules.deck_jokers}: allowed is at most 4 for each of deck.packs = {rules.deck_packs}"
    packs = {""} | {f".{pack}" for pack in range(2, rules.deck_packs + 1)}
    known = {rank + suit + pack for rank in RANKS for suit in SUITS for pack in packs}
    known |= {f"X{number}" for number in range(1, rules.deck_jokers + 1)}
    for card in rules.deck_remove:
        if card not in known:
            return f"deck.remove = {shown(card)}: allowed are cards that the packs and jokers hold, such as KH"
    return ""


def _players(rules: Ruleset) -> str:
    if rules.players_min > rules.players_max:
        return f"players.min = {rules.players_min}: allowed is at most players.max = {rules.players_max}"
    need, have = cards_needed(rules, rules.players_max), len(deck(rules))
    if need > have:
        return (
            f"deal.cards = {rules.deal_cards}: {rules.players_max} players (players.max) need {need} cards "
            f"to deal and begin, the deck holds {have}"
        )
    return ""


def _looks(rules: Ruleset) -> str:
    if rules.peek_count > rules.deal_cards:
        return f"peek.count = {rules.peek_count}: allowed is at most deal.cards = {rules.deal_cards}"
    return ""


def _call(rules: Ruleset) -> str:
    """A threshold below every hand there can be: where neither a call nor the stock ends it, a round has no end."""
    ends_itself = rules.stock_empty == "end" or (rules.stock_empty == "stay" and not rules.turn_take)
    if rules.call_threshold < 0 or rules.snap != "off" or ends_itself:
        return ""  # without cards, which only a snap can bring about, there is no threshold
    least = least_hand(rules)
    if rules.call_threshold < least:
        return (
            f"call.threshold = {rules.call_threshold}: allowed is at least {least}, no hand of these rules is worth "
            "less and nobody could ever call"
        )
    return ""


def least_hand(rules: Ruleset) -> int:
    """The fewest points of a hand that snaps take nothing from: as many cards as dealt, or, where exchanges of several
    make it shorter and longer, whatever number of them is best."""
    points = sorted(value(rules, card) for card in deck(rules))
    if rules.multi_max == 1:
        return sum(points[: rules.deal_cards])
    return sum(number for number in points if number < 0) or points[0]


def _score(rules: Ruleset) -> str:
    if rules.special_award == "half-target" and rules.match_target == 0:
        return "special.award = half-target: allowed only with a match.target"
    if rules.reset_at and rules.reset_to >= rules.reset_at:
        return f"reset.to = {rules.reset_to}: allowed is less than reset.at = {rules.reset_at}"
    return ""

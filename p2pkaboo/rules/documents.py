"""The JSON documents of `rules score` and `rules run`: reading the parts they share, and scoring as a document.

A document is what `json.loads` gives. What is wrong with one is a `DocumentError`, one line that names the field.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .cards import deck_index
from .keys import RulesError, shown
from .ruleset import Ruleset, load_preset, with_overrides
from .scoring import RoundScore, score_round

MAX_SEATS_ON_PAPER = 32
"""Hands in a document to score: more than any table has, and a bound for what is typed."""

MAX_SEAT_NAME = 64
"""Characters of a seat's name in a document: one line on a screen."""

MAX_POINTS = 10**9
"""Largest total in a document: far beyond any match, and it keeps every number short."""


class DocumentError(ValueError):
    """A document is not of the form expected. The message is one line."""


def table(document: object, known: Sequence[str], required: Sequence[str]) -> dict[str, Any]:
    """The document as a table with no other fields than `known`, and all that are `required`.

    Raises DocumentError.
    """
    if not isinstance(document, dict):
        raise DocumentError("expected a JSON object")
    for name in document:
        if name not in known:
            raise DocumentError(f"{shown(name)}: no such field, there are {', '.join(known)}")
    for name in required:
        if name not in document:
            raise DocumentError(f"{name}: missing")
    return document


def read_rules(document: Mapping[str, Any]) -> Ruleset:
    """The ruleset that `rules` (a preset) and `overrides` mean.

    Raises DocumentError.
    """
    name, overrides = document["rules"], document.get("overrides", {})
    if not isinstance(name, str):
        raise DocumentError(f"rules: {shown(name)}, expected the name of a preset")
    if not isinstance(overrides, dict):
        raise DocumentError("overrides: expected an object of keys and values")
    try:
        return with_overrides(load_preset(name), overrides)
    except RulesError as error:
        raise DocumentError(str(error)) from None


def read_points(
    document: Mapping[str, Any], field: str, seats: Sequence[str], low: int = -MAX_POINTS
) -> dict[str, int]:
    """Points by seat, `low` or more, 0 for those left out.

    Raises DocumentError.
    """
    given = document.get(field, {})
    if not isinstance(given, dict):
        raise DocumentError(f"{field}: expected an object of seats and points")
    for seat, points in given.items():
        if seat not in seats:
            raise DocumentError(f"{field}: no seat {shown(seat)}, there are {', '.join(seats)}")
        if type(points) is not int or not low <= points <= MAX_POINTS:
            raise DocumentError(
                f"{field}: {seat} has {shown(points)}, expected a whole number from {low} to {MAX_POINTS}"
            )
    return {seat: given.get(seat, 0) for seat in seats}


def read_match(document: Mapping[str, Any], seats: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """`used_reset` and `round_no`.

    Raises DocumentError.
    """
    used, number = document.get("used_reset", []), document.get("round_no", 1)
    if not isinstance(used, list) or any(seat not in seats for seat in used):
        raise DocumentError(f"used_reset: {shown(used)}, expected a list of seats among {', '.join(seats)}")
    if type(number) is not int or not 1 <= number <= MAX_POINTS:
        raise DocumentError(f"round_no: {shown(number)}, expected a whole number from 1 to {MAX_POINTS}")
    return tuple(used), number


def read_seat_name(name: object, field: str) -> str:
    """The name of a seat, met in a field of the document: a short text on one line.

    Raises DocumentError.
    """
    if not isinstance(name, str) or not 0 < len(name) <= MAX_SEAT_NAME or not name.isprintable():
        raise DocumentError(f"{field}: {shown(name)}, expected a name of 1 to {MAX_SEAT_NAME} characters on one line")
    return name


def check_cards(rules: Ruleset, field: str, cards: Sequence[object]) -> tuple[str, ...]:
    """Cards of the ruleset's deck, none twice.

    Raises DocumentError.
    """
    known, seen = deck_index(rules), set()
    for card in cards:
        if not isinstance(card, str) or card not in known:
            raise DocumentError(f"{field}: {shown(card)} is no card of these rules")
        if card in seen:
            raise DocumentError(f"{field}: {card} stands there twice")
        seen.add(card)
    return tuple(str(card) for card in cards)


def read_penalties(document: Mapping[str, Any], rules: Ruleset, seats: Sequence[str]) -> dict[str, int]:
    """Points for wrong snaps by seat: as many as some number of wrong snaps cost. Rules without such points leave them
    out of the score, whatever they are.

    Raises DocumentError.
    """
    penalties, cost = read_points(document, "penalties", seats, low=0), rules.snap_wrong_points
    for seat, points in penalties.items():
        if cost and points % cost:
            raise DocumentError(f"penalties: {seat} has {points}, expected a multiple of snap.wrong_points = {cost}")
    return penalties


def score_document(document: object) -> dict[str, Any]:
    """What `rules score` answers: a round's hands in, its scores out.

    Raises DocumentError.
    """
    fields = ("rules", "overrides", "hands", "caller", "penalties", "totals", "used_reset", "round_no")
    given = table(document, fields, ("rules", "hands"))
    rules = read_rules(given)
    hands = given["hands"]
    if not isinstance(hands, dict) or not 0 < len(hands) <= MAX_SEATS_ON_PAPER:
        raise DocumentError(f"hands: expected an object of 1 to {MAX_SEATS_ON_PAPER} seats and their cards")
    for seat, cards in hands.items():
        read_seat_name(seat, "hands")
        if not isinstance(cards, list):
            raise DocumentError(f"hands: {seat} has {shown(cards)}, expected a list of cards")
    check_cards(rules, "hands", [card for cards in hands.values() for card in cards if card is not None])
    caller = given.get("caller")
    seats = tuple(hands)
    if caller is not None and caller not in seats:
        raise DocumentError(f"caller: no seat {shown(caller)}, there are {', '.join(seats)}")
    penalties, totals = read_penalties(given, rules, seats), read_points(given, "totals", seats)
    used, number = read_match(given, seats)
    return score_plain(rules, score_round(rules, hands, caller, penalties, totals, used, number))


def score_plain(rules: Ruleset, score: RoundScore[str]) -> dict[str, Any]:
    """A round's score as a document; `round_winner` only where the rules know one."""
    plain: dict[str, Any] = {
        "hand": score.hand,
        "round": score.round,
        "totals": score.totals,
        "reset": list(score.reset),
        "match_over": score.match_over,
        "winners": list(score.winners),
    }
    if rules.score_round_winner:
        plain["round_winner"] = score.round_winner
    return plain

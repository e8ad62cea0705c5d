"""The honest matches that become golden transcripts: small tables played by dice, until one shows what is wanted."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from p2pkaboo.lab.tables.chance import Dice
from p2pkaboo.lab.tables.formed import FormedTable, deals_of, small_rules
from p2pkaboo.lab.tables.table import MS
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import Snap

TRIES: Final = 40
"""Tables played at most to find one that is wanted."""

SLOW: Final = (1 * MS, 300 * MS)
"""Delays of links so slow that races are close."""


@dataclass(frozen=True)
class Match:
    """How a golden transcript comes about. `wanted`: what it must show; `first`: number of the first table tried."""

    name: str
    about: str
    rules: Ruleset
    seats: int
    wanted: Callable[[FormedTable], bool]
    first: int = 1
    snap_rate: float = 0.3
    delay: tuple[int, int] = field(default=(1 * MS, 40 * MS))

    def table(self, number: int) -> FormedTable:
        """The table of that number, before it is played."""
        label = f"golden/{self.name}/{number}"
        return FormedTable(self.rules, self.seats, Dice(label), label, snap_rate=self.snap_rate, delay=self.delay)


@cache
def played(match: Match) -> FormedTable:
    """The first of its tables that shows what is wanted. ValueError if there is none among so many."""
    for number in range(match.first, match.first + TRIES):
        table = match.table(number)
        table.run()
        if all(node.deal.over for node in table.nodes) and match.wanted(table):
            return table
    raise ValueError(f"golden {match.name}: none of {TRIES} tables shows what is wanted")


def steps(table: FormedTable) -> list[tuple[Deal, str, str]]:
    """Deal, kind and reason of every step."""
    return [(deal, closed.kind, closed.why) for deal in deals_of(table.nodes[0]) for closed in deal.history]


def is_short(table: FormedTable) -> bool:
    """Few turns, but some."""
    return 4 <= sum(kind == "ACTION" for _, kind, _ in steps(table)) <= 14


def has_power(table: FormedTable) -> bool:
    """A card is looked at in play, in a match that is short."""
    return is_short(table) and any(kind == "SERVE" and why == "power" for _, kind, why in steps(table))


def has_claim(table: FormedTable) -> bool:
    """Something is proved about a hidden card, and a card snapped."""
    said = [
        envelope.body
        for deal in deals_of(table.nodes[0])
        for closed in deal.history
        if closed.kind in ("ACTION", "WINDOW")
        for envelope in closed.said.values()
    ]
    return (
        is_short(table)
        and any(getattr(body, "claim", b"") for body in said)
        and any(isinstance(body, Snap) for body in said)
    )


def is_reshuffled(table: FormedTable) -> bool:
    """The discards become the stock once by a move, and are dealt from."""
    reasons = [why for _, kind, why in steps(table) if kind == "SHUFFLE"]
    return reasons.count("action") == len(table.nodes) and len(steps(table)) < 140


def is_penalised(table: FormedTable) -> bool:
    """A wrong snap's cards need a reshuffle, in the window lane."""
    reasons = [why for _, kind, why in steps(table) if kind == "SHUFFLE"]
    return reasons.count("penalty") == len(table.nodes) and len(steps(table)) < 140


def is_contested(table: FormedTable) -> bool:
    """Two races between several seats, one of them with a snap that does not win, and a gift."""
    races = [race for deal in deals_of(table.nodes[0]) for race in deal.races]
    contested = [race for race in races if len(race.claims) > 1]
    given = any(kind == "GIFT" for _, kind, _ in steps(table))
    return len(contested) >= 2 and given and len(steps(table)) < 110


def is_disputed(table: FormedTable) -> bool:
    """Two seats see a race differently, and another one alike."""
    races = [race for deal in deals_of(table.nodes[0]) for race in deal.races if len(race.claims) > 1]
    return len({race.judgement.disputed for race in races}) == 2 and len(steps(table)) < 140


def anything(table: FormedTable) -> bool:
    """A few turns, as they come."""
    return 2 <= sum(kind == "ACTION" for _, kind, _ in steps(table)) <= 5


TINY: Final = Match(
    "tiny",
    "two seats, twelve cards, a few turns: what the worked example and the tampered files start from",
    small_rules("cabo-standard", kept="A27", deal__cards=2, players__max=3),
    2,
    anything,
)

MATCHES: Final = (
    TINY,
    Match(
        "sheffield",
        "three seats, two rounds of the preset",
        small_rules("sheffield", match__rounds=2),
        3,
        has_power,
        first=21,
    ),
    Match("cabo-standard", "three seats", small_rules("cabo-standard"), 3, has_power, first=20),
    Match("cabo-guide", "two seats", small_rules("cabo-guide"), 2, has_power, first=12),
    Match("kabbu", "three seats; cards kept and powers used under proof", small_rules("kabbu"), 3, has_claim, first=3),
    Match("cabo-online", "two seats", small_rules("cabo-online"), 2, has_power, first=17),
    Match(
        "reshuffle",
        "the stock is used up by a draw: the discards are shuffled anew on the main line",
        small_rules("cabo-guide", kept="A27", deal__cards=3, players__max=2, call__after_turns=3),
        2,
        is_reshuffled,
        first=8,
    ),
    Match(
        "penalty",
        "a wrong snap's cards use up the stock: the discards are shuffled anew in the window lane",
        small_rules("sheffield", kept="A27", deal__cards=3, players__max=2, snap__wrong_cards=2),
        2,
        is_penalised,
        snap_rate=0.9,
    ),
    Match(
        "races",
        "three seats that snap whatever they can on slow links, every right snap counting: testimony, order, gifts",
        small_rules("sheffield", snap__limit="all"),
        3,
        is_contested,
        snap_rate=0.9,
        delay=SLOW,
    ),
    Match(
        "dispute",
        "two seats that see who was first differently",
        small_rules("sheffield", kept="27Q", deal__cards=3, players__max=2),
        2,
        is_disputed,
        first=7,
        snap_rate=0.95,
        delay=SLOW,
    ),
)

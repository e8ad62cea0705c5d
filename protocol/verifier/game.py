"""The state of a round and what can be read from it (08-rules.md, sections 3 to 6, 8, 9).

Cards are named by handle. A handle whose face is public stands in `faces`; all others are hidden, and every
question that this module answers is answered without them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from verifier.ruleset import Card, Rules, names, number

Handle = tuple[int, int]
MAX_ATTEMPTS = 2


@dataclass(slots=True)
class Power:
    """A power that is being used: what it has looked at, and whether only the discard is left."""

    kind: str
    own: Handle | None = None
    other: tuple[int, Handle] | None = None
    done: bool = False


@dataclass(slots=True)
class Game:
    """The state of a round (section 3)."""

    rules: Rules
    active: tuple[int, ...]
    hands: dict[int, list[Handle | None]]
    stock: list[Handle]
    pile: list[Handle]
    faces: dict[Handle, Card]
    turn: int | None
    initial: set[int]
    snap_open: bool
    drawn: tuple[Handle, str] | None = None
    step: str = "turn"
    caller: int | None = None
    finals: list[int] = field(default_factory=list)
    power: Power | None = None
    gift: tuple[int, int, int] | None = None
    attempts: dict[int, int] = field(default_factory=dict)
    own_closed: bool = False
    chained: bool = False
    penalties: dict[int, int] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    passed_out: bool = False

    def copy(self) -> "Game":
        """A state that can be changed without touching this one."""
        power = self.power
        return Game(
            self.rules,
            self.active,
            {seat: list(hand) for seat, hand in self.hands.items()},
            list(self.stock),
            list(self.pile),
            dict(self.faces),
            self.turn,
            set(self.initial),
            self.snap_open,
            self.drawn,
            self.step,
            self.caller,
            list(self.finals),
            Power(power.kind, power.own, power.other, power.done) if power else None,
            self.gift,
            dict(self.attempts),
            self.own_closed,
            self.chained,
            dict(self.penalties),
            dict(self.turns),
            self.passed_out,
        )

    # Reading ---------------------------------------------------------------------------------------------------

    def cards_of(self, seat: int) -> list[Handle]:
        """The cards before a seat, by ascending position."""
        return [handle for handle in self.hands[seat] if handle is not None]

    def has_cards(self, seat: int) -> bool:
        return bool(self.cards_of(seat))

    def owner(self, handle: Handle) -> int | None:
        """The seat before which a card lies."""
        return next((seat for seat in self.active if handle in self.hands[seat]), None)

    def clockwise(self, seat: int) -> list[int]:
        """The other active seats, from the left neighbour of a seat on."""
        return [each for each in self.active if each > seat] + [each for each in self.active if each < seat]

    def under_top(self) -> list[Handle]:
        return self.pile[:-1]

    def can_reshuffle(self) -> bool:
        return self.rules["stock.empty"] == "reshuffle" and bool(self.under_top())

    def can_draw(self) -> bool:
        return bool(self.stock) or self.can_reshuffle()

    def can_take(self) -> bool:
        return bool(self.rules["turn.take"]) and bool(self.pile)

    def card_kept(self) -> bool:
        """Whether the top card of the stock is kept for the seat at turn (section 6)."""
        return self.step == "turn" or self.passed_out

    def protected(self, seat: int, *doings: str) -> bool:
        """Whether the rules keep any of these from being done to the cards of this seat."""
        return seat == self.caller and any(doing in names(self.rules, "caller.protect") for doing in doings)

    # Snaps (section 9) -----------------------------------------------------------------------------------------

    def suspended(self) -> bool:
        under = len(self.under_top()) if self.rules["stock.empty"] == "reshuffle" else 0
        return number(self.rules, "snap.wrong_cards") > 0 and len(self.stock) + under - self.card_kept() < 1

    def snap_targets(self, seat: int) -> dict[str, list[Handle]]:
        """The cards that a seat may aim at, by class."""
        staged = self.rules["snap"] == "own-then-others"
        own = [] if staged and self.own_closed else self.cards_of(seat)
        others = [each for each in self.active if each != seat and not self.protected(each, "snap")]
        return {"own": own, "other": [handle for each in others for handle in self.cards_of(each)]}

    def may_snap(self, seat: int, serving: bool = False) -> bool:
        """Whether a seat may snap; while a snap is served, suspension counts only before any attempt, and not at all
        on a card that was itself snapped."""
        if self.rules["snap"] == "off" or self.gift or self.initial or seat not in self.active or not self.snap_open:
            return False
        if seat == self.caller and not self.rules["caller.snaps"]:
            return False
        if not self.has_cards(seat) or self.attempts.get(seat, 0) >= MAX_ATTEMPTS:
            return False
        if self.suspended() and not (serving and (self.chained or any(self.attempts.values()))):
            return False
        return any(self.snap_targets(seat).values())

    def anybody_may_snap(self) -> bool:
        return any(self.may_snap(seat) for seat in self.active)

    # Powers (section 8) ----------------------------------------------------------------------------------------

    def power_targets(self, seat: int, kind: str) -> list[Handle]:
        """The cards of others that a power of this kind may aim at."""
        doings = {"spy": ("spy",), "swap": ("swap",)}.get(kind, ("spy", "swap"))
        others = [each for each in self.active if each != seat and not self.protected(each, *doings)]
        return [handle for each in others for handle in self.cards_of(each)]

    def swappable(self, seat: int) -> list[Handle]:
        """The cards that a blind swap of any two cards may move."""
        return self.cards_of(seat) + self.power_targets(seat, "swap")

    def power_possible(self, seat: int, power: Power) -> bool:
        if power.done:
            return False
        if power.own is not None and self.owner(power.own) != seat:
            return False
        if power.other is not None and self.owner(power.other[1]) != power.other[0]:
            return False
        if power.kind == "peek":
            return self.has_cards(seat)
        if power.kind == "spy":
            return bool(self.power_targets(seat, "spy"))
        if power.kind == "swap" and self.rules["power.swap_any"]:
            return len(self.swappable(seat)) >= 2
        if power.kind == "swap":
            return self.has_cards(seat) and bool(self.power_targets(seat, "swap"))
        if power.kind in ("look-swap", "look-two-swap"):
            seen = power.other is not None
            return self.has_cards(seat) and (seen or bool(self.power_targets(seat, power.kind)))
        return False


def deal(rules: Rules, active: Iterable[int], dealer: int, handles: list[Handle]) -> Game:
    """The state after dealing (section 5); the face of a card turned up is not public yet."""
    seats = tuple(active)
    left = [seat for seat in seats if seat > dealer] + [seat for seat in seats if seat <= dealer]
    rest = list(handles)
    hands: dict[int, list[Handle | None]] = {seat: [] for seat in seats}
    for _ in range(number(rules, "deal.cards")):
        for seat in left:
            hands[seat].append(rest.pop(0))
    pile = [rest.pop(0)] if rules["deal.opening"] else []
    initial = set(seats) if number(rules, "peek.count") > 0 else set()
    return Game(rules, seats, hands, rest, pile, {}, left[0], initial, bool(pile) and rules["snap"] != "off")

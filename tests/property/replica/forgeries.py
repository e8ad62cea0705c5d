"""Messages that a seat might sign to harm a replica: of every kind, nearly right or not at all, for any slot."""

import random
from dataclasses import dataclass

from p2pkaboo.crypto.group import G
from p2pkaboo.replica.lanes import action_head
from p2pkaboo.replica.state import Deal, Step
from p2pkaboo.rules.moves import NAMES, POWERS
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Body, from_plain, to_plain
from p2pkaboo.wire.envelope import Envelope, Signed, seal
from p2pkaboo.wire.slot import Slot
from tests.support.records import Record

NUMBERS = (0, 1, 7, 255, 256, 10_000, -1, 2**40)
WORDS = ("own", "other", "", "draw", "call", "swap")
ELAPSED = (0, 10**6, 2**32)
TRIES = 6
"""Damaged bodies tried before an undamaged one is taken: most no longer decode, and are refused on the wire."""


@dataclass(slots=True)
class Forger:
    """Signs as `seat`. `near`: the honest messages that are due about now."""

    game: Record
    deal: Deal
    seat: int
    chance: random.Random

    def forge(self, near: list[Signed]) -> Signed:
        """One message."""
        honest = self.chance.choice(near if self.chance.random() < 0.8 else self.game.rows).envelope
        kind, body = self._body(honest)
        slot, head = self._place(kind, honest)
        return seal(
            self.game.identities[self.seat],
            table=self.deal.table,
            deal=self.deal.deal,
            slot=slot,
            seat=self.seat,
            head=head,
            kind=kind,
            elapsed=self.chance.choice((honest.elapsed, honest.elapsed, *ELAPSED)),
            body=body,
        )

    # ---------------------------------------------------------------- what is said

    def _body(self, honest: Envelope) -> tuple[str, Body]:
        dealt = self.deal.game is not None or self.deal.lanes is not None
        for _ in range(TRIES):
            kind, plain = honest.kind, to_plain(honest.body)
            if dealt and self.chance.random() < 0.3:
                kind, plain = "ACTION", [self._move(), None, b"" if self.chance.random() < 0.7 else bytes(96)]
            elif self.chance.random() < 0.7:
                plain = self._damaged(plain)  # type: ignore[assignment]
            try:
                return kind, from_plain(kind, plain)
            except ValueError:
                continue
        return honest.kind, honest.body

    def _damaged(self, value: object) -> object:
        chance = self.chance
        match value:
            case bool():
                return not value
            case int():
                return chance.choice((value + 1, max(0, value - 1), *NUMBERS))
            case str():
                return chance.choice(WORDS)
            case None:
                return chance.choice(([1, 2], 0, b""))
            case bytes():
                return self._damaged_bytes(value)
            case list() | tuple():
                items = list(value)
                if not items:
                    return items
                if chance.random() < 0.3:
                    return chance.choice((items[:-1], [*items, items[-1]], items[::-1]))
                at = chance.randrange(len(items))
                items[at] = self._damaged(items[at])
                return items
        raise AssertionError(f"{value!r} is no wire value")

    def _damaged_bytes(self, value: bytes) -> bytes:
        flipped = bytearray(value)
        if flipped:
            flipped[self.chance.randrange(len(flipped))] ^= 1 << self.chance.randrange(8)
        whole = (bytes(flipped), bytes(len(value)), value[:-1], value[32:] + value[:32], value[:-64])
        return self.chance.choice((*whole, G.encoded) if len(value) == 32 else whole)

    def _move(self) -> list[object]:
        chance = self.chance
        kind = chance.choice(sorted(NAMES.values()))
        seat = self.seat if chance.random() < 0.9 else chance.randrange(8)
        power = chance.choice((None, *POWERS))
        match kind:
            case "peek_initial":
                return [kind, seat, [self._card() for _ in range(chance.randrange(5))]]
            case "exchange":
                cards = [self._card() for _ in range(chance.randrange(5))]
                return [kind, seat, cards, chance.choice((None, self._card())), chance.choice((None, "left", "right"))]
            case "peek" | "spy":
                return [kind, seat, self._card(), power]
            case "swap":
                return [kind, seat, self._card(), self._card(), power]
            case "snap":
                return [kind, seat, self._card()]
            case "give":
                return [kind, seat, chance.choice((None, self._card()))]
            case _:
                return [kind, seat]

    def _card(self) -> list[int]:
        """A card of its own, another's, one that is somewhere else, or none at all."""
        hand = [handle for handle in self.deal.state.hands[self.seat] if handle is not None]
        anywhere: list[Handle] = list(self.deal.cards)
        choices: list[Handle] = [(99, 0), (1, 223), (0, 0)]
        choices += self.chance.sample(hand, min(2, len(hand))) * 3 + self.chance.sample(anywhere, 3)
        return list(self.chance.choice(choices))

    # ---------------------------------------------------------------- where it is said

    def _place(self, kind: str, honest: Envelope) -> tuple[Slot, bytes]:
        chance, deal = self.chance, self.deal
        steps = self._open()
        fitting = [step for step in steps if kind in (("SNAP", "NONE") if step.kind == "WINDOW" else (step.kind,))]
        head = action_head(deal) if deal.lanes is not None else None
        places = [(step.slot, step.head) for step in fitting * 6 + steps * 2]
        if head is not None:
            places += [(Slot(deal.number + 1, "m", 0), head)] * (8 if kind == "ACTION" else 1)
        if deal.lanes is not None:
            places.append((Slot(deal.number, "w", deal.lanes.next_index), deal.lanes.window_head))
            places.append((Slot(deal.number, "d", 0), deal.lanes.start))
        places.append((honest.slot, honest.head))
        number = chance.choice((0, 1, deal.number, deal.number + 1, deal.number + 5, 99_999))
        lane = chance.choice("fmdw")
        past = chance.choice(deal.history) if deal.history else None
        places.append((Slot(number, lane, chance.randrange(9) if lane in "dw" else 0), bytes(64)))
        if past is not None:
            places.append((past.slot, next(iter(past.said.values())).head))
        slot, bears = chance.choice(places)
        return slot, bears if chance.random() < 0.93 else honest.head

    def _open(self) -> list[Step]:
        lanes = self.deal.lanes
        steps = [self.deal.main] if lanes is None else [lanes.draw, lanes.window]
        return [step for step in steps if step is not None]

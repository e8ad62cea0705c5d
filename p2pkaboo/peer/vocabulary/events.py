"""What just happened at the table, for motion and sound."""

from __future__ import annotations

from typing import Literal

from p2pkaboo.peer.vocabulary.basics import Data, Spot
from p2pkaboo.peer.vocabulary.outcome import Caught
from p2pkaboo.peer.vocabulary.table import Race


class Event(Data, frozen=True, kw_only=True):
    """Comes *before* the snapshot in which its result stands, whose number it carries."""

    snapshot: int


class CardMoved(Event, tag="card_moved", frozen=True, kw_only=True):
    """A card travelled. `face` only if everybody, or you, may see it while it does."""

    cause: Literal["deal", "draw", "take", "exchange", "discard", "swap", "snap", "gift", "penalty", "return", "extra"]
    seat: int | None
    start: Spot
    end: Spot
    face: str | None = None


class CardShown(Event, tag="card_shown", frozen=True, kw_only=True):
    """A card was turned up for everybody where it lies, and turned back unless it moves on."""

    cause: Literal["wrong_snap", "right_snap", "mismatch", "reveal"]
    spot: Spot
    face: str


class Looked(Event, tag="looked", frozen=True, kw_only=True):
    """A seat looked at a card. `face` only if the looker is you."""

    seat: int
    spot: Spot
    face: str | None = None


class TurnBegan(Event, tag="turn_began", frozen=True, kw_only=True):
    seat: int
    final: bool = False


class Called(Event, tag="called", frozen=True, kw_only=True):
    seat: int


class Raced(Event, tag="raced", frozen=True, kw_only=True):
    race: Race


class Reshuffled(Event, tag="reshuffled", frozen=True, kw_only=True):
    cards: int


class RoundEnded(Event, tag="round_ended", frozen=True, kw_only=True):
    number: int


class CheatCaught(Event, tag="cheat_caught", frozen=True, kw_only=True):
    caught: Caught


class SeatChanged(Event, tag="seat_changed", frozen=True, kw_only=True):
    """Somebody came, went, fell silent, came back, or was lost."""

    seat: int
    link: Literal["here", "silent", "away", "left", "forfeit"]


AnyEvent = (
    CardMoved | CardShown | Looked | TurnBegan | Called | Raced | Reshuffled | RoundEnded | CheatCaught | SeatChanged
)

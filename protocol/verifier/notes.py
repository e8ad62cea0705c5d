"""What a deal keeps: masked cards, views, moves that were carried out, a pair of lanes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from verifier.encoding import Slot
from verifier.game import Game, Handle
from verifier.messages import Envelope
from verifier.moves import Move
from verifier.ruleset import Card
from verifier.steps import Line, Step, join_head

# (a, b) of a masked card; handle, a′ and blind proof of an ask.
Masked = tuple[bytes, bytes]
Ask = tuple[list[int], bytes, bytes]


@dataclass(slots=True)
class View:
    """A card that one seat asked to see: a′ and the others' shares of it."""

    viewer: int
    handle: Handle
    blinded: bytes
    shares: dict[int, bytes] = field(default_factory=dict)
    slot: Slot | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A move that was carried out, or (without `move`) an attempt that did not count."""

    seat: int
    slot: Slot
    move: Move | None
    reshuffled: tuple[Handle, ...] | None = None
    claimed: frozenset[str] | None = None
    snap_top: Card | None = None


@dataclass(slots=True)
class Pair:
    """The two lanes between two ACTIONs."""

    number: int
    head: bytes
    game: Game
    before: Step
    has_draw: bool
    # how much had been played when the lanes began: a draw of the lane comes there in history
    played: int
    draw: Line = field(init=False)
    window: Line = field(init=False)

    def drawn(self) -> bool:
        """Whether the draw lane is complete."""
        return self.has_draw and self.draw.over

    def half_drawn(self) -> bool:
        return self.has_draw and not self.draw.over and self.draw.last is not None

    def join(self) -> bytes:
        return join_head(self.number + 1, self.draw.head, self.window.head)


def handle_of(data: Sequence[int]) -> Handle:
    return data[0], data[1]


def shares_of(envelope: Envelope) -> list[tuple[bytes, bytes]]:
    """(share, proof) of each item."""
    return cast(list[tuple[bytes, bytes]], envelope.body[0])


def masked_cards(data: bytes) -> list[Masked]:
    return [(data[at : at + 32], data[at + 32 : at + 64]) for at in range(0, len(data), 64)]

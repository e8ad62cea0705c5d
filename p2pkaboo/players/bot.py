"""A bot: takes note of what its seat sees, and chooses moves and snaps from that alone.

Pure and synchronous: it reads no clock, it only says how long it would have thought. With the same seed and the same
inputs it does the same.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..rules.cards import KEPT, card_class, power_of
from ..rules.events import Event, Exchanged, SnapWrong, Took, Turn
from ..rules.moves import Call, Discard, Exchange, Move, Peek, Snap, Spy, Swap
from ..rules.ruleset import Ruleset
from ..rules.state import Handle
from ..rules.view import SeatView
from .beliefs import Beliefs
from .judging import NEVER, Judge
from .memory import Mind
from .snapping import best_target
from .styles import STYLES, style_named

__all__ = ["STYLES", "Bot", "Choice", "Press"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and how many milliseconds the bot thinks before it makes it."""

    move: Move
    think_ms: int


@dataclass(frozen=True, slots=True)
class Press:
    """A snap of a card, so many milliseconds after the discard has come into view."""

    handle: Handle
    react_ms: int


class Bot:
    """One player. `begin` comes before everything else and again with every deal.

    `react_ms`, `think_ms`: shortest and longest time to a snap and to a move.

    Raises ValueError for an unknown style.
    """

    def __init__(
        self,
        style: str,
        rng: random.Random,
        *,
        react_ms: tuple[int, int] = (200, 500),
        think_ms: tuple[int, int] = (600, 2000),
    ) -> None:
        self._style = style_named(style)
        self._rng = rng
        self._react_ms = react_ms
        self._think_ms = think_ms
        self._seat = 0
        self._total = 0
        self._mind: Mind | None = None
        self._took: Handle | None = None
        self._discard: tuple[int, str | None] | None = None
        self._luck = 1.0

    def begin(self, rules: Ruleset, seat: int, seats: int, totals: Sequence[int]) -> None:
        """A new deal for `seats` seats, of which the bot has `seat`; `totals` are the points before this round."""
        if not 0 <= seat < seats or len(totals) != seats:
            raise ValueError(f"seat {seat} of {seats} with {len(totals)} totals: they do not fit together")
        self._seat = seat
        self._total = totals[seat]
        self._mind = Mind(rules, self._style, self._rng)
        self._took = None
        self._discard = None

    def notice(self, event: Event) -> None:
        """Take note of what everybody sees."""
        mind = self._started()
        match event:
            case Turn():
                mind.pass_turn()
            case Took(_, handle, card):
                self._took = handle
                mind.saw(handle, card)
            case SnapWrong(_, _, _, handle, card):
                mind.saw(handle, card)
            case Exchanged(seat, _, _, handle) if seat != self._seat and handle != self._took:
                mind.chose(handle)
            case _:
                # What else there is to see lies on the table for the next look.
                pass

    def looked(self, handle: Handle, card: str) -> None:
        """Take note of a card that only this seat has seen."""
        self._started().saw(handle, card)

    def choose(self, view: SeatView, moves: tuple[Move, ...]) -> Choice:
        """One of the legal `moves`, or an exchange of several cards (at most `view.most_exchanged`) if one is legal.

        Raises ValueError if there is no move to choose from.
        """
        if not moves:
            raise ValueError("no legal move to choose from")
        beliefs = self._look(view)
        drawn = self._drawn(view)
        judge = Judge(beliefs, self._style, drawn, self._total)
        # Of the exchanges of several cards, thousands with a large hand, only those of matching cards are judged.
        single = tuple(move for move in moves if not (isinstance(move, Exchange) and len(move.handles) > 1))
        options = list(_lawful(view, single or moves, drawn))
        if any(isinstance(move, Exchange) for move in options):
            options += judge.several()
        # Of equal moves any may be made: without the dice all bots would always look at the same place first.
        worths = [(judge.worth(move), self._rng.random()) for move in options]
        best = max(range(len(options)), key=worths.__getitem__)
        return Choice(options[best], self._thought([worth for worth, _ in worths]))

    def react(self, view: SeatView) -> Press | None:
        """The card that the bot snaps on the top discard, or None."""
        if not any(isinstance(move, Snap) for move in view.moves):
            return None
        discard = (len(view.pile), view.pile[-1])
        if discard != self._discard:
            self._discard, self._luck = discard, self._rng.random()
        target = best_target(self._look(view), self._style, self._luck)
        if target is None:
            return None
        quickest, slowest = self._react_ms
        # Who is sure is quick: doubt takes up to half of the span, chance the rest.
        doubt, chance = (1 - target.sure) / 2, self._rng.random()
        return Press(target.handle, quickest + round((slowest - quickest) * min(1.0, doubt + chance * (1 - doubt))))

    def _started(self) -> Mind:
        if self._mind is None:
            raise ValueError("a bot has to be told of a deal (begin) before it plays")
        return self._mind

    def _look(self, view: SeatView) -> Beliefs:
        """Look at the table: where the cards lie, and which faces can be read there.

        A view also holds every face that the seat has ever seen. In classic memory a person would not have those any
        more, so the bot does not read them either.
        """
        mind = self._started()
        mind.follow(
            {place.handle: seat for seat, hand in enumerate(view.hands) for place in hand if place.handle is not None}
        )
        for hand in view.hands:
            for place in hand:
                if place.handle is None or place.face is None:
                    continue
                if place.face_up or view.rules.memory == "assisted":
                    mind.saw(place.handle, place.face)
                elif place.public:
                    mind.shown(place.handle, place.face)
        return Beliefs(view, mind)

    def _drawn(self, view: SeatView) -> str | None:
        """The face of the card in the bot's own hand, if it holds one."""
        if view.drawn is None or view.drawn.seat != self._seat:
            return None
        memory = self._started().recall(view.drawn.handle)
        return view.drawn.face or (memory.card if memory is not None else None)

    def _thought(self, worths: list[float]) -> int:
        """Longer if the two best moves are close to each other."""
        quickest, slowest = self._think_ms
        ordered = sorted((worth for worth in worths if worth > NEVER), reverse=True)
        close = 0.0 if len(ordered) < 2 else 1 / (1 + ordered[0] - ordered[1])
        return quickest + round((slowest - quickest) * (close + self._rng.random()) / 2)


def _lawful(view: SeatView, moves: tuple[Move, ...], drawn: str | None) -> tuple[Move, ...]:
    """Leave out what hidden cards forbid.

    Where rank decides, the table may offer whatever the card in hand might be. Under a threshold it may offer a call
    that only the audit can judge; the view has it if it is certain to be lawful.
    """
    calls = {move for move in moves if isinstance(move, Call)}
    if view.rules.call_threshold >= 0 and not calls <= set(view.moves):
        return tuple(move for move in moves if move not in calls) or moves
    held = view.drawn
    if drawn is None or held is None or held.source == "pile" or view.phase != "drawn" or view.power is not None:
        return moves
    kind = power_of(view.rules, drawn)
    kept = not view.rules.turn_by_rank or card_class(drawn) in KEPT
    powered = tuple(move for move in moves if isinstance(move, Peek | Spy | Swap) and move.power in (None, kind))
    exchanges = tuple(move for move in moves if isinstance(move, Exchange) and kept)
    must_use = view.rules.power_on == "draw" and not view.rules.power_skip and bool(powered)
    must_keep = view.rules.turn_by_rank and kept and bool(exchanges)
    discards = () if must_use or must_keep else tuple(move for move in moves if isinstance(move, Discard))
    return powered + exchanges + discards or moves

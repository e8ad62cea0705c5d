"""A round with a known deck in which one bot sits: it sees what its seat may; the others are moved by hand."""

import random
from collections.abc import Callable

from p2pkaboo.players.bot import Bot
from p2pkaboo.rules import engine
from p2pkaboo.rules.moves import Draw, Move, Peek, PeekInitial, Spy
from p2pkaboo.rules.outcome import Played
from p2pkaboo.rules.ruleset import load_preset, with_overrides
from p2pkaboo.rules.state import Handle
from p2pkaboo.rules.view import SeatView, seat_view


class Game:
    """`hands`, the card turned up and the stock (top first) as text; the bot has `seat`, the last seat deals.

    The first looks are over at once: every seat has looked at its first cards.
    """

    def __init__(
        self, preset: str, *hands: str, up: str = "", stock: str, style: str = "careful", seat: int = 0, **keys: object
    ) -> None:
        rules = with_overrides(load_preset(preset), {key.replace("__", "."): value for key, value in keys.items()})
        dealt = [hand.split() for hand in hands]
        deck = [hand[place] for place in range(len(dealt[0])) for hand in dealt] + up.split() + stock.split()
        handles = [(1, place) for place in range(len(deck))]
        self.faces: dict[Handle, str] = dict(zip(handles, deck, strict=True))
        self.seen: dict[Handle, str] = {}
        self.seat = seat
        self.bot = Bot(style, random.Random(7))
        self.bot.begin(rules, seat, len(hands), [0] * len(hands))
        self.now = engine.start(rules, len(hands), len(hands) - 1, handles, faces=self.faces)
        for looking in range(len(hands) if rules.peek_count else 0):
            nearest = [handle for handle in self.now.hands[looking] if handle is not None][: rules.peek_count]
            self.play(PeekInitial(looking, tuple(nearest)))

    def at(self, seat: int, position: int) -> Handle:
        """The card at a place that is no gap."""
        handle = self.now.hands[seat][position]
        assert handle is not None
        return handle

    def play(self, *moves: Move) -> None:
        """Play moves; the bot hears of them and sees what its own show it."""
        for move in moves:
            before = self.now
            outcome = engine.play(before, move, self.faces)
            assert isinstance(outcome, Played), outcome
            self.now = outcome.state
            looks: tuple[Handle, ...] = ()
            match move:
                case PeekInitial():
                    looks = move.handles
                case Peek() | Spy():
                    looks = (move.handle,)
                case Draw():
                    looks = before.stock[:1]
            if move.seat == self.seat:
                for handle in looks:
                    self.seen[handle] = self.faces[handle]
                    self.bot.looked(handle, self.faces[handle])
            for event in outcome.events:
                self.bot.notice(event)

    @property
    def view(self) -> SeatView:
        """What the bot's seat may see."""
        return seat_view(self.now, self.seat, self.seen)

    def choice(self) -> Move:
        """What the bot chooses; it is played."""
        move = self.bot.choose(self.view, self.view.moves).move
        self.play(move)
        return move

    def choices(self, until: Callable[[Move], bool]) -> Move:
        """The bot's choices, played, up to the first one that is wanted."""
        for _ in range(10):
            move = self.choice()
            if until(move):
                return move
        raise AssertionError("the bot never chose such a move")

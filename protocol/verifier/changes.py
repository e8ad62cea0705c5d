"""How states change: faces, the pile, the stock, the end of a turn and of a round (08-rules.md, 3, 10, 11)."""

from verifier.game import Game, Handle
from verifier.moves import Answers, Illegal, NeedClaim, NeedOpen, NeedReshuffle
from verifier.ruleset import Card


class Changing:
    """One move being carried out on a state of its own."""

    def __init__(self, game: Game, answers: Answers) -> None:
        self.game = game
        self.rules = game.rules
        self.answers = answers
        self.used_reshuffle = False

    # Faces and the pile ----------------------------------------------------------------------------------------

    def _open(self, *handles: Handle) -> list[Card]:
        missing = [handle for handle in handles if handle not in self.answers.opened]
        if missing:
            raise NeedOpen(missing)
        return [self.answers.opened[handle] for handle in handles]

    def _known(self, handle: Handle) -> Card | None:
        return self.answers.opened.get(handle) or self.game.faces.get(handle)

    def _place(self, handle: Handle, card: Card, after_snap: bool = False) -> None:
        game = self.game
        game.pile.append(handle)
        game.faces[handle] = card
        game.snap_open = self.rules["snap"] != "off" and (not after_snap or self.rules["snap.limit"] == "all")
        game.attempts = {}
        game.own_closed = False
        game.chained = after_snap

    def _drawn_is_of(self, classes: frozenset[str]) -> None:
        """Refuses a move unless the drawn card is of one of these classes, proved if its face is hidden."""
        assert self.game.drawn is not None
        card = self._known(self.game.drawn[0])
        if card is not None:
            if card.kind not in classes:
                raise Illegal("the drawn card does not allow this")
        elif self.answers.claimed is None:
            raise NeedClaim(classes)
        elif not self.answers.claimed <= classes:
            raise Illegal("what was proved of the drawn card does not allow this")

    # Stock (section 10) ----------------------------------------------------------------------------------------

    def _reshuffle(self) -> None:
        game = self.game
        under = game.under_top()
        if self.answers.reshuffled is None:
            raise NeedReshuffle(under)
        self.used_reshuffle = True
        for handle in under:
            game.faces.pop(handle, None)
        game.pile = game.pile[-1:]
        game.stock += self.answers.reshuffled

    def _unseen(self, seat: int, count: int) -> None:
        game = self.game
        for _ in range(count):
            place = 1 if game.card_kept() else 0
            if len(game.stock) <= place and game.can_reshuffle():
                self._reshuffle()
            if len(game.stock) <= place:
                return
            game.hands[seat].append(game.stock.pop(place))

    # The end of a turn and of a round (section 11) --------------------------------------------------------------

    def _end_turn(self) -> None:
        game = self.game
        assert game.turn is not None
        seat = game.turn
        game.drawn = game.power = None
        game.turns[seat] = game.turns.get(seat, 0) + 1
        if not game.stock and self.rules["stock.empty"] == "end":
            self._round_over()
        elif game.caller is not None:
            self._next_final()
        else:
            game.turn, game.step = game.clockwise(seat)[0], "turn"

    def _next_final(self) -> None:
        game = self.game
        while game.finals:
            seat = game.finals.pop(0)
            if game.has_cards(seat) and (game.can_draw() or game.can_take()):
                game.turn, game.step = seat, "turn"
                return
        self._round_over()

    def _round_over(self) -> None:
        self.game.turn, self.game.step = None, "round_over"

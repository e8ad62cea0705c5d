"""`play`: a move gives a new state, is refused, or needs something first (08-rules.md, sections 3 to 11)."""

from collections.abc import Sequence

from verifier.changes import Changing
from verifier.game import Game, Power
from verifier.moves import ALL_CLASSES, LOW_CLASSES, Answers, Illegal, Move
from verifier.ruleset import Card, match, number, power, value


def play(before: Game, move: Move, answers: Answers) -> Game:
    """The state after a move. Raises Illegal, NeedOpen, NeedReshuffle or NeedClaim."""
    table = _Playing(before.copy(), answers)
    table.play(move)
    if answers.reshuffled is not None and not table.used_reshuffle:
        raise Illegal("a reshuffle that is not needed")
    return table.game


class _Playing(Changing):
    """One move being carried out on a state of its own."""

    def play(self, move: Move) -> None:
        game = self.game
        if move.seat not in game.active:
            raise Illegal("the seat is not active")
        if game.initial and move.do != "peek_initial":
            raise Illegal("first looks are still due")
        if move.do not in ("peek_initial", "snap", "give"):
            if game.gift is not None:
                raise Illegal("a gift is waited for")
            if game.turn != move.seat:
                raise Illegal("it is not this seat's turn")
        step = {"draw": "turn", "take": "turn", "call": "turn", "pass": "turn"}
        step |= {"exchange": "drawn", "discard": "drawn", "skip": "power"}
        if move.do in step and game.step != step[move.do]:
            raise Illegal(f"not the time for {move.do}")
        getattr(self, f"_{move.do}")(move)

    # First look and the beginning of a turn (sections 5 and 6) --------------------------------------------------

    def _peek_initial(self, move: Move) -> None:
        game, seat = self.game, move.seat
        if seat not in game.initial:
            raise Illegal("this seat has no first look due")
        count = number(self.rules, "peek.count")
        own = game.cards_of(seat)
        allowed = own if self.rules["peek.choice"] else own[:count]
        if len(move.handles) != count or len(set(move.handles)) != count or not set(move.handles) <= set(allowed):
            raise Illegal("not the cards of a first look")
        game.initial.discard(seat)

    def _draw(self, move: Move) -> None:
        game = self.game
        if not game.has_cards(move.seat) or not game.can_draw():
            raise Illegal("nothing to draw, or no cards to draw for")
        if not game.stock:
            self._reshuffle()
        game.drawn = game.stock.pop(0), "stock"
        game.step = "drawn"

    def _take(self, move: Move) -> None:
        game = self.game
        if not game.has_cards(move.seat) or not game.can_take():
            raise Illegal("nothing to take, or no cards to take for")
        game.drawn = game.pile.pop(), "pile"
        game.snap_open = False
        game.step = "drawn"

    def _call(self, move: Move) -> None:
        game, seat = self.game, move.seat
        if game.caller is not None:
            raise Illegal("somebody has called already")
        if game.has_cards(seat) and (game.can_draw() or game.can_take()):
            if any(game.turns.get(each, 0) < number(self.rules, "call.after_turns") for each in game.active):
                raise Illegal("too early to call")
            threshold = number(self.rules, "call.threshold")
            known = [self._known(handle) for handle in game.cards_of(seat)]
            cards = [card for card in known if card is not None]
            if 0 <= threshold < sum(value(self.rules, card) for card in cards) and len(cards) == len(known):
                raise Illegal("too many points to call")
        game.caller = seat
        game.turns[seat] = game.turns.get(seat, 0) + 1
        if self.rules["call.final_turns"]:
            game.finals = game.clockwise(seat)
            self._next_final()
        else:
            self._round_over()
            game.snap_open = False

    def _pass(self, move: Move) -> None:
        game = self.game
        if game.caller is None:
            raise Illegal("nobody has called")
        if game.has_cards(move.seat) and (game.can_draw() or game.can_take()):
            raise Illegal("this turn can be taken")
        self._end_turn()
        game.passed_out = game.turn is None

    # The card in hand (section 7) ------------------------------------------------------------------------------

    def _exchange(self, move: Move) -> None:
        game, seat, rules, chosen = self.game, move.seat, self.rules, move.handles
        assert game.drawn is not None
        drawn, source = game.drawn
        several, fail = number(rules, "multi.max"), rules["multi.fail"]
        if game.power is not None:
            raise Illegal("a power has been used on the drawn card")
        if not chosen or len(set(chosen)) != len(chosen) or not set(chosen) <= set(game.cards_of(seat)):
            raise Illegal("not different own cards")
        if len(chosen) > 1 and 0 < several < len(chosen):
            raise Illegal("too many cards at once")
        if move.into is not None and move.into not in chosen:
            raise Illegal("into is none of the cards")
        if fail == "keep-end" and len(chosen) > 1 and move.into is None:
            raise Illegal("into must be given")
        if fail != "keep-end" and move.end is not None:
            raise Illegal("end has no meaning here")
        if rules["turn.by_rank"] and source == "stock":
            self._drawn_is_of(LOW_CLASSES)
        cards = self._open(*chosen)
        if all(match(rules, card, cards[0]) for card in cards[1:]):
            self._exchange_done(move, cards)
            return
        game.faces.update(zip(chosen, cards, strict=True))
        if fail == "discard":
            self._place(drawn, self._open(drawn)[0])
        elif fail == "keep-end" and move.end == "left":
            game.hands[seat].insert(0, drawn)
        else:
            game.hands[seat].append(drawn)
        if 0 < number(rules, "multi.unseen_from") <= len(chosen):
            self._unseen(seat, 1)
        self._end_turn()

    def _exchange_done(self, move: Move, cards: Sequence[Card]) -> None:
        game, hand = self.game, self.game.hands[move.seat]
        assert game.drawn is not None
        into = move.handles[0] if move.into is None else move.into
        places = {handle: hand.index(handle) for handle in move.handles}
        for handle, card in zip(move.handles, cards, strict=True):
            hand[places[handle]] = None
            self._place(handle, card)
        hand[places[into]] = game.drawn[0]
        game.drawn = None
        if self.rules["power.displaced"]:
            self._begin_power(move.seat, cards[-1])
        else:
            self._end_turn()

    def _discard(self, move: Move) -> None:
        game, seat, rules = self.game, move.seat, self.rules
        assert game.drawn is not None
        drawn, source = game.drawn
        if source != "stock":
            raise Illegal("a card taken from the pile must be exchanged")
        card = self._open(drawn)[0]
        kind = power(rules, card.kind)
        on_draw = rules["power.on"] == "draw"
        if game.has_cards(seat):
            if game.power is not None and kind != game.power.kind:
                raise Illegal("the card has not the power that was used")
            if game.power is None and rules["turn.by_rank"] and card.kind in LOW_CLASSES:
                raise Illegal("this card must be kept")
            compulsory = on_draw and not rules["power.skip"] and game.power is None
            if compulsory and game.power_possible(seat, Power(kind)):
                raise Illegal("the power of this card must be used")
        used = game.power is not None
        game.drawn = None
        self._place(drawn, card)
        if used or on_draw:
            self._end_turn()
        else:
            self._begin_power(seat, card)

    # Powers (section 8) ----------------------------------------------------------------------------------------

    def _begin_power(self, seat: int, card: Card) -> None:
        game = self.game
        waiting = Power(power(self.rules, card.kind))
        if game.power_possible(seat, waiting):
            game.power, game.step = waiting, "power"
        else:
            self._end_turn()

    def _use_power(self, move: Move, *kinds: str) -> Power:
        """The power that a peek, spy or swap uses, one of `kinds`."""
        game, rules = self.game, self.rules
        used = game.power
        if game.step == "power" and used is not None:
            if move.power not in (None, used.kind):
                raise Illegal("another power waits")
        elif game.step == "drawn" and game.drawn is not None:
            if rules["power.on"] != "draw" or game.drawn[1] != "stock" or used is not None:
                raise Illegal("no power to use now")
            if not game.has_cards(move.seat) or move.power is None:
                raise Illegal("no cards, or no power named")
            classes = frozenset(kind for kind in ALL_CLASSES if power(rules, kind) == move.power)
            if not classes or move.power not in kinds:
                raise Illegal("no card has a power that does this")
            used = Power(move.power)
            if not game.power_possible(move.seat, used):
                raise Illegal("the power has no target")
            self._drawn_is_of(classes)
            game.power, game.step = used, "power"
        else:
            raise Illegal("no power to use now")
        if used.kind not in kinds:
            raise Illegal(f"the power {used.kind} does not do this")
        return used

    def _power_over(self) -> None:
        game = self.game
        if game.drawn is None or game.power is None:
            self._end_turn()
        else:
            game.power.done, game.step = True, "drawn"

    def _peek(self, move: Move) -> None:
        used = self._use_power(move, "peek", "look-two-swap")
        if used.own is not None or move.handle is None or move.handle not in self.game.cards_of(move.seat):
            raise Illegal("not a card to peek at")
        used.own = move.handle
        if used.kind == "peek":
            self._power_over()

    def _spy(self, move: Move) -> None:
        used = self._use_power(move, "spy", "look-swap", "look-two-swap")
        if used.other is not None or move.handle not in self.game.power_targets(move.seat, used.kind):
            raise Illegal("not a card to spy at")
        owner = self.game.owner(move.handle)
        assert owner is not None
        used.other = owner, move.handle
        if used.kind == "spy":
            self._power_over()

    def _swap(self, move: Move) -> None:
        game, seat = self.game, move.seat
        used = self._use_power(move, "swap", "look-swap", "look-two-swap")
        mine, theirs = move.mine, move.theirs
        assert mine is not None
        assert theirs is not None
        if used.kind == "swap" and self.rules["power.swap_any"]:
            legal = mine != theirs and {mine, theirs} <= set(game.swappable(seat))
        elif used.kind == "swap":
            legal = mine in game.cards_of(seat) and theirs in game.power_targets(seat, "swap")
        else:
            seen = used.other is not None and theirs == used.other[1]
            legal = seen and mine in game.cards_of(seat) and (used.kind == "look-swap" or mine == used.own)
        if not legal:
            raise Illegal("not two cards to swap")
        places = [(hand, hand.index(card)) for card in (mine, theirs) for hand in game.hands.values() if card in hand]
        for (hand, place), card in zip(places, (theirs, mine), strict=True):
            hand[place] = card
        self._power_over()

    def _skip(self, move: Move) -> None:
        used = self.game.power
        assert used is not None
        looked = used.own is not None or used.other is not None
        if not self.rules["power.decline" if looked else "power.skip"]:
            raise Illegal("this power must be used")
        self._power_over()

    # Snaps (section 9) -----------------------------------------------------------------------------------------

    def _snap(self, move: Move) -> None:
        game, seat, target = self.game, move.seat, move.handle
        disputed = self.answers.snap_top is not None
        if not disputed and not game.may_snap(seat, serving=True):
            raise Illegal("this seat may not snap now")
        assert target is not None
        owner = game.owner(target)
        if owner is None or not (disputed or any(target in cards for cards in game.snap_targets(seat).values())):
            raise Illegal("not a card to snap")
        card = self._open(target)[0]
        top = self.answers.snap_top or game.faces[game.pile[-1]]
        if match(self.rules, card, top):
            place = game.hands[owner].index(target)
            game.hands[owner][place] = None
            self._place(target, card, after_snap=True)
            if owner != seat and game.has_cards(seat):
                game.gift = seat, owner, place
                return
        else:
            game.faces[target] = card
            game.attempts[seat] = game.attempts.get(seat, 0) + 1
            game.own_closed = game.own_closed or owner != seat
            game.penalties[seat] = game.penalties.get(seat, 0) + number(self.rules, "snap.wrong_points")
            self._unseen(seat, number(self.rules, "snap.wrong_cards"))
        self._look_at_power()

    def _give(self, move: Move) -> None:
        game = self.game
        if game.gift is None or game.gift[0] != move.seat:
            raise Illegal("no gift of this seat is waited for")
        _, to, place = game.gift
        if move.handle is None:
            if self.rules["snap.gift"] == "must":
                raise Illegal("a card must be given")
        else:
            hand = game.hands[move.seat]
            if move.handle not in hand:
                raise Illegal("not an own card")
            hand[hand.index(move.handle)] = None
            game.hands[to][place] = move.handle
        game.gift = None
        self._look_at_power()

    def _look_at_power(self) -> None:
        """A power that waits and is not possible any more fizzles."""
        game = self.game
        if game.step != "power" or game.power is None or game.turn is None:
            return
        if not game.power_possible(game.turn, game.power):
            self._power_over()

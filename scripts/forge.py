"""Makes transcripts without the program: all seats of a table in one hand, playing at random, cheating on demand.

Built on the second verifier's state machine and on provers of its own, so what `agree.py` compares is not only what
honest bots happen to do. Every key and mask comes from the seed: nothing here is secret or fit for a real table.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from forge_proofs import make_membership
from forge_seats import Draft, Seats, Stuck

from verifier import encoding as e
from verifier.encoding import Slot, Value, be4, tagged_hash
from verifier.game import Game, Handle
from verifier.messages import read_envelope
from verifier.moves import Answers, Illegal, Move, NeedClaim, NeedOpen, NeedReshuffle
from verifier.play import play
from verifier.ruleset import number, power
from verifier.steps import Step

# Changes a message before its seat signs it.
Tamper = Callable[[Draft, "Forge"], None]


@dataclass(slots=True)
class Wish:
    """A SNAP that a seat has made, to be revealed."""

    kind: str
    target: Handle
    nonce: bytes


@dataclass
class Forge(Seats):
    """One match being made, its players choosing at random."""

    tamper: Tamper | None = None
    # how lively the table is: odds of a snap and of a call, and the moves after which everybody calls
    snaps: float = 0.15
    calls: float = 0.03
    longest: int = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        self._wishes: dict[int, Wish] = {}
        self._snapping: dict[int, Draft] = {}
        self._stamp: tuple[int, Slot] | None = None
        self._actions = 0

    def cheat(self, draft: Draft) -> None:
        if self.tamper is not None:
            self.tamper(draft, self)

    def begin_next_deal(self) -> None:
        super().begin_next_deal()
        self._actions = 0

    def body_of_play(self, step: Step, draft: Draft) -> list[Value]:
        seat = draft.seat
        if step.kind == "ACTION":
            return self._action(draft)
        if step.kind == "WITNESS":
            return self._witness(seat)
        if step.kind == "REVEAL":
            wish = self._wishes[seat]
            return [wish.kind, list(wish.target), wish.nonce]
        if step.kind == "GIFT":
            cards: list[Handle | None] = list(self.game.cards_of(seat))
            if self.rules["snap.gift"] == "may":
                cards.append(None)
            given = self.rng.choice(cards)
            return [None if given is None else list(given)]
        return []

    # Windows -----------------------------------------------------------------------------------------------------

    def choose_snaps(self, step: Step) -> None:
        game = self.game
        self._snapping = {}
        crowd = self.rng.random() < 0.2
        for seat in step.required:
            if game.may_snap(seat) and self.rng.random() < (0.8 if crowd else self.snaps):
                self._snapping[seat] = self.snap(step, seat)

    def snap(self, step: Step, seat: int, anyhow: bool = False) -> Draft:
        """A SNAP; with `anyhow` also where the seat has nothing to aim at."""
        deal, game = self.deal, self.game
        aims = [(kind, handle) for kind, handles in game.snap_targets(seat).items() for handle in handles]
        if anyhow or not aims:
            aims = [("own", card) for card in game.cards_of(seat)] or [("other", card) for card in deal.masked]
        top = game.faces[game.pile[-1]]
        right = [aim for aim in aims if self.face(aim[1]).rank == top.rank]
        kind, target = self.rng.choice(right if right and self.rng.random() < 0.7 else aims)
        self._wishes[seat] = wish = Wish(kind, target, self.rng.randbytes(32))
        handle = be4(target[0]) + be4(target[1])
        q = deal.race_q
        parts = (deal.charter.table, q, bytes([seat]), kind.encode(), handle, wish.nonce)
        shown = kind if self.rules["snap"] == "own-then-others" else ""
        claim = self.rng.choice([0, 1, 150, 199, 200, 200, 201, 400, 401, self.rng.randrange(600)])
        body: list[Value] = [claim, q, tagged_hash(e.TAG_SNAP, *parts), shown]
        return Draft(step.slot, seat, step.head, "SNAP", self.elapsed.get(seat, 0), body)

    def window_word(self, step: Step, seat: int) -> Draft:
        if seat in self._snapping:
            return self._snapping[seat]
        elapsed, answers = self.elapsed.get(seat, 0), b""
        if self._snapping and self.rng.random() < 0.8:
            answers = read_envelope(self.seal(self.rng.choice(list(self._snapping.values())))).hash
        elif seat != self.game.turn:
            opened = self.deal.opened_at.get(self.game.pile[-1], {}).get(seat, 0)
            elapsed = max(elapsed, opened + (number(self.rules, "snap.exposure_ms") - 100) // 100)
        return Draft(step.slot, seat, step.head, "NONE", elapsed, [answers])

    def _witness(self, seat: int) -> list[Value]:
        """Testimony around the thresholds, with stamps lost now and then."""
        race, late = self.deal.race_facts, 1000 * self.deal.charter.race.late
        assert race is not None
        snappers, with_lateness = race

        def stamp(top: int) -> int | None:
            return None if self.rng.random() < 0.07 else self.rng.randrange(top)

        measures: list[Value] = []
        for each in snappers:
            if each == seat:
                continue
            full, sent = stamp(60_000), stamp(60_000)
            arrival = stamp(520_000)
            given_up = stamp(600_000) if self.rng.random() < 0.7 else max(0, (arrival or 0) - late)
            measures.append([each, arrival, full, sent, self.rng.randrange(8001), given_up])
        others = self.deal.others(seat) if with_lateness else ()
        lateness: list[Value] = [[each, self.rng.choice([-5, 0, late, late + 1, 2 * late])] for each in others]
        return [measures, lateness]

    # Actions -----------------------------------------------------------------------------------------------------

    def wants_to_draw(self) -> bool:
        """Whether the seat at turn draws in its lane, decided once a pair of lanes."""
        pair = self.deal.pair
        assert pair is not None
        key = (self.deal.number, Slot(pair.number, e.DRAW_LANE, 0))
        if self._stamp == key:
            return False
        self._stamp = key
        if self._actions >= self.longest and self.rules["call.threshold"] == -1:
            return False
        return self.rng.random() < 0.75 or not self.game.can_take()

    def joined(self) -> Game:
        """The state that the ACTION is judged on."""
        pair = self.deal.pair
        game = self.game.copy()
        if pair is not None and pair.drawn():
            game.drawn, game.step = (game.stock.pop(0), "stock"), "drawn"
        return game

    def candidates(self, game: Game, seat: int) -> Iterator[Move]:
        """Moves of every kind, legal or not."""
        rng = self.rng
        own = game.cards_of(seat)
        others = [card for each in game.active if each != seat for card in game.cards_of(each)]
        everything = own + others + game.stock[:1] + game.pile[-1:]
        for do in ("draw", "take", "discard", "skip", "call", "pass"):
            yield Move(do, seat)
        ends = ["left", "right", None] if self.rules["multi.fail"] == "keep-end" else [None]
        yield from (Move("exchange", seat, handles=(card,)) for card in own)
        for _ in range(6):
            chosen = tuple(rng.sample(own, min(len(own), rng.choice([1, 1, 1, 2, 2, 3, 4]))))
            twins = [card for card in own if own and self.face(card).rank == self.face(own[0]).rank]
            chosen = tuple(twins) if rng.random() < 0.2 else chosen
            into = rng.choice([*chosen, None])
            yield Move("exchange", seat, handles=chosen, into=into, end=rng.choice(ends))
        powers = [None, "peek", "spy", "swap", "look-swap", "look-two-swap"]
        if game.drawn is not None:
            powers += [power(self.rules, self.face(game.drawn[0]).kind)] * 10
        for _ in range(16):
            if everything:
                named = rng.choice(powers)
                yield Move("peek", seat, handle=rng.choice(own or everything), power=named)
                yield Move("spy", seat, handle=rng.choice(others or everything), power=named)
                pairs = (rng.choice(own or everything), rng.choice(others or everything))
                yield Move("swap", seat, mine=pairs[0], theirs=pairs[1], power=named)
        if game.power is not None and game.power.other is not None:
            mine = game.power.own or (rng.choice(own) if own else None)
            if mine is not None:
                yield Move("swap", seat, mine=mine, theirs=game.power.other[1])

    def legal(self, game: Game, move: Move) -> bool:
        """Whether a move is legal with every face known."""
        answers = Answers(self.faces())
        try:
            play(game, move, answers)
        except Illegal:
            return False
        except NeedReshuffle as need:
            # Any new handles will do to see whether the rest is legal.
            answers.reshuffled = need.handles
            try:
                play(game, move, answers)
            except Illegal:
                return False
        return True

    def _action(self, draft: Draft) -> list[Value]:
        self._actions += 1
        if self._actions > 2 * self.longest:
            raise Stuck
        pair, game, seat = self.deal.pair, self.joined(), draft.seat
        assert pair is not None
        moves = [move for move in self.candidates(game, seat) if move.do != "draw" or not pair.has_draw]
        self.rng.shuffle(moves)
        if self._actions > self.longest or self.rng.random() < self.calls:
            moves.sort(key=lambda move: move.do not in ("call", "pass"))
        else:
            moves.sort(key=lambda move: move.do in ("call", "pass"))
        move = next((move for move in moves if self.legal(game, move)), None)
        if move is None:
            raise Stuck
        return self.action_body(draft, game, move)

    def action_body(self, draft: Draft, game: Game, move: Move) -> list[Value]:
        """The body of an ACTION with the ask and the claim that its move needs."""
        ask: Value = None
        if move.do in ("peek", "spy") and move.handle is not None and move.handle in self.deal.masked:
            ask = self.ask(draft, move.handle, None)
        claim = b""
        try:
            play(game, move, Answers({}))
        except NeedClaim as need:
            claim = self.claim(draft, game, need.classes)
        except (Illegal, NeedOpen, NeedReshuffle):
            pass
        return [write_move(move), ask, claim]

    def claim(self, draft: Draft, game: Game, classes: frozenset[str]) -> bytes:
        """A membership proof about the drawn card (wrong where it is of none of the classes)."""
        assert game.drawn is not None
        handle = game.drawn[0]
        view = next(view for view in reversed(self.deal.views) if view.handle == handle)
        others = [(self.deal.keys[seat], view.shares[seat]) for seat in self.deal.others(view.viewer)]
        candidates = [place for place, card in enumerate(self.deal.cards) if card.kind in classes]
        return make_membership(
            self.rng,
            self.context(draft),
            self.secrets[view.viewer],
            self._blinds[handle, view.viewer],
            self.deal.masked[handle],
            others,
            candidates,
            self.deal.index[self.face(handle)],
        )


def write_move(move: Move) -> list[Value]:
    """A move as it goes on the wire."""

    def card(handle: Handle | None) -> Value:
        return None if handle is None else list(handle)

    fields: dict[str, list[Value]] = {
        "exchange": [[card(handle) for handle in move.handles], card(move.into), move.end],
        "peek": [card(move.handle), move.power],
        "spy": [card(move.handle), move.power],
        "swap": [card(move.mine), card(move.theirs), move.power],
    }
    return [move.do, move.seat, *fields.get(move.do, [])]

"""Makes transcripts without the program: all seats of a table in one hand, playing at random, cheating on demand.

Built on the second verifier's state machine and on provers of its own, so what `agree.py` compares is not only what
honest bots happen to do. Every key and mask comes from the seed: nothing here is secret or fit for a real table.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from forge_proofs import make_blind, make_key, make_membership, make_share, make_shuffle, public_key, sign

from verifier import encoding as e
from verifier.curve import L, add, combine, negate
from verifier.deal import Deal, Pair
from verifier.encoding import BadEncoding, Slot, Value, be4, encode, tagged_hash
from verifier.faults import Fault
from verifier.game import Game, Handle
from verifier.group import pack, point
from verifier.messages import read_envelope
from verifier.play import Answers, Illegal, Move, NeedClaim, NeedOpen, NeedReshuffle, play
from verifier.proofs import Context
from verifier.ruleset import Card, Rules, number, power
from verifier.steps import Step, join_head
from verifier.transcript import MAGIC, Match

# How a body is changed before it is signed: gets the message about to be said, gives another one.
Tamper = Callable[["Draft", "Forge"], None]


class Stuck(Exception):
    """No legal move was found; the match stays unfinished."""


@dataclass(slots=True)
class Draft:
    """A message that is about to be signed."""

    slot: Slot
    seat: int
    head: bytes
    kind: str
    elapsed: int
    body: list[Value]
    signature: bytes | None = None


@dataclass(slots=True)
class Wish:
    """A SNAP that a seat has made, to be revealed."""

    kind: str
    target: Handle
    nonce: bytes


@dataclass
class Forge:
    """One match being made. `run` gives the bytes of its transcript."""

    rules: Rules
    seats: int
    seed: int
    # which message, counted from the first KEYS, is tampered with, and how
    tamper_at: int = -1
    tamper: Tamper | None = None
    # whether the seat also says the honest message after the other was refused
    honest_after: bool = False
    # how lively the table is
    snaps: float = 0.15
    calls: float = 0.03
    longest: int = 60

    rng: random.Random = field(init=False)
    match: Match = field(init=False)
    records: list[bytes] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.match = Match()
        self._identities: list[bytes] = []
        self.secrets: dict[int, int] = {}
        self._blinds: dict[tuple[Handle, int], int] = {}
        self._elapsed: dict[int, int] = {}
        self._wishes: dict[int, Wish] = {}
        self._snapping: dict[int, Draft] = {}
        self._stamp: tuple[int, Slot] | None = None
        self._faces: dict[Handle, Card] = {}
        self._said = 0
        self._actions = 0

    # Making the file ---------------------------------------------------------------------------------------------

    def run(self) -> bytes:
        """The transcript, up to the end of the match or to the first message that is refused."""
        self._form()
        try:
            while not self.match.over():
                self._step()
        except (Fault, Stuck):
            pass
        return self.file()

    def file(self, records: Sequence[bytes] | None = None) -> bytes:
        rows = self.records if records is None else list(records)
        footer = encode(["end", len(rows), self.match.head()])
        return MAGIC + b"\x01\x0a" + b"".join(be4(len(row)) + row for row in [*rows, footer])

    def _form(self) -> None:
        secrets = [self.rng.randbytes(32) for _ in range(self.seats)]
        nonces = {public_key(secret): self.rng.randbytes(32) for secret in secrets}
        room, attempt = self.rng.randbytes(64), 1
        joins: list[Value] = []
        for place, secret in enumerate(secrets):
            key = public_key(secret)
            committed = tagged_hash(e.TAG_NONCE, key, nonces[key])
            join = self._envelope(room, attempt, Slot(0, 0, 0), 0, bytes(64), "JOIN", 0, [key, f"S{place}", committed])
            joins.append(self._signed(join, secret))
        pairs: list[Value] = [[name, self.rules[name]] for name in sorted(self.rules)]
        offer = self._envelope(room, attempt, Slot(1, 0, 0), 0, bytes(64), "OFFER", 0, [joins, pairs, "lan"])
        self._add(self._signed(offer, secrets[0]))
        head = read_envelope(self.records[0]).hash
        for place, secret in enumerate(secrets):
            body: list[Value] = [nonces[public_key(secret)], 1000]
            nonce = self._envelope(room, attempt, Slot(2, 0, 0), place, head, "NONCE", 0, body)
            self._add(self._signed(nonce, secret))
        made = self.match.forming.made
        assert made is not None
        of_key = {public_key(secret): secret for secret in secrets}
        self._identities = [of_key[key] for key in made.keys]
        for seat, secret in enumerate(self._identities):
            word = self._envelope(room, attempt, Slot(3, 0, 0), seat, head, "CHARTER", 0, [made.table])
            self._add(self._signed(word, secret))

    @staticmethod
    def _envelope(
        table: bytes, deal: int, slot: Slot, seat: int, head: bytes, kind: str, elapsed: int, body: list[Value]
    ) -> list[Value]:
        return [1, table, deal, slot.number, slot.lane, slot.place, seat, head, kind, elapsed, body]

    @staticmethod
    def _signed(unsigned: list[Value], secret: bytes) -> bytes:
        message = bytes([len(e.TAG_ENVELOPE)]) + e.TAG_ENVELOPE + encode(unsigned)
        return encode([*unsigned, sign(secret, message)])

    def seal(self, draft: Draft) -> bytes:
        """The envelope of a draft, signed by its seat."""
        deal = self.deal
        row = (draft.slot, draft.seat, draft.head, draft.kind, draft.elapsed, draft.body)
        unsigned = self._envelope(deal.charter.table, deal.number, *row)
        if draft.signature is not None:
            return encode([*unsigned, draft.signature])
        return self._signed(unsigned, self._identities[draft.seat % self.seats])

    def _seal_any(self, draft: Draft) -> bytes:
        """As `seal`; where tampering has left nothing that can be encoded, some bytes."""
        try:
            return self.seal(draft)
        except (BadEncoding, UnicodeEncodeError, OverflowError):
            return b"\xc1"

    def _add(self, record: bytes) -> None:
        self.records.append(record)
        self.match.take(record)

    @property
    def deal(self) -> Deal:
        assert self.match.deal is not None
        return self.match.deal

    @property
    def game(self) -> Game:
        assert self.deal.game is not None
        return self.deal.game

    # One step ----------------------------------------------------------------------------------------------------

    def _step(self) -> None:
        """Everything that is said in the open step that comes first in history."""
        if self.deal.main.over:
            self.begin_next_deal()
        deal, pair = self.deal, self.deal.pair
        step = deal.main.step
        if pair is not None:
            drawing, window = pair.draw.step, pair.window.step
            if drawing is not None and not pair.window.last and (pair.draw.last or self._wants_to_draw()):
                step = drawing
            elif window is not None:
                step = window
            elif step is not None and step.kind == "ACTION":
                step.head = pair.join()
        assert step is not None
        if step.kind == "WINDOW":
            self._choose_snaps(step)
        for seat in step.required:
            self._say(step, self._draft(step, seat))

    def open_step(self, slot: Slot) -> Step | None:
        """The step that is open at a slot."""
        pair = self.deal.pair
        lines = [self.deal.main, *([pair.draw, pair.window] if pair is not None else [])]
        return next((line.step for line in lines if line.step is not None and line.step.slot == slot), None)

    @staticmethod
    def without_draw(pair: Pair) -> bytes:
        """J as if nothing had been drawn."""
        return join_head(pair.number + 1, pair.head, pair.window.head)

    def begin_next_deal(self) -> None:
        """What the next record would do: the file's rule that a higher number of deal begins the next."""
        self.secrets, self._blinds, self._faces, self._elapsed = {}, {}, {}, {}
        self._actions = 0
        self.match.begin_next()

    def _say(self, step: Step, draft: Draft) -> None:
        self._said += 1
        tampered = self._said == self.tamper_at and self.tamper is not None
        honest = self.seal(draft) if tampered and self.honest_after else None
        if tampered and self.tamper is not None:
            self.tamper(draft, self)
        self._elapsed[draft.seat] = max(self._elapsed.get(draft.seat, 0), draft.elapsed)
        record = self._seal_any(draft)
        try:
            self._add(record)
        except Fault:
            if honest is not None:
                self.records.append(honest)
            raise

    def _draft(self, step: Step, seat: int) -> Draft:
        if step.kind == "WINDOW":
            return self._window_word(step, seat)
        elapsed = self._elapsed.get(seat, 0) + self.rng.choice([0, 0, 0, 1])
        draft = Draft(step.slot, seat, step.head, step.kind, elapsed, [])
        draft.body = self.body(step, draft)
        return draft

    def context(self, draft: Draft, place: int | None = None) -> Context:
        context = Context(self.deal.charter.table, self.deal.number, str(draft.slot), draft.seat)
        return context if place is None else context.item(place)

    def body(self, step: Step, draft: Draft) -> list[Value]:
        """An honest body for a step."""
        deal, seat = self.deal, draft.seat
        if step.kind == "KEYS":
            self.secrets[seat] = secret = self.rng.randrange(1, L)
            return list(make_key(self.rng, self.context(draft), secret))
        if step.kind == "SHUFFLE":
            before = deal.next_deck or []
            return list(make_shuffle(self.rng, self.context(draft), deal.joint_key, before))
        if step.kind == "OPEN":
            return self._shares(draft, [deal.masked[handle][0] for handle in step.opens])
        if step.kind in ("OPEN1", "OPEN2"):
            own = step.kind == "OPEN2"
            whose = [each for each in deal.active if (each == seat) == own]
            return self._shares(draft, [deal.masked[card][0] for each in whose for card in self.game.cards_of(each)])
        if step.kind == "SERVE":
            pending = [view.blinded for view in deal.views if view.slot is None and view.viewer != seat]
            return self._shares(draft, pending)
        if step.kind == "VIEW":
            return [[self.ask(draft, handle, place) for place, handle in enumerate(self._first_look(seat))]]
        if step.kind == "DRAW":
            return [self.ask(draft, self._to_draw(), None)]
        if step.kind == "READY":
            return [[]]
        if step.kind == "DISCLOSE":
            return [self.secrets[seat].to_bytes(32, "little")]
        if step.kind == "RESULT":
            return self._result()
        return self._body_of_play(step, draft)

    def _body_of_play(self, step: Step, draft: Draft) -> list[Value]:
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

    def _shares(self, draft: Draft, bases: Sequence[bytes]) -> list[Value]:
        secret = self.secrets[draft.seat]
        return [[list(make_share(self.rng, self.context(draft, i), secret, base)) for i, base in enumerate(bases)]]

    def ask(self, draft: Draft, handle: Handle, place: int | None) -> list[Value]:
        """An Ask; remembers ρ."""
        rho = self.rng.randrange(1, L)
        self._blinds[handle, draft.seat] = rho
        blinded, proof = make_blind(self.rng, self.context(draft, place), rho, self.deal.masked[handle][0])
        return [list(handle), blinded, proof]

    def _first_look(self, seat: int) -> list[Handle]:
        assert self.deal.start is not None
        own, count = self.deal.start.cards_of(seat), number(self.rules, "peek.count")
        return self.rng.sample(own if self.rules["peek.choice"] else own[:count], count)

    def _to_draw(self) -> Handle:
        stock = self.game.stock
        return stock[0] if stock else (self.deal.series, 0)

    def _result(self) -> list[Value]:
        score = self.deal.score
        assert score is not None
        rows: list[Value] = [
            [row[seat] for seat in self.deal.active] for row in (score.hand, score.round, score.totals)
        ]
        return [*rows, list(score.reset), score.over, list(score.winners)]

    # Faces -------------------------------------------------------------------------------------------------------

    def face(self, handle: Handle) -> Card:
        """The card under a handle: the forger knows every key."""
        if handle not in self._faces:
            a, b = self.deal.masked[handle]
            of_a, of_b = point(a), point(b)
            assert of_a is not None
            assert of_b is not None
            secret = sum(self.secrets.values()) % L
            self._faces[handle] = self.deal.card_of(pack(add(of_b, negate(combine([secret], [of_a])))))
        return self._faces[handle]

    def faces(self) -> dict[Handle, Card]:
        return {handle: self.face(handle) for handle in self.deal.masked}

    # Windows -----------------------------------------------------------------------------------------------------

    def _choose_snaps(self, step: Step) -> None:
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
        return Draft(step.slot, seat, step.head, "SNAP", self._elapsed.get(seat, 0), body)

    def _window_word(self, step: Step, seat: int) -> Draft:
        if seat in self._snapping:
            return self._snapping[seat]
        elapsed, answers = self._elapsed.get(seat, 0), b""
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

    def _wants_to_draw(self) -> bool:
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

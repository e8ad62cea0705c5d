"""All seats of a table in one hand: forming, keys, shuffles, shares and results, for `forge.py`."""

import abc
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from forge_proofs import make_blind, make_key, make_share, make_shuffle, public_key, sign

from verifier import encoding as e
from verifier.curve import L, add, combine, negate
from verifier.deal import Deal
from verifier.encoding import BadEncoding, Slot, Value, be4, encode, tagged_hash
from verifier.faults import Fault
from verifier.game import Game, Handle
from verifier.group import pack, point
from verifier.messages import read_envelope
from verifier.notes import Pair
from verifier.proofs import Context
from verifier.ruleset import Card, Rules, number
from verifier.steps import Step, join_head
from verifier.transcript import MAGIC, Match


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


@dataclass
class Seats(abc.ABC):
    """All seats of one match: what they say without deciding anything. `run` gives the bytes of the transcript."""

    rules: Rules
    seats: int
    seed: int
    # which message, counted from the first KEYS, is tampered with
    tamper_at: int = -1
    # whether the seat also says the honest message after the other was refused
    honest_after: bool = False

    rng: random.Random = field(init=False)
    match: Match = field(init=False)
    records: list[bytes] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.match = Match()
        self._identities: list[bytes] = []
        self.secrets: dict[int, int] = {}
        self._blinds: dict[tuple[Handle, int], int] = {}
        self.elapsed: dict[int, int] = {}
        self._faces: dict[Handle, Card] = {}
        self._said = 0

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
            if drawing is not None and not pair.window.last and (pair.draw.last or self.wants_to_draw()):
                step = drawing
            elif window is not None:
                step = window
            elif step is not None and step.kind == "ACTION":
                step.head = pair.join()
        assert step is not None
        if step.kind == "WINDOW":
            self.choose_snaps(step)
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
        self.secrets, self._blinds, self._faces, self.elapsed = {}, {}, {}, {}
        self.match.begin_next()

    def _say(self, step: Step, draft: Draft) -> None:
        self._said += 1
        honest = self.seal(draft) if self._said == self.tamper_at and self.honest_after else None
        if self._said == self.tamper_at:
            self.cheat(draft)
        self.elapsed[draft.seat] = max(self.elapsed.get(draft.seat, 0), draft.elapsed)
        record = self._seal_any(draft)
        try:
            self._add(record)
        except Fault:
            if honest is not None:
                self.records.append(honest)
            raise

    def _draft(self, step: Step, seat: int) -> Draft:
        if step.kind == "WINDOW":
            return self.window_word(step, seat)
        elapsed = self.elapsed.get(seat, 0) + self.rng.choice([0, 0, 0, 1])
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
        return self.body_of_play(step, draft)

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

    # What a player decides ---------------------------------------------------------------------------------------

    @abc.abstractmethod
    def wants_to_draw(self) -> bool:
        """Whether the seat at turn draws in its lane, asked once a pair of lanes."""

    @abc.abstractmethod
    def choose_snaps(self, step: Step) -> None:
        """Decides who snaps in a window that opens."""

    @abc.abstractmethod
    def window_word(self, step: Step, seat: int) -> Draft:
        """The SNAP or NONE of a seat."""

    @abc.abstractmethod
    def body_of_play(self, step: Step, draft: Draft) -> list[Value]:
        """The body of ACTION, WITNESS, REVEAL and GIFT; empty for SEEN."""

    @abc.abstractmethod
    def cheat(self, draft: Draft) -> None:
        """Tampers with a message."""

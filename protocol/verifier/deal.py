"""One deal: the state machine that takes envelopes and gives history (05-table.md)."""

from collections.abc import Callable, Generator, Sequence
from typing import cast

from verifier import encoding as e
from verifier.curve import BASE, IDENTITY, add, negate, total
from verifier.encoding import Slot, be4, tagged_hash
from verifier.faults import Fault
from verifier.forming import Charter
from verifier.game import Game, Handle
from verifier.group import card_point, pack, point, points
from verifier.messages import Envelope
from verifier.moves import Answers, Move
from verifier.notes import Ask, Masked, Pair, Played, View, handle_of, masked_cards, shares_of
from verifier.proofs import Context, blind_holds, share_holds, shuffle_holds
from verifier.ruleset import Card, deck
from verifier.score import Score, Standing
from verifier.steps import Line, Program, Step, join_head


class Deal:
    """A deal under way. `receive` takes an envelope whose signature verifies, or raises Fault."""

    def __init__(
        self,
        charter: Charter,
        number: int,
        dealer: int,
        standing: Standing,
        last_head: bytes,
        program: Callable[["Deal"], Program],
    ) -> None:
        self.charter, self.number, self.dealer, self.standing = charter, number, dealer, standing
        self.rules = charter.rules
        self.active = tuple(range(len(charter.keys)))
        self.order = self.active[dealer:] + self.active[:dealer]
        self.cards = deck(charter.rules)
        self.index = {card: place for place, card in enumerate(self.cards)}
        self._named = {pack(card_point(place)): card for place, card in enumerate(self.cards)}

        self.keys: dict[int, bytes] = {}
        self.joint_key = bytes(32)
        self.secrets: dict[int, int] = {}
        self.masked: dict[Handle, Masked] = {}
        self.series = 0
        # what the next SHUFFLE has to shuffle, the Q of the open race, and what a WITNESS has to speak about
        self.next_deck: list[Masked] = []
        self.race_q = b""
        self.race_facts: tuple[tuple[int, ...], bool] = ((), False)
        self.shuffles: list[tuple[Slot, int, list[Masked], list[Masked]]] = []
        self.openings: list[tuple[Slot, Handle, dict[int, bytes]]] = []
        self.opened_at: dict[Handle, dict[int, int]] = {}
        self.views: list[View] = []
        self.windows: dict[Handle, int] = {}
        self.start: Game | None = None
        self.game: Game | None = None
        self.played: list[Played] = []
        self.proofs = 0
        self.hands: dict[int, list[Card]] = {}
        self.score: Score | None = None

        head = tagged_hash(e.TAG_DEAL, charter.table, be4(number), last_head, bytes(self.active), bytes([dealer]))
        self.pair: Pair | None = None
        self.said: dict[tuple[Slot, int], Envelope] = {}
        self.continued: dict[Slot, bytes] = {}
        self.main_head = head
        self.main = Line(Slot(1, e.MAIN, 0), head, program(self))
        self.main.advance()

    # Receiving (04-messages.md, 1; 05-table.md, 8) ---------------------------------------------------------------

    def receive(self, envelope: Envelope) -> None:
        """Judges one envelope, accepts it, and completes its step where it was the last."""
        slot, seat = envelope.slot, envelope.seat
        earlier = self.said.get((slot, seat))
        if earlier is not None and earlier.hash != envelope.hash:
            raise Fault("equivocation", "Two different messages of one seat for one slot.", seat, slot)
        line = self._line(slot)
        step = line.step if line is not None else None
        if step is not None and step.slot == slot and step.kind == "ACTION":
            self._join_of_action(step, envelope)
        if line is None or step is None or step.slot != slot or (step.kind == "ACTION" and self._half_drawn()):
            self._not_open(envelope)
            return
        if envelope.head != step.head:
            raise Fault("disagreement", "A message continues another history.", None, slot)
        if envelope.kind not in (("SNAP", "NONE") if step.kind == "WINDOW" else (step.kind,)):
            raise Fault("illegal-move", f"A {envelope.kind} where {step.kind} is due.", seat, slot)
        if seat not in step.required:
            raise Fault("illegal-move", f"This seat has nothing to say in this {step.kind}.", seat, slot)
        if envelope.elapsed < self._least_elapsed(line, seat):
            raise Fault("bad-time", "Elapsed time falls.", seat, slot)
        step.check(envelope)
        line.elapsed[seat] = envelope.elapsed
        step.said[seat] = envelope
        self.said[slot, seat] = envelope
        if step.complete():
            self._finish(line, step)

    def _finish(self, line: Line, step: Step) -> None:
        self.continued[step.slot] = step.head
        if step.kind == "WINDOW":
            snaps = {each.hash for each in step.said.values() if each.kind == "SNAP"}
            for each in step.said.values():
                if each.kind == "NONE" and each.body[0] not in (b"", *snaps):
                    raise Fault("disagreement", "A NONE answers a SNAP that is not here.", None, step.slot)
        if step.kind == "ACTION":
            self.merge_elapsed()
        line.finish(step)
        if line is self.main:
            self.main_head = step.next_head()
        pair = self.pair
        if pair is not None and pair.window.over and self.main.step is None and not self.main.over:
            self.main.advance()

    def _line(self, slot: Slot) -> Line | None:
        if slot.lane == e.MAIN:
            return self.main
        pair = self.pair
        if pair is None or pair.number != slot.number or slot.lane == e.FORMING:
            return None
        return pair.draw if slot.lane == e.DRAW_LANE else pair.window

    def _half_drawn(self) -> bool:
        return self.pair is not None and self.pair.half_drawn()

    def _join_of_action(self, step: Step, envelope: Envelope) -> None:
        """Sets the head of the ACTION, with the draw lane as far as it went (05-table.md, 4)."""
        pair = self.pair
        assert pair is not None
        step.head = pair.join()
        without = join_head(pair.number + 1, pair.head, pair.window.head)
        if envelope.head != without or pair.draw.last is None:
            return
        if envelope.seat in step.required:
            raise Fault("illegal-move", "An ACTION leaves out its seat's own DRAW.", envelope.seat, envelope.slot)
        raise Fault("illegal-move", "Another seat is at turn.", envelope.seat, envelope.slot)

    def _least_elapsed(self, line: Line, seat: int) -> int:
        lines = [self.main, line]
        if self.pair is not None and line is self.main:
            lines += [self.pair.draw, self.pair.window]
        return max(each.elapsed.get(seat, 0) for each in lines)

    def merge_elapsed(self) -> None:
        """Where lanes join, a seat's latest time on any line is its time on the main line (05-table.md, 7)."""
        if self.pair is not None:
            for seat in self.active:
                lines = (self.main, self.pair.draw, self.pair.window)
                self.main.elapsed[seat] = max(line.elapsed.get(seat, 0) for line in lines)

    def _not_open(self, envelope: Envelope) -> None:
        """A message for a slot that is not open: it comes too early, or can never be said."""
        slot = envelope.slot
        if not self._past(slot):
            raise Fault("bad-order", "A message comes before what it needs.", None, slot)
        line = self._line(slot)
        continues = self.continued.get(slot)
        if continues is None and line is not None and line.next_slot == slot:
            continues = line.head
        if envelope.head == continues:
            raise Fault("illegal-move", "Nothing was to be said there.", envelope.seat, slot)
        raise Fault("disagreement", "A message continues another history.", None, slot)

    def _past(self, slot: Slot) -> bool:
        if self.main.over:
            return True
        if slot.lane in (e.MAIN, e.FORMING):
            return slot.number < self.main.next_slot.number
        pair = self.pair
        if pair is None or slot.number != pair.number:
            return slot.number < (self.main.next_slot.number if pair is None else pair.number)
        line = pair.draw if slot.lane == e.DRAW_LANE else pair.window
        return line.over or slot.place < line.next_slot.place

    # What programs are made of -----------------------------------------------------------------------------------

    def context(self, envelope: Envelope) -> Context:
        return Context(self.charter.table, self.number, str(envelope.slot), envelope.seat)

    def proved(self, holds: bool) -> bool:
        """Counts a proof that holds."""
        self.proofs += holds
        return holds

    def moves(self) -> int:
        """How many moves have been carried out; a draw is as soon as its lane is complete."""
        drawn = self.pair is not None and self.pair.drawn()
        return drawn + sum(played.move is not None for played in self.played)

    def step_number(self, slot: Slot) -> int:
        """The place of a slot among the completed steps in history order, from 1 (07-audit.md, 5)."""
        return 1 + sum(completed < slot for completed in self.continued)

    def everybody(self, kind: str, check: Callable[[Envelope], None]) -> Step:
        return Step(kind, self.active, check)

    def check_shares(self, envelope: Envelope, bases: Sequence[bytes]) -> None:
        """Shares of OPEN, SERVE, OPEN1, OPEN2: exactly those of `bases`, each proved."""
        shares = shares_of(envelope)
        if len(shares) != len(bases):
            raise Fault("bad-share", "Not as many shares as are due.", envelope.seat, envelope.slot)
        context, key = self.context(envelope), self.keys[envelope.seat]
        for place, ((share, proof), base) in enumerate(zip(shares, bases, strict=True)):
            if not self.proved(share_holds(context.item(place), key, base, share, proof)):
                raise Fault("bad-share", "The proof of a share does not hold.", envelope.seat, envelope.slot)

    def read_face(self, handle: Handle, shares: dict[int, bytes], seat: int | None, slot: Slot) -> Card:
        """The card that the shares of all seats open: M = b − Σ x_p·a."""
        taken_off = points(b"".join(shares[each] for each in self.active)) or []
        b = point(self.masked[handle][1])
        assert b is not None
        card = self._named.get(pack(total([b, *map(negate, taken_off)])))
        if card is None:
            raise Fault("bad-share", "An opened card is none of the deck.", seat, slot)
        return card

    def card_of(self, packed: bytes) -> Card:
        """The card of the deck whose point has this encoding."""
        return self._named[packed]

    def log(self, seat: int, slot: Slot, move: Move | None = None, answers: Answers | None = None) -> None:
        """Notes what has been carried out, for the audit of the round."""
        if answers is None:
            self.played.append(Played(seat, slot, move))
            return
        reshuffled = None if answers.reshuffled is None else tuple(answers.reshuffled)
        self.played.append(Played(seat, slot, move, reshuffled, answers.claimed, answers.snap_top))

    def opening(self, kind: str, handles: Sequence[Handle]) -> Generator[Step, None, dict[Handle, Card]]:
        """A step that opens cards to all; gives their faces."""
        bases = [self.masked[handle][0] for handle in handles]
        step = Step(kind, self.active, lambda envelope: self.check_shares(envelope, bases), tuple(handles))
        yield step
        faces = {}
        for place, handle in enumerate(handles):
            shares = {seat: shares_of(step.said[seat])[place][0] for seat in self.active}
            self.openings.append((step.slot, handle, shares))
            self.opened_at[handle] = {seat: step.said[seat].elapsed for seat in self.active}
            faces[handle] = self.read_face(handle, shares, None, step.slot)
        return faces

    def last_shares(self, handle: Handle) -> list[bytes]:
        """The share elements of the last public opening of a card, seats ascending."""
        shares = next(shares for _, opened, shares in reversed(self.openings) if opened == handle)
        return [shares[seat] for seat in self.active]

    def check_ask(self, envelope: Envelope, place: int | None, ask: Ask, handle: Handle | None) -> None:
        """One ask of VIEW, DRAW or ACTION; `handle` is the card that is due, None if the rules check that."""
        original = self.read_ask(envelope, ask, handle)
        context = self.context(envelope)
        place_of = context if place is None else context.item(place)
        if not self.proved(blind_holds(place_of, original, ask[1], ask[2])):
            raise Fault("bad-view", "The proof of a view does not hold.", envelope.seat, envelope.slot)

    def read_ask(self, envelope: Envelope, ask: Ask, handle: Handle | None) -> bytes:
        """The same but for the proof; gives a of the card that is asked for."""
        asked, blinded, _ = ask
        masked = self.masked.get(handle_of(asked))
        if masked is None or (handle is not None and handle_of(asked) != handle):
            raise Fault("bad-view", "A view of another card than is due.", envelope.seat, envelope.slot)
        if point(blinded) is None or blinded == masked[0]:
            raise Fault("bad-view", "A view is not blinded by a point.", envelope.seat, envelope.slot)
        return masked[0]

    def serving(self, required: Sequence[int], asks: Sequence[View]) -> Generator[Step, None, None]:
        """A step in which shares of views are given; afterwards the views are complete."""

        def due(seat: int) -> list[View]:
            return [view for view in asks if view.viewer != seat]

        def check(envelope: Envelope) -> None:
            self.check_shares(envelope, [view.blinded for view in due(envelope.seat)])

        step = Step("SERVE", tuple(required), check)
        yield step
        for seat in required:
            for view, (share, _) in zip(due(seat), shares_of(step.said[seat]), strict=True):
                view.shares[seat] = share
                view.slot = step.slot

    def view(self, viewer: int, ask: Ask) -> View:
        """Notes a view that has been asked for."""
        view = View(viewer, handle_of(ask[0]), ask[1])
        self.views.append(view)
        return view

    def others(self, seat: int) -> tuple[int, ...]:
        return tuple(each for each in self.active if each != seat)

    def entering(self, cards: Sequence[Card]) -> list[Masked]:
        """Public cards as a deck goes in: (G, M_j + H), canonical order (02-crypto.md, 3)."""
        joint = point(self.joint_key) or IDENTITY
        mask = pack(BASE)
        return [(mask, pack(add(card_point(place), joint))) for place in sorted(self.index[card] for card in cards)]

    def shuffling(self, before: list[Masked]) -> Generator[Step, None, list[Handle]]:
        """A series of shuffles by all seats (03-shuffle.md, 8); gives the handles of the last output."""
        self.series += 1
        current = before
        for seat in self.order:
            self.next_deck = current
            step = Step("SHUFFLE", (seat,), self._shuffle_check(current))
            yield step
            after = masked_cards(cast(bytes, step.said[seat].body[0]))
            self.shuffles.append((step.slot, seat, current, after))
            current = after
        handles = [(self.series, place) for place in range(len(current))]
        self.masked.update(zip(handles, current, strict=True))
        return handles

    def _shuffle_check(self, before: list[Masked]) -> Callable[[Envelope], None]:
        joined = b"".join(a + b for a, b in before)

        def check(envelope: Envelope) -> None:
            after, proof = cast(tuple[bytes, bytes], tuple(envelope.body))
            if not self.proved(shuffle_holds(self.context(envelope), self.joint_key, joined, after, proof)):
                raise Fault("bad-shuffle", "The proof of a shuffle does not hold.", envelope.seat, envelope.slot)

        return check

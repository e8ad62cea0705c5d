"""A table played by the book: a stacked deck, and every message said when the test says so.

Every seat has its own replica, desk and clock; what is said reaches all of them at once, and after each message all
must agree. Bodies are the real ones with real proofs (only shuffles put the cards in the order that the test wants).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from p2pkaboo.crypto.elgamal import share
from p2pkaboo.crypto.runner import serial
from p2pkaboo.crypto.sigma import check
from p2pkaboo.peer.bodies import work_for
from p2pkaboo.replica.charter import RACES, Charter
from p2pkaboo.replica.clock import Clock, note_window
from p2pkaboo.replica.desk import Desk, Duty
from p2pkaboo.replica.faces import face_of
from p2pkaboo.replica.faults import Fault
from p2pkaboo.replica.lanes import action_head, joined_state
from p2pkaboo.replica.outputs import Differing, Refused, Verify, Viewed
from p2pkaboo.replica.own import Made, Own, viewed_face
from p2pkaboo.replica.state import Deal, Step, Totals
from p2pkaboo.replica.table import drain, new_deal, receive, verdict
from p2pkaboo.rules.cards import RANKS, SUITS, deck
from p2pkaboo.rules.moves import Move
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.rules.state import Handle, State
from p2pkaboo.wire.bodies import Shuffle, Snap
from p2pkaboo.wire.envelope import Envelope, Signed, seal
from p2pkaboo.wire.slot import Slot
from tests.support.tables import make_identities, seeded

LETTERS = "ABCDEFGH"
MS = 1000


def seat_of(letter: str) -> int:
    """A is seat 0."""
    return LETTERS.index(letter)


def rules_with(preset: str, cards: str, seats: int, **keys: object) -> Ruleset:
    """A preset whose deck is exactly these cards (faces with blanks between)."""
    kept = cards.split()
    removed = [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in kept]
    jokers = sum(card[0] == "X" for card in kept)
    settled: dict[str, object] = {"deck.remove": removed, "deck.jokers": jokers, "players.max": seats}
    return with_overrides(load_preset(preset), settled | {key.replace("__", "."): value for key, value in keys.items()})


def stacked(rules: Ruleset, seats: int, dealer: int, hands: Mapping[str, str], rest: str) -> tuple[str, ...]:
    """The deck, top first, that deals these hands (position 0 first), then `rest`: the up-card if there is one, and the
    stock; what is left of the deck lies beneath, in canonical order."""
    order = [(dealer + 1 + place) % seats for place in range(seats)]
    dealt = [hands[LETTERS[seat]].split()[turn] for turn in range(rules.deal_cards) for seat in order]
    top = [*dealt, *rest.split()]
    assert len(set(top)) == len(top), "a card lies in the deck twice"
    return (*top, *(card for card in deck(rules) if card not in top))


def lines_of(deal: Deal) -> list[str]:
    """The steps that are open at a replica, as `slot KIND seats that have not spoken`, main line, draw lane, window
    lane; last the ACTION that the seat at turn may say now."""
    lanes = deal.lanes
    steps = [deal.main] if lanes is None else [lanes.draw, lanes.window]
    lines = [_line(step) for step in steps if step is not None and step.waits_for()]
    if lanes is not None and lanes.now.turn is not None and action_head(deal) is not None:
        lines.append(f"m{deal.number + 1} ACTION {LETTERS[lanes.now.turn]}")
    return lines


def _line(step: Step) -> str:
    return f"{step.slot} {step.kind} {''.join(LETTERS[seat] for seat in step.waits_for())}"


@dataclass(slots=True)
class Place:
    """One seat."""

    seat: int
    deal: Deal
    desk: Desk
    own: Own
    clock: Clock


class Playbook:
    """`open` says which steps wait for whom, `say` lets a seat speak."""

    def __init__(
        self, rules: Ruleset, seats: int, *, dealer: str, hands: Mapping[str, str], rest: str, round_no: int = 1
    ) -> None:
        self.rules, self.seats = rules, seats
        self.order = stacked(rules, seats, seat_of(dealer), hands, rest)
        self.identities = make_identities(seats, "playbook")
        keys = tuple(identity.public.encoded for identity in self.identities)
        nonces = tuple(seeded(f"nonce{seat}")(32) for seat in range(seats))
        self.charter = Charter(rules, RACES["lan"], keys, tuple(LETTERS[:seats]), nonces)
        self.standing = Totals((0,) * seats, (), round_no)
        self.dealer = seat_of(dealer)
        self.now = 0
        self.shown_at = 0
        self.restock: tuple[str, ...] | None = None
        self.said: list[Signed] = []
        self.secrets: list[tuple[int, str, bytes]] = []
        self.faults: list[Fault] = []
        self.differing: list[Envelope] = []
        self.places = [self.place(seat) for seat in range(seats)]

    def place(self, seat: int) -> Place:
        """A seat that has heard nothing yet."""
        deal = new_deal(self.charter, 1, self.dealer, range(self.seats), self.standing, self.charter.hash)
        clock = Clock(seat)
        return Place(seat, deal, Desk(deal, seat, clock), Own(seat), clock)

    def restart(self, letter: str) -> None:
        """A seat is killed and rebuilt from its messages and secrets; its stamps are gone."""
        fresh = self.place(seat_of(letter))
        for seat, name, value in self.secrets:
            if seat == fresh.seat:
                fresh.own.remember(name, value)
        for signed in self.said:
            receive(fresh.deal, signed)
            self._settle(fresh)
        self.places[fresh.seat] = fresh

    # ---------------------------------------------------------------- what is so

    @property
    def deal(self) -> Deal:
        """The deal as the first seat holds it."""
        return self.places[0].deal

    def open(self) -> list[str]:
        """What waits for whom (see `lines_of`); all replicas agree on it."""
        (lines,) = {tuple(lines_of(place.deal)) for place in self.places}
        return list(lines)

    @property
    def state(self) -> State:
        """The game as the seat at turn sees it: with its draw, if that is served."""
        return joined_state(self.deal)

    def face(self, handle: Handle) -> str:
        """What lies there, read with everybody's keys."""
        card = self.deal.cards[handle]
        return face_of(self.deal, handle, [share(place.own.x(), card.a) for place in self.places])

    def hand(self, letter: str) -> str:
        """The faces before a seat by position; "-" is a gap."""
        held = self.state.hands[seat_of(letter)]
        return " ".join("-" if handle is None else self.face(handle) for handle in held)

    def at(self, letter: str, position: int) -> Handle:
        """The card before a seat at a position."""
        handle = self.state.hands[seat_of(letter)][position]
        assert handle is not None, f"{letter} {position} is a gap"
        return handle

    def pile(self) -> str:
        """The pile, bottom to top."""
        return " ".join(self.face(handle) for handle in self.state.pile)

    def known(self, letter: str, handle: Handle) -> str | None:
        """The face that a seat has seen under a handle."""
        return self.places[seat_of(letter)].desk.known.get(handle)

    # ---------------------------------------------------------------- what is said

    def all(self, kind: str) -> None:
        """Every seat that the open step of this kind waits for speaks, in order."""
        (step,) = [step for step in self._steps(self.deal) if step.kind == kind]
        for seat in step.waits_for():
            self.say(LETTERS[seat], kind)

    def say(
        self,
        letter: str,
        kind: str,
        *,
        move: Move | None = None,
        card: Handle | None = None,
        claim_ms: int = 0,
        late_ms: Mapping[str, int] | None = None,
    ) -> Envelope:
        """A seat says what its own code makes of this; everybody has it at once, but for `late_ms` in its stamps."""
        place = self.places[seat_of(letter)]
        step = self._step(place, kind)
        self._wait(place, kind, step, claim_ms)
        duty = Duty(kind, step, move=move, handle=card, claim_ms=claim_ms, answers=self._answered(kind, step))
        made = self._made(place, duty)
        for name, value in made.secrets:
            place.own.remember(name, value)
            self.secrets.append((place.seat, name, value))
        signed = seal(
            self.identities[place.seat],
            table=place.deal.table,
            deal=1,
            slot=step.slot,
            seat=place.seat,
            head=step.head,
            kind=kind,
            elapsed=self.now // 100_000,
            body=made.body,
        )
        self.said.append(signed)
        for other in self.places:
            late = (late_ms or {}).get(LETTERS[other.seat], 0) * MS
            self.hear(other, signed, self.now + late)
        return signed.envelope

    def hear(self, place: Place, signed: Signed, stamp: int) -> None:
        """One seat takes in a message."""
        envelope = signed.envelope
        if envelope.seat == place.seat:
            place.clock.said(1, envelope.slot, stamp)
        else:
            place.clock.arrived(1, envelope.slot, envelope.seat, stamp)
        receive(place.deal, signed)
        self._settle(place)
        lanes = place.deal.lanes
        if lanes is not None and lanes.window is not None and lanes.window.kind == "WINDOW":
            note_window(place.clock, place.deal, lanes, self.now)

    def _settle(self, place: Place) -> None:
        while outputs := drain(place.deal):
            for output in outputs:
                match output:
                    case Verify(token, envelope, checks):
                        if place.seat == 0 and envelope.kind != "SHUFFLE":  # they are the same at every seat
                            assert all(check(item.statement, item.proof) for item in checks), envelope.kind
                        verdict(place.deal, token, None)
                    case Viewed(_, viewer, handle) if viewer == place.seat:
                        place.desk.known[handle] = viewed_face(place.deal, place.own, handle)
                    case Refused(fault):
                        self.faults.append(fault)
                    case Differing(envelope):
                        self.differing.append(envelope)
                    case _:
                        pass

    def _wait(self, place: Place, kind: str, step: Step, claim_ms: int) -> None:
        """Time goes on: no NONE before the exposure of its card is over, no snap before it is pressed."""
        self.now += 1
        if kind in ("OPEN", "SEEN", "SHUFFLE", "GIFT"):
            self.shown_at = self.now
        elif kind == "SNAP":
            self.now = max(self.now, self.shown_at + claim_ms * MS)
        elif kind == "NONE":
            self.now = max(self.now, self.shown_at + (self.rules.snap_exposure_ms + 100) * MS)

    @staticmethod
    def _answered(kind: str, step: Step) -> bytes:
        snaps = [envelope.hash for envelope in step.said.values() if isinstance(envelope.body, Snap)]
        return snaps[0] if kind == "NONE" and snaps else b""

    def _steps(self, deal: Deal) -> list[Step]:
        steps = [deal.main] if deal.lanes is None else [deal.lanes.draw, deal.lanes.window]
        return [step for step in steps if step is not None]

    def _step(self, place: Place, kind: str) -> Step:
        deal = place.deal
        if kind == "ACTION":
            head = action_head(deal)
            assert head is not None, f"no ACTION may be said: {lines_of(deal)}"
            return Step(Slot(deal.number + 1, "m", 0), "ACTION", head, (place.seat,))
        wanted = "WINDOW" if kind in ("SNAP", "NONE") else kind
        found = [step for step in self._steps(deal) if step.kind == wanted and place.seat in step.waits_for()]
        assert len(found) == 1, f"{LETTERS[place.seat]} {kind}: {lines_of(deal)}"
        return found[0]

    def _made(self, place: Place, duty: Duty) -> Made:
        if duty.kind == "SHUFFLE":
            return Made(self._shuffled(place.deal))
        work = work_for(place.deal, place.desk, place.own, duty, serial)
        return work if isinstance(work, Made) else work(seeded(f"{duty.step.slot}/{place.seat}"))

    def _shuffled(self, deal: Deal) -> Shuffle:
        """The last to shuffle puts the cards in the order that the test wants; the others leave them."""
        series = deal.series
        assert series is not None
        cards = series.deck
        if series.done == len(series.seats) - 1:
            names = deck(self.rules)
            faces = sorted((deal.faces[handle] for handle in series.entering), key=names.index) or list(names)
            wanted = self.order if series.why == "deal" else self.restock or faces
            cards = tuple(series.deck[faces.index(face)] for face in wanted)
        return Shuffle(b"".join(card.encode() for card in cards), b"")

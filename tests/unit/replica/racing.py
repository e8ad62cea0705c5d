"""Races by hand: one replica, the desks and clocks of all seats around it, and everything said when a test says so."""

from collections.abc import Callable, Mapping
from functools import cache
from hashlib import shake_256

import msgspec

from p2pkaboo.crypto.elgamal import share
from p2pkaboo.crypto.runner import serial
from p2pkaboo.lab.races.prepared import Prepared, prepare, race_rules, settle
from p2pkaboo.peer.bodies import work_for
from p2pkaboo.replica.charter import RACES
from p2pkaboo.replica.clock import Clock, note_window, testimony
from p2pkaboo.replica.desk import Desk, Duty
from p2pkaboo.replica.duties import due, taken_up
from p2pkaboo.replica.faces import face_of
from p2pkaboo.replica.own import Made, Own, snap_work
from p2pkaboo.replica.state import Lanes, RaceRecord, Step
from p2pkaboo.replica.table import receive
from p2pkaboo.rules.engine import snap_targets
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.rules.state import Handle, cards_of
from p2pkaboo.wire.bodies import Body, NoSnap, Snap, Witness
from p2pkaboo.wire.envelope import Signed, seal

MS = 1000
"""Microseconds."""

OPENED = 10_000 * MS
"""When every share of the discard is in, unless a test says otherwise."""

RANKS = "A23456789TJQK"


def bytes_from(text: str) -> Callable[[int], bytes]:
    """A stream of bytes from a text."""
    count = 0

    def draw(size: int) -> bytes:
        nonlocal count
        count += 1
        return shake_256(f"{text}/{count}".encode()).digest(size)

    return draw


def ranks(kept: str) -> dict[str, object]:
    """Overrides for a deck of these ranks only."""
    return {"deck.remove": [rank + suit for rank in RANKS if rank not in kept for suit in "CDHS"]}


def kabbu() -> Ruleset:
    """Own cards first, then others', and every placed card can be snapped; two ranks, three cards a seat."""
    small: dict[str, object] = {"deck.jokers": 0, "deck.packs": 4, "deal.cards": 3, "peek.count": 0}
    return with_overrides(load_preset("kabbu"), {**ranks("56"), **small})


def mixed(**overrides: object) -> Ruleset:
    """Two ranks, three cards a seat: right cards and wrong ones."""
    return race_rules({**ranks("56"), "deal.cards": 3, **overrides})


@cache
def prepared(seats: int, race: str = "lan", rules: Ruleset | None = None, seed: int = 0) -> Prepared:
    """A prepared table, made once."""
    return prepare(seats, RACES[race], bytes_from(f"{seats}/{seed}"), rules)


def with_both(seats: int, race: str = "lan", rules: Ruleset | None = None) -> "Racers":
    """A table at which every seat holds a right card and a wrong one."""
    for seed in range(60):
        racers = Racers(prepared(seats, race, rules or mixed(), seed))
        racers.open()
        if all(racers.right(seat) and racers.wrong(seat) for seat in range(seats)):
            return racers
    raise AssertionError("no such table among sixty")


class Racers:
    """All seats of a prepared table. `ways` [from, to]: one-way delays, microseconds, 0 where none is given."""

    def __init__(self, table: Prepared, ways: Mapping[tuple[int, int], int] | None = None) -> None:
        self.table, self.deal, self.ways = table, table.fresh(), dict(ways or {})
        self.seats = range(len(table.identities))
        self.desks = [Desk(self.deal, seat, Clock(seat)) for seat in self.seats]
        self.owns = [Own(seat, table.secrets[seat]) for seat in self.seats]
        self.rng = bytes_from("racers")
        self.now = 0

    # ---------------------------------------------------------------- what stands on the table

    @property
    def lanes(self) -> Lanes:
        assert self.deal.lanes is not None
        return self.deal.lanes

    @property
    def step(self) -> Step:
        """The open step: of the window lane, else of the main line."""
        step = self.lanes.window if self.deal.lanes is not None else self.deal.main
        assert step is not None
        return step

    @property
    def record(self) -> RaceRecord:
        """The last race."""
        return self.deal.races[-1]

    def clock(self, seat: int) -> Clock:
        return self.desks[seat].clock

    def face(self, handle: Handle) -> str:
        card = self.deal.cards[handle]
        return face_of(self.deal, handle, [share(secret, card.a) for secret in self.table.secrets])

    def _cards(self, seat: int, right: bool) -> list[Handle]:
        top = self.face(self.lanes.now.pile[-1])
        return [h for h in cards_of(self.lanes.now, seat) if (self.face(h)[0] == top[0]) is right]

    def right(self, seat: int) -> list[Handle]:
        """The seat's cards that match the card on top."""
        return self._cards(seat, True)

    def wrong(self, seat: int) -> list[Handle]:
        return self._cards(seat, False)

    def faulty(self) -> tuple[int, str] | None:
        """Who was refused, and for what."""
        fault = self.deal.fault
        return None if fault is None else (fault.seat, fault.code)

    # ---------------------------------------------------------------- what is said

    def stamp(self, signed: Signed, at: int) -> None:
        """A message leaves at an instant and is read everywhere after its way; here it counts at once."""
        envelope = signed.envelope
        self.now = max(self.now, at)
        self.clock(envelope.seat).said(envelope.deal, envelope.slot, at)
        for seat in self.seats:
            if seat != envelope.seat:
                arrival = at + self.ways.get((envelope.seat, seat), 0)
                self.clock(seat).arrived(envelope.deal, envelope.slot, envelope.seat, arrival)
        receive(self.deal, signed)
        settle(self.deal)
        if self.deal.lanes is not None and self.lanes.window is not None and self.step.kind == "WINDOW":
            for desk in self.desks:
                note_window(desk.clock, self.deal, self.lanes, self.now)

    def open(self, at: Mapping[int, int] | None = None) -> None:
        """Everybody's share of the discard leaves, at `OPENED` or at the instant given by seat."""
        for seat in self.seats:
            self.stamp(self.table.opens[seat], (at or {}).get(seat, OPENED))

    def say(self, seat: int, kind: str, body: Body, at: int | None = None, step: Step | None = None) -> Signed:
        """The seat says this in the open step, or in the one given."""
        at, step = self.now if at is None else at, step or self.step
        signed = seal(
            self.table.identities[seat],
            table=self.deal.table,
            deal=self.deal.deal,
            slot=step.slot,
            seat=seat,
            head=step.head,
            kind=kind,
            elapsed=self.table.elapsed + max(0, at - OPENED) // 100_000,
            body=body,
        )
        self.stamp(signed, at)
        return signed

    def snap(self, seat: int, handle: Handle, claim_ms: int = 300, at: int | None = None, **forged: object) -> Signed:
        """A SNAP of a card; `forged` replaces fields of its body."""
        made = snap_work(self.deal, seat, handle, claim_ms)(self.rng)
        for name, value in made.secrets:
            self.owns[seat].remember(name, value)
        return self.say(seat, "SNAP", msgspec.structs.replace(made.body, **forged), at)

    def none(self, *seats: int, answers: bytes = b"", at: int | None = None) -> None:
        for seat in seats:
            self.say(seat, "NONE", NoSnap(answers), at)

    def witness(self, forge: Mapping[int, Callable[[Witness], Witness]] | None = None) -> None:
        """Everybody testifies what its clock says; `forge` by seat: what it says instead."""
        slot = self.deal.history[-1].slot
        for seat in self.deal.active:
            body = testimony(self.clock(seat), self.deal, self.lanes, slot)
            self.say(seat, "WITNESS", (forge or {}).get(seat, _same)(body))

    def race(
        self,
        snaps: Mapping[int, tuple[Handle, int]],
        forge: Mapping[int, Callable[[Witness], Witness]] | None = None,
        silent: tuple[int, ...] = (),
    ) -> None:
        """A window: each seat given snaps a card so long (ms) after now, claiming what is true; then testimony.

        `silent`: who has answered already."""
        zero = self.now
        for seat, (handle, after) in snaps.items():
            self.snap(seat, handle, after, zero + after * MS)
        self.none(
            *(seat for seat in self.deal.active if seat not in snaps and seat not in silent), at=zero + 3_000 * MS
        )
        if not self.lanes.closed and self.step.kind == "WITNESS":
            self.witness(forge)

    def targets(self, seat: int) -> tuple[Handle, ...]:
        """What the seat may snap now."""
        return snap_targets(self.lanes.now, seat)

    def serve(self, *kinds: str) -> None:
        """Lets the desks do what these kinds of steps need, until none of them is open."""
        while self.deal.lanes is not None and self.lanes.window is not None and self.step.kind in kinds:
            step = self.step
            for seat in step.waits_for():
                self.carry_out(seat, Duty(step.kind, step))

    def carry_out(self, seat: int, duty: Duty) -> None:
        work = work_for(self.deal, self.desks[seat], self.owns[seat], duty, serial)
        made = work if isinstance(work, Made) else work(self.rng)
        for name, value in made.secrets:
            self.owns[seat].remember(name, value)
        taken_up(self.desks[seat], duty)
        self.say(seat, duty.kind, made.body, step=duty.step)

    def settle(self) -> None:
        """Serves every snap that counts."""
        self.serve("REVEAL", "OPEN")

    def duties(self, seat: int, now: int) -> tuple[list[Duty], int | None]:
        """What the seat's desk would say now, and when it wants to look again."""
        return due(self.desks[seat], now)

    def due(self, seat: int, now: int) -> tuple[list[str], int | None]:
        """The same, by kinds only."""
        duties, wake = self.duties(seat, now)
        return [duty.kind for duty in duties], wake


def _same(body: Witness) -> Witness:
    return body


def snap_of(signed: Signed) -> Snap:
    assert isinstance(signed.envelope.body, Snap)
    return signed.envelope.body

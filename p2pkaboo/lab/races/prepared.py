"""A table brought, by real messages of all seats, to the instant before a discard is opened: where a race begins.

It is made once and copied for every race: keys, shuffle and draw are real, and so are the shares of the discard. All
cards are of one rank, so that every snap is right; nobody has looked at the discard, so that nobody's floor is raised.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from p2pkaboo.crypto.group import Rng, random_bytes
from p2pkaboo.crypto.identity import Identity
from p2pkaboo.crypto.runner import serial
from p2pkaboo.peer.bodies import work_for
from p2pkaboo.replica.charter import Charter, RaceNumbers
from p2pkaboo.replica.clock import Clock
from p2pkaboo.replica.desk import Desk, Duty
from p2pkaboo.replica.duties import due, taken_up
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.match import first_deal
from p2pkaboo.replica.outputs import Verify, Viewed
from p2pkaboo.replica.own import Made, Own, viewed_face
from p2pkaboo.replica.questions import answer
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.rules.moves import Draw, Exchange, Move
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Body
from p2pkaboo.wire.envelope import Signed, seal

KEPT_RANK: Final = "5"
"""The rank of all cards: it has no power."""

Looked = Callable[[int, Handle], None]
"""Hears that a seat (first) may now compute the face of a card."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """`deal`: waits for the shares of the discard (copy it: `fresh`); `opens`: these, by seat; `secrets`: the keys of
    this deal, seats ascending; `acting`: the seat that has discarded; `elapsed`: own time so far, 0.1 s."""

    deal: Deal
    identities: tuple[Identity, ...]
    opens: Mapping[int, Signed]
    secrets: tuple[int, ...]
    acting: int
    elapsed: int

    def fresh(self) -> Deal:
        """A replica of its own at this instant."""
        containers: dict[str, Any] = {
            field.name: value.copy()
            for field in fields(self.deal)
            if isinstance(value := getattr(self.deal, field.name), dict | list)
        }
        step = self.deal.main
        assert step is not None
        return replace(self.deal, main=replace(step, said={}, checking={}), **containers)


def race_rules(overrides: Mapping[str, object] | None = None) -> Ruleset:
    """The rules of the prepared table; `overrides` by key, for races of another sort."""
    removed = [rank + suit for rank in "A23456789TJQK" if rank != KEPT_RANK for suit in "CDHS"]
    plain = {"deck.remove": removed, "deck.jokers": 0, "deck.packs": 4, "deal.cards": 1, "peek.count": 0}
    return with_overrides(load_preset("sheffield"), {**plain, "deal.opening": False, **(overrides or {})})


def prepare(seats: int, race: RaceNumbers, rng: Rng, rules: Ruleset | None = None) -> Prepared:
    """A table of `seats` with these race numbers. `rules`: as `race_rules` gives them."""
    identities = tuple(Identity.generate(rng) for _ in range(seats))
    charter = Charter(
        race_rules() if rules is None else rules,
        race,
        tuple(identity.public.encoded for identity in identities),
        tuple(f"P{seat}" for seat in range(seats)),
        tuple(random_bytes(rng, 32) for _ in range(seats)),
    )
    return _Dealing(charter, identities, rng).run()


class _Dealing:
    """All seats of one table around one replica."""

    def __init__(self, charter: Charter, identities: tuple[Identity, ...], rng: Rng) -> None:
        seats = range(charter.seats)
        self.identities, self.rng, self.now = identities, rng, 0
        self.deal = first_deal(charter)
        self.desks = [Desk(self.deal, seat, Clock(seat)) for seat in seats]
        self.owns = [Own(seat) for seat in seats]
        self.opens: dict[int, Signed] = {}

    def run(self) -> Prepared:
        """Plays until every seat has its share of the discard in hand, unsent."""
        while len(self.opens) < len(self.desks):
            wakes = [wake for desk in self.desks if (wake := self.turn(desk)) is not None]
            self.now = max(self.now, min(wakes, default=self.now))
        step = self.deal.main
        if step is None or step.kind != "OPEN" or self.deal.action is None:
            raise LocalError("the prepared table did not come to the opening of a discard")
        secrets = tuple(own.x() for own in self.owns)
        acting = self.deal.action.seat
        return Prepared(self.deal, self.identities, self.opens, secrets, acting, self.now // 100_000)

    def turn(self, desk: Desk) -> int | None:
        duties, wake = due(desk, self.now)
        question = desk.question
        if question is not None:
            answer(desk, question.number, _choice(question.moves))
            return self.now
        for duty in duties:
            taken_up(desk, duty)
            self.say(desk, duty)
        return self.now if duties else wake

    def say(self, desk: Desk, duty: Duty) -> None:
        own = self.owns[desk.seat]
        work = work_for(self.deal, desk, own, duty, serial)
        made = work if isinstance(work, Made) else work(self.rng)
        for name, value in made.secrets:
            own.remember(name, value)
        signed = say(self.deal, self.identities[desk.seat], desk.seat, duty, made.body, elapsed=self.now // 100_000)
        if duty.kind == "OPEN":
            self.opens[desk.seat] = signed
            return
        receive(self.deal, signed)
        settle(self.deal, self.looked)

    def looked(self, seat: int, handle: Handle) -> None:
        self.desks[seat].known[handle] = viewed_face(self.deal, self.owns[seat], handle)


def _choice(moves: tuple[Move, ...]) -> Move | None:
    """Draws, then puts the drawn card in place of an own one, which nobody has seen."""
    return next((move for move in moves if isinstance(move, Draw | Exchange)), None)


def say(deal: Deal, identity: Identity, seat: int, duty: Duty, body: Body, *, elapsed: int) -> Signed:
    """A message of a seat for a duty of its desk."""
    step = duty.step
    return seal(
        identity,
        table=deal.table,
        deal=deal.deal,
        slot=step.slot,
        seat=seat,
        head=step.head,
        kind=duty.kind,
        elapsed=elapsed,
        body=body,
    )


def settle(deal: Deal, looked: Looked | None = None) -> None:
    """Takes every proof as good: all of them here are our own honest seats'. `looked` hears of private views."""
    while outputs := drain(deal):
        for output in outputs:
            match output:
                case Verify(token, _, _):
                    verdict(deal, token, None)
                case Viewed(_, viewer, handle) if looked is not None:
                    looked(viewer, handle)
                case _:
                    pass

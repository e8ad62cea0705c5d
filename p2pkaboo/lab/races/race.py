"""One race: real replicas, desks and clocks on a made-up network, until everybody has judged who was first.

Every host holds a right card and snaps: the worst case. All chance is drawn before anything happens, so that the same
source gives the same race with a cheat in it and without. Hosts are made up, seats are the table's; which host sits
where is drawn too, and so is who has discarded. Times are microseconds from the discarding ACTION.
"""

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Final

from p2pkaboo.crypto.runner import serial
from p2pkaboo.lab.races.chance import Chance
from p2pkaboo.lab.races.cheats import CHEAT, COPY_MS, HONEST, PONG_DELAY_MS, Cheat
from p2pkaboo.lab.races.network import Kind, Network
from p2pkaboo.lab.races.prepared import Prepared, say, settle
from p2pkaboo.peer.bodies import work_for
from p2pkaboo.replica.clock import Clock
from p2pkaboo.replica.desk import Desk, Duty
from p2pkaboo.replica.duties import due, taken_up
from p2pkaboo.replica.own import Made, Own
from p2pkaboo.replica.race import HELD_BACK
from p2pkaboo.replica.snapping import press
from p2pkaboo.replica.state import Deal, RaceRecord
from p2pkaboo.replica.table import receive
from p2pkaboo.replica.window import RIGHT
from p2pkaboo.rules.engine import may_snap, snap_targets
from p2pkaboo.wire.envelope import Signed

MS: Final = 1000
REACTION_MEAN_MS: Final = 350.0
REACTION_SPREAD_MS: Final = 90.0
"""How people react: lognormal, from the instant at which they can see the card."""

SHARE_MS: Final = 0.3
"""From the ACTION's arrival to one's share being out."""

MOST_US: Final = 60_000_000
"""A race that is not judged after a minute never will be."""

Trips = Mapping[tuple[int, int], Mapping[int, float]]
"""How long copies of an author's message take on their way from the one who sends or forwards them: (author, via)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a race. `winner`: the host served first; `reactions`: the true ones, ms; `presses`: when each host
    pressed, `arrivals` [snapper][witness]: when its SNAP would be read there directly (its own: when it pressed), both
    microseconds; `left_out`: hosts whose snap did not count for a late share."""

    winner: int
    reactions: tuple[float, ...]
    presses: tuple[int, ...]
    arrivals: tuple[tuple[int, ...], ...]
    disputed: bool
    left_out: frozenset[int]

    @property
    def fastest(self) -> int:
        """The host that really was fastest."""
        return min(range(len(self.reactions)), key=self.reactions.__getitem__)


@dataclass(slots=True)
class _Host:
    number: int
    deal: Deal
    desk: Desk
    own: Own
    sat: int
    heard: set[tuple[str, int]] = field(default_factory=set)
    shares: int = 0
    zero: int | None = None
    share_out: int = 0
    press_at: int | None = None
    pressed: bool = False
    judged: RaceRecord | None = None


class Race:
    """A race about to be run. `run` plays it."""

    def __init__(self, prepared: Prepared, kind: Kind, chance: Chance, cheat: Cheat = HONEST) -> None:
        self.prepared, self.cheat, self.chance = prepared, cheat, chance
        self.seats = len(prepared.identities)
        hosts = range(self.seats)
        self.numbers = prepared.deal.charter.race
        network = Network(kind, self.seats, chance)
        pings = network.pings()
        self.reactions = tuple(reaction(chance) for _ in hosts)
        self.host_at = seating(self.seats, chance)
        discarder = self.host_at[prepared.acting]
        self.trigger = {discarder: 0.0, **network.broadcast(discarder)}
        self.ways = {kind: self._trips(network) for kind in ("OPEN", "WORD")}
        self.hosts = [self._host(number, pings) for number in hosts]
        self.queue: list[tuple[int, int, Callable[[], None]]] = []
        self.due_at: dict[tuple[str, int, int], int] = {}
        self.now = self.count = 0

    def _trips(self, network: Network) -> Trips:
        hosts = range(self.seats)
        direct = {(host, host): network.broadcast(host) for host in hosts}
        if self.seats < 3:
            return direct
        others = {(one, via): network.broadcast(via) for one in hosts for via in hosts if one != via}
        return direct | others

    def _host(self, number: int, pings: Mapping[tuple[int, int], list[float]]) -> _Host:
        seat = self.host_at.index(number)
        clock = Clock(seat)
        for (one, other), trips in pings.items():
            if number not in (one, other):
                continue
            late = PONG_DELAY_MS if self.cheat.slow_pongs and CHEAT in (one, other) else 0.0
            far = self.host_at.index(other if number == one else one)
            for trip in trips:
                clock.pinged(far, round((trip + late) * MS))
        deal = self.prepared.fresh()
        desk = Desk(deal, seat, clock)
        assert deal.main is not None
        desk.said.add(deal.main.slot)  # the shares of the discard are made already
        return _Host(number, deal, desk, Own(seat, self.prepared.secrets[seat]), seat)

    # ---------------------------------------------------------------- events

    def run(self) -> Outcome:
        """Plays until every host has judged the race alike. RuntimeError if that does not come."""
        for host in self.hosts:
            self.at(self.trigger[host.number] + SHARE_MS, lambda host=host: self.share(host))  # type: ignore[misc]
        while any(host.judged is None for host in self.hosts):
            if not self.queue or self.now > MOST_US:
                raise RuntimeError("the race was not judged")
            self.now, _, action = heapq.heappop(self.queue)
            action()
        return self.outcome()

    def at(self, delay_ms: float, action: Callable[[], None]) -> None:
        self.until(self.now + round(delay_ms * MS), action)

    def until(self, when: int, action: Callable[[], None]) -> None:
        self.count += 1
        heapq.heappush(self.queue, (when, self.count, action))

    def share(self, host: _Host) -> None:
        """The host's share of the discard is made; it leaves at once, unless it is held back."""
        signed = self.prepared.opens[host.sat]
        host.share_out = self.now
        self.hear(host, signed)
        if not self.holds(host):
            self.leave(host, signed)
        elif host.zero is not None:
            self.at(self.cheat.held_back(self.numbers), lambda: self.leave(host, signed))
        self.turn(host)

    def holds(self, host: _Host) -> bool:
        return host.number == CHEAT and self.cheat.held_back(self.numbers) > 0

    def leave(self, host: _Host, signed: Signed) -> None:
        """A message of the host's own goes out to all."""
        envelope = signed.envelope
        host.desk.clock.said(envelope.deal, envelope.slot, self.now)
        self.spread(host, signed, via=host.number)

    def spread(self, host: _Host, signed: Signed, *, via: int) -> None:
        """Sends or forwards a message. Copies that come behind an earlier one are nothing to anybody and left out."""
        kind = signed.envelope.kind
        author = self.host_at[signed.envelope.seat]
        ways = self.ways["OPEN" if signed.envelope.slot.lane == "m" else "WORD"][author, via]
        for to, delay in ways.items():
            if to in (author, via):
                continue
            when = self.now + round(delay * MS)
            place = (f"{kind}{signed.envelope.slot}", author, to)
            if when < self.due_at.get(place, when + 1):
                self.due_at[place] = when
                self.until(when, lambda to=to: self.arrive(self.hosts[to], signed))  # type: ignore[misc]

    def arrive(self, host: _Host, signed: Signed) -> None:
        envelope = signed.envelope
        place = (f"{envelope.kind}{envelope.slot}", envelope.seat)
        if place in host.heard:
            return
        host.heard.add(place)
        host.desk.clock.arrived(envelope.deal, envelope.slot, envelope.seat, self.now)
        if envelope.kind in ("OPEN", "SNAP", "NONE") and self.seats > 2:
            self.spread(host, signed, via=host.number)
        if envelope.slot.lane == "m":
            self.count_share(host)
        if envelope.kind == "SNAP":
            self.rival_snapped(host)
        self.hear(host, signed)
        self.turn(host)

    def count_share(self, host: _Host) -> None:
        """A foreign share is here; with the last of them the host's player can see the card."""
        host.shares += 1
        if host.shares < self.seats - 1:
            return
        host.zero = self.now
        wish = self.now + round(self.reactions[host.number] * MS)
        self.wish(host, wish)
        if self.holds(host) and host.share_out:
            signed = self.prepared.opens[host.sat]
            self.at(self.cheat.held_back(self.numbers), lambda: self.leave(host, signed))

    def rival_snapped(self, host: _Host) -> None:
        if host.number == CHEAT and self.cheat.copies:
            soon = max(self.now, host.zero or self.now) + round(COPY_MS * MS)
            self.wish(host, soon)

    def wish(self, host: _Host, when: int) -> None:
        """The host's player will press then, if not before."""
        if host.press_at is None or when < host.press_at:
            host.press_at = when
            self.until(when, lambda: self.turn(host))

    def hear(self, host: _Host, signed: Signed) -> None:
        receive(host.deal, signed)
        settle(host.deal)
        if host.deal.fault is not None:
            raise RuntimeError(f"a host was refused: {host.deal.fault}")
        if host.judged is None and host.deal.races:
            record = host.deal.races[-1]
            if record.judgement.disputed and RIGHT not in record.outcomes.values():
                return
            host.judged = record if record.judgement.order else None

    def turn(self, host: _Host) -> None:
        """Everything that a host does at an instant."""
        self.try_press(host)
        while host.judged is None:
            duties, wake = due(host.desk, self.now)
            if host.number == CHEAT and self.cheat != HONEST and not host.pressed:
                duties = [duty for duty in duties if duty.kind != "NONE"]
            for duty in duties:
                taken_up(host.desk, duty)
                self.speak(host, duty)
            if not duties:
                if wake is not None and wake < MOST_US:
                    self.until(max(wake, self.now + 1), lambda: self.turn(host))
                return

    def try_press(self, host: _Host) -> None:
        lanes = host.deal.lanes
        if host.pressed or host.press_at is None or self.now < host.press_at or lanes is None:
            return
        if lanes.window is not None and may_snap(lanes.now, host.sat):
            target = snap_targets(lanes.now, host.sat)[0]
            host.pressed = press(host.desk, target, host.press_at)

    def speak(self, host: _Host, duty: Duty) -> None:
        work = work_for(host.deal, host.desk, host.own, duty, serial)
        made = work if isinstance(work, Made) else work(self.chance.randbytes)
        for name, value in made.secrets:
            host.own.remember(name, value)
        body = self.cheat.forge(made.body) if host.number == CHEAT else made.body
        elapsed = self.prepared.elapsed + self.now // 100_000
        signed = say(host.deal, self.prepared.identities[host.sat], host.sat, duty, body, elapsed=elapsed)
        self.leave(host, signed)
        self.hear(host, signed)

    # ---------------------------------------------------------------- what came of it

    def outcome(self) -> Outcome:
        records = [host.judged for host in self.hosts if host.judged is not None]
        if any(record.judgement != records[0].judgement for record in records):
            raise RuntimeError("the hosts judge the race differently")
        judgement = records[0].judgement
        first = judgement.order[0]
        if judgement.disputed:
            first = next(seat for seat, outcome in records[0].outcomes.items() if outcome == RIGHT)
        runners = [runner for record in self.hosts[0].deal.races for runner in record.judgement.runners]
        left_out = frozenset(self.host_at[runner.seat] for runner in runners if runner.reason == HELD_BACK)
        presses = tuple(self._pressed(host) for host in self.hosts)
        return Outcome(
            self.host_at[first],
            self.reactions,
            presses,
            tuple(self._arrivals(snapper, at) for snapper, at in enumerate(presses)),
            judgement.disputed,
            left_out,
        )

    def _pressed(self, host: _Host) -> int:
        """When the host pressed, or would have, had the race gone on."""
        if host.press_at is None:
            raise RuntimeError("the race was judged before everybody could see the card")
        return host.press_at

    def _arrivals(self, snapper: int, pressed: int) -> tuple[int, ...]:
        ways = self.ways["WORD"][snapper, snapper]
        return tuple(pressed + round(ways.get(host, 0.0) * MS) for host in range(self.seats))


def reaction(chance: Chance) -> float:
    """How long a player takes, milliseconds."""
    spread = sqrt(log(1 + (REACTION_SPREAD_MS / REACTION_MEAN_MS) ** 2))
    return chance.lognormvariate(log(REACTION_MEAN_MS) - spread**2 / 2, spread)


def seating(hosts: int, chance: Chance) -> list[int]:
    """The host that sits at each seat."""
    left = list(range(hosts))
    return [left.pop(chance.randrange(len(left))) for _ in range(hosts)]

"""A seat's own clock: stamps of what it received and sent, and the durations that its testimony gives.

All times are microseconds on one monotonic clock, handed in by whoever reads it; nothing here looks at a clock. A stamp
lost in a restart is missing, and what needs it counts as nothing.
"""

from dataclasses import dataclass, field
from statistics import median
from typing import Final

from p2pkaboo.replica.meaning import has_lateness
from p2pkaboo.replica.state import Closed, Deal, Lanes
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Lateness, Measure, Witness
from p2pkaboo.wire.slot import Slot

PINGS_KEPT: Final = 24
"""Round trips that the median is taken of: less than a minute of them; a few bad ones do not move it."""

LEAST_WAIT_MS: Final = 1_000
"""Where a SNAP is held, a NONE waits as if the exposure were at least this long: everybody gets to snap against it."""


@dataclass(slots=True)
class Clock:
    """`arrivals`: first arrival of a seat's message for a slot; `sent`: our own; `trips`: last round trips to a seat;
    `shown`: since when a discard (deal, handle, own elapsed time at its opening) has been in view here: the zero of the
    first window on it."""

    seat: int
    arrivals: dict[tuple[int, Slot, int], int] = field(default_factory=dict)
    sent: dict[tuple[int, Slot], int] = field(default_factory=dict)
    trips: dict[int, list[int]] = field(default_factory=dict)
    shown: dict[tuple[int, Handle, int], int] = field(default_factory=dict)
    last_lane: tuple[int, int, int] | None = None
    """(deal, number, zero) of the lanes in which nobody is at turn."""

    def arrived(self, deal: int, slot: Slot, seat: int, now: int) -> None:
        """Stamps the first arrival of a message."""
        self.arrivals.setdefault((deal, slot, seat), now)

    def said(self, deal: int, slot: Slot, now: int) -> None:
        """Stamps a message of our own as it leaves."""
        self.sent.setdefault((deal, slot), now)

    def pinged(self, seat: int, trip: int) -> None:
        """Enters a measured round trip."""
        kept = self.trips.setdefault(seat, [])
        kept.append(trip)
        del kept[:-PINGS_KEPT]

    def trip(self, seat: int) -> int:
        """The median round trip to a seat; 0 before the first is known."""
        kept = self.trips.get(seat)
        return int(median(kept)) if kept else 0

    def forget(self, deal: int) -> None:
        """Drops the stamps of deals before this one."""
        self.arrivals = {key: at for key, at in self.arrivals.items() if key[0] >= deal}
        self.sent = {place: at for place, at in self.sent.items() if place[0] >= deal}
        self.shown = {card: at for card, at in self.shown.items() if card[0] >= deal}


def zero_of(clock: Clock, deal: int, closed: Closed) -> int | None:
    """When all foreign messages of a step were in; for its only sender, when it sent its own. None: stamps are lost."""
    stamps = [clock.arrivals.get((deal, closed.slot, seat)) for seat in closed.said if seat != clock.seat]
    if not stamps:
        return clock.sent.get((deal, closed.slot))
    known = [at for at in stamps if at is not None]
    return max(known) if len(known) == len(stamps) else None


def note_window(clock: Clock, deal: Deal, lanes: Lanes, now: int) -> None:
    """A window is open: the first one on its card starts the card's exposure (`now` stands in for a lost stamp).

    It starts when our own message of the step before has left too: others hold our NONE against the time in that one.
    """
    assert lanes.zero is not None
    zero = zero_of(clock, deal.deal, lanes.zero)
    own = clock.sent.get((deal.deal, lanes.zero.slot), 0)
    start = now if zero is None else max(zero, own)
    clock.shown.setdefault(_coming(clock, deal, lanes), start)
    if lanes.now.turn is None and (clock.last_lane or (0, 0, 0))[:2] != (deal.deal, lanes.number):
        clock.last_lane = (deal.deal, lanes.number, start)


def _coming(clock: Clock, deal: Deal, lanes: Lanes) -> tuple[int, Handle, int]:
    """Names the card on top and this coming of it: one that was taken and is snapped later comes into view anew."""
    top = lanes.now.pile[-1]
    return deal.deal, top, deal.opened_at.get(top, {}).get(clock.seat, 0)


def shown_since(clock: Clock, deal: Deal, lanes: Lanes) -> int:
    """Since when the card on top has been in view here; `note_window` has seen its window."""
    return clock.shown[_coming(clock, deal, lanes)]


def exposed_until(clock: Clock, deal: Deal, lanes: Lanes) -> int:
    """When our own exposure of the card on top is over."""
    start = shown_since(clock, deal, lanes)
    if lanes.now.turn is None and clock.last_lane is not None:
        # The last exposure of a round begins with its lane; a card snapped onto the pile in it has its own, later one.
        start = max(start, clock.last_lane[2])
    return start + lanes.now.rules.snap_exposure_ms * 1000


def answered(clock: Clock, deal: Deal, lanes: Lanes, window: Slot) -> int | None:
    """When the acting seat's answer in this window was here (for the acting seat itself: when it sent it)."""
    acting = lanes.now.turn
    if acting is None:
        return None
    if acting == clock.seat:
        return clock.sent.get((deal.deal, window))
    return clock.arrivals.get((deal.deal, window, acting))


def measure(clock: Clock, deal: Deal, lanes: Lanes, window: Slot, snapper: int) -> Measure:
    """Our testimony on one snapper, in microseconds from our own zero."""
    closed = lanes.zero
    rtt = min(deal.charter.race.cap * 1000, clock.trip(snapper))
    arrival = clock.arrivals.get((deal.deal, window, snapper))
    zero = None if closed is None else zero_of(clock, deal.deal, closed)
    if closed is None or zero is None or arrival is None:
        return Measure(snapper, None, None, None, rtt, None)
    own = clock.sent.get((deal.deal, closed.slot)) if clock.seat in closed.said else None
    others = [clock.arrivals[deal.deal, closed.slot, s] for s in closed.said if s not in (clock.seat, snapper)]
    held = [*others, *([own] if own is not None else [])]
    given_up = _given_up(clock, deal, lanes, window)
    return Measure(
        snapper,
        arrival - zero,
        max(held) - zero if held else 0,
        None if own is None else own - zero,
        rtt,
        None if given_up is None else given_up - zero,
    )


def _given_up(clock: Clock, deal: Deal, lanes: Lanes, window: Slot) -> int | None:
    """Since when we were free to give up waiting for snaps. None: a stamp is lost, or the acting seat is silent yet."""
    if _coming(clock, deal, lanes) not in clock.shown:
        return None  # the window opened and closed before a restart
    exposed = exposed_until(clock, deal, lanes)
    if lanes.now.turn is None:
        return exposed
    answer = answered(clock, deal, lanes, window)
    return None if answer is None else max(exposed, answer)


def testimony(clock: Clock, deal: Deal, lanes: Lanes, window: Slot) -> Witness:
    """Our WITNESS on a window: a measure of every other snapper, and how late each share of the discard came."""
    measures = tuple(
        measure(clock, deal, lanes, window, attempt.seat) for attempt in lanes.queue if attempt.seat != clock.seat
    )
    rows = []
    closed = lanes.zero
    if has_lateness(deal, lanes) and closed is not None:
        arrivals = {seat: clock.arrivals.get((deal.deal, closed.slot, seat)) for seat in closed.said}
        arrivals[clock.seat] = clock.sent.get((deal.deal, closed.slot))  # ours is there when it leaves
        for seat in (seat for seat in deal.active if seat != clock.seat):
            rivals = [at for other, at in arrivals.items() if other != seat]
            came = arrivals.get(seat)
            late = 0
            if came is not None and all(at is not None for at in rivals):
                credit = min(clock.trip(seat), 2 * deal.charter.race.late * 1000)
                late = came - credit - max(at for at in rivals if at is not None)
            rows.append(Lateness(seat, late))
    return Witness(measures, tuple(rows))

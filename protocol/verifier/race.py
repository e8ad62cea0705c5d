"""Who was first: claims and testimony to an order (06-snap.md, section 5)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from verifier.encoding import Value
from verifier.forming import Race

KNOWN_FLOOR_MS = 400


@dataclass(frozen=True, slots=True)
class Window:
    """What a race is judged from, besides the testimony."""

    numbers: Race
    active: tuple[int, ...]
    # milliseconds and class shown, by snapper
    claims: Mapping[int, int]
    shown: Mapping[int, str]
    # whose floor is KNOWN_FLOOR_MS though it did not send the step before alone
    knew: frozenset[int]
    # who had to send in the step before, and whether that step opened the discard
    before: tuple[int, ...]
    opened: bool
    turn: int | None
    lot: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of a WITNESS, microseconds; None where a stamp is lost."""

    arrival: int | None
    full: int | None
    sent: int | None
    rtt: int
    given_up: int | None


@dataclass(frozen=True, slots=True)
class Testimony:
    """A WITNESS by seat testified on."""

    measures: Mapping[int, Measure]
    lateness: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Order:
    """Which SNAPs are served, first to last; which do not count; whether two seats dispute."""

    served: tuple[int, ...]
    uncounted: tuple[int, ...] = ()
    disputed: bool = False


def read_testimony(body: list[Value]) -> Testimony:
    rows = cast(list[tuple[int, int | None, int | None, int | None, int, int | None]], body[0])
    return Testimony(
        {row[0]: Measure(row[1], row[2], row[3], row[4], row[5]) for row in rows},
        dict(cast(list[tuple[int, int]], body[1])),
    )


def floor_ms(window: Window, seat: int) -> int:
    alone = window.before == (seat,)
    return KNOWN_FLOOR_MS if alone or seat in window.knew else window.numbers.floor


def measured(window: Window, snapper: int, witness: int, stamps: Measure) -> int:
    """m_ij in microseconds: how long the snapper took, as this witness measured it."""
    if stamps.arrival is None:
        return 0
    if window.before == (snapper,):
        return stamps.arrival
    had_to_send = witness in window.before
    if stamps.full is None or (stamps.sent is None and had_to_send):
        return 0
    half = stamps.rtt // 2
    if not had_to_send or stamps.sent is None:
        return stamps.arrival - half - stamps.full
    return stamps.arrival - half - max(stamps.full, stamps.sent + half)


def overdue(window: Window, snapper: int, stamps: Measure) -> int:
    """t_ij in microseconds: how long after the witness could give up the SNAP was sent."""
    if stamps.arrival is None or stamps.given_up is None or snapper == window.turn:
        return 0
    return stamps.arrival - stamps.rtt // 2 - stamps.given_up


def judge(window: Window, testimony: Mapping[int, Testimony]) -> Order:
    """The order in which the SNAPs of a window are served."""
    if len(window.active) == 2:
        return _judge_two(window, testimony)
    most = (len(window.active) - 1) // 2
    late_us = 1000 * window.numbers.late
    scores: dict[int, int] = {}
    for i in window.claims:
        witnesses = [j for j in window.active if j != i]
        stamps = {j: testimony[j].measures[i] for j in witnesses}
        too_late = sum(overdue(window, i, stamps[j]) > late_us for j in witnesses) > most
        held_back = window.opened and sum(testimony[j].lateness[i] > late_us for j in witnesses) > most
        if too_late or held_back:
            continue
        by_others = sorted((measured(window, i, j, stamps[j]) for j in witnesses), reverse=True)[most]
        least = 1000 * floor_ms(window, i)
        scores[i] = max(least, 1000 * window.claims[i], by_others - 1000 * window.numbers.slack) // 1000
    served = sorted(scores, key=lambda i: (window.shown[i] == "other", scores[i], window.lot(i)))
    return Order(tuple(served), tuple(sorted(set(window.claims) - set(scores))))


def _judge_two(window: Window, testimony: Mapping[int, Testimony]) -> Order:
    if len(window.claims) == 1:
        return Order(tuple(window.claims))
    first_by: list[int] = []
    for j in window.active:
        (i,) = (each for each in window.active if each != j)
        own = max(floor_ms(window, j), window.claims[j])
        rival = max(1000 * floor_ms(window, i), measured(window, i, j, testimony[j].measures[i])) // 1000
        first_by.append(min((own, window.lot(j), j), (rival, window.lot(i), i))[2])
    if first_by[0] != first_by[1]:
        return Order(window.active, disputed=True)
    served = sorted(window.active, key=lambda i: (window.shown[i] == "other", i != first_by[0]))
    return Order(tuple(served))

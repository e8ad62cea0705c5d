"""Who was first: a race judged from signed claims and signed testimony, by everybody alike.

Nobody's clock is trusted and no clock is synchronised: only durations are used, and a snapper's claim counts for less
than what f + 1 of the other seats measured (f = half of the others, rounded down), so neither the snapper nor a liar
among the witnesses decides alone. Numbers are milliseconds unless a name ends in `_us` (microseconds).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2pkaboo.replica.charter import RaceNumbers
from p2pkaboo.wire.bodies import Measure, Witness
from p2pkaboo.wire.tags import RACE, TIE, tagged_hash

COUNTED = "counts"
TOO_LATE = "it came after the others had given up waiting"
HELD_BACK = "its share of the card came late"


@dataclass(frozen=True, slots=True)
class RaceFacts:
    """What all replicas know of a window before anybody testifies.

    `seats`: the active seats; `acting`: the seat at turn, if any; `senders`: who had to send the step before the
    window; `reveal`: whether that step opened the discard; `floors`: least score of each snapper; `q`: see `race_q`.
    """

    numbers: RaceNumbers
    seats: tuple[int, ...]
    acting: int | None
    senders: tuple[int, ...]
    reveal: bool
    floors: Mapping[int, int]
    q: bytes
    window: int


@dataclass(frozen=True, slots=True)
class Runner:
    """One snapper's line of the result: its claim, what the witnesses make of it, its score, why it does not count."""

    seat: int
    claim: int
    measured_us: int | None
    floor: int
    score: int
    counts: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """`order`: the seats whose SNAPs count, best first; `disputed`: two seats see it differently."""

    order: tuple[int, ...]
    runners: tuple[Runner, ...]
    disputed: bool


def race_q(deal: int, handle: tuple[int, int], window: int, shares: Sequence[bytes]) -> bytes:
    """Q: hash of the race's name and of the share elements that revealed the card: unknowable before it was read."""
    name = b"".join(n.to_bytes(4, "big") for n in (deal, *handle, window))
    return tagged_hash(RACE, name, *shares)


def measured_us(measure: Measure, witness: int, facts: RaceFacts) -> int:
    """m_ij: the reaction time of the snapper as this witness saw it; 0 if it needs a stamp that was lost."""
    if measure.arrival is None:
        return 0
    if facts.senders == (measure.seat,):
        return measure.arrival  # the witness's own zero is the arrival of the snapper's message: the trips cancel
    if measure.full is None or (witness in facts.senders and measure.sent is None):
        return 0
    held = measure.full
    if measure.sent is not None and witness in facts.senders:
        held = max(held, measure.sent + measure.rtt // 2)
    return measure.arrival - measure.rtt // 2 - held


def late_us(measure: Measure, facts: RaceFacts) -> int:
    """t_ij: how long after the witness could have given up the snap was sent, as the witness saw it."""
    if measure.arrival is None or measure.given_up is None or measure.seat == facts.acting:
        return 0
    return measure.arrival - measure.rtt // 2 - measure.given_up


def judge(facts: RaceFacts, claims: Mapping[int, int], witnesses: Mapping[int, Witness]) -> Judgement:
    """The result with three or more active seats. `claims`: of every snapper; `witnesses`: of every active seat."""
    faults_allowed = (len(facts.seats) - 1) // 2
    runners: list[Runner] = []
    for seat, claim in sorted(claims.items()):
        seen: list[int] = []
        late = held_back = 0
        for witness, testimony in witnesses.items():
            if witness == seat:
                continue
            measure = next(row for row in testimony.measures if row.seat == seat)
            seen.append(measured_us(measure, witness, facts))
            late += late_us(measure, facts) > facts.numbers.late * 1000
            held_back += any(
                row.late > facts.numbers.late * 1000 for row in testimony.lateness if row.seat == seat and facts.reveal
            )
        measured = sorted(seen, reverse=True)[faults_allowed]
        floor = facts.floors[seat]
        score = max(floor * 1000, claim * 1000, measured - facts.numbers.slack * 1000) // 1000
        reason = COUNTED
        if held_back > faults_allowed:
            reason = HELD_BACK  # named first where both hold: it is a strike
        elif late > faults_allowed:
            reason = TOO_LATE
        runners.append(Runner(seat, claim, measured, floor, score, reason == COUNTED, reason))
    counting = [runner for runner in runners if runner.counts]
    order = tuple(runner.seat for runner in sorted(counting, key=lambda r: (r.score, _lot(facts, r.seat))))
    return Judgement(order, tuple(runners), False)


def judge_two(facts: RaceFacts, claims: Mapping[int, int], witnesses: Mapping[int, Witness]) -> Judgement:
    """The result with two active seats that both snapped: each seat's own view; if the views differ it is disputed."""
    views: list[int] = []
    runners: list[Runner] = []
    for seat in facts.seats:
        (rival,) = (other for other in facts.seats if other != seat)
        measure = next(row for row in witnesses[seat].measures if row.seat == rival)
        rival_us = measured_us(measure, seat, facts)
        own = max(facts.floors[seat], claims[seat])
        other = max(facts.floors[rival] * 1000, rival_us) // 1000
        views.append(min((own, _lot(facts, seat), seat), (other, _lot(facts, rival), rival))[2])
        runners.append(Runner(rival, claims[rival], rival_us, facts.floors[rival], other, True, COUNTED))
    if views[0] == views[1]:
        loser = next(seat for seat in facts.seats if seat != views[0])
        return Judgement((views[0], loser), tuple(runners), False)
    return Judgement(tuple(facts.seats), tuple(runners), True)


def _lot(facts: RaceFacts, seat: int) -> bytes:
    return tagged_hash(TIE, facts.q, facts.window.to_bytes(4, "big"), bytes([seat]))


def dispute_lot(seat: int, nonces: Sequence[bytes]) -> bytes:
    """The lot that orders two right cards in a dispute: hash of both nonces (lower seat first) and the seat."""
    return tagged_hash(TIE, *nonces, bytes([seat]))

"""Vectors of races: who was first, by claims and testimony."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from p2pkaboo.lab.tables.chance import seeded
from p2pkaboo.replica.charter import KNOWN_FLOOR_MS, RACES
from p2pkaboo.replica.race import RaceFacts, judge, judge_two, measured_us
from p2pkaboo.wire.bodies import Lateness, Measure, Witness
from vector_areas.form import Area, Vector, good

Q: Final = seeded("vectors/race")(64)
MS: Final = 1000

Row = tuple[int, int | None, int | None, int | None, int, int | None]
"""A Measure by its fields: snapper, arrival, full, sent, rtt, given up."""


def facts(
    seats: int,
    preset: str = "lan",
    *,
    acting: int | None = 0,
    senders: Sequence[int] | None = None,
    reveal: bool = True,
    floors: Mapping[int, int] | None = None,
) -> RaceFacts:
    """What all know of a window; by default everybody has sent the step that opened the card."""
    numbers = RACES[preset]
    least = dict.fromkeys(range(seats), numbers.floor) | dict(floors or {})
    said = tuple(range(seats)) if senders is None else tuple(senders)
    return RaceFacts(numbers, tuple(range(seats)), acting, said, reveal, least, Q, 1)


def witnesses(
    rows: Mapping[int, Sequence[Row]], late: Mapping[int, Mapping[int, int]] | None = None
) -> dict[int, Witness]:
    """Testimony by witness; `late`: lateness by witness and seat."""
    given = late or {}
    return {
        seat: Witness(
            tuple(Measure(*row) for row in measures),
            tuple(Lateness(other, us) for other, us in sorted(given.get(seat, {}).items())),
        )
        for seat, measures in rows.items()
    }


def whole(word: Witness, witness: int, given: RaceFacts) -> Witness:
    """The testimony with a lateness of 0 for every seat that none is told of, where lateness is due."""
    if not given.reveal or len(given.seats) == 2:
        return word
    told = {row.seat: row.late for row in word.lateness}
    others = (seat for seat in given.seats if seat != witness)
    return Witness(word.measures, tuple(Lateness(seat, told.get(seat, 0)) for seat in others))


def vector(
    name: str,
    about: str,
    given: RaceFacts,
    claims: Mapping[int, int],
    testimony: Mapping[int, Witness],
    shown: Mapping[int, str] | None = None,
) -> Vector:
    """A race, judged. `shown`: classes that the SNAPs show, where own cards go first."""
    testimony = {seat: whole(word, seat, given) for seat, word in testimony.items()}
    judgement = (judge_two if len(given.seats) == 2 else judge)(given, claims, testimony)
    classes = dict(shown or {})
    order = sorted(judgement.order, key=lambda seat: classes.get(seat) == "other")
    measured = {
        witness: {row.seat: measured_us(row, witness, given) for row in said.measures}
        for witness, said in sorted(testimony.items())
    }
    numbers = given.numbers
    return good(
        name,
        about,
        {
            "facts": {
                "numbers": {
                    "cap": numbers.cap,
                    "slack": numbers.slack,
                    "late": numbers.late,
                    "floor": numbers.floor,
                },
                "seats": given.seats,
                "acting": given.acting,
                "senders": given.senders,
                "reveal": given.reveal,
                "floors": given.floors,
                "q": given.q,
                "window": given.window,
            },
            "claims": claims,
            "shown": classes,
            "witnesses": {
                witness: {
                    "measures": [[m.seat, m.arrival, m.full, m.sent, m.rtt, m.given_up] for m in said.measures],
                    "lateness": [[row.seat, row.late] for row in said.lateness],
                }
                for witness, said in sorted(testimony.items())
            },
        },
        {
            "order": order,
            "scores": {runner.seat: runner.score for runner in judgement.runners},
            "counts": {runner.seat: runner.counts for runner in judgement.runners},
            "disputed": judgement.disputed,
        },
        {"measured": measured},
    )


def row(
    snapper: int,
    arrival: int | None,
    full: int | None = 0,
    sent: int | None = -1 * MS,
    rtt: int = 2 * MS,
    given_up: int | None = 2500 * MS,
) -> Row:
    """A Measure; unless told otherwise its m is the arrival less 1 ms."""
    return (snapper, arrival, full, sent, rtt, given_up)


def three(arrivals: Mapping[int, tuple[int, int]]) -> dict[int, list[Row]]:
    """Three seats that see every snapper at these arrivals, by its two witnesses, ascending."""
    rows: dict[int, list[Row]] = {0: [], 1: [], 2: []}
    for snapper, times in arrivals.items():
        others = [seat for seat in range(3) if seat != snapper]
        for witness, arrival in zip(others, times, strict=True):
            rows[witness].append(row(snapper, arrival))
    return rows


def one(first: Row, second: Row) -> dict[int, Witness]:
    """Three seats, of which seat 1 has snapped: what seats 0 and 2 measured."""
    return witnesses({0: [first], 1: [], 2: [second]})


BOTH: Final = three({1: (439 * MS, 440 * MS), 2: (462 * MS, 470 * MS)})
"""Two snaps, seat 1 about 25 ms before seat 2."""


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    plain, claims, said = facts(3), {1: 430, 2: 455}, witnesses(BOTH)
    yield vector("faster-first", "two snaps, claims a little below what others measured", plain, claims, said)
    about = "a claim above the measurements counts: nobody is slower than it says"
    yield vector("claims-above", about, plain, {1: 900, 2: 455}, said)
    yield vector("claim-nothing", "a claim of 0 does not help against two witnesses", plain, {1: 430, 2: 0}, said)
    known = facts(3, floors={1: KNOWN_FLOOR_MS})
    quick = witnesses(three({1: (201 * MS, 202 * MS), 2: (301 * MS, 302 * MS)}))
    yield vector("floor-known", "who knew the card scores 400 at least", known, {1: 180, 2: 290}, quick)
    early = witnesses(three({1: (90 * MS, 91 * MS), 2: (301 * MS, 302 * MS)}))
    yield vector("floor", "nobody scores below the least score", plain, {1: 60, 2: 290}, early)
    tied = witnesses(three({1: (121 * MS, 122 * MS), 2: (101 * MS, 102 * MS)}))
    yield vector("tie", "two at the least score: the lower lot is first", plain, {1: 100, 2: 90}, tied)
    odd = one(row(1, 440_007, -3, -900, 7_001), row(1, 440_999, 12, 3_000, 1))
    about = "half of an odd round trip is rounded down; `sent` counts where it is later"
    yield vector("halves", about, plain, {1: 300}, odd)
    negative = one(row(1, -7, 10, -900, 3), row(1, -1_001, 0, -5, 5))
    yield vector("negative", "snapped before the card was there: measured below 0", plain, {1: 0}, negative)
    yield vector("own-first", "own cards go first where they are shown", plain, claims, said, {1: "other", 2: "own"})
    yield from lost()
    yield from late()
    yield from held_back()
    yield from larger()
    yield from two()


def lost() -> Iterator[Vector]:
    """Stamps that are not there, and steps that not everybody had to send."""
    plain = facts(3)
    for name, about, found in (
        ("arrival-lost", "without the arrival a witness measures 0", row(1, None)),
        ("full-lost", "without `full` a witness measures 0", row(1, 441 * MS, full=None)),
        ("sent-lost", "without `sent`, though it had to send, a witness measures 0", row(1, 441 * MS, sent=None)),
    ):
        yield vector(name, about, plain, {1: 300}, one(found, row(1, 440 * MS)))
    alone = facts(3, senders=(1,), reveal=False, floors={1: KNOWN_FLOOR_MS})
    said = one(row(1, 520 * MS, sent=None), row(1, 530 * MS, sent=None))
    yield vector("sole-sender", "the snapper alone sent the step before: the trips cancel", alone, {1: 500}, said)
    others = facts(3, senders=(1, 2), reveal=False)
    said = one(row(1, 441 * MS, 4 * MS, None, 3 * MS), row(1, 440 * MS, 0, 5 * MS))
    about = "witness 0 had nothing to send: its `sent` is missed by nobody"
    yield vector("nothing-to-send", about, others, {1: 300}, said)


def late() -> Iterator[Vector]:
    """What comes too late does not count; at the limit it does."""
    plain, limit = facts(3), 1000 * RACES["lan"].late
    at_limit = 2500 * MS + limit + 1 * MS
    for name, about, first, second in (
        ("late-at-limit", "sent exactly `late` after both could have given up: it counts", 0, 0),
        ("too-late", "a microsecond later by both witnesses: it does not count", 1, 1),
        ("late-by-one", "a microsecond later by one witness: it counts", 0, 1),
    ):
        said = one(row(1, at_limit + first), row(1, at_limit + second))
        yield vector(name, about, plain, {1: 2400}, said)
    said = one(row(1, 2600 * MS), row(1, 2600 * MS))
    about = "the seat at turn is waited for: it is never too late"
    yield vector("acting-is-not-late", about, facts(3, acting=1), {1: 2400}, said)
    said = one(row(1, 2600 * MS, given_up=None), row(1, 2600 * MS, given_up=None))
    yield vector("given-up-lost", "without the stamp nobody can say that it was late", plain, {1: 2400}, said)


def held_back() -> Iterator[Vector]:
    """Who holds its share of the card back does not count."""
    plain, limit = facts(3), 1000 * RACES["lan"].late
    snap = {0: [row(1, 441 * MS)], 1: [], 2: [row(1, 440 * MS)]}

    def seen_late(first: int, second: int) -> dict[int, dict[int, int]]:
        """How late seat 1's share was, by seats 0 and 2."""
        return {0: {1: first, 2: 0}, 1: {0: 0, 2: 0}, 2: {0: 0, 1: second}}

    for name, about, first, second in (
        ("held-back-at-limit", "its share came exactly `late` after the others': it counts", limit, limit),
        ("held-back", "a microsecond later by both witnesses: it does not count", limit + 1, limit + 1),
        ("held-back-by-one", "a microsecond later by one witness: it counts", limit + 1, 0),
    ):
        yield vector(name, about, plain, {1: 430}, witnesses(snap, seen_late(first, second)))
    about = "the faster one held its share back: the other is first"
    said = witnesses(BOTH, seen_late(limit + 1, limit + 1))
    yield vector("held-back-loses", about, plain, {1: 430, 2: 455}, said)


def larger() -> Iterator[Vector]:
    """More seats, more liars; and the numbers of a wide-area table."""
    said = witnesses({0: [row(1, 440 * MS)], 1: [], 2: [row(1, 442 * MS)], 3: [row(1, 9_000 * MS)]})
    about = "four seats: the second largest of three counts, and not a liar's"
    yield vector("four-one-liar-up", about, facts(4), {1: 300}, said)
    times = {0: 500, 2: 450, 3: 400, 4: 350}
    said = witnesses({1: [], **{witness: [row(1, time * MS)] for witness, time in times.items()}})
    yield vector("five-third-largest", "five seats: the third largest of four", facts(5), {1: 160}, said)
    said = one(row(1, 521_999, 2 * MS, -40 * MS, 61 * MS), row(1, 540_999, 0, 30 * MS, 100 * MS))
    yield vector("wan-slack", "5 ms of slack; what is below a ms is cut off", facts(3, "wan"), {1: 300}, said)


def two() -> Iterator[Vector]:
    """Two seats: each has a view."""
    plain = facts(2)

    def told(first: int, second: int) -> dict[int, Witness]:
        """What seat 0 measured of seat 1's snap, and seat 1 of seat 0's, milliseconds."""
        return witnesses({0: [row(1, (first + 1) * MS)], 1: [row(0, (second + 1) * MS)]})

    yield vector("two-agree", "both see seat 1 first", plain, {0: 500, 1: 400}, told(410, 505))
    yield vector("two-dispute", "each sees itself first", plain, {0: 400, 1: 400}, told(450, 450))
    yield vector("two-yield", "each sees the other first: disputed as well", plain, {0: 500, 1: 500}, told(450, 450))
    yield vector("two-tie", "equal in both views: the lower lot is first", plain, {0: 400, 1: 400}, told(400, 400))
    known = facts(2, floors={1: KNOWN_FLOOR_MS})
    about = "the floor of the one who knew the card holds in both views"
    yield vector("two-floor", about, known, {0: 380, 1: 200}, told(210, 385))


def area() -> Area:
    """The file of vectors."""
    return Area(
        "race",
        "06-snap.md#5-judgement",
        "Races by their facts (`floors`: least score by seat; `senders`: of the step before; `reveal`: whether it "
        "opened the card), claims in ms, classes shown, and testimony by witness: Measures as [seat, arrival, full, "
        "sent, rtt, given up], Lateness as [seat, late], microseconds. `measured`: m by witness and snapper. With two "
        "seats a score is that of a seat as its rival sees it. `order`: of serving; where disputed, ascending.",
        tuple(vectors()),
    )

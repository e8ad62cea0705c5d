"""A window from its opening to what comes of its snaps: floors, order, chain, attempts, disputes, refusals."""

from collections.abc import Callable

import msgspec
import pytest

from p2pkaboo.replica.charter import KNOWN_FLOOR_MS
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.meaning import snap_commitment
from p2pkaboo.replica.questions import answer
from p2pkaboo.replica.race import HELD_BACK, TOO_LATE
from p2pkaboo.replica.window import MOVED, RIGHT, TURNED_BACK, WRONG
from p2pkaboo.rules.engine import snappable
from p2pkaboo.rules.moves import Draw, Exchange
from p2pkaboo.rules.state import Handle, cards_of
from p2pkaboo.wire.bodies import Gift, Reveal, Witness
from tests.unit.replica.racing import MS, OPENED, Racers, bytes_from, kabbu, mixed, prepared, with_both

ALL: dict[str, object] = {"snap.limit": "all"}


def slow_rivals(witness: Witness) -> Witness:
    """A witness that says that all its rivals were half an hour slower than they were."""
    rows = tuple(msgspec.structs.replace(row, arrival=(row.arrival or 0) + 1_800_000 * MS) for row in witness.measures)
    return Witness(rows, witness.lateness)


# -------------------------------------------------------------------- floors


def test_nobodys_floor_is_raised_for_a_card_that_nobody_has_viewed() -> None:
    racers = Racers(prepared(4))
    racers.open()
    assert racers.lanes.facts is not None
    assert racers.lanes.facts.floors == dict.fromkeys(range(4), 150)
    assert racers.lanes.facts.reveal


def test_who_has_privately_viewed_the_card_has_a_raised_floor() -> None:
    racers = Racers(prepared(3, "lan", mixed(**{"peek.count": 1})))
    racers.open()
    acting = racers.table.acting
    assert racers.lanes.facts is not None
    assert racers.lanes.facts.floors == {seat: KNOWN_FLOOR_MS if seat == acting else 150 for seat in range(3)}


def play_turn(racers: Racers, place: int) -> None:
    """The seat at turn draws, and puts the drawn card in place of its own at this place; all share that one then."""
    acting = racers.lanes.now.turn
    assert acting is not None
    desk = racers.desks[acting]
    target = cards_of(racers.lanes.now, acting)[place]
    late = racers.now + 100_000 * MS
    for _ in range(60):
        for seat in racers.seats:
            question = racers.desks[seat].question
            if question is not None and seat == acting:
                move = next((m for m in question.moves if isinstance(m, Draw)), Exchange(seat, (target,)))
                answer(desk, question.number, move)
            for duty in racers.duties(seat, late)[0]:
                racers.now = late
                racers.carry_out(seat, duty)
        if racers.deal.lanes is not None and (drawn := joined_state(racers.deal).drawn) is not None:
            desk.known[drawn.handle] = racers.face(drawn.handle)
        opened = [closed for closed in racers.deal.history if closed.kind == "OPEN" and target in closed.handles]
        if opened and racers.deal.lanes is not None and racers.lanes.now.pile[-1] == target:
            return
    raise AssertionError("the card did not come to the pile")


def test_a_card_that_has_been_shown_to_all_raises_nobodys_floor() -> None:
    racers = with_both(3, rules=mixed(**{"peek.count": 3}))
    viewer = racers.lanes.now.turn
    assert viewer is not None
    facts = racers.lanes.facts
    assert facts is not None
    assert KNOWN_FLOOR_MS in facts.floors.values()
    mine = cards_of(racers.lanes.now, viewer)
    shown = mine.index(racers.wrong(viewer)[0])
    racers.race({viewer: (mine[shown], 500)})
    racers.settle()
    assert racers.record.outcomes == {viewer: WRONG}
    play_turn(racers, shown)
    assert racers.lanes.now.pile[-1] == mine[shown]
    assert racers.lanes.facts is not None
    assert racers.lanes.facts.floors == dict.fromkeys(range(3), 150)
    # A card of the same hand that nobody else has seen is another matter.
    racers = with_both(3, rules=mixed(**{"peek.count": 3}))
    play_turn(racers, 0)
    assert racers.lanes.facts is not None
    assert racers.lanes.facts.floors[viewer] == KNOWN_FLOOR_MS


def test_who_alone_sent_the_step_before_chose_the_zero_and_has_a_raised_floor() -> None:
    """A snap that leaves together with the step that opens its window does not lead by a trip."""
    racers = with_both(3, rules=mixed(**ALL))
    giver, rival, third = racers.seats
    target = racers.right(rival)[0]
    racers.race({giver: (target, 300)})
    racers.settle()
    assert racers.step.kind == "GIFT"
    racers.due(giver, racers.now)
    question = racers.desks[giver].question
    assert question is not None
    assert answer(racers.desks[giver], question.number, question.moves[0])
    (gift,), _ = racers.duties(giver, racers.now)
    racers.ways = {(giver, rival): 30 * MS, (giver, third): 30 * MS}
    racers.carry_out(giver, gift)
    assert racers.step.kind == "WINDOW"
    facts = racers.lanes.facts
    assert facts is not None
    assert (facts.senders, facts.reveal) == ((giver,), False)
    assert facts.floors == {seat: KNOWN_FLOOR_MS if seat == giver else 150 for seat in racers.seats}
    # Its snap leaves with the gift and comes with it: everybody measures nothing, whatever the links.
    sent = racers.now
    racers.snap(giver, racers.right(third)[0], 0, sent)
    racers.ways = {}
    racers.snap(rival, racers.right(third)[0], 370, sent + 400 * MS)
    racers.none(third, at=sent + 3_000 * MS)
    racers.witness()
    by_seat = {runner.seat: runner for runner in racers.record.judgement.runners}
    assert by_seat[giver].measured_us == 0
    assert by_seat[giver].score == KNOWN_FLOOR_MS
    assert by_seat[rival].score == 370
    assert racers.record.judgement.order == (rival, giver)


# -------------------------------------------------------------------- order and service


def test_the_next_fastest_is_tried_when_the_first_is_wrong_and_losers_show_nothing() -> None:
    racers = with_both(4)
    a, b, c, _ = racers.seats
    racers.race({a: (racers.wrong(a)[0], 200), b: (racers.right(b)[0], 250), c: (racers.right(c)[0], 300)})
    assert racers.record.judgement.order == (a, b, c)
    racers.settle()
    assert racers.record.outcomes == {a: WRONG, b: RIGHT, c: TURNED_BACK}
    assert [set(closed.said) for closed in racers.deal.history if closed.kind == "REVEAL"] == [{a}, {b}]


def test_under_all_everybody_is_served_in_order_and_the_snapped_card_has_windows_of_its_own() -> None:
    racers = with_both(4, rules=mixed(**ALL))
    a, b, c, _ = racers.seats
    before = racers.lanes.now.pile[-1]
    first, second = racers.right(a)[0], racers.right(b)[0]
    racers.race({c: (first, 400), b: (second, 300), a: (first, 200)})
    racers.settle()
    assert racers.record.outcomes == {a: RIGHT, b: RIGHT, c: MOVED}  # c wanted what a had taken: nobody pays
    assert racers.lanes.now.pile[-3:] == (before, first, second)
    assert racers.lanes.now.penalties == (0, 0, 0, 0)
    assert racers.step.kind == "WINDOW"
    assert racers.deal.windows == {before: 1, second: 1}


def test_two_attempts_a_seat_and_card() -> None:
    racers = with_both(4)
    seat = racers.seats[1]
    for attempt in range(2):
        racers.race({seat: (racers.wrong(seat)[0], 300 + attempt)})
        racers.settle()
        assert racers.record.outcomes == {seat: WRONG}
        assert racers.step.kind == "WINDOW"
    assert racers.targets(seat) == ()
    assert racers.targets(racers.seats[2]) != ()
    racers.snap(seat, cards_of(racers.lanes.now, seat)[0], 300)
    assert racers.faulty() == (seat, "illegal-move")


def test_a_snap_that_did_not_count_is_an_attempt_and_the_next_window_follows() -> None:
    """A junk snap that will not count takes the card's exposure from nobody."""
    racers = Racers(prepared(4), {})
    late = {3: OPENED + 100 * MS}  # its share: 30 ms is the limit
    racers.open(late)
    racers.race({3: (racers.right(3)[0], 300)})
    assert racers.record.outcomes == {3: HELD_BACK}
    assert racers.lanes.now.snap.attempts[3] == 1
    assert racers.step.kind == "WINDOW"
    assert racers.step.slot.index == 2
    racers.race({0: (racers.right(0)[0], 300)})
    assert racers.record.judgement.order == (0,)


def test_a_held_back_share_without_a_snap_is_nobodys_loss() -> None:
    racers = Racers(prepared(4))
    racers.open({3: OPENED + 100 * MS})
    racers.race({0: (racers.right(0)[0], 300), 1: (racers.right(1)[0], 310)})
    assert racers.record.judgement.order == (0, 1)


def test_a_seat_that_waits_until_the_others_gave_up_does_not_snap_alone() -> None:
    """The seat holds its NONE back and snaps when nobody can answer any more."""
    given_up = OPENED + 4_000 * MS
    for after, counts in ((30 * MS, True), (30 * MS + 1, False)):
        racers = Racers(prepared(4))
        racers.open()
        acting = racers.lanes.now.turn
        assert acting is not None
        waiter, *others = (seat for seat in racers.seats if seat != acting)
        racers.none(acting, *others, at=given_up)
        racers.snap(waiter, racers.right(waiter)[0], 3_900, given_up + after)
        racers.witness()
        assert racers.record.judgement.order == ((waiter,) if counts else ())
        if not counts:
            assert racers.record.outcomes == {waiter: TOO_LATE}
            assert racers.step.kind == "WINDOW"  # everybody has another chance


def test_only_a_window_in_which_everybody_said_none_ends_the_lane() -> None:
    racers = Racers(prepared(4))
    racers.open()
    assert snappable(racers.lanes.now)
    racers.race({})
    assert racers.lanes.closed


# -------------------------------------------------------------------- own cards first


def test_own_cards_go_before_others_whatever_the_times() -> None:
    racers = with_both(3, rules=kabbu())
    a, b, c = racers.seats
    racers.race({a: (racers.right(b)[0], 200), b: (racers.right(b)[-1], 450), c: (racers.right(c)[0], 400)})
    assert racers.record.judgement.order == (a, c, b)  # by time
    racers.serve("REVEAL", "OPEN")
    served = [set(closed.said) for closed in racers.deal.history if closed.kind == "REVEAL"]
    assert served == [{c}, {b}, {a}]  # own in order of time, then the other


def test_a_snap_shows_its_class_where_own_goes_first_and_only_there() -> None:
    racers = with_both(3, rules=kabbu())
    racers.snap(0, racers.right(0)[0], 300, shown_class="")
    assert racers.faulty() == (0, "illegal-move")
    racers = with_both(3)
    racers.snap(0, racers.right(0)[0], 300, shown_class="own")
    assert racers.faulty() == (0, "illegal-move")


# -------------------------------------------------------------------- two seats


def disputed(choose: Callable[[Racers, int], Handle], salt: int = 0, limit: str = "first") -> Racers:
    """Both seats snap; seat 1 says that it was first, seat 0 really was. `salt`: for other nonces."""
    racers = with_both(2, rules=mixed(**{"snap.limit": limit}))
    racers.rng = bytes_from(f"racers{salt}")
    racers.race({0: (choose(racers, 0), 300), 1: (choose(racers, 1), 400)}, {1: slow_rivals})
    assert racers.record.judgement.disputed
    assert (racers.step.kind, racers.step.required) == ("REVEAL", (0, 1))
    racers.settle()
    return racers


def test_a_veto_with_a_wrong_card_costs_its_seat_and_stops_nothing() -> None:
    racers = disputed(lambda racers, seat: racers.right(seat)[0] if seat == 0 else racers.wrong(seat)[0])
    assert racers.record.outcomes == {1: WRONG, 0: RIGHT}
    assert racers.deal.moves[-2].move.seat == 1  # the wrong one pays first
    opens = [closed.handles for closed in racers.deal.history if closed.kind == "OPEN"]
    assert len(opens[-1]) == 2  # both cards in one step


def test_of_two_right_cards_the_lot_of_both_nonces_decides_and_the_other_costs_nothing() -> None:
    winners = set()
    for salt in range(8):
        racers = disputed(lambda racers, seat: racers.right(seat)[0], salt)
        outcomes = racers.record.outcomes
        assert sorted(outcomes.values()) == sorted((RIGHT, TURNED_BACK))
        assert racers.lanes.now.penalties == (0, 0)
        # Everybody has seen the card that was turned back: its face is public like that of a wrong one.
        opened = next(closed.handles for closed in reversed(racers.deal.history) if closed.why == "dispute")
        assert set(opened) <= set(racers.lanes.now.faces)
        winners.add(next(seat for seat, outcome in outcomes.items() if outcome == RIGHT))
    assert winners == {0, 1}


def test_two_wrong_ones_both_pay_the_lower_seat_first() -> None:
    racers = disputed(lambda racers, seat: racers.wrong(seat)[0])
    assert racers.record.outcomes == {0: WRONG, 1: WRONG}
    assert [made.move.seat for made in racers.deal.moves[-2:]] == [0, 1]
    assert racers.step.kind == "WINDOW"


def test_both_may_mean_the_same_card_which_is_opened_once() -> None:
    racers = disputed(lambda racers, seat: racers.right(0)[0], limit="all")
    if racers.step.kind == "GIFT":  # the lot was seat 1's, and the card another's
        racers.say(1, "GIFT", Gift(None))
    opens = [closed.handles for closed in racers.deal.history if closed.kind == "OPEN" and closed.why == "dispute"]
    assert [len(handles) for handles in opens] == [1]
    assert sorted(racers.record.outcomes.values()) == sorted((RIGHT, MOVED))


def test_one_snap_between_two_seats_needs_no_testimony() -> None:
    racers = with_both(2)
    racers.race({0: (racers.right(0)[0], 300)})
    assert racers.step.kind == "REVEAL"
    assert [(r.seat, r.score) for r in racers.record.judgement.runners] == [(0, 300)]


# -------------------------------------------------------------------- what is refused


def test_a_second_answer_in_one_window_is_two_signatures_against_its_seat() -> None:
    racers = with_both(3)
    snap = racers.snap(0, racers.right(0)[0], 300)
    racers.none(0, answers=snap.envelope.hash)
    assert racers.faulty() == (0, "equivocation")
    fault = racers.deal.fault
    assert fault is not None
    assert len(fault.evidence) == 2


def test_a_snap_of_another_race_is_refused() -> None:
    racers = with_both(3)
    racers.snap(0, racers.right(0)[0], 300, q=b"q" * 64)
    assert racers.faulty() == (0, "illegal-move")


@pytest.mark.parametrize("what", ["target_class", "handle", "nonce"])
def test_a_reveal_that_does_not_open_its_snap_is_refused(what: str) -> None:
    racers = with_both(3)
    racers.race({0: (racers.right(0)[0], 300)})
    snap = next(c for c in reversed(racers.deal.history) if c.kind == "WINDOW").said[0].body
    honest = racers.owns[0].snaps[snap.commitment]  # type: ignore[attr-defined]
    lies = {"target_class": "other", "handle": racers.wrong(0)[0], "nonce": bytes(32)}
    racers.say(0, "REVEAL", msgspec.structs.replace(honest, **{what: lies[what]}))
    assert racers.faulty() == (0, "illegal-move")


def test_a_snap_that_commits_to_another_class_than_its_targets_is_refused_when_it_is_revealed() -> None:
    racers = with_both(3)
    lie = Reveal("other", racers.right(0)[0], bytes(32))
    racers.snap(0, lie.handle, 300, commitment=snap_commitment(racers.deal, racers.lanes, 0, lie))
    racers.none(1, 2, at=OPENED + 3_000 * MS)
    racers.witness()
    racers.say(0, "REVEAL", lie)
    assert racers.faulty() == (0, "illegal-move")
    fault = racers.deal.fault
    assert fault is not None
    assert "class" in fault.reason


def test_who_shows_own_to_go_first_cannot_reveal_anothers_card() -> None:
    racers = with_both(3, rules=kabbu())
    racers.snap(0, racers.right(1)[0], 300, shown_class="own")
    racers.none(1, 2, at=OPENED + 3_000 * MS)
    racers.witness()
    racers.say(0, "REVEAL", next(iter(racers.owns[0].snaps.values())))
    assert racers.faulty() == (0, "illegal-move")
    fault = racers.deal.fault
    assert fault is not None
    assert "class" in fault.reason


def test_own_cards_are_not_snapped_once_another_s_has_been_tried() -> None:
    racers = with_both(3, rules=kabbu())
    racers.race({1: (racers.wrong(0)[0], 300)})
    racers.settle()
    assert racers.record.outcomes == {1: WRONG}
    racers.snap(0, racers.right(1)[0], 300, shown_class="own")
    assert racers.faulty() == (0, "illegal-move")


def test_a_snap_of_a_card_that_could_not_be_snapped_is_refused_when_it_is_revealed() -> None:
    racers = with_both(3)
    stock = racers.lanes.now.stock[0]
    racers.race({0: (stock, 300)})
    honest = next(iter(racers.owns[0].snaps.values()))
    assert isinstance(honest, Reveal)
    racers.say(0, "REVEAL", honest)
    assert racers.faulty() == (0, "illegal-move")


def test_testimony_is_about_every_other_snapper_and_every_other_share() -> None:
    for forge in (
        lambda w: Witness((), w.lateness),
        lambda w: Witness(w.measures, ()),
        lambda w: Witness(w.measures[::-1], w.lateness),
    ):
        racers = with_both(4)
        racers.snap(0, racers.right(0)[0], 300, OPENED + 300 * MS)
        racers.snap(1, racers.right(1)[0], 310, OPENED + 310 * MS)
        racers.none(2, 3, at=OPENED + 3_000 * MS)
        racers.witness({3: forge})
        assert racers.faulty() == (3, "illegal-move")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_there_is_no_lateness_with_two_seats(seats: int) -> None:
    """06-snap.md: where the step before opened the discard and there are three seats or more, of every other seat."""
    told: dict[int, tuple[int, ...]] = {}

    def note(seat: int) -> Callable[[Witness], Witness]:
        def noted(witness: Witness) -> Witness:
            told[seat] = tuple(row.seat for row in witness.lateness)
            return witness

        return noted

    racers = with_both(seats)
    for seat in (0, 1):
        racers.snap(seat, racers.right(seat)[0], 300 + seat, OPENED + (300 + seat) * MS)
    if seats > 2:
        racers.none(*range(2, seats), at=OPENED + 3_000 * MS)
    racers.witness({seat: note(seat) for seat in range(seats)})
    everybody = set(range(seats))
    assert told == {seat: tuple(sorted(everybody - {seat})) if seats > 2 else () for seat in everybody}

"""Typical situations, message by message: which steps wait for whom, in which order, and what comes of them."""

import pytest

from p2pkaboo.crypto.identity import Identity
from p2pkaboo.lab.tables.formed import SECRET, form_table
from p2pkaboo.replica import clock
from p2pkaboo.replica.duties import due, taken_up
from p2pkaboo.replica.forming import Forming, receive_forming
from p2pkaboo.replica.heads import join_head
from p2pkaboo.replica.outputs import Verify
from p2pkaboo.replica.questions import answer
from p2pkaboo.replica.snapping import press
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.rules.engine import snap_targets
from p2pkaboo.rules.moves import (
    Call,
    Discard,
    Draw,
    Exchange,
    Give,
    Move,
    Pass,
    Peek,
    PeekInitial,
    Skip,
    Spy,
    Swap,
    Take,
)
from p2pkaboo.rules.ruleset import load_preset
from p2pkaboo.wire.bodies import Action, Result
from p2pkaboo.wire.envelope import decode_envelope
from p2pkaboo.wire.slot import Slot
from tests.support.playbook import Playbook, lines_of, rules_with, seat_of
from tests.support.tables import make_identities

A, B, C = range(3)


def played(book: Playbook) -> Playbook:
    """From the first message to the end of the first look."""
    for kind in ("KEYS", "SHUFFLE", "READY", "OPEN", "VIEW", "SERVE", "SEEN"):
        while any(f" {kind} " in line for line in book.open()):
            if kind == "VIEW":
                first_look(book)
            else:
                book.all(kind)
    return book


def first_look(book: Playbook) -> None:
    for letter in "ABC"[: book.seats]:
        looks = tuple(book.at(letter, place) for place in range(book.rules.peek_count))
        book.say(letter, "VIEW", move=PeekInitial(seat_of(letter), looks))


def at_turn(book: Playbook) -> int | None:
    return book.state.turn


def act(book: Playbook, letter: str, move: Move) -> None:
    book.say(letter, "ACTION", move=move)


def draw(book: Playbook, letter: str) -> None:
    """The draw lane from end to end."""
    book.say(letter, "DRAW")
    book.all("SERVE")


def nobody_snaps(book: Playbook) -> None:
    for line in book.open():
        if " WINDOW " in line:
            for letter in line.split()[-1]:
                book.say(letter, "NONE")


def draw_and_discard(book: Playbook, letter: str) -> None:
    """A whole turn in which nothing happens."""
    draw(book, letter)
    nobody_snaps(book)
    act(book, letter, Discard(seat_of(letter)))
    book.all("OPEN")


SIXTEEN = "2C 3C 4C 5C 6C 8C 2D 3D 4D 5D 6D 8D 7S 9H 7D TS JS QS KS KH KD"
THREE_HANDS = {"A": "2C 3C 4C 5C", "B": "6C 8C 2D 3D", "C": "4D 5D 6D 8D"}


def sheffield(
    dealer: str = "A",
    hands: dict[str, str] | None = None,
    rest: str = "7S TS",
    *,
    cards: str = SIXTEEN,
    seats: int = 3,
    round_no: int = 1,
    **keys: object,
) -> Playbook:
    rules = rules_with("sheffield", cards, seats, **keys)
    return Playbook(rules, seats, dealer=dealer, hands=hands or THREE_HANDS, rest=rest, round_no=round_no)


# -------------------------------------------------------------------- 0. Forming the table


def test_0_forming_is_four_steps_and_charter_seats_and_dealer_follow() -> None:
    rules = load_preset("sheffield")
    identities: list[Identity] = make_identities(3, "walk")
    messages, charter, seated = form_table(rules, identities, "walk")
    forming = Forming(SECRET, identities[0].public.encoded)
    envelopes = [decode_envelope(data) for data in messages]
    assert [f"{e.slot} {e.kind} {e.seat}" for e in envelopes] == [
        "f1 OFFER 0",
        "f2 NONCE 0",
        "f2 NONCE 1",
        "f2 NONCE 2",
        "f3 CHARTER 0",
        "f3 CHARTER 1",
        "f3 CHARTER 2",
    ]
    for envelope in envelopes:  # whoever hears them, in this order, agrees: the OFFER holds the JOINs
        assert not forming.agreed
        assert receive_forming(forming, envelope)
    assert forming.agreed
    assert forming.charter == charter
    assert [identity.public.encoded for identity in seated] == list(charter.keys)
    assert sorted(charter.keys) == sorted(identity.public.encoded for identity in identities)
    assert charter.first_dealer in range(3)


# -------------------------------------------------------------------- 1. The deal


def test_1_the_deal_of_a_later_round() -> None:
    book = sheffield(round_no=2)
    assert book.open() == ["m1 KEYS ABC"]
    book.all("KEYS")
    for line, letter in (("m2 SHUFFLE A", "A"), ("m3 SHUFFLE B", "B"), ("m4 SHUFFLE C", "C")):
        assert book.open() == [line]
        book.say(letter, "SHUFFLE")
    assert book.open() == ["m5 READY ABC"]
    book.all("READY")
    assert book.open() == ["m6 OPEN ABC"]
    assert book.deal.main is not None
    assert book.deal.main.handles == ((1, 12),)
    assert [book.state.hands[seat] for seat in (B, C, A)] == [
        tuple((1, place) for place in range(first, 12, 3)) for first in range(3)
    ]
    book.say("A", "OPEN")
    assert book.open() == ["m6 OPEN BC"]
    book.all("OPEN")
    assert book.pile() == "7S"
    assert book.open() == ["m7 VIEW ABC"]
    first_look(book)
    assert book.open() == ["m8 SERVE ABC"]
    assert len(book.say("A", "SERVE").body.shares) == 4  # type: ignore[attr-defined]  # two for each other seat
    assert book.known("B", book.at("B", 0)) is None
    book.all("SERVE")
    for letter in "ABC":
        faces = [book.known(letter, book.at(letter, place)) for place in range(4)]
        assert faces == [*book.hand(letter).split()[:2], None, None]
        assert len(book.places[seat_of(letter)].desk.known) == 2
    assert book.open() == ["m9 SEEN ABC"]
    book.all("SEEN")
    assert book.open() == ["9d0 DRAW B", "9w0 WINDOW ABC"]


def test_1_the_first_round_asks_nobody_whether_it_is_ready() -> None:
    book = sheffield()
    book.all("KEYS")
    for _ in "ABC":
        book.all("SHUFFLE")
    assert book.open() == ["m5 OPEN ABC"]


def test_1_nothing_is_dealt_before_every_shuffle_is_verified() -> None:
    book = sheffield()
    book.all("KEYS")
    late = book.places[2]
    held: list[bytes] = []
    for letter in "ABC":
        step = late.deal.main
        assert step is not None
        book.say(letter, "SHUFFLE")
    fresh = book.place(2)
    for signed in book.said[:-3]:
        book.hear(fresh, signed, 0)
    for signed in book.said[-3:]:
        receive(fresh.deal, signed)
        held.append(signed.envelope.hash)
    assert lines_of(fresh.deal) == []  # the chain is complete here, no proof of it is
    for token, lines in ((held[1], []), (held[0], []), (held[2], ["m5 OPEN ABC"])):
        verdict(fresh.deal, token, None)
        assert lines_of(fresh.deal) == lines


# -------------------------------------------------------------------- 2. A turn with nothing special


def test_2_draw_and_window_run_side_by_side_and_the_action_joins_them() -> None:
    book = played(sheffield(round_no=2))
    start = book.deal.head
    book.say("B", "DRAW")
    assert book.open() == ["9d1 SERVE AC", "9w0 WINDOW ABC"]
    book.say("B", "NONE")
    book.say("C", "SERVE")
    assert book.open() == ["9d1 SERVE A", "9w0 WINDOW AC"]
    book.say("A", "NONE")
    book.say("A", "SERVE")
    assert book.open() == ["9w0 WINDOW C"]
    drawn = book.state.drawn
    assert drawn is not None
    assert (book.known("B", drawn.handle), book.known("A", drawn.handle)) == ("TS", None)
    book.say("C", "NONE")
    assert book.open() == ["m10 ACTION B"]
    lanes = book.deal.lanes
    assert lanes is not None
    said = act_envelope(book, "B", Exchange(B, (book.at("B", 2),)))
    assert said == join_head(10, lanes.draw_head, lanes.window_head)
    assert start not in (lanes.draw_head, lanes.window_head)
    assert book.open() == ["m11 OPEN ABC"]
    book.all("OPEN")
    assert book.pile() == "7S 2D"
    assert book.hand("B") == "6C 8C TS 3D"
    assert book.open() == ["11d0 DRAW C", "11w0 WINDOW ABC"]


def act_envelope(book: Playbook, letter: str, move: Exchange) -> bytes:
    return book.say(letter, "ACTION", move=move).head


def test_2_whichever_lane_goes_first_the_head_is_the_same() -> None:
    heads = set()
    for order in ("DSSNNN", "NNNDSS", "DNSNNS", "NDNSSN"):
        book = played(sheffield())
        nones = iter("BAC")
        for step in order:
            book.now = 30_000_000  # the same times in the messages, whatever the order
            if step == "D":
                book.say("B", "DRAW")
            elif step == "S":
                (serve,) = [line for line in book.open() if " SERVE " in line]
                book.say(serve.split()[-1][0], "SERVE")
            else:
                book.say(next(nones), "NONE")
        blinded = {b"".join(view.asked.blinded.encoded for view in book.deal.views)}
        heads.add((book.say("B", "ACTION", move=Discard(B)).head, *blinded))
    assert len(heads) == 1


def test_2_the_choice_stays_inside_the_peer_until_the_window_has_closed() -> None:
    book = played(sheffield(snap__exposure_ms=1000))
    desk = book.places[B].desk
    now = book.now + 2_000_000
    due(desk, now)
    assert desk.question is not None
    assert answer(desk, desk.question.number, Draw(B))
    (drawing,), _ = due(desk, now)
    assert drawing.kind == "DRAW"
    draw(book, "B")
    desk.said.add(drawing.step.slot)
    desk.choice = None
    assert due(desk, now)[0] == []  # no NONE before it has decided
    assert desk.question is not None
    exchange = Exchange(B, (book.at("B", 2),))
    assert answer(desk, desk.question.number, exchange)
    duties, _ = due(desk, now)
    assert [duty.kind for duty in duties] == ["NONE"]
    book.say("B", "NONE")
    desk.said.add(duties[0].step.slot)
    for letter in "AC":
        assert due(desk, now)[0] == []
        book.say(letter, "NONE")
    (action,), _ = due(desk, now)
    assert (action.kind, action.move, str(action.step.slot)) == ("ACTION", exchange, book.open()[0].split()[0])


def test_2_others_say_none_after_their_exposure_and_the_answer_of_the_seat_at_turn() -> None:
    book = played(sheffield(snap__exposure_ms=1000))
    desk = book.places[A].desk
    shown = book.shown_at
    assert due(desk, shown)[0] == []
    assert due(desk, shown + 1_000_000)[0] == []  # B has not answered
    book.say("B", "NONE")
    early = shown + 999_000
    assert due(desk, early) == ([], shown + 1_000_000)
    assert [duty.kind for duty in due(desk, shown + 1_000_001)[0]] == ["NONE"]


def test_2_a_snap_that_takes_the_card_chosen_makes_the_peer_ask_again() -> None:
    book = played(sheffield(hands={**THREE_HANDS, "B": "6C 8C 7D 3D"}, rest="7S TS 2D"))
    desk = book.places[B].desk
    draw(book, "B")
    now = book.now
    due(desk, now)
    assert desk.question is not None
    chosen = book.at("B", 2)
    assert answer(desk, desk.question.number, Exchange(B, (chosen,)))
    asked = desk.asked
    book.say("A", "SNAP", card=chosen, claim_ms=300)
    for letter in "BC":
        book.say(letter, "NONE")
    book.all("WITNESS")
    book.all("REVEAL")
    book.all("OPEN")
    book.say("A", "GIFT", move=Give(A, None))
    assert book.hand("B") == "6C 8C - 3D"
    due(desk, book.now)
    assert desk.choice is None
    assert desk.question is not None
    assert desk.question.number == asked + 1
    assert Exchange(B, (chosen,)) not in desk.question.moves


@pytest.mark.parametrize("move", [Call(B), Take(B)])
def test_2_while_an_action_is_in_the_making_nothing_else_can_be_chosen(move: Move) -> None:
    """Asked again, a player who is quick enough would draw too: the ACTION leaves out a DRAW that is signed."""
    book = played(sheffield(snap="off"))
    desk = book.places[B].desk
    due(desk, book.now)
    asked = desk.asked
    assert asked == 1
    assert answer(desk, asked, move)
    (duty,), _ = due(desk, book.now)
    assert (duty.kind, duty.move) == ("ACTION", move)
    taken_up(desk, duty)
    assert due(desk, book.now) == ([], None)
    assert desk.question is None
    assert not answer(desk, asked + 1, Draw(B))
    assert due(desk, book.now) == ([], None)
    book.say("B", "ACTION", move=move)
    assert book.faults == []


# -------------------------------------------------------------------- 3. A race: wrong winner, right second


def race() -> Playbook:
    """7S lies on the pile; C snaps 9H, which is wrong, and A snaps B's 7D, which is right."""
    hands = {"A": "2C 3C 4C 5C", "B": "7D 8C 2D 3D", "C": "4D 5D 6D 9H"}
    return played(sheffield(hands=hands, rest="7S TS JS QS 6C 8D"))


def test_3_wrong_winner_right_second() -> None:
    book = race()
    target, gift = book.at("B", 0), book.at("A", 2)
    book.say("C", "SNAP", card=book.at("C", 3), claim_ms=398)
    book.say("A", "SNAP", card=target, claim_ms=412)
    assert book.open() == ["8d0 DRAW B", "8w0 WINDOW B"]
    book.say("B", "NONE")
    assert book.open() == ["8d0 DRAW B", "8w1 WITNESS ABC"]
    book.all("WITNESS")
    judgement = book.deal.races[-1].judgement
    assert judgement.order == (C, A)
    assert [runner.seat for runner in judgement.runners if runner.counts] == [A, C]
    assert book.open() == ["8d0 DRAW B", "8w2 REVEAL C"]
    book.say("C", "REVEAL")
    assert book.open() == ["8d0 DRAW B", "8w3 OPEN ABC"]
    book.all("OPEN")
    # Turned back, and two penalty cards from under the top of the stock, which is kept for B.
    assert book.hand("C") == "4D 5D 6D 9H JS QS"
    assert book.open() == ["8d0 DRAW B", "8w4 REVEAL A"]
    book.say("A", "REVEAL")
    assert book.open() == ["8d0 DRAW B", "8w5 OPEN ABC"]
    book.all("OPEN")
    assert (book.pile(), book.hand("B")) == ("7S 7D", "- 8C 2D 3D")
    assert book.open() == ["8d0 DRAW B", "8w6 GIFT A"]
    book.say("A", "GIFT", move=Give(A, gift))
    assert (book.hand("A"), book.hand("B")) == ("2C 3C - 5C", "4C 8C 2D 3D")
    # `first`: this discard is done, no further window.
    assert book.open() == ["8d0 DRAW B", "m9 ACTION B"]
    assert book.deal.races[-1].outcomes == {C: "wrong", A: "right"}
    book.say("B", "DRAW")
    book.all("SERVE")
    drawn = book.state.drawn
    assert drawn is not None
    assert book.face(drawn.handle) == "TS"
    assert book.open() == ["m9 ACTION B"]


def test_3_a_gift_may_be_none() -> None:
    book = race()
    book.say("A", "SNAP", card=book.at("B", 0), claim_ms=300)
    for letter in "BC":
        book.say(letter, "NONE")
    book.all("WITNESS")
    book.all("REVEAL")
    book.all("OPEN")
    book.say("A", "GIFT", move=Give(A, None))
    assert (book.hand("A"), book.hand("B")) == ("2C 3C 4C 5C", "- 8C 2D 3D")
    assert book.open() == ["8d0 DRAW B", "m9 ACTION B"]


def test_3_a_target_that_is_gone_costs_nothing_and_opens_nothing() -> None:
    hands = {"A": "2C 3C 4C 5C", "B": "7D 8C 2D 3D", "C": "4D 5D 6D 9H"}
    book = played(sheffield(hands=hands, rest="7S TS JS QS 6C 8D", snap__limit="all"))
    target = book.at("B", 0)
    book.say("A", "SNAP", card=target, claim_ms=300)
    book.say("C", "SNAP", card=target, claim_ms=400)
    book.say("B", "NONE")
    book.all("WITNESS")
    book.say("A", "REVEAL")
    book.all("OPEN")
    book.say("A", "GIFT", move=Give(A, None))
    assert book.open() == ["8d0 DRAW B", "8w5 REVEAL C"]
    book.say("C", "REVEAL")
    assert book.hand("C") == "4D 5D 6D 9H"
    assert book.deal.races[-1].outcomes == {A: "right", C: "its target had moved"}
    assert book.open() == ["8d0 DRAW B", "8w6 WINDOW ABC"]  # `all`: the snapped card can be snapped


def test_3_a_window_without_a_success_is_followed_by_the_next() -> None:
    book = race()
    book.say("C", "SNAP", card=book.at("C", 3), claim_ms=398)
    for letter in "AB":
        book.say(letter, "NONE")
    book.all("WITNESS")
    book.all("REVEAL")
    book.all("OPEN")
    assert book.open() == ["8d0 DRAW B", "8w4 WINDOW ABC"]
    nobody_snaps(book)
    assert book.open() == ["8d0 DRAW B", "m9 ACTION B"]


def dispute(a: str, b: str) -> Playbook:
    """Two seats with a seven each to snap, and each sees itself first."""
    hands = {"A": "7D 3C 4C 5C", "B": "7C 8C 2D 3D"}
    cards = "7D 3C 4C 5C 7C 8C 2D 3D 7S 2C 4D 5D 6D 8D TS JS 9H"
    book = played(sheffield(hands=hands, rest="7S TS JS 9H 6D 8D", cards=cards, seats=2))
    book.say("A", "SNAP", card=book.at(a[0], int(a[1])), claim_ms=300, late_ms={"B": 200})
    book.say("B", "SNAP", card=book.at(b[0], int(b[1])), claim_ms=300, late_ms={"A": 200})
    assert book.open() == ["7d0 DRAW B", "7w1 WITNESS AB"]
    book.all("WITNESS")
    assert book.deal.races[-1].judgement.disputed
    assert book.open() == ["7d0 DRAW B", "7w2 REVEAL AB"]
    book.all("REVEAL")
    return book


def test_3_a_dispute_of_two_right_cards_is_settled_by_lot() -> None:
    book = dispute("A0", "B0")
    assert book.open() == ["7d0 DRAW B", "7w3 OPEN AB"]
    book.all("OPEN")
    # `first`: one moves, the other is turned back and costs nothing.
    assert sorted((book.hand("A"), book.hand("B"))) in (
        ["- 3C 4C 5C", "7C 8C 2D 3D"],
        ["- 8C 2D 3D", "7D 3C 4C 5C"],
    )
    assert sorted(book.deal.races[-1].outcomes.values()) == ["right", "the other card was first"]
    assert book.open() == ["7d0 DRAW B", "m8 ACTION B"]


def test_3_in_a_dispute_wrong_ones_pay_and_the_right_one_moves() -> None:
    book = dispute("A1", "B0")
    assert book.open() == ["7d0 DRAW B", "7w3 OPEN AB"]
    book.all("OPEN")
    assert book.hand("A") == "7D 3C 4C 5C JS 9H"
    assert book.hand("B") == "- 8C 2D 3D"
    assert book.deal.races[-1].outcomes == {A: "wrong", B: "right"}


def test_3_in_a_dispute_over_one_card_it_is_opened_once() -> None:
    book = dispute("A0", "A0")
    lanes = book.deal.lanes
    assert lanes is not None
    assert lanes.window is not None
    assert lanes.window.handles == (book.at("A", 0),)
    book.all("OPEN")
    outcomes = book.deal.races[-1].outcomes
    assert sorted(outcomes.values()) == ["right", "the other card was first"]
    gift = ["7w4 GIFT B"] if outcomes[B] == "right" else ["m8 ACTION B"]
    assert book.open() == ["7d0 DRAW B", *gift]


def test_3_agreement_of_two_needs_no_dispute() -> None:
    hands = {"A": "7D 3C 4C 5C", "B": "7C 8C 2D 3D"}
    cards = "7D 3C 4C 5C 7C 8C 2D 3D 7S 2C 4D 5D 6D 8D TS JS 9H"
    book = played(sheffield(hands=hands, rest="7S TS JS 9H 6D 8D", cards=cards, seats=2))
    book.say("A", "SNAP", card=book.at("A", 0), claim_ms=300)
    book.say("B", "SNAP", card=book.at("B", 0), claim_ms=500)
    book.all("WITNESS")
    assert book.open() == ["7d0 DRAW B", "7w2 REVEAL A"]
    assert book.deal.races[-1].judgement.order == (A, B)


def test_3_one_snap_between_two_needs_no_testimony() -> None:
    hands = {"A": "7D 3C 4C 5C", "B": "7C 8C 2D 3D"}
    cards = "7D 3C 4C 5C 7C 8C 2D 3D 7S 2C 4D 5D 6D 8D TS JS 9H"
    book = played(sheffield(hands=hands, rest="7S TS JS 9H 6D 8D", cards=cards, seats=2))
    book.say("A", "SNAP", card=book.at("A", 0), claim_ms=300)
    book.say("B", "NONE")
    assert book.open() == ["7d0 DRAW B", "7w1 REVEAL A"]


# -------------------------------------------------------------------- 4. A penalty empties the stock in mid-draw

SCARCE = "3C 4C 5C 8C 3D 4D 2C 6D KH TS"


def scarce() -> Playbook:
    """B at turn; the stock is one card, the pile 2C 6D KH."""
    hands = {"A": "3C 4C", "B": "5C 8C", "C": "3D 4D"}
    book = played(sheffield("B", hands, "2C 6D KH TS", cards=SCARCE, deal__cards=2))
    draw_and_discard(book, "C")
    draw_and_discard(book, "A")
    assert book.pile() == "2C 6D KH"
    assert [book.face(handle) for handle in book.state.stock] == ["TS"]
    return book


def test_4_a_penalty_reshuffles_while_the_draw_is_in_flight() -> None:
    book = scarce()
    n = book.deal.number
    assert book.open() == [f"{n}d0 DRAW B", f"{n}w0 WINDOW ABC"]
    book.say("B", "DRAW")
    book.say("A", "SNAP", card=book.at("A", 0), claim_ms=300)
    for letter in "BC":
        book.say(letter, "NONE")
    book.say("C", "SERVE")
    book.all("WITNESS")
    book.say("A", "REVEAL")
    book.all("OPEN")
    assert book.open() == [f"{n}d1 SERVE A", f"{n}w4 SHUFFLE B"]  # the dealer begins
    assert book.deal.series is not None
    assert [book.face(handle) for handle in book.deal.series.entering] == ["2C", "6D"]
    book.restock = ("6D", "2C")
    book.say("B", "SHUFFLE")
    book.say("A", "SERVE")
    drawn = book.state.drawn
    assert drawn is not None
    assert book.known("B", drawn.handle) == "TS"
    assert book.open() == [f"{n}w5 SHUFFLE C"]
    book.say("C", "SHUFFLE")
    assert book.open() == [f"{n}w6 SHUFFLE A"]
    book.say("A", "SHUFFLE")
    assert book.hand("A") == "3C 4C 6D 2C"
    assert book.state.hands[A][2:] == ((2, 0), (2, 1))
    assert (book.pile(), book.state.stock) == ("KH", ())
    # Nobody could pay now: no further window, the lane ends.
    assert book.open() == [f"m{n + 1} ACTION B"]
    act(book, "B", Discard(B))
    book.all("OPEN")
    assert book.pile() == "KH TS"


def test_4_a_draw_from_a_spent_stock_reshuffles_on_the_main_line() -> None:
    book = scarce()
    draw_and_discard(book, "B")  # a ten: its power waits
    n = book.deal.number
    nobody_snaps(book)
    act(book, "B", Skip(B))
    assert book.state.stock == ()
    assert book.open() == [f"{n + 1}w0 WINDOW ABC"]  # no draw lane
    desk = book.places[C].desk
    late = book.now + 60_000_000
    due(desk, late)
    assert desk.question is not None
    assert answer(desk, desk.question.number, Draw(C))
    assert [duty.kind for duty in due(desk, late)[0]] == ["NONE"]  # a draw that must wait is a choice
    nobody_snaps(book)
    assert book.open() == [f"m{n + 2} ACTION C"]
    act(book, "C", Draw(C))
    for number, letter in ((n + 3, "B"), (n + 4, "C"), (n + 5, "A")):
        assert book.open() == [f"m{number} SHUFFLE {letter}"]
        book.restock = ("KH", "2C", "6D")
        book.say(letter, "SHUFFLE")
    assert book.open() == [f"m{n + 6} DRAW C"]
    book.say("C", "DRAW")
    assert book.open() == [f"m{n + 7} SERVE AB"]
    book.all("SERVE")
    drawn = book.state.drawn
    assert drawn is not None
    assert book.known("C", drawn.handle) == "KH"
    assert book.pile() == "TS"
    assert book.open() == [f"{n + 7}w0 WINDOW ABC"]
    nobody_snaps(book)
    assert book.open() == [f"m{n + 8} ACTION C"]


# -------------------------------------------------------------------- 5. Black king, a snap between look and swap


def king() -> Playbook:
    """A has discarded KS and waits to use it; C's position 1 is another king."""
    hands = {"A": "2C 3C 4C 5C", "B": "6C 8C 2D 3D", "C": "4D KD 6D 8D"}
    book = played(sheffield("C", hands, "7S KS TS JS"))
    draw(book, "A")
    nobody_snaps(book)
    n = book.deal.number
    act(book, "A", Discard(A))
    assert book.open() == [f"m{n + 2} OPEN ABC"]
    book.all("OPEN")
    assert book.open() == [f"{n + 2}w0 WINDOW ABC"]
    nobody_snaps(book)
    assert book.open() == [f"m{n + 3} ACTION A"]
    act(book, "A", Spy(A, book.at("C", 1)))
    assert book.open() == [f"m{n + 4} SERVE BC"]
    book.all("SERVE")
    assert book.known("A", book.at("C", 1)) == "KD"
    assert book.open() == [f"{n + 4}w0 WINDOW ABC"]
    return book


def test_5_a_snap_of_the_card_looked_at_uses_up_a_number_without_a_message() -> None:
    book = king()
    n = book.deal.number
    book.say("B", "SNAP", card=book.at("C", 1), claim_ms=300)
    for letter in "AC":
        book.say(letter, "NONE")
    assert book.open() == [f"{n}w1 WITNESS ABC"]
    book.all("WITNESS")
    assert book.open() == [f"{n}w2 REVEAL B"]
    book.say("B", "REVEAL")
    assert book.open() == [f"{n}w3 OPEN ABC"]
    book.all("OPEN")
    assert book.open() == [f"{n}w4 GIFT B"]
    lanes = book.deal.lanes
    assert lanes is not None
    book.say("B", "GIFT", move=Give(B, book.at("B", 3)))
    assert (book.hand("B"), book.hand("C")) == ("6C 8C 2D -", "4D 3D 6D 8D")
    # The power ends and the turn with it; the next pair of lanes begins at J.
    assert book.deal.number == n + 1
    last = max(book.deal.history, key=lambda closed: closed.slot.order)
    assert book.deal.head == join_head(n + 1, lanes.draw_head, last.head)
    assert book.open() == [f"{n + 1}d0 DRAW B", f"m{n + 2} ACTION B"]
    assert not any(closed.slot.number == n + 1 for closed in book.deal.history)


@pytest.mark.parametrize("swap", [True, False])
def test_5_a_snap_of_any_other_card_leaves_the_power_alive(swap: bool) -> None:
    book = king()
    n = book.deal.number
    book.say("B", "SNAP", card=book.at("C", 0), claim_ms=300)
    for letter in "AC":
        book.say(letter, "NONE")
    book.all("WITNESS")
    book.all("REVEAL")
    book.all("OPEN")
    assert book.hand("B").split()[:4] == ["6C", "8C", "2D", "3D"]
    assert len(book.hand("B").split()) == 6
    assert book.open() == [f"{n}w4 WINDOW ABC"]
    nobody_snaps(book)
    assert book.open() == [f"m{n + 1} ACTION A"]
    act(book, "A", Swap(A, book.at("A", 0), book.at("C", 1)) if swap else Skip(A))
    assert book.hand("A") == ("KD 3C 4C 5C" if swap else "2C 3C 4C 5C")
    assert book.hand("C") == ("4D 2C 6D 8D" if swap else "4D KD 6D 8D")
    assert book.open()[0] == f"{n + 1}d0 DRAW B"


# -------------------------------------------------------------------- 6. Kabbu: queen, with the claim proved

KABBU = "AC 2C 3C 4C 5C AD 2D 3D QC QH QD AS 2S 3S 4S 5S 6S KS 6D 6H"


def queen() -> Playbook:
    """C has put QC on the pile; B draws QD. A's position 3 is QH."""
    hands = {"A": "2C 3C 4C QH", "B": "5C AD 2D 3D", "C": "QC 2S 3S QS"}
    rules = rules_with("kabbu", KABBU + " QS", 3)
    return played(Playbook(rules, 3, dealer="B", hands=hands, rest="AS 4S QD 5S 6S"))


def keep(book: Playbook, letter: str, position: int) -> None:
    """A whole turn: the drawn card (ace to six, proved) is kept."""
    draw(book, letter)
    nobody_snaps(book)
    act(book, letter, Exchange(seat_of(letter), (book.at(letter, position),)))
    book.all("OPEN")


def test_6_a_queen_is_used_step_by_step_and_placed() -> None:
    book = queen()
    assert book.open() == [f"{book.deal.number}d0 DRAW C", f"m{book.deal.number + 1} ACTION C"]  # nothing to snap yet
    keep(book, "C", 1)  # 2S comes to the pile
    assert book.pile() == "2S"
    n = book.deal.number
    assert book.open() == [f"{n}d0 DRAW A", f"{n}w0 WINDOW ABC"]
    keep(book, "A", 0)
    n = book.deal.number
    draw(book, "B")
    drawn = book.state.drawn
    assert drawn is not None
    assert book.known("B", drawn.handle) == "QD"
    nobody_snaps(book)
    assert book.open() == [f"m{n + 1} ACTION B"]
    said = book.say("B", "ACTION", move=Spy(B, book.at("A", 2), "look-two-swap"))
    body = said.body
    assert isinstance(body, Action)
    assert body.ask is not None
    assert body.ask.handle == book.at("A", 2)
    assert len(body.claim) > 0  # the proof that the drawn card is a queen
    assert book.open() == [f"m{n + 2} SERVE AC"]
    book.all("SERVE")
    assert book.known("B", book.at("A", 2)) == "4C"
    assert book.open() == [f"{n + 2}w0 WINDOW ABC"]
    nobody_snaps(book)
    assert book.open() == [f"m{n + 3} ACTION B"]
    act(book, "B", Peek(B, book.at("B", 1)))
    assert book.open() == [f"m{n + 4} SERVE AC"]
    book.all("SERVE")
    assert book.known("B", book.at("B", 1)) == "AD"
    nobody_snaps(book)
    act(book, "B", Swap(B, book.at("B", 1), book.at("A", 2)))
    assert (book.hand("A").split()[2], book.hand("B").split()[1]) == ("AD", "4C")
    assert book.open() == [f"{n + 5}w0 WINDOW ABC"]
    nobody_snaps(book)
    assert book.open() == [f"m{n + 6} ACTION B"]
    act(book, "B", Discard(B))
    assert book.open() == [f"m{n + 7} OPEN ABC"]
    book.all("OPEN")
    assert book.pile().split()[-1] == "QD"
    assert book.open() == [f"{n + 7}d0 DRAW C", f"{n + 7}w0 WINDOW ABC"]


def test_6_own_snaps_are_all_served_in_order_and_each_opens_both_stages_again() -> None:
    book = queen()
    keep(book, "C", 1)
    keep(book, "A", 0)
    draw(book, "B")
    nobody_snaps(book)
    act(book, "B", Spy(B, book.at("A", 2), "look-two-swap"))
    book.all("SERVE")
    nobody_snaps(book)
    act(book, "B", Peek(B, book.at("B", 1)))
    book.all("SERVE")
    nobody_snaps(book)
    act(book, "B", Swap(B, book.at("B", 1), book.at("A", 2)))
    nobody_snaps(book)
    act(book, "B", Discard(B))
    book.all("OPEN")
    n = book.deal.number
    book.say("C", "SNAP", card=book.at("C", 3), claim_ms=300)
    book.say("A", "SNAP", card=book.at("A", 3), claim_ms=350)
    book.say("B", "NONE")
    book.all("WITNESS")
    assert book.open()[1:] == [f"{n}w2 REVEAL C"]
    book.say("C", "REVEAL")
    book.all("OPEN")
    assert book.pile().split()[-2:] == ["QD", "QS"]
    assert book.open()[1:] == [f"{n}w4 REVEAL A"]
    book.say("A", "REVEAL")
    book.all("OPEN")
    assert book.pile().split()[-3:] == ["QD", "QS", "QH"]
    lanes = book.deal.lanes
    assert lanes is not None
    assert not lanes.now.snap.own_closed
    assert book.open()[1:] == [f"{n}w6 WINDOW ABC"]


def test_6_the_target_of_the_swap_snapped_away_leaves_only_the_placing() -> None:
    hands = {"A": "2C 3C 4C QH", "B": "5C AD 2D 3D", "C": "QC 2S 3S QS"}
    book = played(Playbook(rules_with("kabbu", KABBU + " QS", 3), 3, dealer="A", hands=hands, rest="AS 4S QD 5S 6S"))
    keep(book, "B", 0)
    keep(book, "C", 1)
    assert book.pile().split()[-1] == "2S"
    draw(book, "A")
    nobody_snaps(book)
    act(book, "A", Spy(A, book.at("B", 2), "look-two-swap"))
    book.all("SERVE")
    n = book.deal.number
    book.say("C", "SNAP", card=book.at("B", 2), claim_ms=300)
    for letter in "AB":
        book.say(letter, "NONE")
    book.all("WITNESS")
    book.all("REVEAL")
    book.all("OPEN")
    book.say("C", "GIFT", move=Give(C, book.at("C", 3)))
    assert book.hand("B") == "AS AD QS 3D"
    nobody_snaps(book)
    state = book.state
    assert state.power is not None
    assert state.power.done
    assert book.open() == [f"m{n + 1} ACTION A"]
    desk = book.places[A].desk
    due(desk, book.now)
    assert desk.question is not None
    assert desk.question.moves == (Discard(A),)
    act(book, "A", Discard(A))
    book.all("OPEN")
    assert book.pile().split()[-1] == "QD"


# -------------------------------------------------------------------- 7. An exchange of three that do not match


def test_7_a_failed_exchange_of_three() -> None:
    cards = "2C 3C 4C 6C 2D 3D 4D 6D 5H 8H 5S 9S 7S TS JS QS"
    rules = rules_with("cabo-online", cards, 3)
    hands = {"A": "2C 3C 4C 6C", "B": "2D 3D 4D 6D", "C": "5H 8H 5S 9S"}
    book = played(Playbook(rules, 3, dealer="B", hands=hands, rest="7S TS JS QS"))
    n = book.deal.number
    assert book.open() == [f"{n}d0 DRAW C", f"m{n + 1} ACTION C"]  # no snaps: the draw lane is all there is
    draw(book, "C")
    three = tuple(book.at("C", place) for place in (0, 2, 3))
    act(book, "C", Exchange(C, three, book.at("C", 2), "left"))
    assert book.open() == [f"m{n + 2} OPEN ABC"]
    assert book.deal.main is not None
    assert book.deal.main.handles == three
    book.all("OPEN")
    # Shown, and back to their places; the drawn card becomes position 0, one unseen card goes to the right.
    assert [book.deal.faces[handle] for handle in three] == ["5H", "5S", "9S"]
    assert book.hand("C") == "TS 5H 8H 5S 9S JS"
    assert book.pile() == "7S"
    assert book.open() == [f"{n + 2}d0 DRAW A", f"m{n + 3} ACTION A"]


def test_7_a_taken_card_that_goes_back_to_the_pile_is_opened_for_it_again() -> None:
    book = played(sheffield("A", multi__max=0, multi__fail="discard"))
    nobody_snaps(book)
    n = book.deal.number
    act(book, "B", Take(B))
    taken = book.state.drawn
    assert taken is not None
    pair = (book.at("B", 0), book.at("B", 1))
    act(book, "B", Exchange(B, pair))
    assert book.deal.main is not None
    assert book.deal.main.handles == pair
    book.all("OPEN")
    # The two differ; the card that was taken is public already, but it comes into view anew.
    assert book.open() == [f"m{n + 4} OPEN ABC"]
    again = book.deal.main
    assert again is not None
    assert again.handles == (taken.handle,)
    book.all("OPEN")
    assert book.state.pile[-1] == taken.handle
    assert book.state.turn == C
    assert any(" WINDOW " in line for line in book.open())


# -------------------------------------------------------------------- 8. Call, final turns, end


def called(hands: dict[str, str] | None = None) -> Playbook:
    """A has called; B is at turn."""
    book = played(sheffield("C", hands or THREE_HANDS, "7S TS JS QS 9H"))
    nobody_snaps(book)
    n = book.deal.number
    assert book.open() == [f"{n}d0 DRAW A", f"m{n + 1} ACTION A"]
    act(book, "A", Call(A))
    assert book.open()[0] == f"{n + 1}d0 DRAW B"
    return book


def test_8_the_caller_is_protected_and_says_none() -> None:
    book = called({"A": "7D 3C 4C 5C", "B": "6C 8C 2D 3D", "C": "4D 5D 6D 8D"})
    n = book.deal.number
    lanes = book.deal.lanes
    assert lanes is not None
    assert book.open() == [f"{n}d0 DRAW B", f"{n}w0 WINDOW ABC"]
    desk = book.places[A].desk
    assert snap_targets(lanes.now, A) == ()
    assert book.at("A", 0) not in snap_targets(lanes.now, B)
    assert not press(desk, book.at("A", 0), book.now)
    book.say("B", "NONE")
    assert [duty.kind for duty in due(desk, book.now + 60_000_000)[0]] == ["NONE"]


def test_8_call_final_turns_and_the_end() -> None:
    book = called()
    for letter in "BC":
        draw(book, letter)
        nobody_snaps(book)
        act(book, letter, Exchange(seat_of(letter), (book.at(letter, 0),)))
        book.all("OPEN")
    # Nobody is at turn: exposure alone decides, and the lane ends.
    n = book.deal.number
    assert at_turn(book) is None
    assert book.open() == [f"{n}w0 WINDOW ABC"]
    lanes = book.deal.lanes
    assert lanes is not None
    nobody_snaps(book)
    hands = {letter: book.hand(letter) for letter in "ABC"}
    assert book.open() == [f"m{n + 1} OPEN1 ABC"]
    main = book.deal.main
    assert main is not None
    assert main.head == join_head(n + 1, lanes.draw_head, lanes.window_head)
    first = book.say("A", "OPEN1")
    assert len(first.body.shares) == 8  # type: ignore[attr-defined]  # all cards but its own
    book.all("OPEN1")
    assert not any(handle in book.deal.faces for handle in book.state.hands[A])
    assert book.open() == [f"m{n + 2} OPEN2 ABC"]
    assert len(book.say("A", "OPEN2").body.shares) == 4  # type: ignore[attr-defined]  # its own
    book.all("OPEN2")
    for letter, faces in hands.items():
        row = book.deal.state.hands[seat_of(letter)]
        assert " ".join(book.deal.faces[handle] for handle in row if handle is not None) == faces
    assert book.open() == [f"m{n + 3} DISCLOSE ABC"]
    book.all("DISCLOSE")
    assert book.deal.secrets == {place.seat: place.own.x() for place in book.places}
    assert book.open() == [f"m{n + 4} RESULT ABC"]
    results = [book.say(letter, "RESULT").body for letter in "ABC"]
    assert all(place.deal.over for place in book.places)
    result = results[0]
    assert results == [result] * 3
    assert isinstance(result, Result)
    # A: 2 3 4 5 = 14; B: T for 6, 8 2 3 = 23; C: J for 4, 5 6 8 = 30; A called and has the least: five less.
    assert result.hands == (14, 23, 30)
    assert result.round == (9, 23, 30)
    assert book.open() == []


def snap(book: Playbook, letter: str, of: str, position: int) -> None:
    """One snap, alone and right."""
    book.say(letter, "SNAP", card=book.at(of, position), claim_ms=300)
    for other in "ABC":
        if other != letter:
            book.say(other, "NONE")
    book.all("WITNESS")
    book.all("REVEAL")
    book.all("OPEN")


def test_8_a_seat_that_loses_its_last_card_in_its_final_turns_lanes_passes() -> None:
    hands = {"A": "2C 3C", "B": "8C 5C", "C": "6C 8D"}
    cards = "2C 3C 8C 5C 6C 8D 6S 8S 6D 9H TS JS QS KH"
    book = played(sheffield("C", hands, "6S KH 8S 9H TS", cards=cards, deal__cards=2))
    snap(book, "C", "C", 0)  # C has 8D left
    act(book, "A", Call(A))
    draw(book, "B")
    act(book, "B", Exchange(B, (book.at("B", 0),)))
    book.all("OPEN")  # 8C comes to the pile, C is at turn
    n = book.deal.number
    snap(book, "C", "C", 1)
    assert book.hand("C") == "- -"
    assert at_turn(book) == C
    assert book.open() == [f"{n}d0 DRAW C", f"m{n + 1} ACTION C"]
    desk = book.places[C].desk
    (duty,), _ = due(desk, book.now)
    assert desk.question is None  # nothing to decide
    assert (duty.kind, duty.move) == ("ACTION", Pass(C))
    act(book, "C", Pass(C))
    assert at_turn(book) is None
    assert book.open() == [f"m{n + 2} OPEN1 ABC"]


def test_8_a_seat_without_cards_is_passed_over_without_a_message() -> None:
    hands = {"A": "2C 3C", "B": "8C 5C", "C": "6C 6H"}
    cards = "2C 3C 8C 5C 6C 6H 6S 8S 6D 9H TS JS QS KH"
    book = played(sheffield("C", hands, "6S KH 8S 9H TS", cards=cards, deal__cards=2, snap__limit="all"))
    snap(book, "C", "C", 0)
    snap(book, "C", "C", 1)
    assert book.hand("C") == "- -"
    nobody_snaps(book)
    act(book, "A", Call(A))
    draw(book, "B")
    nobody_snaps(book)
    act(book, "B", Exchange(B, (book.at("B", 0),)))
    book.all("OPEN")
    n = book.deal.number
    assert at_turn(book) is None  # B's was the last final turn
    assert book.open() == [f"{n}w0 WINDOW ABC"]
    nobody_snaps(book)
    assert book.open() == [f"m{n + 1} OPEN1 ABC"]


def test_8_a_draw_that_is_signed_keeps_the_turn_even_when_a_snap_takes_the_last_card() -> None:
    hands = {"A": "2C 3C", "B": "8C 5C", "C": "6C 8D"}
    cards = "2C 3C 8C 5C 6C 8D 6S 8S 6D 9H TS JS QS KH"
    book = played(sheffield("C", hands, "6S KH 8S 9H TS", cards=cards, deal__cards=2))
    snap(book, "C", "C", 0)
    act(book, "A", Call(A))
    draw(book, "B")
    act(book, "B", Exchange(B, (book.at("B", 0),)))
    book.all("OPEN")
    n = book.deal.number
    book.say("C", "DRAW")
    snap(book, "C", "C", 1)
    assert book.open() == [f"{n}d1 SERVE AB"]
    book.all("SERVE")
    assert book.open() == [f"m{n + 1} ACTION C"]
    desk = book.places[C].desk
    due(desk, book.now)
    assert desk.question is not None
    assert desk.question.moves == (Discard(C),)


def test_8_a_result_that_differs_counts_as_sent() -> None:
    book = called()
    for letter in "BC":
        draw(book, letter)
        nobody_snaps(book)
        act(book, letter, Exchange(seat_of(letter), (book.at(letter, 0),)))
        book.all("OPEN")
    nobody_snaps(book)
    for kind in ("OPEN1", "OPEN2", "DISCLOSE"):
        book.all(kind)
    book.places[C].deal.standing.totals = (0, 0, -1)  # C cannot add
    book.places[C].deal.score = None
    from p2pkaboo.replica import ending

    book.places[C].deal.score = ending._score(book.places[C].deal)
    book.all("RESULT")
    assert book.faults == []
    assert all(place.deal.over for place in book.places)
    assert len({place.deal.head for place in book.places}) == 1


# -------------------------------------------------------------------- 9. Killed, and back


@pytest.mark.parametrize("sent", [True, False])
def test_9_a_seat_that_was_killed_is_where_it_was(sent: bool) -> None:
    book = race()
    book.say("C", "SNAP", card=book.at("C", 3), claim_ms=398)
    if sent:
        book.say("B", "NONE")
    before = book.places[B]
    book.restart("B")
    after = book.places[B]
    assert after is not before
    assert (after.deal, after.own, after.desk.known) == (before.deal, before.own, before.desk.known)
    assert book.open() == ["8d0 DRAW B", "8w0 WINDOW A" if sent else "8w0 WINDOW AB"]
    for letter in "A" if sent else "AB":
        book.say(letter, "NONE")
    book.all("WITNESS")
    book.all("REVEAL")
    book.all("OPEN")
    assert book.hand("C") == "4D 5D 6D 9H JS QS"
    assert book.deal.races[-1].judgement.order == (C,)  # what B could not testify counts as nothing


def test_9_a_window_that_came_and_went_while_its_seat_caught_up_is_testified_to() -> None:
    """An older journal was put back: the others hold all that B said, and their messages come anew, with stamps; B's
    own desk has never looked at that window."""
    book = race()
    book.say("C", "SNAP", card=book.at("C", 3), claim_ms=398)
    for letter in "AB":
        book.say(letter, "NONE")
    back = book.place(B)
    for at, signed in enumerate(book.said):
        envelope = signed.envelope
        if envelope.seat != B:
            back.clock.arrived(1, envelope.slot, envelope.seat, at * 1000)
        receive(back.deal, signed)
        for output in drain(back.deal):
            if isinstance(output, Verify):
                verdict(back.deal, output.token, None)
    assert lines_of(back.deal) == book.open() == ["8d0 DRAW B", "8w1 WITNESS ABC"]
    lanes = back.deal.lanes
    assert lanes is not None
    (measure,) = clock.testimony(back.clock, back.deal, lanes, Slot(8, "w", 0)).measures
    assert (measure.seat, measure.given_up) == (C, None)

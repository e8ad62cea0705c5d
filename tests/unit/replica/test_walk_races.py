"""Message by message: races, and a penalty that empties the stock in mid-draw."""

from p2pkaboo.replica.duties import due
from p2pkaboo.replica.questions import answer
from p2pkaboo.rules.moves import (
    Discard,
    Draw,
    Give,
    Skip,
)
from tests.support.playbook import Playbook
from tests.unit.replica.walking import A, B, C, act, draw_and_discard, nobody_snaps, played, race, sheffield

# -------------------------------------------------------------------- 3. A race: wrong winner, right second


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

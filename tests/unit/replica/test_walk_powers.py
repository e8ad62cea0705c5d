"""Message by message: powers that a snap gets between, claims that are proved, exchanges that fail."""

import pytest

from p2pkaboo.replica.duties import due
from p2pkaboo.replica.heads import join_head
from p2pkaboo.rules.moves import (
    Discard,
    Exchange,
    Give,
    Peek,
    Skip,
    Spy,
    Swap,
    Take,
)
from p2pkaboo.wire.bodies import Action
from tests.support.playbook import Playbook, rules_with, seat_of
from tests.unit.replica.walking import A, B, C, act, draw, nobody_snaps, played, sheffield

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

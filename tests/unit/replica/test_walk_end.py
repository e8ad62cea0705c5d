"""Message by message: a call, the final turns and the end; a seat that is killed and comes back."""

import pytest

from p2pkaboo.replica import clock
from p2pkaboo.replica.duties import due
from p2pkaboo.replica.heads import join_head
from p2pkaboo.replica.outputs import Verify
from p2pkaboo.replica.snapping import press
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.rules.engine import snap_targets
from p2pkaboo.rules.moves import (
    Call,
    Discard,
    Exchange,
    Pass,
)
from p2pkaboo.wire.bodies import Result
from p2pkaboo.wire.slot import Slot
from tests.support.playbook import Playbook, lines_of, seat_of
from tests.unit.replica.walking import THREE_HANDS, A, B, C, act, at_turn, draw, nobody_snaps, played, race, sheffield

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

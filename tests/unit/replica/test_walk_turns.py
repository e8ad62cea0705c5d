"""Message by message: the table is formed, the cards are dealt, a turn is taken."""

import pytest

from p2pkaboo.crypto.identity import Identity
from p2pkaboo.lab.tables.formed import SECRET, form_table
from p2pkaboo.replica.duties import due, taken_up
from p2pkaboo.replica.forming import Forming, receive_forming
from p2pkaboo.replica.heads import join_head
from p2pkaboo.replica.questions import answer
from p2pkaboo.replica.table import receive, verdict
from p2pkaboo.rules.moves import (
    Call,
    Discard,
    Draw,
    Exchange,
    Give,
    Move,
    Take,
)
from p2pkaboo.rules.ruleset import load_preset
from p2pkaboo.wire.envelope import decode_envelope
from tests.support.playbook import Playbook, lines_of, seat_of
from tests.support.tables import make_identities
from tests.unit.replica.walking import THREE_HANDS, A, B, C, draw, first_look, played, sheffield

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

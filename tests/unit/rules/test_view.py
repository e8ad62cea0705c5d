"""What a seat sees: what is public, what it has looked at itself, nothing else."""

from p2pkaboo.rules import moves
from p2pkaboo.rules.view import seat_view
from tests.unit.rules.tables import table


def test_a_seat_sees_public_faces_and_those_it_has_looked_at() -> None:
    t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="9C +").play("A draw", "A discard", "A spy B 3")
    spied = t.state.hands[1][3]
    assert spied is not None
    view = seat_view(t.state, 0, {spied: "9H"})
    assert [place.face for place in view.hands[1]] == [None, None, None, "9H"]
    assert not view.hands[1][3].public
    assert view.pile == ("2S", "9C")
    assert [place.face for place in seat_view(t.state, None, {spied: "9H"}).hands[1]] == [None] * 4
    assert seat_view(t.state, 1).hands[1][3].face is None


def test_a_card_shown_to_all_is_public_and_a_gap_is_a_gap() -> None:
    t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="+").play("A snap A 0", "A draw")
    view = seat_view(t.state, 1)
    assert (view.hands[0][0].handle, view.hands[0][0].position) == (None, 0)
    assert view.drawn is not None
    assert (view.drawn.face, view.drawn.seat, view.drawn.source) == (None, 0, "stock")
    assert view.moves == ()
    wrong = table("sheffield", "3D 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="+").play("B snap A 0")
    place = seat_view(wrong.state, 1).hands[0][0]
    assert (place.face, place.public, place.face_up) == ("3D", True, False)


def test_the_drawn_card_and_its_power_are_the_drawers_alone() -> None:
    t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="KC +").play("A draw")
    drawn = t.state.drawn
    assert drawn is not None
    view = seat_view(t.state, 0, {drawn.handle: "KC"})
    assert view.drawn is not None
    assert (view.drawn.face, view.drawn.power) == ("KC", "look-swap")
    assert moves.Discard(0) in view.moves
    assert view.most_exchanged == 1
    taken = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="KS", stock="+").play("A take")
    seen = seat_view(taken.state, 1).drawn
    assert seen is not None
    assert (seen.face, seen.power) == ("KS", None)


def test_the_view_of_kabbus_drawer_offers_only_what_its_card_allows() -> None:
    t = table("kabbu", "2H 3H 4H 5H", "6H 7H 8H 9H", stock="QC +").play("A draw")
    drawn = t.state.drawn
    assert drawn is not None
    offered = {type(move) for move in seat_view(t.state, 0, {drawn.handle: "QC"}).moves}
    assert offered == {moves.Peek, moves.Spy}


def test_a_call_is_offered_only_when_it_is_certain_to_be_lawful() -> None:
    more = {"call.threshold": 20}
    t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="2S", stock="+", overrides=more).play("A draw", "A discard")
    own = [handle for handle in t.state.hands[1] if handle is not None]
    faces = {handle: t.replay.faces[handle] for handle in own}
    assert moves.Call(1) not in seat_view(t.state, 1).moves
    assert moves.Call(1) not in seat_view(t.state, 1, faces).moves  # 30 points
    t.play("B draw", "B discard")
    low = {handle: t.replay.faces[handle] for handle in t.state.hands[0] if handle is not None}
    assert moves.Call(0) in seat_view(t.state, 0, low).moves


def test_face_up_cards_are_marked() -> None:
    t = table("sheffield", "2H 3H 4H 5H", "6H 7H 8H 9H", up="KS", stock="+", overrides={"turn.taken_open": True})
    t.play("A take", "A exchange 1")
    place = seat_view(t.state, 1).hands[0][1]
    assert (place.face, place.face_up) == ("KS", True)

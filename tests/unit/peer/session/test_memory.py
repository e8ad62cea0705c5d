"""What a player may read of the cards on the table, and for how long."""

from p2pkaboo.peer.session.memory import NEVER, Memory
from p2pkaboo.replica.questions import LOOK_MS

A, B, C = (1, 0), (1, 1), (1, 2)
NONE: frozenset[tuple[int, int]] = frozenset()


def test_a_look_ends_and_in_classic_memory_its_face_goes_with_it() -> None:
    memory = Memory(0, assisted=False)
    memory.look(A, "5H", until=100)
    assert memory.face_of(A, {}, NONE) == ("looking", "5H")
    assert memory.next_change() == 100
    memory.expire(99)
    assert memory.face_of(A, {}, NONE) == ("looking", "5H")
    memory.expire(100)
    assert memory.face_of(A, {}, NONE) == ("", "")
    assert memory.next_change() is None


def test_in_assisted_memory_it_stays() -> None:
    memory = Memory(0, assisted=True)
    memory.look(A, "5H", until=100)
    memory.expire(100)
    assert memory.face_of(A, {}, NONE) == ("remembered", "5H")
    assert memory.face_of(B, {B: "KS"}, NONE) == ("remembered", "KS")
    assert memory.face_of(C, {B: "KS"}, NONE) == ("", "")


def test_a_card_turned_up_for_all_is_turned_back() -> None:
    memory = Memory(None, assisted=False)
    memory.show(A, "9C", until=50)
    assert memory.face_of(A, {A: "9C"}, NONE) == ("shown", "9C")
    memory.expire(50)
    assert memory.face_of(A, {A: "9C"}, NONE) == ("", "")


def test_a_card_that_lies_open_is_read_by_all() -> None:
    memory = Memory(None, assisted=False)
    assert memory.face_of(A, {A: "9C"}, frozenset({A})) == ("shown", "9C")


def test_a_look_that_the_player_ends() -> None:
    memory = Memory(0, assisted=False)
    memory.look(A, "5H", until=NEVER)
    memory.expire(10**12)
    assert memory.face_of(A, {}, NONE) == ("looking", "5H")
    assert memory.next_change() is None
    memory.stop_looking()
    assert memory.face_of(A, {}, NONE) == ("", "")


def test_marks_of_looks_and_moves_last_until_the_next_turn_is_over() -> None:
    memory = Memory(0, assisted=False)
    memory.note_look(2, A)
    memory.note_move(B)
    assert (memory.lookers(A), memory.is_fresh(B)) == ((2,), True)
    memory.turn += 1
    assert (memory.lookers(A), memory.is_fresh(B)) == ((2,), True)
    memory.turn += 1
    assert (memory.lookers(A), memory.is_fresh(B)) == ((), False)


def test_assisted_memory_keeps_who_has_looked() -> None:
    memory = Memory(0, assisted=True)
    memory.note_look(2, A)
    memory.note_look(1, A)
    memory.turn = 9
    assert memory.lookers(A) == (1, 2)


def test_a_first_look_that_no_screen_has_shown_waits_for_one() -> None:
    memory = Memory(0, assisted=False)
    memory.look(A, "5H", until=NEVER)
    memory.end_first_look()
    memory.expire(10**12)
    assert memory.face_of(A, {}, NONE) == ("looking", "5H")
    memory.on_screen(10**12)
    memory.end_first_look()
    assert memory.next_change() == 10**12 + LOOK_MS
    memory.on_screen(10**12 + 1)
    memory.expire(10**12 + LOOK_MS)
    assert memory.face_of(A, {}, NONE) == ("", "")


def test_in_assisted_memory_a_first_look_waits_for_nothing() -> None:
    memory = Memory(0, assisted=True)
    memory.look(A, "5H", until=NEVER)
    memory.end_first_look()
    memory.expire(1)
    assert memory.face_of(A, {}, NONE) == ("remembered", "5H")


def test_a_first_look_that_was_shown_from_its_start_ends_with_its_step() -> None:
    memory = Memory(0, assisted=False)
    memory.look(A, "5H", until=NEVER)
    memory.on_screen(1_000)
    memory.look(B, "KS", until=NEVER)
    memory.end_first_look()
    memory.expire(1_000 + LOOK_MS)
    assert not memory.looking

"""What a player may read of the cards on the table, and for how long."""

from p2pkaboo.peer.session.memory import NEVER, Memory

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

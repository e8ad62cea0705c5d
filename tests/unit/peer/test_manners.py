from p2pkaboo.peer.manners import MAX_REMEMBERED, Rate


def test_answers_are_limited_for_each_key() -> None:
    rate = Rate(2, 1.0)
    assert [rate.take(b"one", 0) for _ in range(3)] == [True, True, False]
    assert rate.take(b"other", 0)
    assert not rate.take(b"one", 900_000)
    assert rate.take(b"one", 1_000_000)


def test_who_asks_on_is_remembered_and_strangers_take_no_memory_without_end() -> None:
    rate = Rate(1, 0.001)
    assert rate.take(b"one", 0)
    for number in range(10 * MAX_REMEMBERED):
        assert rate.take(b"%d" % number, number)
        assert not rate.take(b"one", number)
    assert len(rate.left) == MAX_REMEMBERED

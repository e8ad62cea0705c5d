"""Operations are counted by kind, in all threads, and only while asked."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from p2pkaboo.crypto import sodium
from p2pkaboo.crypto.counting import OPERATIONS, OperationCounts, count_operations, sample_operations
from p2pkaboo.crypto.group import G, Point, base_mul, hash_to_group


def test_each_kind_is_counted() -> None:
    with count_operations() as counts:
        point = base_mul(5) + G * 7 - G
        Point.decode(point.encoded)
        hash_to_group(b"tag", b"message")
        base_mul(6)
    assert counts == OperationCounts(mul=1, base=2, add=2, hash=1, decode=1)


def test_the_samples_are_one_operation_of_each_kind() -> None:
    samples = sample_operations()
    assert set(samples) == set(OPERATIONS)
    for kind, sample in samples.items():
        with count_operations() as counts:
            sample()
        assert [name for name in OPERATIONS if getattr(counts, name)] == [kind]
        assert getattr(counts, kind) == 1


def test_the_floor_is_counts_times_seconds() -> None:
    counts = OperationCounts(mul=2, base=3, add=4, hash=5, decode=6)
    seconds = {"mul": 1.0, "base": 10.0, "add": 100.0, "hash": 1000.0, "decode": 10000.0}
    assert counts.floor(seconds) == 65432.0


def test_nothing_is_left_behind() -> None:
    before = (sodium.mul, sodium.add)
    with pytest.raises(KeyError), count_operations():
        raise KeyError
    assert (sodium.mul, sodium.add) == before


def test_two_counts_at_once_are_refused() -> None:
    with count_operations() as counts:
        with pytest.raises(RuntimeError, match="already"), count_operations():
            pass
        base_mul(2)
    assert counts.base == 1


def test_threads_lose_no_operation() -> None:
    with count_operations() as counts, ThreadPoolExecutor(4) as pool:
        list(pool.map(base_mul, range(400)))
    assert counts.base == 400

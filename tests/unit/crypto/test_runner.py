"""Work is cut in chunks that cover every card once, in order."""

import pytest

from p2pkaboo.crypto.runner import CHUNK_CARDS, cut, serial


@pytest.mark.parametrize("count", [0, 1, CHUNK_CARDS - 1, CHUNK_CARDS, CHUNK_CARDS + 1, 54, 216])
def test_chunks_cover_everything_once(count: int) -> None:
    chunks = cut(count)
    assert [place for chunk in chunks for place in chunk] == list(range(count))
    assert all(1 <= len(chunk) <= CHUNK_CARDS for chunk in chunks)


def test_serial_keeps_the_order() -> None:
    assert serial(list, cut(14)) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13]]

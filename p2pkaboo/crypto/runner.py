"""How the work on a deck is cut in chunks and handed to whoever runs them.

The functions of `shuffle` take a `Runner`; this package runs the chunks one after another (`serial`), a peer spreads
them over worker threads. libsodium releases the interpreter lock, so threads on several cores really work side by side.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeVar

T = TypeVar("T")

CHUNK_CARDS: Final = 4
"""Cards in a chunk: two milliseconds of verification. A deck of 54 is then cut in halves for two threads that differ by
two cards, and handing the chunks out costs little beside them."""


class Runner(Protocol):
    """Calls `work` once for each chunk, anywhere, and gives the results in the order of the chunks."""

    def __call__(self, work: Callable[[range], T], chunks: Sequence[range], /) -> list[T]: ...


def serial(work: Callable[[range], T], chunks: Sequence[range], /) -> list[T]:
    """Run the chunks one after another in the caller's thread."""
    return [work(chunk) for chunk in chunks]


def cut(count: int) -> list[range]:
    """The indices 0 to count-1 in chunks of `CHUNK_CARDS`, the last one perhaps shorter."""
    return [range(start, min(start + CHUNK_CARDS, count)) for start in range(0, count, CHUNK_CARDS)]

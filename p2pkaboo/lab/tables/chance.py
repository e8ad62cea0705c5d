"""Where a made-up table's delays, choices and secrets come from: all of it from texts, so that a seed repeats a run."""

from collections.abc import Callable, Sequence
from hashlib import shake_256
from typing import Final, Protocol, TypeVar

T = TypeVar("T")

_BYTES: Final = 7
"""Bytes of one throw: as many as a float holds without rounding."""


class Chance(Protocol):
    """What a table asks of its dice; `random.Random` offers it too."""

    def random(self) -> float: ...

    def randint(self, a: int, b: int) -> int: ...

    def choice(self, seq: Sequence[T]) -> T: ...


def seeded(text: str) -> Callable[[int], bytes]:
    """An endless stream of bytes that is the same for the same text. For tables whose secrets nobody needs."""
    count = 0

    def rng(size: int) -> bytes:
        nonlocal count
        count += 1
        return shake_256(f"{text}/{count}".encode()).digest(size)

    return rng


class Dice:
    """Chance from a text: the same throws on every machine and with every Python, which files that are kept need."""

    def __init__(self, text: str) -> None:
        self._stream = seeded(text)

    def random(self) -> float:
        """A number from 0 to below 1."""
        return int.from_bytes(self._stream(_BYTES), "big") / 256**_BYTES

    def randint(self, a: int, b: int) -> int:
        """A whole number from a to b. The bounds lie so close that rounding favours none that anybody would notice."""
        return a + int(self.random() * (b - a + 1))

    def choice(self, seq: Sequence[T]) -> T:
        """One element of a sequence that is not empty."""
        return seq[self.randint(0, len(seq) - 1)]

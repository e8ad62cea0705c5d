"""Counts the libsodium operations of a piece of work, so that its time can be compared with their floor.

While nothing counts, nothing is in the way: the functions of `sodium` are themselves. Counting puts counters in their
place for the whole process, in all threads, so it is meant for a benchmark and not for play.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from p2pkaboo.crypto import sodium
from p2pkaboo.crypto.group import G, base_mul, encode_scalar

OPERATIONS: Final = {
    "mul": ("mul",),
    "base": ("base",),
    "add": ("add", "sub"),
    "hash": ("from_hash",),
    "decode": ("is_valid",),
}
"""The kinds counted, each with the functions of `sodium` that belong to it."""


@dataclass(slots=True)
class OperationCounts:
    """How often each kind of operation was done; complete when its `count_operations` block has ended."""

    mul: int = 0
    base: int = 0
    add: int = 0
    hash: int = 0
    decode: int = 0

    def __add__(self, other: "OperationCounts") -> "OperationCounts":
        return OperationCounts(**{kind: getattr(self, kind) + getattr(other, kind) for kind in OPERATIONS})

    def floor(self, seconds: Mapping[str, float]) -> float:
        """Seconds that libsodium alone needs for these operations, from the time of one of each kind."""
        return sum([float(getattr(self, kind)) * seconds[kind] for kind in OPERATIONS])


def sample_operations() -> dict[str, Callable[[], object]]:
    """One call of each kind on ordinary operands: what a benchmark times for `OperationCounts.floor`."""
    scalar = encode_scalar(0x1D2C3B4A5968778695A4B3C2D1E0F << 128 | 0xF1E2D3C4B5A697887969)
    left, right = base_mul(3).encoded, G.encoded
    uniform = bytes(range(64))
    return {
        "mul": lambda: sodium.mul(scalar, left),
        "base": lambda: sodium.base(scalar),
        "add": lambda: sodium.add(left, right),
        "hash": lambda: sodium.from_hash(uniform),
        "decode": lambda: sodium.is_valid(left),
    }


@contextmanager
def count_operations() -> Iterator[OperationCounts]:
    """Count all operations of the process inside the block; `RuntimeError` if another block is counting already."""
    counts = OperationCounts()
    # next() of itertools.count is one step for the interpreter, so threads lose no increment.
    counters = {kind: count() for kind in OPERATIONS}
    originals = {name: getattr(sodium, name) for names in OPERATIONS.values() for name in names}
    if any(isinstance(function, _Counted) for function in originals.values()):
        raise RuntimeError("operations are being counted already")
    for kind, names in OPERATIONS.items():
        for name in names:
            setattr(sodium, name, _Counted(originals[name], counters[kind]))
    try:
        yield counts
    finally:
        for name, function in originals.items():
            setattr(sodium, name, function)
        for kind, counter in counters.items():
            setattr(counts, kind, next(counter))


class _Counted:
    """A function of `sodium` with a counter before it."""

    __slots__ = ("_counter", "_function")

    def __init__(self, function: Callable[..., Any], counter: "count[int]") -> None:
        self._function = function
        self._counter = counter

    def __call__(self, *operands: bytes) -> Any:
        next(self._counter)
        return self._function(*operands)

"""`Verified[S]`: a statement whose proof has been checked. Only the `verify_*` functions of this package make one.

Making one up, changing or saving one is a run-time error: whoever holds one knows that its proof was checked in this
run. It is the answer of the verifiers; the replica, whose proofs are checked elsewhere, takes it as an event.
"""

from typing import Any, Generic, NoReturn, TypeVar

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class Verified(Generic[S_co]):
    """Holds the statement in `value`; immutable, equal to another with an equal statement."""

    __slots__ = ("value",)

    value: S_co

    def __new__(cls, *_: object) -> "Verified[S_co]":
        raise TypeError("a Verified value comes from a verify function, never from a constructor")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a Verified value is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Verified value is immutable")

    def __eq__(self, other: object) -> bool:
        return bool(self.value == other.value) if isinstance(other, Verified) else NotImplemented

    def __hash__(self) -> int:
        return hash((Verified, self.value))

    def __repr__(self) -> str:
        return f"Verified({self.value!r})"

    def __copy__(self) -> "Verified[S_co]":
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> "Verified[S_co]":
        return self

    def __reduce__(self) -> NoReturn:
        # A verdict read back from a file would be one that nobody has reached: save the proof and check it again.
        raise TypeError("a Verified value cannot be saved; save the proof and verify it again")


def seal(statement: S) -> Verified[S]:
    """The verdict "proved". Called by the `verify_*` functions of this package only."""
    verdict: Verified[S] = object.__new__(Verified)
    object.__setattr__(verdict, "value", statement)
    return verdict

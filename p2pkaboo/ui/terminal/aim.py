"""Mark, then act: which cards are marked, and what a number means right now. Nothing here draws or sends.

`marks` are for what is asked of you (exchange, look, swap, give); `snap_at` is a card marked for nothing but a snap, so
that aiming early never disturbs the turn.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from p2pkaboo.peer.api import Choice, Spot, Table

ASKED = ("peek_initial", "give", "exchange", "swap", "peek", "spy")
"""Commands about marked places, in the order in which a mark is taken for them."""


class At(NamedTuple):
    """A place of a hand: seat and position, both from 0."""

    seat: int
    position: int


def spots(found: Iterable[Spot]) -> list[At]:
    """The places among some spots."""
    return [At(s.seat, s.position) for s in found if s.seat is not None and s.position is not None]


def listed_choice(table: Table, command: str) -> Choice | None:
    """The choice for a command, also one that is shown greyed."""
    return next((c for c in table.choices if c.command == command), None)


def choice(table: Table, command: str) -> Choice | None:
    """The choice for a command if it is possible now."""
    return next((c for c in table.choices if c.command == command and not c.off), None)


def can_snap(table: Table, at: At) -> bool:
    found = choice(table, "snap")
    return found is not None and at in spots((*found.mine, *found.theirs))


def takers(table: Table, at: At) -> list[Choice]:
    """The choices that a mark on this place could be for, snaps apart."""
    found = (choice(table, command) for command in ASKED)
    return [c for c in found if c is not None and at in spots((*c.mine, *c.theirs))]


@dataclass(slots=True)
class Aim:
    """What the player has marked so far, and whose hand the numbers mean."""

    marks: list[At] = field(default_factory=list)
    snap_at: At | None = None
    armed: bool = False
    """S was pressed without a target: the next number is it."""
    sure: str = ""
    """The command that was asked "really?"."""
    end: Literal["left", "right"] = "right"
    focus: int | None = None
    """Seat whose cards the numbers mark; `None` is one's own."""
    cursor: int | None = None
    """Position that the arrow keys stand on."""

    def clear(self) -> bool:
        """Takes everything back that was only marked; whether there was anything."""
        had = bool(self.marks or self.snap_at or self.armed or self.sure or self.focus is not None)
        self.marks, self.snap_at, self.armed, self.sure = [], None, False, ""
        self.focus = self.cursor = None
        return had

    def prune(self, table: Table) -> None:
        """After a snapshot: forget what is no longer possible."""
        before = list(self.marks)
        self.marks = [at for at in self.marks if takers(table, at)]
        if self.snap_at is not None and not can_snap(table, self.snap_at):
            self.snap_at = None
        if choice(table, "snap") is None:
            self.armed = False
        if self.sure and (choice(table, self.sure) is None or before != self.marks):
            self.sure = ""
        if self.focus is not None and not 0 <= self.focus < len(table.seats):
            self.focus = None

    def touch(self, table: Table, at: At) -> Literal["snap", "marked", "nothing"]:
        """A number on a place: "snap" if it is the target of an S pressed before, else it changes the marks."""
        if self.armed and can_snap(table, at):
            return "snap"
        self.sure = ""
        wanted = takers(table, at)
        if not wanted:
            if not can_snap(table, at):
                return "nothing"
            self.snap_at = None if self.snap_at == at else at
            return "marked"
        self.snap_at = None
        if at in self.marks:
            self.marks.remove(at)
        else:
            self.marks = [*self._kept(table, wanted, at), at]
        return "marked"

    def _kept(self, table: Table, wanted: list[Choice], at: At) -> list[At]:
        """Marks that stay when another one joins them."""
        several = next((c for c in wanted if c.most > 1), None)
        if several is not None:
            mine = spots(several.mine)
            return [m for m in self.marks if m in mine][1 - several.most :]
        swap = next((c for c in wanted if c.command == "swap"), None)
        if swap is None:
            return []
        ours, theirs = spots(swap.mine), spots(swap.theirs)
        if at in ours and at in theirs:
            return self.marks[-1:]
        other = theirs if at in ours else ours
        return [m for m in self.marks if m in other and m not in (ours if at in ours else theirs)][-1:]

    def target(self, table: Table) -> At | None:
        """The card that S would snap."""
        if self.snap_at is not None:
            return self.snap_at
        return self.marks[0] if len(self.marks) == 1 and can_snap(table, self.marks[0]) else None

    def swap_sides(self, table: Table) -> tuple[At, At] | None:
        """The two sides of a swap, one's own first. A side with a single candidate needs no mark."""
        swap = choice(table, "swap")
        if swap is None:
            return None
        ours, theirs = spots(swap.mine), spots(swap.theirs)
        for first, second in ((0, 1), (1, 0)):
            if len(self.marks) == 2 and self.marks[first] in ours and self.marks[second] in theirs:
                return self.marks[first], self.marks[second]
        mine = self._side(ours)
        other = self._side(theirs)
        return (mine, other) if mine is not None and other is not None and mine != other else None

    def _side(self, candidates: list[At]) -> At | None:
        marked = [m for m in self.marks if m in candidates]
        if marked:
            return marked[-1]
        return candidates[0] if len(candidates) == 1 else None

"""What playing a move gives, and the bench on which one move is decided."""

from collections.abc import Mapping
from dataclasses import dataclass

from .events import Event
from .state import Handle, State


class IllegalMove(Exception):
    """The rules forbid the move. `reason` goes on after "X may not do Y: "; `rule` names the rule or its key."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(f"{reason} ({rule})")
        self.reason = reason
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Played:
    """The state after a move, and what happened in it."""

    state: State
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Needs:
    """What has to happen before the move can be decided; the same move is then played again with the answer.

    `open`: cards to be opened publicly (answer: `faces`); `reshuffle`: discards, bottom to top, that become the new
    stock (answer: `reshuffled`); `claim`: card classes of which the drawn card has to be proved one (answer:
    `claimed`).
    """

    open: tuple[Handle, ...] = ()
    reshuffle: tuple[Handle, ...] = ()
    claim: frozenset[str] = frozenset()


class NeedsFirst(Exception):
    """Carries `Needs` from the depth of a move up to `play`; never leaves the engine."""

    def __init__(self, needs: Needs) -> None:
        super().__init__(needs)
        self.needs = needs


class Bench:
    """One move being decided: the answers that came with it and the events so far."""

    __slots__ = ("claimed", "events", "faces", "reshuffle_used", "reshuffled")

    def __init__(
        self,
        faces: Mapping[Handle, str],
        reshuffled: tuple[Handle, ...] | None,
        claimed: frozenset[str] | None,
    ) -> None:
        self.faces = faces
        self.reshuffled = reshuffled
        self.claimed = claimed
        self.events: list[Event] = []
        self.reshuffle_used = False

    def log(self, event: Event) -> None:
        """Note what happened."""
        self.events.append(event)

    def open(self, state: State, handles: tuple[Handle, ...]) -> tuple[str, ...]:
        """The faces of cards that the move opens.

        A face that is public already has to be given again: every card that goes to the pile is opened for all at that
        moment, because that is when it comes into view.
        """
        missing = tuple(handle for handle in handles if handle not in self.faces)
        if missing:
            raise NeedsFirst(Needs(open=missing))
        for handle in handles:
            if state.faces.get(handle, self.faces[handle]) != self.faces[handle]:
                raise ValueError(f"card {handle} was {state.faces[handle]} and cannot be {self.faces[handle]}")
        return tuple(self.faces[handle] for handle in handles)

    def claim(self, classes: frozenset[str]) -> None:
        """Insist that the drawn card has been proved to be one of these classes."""
        if not self.claimed:
            raise NeedsFirst(Needs(claim=classes))
        if not self.claimed <= classes:
            raise IllegalMove("the claim that was proved does not cover the move", "turn.by_rank, power.on")

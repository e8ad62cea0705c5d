"""What one player may see of the faces in a deal, and for how long: the only way a face gets to a screen.

In classic memory a look ends after some seconds, and what was turned up by mistake is turned back; then remembering is
the player's own affair. In assisted memory what a seat has seen stays readable to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from p2pkaboo.replica.questions import LOOK_MS
from p2pkaboo.rules.state import Handle

PEEK_MS: Final = 3_200
"""How long a card looked at, or turned up by mistake, can be read in classic memory (cabo-online's text)."""

NEVER: Final = 1 << 62
"""For what ends by something else than time."""

Why = Literal["", "looking", "shown", "remembered", "revealed"]


@dataclass(slots=True)
class Memory:
    """One seat's memory of one deal; `you` None: somebody who only watches. Times are milliseconds."""

    you: int | None
    assisted: bool
    seen: dict[Handle, str] = field(default_factory=dict)
    """Faces this seat has looked at alone."""
    looking: dict[Handle, int] = field(default_factory=dict)
    """Cards this seat is looking at, and until when."""
    shown: dict[Handle, tuple[str, int]] = field(default_factory=dict)
    """Cards turned up for everybody for a moment: face, and until when."""
    first_shown: int | None = None
    """Since when a screen shows the first look; None: no screen has yet."""
    turn: int = 0
    """Turns begun so far."""
    looked: dict[Handle, dict[int, int]] = field(default_factory=dict)
    """Who has looked at a card, in which turn."""
    moved: dict[Handle, int] = field(default_factory=dict)
    """In which turn a card last changed its place without being seen."""

    def look(self, handle: Handle, face: str, until: int) -> None:
        """The own seat looks at a card that lies on the table."""
        self.seen[handle] = face
        self.looking[handle] = until

    def show(self, handle: Handle, face: str, until: int) -> None:
        """A card is turned up for everybody and will be turned back."""
        self.shown[handle] = (face, until)

    def on_screen(self, now: int) -> None:
        """A screen shows this deal: a first look that none has shown counts from now."""
        if self.first_shown is None and NEVER in self.looking.values():
            self.first_shown = now

    def end_first_look(self) -> None:
        """The table goes on. The player still gets a look's time from when a screen began to show it: the first deal
        does not wait for a browser that is slow to start. In assisted memory the faces stay readable anyway."""
        if self.first_shown is None and not self.assisted:
            return
        over = 0 if self.first_shown is None or self.assisted else self.first_shown + LOOK_MS
        self.looking = {handle: over if until == NEVER else until for handle, until in self.looking.items()}

    def stop_looking(self) -> None:
        """The player has seen enough."""
        self.looking.clear()

    def note_look(self, seat: int, handle: Handle) -> None:
        """A seat has looked at a card: everybody sees that it did."""
        self.looked.setdefault(handle, {})[seat] = self.turn

    def note_move(self, handle: Handle) -> None:
        """A card has come to a new place face down."""
        self.moved[handle] = self.turn

    def expire(self, now: int) -> None:
        """Ends looks and shows whose time is over."""
        self.looking = {handle: until for handle, until in self.looking.items() if until > now}
        self.shown = {handle: entry for handle, entry in self.shown.items() if entry[1] > now}

    def next_change(self) -> int | None:
        """When the next look or show ends by time."""
        times = [*self.looking.values(), *(until for _, until in self.shown.values())]
        return min((until for until in times if until < NEVER), default=None)

    def face_of(self, handle: Handle, public: Mapping[Handle, str], open_cards: frozenset[Handle]) -> tuple[Why, str]:
        """Why the player may read a card that lies before a seat now, and its face; ("", "") if not.

        `public`: faces that were opened to all in this deal; `open_cards`: those that lie face up.
        """
        if handle in open_cards and handle in public:
            return "shown", public[handle]
        if handle in self.shown:
            return "shown", self.shown[handle][0]
        if handle in self.looking and handle in self.seen:
            return "looking", self.seen[handle]
        if self.assisted:
            face = public.get(handle) or self.seen.get(handle)
            if face is not None:
                return "remembered", face
        return "", ""

    def lookers(self, handle: Handle) -> tuple[int, ...]:
        """Whom to show as having looked at a card: since the last turn began, in assisted memory ever."""
        known = self.looked.get(handle, {})
        return tuple(seat for seat, turn in sorted(known.items()) if self.assisted or turn >= self.turn - 1)

    def is_fresh(self, handle: Handle) -> bool:
        """Whether the card came to its place since the last turn began."""
        turn = self.moved.get(handle)
        return turn is not None and turn >= self.turn - 1

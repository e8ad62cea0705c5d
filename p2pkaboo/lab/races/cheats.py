"""What one cheating host does in a race, on purpose and against which repair of the rule."""

from dataclasses import dataclass
from typing import Final

import msgspec

from p2pkaboo.replica.charter import RaceNumbers
from p2pkaboo.wire.bodies import Body, Snap, Witness

CHEAT: Final = 0
"""The host that cheats, where one does."""

LIE_US: Final = 500_000
"""How much later than in truth a lying witness says that its rivals' messages came: more than any reaction time."""

PONG_DELAY_MS: Final = 400.0
"""How late every ping is answered by who feigns a slow link: beyond every cap."""

COPY_MS: Final = 1.0
"""How soon after a rival's SNAP a copying bot has its own out."""


@dataclass(frozen=True, slots=True)
class Cheat:
    """What is done; nothing of it is an honest host.

    `no_time`: claims 0 ms; `copies`: snaps as soon as a rival's SNAP is here; `hold_ms`: its share leaves this long
    after it can read the card itself; `hold_late`: the same, as a part of the charter's `late`; `slow_pongs`; `lies`:
    testifies that all rivals were slow. No cheat gives up before its snap: its program says no NONE, however long
    ago a rival snapped.
    """

    no_time: bool = False
    copies: bool = False
    hold_ms: float = 0.0
    hold_late: float = 0.0
    slow_pongs: bool = False
    lies: bool = False

    def held_back(self, numbers: RaceNumbers) -> float:
        """How long the share is held back, milliseconds; 0: not at all."""
        return self.hold_ms + self.hold_late * numbers.late

    def forge(self, body: Body) -> Body:
        """The body that is said instead of an honest one."""
        if self.no_time and isinstance(body, Snap):
            return msgspec.structs.replace(body, claim_ms=0)
        if self.lies and isinstance(body, Witness):
            measures = tuple(
                msgspec.structs.replace(row, arrival=None if row.arrival is None else row.arrival + LIE_US)
                for row in body.measures
            )
            lateness = tuple(msgspec.structs.replace(row, late=row.late + LIE_US) for row in body.lateness)
            return Witness(measures, lateness)
        return body


HONEST: Final = Cheat()

CHEATS: Final = {
    "clock liar": Cheat(no_time=True),
    "backdating copycat bot": Cheat(no_time=True, copies=True),
    "share withheld 200 ms, lying": Cheat(no_time=True, hold_ms=200),
    "share withheld 0.9 late, lying": Cheat(no_time=True, hold_late=0.9),
    "fake slow link, lying": Cheat(no_time=True, slow_pongs=True),
    "lying witness": Cheat(lies=True),
    "all of these by one": Cheat(no_time=True, hold_ms=200, slow_pongs=True, lies=True),
}
"""The cheats of the table, by name. `all of these` leaves the bot out: it is about people."""

VETO: Final = Cheat(no_time=True, lies=True)
"""With two seats: one who says after every race that it has won."""

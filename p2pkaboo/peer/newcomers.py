"""Who is here, and where: newcomers greet each other, and the opener introduces them to each other."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from p2pkaboo.peer.lobby_wires import LobbyWires
from p2pkaboo.peer.manners import Rate
from p2pkaboo.wire.frames import Addresses, Hello, Members, encode_frame
from p2pkaboo.wire.limits import MAX_MEMBERS, MAX_SEATS

INTRODUCTIONS: Final = (4, 1.0)
"""How often a greeting of one newcomer makes the opener tell all others at once where everybody is; beyond that it
waits for the next repetition. One Hello would else cost a frame to each of them."""


@dataclass(slots=True)
class Newcomer:
    """Somebody who is here: name, addresses, and the last round trips to it (microseconds)."""

    key: bytes
    name: str
    addresses: Addresses
    trips: list[int]

    @property
    def median(self) -> int:
        """The median of the round trips, microseconds; 0 if none is known."""
        trips = sorted(self.trips)
        return max(0, trips[len(trips) // 2]) if trips else 0


class Newcomers:
    """Everybody else who has greeted. `name`, `key`: our own; `opener`: the key of who opened the table; `now`:
    microseconds."""

    def __init__(self, name: str, key: bytes, opener: bytes, wires: LobbyWires, now: Callable[[], int]) -> None:
        self.people: dict[bytes, Newcomer] = {}
        self.hosts: dict[bytes, str] = {}
        """Where each link leads, as this machine sees it."""
        self._name, self._key, self._opener = name, key, opener
        self._wires, self._now = wires, now
        self._rate = Rate(*INTRODUCTIONS)
        self._untold = False
        """Somebody's addresses are news that the opener has not passed on yet."""
        self._dialled: set[bytes] = set()

    def greet(self, key: bytes | None) -> None:
        """Says who and where we are: to one whose link has come up, or (None) to all there are."""
        hello = encode_frame(Hello(self._name, tuple(self._wires.addresses())))
        if key is None:
            self._wires.broadcast(hello)
        else:
            self._wires.send(key, hello)

    def met(self, newcomer: Newcomer) -> None:
        """Somebody has greeted. The opener tells the others, now or when it says everything again."""
        known = self.people.get(newcomer.key)
        self.people[newcomer.key] = newcomer
        if self._key == self._opener and (known is None or known.addresses != newcomer.addresses):
            self._untold = True
            if self._rate.take(newcomer.key, self._now()):
                self._introduce()

    def gone(self, key: bytes) -> None:
        """The link of this key is down."""
        self.people.pop(key, None)
        self.hosts.pop(key, None)

    def repeat(self) -> None:
        """The opener makes up for the introductions that it owes."""
        if self._untold:
            self._introduce()

    def _introduce(self) -> None:
        """The opener tells everybody where everybody is."""
        self._untold = False
        rows = tuple((person.key, person.addresses) for person in self.people.values() if person.addresses)
        self._wires.broadcast(encode_frame(Members(rows[: MAX_SEATS * 2])))

    def introduced(self, by: bytes, members: Iterable[tuple[bytes, Addresses]]) -> None:
        """Calls those of whom the opener tells. Nobody else does, and whom we call is limited: a newcomer could else
        make everybody's machine knock at any door it likes."""
        if by != self._opener:
            return
        for key, addresses in members:
            if key == self._key or key in self._wires.connected():
                continue
            if key in self._dialled or len(self._dialled) < MAX_MEMBERS:
                self._dialled.add(key)
                self._wires.dial(key, addresses)

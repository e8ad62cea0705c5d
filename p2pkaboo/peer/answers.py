"""What a newcomer answers to an offer, and when: its nonce, then its word on the charter that follows."""

from collections.abc import Callable
from typing import Final

from p2pkaboo.peer.newcomers import Newcomers
from p2pkaboo.peer.round_trips import RoundTrips
from p2pkaboo.peer.sayings import Sayings
from p2pkaboo.replica.forming import Forming, Sitting
from p2pkaboo.wire.bodies import CharterWord, Nonce

LINK_SECONDS: Final = 2.0
"""How long a newcomer waits for its links to the others of an offer before it answers, so that the first deal need not:
a call and the wait of the one who is called first fit in. Links that cannot be had keep no table from beginning."""


class Answers:
    """One newcomer's answers. `key`: its own; `now`: microseconds. This decides, and `Sayings` says."""

    def __init__(
        self, key: bytes, sayings: Sayings, newcomers: Newcomers, trips: RoundTrips, now: Callable[[], int]
    ) -> None:
        self._key, self._sayings, self._newcomers, self._trips, self._now = key, sayings, newcomers, trips, now
        self._seen: tuple[bytes, int] | None = None
        """The offer, and since when it is known (microseconds)."""

    def misfit(self, sitting: Sitting, ready: bool) -> str | None:
        """Why the offer has no seat for a newcomer that is `ready`, or is not; None if it has one. Who is not ready
        stands by no JOIN: then any will do."""
        if self._key not in sitting.keys:
            return "the seats of this table are offered to others"
        if ready and not self._sayings.stands_in(sitting):
            return "the offer holds a JOIN of ours that is out of date"
        return None

    def due(self, forming: Forming, sitting: Sitting) -> tuple[str, int, int, Nonce | CharterWord] | None:
        """Kind, number, seat and body of what is to be said now to an offer that we agree to; None: nothing yet."""
        # The opener's nonce comes first: it alone can begin anew, so it must not keep its own back and know the coin.
        first = self._key == forming.opener or 0 in forming.nonces
        if "NONCE" not in self._sayings.said and first and self._is_linked(sitting):
            # Of those who will sit here only: anybody else who is slow to answer would choose the race preset for them.
            seated = [person for key, person in self._newcomers.people.items() if key in sitting.keys]
            largest = max((person.median for person in seated), default=0)
            return "NONCE", 2, sitting.keys.index(self._key), Nonce(self._sayings.nonce, largest)
        charter = forming.charter
        if charter is not None and "CHARTER" not in self._sayings.said:
            return "CHARTER", 3, charter.keys.index(self._key), CharterWord(charter.hash)
        return None

    def _is_linked(self, sitting: Sitting) -> bool:
        """Whether there is a measured link to everybody in the offer, or none is to be expected any more."""
        if self._seen is None or self._seen[0] != sitting.offer.hash:
            self._seen = sitting.offer.hash, self._now()
        waited = self._now() - self._seen[1]
        linked = all(key == self._key or self._trips.last(key) for key in sitting.keys)
        return linked or waited > LINK_SECONDS * 1_000_000

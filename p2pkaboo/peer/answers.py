"""What a newcomer answers to an offer, and when: its nonce, then its word on the charter that follows."""

from collections.abc import Callable
from typing import Final

from p2pkaboo.peer.guests import ANSWER_SECONDS
from p2pkaboo.peer.newcomers import Newcomers
from p2pkaboo.peer.round_trips import RoundTrips
from p2pkaboo.peer.sayings import Sayings
from p2pkaboo.replica.forming import Forming, Sitting
from p2pkaboo.wire.bodies import CharterWord, Nonce

LINK_SECONDS: Final = 2.0
"""How long a newcomer waits for its links to the others of an offer before it answers, so that the first deal need not:
a call and the wait of the one who is called first fit in. Links that cannot be had keep no table from beginning."""

STAY_SECONDS: Final = ANSWER_SECONDS - LINK_SECONDS - 1.0
"""How long who has given its nonce stays with an attempt: an honest opener has waited longer for the others by then."""

SIGNED_SECONDS: Final = 60.0
"""The same where only the opener has not signed: it has learned the coin, and its word is all that is missing."""


class Answers:
    """One newcomer's answers. `key`: its own; `now`: microseconds. This decides, and `Sayings` says."""

    def __init__(
        self, key: bytes, sayings: Sayings, newcomers: Newcomers, trips: RoundTrips, now: Callable[[], int]
    ) -> None:
        self._key, self._sayings, self._newcomers, self._trips, self._now = key, sayings, newcomers, trips, now
        self._seen: tuple[bytes, int] | None = None
        """The offer, and since when it is known (microseconds)."""
        self._gave_at: int | None = None
        """When our nonce of the running attempt was given (microseconds)."""

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
            self._gave_at = self._now()
            return "NONCE", 2, sitting.keys.index(self._key), Nonce(self._sayings.nonce, largest)
        charter = forming.charter
        if charter is not None and "CHARTER" not in self._sayings.said:
            return "CHARTER", 3, charter.keys.index(self._key), CharterWord(charter.hash)
        return None

    def forget(self) -> None:
        """Another attempt begins."""
        self._gave_at = None

    def stays(self, forming: Forming) -> str | None:
        """Why we do not follow the opener to a later attempt yet; None: we do.

        All nonces show the coin. An opener that could begin anew as often as it likes would choose seats and dealer.
        """
        if self._gave_at is None:
            return None
        since = self._now() - self._gave_at
        if since < STAY_SECONDS * 1_000_000:
            return "the opener begins anew before the others had time to answer"
        if since < SIGNED_SECONDS * 1_000_000 and is_left_to_opener(forming):
            return "the opener begins anew although everybody else has signed"
        return None

    def _is_linked(self, sitting: Sitting) -> bool:
        """Whether there is a measured link to everybody in the offer, or none is to be expected any more."""
        if self._seen is None or self._seen[0] != sitting.offer.hash:
            self._seen = sitting.offer.hash, self._now()
        waited = self._now() - self._seen[1]
        linked = all(key == self._key or self._trips.last(key) for key in sitting.keys)
        return linked or waited > LINK_SECONDS * 1_000_000


def is_left_to_opener(forming: Forming) -> bool:
    """Whether all have signed the charter but the opener."""
    charter = forming.charter
    if charter is None or forming.opener not in charter.keys:
        return False
    return set(range(charter.seats)) - forming.words.keys() == {charter.keys.index(forming.opener)}

"""Frames in before the charter: decoded, told apart, limited for each link, and kept if they are for the seat that
follows."""

import logging
from collections.abc import Callable
from typing import Final

from p2pkaboo.net.inbox import Frame
from p2pkaboo.peer.lobby_wires import LobbyWires
from p2pkaboo.peer.manners import HAVES, WISHES, Rate
from p2pkaboo.peer.newcomers import Newcomer, Newcomers
from p2pkaboo.peer.reading import Reading
from p2pkaboo.peer.round_trips import RoundTrips
from p2pkaboo.wire.codec import DecodeError
from p2pkaboo.wire.envelope import Envelope, decode_envelope
from p2pkaboo.wire.frames import EnvelopeFrame, Have, Hello, Members, Ping, Pong, Wish, decode_frame, encode_frame
from p2pkaboo.wire.limits import MAX_MEMBERS

log = logging.getLogger(__name__)

MAX_LATER: Final = 1_000
"""Frames kept for the seat that follows: those of a deal that some have begun; what is dropped is sent again."""

MAX_LATER_BYTES: Final = 1 << 22
"""Bytes of those frames: the shuffles of eight seats at the largest table take a quarter of it."""


class LobbyEar:
    """One newcomer's ear. `later`: frames kept for the seat that follows."""

    def __init__(
        self,
        opener: bytes,
        wires: LobbyWires,
        newcomers: Newcomers,
        trips: RoundTrips,
        reading: Reading,
        now: Callable[[], int],
        attempt: Callable[[], int],
        forming: Callable[[bytes, Envelope], None],
    ) -> None:
        """`opener`: whose wishes count; `now`: microseconds; `attempt` tells which one is running; `forming` takes a
        forming message, with the key of the link that it came by."""
        self.later: list[Frame] = []
        self._later_bytes = 0
        self._opener, self._wires, self._now = opener, wires, now
        self._newcomers, self._trips, self._reading = newcomers, trips, reading
        self._attempt, self._forming = attempt, forming
        self._have_rate, self._wish_rate = Rate(*HAVES), Rate(*WISHES)
        self._babblers: set[bytes] = set()

    def hear(self, event: Frame) -> None:
        """A frame from a link."""
        try:
            frame = decode_frame(event.data)
            match frame:
                case EnvelopeFrame(data):
                    self._envelope(event, decode_envelope(data))
                case Hello(name, addresses):
                    self._newcomers.met(Newcomer(event.key, name, addresses, self._trips.of(event.key)))
                case Members(members):
                    self._newcomers.introduced(event.key, members)
                case Wish():
                    if event.key == self._opener and self._wish_rate.take(event.key, self._now()):
                        self._reading.hear(frame)
                case Ping():
                    self._trips.answer(event.key, frame)
                case Pong():
                    self._trips.pong(event.key, frame, event.stamp // 1000)
                case Have():
                    self._keep(event)
                    plays = frame.deal > 0  # then somebody's last word has not reached us
                    if plays and self._have_rate.take(event.key, self._now()):
                        self._wires.send(event.key, encode_frame(Have(0, self._attempt(), ())))
        except (DecodeError, ValueError) as error:
            self.babble(event.key, f"a frame that is refused: {error}")

    def babble(self, key: bytes, what: str) -> None:
        """Nonsense from a link is worth one warning (see `talk.Talk.babble`), and that of all links together no more of
        them than there may be links: keys cost nothing yet."""
        is_news = key not in self._babblers and len(self._babblers) < MAX_MEMBERS
        if is_news:
            self._babblers.add(key)
        log.log(logging.WARNING if is_news else logging.DEBUG, "player %s sends %s", key.hex()[:8], what)

    def _envelope(self, event: Frame, envelope: Envelope) -> None:
        if envelope.slot.lane == "f":
            self._forming(event.key, envelope)
        else:
            self._keep(event)

    def _keep(self, event: Frame) -> None:
        if len(self.later) < MAX_LATER and self._later_bytes + len(event.data) <= MAX_LATER_BYTES:
            self.later.append(event)
            self._later_bytes += len(event.data)

"""Frames in: decoded, told apart, and every envelope with a true signature into the replica of its deal."""

from collections.abc import Callable, Container
from typing import Final

from p2pkaboo.peer.kept import KeptDeal
from p2pkaboo.peer.talk import Talk
from p2pkaboo.replica.table import receive
from p2pkaboo.wire.codec import DecodeError
from p2pkaboo.wire.envelope import Envelope, Signed, decode_envelope, verify_envelope
from p2pkaboo.wire.frames import EnvelopeFrame, Have, Hello, Members, Ping, Pong, Wish, decode_frame

MAX_LATER: Final = 8
"""Messages of one seat kept for the next deal: before our KEYS it says no more than its own; the rest comes again."""

MAX_RECENT: Final = 64
"""Frames known again by their bytes: at a full table each seat says at most a few things before all copies are here."""


class Intake:
    """One seat's ear. `later`: messages kept for the next deal. `made` are the messages of this run; of any other of
    our own `adopt` is told, and whenever an envelope may have changed something `turn` is called."""

    def __init__(
        self,
        talk: Talk,
        made: Container[bytes],
        adopt: Callable[[KeptDeal, Envelope], None],
        turn: Callable[[], None],
    ) -> None:
        self.later: list[Signed] = []
        self._recent: dict[bytes, Envelope] = {}
        """What was passed on, by its frame: the same comes from every other seat too, and is worth no second look."""
        self._talk, self._made, self._adopt, self._turn = talk, made, adopt, turn

    def frame(self, key: bytes, data: bytes, stamp: int) -> None:
        """A frame from the link of `key`, read at `stamp`, in microseconds."""
        recent = self._recent.get(data)
        if recent is not None and self._held(recent) is recent:
            return
        try:
            frame = decode_frame(data)
        except DecodeError as error:
            self._talk.babble(key, f"a frame that does not decode: {error}")
            return
        match frame:
            case EnvelopeFrame(raw):
                self._envelope(key, data, raw, stamp)
            case Have():
                self._talk.have(key, frame, stamp)
            case Ping():
                self._talk.ping(key, frame, stamp)
            case Pong():
                self._talk.pong(key, frame, stamp)
            case Hello() | Members() | Wish():
                pass  # the talk of a lobby, which is over

    def take(self, signed: Signed) -> None:
        """A message whose signature is true goes to the replica of its deal, or waits for the deal to begin."""
        if signed.envelope.deal > self._talk.current.deal:
            self.later.append(signed)
            return
        for kept in reversed(self._talk.deals):
            if kept.deal.deal == signed.envelope.deal:
                receive(kept.deal, signed)
                if signed.envelope.seat == self._talk.seat and signed.envelope.hash not in self._made:
                    self._adopt(kept, signed.envelope)
                return

    def take_later(self) -> None:
        """A deal has begun: what has waited for it goes there."""
        later, self.later = self.later, []
        for signed in later:
            self.take(signed)

    def _envelope(self, sender: bytes, frame: bytes, raw: bytes, stamp: int) -> None:
        try:
            envelope = decode_envelope(raw)
        except DecodeError as error:
            self._talk.babble(sender, f"an envelope that does not decode: {error}")
            return
        deal, clock = self._talk.current, self._talk.clock
        if envelope.table != deal.table or envelope.seat >= deal.charter.seats:
            return
        if not deal.deal - 1 <= envelope.deal <= deal.deal + 1:
            return  # of the deal before, the last steps may still be in dispute; rounds before it are agreed on
        known = self._held(envelope)
        if known is not None and known.data == raw:
            return
        signed = verify_envelope(envelope, self._talk.publics[envelope.seat])
        if signed is None:
            self._talk.babble(sender, "a signature that does not verify")
            return
        if envelope.deal > deal.deal:
            if sum(other.envelope.seat == envelope.seat for other in self.later) < MAX_LATER:
                clock.arrived(envelope.deal, envelope.slot, envelope.seat, stamp)
                self.take(signed)
            return
        self.take(signed)
        held = self._held(envelope)
        if known is None and held is not None and held.data == raw:
            # Only what is held goes on, and only once: what nobody keeps would go round for ever.
            clock.arrived(envelope.deal, envelope.slot, envelope.seat, stamp)
            if envelope.kind in ("OPEN", "SNAP", "NONE") and deal.starts:  # before the first window there is no race
                self._talk.forward(raw, envelope, sender)
                self._note_recent(frame, envelope)
        self._turn()

    def _note_recent(self, frame: bytes, envelope: Envelope) -> None:
        self._recent[frame] = envelope
        if len(self._recent) > MAX_RECENT:
            self._recent.pop(next(iter(self._recent)))

    def _held(self, envelope: Envelope) -> Envelope | None:
        for kept in reversed(self._talk.deals):
            if kept.deal.deal == envelope.deal:
                return kept.deal.held.get((envelope.slot, envelope.seat))
        for signed in self.later:
            if signed.envelope.data == envelope.data:
                return signed.envelope
        return None

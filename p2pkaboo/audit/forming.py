"""The forming messages of a transcript, checked one after another until the charter stands."""

from dataclasses import dataclass, field, replace

from p2pkaboo.audit.verdicts import Finding
from p2pkaboo.crypto.identity import PublicIdentity
from p2pkaboo.replica.charter import RACES, Charter
from p2pkaboo.replica.faults import PeerFault
from p2pkaboo.replica.forming import Sitting, charter_from, check_nonce, check_word, open_offer
from p2pkaboo.wire.bodies import CharterWord, Nonce
from p2pkaboo.wire.envelope import Envelope, verify_envelope
from p2pkaboo.wire.slot import Slot


@dataclass(slots=True)
class FormingCheck:
    """Feed it OFFER, the NONCEs in the order of the offer, the CHARTERs in seat order; then the charter is `agreed`.

    Before the charter nobody has a seat, so only who signs an impossible one can be named.
    """

    sitting: Sitting | None = None
    nonces: list[Nonce] = field(default_factory=list)
    words: int = 0
    charter: Charter | None = None
    signatures: int = 0

    def agreed(self) -> Charter | None:
        """The charter, once every seat has signed it."""
        return self.charter if self.charter is not None and self.words == self.charter.seats else None

    def feed(self, envelope: Envelope) -> Finding | None:
        """Takes the next message; what is wrong with it, or None."""
        try:
            if self.sitting is None:
                self.sitting = open_offer(envelope)
                self.signatures += len(self.sitting.joins)
            elif self.charter is None:
                self._nonce(self.sitting, envelope)
            else:
                self._word(self.sitting, self.charter, envelope)
        except PeerFault as fault:
            return Finding(fault.code, fault.reason, self._author(envelope), envelope.slot)
        self.signatures += 1
        return None

    def _author(self, envelope: Envelope) -> int | None:
        """The seat that has provably signed a charter that cannot follow from this offer.

        The JOINs in the offer fix all but the ping medians. Whoever gives two of those may have shown this seat the
        other one: with the race preset `auto` the charter of either preset is one that an honest seat may have signed.
        """
        sitting, charter, body = self.sitting, self.charter, envelope.body
        if sitting is None or charter is None or not isinstance(body, CharterWord) or envelope.seat >= charter.seats:
            return None
        offer = sitting.offer
        place = (envelope.table, envelope.deal, envelope.slot, envelope.head)
        of_this = place == (offer.table, offer.deal, Slot(3, "f", 0), offer.hash)
        signed = verify_envelope(envelope, PublicIdentity.decode(charter.keys[envelope.seat])) is not None
        races = RACES.values() if sitting.race == "auto" else (charter.race,)
        follows = body.charter in [replace(charter, race=race).hash for race in races]
        return envelope.seat if of_this and signed and not follows else None

    def _nonce(self, sitting: Sitting, envelope: Envelope) -> None:
        nonce = check_nonce(sitting, envelope)
        if envelope.seat != len(self.nonces):
            raise PeerFault("bad-charter", f"the NONCE of newcomer {len(self.nonces)} was due")
        self.nonces.append(nonce)
        if len(self.nonces) == len(sitting.joins):
            self.charter = charter_from(sitting, self.nonces)

    def _word(self, sitting: Sitting, charter: Charter, envelope: Envelope) -> None:
        check_word(sitting, charter, envelope)
        if envelope.seat != self.words:
            raise PeerFault("bad-charter", f"the CHARTER of seat {self.words} was due")
        self.words += 1

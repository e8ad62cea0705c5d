"""What is wrong with a transcript (07-audit.md, section 5)."""

from verifier.encoding import Slot


class Fault(Exception):
    """A verdict other than `valid`: its class, one plain sentence, and whose fault it is where that is known.

    `deal`: the number of the deal that `slot` is of, where that is not the deal under way.
    """

    def __init__(
        self, verdict: str, reason: str, seat: int | None = None, slot: Slot | None = None, deal: int | None = None
    ) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason
        self.seat = seat
        self.slot = slot
        self.deal = deal

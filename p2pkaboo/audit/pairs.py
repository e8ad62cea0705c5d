"""Looking for equivocation in a heap of records: two signatures of one seat for one slot of one deal."""

from collections.abc import Sequence

from p2pkaboo.audit.verdicts import Finding
from p2pkaboo.crypto.identity import PublicIdentity
from p2pkaboo.wire.codec import DecodeError
from p2pkaboo.wire.envelope import Envelope, decode_envelope, verify_envelope
from p2pkaboo.wire.slot import Slot


def find_pair(rows: Sequence[bytes], table: bytes, keys: Sequence[PublicIdentity]) -> tuple[int, Finding] | None:
    """The first two different messages of this table that one seat has signed for one slot of one deal.

    Gives the deal and the finding (`equivocation`, and whose); None if there are none. Never raises.
    """
    first: dict[tuple[int, Slot, int], Envelope] = {}
    for row in rows:
        try:
            envelope = decode_envelope(row)
        except DecodeError:
            continue
        if envelope.table != table or envelope.seat >= len(keys):
            continue
        place = (envelope.deal, envelope.slot, envelope.seat)
        known = first.setdefault(place, envelope)
        key = keys[envelope.seat]
        # Signatures are looked at only where two records say different things, or one thing under two signatures.
        if known.data == envelope.data or verify_envelope(envelope, key) is None:
            continue
        if verify_envelope(known, key) is None:
            first[place] = envelope
            continue
        if known.hash == envelope.hash:
            continue
        reason = "two different messages are signed for one slot"
        return envelope.deal, Finding("equivocation", reason, envelope.seat, envelope.slot)
    return None

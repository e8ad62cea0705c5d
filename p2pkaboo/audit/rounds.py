"""One deal checked from its first byte, message by message, through a replica of its own.

Order of the rules for each record; the first that fails is what is reported:

1. it decodes (`bad-record`);
2. it is of this table and deal, by a seat that plays (`bad-order`), and that seat has signed it (`bad-signature`);
3. no record says the same (`bad-order`), or something else for its slot and seat (`equivocation`);
4. everything that the replica refuses live: proofs, moves, times (its own class, and whose);
5. it continues the history before it (`disagreement`) and its step is open (`bad-order`);
6. it comes after the record before it in history order (`bad-order`);
7. when the keys are disclosed: what `disclosure` and `replay` find; then every RESULT is theirs (`bad-score`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pkaboo.audit.disclosure import check_opens, check_views, open_decks
from p2pkaboo.audit.knowledge import Hands
from p2pkaboo.audit.replay import Replayed, replay
from p2pkaboo.audit.verdicts import Finding, finding_of
from p2pkaboo.crypto.identity import PublicIdentity
from p2pkaboo.crypto.sigma import check
from p2pkaboo.replica.lanes import action_head
from p2pkaboo.replica.outputs import Accepted, Differing, Verify
from p2pkaboo.replica.own import result_body
from p2pkaboo.replica.state import Deal
from p2pkaboo.replica.table import drain, receive, verdict
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.codec import DecodeError
from p2pkaboo.wire.envelope import Envelope, decode_envelope, verify_envelope
from p2pkaboo.wire.slot import Slot


@dataclass(slots=True)
class RoundCheck:
    """Feed it the envelopes of a deal in history order.

    `faces`: every card of the deal by handle, and `replayed`, its end, once the keys are disclosed and all is well.
    """

    deal: Deal
    finding: Finding | None = None
    faces: Mapping[Handle, str] | None = None
    replayed: Replayed | None = None
    signatures: int = 0
    proofs: int = 0
    size: int = 0
    last: tuple[tuple[int, int, int], int] = ((0, 0, 0), 0)
    entered: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Which cards went into each series of shuffles, by its number."""
    hands: list[Hands] = field(default_factory=list)
    """Every change of what lies before the seats."""
    keys: tuple[PublicIdentity, ...] = ()

    def __post_init__(self) -> None:
        self.keys = tuple(PublicIdentity.decode(key) for key in self.deal.charter.keys)

    def feed(self, row: bytes) -> Finding | None:
        """Takes the next record; the first thing that was wrong so far, or None."""
        if self.finding is None:
            try:
                envelope = decode_envelope(row)
            except DecodeError as error:
                self.finding = Finding("bad-record", f"a record is no envelope: {error}")
            else:
                self.finding = self.take(envelope)
        return self.finding

    def take(self, envelope: Envelope) -> Finding | None:
        """Takes the next message, decoded already: what is wrong with it or shows by it, or None."""
        deal = self.deal
        if envelope.table != deal.table or envelope.deal != deal.deal or envelope.seat not in deal.active:
            return Finding("bad-order", "a record is a message of another table, another deal or nobody at this table")
        signed = verify_envelope(envelope, self.keys[envelope.seat])
        if signed is None:
            return Finding(
                "bad-signature",
                f"the signature of the {envelope.kind} that bears the number of seat {envelope.seat} does not verify",
                slot=envelope.slot,
            )
        self.signatures += 1
        self.size += len(envelope.data)
        held = deal.held.get((envelope.slot, envelope.seat))
        if held is not None and held.hash == envelope.hash:
            return Finding("bad-order", f"a {envelope.kind} stands here twice", slot=envelope.slot)
        receive(deal, signed)
        accepted, differing = self._settle(envelope)
        if deal.fault is not None:
            return finding_of(deal.fault)
        if deal.game is not None and (not self.hands or self.hands[-1][1] != deal.state.hands):
            self.hands.append((envelope.slot.order, deal.state.hands))
        return self._place(envelope, accepted, differing) or self._after(envelope)

    def _settle(self, envelope: Envelope) -> tuple[bool, Envelope | None]:
        """Carries out what the replica asks for. Is the message accepted, and which one continues another history?

        With the last message of a window that may be an earlier one of it, which answers a SNAP that is not there.
        """
        accepted, differing = False, None
        while outputs := drain(self.deal):
            for output in outputs:
                if isinstance(output, Verify):
                    self._verify(output)
                elif isinstance(output, Accepted):
                    accepted |= output.envelope.hash == envelope.hash
                elif isinstance(output, Differing):
                    differing = output.envelope
        return accepted, differing

    def _verify(self, command: Verify) -> None:
        failed = None
        for at, item in enumerate(command.checks):
            if check(item.statement, item.proof) is None:
                failed = at
                break
            self.proofs += 1
        verdict(self.deal, command.token, failed)

    def _place(self, envelope: Envelope, accepted: bool, differing: Envelope | None) -> Finding | None:
        deal, kind, slot = self.deal, envelope.kind, envelope.slot
        at_action = slot == Slot(deal.number + 1, "m", 0) and deal.lanes is not None
        if not accepted and at_action and action_head(deal) is not None:
            # Lanes join at heads of their own: an ACTION that bears another one is not of this history.
            differing = envelope
        if differing is not None:
            other = f"the {differing.kind} of seat {differing.seat}"
            return Finding("disagreement", f"{other} continues another history than this", slot=slot)
        if not accepted:
            return Finding("bad-order", f"a {kind} stands before what it needs", slot=slot)
        place = (slot.order, envelope.seat)
        if place <= self.last:
            return Finding("bad-order", f"a {kind} stands after what should follow it", slot=slot)
        self.last = place
        return None

    def _after(self, envelope: Envelope) -> Finding | None:
        deal = self.deal
        series = deal.series
        if series is not None and series.number not in self.entered:
            cards = tuple(deal.faces[handle] for handle in series.entering)
            self.entered[series.number] = cards or deck(deal.charter.rules)
        if envelope.kind == "DISCLOSE" and deal.main is not None and deal.main.kind == "RESULT":
            return self._disclosed()
        if envelope.kind == "RESULT" and envelope.body != result_body(deal):
            return Finding(
                "bad-score", "the signed result is not what the round gives", envelope.seat, slot=envelope.slot
            )
        return None

    def _disclosed(self) -> Finding | None:
        """With every key: all cards, all views, and the round played again with nothing hidden."""
        deal = self.deal
        faces = open_decks(deal, self.entered)
        if isinstance(faces, Finding):
            return faces
        finding = check_opens(deal, faces) or check_views(deal)
        if finding is not None:
            return finding
        replayed = replay(deal, faces)
        if isinstance(replayed, Finding):
            return replayed
        self.faces, self.replayed = faces, replayed
        return None

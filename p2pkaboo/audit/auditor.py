"""The audit of a round by each peer at its end, and of a whole transcript by anybody: the same checks.

A file is checked in its order, and the first thing wrong is reported (`rounds` lists the rules for each record). A
record that does not fit where it stands, or continues another history, names nobody by itself: then the whole file is
searched for two signatures of one seat that do. Only when every record holds, the file's own end is looked at.
"""

from collections.abc import Iterable, Sequence

from p2pkaboo.audit.forming import FormingCheck
from p2pkaboo.audit.history import last_head, ordered, step_number
from p2pkaboo.audit.pairs import find_pair
from p2pkaboo.audit.report import Report, RoundAudit, round_audit
from p2pkaboo.audit.rounds import RoundCheck
from p2pkaboo.audit.verdicts import UNREADABLE, VALID, Finding
from p2pkaboo.replica.charter import Charter
from p2pkaboo.replica.match import first_deal, match_over, next_deal
from p2pkaboo.replica.state import Totals
from p2pkaboo.replica.table import new_deal
from p2pkaboo.wire.codec import DecodeError
from p2pkaboo.wire.envelope import Envelope, decode_envelope
from p2pkaboo.wire.transcript import Transcript, TranscriptError, read_transcript

_NAMELESS = ("bad-order", "disagreement")
"""Findings for which a pair of signatures elsewhere may show whose fault it is."""


def audit_round(
    charter: Charter,
    deal: int,
    dealer: int,
    active: Sequence[int],
    standing: Totals,
    last_head: bytes,
    envelopes: Iterable[bytes],
) -> RoundAudit:
    """Checks one round from its first byte: what a peer does before it signs RESULT.

    `deal` to `last_head` as for `replica.table.new_deal`; `envelopes` in history order (`history.deal_envelopes`), at
    least to the end of DISCLOSE, else the verdict is `unfinished`. Pure, and shares nothing with the live replica: it
    may run in any thread. Never raises for what a peer has said.
    """
    checked = RoundCheck(new_deal(charter, deal, dealer, active, standing, last_head))
    rows = tuple(envelopes)
    finding = None
    for row in rows:
        finding = checked.feed(row)
        if finding is not None:
            break
    if finding is not None and finding.verdict in _NAMELESS:
        pair = find_pair(rows, charter.hash, checked.keys)
        finding = pair[1] if pair is not None else finding
    if finding is None and checked.replayed is None:
        finding = Finding("unfinished", "the keys of the round are not disclosed yet")
    return round_audit(checked, finding)


class Auditor:
    """A transcript under audit: `feed` it record by record, then ask for the `report`."""

    def __init__(self) -> None:
        self.forming = FormingCheck()
        self.rounds: list[RoundCheck] = []
        self.finding: Finding | None = None
        self.fed = 0

    def feed(self, row: bytes) -> Finding | None:
        """Takes the next record; the first thing that was wrong so far, or None."""
        if self.finding is None:
            self.fed += 1
            try:
                envelope = decode_envelope(row)
            except DecodeError as error:
                self.finding = Finding("bad-record", f"a record is no envelope: {error}")
            else:
                self.finding = self._take(envelope)
        return self.finding

    def _take(self, envelope: Envelope) -> Finding | None:
        if not self.rounds:
            finding = self.forming.feed(envelope)
            charter = self.forming.agreed()
            if charter is not None:
                self.rounds.append(RoundCheck(first_deal(charter)))
            return finding
        if self.rounds[-1].deal.over:
            if match_over(self.rounds[-1].deal):
                return self._after_the_end(envelope)
            if envelope.deal == self.rounds[-1].deal.deal + 1:
                self.rounds.append(RoundCheck(next_deal(self.rounds[-1].deal)))
        return self.rounds[-1].take(envelope)

    def _after_the_end(self, envelope: Envelope) -> Finding:
        finding = self.rounds[-1].take(envelope)
        return finding or Finding("bad-order", f"a {envelope.kind} follows the end of the match", slot=envelope.slot)

    def report(self, transcript: Transcript) -> Report:
        """The account of all that was fed, which were the envelopes of this transcript up to the first fault."""
        last = self.rounds[-1] if self.rounds else None
        keys = last.keys if last is not None else ()
        table = last.deal.table if last is not None else b""
        finding, at = self.finding, last
        if finding is not None and finding.verdict in _NAMELESS:
            pair = find_pair(transcript.envelopes, table, keys)
            if pair is not None:
                finding = pair[1]
                at = next((r for r in self.rounds if r.deal.deal == pair[0]), None)
        if finding is None:
            finding = self._ending(transcript)
        # Where a pair lies in another round, the last one still ends at what made the auditor look for it.
        wrong = [finding if r is at else self.finding if r is last else None for r in self.rounds]
        audits = tuple(round_audit(r, what) for r, what in zip(self.rounds, wrong, strict=True))
        charter = self.forming.charter
        slot = finding.slot if finding is not None else None
        in_round = at if finding is not None else None
        # The record at which the audit stopped is there too, though no deal holds it.
        rest = transcript.envelopes[self.fed - (self.finding is not None) :]
        return Report(
            verdict=VALID if finding is None else finding.verdict,
            reason="" if finding is None else finding.reason,
            rounds=len({r.deal.deal for r in self.rounds if r.deal.held} | _deals_in(rest, table)),
            round=None if in_round is None else in_round.deal.standing.round_no,
            step=None if in_round is None or slot is None else step_number(in_round.deal, slot),
            slot=None if slot is None else str(slot),
            seat=None if finding is None else finding.seat,
            signatures=self.forming.signatures + sum(r.signatures for r in self.rounds),
            proofs=sum(r.proofs for r in self.rounds),
            moves=sum(len(r.deal.moves) for r in self.rounds),
            names=charter.shown_names if charter is not None else (),
            audits=audits,
        )

    def _ending(self, transcript: Transcript) -> Finding | None:
        """What is wrong with the end of a file all of whose records hold."""
        footer = transcript.footer
        if footer is None:
            return Finding("truncated", f"the file is cut short: {transcript.cut}")
        if not self.rounds:
            return Finding("unfinished", "the table was never formed")
        deals = [r.deal for r in self.rounds]
        if footer.head != last_head(deals):
            return Finding("bad-head", "the head in the footer is not that of the last main step")
        deal = deals[-1]
        if deal.over and match_over(deal):
            return None
        steps = ordered(deal)
        where = f"after {steps[-1].slot}" if steps else "before its first step"
        return Finding("unfinished", f"the match is not over: round {deal.standing.round_no} ends {where}")


def _deals_in(rows: Iterable[bytes], table: bytes) -> set[int]:
    """The deals of this table of which there are messages, whether they hold or not."""
    deals = set()
    for row in rows:
        try:
            envelope = decode_envelope(row)
        except DecodeError:
            continue
        if envelope.table == table:
            deals.add(envelope.deal)
    return deals


def audit_file(data: bytes) -> Report:
    """The verdict on the bytes of a `.kaboo` file. Never raises, whatever they are."""
    try:
        transcript = read_transcript(data)
    except TranscriptError as error:
        return Report(UNREADABLE, str(error))
    auditor = Auditor()
    for row in transcript.envelopes:
        if auditor.feed(row) is not None:
            break
    return auditor.report(transcript)

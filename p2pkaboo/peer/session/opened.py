"""A transcript from a file: read, audited, and shown round by round."""

from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from p2pkaboo.audit.auditor import Auditor
from p2pkaboo.audit.report import Report
from p2pkaboo.journal.transcripts import load_transcript
from p2pkaboo.peer import api
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.peer.session.report import report_of
from p2pkaboo.peer.session.steps import steps_of
from p2pkaboo.replica.state import Deal
from p2pkaboo.wire.transcript import read_transcript


@dataclass(frozen=True, slots=True)
class Opened:
    """An audited transcript. `deals`: its rounds as far as they hold, with their audits in `report`."""

    path: Path
    report: Report
    deals: tuple[Deal, ...]

    def round_report(self, number: int, *, match: str, table: str, you: int | None) -> api.Report:
        """The audit of one round (0: the last)."""
        if not self.deals:
            verdict = api.Verdict(verdict=self.report.verdict, reason=self.report.reason)
            names, file = self.report.names, str(self.path)
            return api.Report(
                match=match, table=table, round=0, rounds=0, names=names, you=you, verdict=verdict, file=file
            )
        at = index_of(number, len(self.deals))
        count, file = len(self.deals), str(self.path)
        found = report_of(
            self.deals[at], self.report.audits[at], match=match, table=table, rounds=count, you=you, file=file
        )
        whole = self.report
        if at == count - 1 and found.verdict.verdict != whole.verdict:
            # What is wrong stands in another round: whoever opens the file is shown the last one, and must see it.
            verdict = replace(found.verdict, verdict=whole.verdict, reason=whole.reason, seat=whole.seat, step=None)
            return replace(found, verdict=verdict)
        return found

    def round_steps(self, command: api.ShowSteps, match: str) -> api.Steps:
        """The steps of one round (0: the last). Raises Refusal."""
        if not self.deals:
            raise Refusal("error.file", reason=self.report.reason)
        at = index_of(command.round, len(self.deals))
        refused = self.report.audits[at].slot or ""
        return steps_of(self.deals[at], match=match, first=command.first, count=command.count, refused=refused)


def open_transcript(path: Path) -> Opened:
    """Reads and audits a transcript: seconds of work for a long match. Raises JournalError, TranscriptError."""
    transcript = read_transcript(load_transcript(path))
    auditor = Auditor()
    for row in transcript.envelopes:
        if auditor.feed(row) is not None:
            break
    return Opened(path, auditor.report(transcript), tuple(checked.deal for checked in auditor.rounds))


def index_of(number: int, count: int) -> int:
    """Round number (0: the last one) to its place in a list. Raises Refusal."""
    if number == 0:
        return count - 1
    if number > count:
        raise Refusal("error.unknown", what=f"round {number}")
    return number - 1

"""A played round as a scenario: perfect information, from a transcript whose keys are disclosed."""

from typing import Any

from p2pkaboo.audit.auditor import Auditor
from p2pkaboo.audit.rounds import RoundCheck
from p2pkaboo.rules.scenario import export_scenario
from p2pkaboo.wire.transcript import TranscriptError, read_transcript


class ExportError(ValueError):
    """The round cannot be exported; the text says why."""


class UnreadableError(ExportError):
    """The bytes are no transcript."""


def export_round(data: bytes, round_no: int) -> dict[str, Any]:
    """The scenario document of one round (from 1) of a `.kaboo` file, checked up to the end of that round.

    `rules run` of it gives the hands and scores of the replica. Raises UnreadableError if the file is no transcript,
    ExportError if anything up to the end of the round is wrong, or the round is not there or not played to its end.
    """
    checked = _checked(data, round_no)
    deal, charter = checked.deal, checked.deal.charter
    if checked.faces is None:
        raise ExportError(f"round {round_no} was not played to its end: its keys are not disclosed")
    if len(deal.active) != charter.seats:
        raise ExportError(f"round {round_no} was played without seats that had forfeited: it is no scenario")
    names = charter.shown_names
    return export_scenario(
        charter.rules,
        names,
        deal.dealer,
        deal.order,
        [(made.move, made.reshuffled) for made in deal.moves],
        checked.faces,
        totals=dict(zip(names, deal.standing.totals, strict=True)),
        used_reset=[names[seat] for seat in deal.standing.used_reset],
        round_no=deal.standing.round_no,
    )


def _checked(data: bytes, round_no: int) -> RoundCheck:
    try:
        transcript = read_transcript(data)
    except TranscriptError as error:
        raise UnreadableError(str(error)) from None
    auditor = Auditor()
    for row in transcript.envelopes:
        finding = auditor.feed(row)
        last = auditor.rounds[-1] if auditor.rounds else None
        at_round = last is not None and last.deal.standing.round_no >= round_no
        if finding is not None:
            raise ExportError(f"{finding.verdict}: {finding.reason}")
        if at_round and last is not None and last.deal.over:
            break
    found = [checked for checked in auditor.rounds if checked.deal.standing.round_no == round_no]
    if not found:
        raise ExportError(f"there is no round {round_no}: the file has {len(auditor.rounds)}")
    return found[-1]

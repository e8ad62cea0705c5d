"""Matches that are over: the list of them, their audits and transcripts. Read beside a match that is being played."""

from collections import Counter
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio

from p2pkaboo.journal.errors import JournalError
from p2pkaboo.journal.profile import Profile
from p2pkaboo.journal.store import Journal, MatchRow
from p2pkaboo.peer import api
from p2pkaboo.peer.session.profile import name_of
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.ruleset import from_plain

if TYPE_CHECKING:
    from p2pkaboo.peer.session.opened import Opened

MAX_ROUND_SHOWN: Final = 255
"""Highest round number that the list of unfinished matches shows."""


class Archive:
    """The finished and the unfinished matches of a profile. Its own way into the journal, for reading only: the one of
    a running match belongs to that match. What reading a transcript takes is loaded with the first of them."""

    def __init__(self, profile: Profile, journal: Journal) -> None:
        self._profile, self._journal = profile, journal
        self._opened: Opened | None = None

    def unfinished(self) -> tuple[api.Unfinished, ...]:
        """The matches that can go on, newest first."""
        return tuple(
            api.Unfinished(id=str(row.id), name=row.table_name, round=self._round_of(row))
            for row in self._journal.unfinished()
        )

    def _round_of(self, row: MatchRow) -> int:
        """Which deal was under way: that of the last message we have sent."""
        from p2pkaboo.wire.codec import DecodeError
        from p2pkaboo.wire.envelope import decode_envelope

        last = b""
        for entry in self._journal.rows(row.id):
            if entry.kind == "sent":
                last = entry.data
        try:
            return min(decode_envelope(last).deal, MAX_ROUND_SHOWN)
        except DecodeError:
            return 1

    def row(self, match: str) -> MatchRow:
        """The match of this id. Raises Refusal."""
        row = next((row for row in self._journal.history() if str(row.id) == match), None)
        if row is None:
            raise Refusal("error.unknown", what=f"match {match}")
        return row

    def played_with(self) -> dict[str, int]:
        """How many matches were played with each key (hex)."""
        counts: Counter[str] = Counter()
        for row in self._journal.history():
            for contact in row.contacts if isinstance(row.contacts, list) else []:
                if isinstance(contact, list) and contact and isinstance(contact[0], bytes):
                    counts[contact[0].hex()] += 1
        return dict(counts)

    def history(self) -> api.History:
        """All matches that are over, newest first."""
        return api.History(matches=tuple(_past(row) for row in self._journal.history() if row.outcome is not None))

    def transcript(self, row: MatchRow) -> Path:
        """Where a match's transcript is. Raises Refusal when there is none."""
        path = self._profile.transcript_path(row.id, row.table_name, row.started)
        if not path.is_file():
            raise Refusal("error.file", reason="this match has left no transcript")
        return path

    async def opened(self, path: Path) -> "Opened":
        """A transcript file, audited; the last one is kept. Raises Refusal when it cannot be read."""
        from p2pkaboo.peer.session.opened import open_transcript
        from p2pkaboo.wire.transcript import TranscriptError

        if self._opened is None or self._opened.path != path:
            try:
                self._opened = await trio.to_thread.run_sync(partial(open_transcript, path))
            except (JournalError, TranscriptError) as error:
                raise Refusal("error.file", reason=str(error)) from None
        return self._opened


def _past(row: MatchRow) -> api.PastMatch:
    """A finished match for the list."""
    summary = row.summary
    names, totals, winners = summary.get("names"), summary.get("totals"), summary.get("winners")
    seat, rounds = summary.get("seat"), summary.get("rounds")
    try:
        rules = name_of(from_plain(row.about.get("rules"))).name
    except RulesError:  # of a version with other keys
        rules = ""
    players = tuple(map(str, names)) if isinstance(names, list) else (row.own_name,)
    finished = datetime.fromtimestamp(row.finished if row.finished is not None else row.started)
    return api.PastMatch(
        id=str(row.id),
        name=row.table_name,
        rules=rules,
        ended_at=finished.strftime("%Y-%m-%dT%H:%M"),
        players=players,
        totals=tuple(map(int, totals)) if isinstance(totals, list) else (),
        you=seat if isinstance(seat, int) else None,
        winners=tuple(map(int, winners)) if isinstance(winners, list) else (),
        rounds=rounds if isinstance(rounds, int) else 0,
        verdict="valid" if row.outcome == "finished" else (row.outcome or "").removeprefix("stopped: "),
    )

"""What there is to read of a match: log, audit reports, steps, transcripts; of the one being played and of old ones."""

from functools import partial
from pathlib import Path

import trio

from p2pkaboo.audit.history import match_transcript
from p2pkaboo.journal.transcripts import save_transcript
from p2pkaboo.peer import api
from p2pkaboo.peer.session.archive import Archive
from p2pkaboo.peer.session.opened import index_of
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.peer.session.report import report_of
from p2pkaboo.peer.session.steps import steps_of
from p2pkaboo.peer.session.visit import Visit

Request = api.ShowLog | api.ShowReport | api.ShowSteps | api.SaveTranscript | api.CheckTranscript


class Papers:
    """Answers requests to read."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def read(self, request: Request, visit: Visit | None) -> api.AnyResult:
        """`visit`: the table the player is at. Raises Refusal."""
        match request:
            case api.ShowLog():
                return api.LogPage(lines=() if visit is None else tuple(visit.human.chronicle.lines))
            case api.CheckTranscript():
                try:
                    path = await trio.to_thread.run_sync(Path(request.path).expanduser)
                except RuntimeError:
                    raise Refusal("error.file", reason=f"{request.path}: nobody here has this name") from None
                opened = await self._archive.opened(path)
                return opened.round_report(0, match="", table=path.stem, you=None)
            case api.ShowReport() | api.ShowSteps() | api.SaveTranscript() if not request.match:
                return await self._of_this(request, visit)
            case api.ShowReport() | api.ShowSteps() | api.SaveTranscript():
                return await self._of_old(request)

    async def _of_old(self, request: api.ShowReport | api.ShowSteps | api.SaveTranscript) -> api.AnyResult:
        row = self._archive.row(request.match)
        path = self._archive.transcript(row)
        if isinstance(request, api.SaveTranscript):
            return api.Saved(path=str(path))
        opened = await self._archive.opened(path)
        if isinstance(request, api.ShowSteps):
            return opened.round_steps(request, request.match)
        seat = row.summary.get("seat")
        you = seat if isinstance(seat, int) else None
        return opened.round_report(request.round, match=request.match, table=row.table_name, you=you)

    async def _of_this(
        self, request: api.ShowReport | api.ShowSteps | api.SaveTranscript, visit: Visit | None
    ) -> api.AnyResult:
        if visit is None or visit.seated is None:
            raise Refusal("error.not_now")
        seated, runner = visit.seated, visit.seated.runner
        file = "" if seated.transcript is None else str(seated.transcript)
        if isinstance(request, api.SaveTranscript):
            return api.Saved(path=file or await self._save(visit))
        deals = runner.deals
        if isinstance(request, api.ShowSteps):
            at = len(deals) - 1 if request.round == 0 else index_of(request.round, len(deals))
            refused = "" if runner.fault is None else str(runner.fault.slot)
            return steps_of(deals[at], match="", first=request.first, count=request.count, refused=refused)
        scored = [at for at, deal in enumerate(deals) if deal.score is not None]
        if not scored:
            raise Refusal("error.not_now")
        at = scored[-1] if request.round == 0 else index_of(request.round, len(deals))
        return report_of(
            deals[at],
            runner.audits[at],
            match="",
            table=visit.table_name,
            rounds=len(scored),
            you=runner.seat,
            file=file,
        )

    async def _save(self, visit: Visit) -> str:
        """The transcript of a match that is under way, as far as it is."""
        assert visit.seated is not None
        runner, place = visit.seated.runner, visit.place
        data = match_transcript(list(runner.forming), runner.deals)
        row = self._archive.row(str(visit.seated.match))
        path = place.profile.transcript_path(row.id, row.table_name, row.started)
        await trio.to_thread.run_sync(partial(save_transcript, path, data))
        return str(path)

"""Pages to read: help, why it is fair, the log, the score sheet, an audit report, a transcript, history."""

from dataclasses import dataclass, field
from itertools import groupby

from rich.text import Text

from p2pkaboo.peer.api import (
    AnyResult,
    History,
    LogPage,
    PastMatch,
    Report,
    SaveTranscript,
    ShowHistory,
    ShowReport,
    ShowSteps,
    Step,
    Steps,
    Table,
)
from p2pkaboo.ui.terminal.page import UNUSED, Answer, Quiet, Scene, Sheet, framed
from p2pkaboo.ui.terminal.round_view import GOOD, score_lines
from p2pkaboo.ui.terminal.say import Voice
from p2pkaboo.ui.terminal.table_view import log_lines
from p2pkaboo.ui.terminal.texts import count, listed, signed, t
from p2pkaboo.ui.terminal.widgets import FADED, HEAD, RED, Menu, Scroll, around, fold, pad

KEYS = ("d", "t", "x", "1–9", "Tab", "s", "Enter", "Esc", "c", "e", "l", "p", "r", "f", "y", "m", "q", "?")
FAIR = ("shuffle", "locks", "check", "open")
STEPS_A_PAGE = 500
NEWEST = 10**6
"""A line below the last one of every log: what is shown ends there."""


def help_sheet() -> Sheet:
    voice = Voice()
    caps = [(key, key.upper() if len(key) == 1 else key) for key in KEYS]
    keys = [Text.assemble((f"{cap:>7}", HEAD), "  ", t(f"keys.{key}")) for key, cap in caps]
    words = [voice.phrase(f"help.{name}") for name in ("mark", "snap", "others", "rules")]
    return Sheet(t("help.title"), [*words, Text(), *keys], opened_by="?")


def fair_sheet(table: Table | None) -> Sheet:
    voice = Voice()
    parts: list[Text] = []
    if table is not None and table.words:
        parts += [Text(" ".join(table.words), HEAD), Text(t("fair.words"), FADED), Text()]
    for name in FAIR:
        parts += [voice.phrase(f"fair.{name}"), Text()]
    parts += [Text(t("fair.limits"), HEAD), Text(t("fair.limits.a"))]
    return Sheet(t("fair.title"), parts, opened_by="f")


@dataclass(slots=True)
class LogSheet(Quiet):
    """The whole log of the match; until it has come, the newest lines."""

    page: LogPage | None = None
    scroll: Scroll = field(default_factory=lambda: Scroll(top=NEWEST))

    def lines(self, scene: Scene) -> list[Text]:
        table = scene.snapshot.table
        entries = list(self.page.lines) if self.page is not None else []
        newest = entries[-1].number if entries else -1
        entries += [line for line in (table.log if table is not None else ()) if line.number > newest]
        body = [row for entry in entries for row in log_lines(entry, scene.voice, scene.width)]
        view = self.scroll.view(body or [Text(t("table.log_empty"))], max(1, scene.height - 4))
        return framed(t("log.title"), view, t("sheet.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        if key in ("esc", "enter", "l", "q"):
            return Answer(close=True)
        return Answer() if self.scroll.key(key) else UNUSED

    def heard(self, result: AnyResult) -> bool:
        if not isinstance(result, LogPage):
            return False
        # What was there before was shorter: to the newest line again.
        self.page, self.scroll = result, Scroll(top=NEWEST)
        return True


@dataclass(slots=True)
class ScoresSheet(Quiet):
    """The score sheet of the match, always the newest."""

    scroll: Scroll = field(default_factory=Scroll)

    def lines(self, scene: Scene) -> list[Text]:
        table = scene.snapshot.table
        body = score_lines(table.scores, scene.voice, scene.width) if table is not None else [Text(t("scores.none"))]
        return framed(t("scores.title"), self.scroll.view(body, max(1, scene.height - 4)), t("sheet.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        if key in ("esc", "enter", "p", "q"):
            return Answer(close=True)
        return Answer() if self.scroll.key(key) else UNUSED


@dataclass(slots=True)
class ReportPage(Quiet):
    """The audit of one round: what was checked, and who knew which card before the reveal."""

    report: Report | None = None
    scroll: Scroll = field(default_factory=Scroll)

    def lines(self, scene: Scene) -> list[Text]:
        if self.report is None:
            return framed(t("report.pending"), [], t("sheet.end"), scene)
        title = t("report.title", table=self.report.table, n=self.report.round)
        voice = Voice.of(self.report, four=scene.snapshot.settings.four_colours)
        body = self.scroll.view(report_lines(self.report, voice, scene.width), max(1, scene.height - 4))
        return framed(title, body, t("report.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        if key in ("esc", "enter", "r", "q"):
            return Answer(close=True)
        if self.scroll.key(key):
            return Answer()
        report = self.report
        if report is None:
            return UNUSED
        if key == "v":
            return Answer([SaveTranscript(match=report.match)])
        if key == "g":
            ask = ShowSteps(match=report.match, round=report.round, count=STEPS_A_PAGE)
            return Answer([ask], open=StepsPage())
        turn = {"n": 1, "p": -1}.get(key, 0)
        if turn and 1 <= report.round + turn <= report.rounds:
            return Answer([ShowReport(match=report.match, round=report.round + turn)])
        return Answer() if turn else UNUSED

    def heard(self, result: AnyResult) -> bool:
        if not isinstance(result, Report):
            return False
        self.report, self.scroll = result, Scroll()
        return True


def report_lines(report: Report, voice: Voice, width: int) -> list[Text]:
    verdict = report.verdict
    if verdict.verdict == "valid":
        parts = [Text.assemble((t("report.ok"), GOOD), f" {t('report.ok_lead')}")]
    elif verdict.verdict == "pending":
        parts = [Text(t("report.pending"))]
    else:
        parts = [Text(f"{t('report.bad', verdict=verdict.verdict)} {verdict.reason}".strip(), RED)]
    counts = {name: getattr(verdict, name) for name in ("signatures", "proofs", "moves", "cards", "races")}
    parts.append(Text(t("report.counts", **counts)))
    if verdict.signed:
        parts.append(Text(t("report.signed", names=listed([voice.who(seat) for seat in verdict.signed]))))
    if report.words:
        parts.append(Text(t("report.words", words=" ".join(report.words))))
    if report.file:
        parts.append(Text(t("report.file", path=report.file)))
    lines = [line for part in parts for line in fold(part, width)]
    if report.cards:
        lines += [Text(), Text(t("report.knew"), HEAD)]
    for card in report.cards:
        head = voice.phrase("report.card", name=voice.name(card.seat), place=card.position, card=card.face)
        # Those who learned it in the same way, all of them where it was shown, share one line.
        knew = [
            Text.assemble(listed([voice.who(k.seat) for k in group]), " (", voice.say(how, inside=True), ")")
            for how, group in groupby(sorted(card.knew, key=lambda k: k.since), key=lambda k: k.how)
        ]
        who = Text(", ").join(knew) if knew else Text(t("report.nobody"), FADED)
        lines += [
            Text.assemble(pad(head if i == 0 else "", 34), row) for i, row in enumerate(fold(who, max(12, width - 34)))
        ]
    return lines


@dataclass(slots=True)
class StepsPage(Quiet):
    """The steps of a round's transcript in plain words, fetched in pieces as one scrolls."""

    shown: Steps | None = None
    steps: list[Step] = field(default_factory=list)
    scroll: Scroll = field(default_factory=Scroll)

    def lines(self, scene: Scene) -> list[Text]:
        shown = self.shown
        if shown is None:
            return framed(t("report.pending"), [], t("sheet.end"), scene)
        voice = Voice.of(shown, four=scene.snapshot.settings.four_colours)
        body = [row for step in self.steps for row in step_lines(step, voice, scene.width)]
        view = self.scroll.view(body, max(1, scene.height - 6))
        lead = [*fold(Text(t("steps.lead"), FADED), scene.width), Text()]
        return framed(t("steps.title", n=shown.round), [*lead, *view], t("sheet.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        if key in ("esc", "enter", "q"):
            return Answer(close=True)
        if not self.scroll.key(key):
            return UNUSED
        shown = self.shown
        if shown is None or len(self.steps) >= shown.total or key not in ("down", "pagedown", "end", " "):
            return Answer()
        if self.scroll.top + 2 * self.scroll.height < len(self.steps):  # a step has one line at least
            return Answer()
        more = ShowSteps(match=shown.match, round=shown.round, first=len(self.steps), count=STEPS_A_PAGE)
        return Answer([more])

    def heard(self, result: AnyResult) -> bool:
        if not isinstance(result, Steps):
            return False
        known = {step.number for step in self.steps}
        self.steps += [step for step in result.steps if step.number not in known]
        self.shown = result
        return True


def step_lines(step: Step, voice: Voice, width: int) -> list[Text]:
    who = t("steps.all") if len(step.seats) == len(voice.names) > 1 else listed([voice.name(s) for s in step.seats])
    tail = f"  {count('steps.proofs', step.proofs)}" if step.proofs else ""
    words = Text.assemble(voice.say(step.say), (tail, FADED), (f"  {t('steps.bad')}" if not step.ok else "", RED))
    head = Text.assemble((f"{step.number:>5} ", FADED), pad(step.slot, 8), pad(who, 16), " ")
    rows = fold(words, max(12, width - head.cell_len))
    return [Text.assemble(head if i == 0 else " " * head.cell_len, row) for i, row in enumerate(rows)]


@dataclass(slots=True)
class HistoryPage(Quiet):
    """Every match played, newest first as the peer gives them; Enter opens the audit report."""

    history: History | None = None
    menu: Menu = field(default_factory=Menu)

    @staticmethod
    def ask() -> ShowHistory:
        return ShowHistory()

    def lines(self, scene: Scene) -> list[Text]:
        if self.history is None:
            return framed(t("history.title"), [], t("sheet.end"), scene)
        if not self.history.matches:
            return framed(t("history.title"), fold(t("history.none"), scene.width), t("sheet.end"), scene)
        self.menu.items = [(match.id, match_line(match, scene.width - 4)) for match in self.history.matches]
        rows = around(self.menu.draw(), self.menu.at, max(1, scene.height - 4))
        return framed(t("history.title"), rows, t("history.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        if key in ("esc", "q"):
            return Answer(close=True)
        if self.history is not None and not self.menu.items:
            self.menu.items = [(match.id, Text(match.name)) for match in self.history.matches]
        chosen = self.menu.key(key)
        if chosen:
            return Answer([ShowReport(match=chosen)], open=ReportPage())
        return UNUSED if chosen is None else Answer()

    def heard(self, result: AnyResult) -> bool:
        if not isinstance(result, History):
            return False
        self.history = result
        self.menu = Menu()
        return True


def match_line(match: PastMatch, width: int) -> Text:
    players = ", ".join(
        f"{'★ ' if seat in match.winners else ''}{t('you') if seat == match.you else name} {signed(total)}"
        for seat, (name, total) in enumerate(zip(match.players, match.totals, strict=False))
    )
    verdict = t("history.valid") if match.verdict == "valid" else match.verdict
    when = match.ended_at.replace("T", " ")
    return pad(f"{when}  {match.name} · {match.rules} · {players} · {verdict}", max(20, width))

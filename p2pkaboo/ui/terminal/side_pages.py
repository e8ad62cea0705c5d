"""Beside the game: settings, the scorekeeper, checking a transcript, leaving a table."""

from dataclasses import dataclass, field

from rich.text import Text

from p2pkaboo.peer.api import (
    AnyCommand,
    AnyResult,
    CheckTranscript,
    Leave,
    ScoreAdd,
    ScoreNew,
    ScorePad,
    ScoreUndo,
    SetName,
    SetSetting,
    Snapshot,
    Table,
)
from p2pkaboo.ui.terminal.page import UNUSED, Answer, FormPage, Scene, framed
from p2pkaboo.ui.terminal.reading import ReportPage
from p2pkaboo.ui.terminal.texts import signed, t
from p2pkaboo.ui.terminal.widgets import FADED, HEAD, Button, Entry, Field, Form, Option, pad

NAME_LENGTH = 24
"""Characters of a person's name; longer ones would not fit beside a hand."""
COLUMN = 14
"""Columns of a player on the score sheet, where there is room for them."""
MOST_POINTS = 999
"""Points of one round either way, as in the API."""
SWITCHES = (("sound", "sound"), ("four", "four_colours"), ("confirm", "confirm_calls"), ("hints", "hints"))
"""Settings that concern a terminal: label and name in the API."""


class SettingsPage(FormPage):
    """What concerns a terminal; theme, motion and the like are the page's."""

    __slots__ = ()

    @classmethod
    def of(cls, snapshot: Snapshot) -> "SettingsPage":
        fields: list[Field] = [Entry("name", t("settings.name"), snapshot.me.name, NAME_LENGTH)]
        for label, name in SWITCHES:
            values = [("", t("switch.no")), ("yes", t("switch.yes"))]
            fields.append(Option(name, t(f"settings.{label}"), values, at=int(getattr(snapshot.settings, name))))
        return cls(t("settings.title"), Form([*fields, Button("save", t("settings.save"))]))

    def enter(self, name: str, scene: Scene) -> Answer:
        given = self.form.value("name").strip()
        if not given:
            return Answer(message=t("error.name"))
        commands: list[AnyCommand] = []
        if given != scene.snapshot.me.name:
            commands.append(SetName(name=given))
        for _, setting in SWITCHES:
            value = bool(self.form.value(setting))
            if value != getattr(scene.snapshot.settings, setting):
                commands.append(SetSetting(name=setting, value=value))
        return Answer(commands, close=True)


class CheckPage(FormPage):
    """Audit a `.kaboo` file of somebody else's."""

    __slots__ = ()

    @classmethod
    def new(cls) -> "CheckPage":
        form = Form([Entry("path", t("check.path")), Button("do", t("check.do"))])
        return cls(t("check.title"), form, t("check.lead"))

    def enter(self, name: str, scene: Scene) -> Answer:
        path = self.form.value("path").strip()
        if not path:
            return Answer(message=t("check.empty"))
        return Answer([CheckTranscript(path=path)], open=ReportPage())


@dataclass(slots=True)
class ScorePage:
    """A scorekeeper for a game with paper cards; the peer keeps the numbers."""

    pad: ScorePad | None = None
    form: Form = field(default_factory=lambda: Form([]))

    def _form(self) -> Form:
        """Without a game: who plays. With one: the points of the next round."""
        playing = self.pad is not None and bool(self.pad.names)
        wanted = ["points", "add", "undo", "new"] if playing else ["names", "start"]
        if [f.name for f in self.form.fields] != wanted:
            label = t("score.points", n=len(self.pad.rounds) + 1) if self.pad is not None else ""
            fields: list[Field] = (
                [
                    Entry("points", label),
                    Button("add", t("score.add")),
                    Button("undo", t("score.undo")),
                    Button("new", t("score.new")),
                ]
                if playing
                else [Entry("names", t("score.names")), Button("start", t("score.start"))]
            )
            self.form = Form(fields)
        return self.form

    def lines(self, scene: Scene) -> list[Text]:
        form = self._form()
        found = self.pad
        rows: list[Text] = []
        if found is None or not found.names:
            rows.append(Text(t("score.none"), FADED))
        else:
            # Every player has a column, however many there are and however narrow the window.
            column = min(COLUMN, scene.width // len(found.names))
            rows.append(Text.assemble(*(pad(pad(name, column - 1), column) for name in found.names)))
            rows[-1].stylize(HEAD)
            keep = max(1, scene.height - 14)
            rows += [Text.assemble(*(pad(signed(n), column) for n in points)) for points in found.rounds[-keep:]]
            leads = t("score.leads") if column == COLUMN else "★"
            totals = [
                pad(f"{signed(n)}{f' {leads}' if seat in found.leaders else ''}", column)
                for seat, n in enumerate(found.totals)
            ]
            rows += [Text("─" * column * len(found.names), FADED), Text.assemble(*totals)]
        return framed(t("score.title"), [*rows, Text(), *form.draw()], t("form.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        form = self._form()
        if key == "esc":
            return Answer(close=True)
        on = form.on()
        if key == "enter" and on is not None:
            return self._enter(on.name)
        return Answer() if form.key(key) else UNUSED

    def _enter(self, name: str) -> Answer:
        found = self.pad
        if name in ("names", "start"):
            names = tuple(part.strip() for part in self.form.value("names").split(",") if part.strip())
            if not 2 <= len(names) <= 8 or len(set(names)) != len(names) or max(map(len, names)) > NAME_LENGTH:
                return Answer(message=t("score.bad_names", most=NAME_LENGTH))
            return Answer([ScoreNew(names=names)])
        if name == "undo":
            return Answer([ScoreUndo()])
        if name == "new" or found is None:
            self.pad = None
            return Answer()
        points = _numbers(self.form.value("points"))
        if points is None or len(points) != len(found.names):
            return Answer(message=t("score.bad_points", n=len(found.names), most=MOST_POINTS))
        return Answer([ScoreAdd(points=points)])

    def paste(self, text: str) -> bool:
        on = self._form().on()
        if not isinstance(on, Entry):
            return False
        on.type(text)
        return True

    def heard(self, result: AnyResult) -> bool:
        if not isinstance(result, ScorePad):
            return False
        self.pad, self.form = result, Form([])
        return True


def _numbers(text: str) -> tuple[int, ...] | None:
    """Whole numbers with spaces or commas between, or `None` if something else stands there."""
    try:
        found = tuple(int(part) for part in text.replace("−", "-").replace(",", " ").split())
    except ValueError:
        return None
    return found if all(abs(n) <= MOST_POINTS for n in found) else None


class LeavePage(FormPage):
    """Stay, close and keep the seat, or leave for good."""

    __slots__ = ()

    @classmethod
    def of(cls, table: Table) -> "LeavePage":
        free = table.you is None or table.practice or (table.result is not None and table.result.match_over)
        fields: list[Field] = [Button("stay", t("leave.stay")), Button("close", t("leave.close"))]
        fields.append(Button("leave", t("leave.leave" if free else "leave.forfeit")))
        return cls(t("leave.title"), Form(fields), t("leave.lead_free" if free else "leave.lead"))

    def enter(self, name: str, scene: Scene) -> Answer:
        if name == "close":
            return Answer(quit=True)
        return Answer([Leave(snapshot=scene.snapshot.number)] if name == "leave" else [], close=True)

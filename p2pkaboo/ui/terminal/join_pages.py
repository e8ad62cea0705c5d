"""Joining: open tables of this network, an invite, and the wait while the peer looks for a way to the others."""

from dataclasses import dataclass, field

from rich.text import Text

from p2pkaboo.peer.api import Join, Leave
from p2pkaboo.ui.terminal.page import UNUSED, Answer, Quiet, Scene, framed
from p2pkaboo.ui.terminal.texts import t
from p2pkaboo.ui.terminal.widgets import FADED, HEAD, Button, Entry, Form, around, fold


@dataclass(slots=True)
class JoinPage(Quiet):
    """Open tables of this network, and a field for an invite."""

    form: Form = field(default_factory=lambda: Form([]))
    _invite: Entry = field(default_factory=lambda: Entry("invite", t("join.invite")))

    def _fields(self, scene: Scene) -> None:
        found = [
            Button(
                f"table {table.id}",
                t(
                    "join.playing" if table.playing else "join.table",
                    name=table.name,
                    rules=table.rules,
                    taken=table.taken,
                    wanted=table.wanted,
                ),
            )
            for table in scene.snapshot.tables
        ]
        before = self.form.on()
        self.form.fields = [*found, self._invite, Button("do", t("join.do"))]
        names = [f.name for f in self.form.fields]
        self.form.at = names.index(before.name) if before is not None and before.name in names else 0

    def lines(self, scene: Scene) -> list[Text]:
        self._fields(scene)
        rows = around(self.form.draw(), self.form.at, max(1, scene.height - 4))
        if not scene.snapshot.tables:
            rows = [*fold(Text(t("join.none"), FADED), scene.width), Text(), *rows]
        return framed(t("join.title"), rows, t("form.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        self._fields(scene)
        if key == "esc":
            return Answer(close=True)
        on = self.form.on()
        if key != "enter" or on is None:
            return Answer() if self.form.key(key) else UNUSED
        if on.name.startswith("table "):
            chosen = next(tb for tb in scene.snapshot.tables if f"table {tb.id}" == on.name)
            return Answer(message=t("join.full")) if chosen.playing else Answer([Join(table=chosen.id)])
        invite = self._invite.value.strip()
        return Answer([Join(invite=invite)]) if invite else Answer(message=t("join.empty"))

    def paste(self, text: str) -> bool:
        """An invite is what one pastes here, wherever the cursor is."""
        self._invite.type(text.strip())
        self.form.at = max(0, len(self.form.fields) - 2)
        return True


@dataclass(slots=True)
class JoiningPage(Quiet):
    """The peer looks for a way to the others."""

    def lines(self, scene: Scene) -> list[Text]:
        body = fold(t("joining.lead"), scene.width)
        if scene.snapshot.notice is not None:
            body += [Text(), *fold(scene.voice.say(scene.snapshot.notice), scene.width)]
        return framed(Text(t("joining.title"), HEAD), body, t("sheet.end"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        return Answer([Leave(snapshot=scene.snapshot.number)]) if key == "esc" else UNUSED

"""Before a table: the start screen, playing against bots, hosting, the lessons."""

from collections.abc import Callable
from dataclasses import dataclass, field

from rich.text import Text

from p2pkaboo.peer.api import (
    Host,
    PlayBots,
    Practice,
    Resume,
    RulesName,
    ScoreShow,
    Snapshot,
)
from p2pkaboo.ui.terminal.join_pages import JoinPage
from p2pkaboo.ui.terminal.page import UNUSED, Answer, FormPage, Page, Quiet, Scene, framed
from p2pkaboo.ui.terminal.reading import HistoryPage, help_sheet
from p2pkaboo.ui.terminal.rules_page import House, RulesPage
from p2pkaboo.ui.terminal.side_pages import CheckPage, ScorePage, SettingsPage
from p2pkaboo.ui.terminal.texts import count, has, t
from p2pkaboo.ui.terminal.widgets import FADED, Button, Entry, Form, Menu, Option, around, fold

LESSONS = 4
"""Practice lessons on a fixed deck; after them comes a real round with hints."""
HINTED_BOTS = 2
MOST_BOTS = 7
MOST_SEATS = 8
NAME_LENGTH = 80
"""Characters of a table's name in the API."""


@dataclass(slots=True)
class StartPage(Quiet):
    """The peer has no table: what may be done."""

    menu: Menu = field(default_factory=Menu)

    def _items(self, scene: Scene) -> None:
        snapshot = scene.snapshot
        items: list[tuple[str, Text]] = []
        for table in snapshot.unfinished:
            if table.kept_until_ms is None:
                label = t("start.resume", name=table.name, n=table.round)
            else:
                rest = max(0, table.kept_until_ms - scene.now_ms) // 1000
                kept = f"{rest // 60}:{rest % 60:02}"
                label = t("start.resume_kept", name=table.name, n=table.round, left=kept)
            items.append((f"resume {table.id}", Text(label)))
        for name in ("play", "host", "join", "learn", "score", "history", "check", "settings", "help", "quit"):
            found = len(snapshot.tables)
            label = t("start.join_n", n=found) if name == "join" and found else t(f"start.{name}")
            items.append((name, Text(label)))
        self.menu.items = items

    def lines(self, scene: Scene) -> list[Text]:
        self._items(scene)
        me = scene.snapshot.me
        head = [*fold(Text(t("start.lead"), FADED), scene.width), Text(), Text(t("start.me", name=me.name))]
        if me.words:
            head.append(Text(t("start.me_words", words=" ".join(me.words)), FADED))
        if scene.snapshot.notice is not None:
            head += [Text(), *fold(scene.voice.say(scene.snapshot.notice), scene.width)]
        rows = self.menu.draw()
        room = scene.height - 4
        if room < len(head) + 1 + len(rows):
            rows = around(rows, self.menu.at, max(1, room))
            return framed(t("start.title"), rows, t("start.foot"), scene)
        return framed(t("start.title"), [*head, Text(), *rows], t("start.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        self._items(scene)
        if key == "?":
            return Answer(open=help_sheet())
        if key == "q":
            return Answer(quit=True)
        chosen = self.menu.key(key)
        if not chosen:
            return UNUSED if chosen is None else Answer()
        return self._choose(chosen, scene.snapshot)

    def _choose(self, name: str, snapshot: Snapshot) -> Answer:
        if name.startswith("resume "):
            return Answer([Resume(table=name.removeprefix("resume "))])
        if name == "score":
            return Answer([ScoreShow()], open=ScorePage())
        if name == "history":
            page = HistoryPage()
            return Answer([page.ask()], open=page)
        if name == "quit":
            return Answer(quit=True)
        pages: dict[str, Callable[[], Page]] = {
            "play": lambda: PlayPage.of(snapshot),
            "host": lambda: HostPage.of(snapshot),
            "join": JoinPage,
            "learn": LearnPage,
            "check": CheckPage.new,
            "settings": lambda: SettingsPage.of(snapshot),
            "help": help_sheet,
        }
        return Answer(open=pages[name]())


def _rules_option(snapshot: Snapshot) -> Option:
    return Option("rules", t("play.rules"), [(rules.id, _described(rules)) for rules in snapshot.rules])


def _described(rules: RulesName) -> str:
    """A rule set's name, with what is special about it or how far it is from its preset."""
    if rules.changes:
        return f"{rules.name} ({count('changes', rules.changes)})"
    return f"{rules.name}: {t(f'preset.{rules.preset}')}" if has(f"preset.{rules.preset}") else rules.name


class _Table(FormPage):
    """What playing and hosting have in common: a rule set and changes to it."""

    __slots__ = ("house",)
    house: House

    def lines(self, scene: Scene) -> list[Text]:
        self._follow()
        for found in self.form.fields:
            if found.name == "house" and isinstance(found, Button):
                changes = len(self.house.overrides)
                words = t("play.house_n", changes=count("changes", changes)) if changes else t("play.house")
                found.label = words
        return FormPage.lines(self, scene)

    def _follow(self) -> None:
        """Changes belong to a rule set: another one starts without any."""
        rules = self.form.value("rules")
        if rules != self.house.rules:
            self.house.rules, self.house.overrides = rules, {}

    def edit(self) -> Answer:
        self._follow()
        page = RulesPage.edit(self.house)
        return Answer([page.ask()], open=page)


class PlayPage(_Table):
    """Play against bots: how many, which style, which rules."""

    __slots__ = ()

    @classmethod
    def of(cls, snapshot: Snapshot) -> "PlayPage":
        styles = [("", t("play.mixed")), *((style.id, style.name) for style in snapshot.styles)]
        form = Form(
            [
                Option("bots", t("play.bots"), [(str(n), str(n)) for n in range(1, MOST_BOTS + 1)], at=2),
                Option("style", t("play.style"), styles),
                _rules_option(snapshot),
                Option("hints", t("play.hints"), [("", t("switch.no")), ("yes", t("switch.yes"))]),
                Button("house", t("play.house")),
                Button("do", t("play.do")),
            ],
            at=5,
        )
        page = cls(t("play.title"), form)
        page.house = House(form.value("rules"))
        return page

    def enter(self, name: str, scene: Scene) -> Answer:
        if name == "house":
            return self.edit()
        self._follow()
        form = self.form
        command = PlayBots(
            bots=int(form.value("bots")),
            style=form.value("style"),
            rules=self.house.rules,
            overrides=dict(self.house.overrides),
            hints=bool(form.value("hints")),
        )
        return Answer([command])


class HostPage(_Table):
    """Open a table for others."""

    __slots__ = ()

    @classmethod
    def of(cls, snapshot: Snapshot) -> "HostPage":
        name = t("host.default", name=snapshot.me.name)
        form = Form(
            [
                Entry("name", t("host.name"), name, NAME_LENGTH),
                Option("seats", t("host.seats"), [(str(n), str(n)) for n in range(2, MOST_SEATS + 1)], at=2),
                Option("open", t("host.open"), [("", t("host.lan")), ("private", t("host.private"))]),
                Entry("port", t("host.port"), "", 5),
                _rules_option(snapshot),
                Button("house", t("play.house")),
                Button("do", t("host.do")),
            ],
            at=6,
        )
        page = cls(t("host.title"), form, t("host.note"))
        page.house = House(form.value("rules"))
        return page

    def enter(self, name: str, scene: Scene) -> Answer:
        if name == "house":
            return self.edit()
        self._follow()
        form = self.form
        given, port = form.value("name").strip(), form.value("port").strip()
        if not given:
            return Answer(message=t("error.name"))
        if port and not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
            return Answer(message=t("host.bad_port", port=port))
        command = Host(
            name=given,
            seats=int(form.value("seats")),
            rules=self.house.rules,
            overrides=dict(self.house.overrides),
            private=bool(form.value("open")),
            port=int(port) if port else None,
        )
        return Answer([command])


@dataclass(slots=True)
class LearnPage(Quiet):
    """Four lessons on a fixed deck, then a real round with hints."""

    menu: Menu = field(default_factory=lambda: Menu([(str(n), Text(t(f"learn.{n + 1}"))) for n in range(LESSONS + 1)]))

    def lines(self, scene: Scene) -> list[Text]:
        lead = [*fold(Text(t("learn.lead"), FADED), scene.width), Text()]
        return framed(t("learn.title"), [*lead, *self.menu.draw()], t("form.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        if key == "esc":
            return Answer(close=True)
        chosen = self.menu.key(key)
        if not chosen:
            return UNUSED if chosen is None else Answer()
        lesson = int(chosen)
        return Answer([Practice(lesson=lesson) if lesson < LESSONS else PlayBots(bots=HINTED_BOTS, hints=True)])

"""The terminal interface without a terminal: `key(str)` and `heard(…)` in, commands and `screen()` out.

Its state comes from snapshots and keys only. It reads no clock: whoever drives it says what time it is on the peer's.
"""

from dataclasses import dataclass, field

from rich.console import Group
from rich.text import Text

from p2pkaboo.peer.api import AnyCommand, AnyEvent, CheatCaught, Reply, Saved, Snapshot, Table, Timer
from p2pkaboo.ui.terminal.join_pages import JoiningPage
from p2pkaboo.ui.terminal.lobby_page import LobbyPage
from p2pkaboo.ui.terminal.page import Answer, Page, Scene
from p2pkaboo.ui.terminal.reading import ReportPage
from p2pkaboo.ui.terminal.say import Voice
from p2pkaboo.ui.terminal.sentences import spoken
from p2pkaboo.ui.terminal.start_pages import StartPage
from p2pkaboo.ui.terminal.table_page import TablePage, asks
from p2pkaboo.ui.terminal.texts import t
from p2pkaboo.ui.terminal.widgets import RED, YELLOW

MESSAGE_MS = 6_000
"""How long a line about the last key stays if no other key is pressed: long enough to read two sentences."""
NARROWEST, LOWEST = 20, 6
"""Smallest window that is drawn for; a smaller one shows a part."""


@dataclass(slots=True)
class Model:
    """Everything between the keys and the picture. `over` is set when the person has closed the interface."""

    width: int = 80
    height: int = 24
    snapshot: Snapshot | None = None
    now_ms: int = 0
    pages: list[Page] = field(default_factory=list)
    table: TablePage = field(default_factory=TablePage)
    start: StartPage = field(default_factory=StartPage)
    lobby: LobbyPage = field(default_factory=LobbyPage)
    joining: JoiningPage = field(default_factory=JoiningPage)
    message: Text | None = None
    message_until_ms: int = 0
    over: bool = False
    closing: bool = False
    """Ctrl-C was pressed once."""
    bells: int = 0
    """How often the bell should have rung so far: at the start of one's turn, and when somebody is caught."""

    # ------------------------------------------------------------ in

    def clock(self, now_ms: int) -> None:
        """What the peer's clock says now."""
        self.now_ms = max(self.now_ms, now_ms)
        if self.message is not None and self.now_ms >= self.message_until_ms:
            self.message = None

    def resize(self, width: int, height: int) -> None:
        self.width, self.height = max(NARROWEST, width), max(LOWEST, height)

    def heard(self, item: Snapshot | AnyEvent) -> None:
        """A snapshot or an event from the peer. Events bring motion, of which a terminal has none but the bell."""
        if isinstance(item, CheatCaught):
            self._ring()
        if not isinstance(item, Snapshot):
            return
        before = self.snapshot
        self.snapshot = item
        self.clock(item.now_ms)
        if before is None or before.screen != item.screen:
            self.pages.clear()
            self.table, self.lobby = TablePage(), LobbyPage()
        self.table.follow(item, self.now_ms)
        if asks(item.table) and not asks(before.table if before is not None else None):
            self._ring()
        elif before is not None and item.notice is not None and item.notice != before.notice:
            self._say(self._voice().say(item.notice))

    def answered(self, command: AnyCommand, reply: Reply) -> None:
        """The peer's answer to a command that `key` gave."""
        if reply.error is not None:
            self.table.refused(command, self.snapshot.table if self.snapshot is not None else None)
            self._say(self._voice().say(reply.error))
            if self.pages and isinstance(self.pages[-1], ReportPage) and self.pages[-1].report is None:
                self.pages.pop()
            return
        if isinstance(reply.result, Saved):
            self._say(t("saved.to", path=reply.result.path))
        elif reply.result is not None:
            for page in reversed(self.pages):
                if page.heard(reply.result):
                    break

    def key(self, key: str) -> list[AnyCommand]:
        """One key press: a printable character, or a name ("enter", "esc", "tab", "shift-tab", "up", "ctrl-c", …).
        Returns the commands to send, in order. A key that means nothing here leaves one line and changes nothing."""
        closing, self.closing = self.closing, False
        if key == "ctrl-c":
            return self._close(closing)
        scene = self._scene()
        if scene is None:
            return []
        self.message = None
        answer = self._top().key(key, scene)
        if not answer.used:
            name = {" ": "Space"}.get(key, key.upper() if len(key) == 1 else key.capitalize())
            self._say(t("bad.key", key=name))
            return []
        return self._apply(answer)

    def paste(self, text: str) -> None:
        """Text pasted in one go: it goes where text is typed, and is never taken for keys."""
        if self._scene() is not None and not self._top().paste(text):
            self._say(t("bad.paste"))

    # ------------------------------------------------------------ out

    def lines(self) -> list[Text]:
        """The picture, line by line, at most `height` of them; none is wider than the window once it is cut there."""
        scene = self._scene()
        if scene is None:
            return [self.message if self.message is not None else Text(t("link.connecting"))]
        found = self._top().lines(scene)[: self.height]
        for line in found:
            line.no_wrap, line.overflow = True, "crop"
        return found

    def screen(self) -> Group:
        return Group(*self.lines())

    def ticking(self) -> bool:
        """Whether something runs out that is shown in tenths of seconds."""
        table = self.snapshot.table if self.snapshot is not None else None
        if table is None:
            return False
        timers: tuple[Timer | None, ...] = (table.discard.exposure, table.look, table.timer)
        return any(timer is not None and timer.ends_at_ms > self.now_ms for timer in timers)

    # ------------------------------------------------------------ inside

    def _voice(self) -> Voice:
        if self.snapshot is None:
            return Voice()
        return Voice.of(self.snapshot.table, four=self.snapshot.settings.four_colours)

    def _scene(self) -> Scene | None:
        if self.snapshot is None:
            return None
        return Scene(self.snapshot, self.now_ms, self.width, self.height, self.message or self._aside())

    def _aside(self) -> Text | None:
        """What is going on at the table while something else is in front of it."""
        table = self.snapshot.table if self.snapshot is not None else None
        if table is None:
            return None
        if self.pages:
            what = spoken(self._voice(), table).plain
            return Text(t("table.asked", what=what), YELLOW) if asks(table) else None
        if table.caught is not None and table.caught.next == "goes_on":
            return Text(t("table.caught", name=_name(table, table.caught.seat)), RED)
        return None

    def _top(self) -> Page:
        if self.pages:
            return self.pages[-1]
        screen = self.snapshot.screen if self.snapshot is not None else "joining"
        bases: dict[str, Page] = {
            "start": self.start,
            "joining": self.joining,
            "lobby": self.lobby,
            "table": self.table,
        }
        return bases[screen]

    def _apply(self, answer: Answer) -> list[AnyCommand]:
        if answer.close and self.pages:
            self.pages.pop()
        if answer.open is not None:
            self.pages.append(answer.open)
        if answer.quit:
            self.over = True
        if answer.message:
            self._say(answer.message)
        return answer.commands

    def _close(self, sure: bool) -> list[AnyCommand]:
        """Ctrl-C: at a table only the second one closes, since a seat is at stake."""
        at_table = self.snapshot is not None and self.snapshot.screen in ("table", "lobby")
        if sure or not at_table:
            self.over = True
        else:
            self.closing = True
            self._say(t("link.closing"))
        return []

    def _say(self, message: Text | str) -> None:
        self.message = Text(message) if isinstance(message, str) else message
        self.message_until_ms = self.now_ms + MESSAGE_MS

    def _ring(self) -> None:
        if self.snapshot is not None and self.snapshot.settings.sound:
            self.bells += 1


def _name(table: Table, seat: int) -> str:
    return table.seats[seat].name if 0 <= seat < len(table.seats) else "?"

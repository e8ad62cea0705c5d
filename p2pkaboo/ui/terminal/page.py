"""What a page of this interface is: it draws lines, takes keys, and may ask the peer for something.

The peer's own screens (start, joining, lobby, table) and the pages a reader opens over them (help, log, rules, …) have
the same form, so the model only keeps a stack of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rich.text import Text

from p2pkaboo.peer.api import AnyCommand, AnyResult, Snapshot
from p2pkaboo.ui.terminal.say import Voice
from p2pkaboo.ui.terminal.texts import t
from p2pkaboo.ui.terminal.widgets import FADED, HEAD, Entry, Form, Scroll, fold, lines_of


@dataclass(frozen=True, slots=True)
class Scene:
    """What a page may look at: the newest snapshot, the peer's clock now, the window's size."""

    snapshot: Snapshot
    now_ms: int
    width: int
    height: int
    message: Text | None = None

    @property
    def voice(self) -> Voice:
        return Voice.of(self.snapshot.table, four=self.snapshot.settings.four_colours)


@dataclass(slots=True)
class Answer:
    """What a key did: commands to send, and what becomes of the page.

    `used` is whether the key meant anything; `open` is a page to lay on top, `close` takes this one away, `quit` ends
    the interface. `message` is one line for the person.
    """

    commands: list[AnyCommand] = field(default_factory=list)
    used: bool = True
    open: "Page | None" = None
    close: bool = False
    quit: bool = False
    message: Text | str | None = None


UNUSED = Answer(used=False)


class Page(Protocol):
    def lines(self, scene: Scene) -> list[Text]:
        """The whole window, at most `scene.height` lines."""
        ...

    def key(self, key: str, scene: Scene) -> Answer:
        """One key press: a character, or a name as in `keys`."""
        ...

    def paste(self, text: str) -> bool:
        """Text pasted in one go; whether there was a place for it."""
        ...

    def heard(self, result: AnyResult) -> bool:
        """An answer of the peer; whether it was for this page."""
        ...


class Quiet:
    """A page with no place for pasted text, that waits for no answer of the peer; those that do say so."""

    __slots__ = ()

    def paste(self, text: str) -> bool:
        return False

    def heard(self, result: AnyResult) -> bool:
        return False


def framed(title: Text | str, body: Sequence[Text], foot: str, scene: Scene) -> list[Text]:
    """A page: heading, body, and at the bottom what the last key brought or else which keys there are.

    A message that needs more than one line takes them from the body as long as it is there.
    """
    head = Text.assemble(title if isinstance(title, Text) else Text(title, HEAD))
    note = fold(scene.message, scene.width) if scene.message is not None else [Text(foot, FADED)]
    room = max(1, scene.height - 3 - len(note))
    rows = list(body[:room])
    return [head, Text(), *rows, *([Text()] * (room - len(rows))), Text(), *note][: max(1, scene.height)]


@dataclass(slots=True)
class Sheet(Quiet):
    """A page of paragraphs to read and scroll; Esc, Enter and the key that opened it close it."""

    title: str
    paragraphs: list[Text]
    opened_by: str = ""
    scroll: Scroll = field(default_factory=Scroll)

    def lines(self, scene: Scene) -> list[Text]:
        body = lines_of(self.paragraphs, scene.width)
        foot = t("sheet.foot" if len(body) > scene.height - 4 else "sheet.end")
        return framed(self.title, self.scroll.view(body, max(1, scene.height - 4)), foot, scene)

    def key(self, key: str, scene: Scene) -> Answer:
        if key in ("esc", "enter", "q") or (self.opened_by and key == self.opened_by):
            return Answer(close=True)
        return Answer() if self.scroll.key(key) else UNUSED


@dataclass(slots=True)
class FormPage(Quiet):
    """A page that is a form: subclasses say in `enter` what Enter does on a field."""

    title: str
    form: Form
    lead: str = ""

    def lines(self, scene: Scene) -> list[Text]:
        lead = [*fold(Text(self.lead, FADED), scene.width), Text()] if self.lead else []
        return framed(self.title, [*lead, *self.form.draw()], t("form.foot"), scene)

    def enter(self, name: str, scene: Scene) -> Answer:
        """Enter on the field called `name`."""
        return UNUSED

    def key(self, key: str, scene: Scene) -> Answer:
        if key == "esc":
            return Answer(close=True)
        on = self.form.on()
        if key == "enter" and on is not None:
            return self.enter(on.name, scene)
        return Answer() if self.form.key(key) else UNUSED

    def paste(self, text: str) -> bool:
        on = self.form.on()
        if not isinstance(on, Entry):
            return False
        on.type(text)
        return True

"""The few shapes that pages are made of: folded text, keys with labels, sheets that scroll, lists and forms."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from p2pkaboo.ui.terminal.texts import t

_RULER = Console(file=io.StringIO(), width=80, force_terminal=False)
"""Rich wants a console to fold text; this one is never printed to."""

FADED = "dim"
HEAD = "bold"
YELLOW = "bold yellow"
RED = "bold red"
MARKED = "bold reverse"

LABEL = 24
"""Columns of the labels in a form, if none of them is longer."""

MAX_TYPED = 4096
"""Characters of one text field: what an invite, link or path may have in the API."""


def fold(text: Text | str, width: int) -> list[Text]:
    """A paragraph as lines of at most `width` columns."""
    text = Text(text) if isinstance(text, str) else text
    return list(text.wrap(_RULER, max(width, 8))) or [Text()]


def lines_of(paragraphs: Sequence[Text | str], width: int) -> list[Text]:
    return [line for paragraph in paragraphs for line in fold(paragraph, width)]


def keycap(key: str, label: Text | str, *, style: str = HEAD) -> Text:
    """ "[D] Draw from the stock"."""
    return Text.assemble((f"[{key}]", style), " ", label if isinstance(label, Text) else Text(label))


def side_by_side(pieces: Sequence[Text], width: int, gap: int = 3) -> list[Text]:
    """Short texts in as few lines as they need."""
    rows: list[Text] = []
    for piece in pieces:
        if rows and rows[-1].cell_len + gap + piece.cell_len <= width:
            rows[-1] = Text.assemble(rows[-1], " " * gap, piece)
        else:
            rows.append(piece)
    return rows


def pad(text: Text | str, width: int) -> Text:
    """Cut or filled to exactly `width` columns."""
    text = Text(text) if isinstance(text, str) else text.copy()
    text.truncate(width, overflow="ellipsis", pad=True)
    return text


def around(rows: Sequence[Text], at: int, room: int) -> list[Text]:
    """At most `room` of the rows of a list, with the one that is chosen among them."""
    start = max(0, min(at - room // 2, len(rows) - room))
    return list(rows[start : start + room])


@dataclass(slots=True)
class Scroll:
    """Which lines of a long text are in view."""

    top: int = 0
    height: int = 10

    def key(self, key: str) -> bool:
        step = {"up": -1, "down": 1, "pageup": -self.height, "pagedown": self.height, " ": self.height}.get(key)
        if key == "home":
            self.top = 0
        elif key == "end":
            self.top = 10**6
        elif step is not None:
            self.top += step
        else:
            return False
        return True

    def view(self, lines: list[Text], height: int) -> list[Text]:
        """At most `height` lines, with a last one that says how many follow."""
        self.height = max(1, height - 1)
        if len(lines) <= height:
            self.top = 0
            return lines
        self.top = max(0, min(self.top, len(lines) - self.height))
        left = len(lines) - self.top - self.height
        more = Text(t("sheet.more", n=left) if left else "", style=FADED)
        return [*lines[self.top : self.top + self.height], more]


# ---------------------------------------------------------------- forms


@dataclass(slots=True)
class Option:
    """A field with a few values: ← and → change it."""

    name: str
    label: str
    values: list[tuple[str, str]]
    """Value and what is shown for it."""
    at: int = 0

    @property
    def value(self) -> str:
        return self.values[self.at][0] if self.values else ""

    def key(self, key: str) -> bool:
        step = {"left": -1, "right": 1, " ": 1}.get(key)
        if step is None or not self.values:
            return False
        self.at = (self.at + step) % len(self.values)
        return True

    def draw(self, on: bool, label: int = LABEL) -> Text:
        shown = self.values[self.at][1] if self.values else ""
        return Text.assemble(pad(self.label, label), ("‹ " if on else "  "), (shown, HEAD), (" ›" if on else ""))


@dataclass(slots=True)
class Entry:
    """A field that is typed into."""

    name: str
    label: str
    value: str = ""
    most: int = MAX_TYPED

    def type(self, text: str) -> None:
        self.value = (self.value + "".join(c for c in text if c.isprintable()))[: self.most]

    def key(self, key: str) -> bool:
        if key == "backspace":
            self.value = self.value[:-1]
        elif len(key) == 1:
            self.type(key)
        else:
            return False
        return True

    def draw(self, on: bool, label: int = LABEL) -> Text:
        shown = self.value if len(self.value) <= 60 else f"…{self.value[-59:]}"
        return Text.assemble(pad(self.label, label), "  ", (shown, HEAD), ("▏" if on else ""))


@dataclass(slots=True)
class Button:
    """A line that Enter carries out."""

    name: str
    label: str
    note: str = ""

    def key(self, key: str) -> bool:
        return False

    def draw(self, on: bool, label: int = LABEL) -> Text:
        return Text.assemble((f"  {self.label}", YELLOW if on else ""), (f"  {self.note}", FADED))


Field = Option | Entry | Button


@dataclass(slots=True)
class Form:
    """Fields under each other; `at` is the one the keys go to."""

    fields: list[Field]
    at: int = 0

    def value(self, name: str) -> str:
        for found in self.fields:
            if found.name == name and not isinstance(found, Button):
                return found.value
        return ""

    def on(self) -> Field | None:
        self.at = max(0, min(self.at, len(self.fields) - 1))
        return self.fields[self.at] if self.fields else None

    def key(self, key: str) -> bool:
        """Whether the key did something here; Enter is for whoever owns the form."""
        step = {"up": -1, "shift-tab": -1, "down": 1, "tab": 1}.get(key)
        if step is not None and self.fields:
            self.at = (self.at + step) % len(self.fields)
            return True
        on = self.on()
        return on.key(key) if on is not None else False

    def draw(self) -> list[Text]:
        self.on()
        label = max([LABEL, *(len(found.label) + 1 for found in self.fields if not isinstance(found, Button))])
        return [
            Text.assemble(("▸ " if i == self.at else "  "), found.draw(i == self.at, label))
            for i, found in enumerate(self.fields)
        ]


@dataclass(slots=True)
class Menu:
    """Lines to choose from with the arrows and Enter, or with their number."""

    items: list[tuple[str, Text]] = field(default_factory=list)
    at: int = 0

    def key(self, key: str) -> str | None:
        """The name of the line chosen by this key, "" if the key only moved, `None` if it means nothing here."""
        if not self.items:
            return None
        self.at = max(0, min(self.at, len(self.items) - 1))
        step = {"up": -1, "shift-tab": -1, "down": 1, "tab": 1}.get(key)
        if step is not None:
            self.at = (self.at + step) % len(self.items)
            return ""
        if key == "enter":
            return self.items[self.at][0]
        if key.isascii() and key.isdigit() and 1 <= int(key) <= len(self.items):
            self.at = int(key) - 1
            return self.items[self.at][0]
        return None

    def draw(self) -> list[Text]:
        self.at = max(0, min(self.at, len(self.items) - 1))
        return [
            Text.assemble(
                ("▸ " if i == self.at else "  "),
                (f"{i + 1} " if i < 9 else "  ", FADED),
                Text.styled(label.plain, YELLOW) if i == self.at else label,
            )
            for i, (_, label) in enumerate(self.items)
        ]

"""Bytes of a keyboard to key names: a pure decoder for what Unix terminals (and Windows ones in VT mode) send.

A key is a printable character or one of the names in `NAMES`, "enter", "esc", "tab", "backspace", "ctrl-c", "ctrl-l".
Pasted text arrives in one piece (bracketed paste), so that it is never taken for keys.
"""

import codecs
import re
from dataclasses import dataclass, field

ESC = "\x1b"
PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"
MAX_PASTE = 65_536
"""Characters of one paste: far more than the longest invite or path; the rest is dropped."""
MAX_SEQUENCE = 32
"""Characters of one escape sequence; a longer one is noise."""

NAMES = {
    "[A": "up",
    "[B": "down",
    "[C": "right",
    "[D": "left",
    "OA": "up",
    "OB": "down",
    "OC": "right",
    "OD": "left",
    "[H": "home",
    "[F": "end",
    "OH": "home",
    "OF": "end",
    "[1~": "home",
    "[4~": "end",
    "[3~": "delete",
    "[5~": "pageup",
    "[6~": "pagedown",
    "[Z": "shift-tab",
    "OM": "enter",
}
_CONTROLS = {
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x03": "ctrl-c",
    "\x0c": "ctrl-l",
}
_SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O[ -~])")
_UNFINISHED = re.compile(r"\x1b(\[[0-?]*[ -/]*|O)?\Z")


@dataclass(frozen=True, slots=True)
class Pasted:
    """Text that was pasted, not typed."""

    text: str


@dataclass(slots=True)
class Decoder:
    """Feeds on what was read, gives keys. A lone escape is kept back until `flush`: more of a sequence may follow."""

    _text: str = ""
    _pasting: bool = False
    _utf8: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")(errors="replace")
    )

    @property
    def waiting(self) -> bool:
        """Something is kept back: call `flush` if nothing follows soon."""
        return bool(self._text) and not self._pasting

    def feed(self, data: bytes) -> list[str | Pasted]:
        self._text += self._utf8.decode(data)
        found: list[str | Pasted] = []
        while self._text:
            before = self._text
            key = self._next()
            if key is not None:
                found.append(key)
            elif self._text == before:
                break
        return found

    def flush(self) -> list[str | Pasted]:
        """Nothing followed: an escape that was kept back is the key itself."""
        if not self.waiting:
            return []
        rest, self._text = self._text, ""
        return ["esc", *(c for c in rest[1:] if c.isprintable())]

    def _next(self) -> str | Pasted | None:
        """Takes one key off the front; `None` if it means nothing, or (with the text untouched) is not complete."""
        if self._pasting:
            return self._paste()
        first = self._text[0]
        if first != ESC:
            self._text = self._text[1:]
            return _CONTROLS.get(first, first if first.isprintable() else None)
        if self._text.startswith(PASTE_BEGINS):
            self._text, self._pasting = self._text[len(PASTE_BEGINS) :], True
            return None
        match = _SEQUENCE.match(self._text)
        if match is not None:
            self._text = self._text[match.end() :]
            return NAMES.get(match.group(1))
        if _UNFINISHED.match(self._text) and len(self._text) < MAX_SEQUENCE:
            return None
        self._text = self._text[1:]
        return "esc"

    def _paste(self) -> Pasted | None:
        end = self._text.find(PASTE_ENDS)
        if end < 0:
            # The mark of the end may be cut in two, so its length is kept whatever was dropped.
            if len(self._text) > MAX_PASTE:
                self._text = self._text[: MAX_PASTE - len(PASTE_ENDS)] + self._text[-len(PASTE_ENDS) :]
            return None
        text, self._text, self._pasting = self._text[:end], self._text[end + len(PASTE_ENDS) :], False
        return Pasted(text[:MAX_PASTE])

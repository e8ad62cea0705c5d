"""Sentences from keys: the API's `Say`s become rich text, with seats by name and cards in their colours."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.text import Text

from p2pkaboo.peer.api import Report, Say, Steps, Table
from p2pkaboo.ui.terminal.texts import blanks, capital, has, listed, raw, signed, t

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
TWO_COLOURS = {"S": "bold", "H": "bold red", "D": "bold red", "C": "bold"}
FOUR_COLOURS = {"S": "bold", "H": "bold red", "D": "bold blue", "C": "bold green"}


@dataclass(frozen=True, slots=True)
class Voice:
    """Who listens and how: names by seat, the reader's seat, and whether suits have four colours."""

    names: tuple[str, ...] = ()
    you: int | None = None
    four: bool = False

    @classmethod
    def of(cls, table: Table | Report | Steps | None, *, four: bool = False) -> "Voice":
        if table is None:
            return cls(four=four)
        names = tuple(seat.name for seat in table.seats) if isinstance(table, Table) else table.names
        return cls(names, None if isinstance(table, Steps) else table.you, four)

    def name(self, seat: int) -> str:
        """A seat's name as it stands beside a hand."""
        return self.names[seat] if 0 <= seat < len(self.names) else "?"

    def who(self, seat: int) -> str:
        """The same inside a sentence: "you" for the reader."""
        return t("you") if seat == self.you else self.name(seat)

    def whose(self, seat: int) -> str:
        return t("whose.you") if seat == self.you else t("whose.other", name=self.name(seat))

    def card(self, face: str) -> Text:
        """ "10♥" in the colour of its suit; a joker is a word."""
        return Text(short(face), style=self.suit_style(face))

    def suit_style(self, face: str) -> str:
        return (FOUR_COLOURS if self.four else TWO_COLOURS).get(face[1:2], "bold")

    def say(self, sentence: Say | None, *, inside: bool = False) -> Text:
        """The sentence in words, `inside` another one without a capital. A key that this version does not know is
        shown with all its blanks."""
        if sentence is None:
            return Text()
        key, params = sentence.key, sentence.params
        if not has(key):
            return Text(f"{key} {' '.join(f'{name}={value}' for name, value in params.items())}".strip())
        text = self._fill(key, params)
        return text if inside else _capitalised(text)

    def phrase(self, key: str, /, *, inside: bool = False, **params: str | int | None) -> Text:
        """A sentence of one's own, with the same blanks; `inside` another one without a capital."""
        text = self._fill(key, params)
        return text if inside else _capitalised(text)

    def _fill(self, key: str, params: Mapping[str, str | int | None]) -> Text:
        if self.you is not None and params.get("seat") == self.you and has(f"{key}.you"):
            key = f"{key}.you"
        text = Text()
        for strong, part in enumerate(raw(key).split("**")):
            for odd, piece in enumerate(blanks(part)):
                words = self._blank(piece, params.get(piece)) if odd % 2 else Text(piece)
                if strong % 2:
                    words.stylize("bold")
                text.append_text(words)
        return text

    def _blank(self, name: str, value: str | int | None) -> Text:
        if value is None:
            return Text()
        if name.startswith("seat") and isinstance(value, int):
            return Text(self.who(value), style="bold")
        if name.startswith("card") and isinstance(value, str):
            return Text(" ").join(self.card(face) for face in value.split())
        if name.startswith("place"):
            return Text(places(value))
        if name == "ms":
            return Text(t("ms", n=value))
        if name == "ranks":
            return Text(listed([t(f"rank.{rank}") for rank in str(value).split()]))
        return Text(signed(value) if isinstance(value, int) else value)


def _capitalised(text: Text) -> Text:
    plain = text.plain
    if plain and capital(plain) != plain:
        text.plain = capital(plain)
    return text


def short(face: str) -> str:
    """A face in two or three characters ("7♣", "10♥"), a joker as its word."""
    if face.startswith("X"):
        return t("card.joker")
    rank = "10" if face[0] == "T" else face[0]
    return rank + SUITS.get(face[1:2], "?")


def places(positions: str | int) -> str:
    """Positions ("0 1", from 0) as people count places ("1 and 2")."""
    return listed([str(int(p) + 1) for p in str(positions).split() if p.lstrip("-").isdigit()])

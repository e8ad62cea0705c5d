"""Places and cards as text: a hand in one line, or as boxes; times that run out."""

from dataclasses import dataclass
from typing import Literal

from rich.text import Text

from p2pkaboo.peer.api import Place, Seat, Table, Timer
from p2pkaboo.ui.terminal.aim import Aim, At, can_snap, takers
from p2pkaboo.ui.terminal.say import Voice, short
from p2pkaboo.ui.terminal.texts import listed, t
from p2pkaboo.ui.terminal.widgets import FADED, MARKED, YELLOW, pad

BACK = "▒▒▒"
FACE_WIDTH = 3
BOX_WIDTH = 6
"""Columns of a boxed card with the gap beside it."""

Offer = Literal["", "pick", "snap"]


def left(timer: Timer | None, now_ms: int) -> str:
    """What is left of a timer: tenths of a second for short ones, minutes and seconds for the others."""
    if timer is None:
        return ""
    rest = max(0, timer.ends_at_ms - now_ms)
    if timer.total_ms < 10_000:
        return t("s", n=f"{rest / 1000:.1f}")
    minutes, seconds = divmod((rest + 999) // 1000, 60)
    return f"{minutes}:{seconds:02}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One place as it is drawn."""

    number: str
    face: str | None
    gap: bool = False
    marked: bool = False
    offer: Offer = ""
    gift: bool = False
    cursor: bool = False
    """The arrow keys stand here."""
    bright: bool = False
    """A face that is shown for a moment only."""


def cell(table: Table, aim: Aim, seat: Seat, place: Place) -> Cell:
    at = At(seat.seat, place.position)
    offered: Offer = "pick" if takers(table, at) else "snap" if can_snap(table, at) else ""
    gift = table.gift_to
    return Cell(
        number=str(place.position + 1),
        face=place.face,
        gap=place.gap,
        marked=at in aim.marks or at == aim.snap_at,
        offer=offered,
        gift=place.gap and gift is not None and (gift.seat, gift.position) == at,
        cursor=aim.cursor == place.position and seat.seat == (table.you if aim.focus is None else aim.focus),
        bright=place.why in ("looking", "shown"),
    )


def face_text(face: str | None, voice: Voice) -> Text:
    """Three columns: the card, or its back."""
    if face is None:
        return Text(BACK, style=FADED)
    shown = "JOK" if face.startswith("X") else short(face)
    return Text(shown.rjust(FACE_WIDTH), style=voice.suit_style(face))


def _brackets(found: Cell, marked: tuple[str, str] = ("[", "]")) -> tuple[str, str]:
    """Two characters around a place: it is under the arrows, marked, or may be marked; else blanks."""
    if found.cursor:
        return "<", ">"
    return marked if found.marked else ("(", ")") if found.offer else (" ", " ")


def _style(found: Cell) -> str:
    """What may be marked is yellow, what may only be snapped red; the brackets say it without colours."""
    if found.marked or found.gift or found.cursor:
        return YELLOW
    return {"pick": "yellow", "snap": "red", "": ""}[found.offer]


def inline(found: Cell, voice: Voice) -> Text:
    """A place in one line, seven columns: what is marked stands in [ ], what may be in ( ), the arrows in < >."""
    open_, close = _brackets(found)
    if found.gap:
        body = Text("?gift" if found.gift else f"{found.number}  ·", style=YELLOW if found.gift else FADED)
    else:
        body = Text.assemble((found.number, FADED if not found.marked else ""), " ", face_text(found.face, voice))
        if found.bright:
            body.stylize("reverse", len(found.number) + 1)
    body = pad(body, len(found.number) + 1 + FACE_WIDTH)
    style = _style(found)
    text = Text.assemble((open_, style), body, (close, style))
    if found.marked:
        text.stylize(YELLOW)
    return text


def boxes(cells: list[Cell], voice: Voice, width: int) -> list[Text]:
    """Cards as boxes of three lines, as many beside each other as fit, then a second row."""
    a_row = max(1, width // BOX_WIDTH)
    rows: list[Text] = []
    for start in range(0, len(cells), a_row):
        rows += _row(cells[start : start + a_row], voice)
    return rows


def _row(cells: list[Cell], voice: Voice) -> list[Text]:
    lines = [Text(), Text(), Text()]
    for found in cells:
        for line, piece in zip(lines, _box(found, voice), strict=True):
            line.append_text(piece)
            line.append(" " * (BOX_WIDTH - piece.cell_len))
    return lines


def _box(found: Cell, voice: Voice) -> tuple[Text, Text, Text]:
    style = _style(found) or FADED
    open_, close = _brackets(found, ("▸", "◂"))
    number = f"{open_}{found.number}{close}"
    if found.gap:
        inside = Text("? " if found.gift else "  ")
        return (
            Text("╭╌╌╌╮", style),
            Text.assemble(("╎", style), pad(inside, FACE_WIDTH), ("╎", style)),
            Text(f"╰{number.center(FACE_WIDTH, '╌')[:FACE_WIDTH]}╯", style),
        )
    face = face_text(found.face, voice)
    if found.bright:
        face.stylize(MARKED)
    foot = number[:FACE_WIDTH].replace(" ", "─") if len(number) <= FACE_WIDTH else found.number
    return (
        Text("╭───╮", style),
        Text.assemble(("│", style), face, ("│", style)),
        Text(f"╰{foot.center(FACE_WIDTH, '─')}╯", style),
    )


def remarks(seat: Seat, voice: Voice) -> list[str]:
    """What others did with a hand, in words: who looked at which place, what is new. Never a value."""
    lookers: dict[tuple[int, ...], list[str]] = {}
    for place in seat.places:
        if place.looked and not place.gap:
            lookers.setdefault(tuple(place.looked), []).append(str(place.position + 1))
    found = [
        t("seat.looked", names=listed([voice.who(s) for s in seats]), places=listed(numbers))
        for seats, numbers in lookers.items()
    ]
    fresh = [str(p.position + 1) for p in seat.places if p.fresh and not p.gap]
    return [*found, t("seat.fresh", places=listed(fresh))] if fresh else found

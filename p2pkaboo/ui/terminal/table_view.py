"""The table in play: seats, piles, race, log, and at the bottom the sentence, one's own hand and every legal action."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from p2pkaboo.peer.api import AnyCommand, LogLine, Race, RaceEntry, Seat, Table
from p2pkaboo.ui.terminal.acts import Act, acts
from p2pkaboo.ui.terminal.aim import Aim
from p2pkaboo.ui.terminal.cards_view import boxes, cell, face_text, inline, left, remarks
from p2pkaboo.ui.terminal.say import Voice
from p2pkaboo.ui.terminal.sentences import detail, eyebrow, spoken
from p2pkaboo.ui.terminal.texts import capital, count, listed, signed, t
from p2pkaboo.ui.terminal.widgets import FADED, HEAD, RED, YELLOW, fold, keycap, pad, side_by_side

NAME_WIDTH = 14
NAMED = 3
"""Players who are listed by name where a line of 80 has something to say before."""
BRIEF_NAME = 8
"""Columns for a name where there is no room: four cards fit beside it in 40."""
LOW_HEIGHT = 20
"""Lines of a window below which one's own hand is a single line."""
_KEY_NAMES = {"enter": "Enter", "esc": "Esc"}
_PROOF_STYLES = {"working": FADED, "verified": FADED, "failed": RED}
_KIND_STYLES = {"do": YELLOW, "snap": RED, "call": "bold magenta", "": HEAD}


@dataclass(frozen=True, slots=True)
class TableView:
    """One picture of a table. `message` is what the last key or command brought; `race` is shown while it is news."""

    table: Table
    aim: Aim
    voice: Voice
    snapshot: int
    now_ms: int
    width: int
    height: int
    message: Text | None = None
    race: Race | None = None
    muted: bool = False
    brief: bool = False
    """Where not everything fits, the cards and the keys do: a line for each player, keys without explanations."""

    def lines(self) -> list[Text]:
        top = [self.header(), *self.seats(), *([] if self.brief else [Text()]), *self.piles()]
        bottom = [*self.note(), *self.own(), *self.actions(), self.foot()]
        room = self.height - len(top) - len(bottom)
        if room < 0 and not self.brief:
            return replace(self, brief=True).lines()
        middle = self.middle(room)
        lines = [*top, *middle, *bottom]
        # In a window that is too low the lower end matters: it says what to do.
        return lines if len(lines) <= self.height else [lines[0], *lines[1 - self.height :]]

    # ------------------------------------------------------------ top

    def header(self) -> Text:
        table = self.table
        rounds = table.scores.rounds_in_match
        where = t("bar.round_of" if rounds else "bar.round", n=table.round, total=rounds)
        here = sum(1 for seat in table.seats if seat.link in ("here", "silent"))
        links = t("bar.connected" if here == len(table.seats) else "bar.missing", n=here, total=len(table.seats))
        rules = table.rules + (f" ({count('changes', table.changes)})" if table.changes else "")
        parts = [table.name, where, rules, t("bar.practice") if table.practice else links]
        if self.muted:
            parts.append(t("bar.muted"))
        end = t("bar.help")
        title = pad(" · ".join(part for part in parts if part), self.width - len(end) - 1)
        title.stylize("reverse")
        return Text.assemble(title, " ", end)

    def seats(self) -> list[Text]:
        order = self.table.seats if self.table.you is None else self._around()
        return [line for seat in order for line in self.seat(seat)]

    def _around(self) -> tuple[Seat, ...]:
        """The others, clockwise from one's left."""
        seats, you = self.table.seats, self.table.you or 0
        return (*seats[you + 1 :], *seats[:you])

    def seat(self, seat: Seat) -> list[Text]:
        turn = self.table.turn == seat.seat
        focus = self.aim.focus == seat.seat
        lead = "» " if focus else "▸ " if turn else "  "
        columns = BRIEF_NAME if self.brief else NAME_WIDTH
        name = pad(f"{lead}{seat.name}", columns)
        name.stylize(f"{HEAD} underline" if focus else HEAD if turn else "")
        cells = [inline(cell(self.table, self.aim, seat, place), self.voice) for place in seat.places]
        rows = side_by_side(cells, self.width - columns, gap=0) or [Text()]
        lines = [Text.assemble(name if i == 0 else " " * columns, row) for i, row in enumerate(rows)]
        if self.brief and seat.link == "here":
            return lines
        # Where the words do not fit beside the cards, first what goes without saying is left out.
        tail = Text()
        for short in (False, True):
            tail = Text("  ").join(self.standing(seat, short=short))
            if lines[-1].cell_len + 2 + tail.cell_len <= self.width:
                return [*lines[:-1], Text.assemble(lines[-1], "  ", tail)]
        return [*lines, *(Text.assemble(" " * NAME_WIDTH, " ", row) for row in fold(tail, self.width - NAME_WIDTH - 1))]

    def standing(self, seat: Seat, *, short: bool = False) -> list[Text]:
        """How a seat stands, in words; `short` leaves out what is so for every seat on a good day."""
        parts: list[Text] = []
        if seat.link == "away":
            parts.append(Text(t("seat.away", left=left(seat.grace, self.now_ms)), RED))
        elif seat.link != "here":
            parts.append(Text(t(f"seat.{seat.link}"), RED))
        parts.append(Text(count("points", seat.total)))
        if seat.penalty:
            parts.append(Text(t("seat.penalty", n=f"+{signed(seat.penalty)}"), RED))
        if seat.bot and not short:
            parts.append(Text(t("seat.bot"), FADED))
        if seat.proof != "none":
            words = t(f"seat.{seat.proof}")
            parts.append(Text(words[0] if short and seat.proof != "failed" else words, _PROOF_STYLES[seat.proof]))
        if seat.called or seat.hands_off:
            words = "hands_off" if seat.called and seat.hands_off else "called" if seat.called else "off"
            parts.append(Text(t(f"seat.{words}"), "bold magenta"))
        if seat.final_turn and not seat.called:
            parts.append(Text(t(f"seat.{seat.final_turn}"), FADED if seat.final_turn == "done" else ""))
        if self.table.held is not None and self.table.held.seat == seat.seat != self.table.you:
            parts.append(Text(t("seat.holds"), YELLOW))
        return [*parts, *(Text(words, "italic") for words in remarks(seat, self.voice))]

    # ------------------------------------------------------------ the middle of the table

    def piles(self) -> list[Text]:
        table, pile = self.table, self.table.discard
        parts = [Text.assemble(("▒▒▒", FADED), " ", t("pile.stock", n=table.stock))]
        discard = Text.assemble((t("pile.discard"), ""), " ")
        if pile.top is None:
            discard.append(t("pile.none"), FADED)
        else:
            discard.append_text(Text.assemble("[", face_text(pile.top, self.voice), "]"))
            if pile.below:
                under = Text(" ").join(self.voice.card(face) for face in pile.below)
                discard.append_text(Text.assemble(" ", (t("pile.below", cards=""), FADED), under))
            words = self._open()
            if words:
                discard.append(f"  {words}", RED if pile.snappable else FADED)
        parts.append(discard)
        held = table.held
        if held is not None and held.seat == table.you:
            seen = t("pile.all" if held.source == "discard" else "pile.only")
            face = face_text(held.face, self.voice)
            face.stylize("reverse")
            parts.append(Text.assemble((t("pile.held"), HEAD), " [", face, "] ", (seen, FADED)))
        rows = side_by_side(parts, self.width - 2)
        return [Text.assemble("  ", row) for row in rows]

    def _open(self) -> str:
        pile = self.table.discard
        rest = left(pile.exposure, self.now_ms)
        over = pile.exposure is None or pile.exposure.ends_at_ms <= self.now_ms
        if over:
            return t("pile.can") if pile.snappable else ""
        return t("pile.open" if pile.snappable else "pile.wait", left=rest)

    def middle(self, room: int) -> list[Text]:
        """The deal, the race and the newest lines of the log, in exactly `room` lines."""
        if room < 2:
            return [Text()] * max(0, room)
        news = [*self.deal(), *(self.race_lines() if self.race is not None else [])]
        news = [Text(), *news][:room] if news else []
        log = self.log(room - len(news) - 2)
        gap = room - len(news) - len(log)
        return [*news, Text(), *log, *([Text()] * (gap - 1))] if gap > 0 else [*news, *log]

    def deal(self) -> list[Text]:
        deal = self.table.dealing
        if deal is None or self.table.phase != "dealing":
            return []
        names = len(self.table.seats)
        lines = [Text(t("deal.keys", n=deal.keys, total=names), FADED)]
        for step in deal.shuffles:
            words = t(f"deal.{step.state}") if step.state != "done" else t("deal.shuffled")
            if step.state == "done" and step.took_ms is not None:
                words = t("deal.done", s=f"{step.took_ms / 1000:.2f}")
            checked = self._checked(step.checked_by, names - 1) if step.checked_by else ""
            style = {"working": YELLOW, "failed": RED, "waiting": FADED}.get(step.state, "")
            line = Text.assemble(pad(self.voice.name(step.seat), NAME_WIDTH), (words, style))
            if checked:
                line.append(f"  ✓ {checked}", FADED)
            lines.append(line)
        lines.append(Text(t("deal.deck", n=deal.cards), FADED))
        return [Text.assemble("  ", line) for line in lines]

    def _checked(self, by: Sequence[int], others: int) -> str:
        """Who of the others is known to have checked a shuffle: by name as long as the line has room for them."""
        if others > NAMED:
            return t("deal.checked_n", n=len(by), total=others)
        return t("deal.checked_by", names=listed([self.voice.who(seat) for seat in by]))

    def race_lines(self) -> list[Text]:
        """The last snap race: everybody's time, best first, and what became of it."""
        race = self.race
        if race is None:
            return []
        title = self.voice.phrase("race.title", card=race.card)
        title.stylize(HEAD)
        ending = "fine_disputed" if race.disputed else "fine" if race.settled else "running"
        entries = [self.race_line(entry) for entry in sorted(race.entries, key=lambda e: e.score_ms)]
        return [Text.assemble("  ", line) for line in (title, *entries, Text(t(f"race.{ending}"), FADED))]

    def race_line(self, entry: RaceEntry) -> Text:
        style = {"open": FADED, "right": "bold green", "wrong": RED}.get(entry.ruling, "")
        line = Text.assemble(
            pad(capital(self.voice.who(entry.seat)), NAME_WIDTH - 2),
            (t("ms", n=entry.score_ms).rjust(8), HEAD),
            "  ",
            (t(f"race.{entry.ruling}"), style),
        )
        target = entry.target
        if target is not None and target.seat is not None and target.position is not None and entry.face:
            whose = self.voice.whose(target.seat)
            line.append(": ")
            line.append_text(
                self.voice.phrase("race.is", inside=True, whose=whose, place=target.position, card=entry.face)
            )
        if entry.penalty_cards:
            line.append(f", {count('race.cards', entry.penalty_cards)}", RED)
        if entry.penalty_points:
            line.append(f", {count('race.points', entry.penalty_points)}", RED)
        return line

    def log(self, room: int) -> list[Text]:
        if room < 1:
            return []
        rows = [row for entry in self.table.log[-room:] for row in log_lines(entry, self.voice, self.width)]
        return rows[-room:]

    # ------------------------------------------------------------ bottom

    def note(self) -> list[Text]:
        table = self.table
        timer = left(table.timer, self.now_ms)
        look = left(table.look, self.now_ms)
        clock = "  ".join(word for word in (timer, look) if word)
        mine = table.you is not None and table.turn == table.you
        head = Text.assemble((f"{'● ' if mine else '  '}{eyebrow(table)}", YELLOW if mine else HEAD))
        if clock:
            head = Text.assemble(head, "   ", (f"◷ {clock}", FADED))
        first = spoken(self.voice, table)
        first.stylize(HEAD)
        rows = [head, *(Text.assemble("  ", row) for row in fold(first, self.width - 2))]
        extra: list[Text] = []
        if self.message is not None:
            extra.append(Text.assemble(("! ", RED), self.message))
        elif not self.brief and (more := detail(table, self.aim)) is not None:
            extra.append(self.voice.say(more))
        if table.coach is not None:
            extra.append(Text.assemble(("? ", YELLOW), self.voice.say(table.coach)))
        return [*rows, *(Text.assemble("  ", row) for text in extra for row in fold(text, self.width - 2))]

    def own(self) -> list[Text]:
        table = self.table
        if table.you is None:
            return []
        seat = table.seats[table.you]
        cells = [cell(table, self.aim, seat, place) for place in seat.places]
        name = Text(t("seat.you", name=seat.name), HEAD)
        standing = Text.assemble("  ", name, "  ", Text("  ").join(self.standing(seat)))
        if self.height < LOW_HEIGHT:
            rows = side_by_side([inline(found, self.voice) for found in cells], self.width - 2, gap=0)
        else:
            rows = boxes(cells, self.voice, self.width - 2)
        return [standing, *(Text.assemble("  ", row) for row in rows)]

    def actions(self) -> list[Text]:
        found = acts(self.table, self.aim, self.voice, self.snapshot)
        width = self.width - 2
        rows = [line for row in side_by_side([self.action(act) for act in found], width) for line in fold(row, width)]
        if self.table.pending is not None:
            rows.append(Text.assemble((t("table.pending", what=""), YELLOW), self.voice.say(self.table.pending)))
        return [Text.assemble("  ", row) for row in rows]

    def action(self, act: Act) -> Text:
        """A key with its label; while it is asked whether that is meant, the question instead."""
        key = _KEY_NAMES.get(act.key, act.key.upper())
        command = act.command
        if command is not None and act.confirm and self.aim.sure == command_name(command):
            return keycap(key, Text(act.sure, RED), style=RED)
        waits = command is None and act.key in ("enter", "d", "t", "x", "c")
        label = act.label.copy()
        if waits:
            label.stylize(FADED)
        if act.small and not self.brief:
            label = Text.assemble(label, (f", {act.small}", FADED))
        return keycap(key, label, style=FADED if waits else _KIND_STYLES[act.kind])

    def foot(self) -> Text:
        focus = self.aim.focus
        if focus is not None:
            return Text(f"  {t('table.focus', name=self.voice.name(focus))}", YELLOW)
        words = " ".join(self.table.words)
        return Text(f"  {t('table.words', words=words)}" if words else "", FADED)


def command_name(command: AnyCommand) -> str:
    """The `type` of a command, which is also the name of its choice."""
    return str(command.__struct_config__.tag)


def log_lines(entry: LogLine, voice: Voice, width: int) -> list[Text]:
    """One line of the log, folded; a race time stands at its end."""
    text = voice.say(entry.say)
    ms = entry.say.params.get("ms")
    if isinstance(ms, int) and t("ms", n=ms) not in text.plain:
        text.append(f"  {t('ms', n=ms)}", HEAD)
    if entry.tone == "turn":
        return [Text.assemble((f"  ── {text.plain} ", HEAD), ("─" * 8, FADED))]
    if entry.tone == "bad":
        text.stylize(RED)
    return [Text.assemble("  ", row) for row in fold(text, width - 2)]

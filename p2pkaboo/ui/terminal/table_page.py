"""Keys at the table: mark, then act. Which command a key means follows from the choices the peer gave."""

from dataclasses import dataclass, field

from rich.text import Text

from p2pkaboo.peer.api import (
    AnyCommand,
    Leave,
    Race,
    Ready,
    SaveTranscript,
    SetSetting,
    ShowLog,
    ShowReport,
    Snap,
    Snapshot,
    StopMatch,
    Table,
)
from p2pkaboo.ui.terminal.acts import Act, acts, primary
from p2pkaboo.ui.terminal.aim import Aim, At, choice, spots
from p2pkaboo.ui.terminal.caught_page import CaughtSheet
from p2pkaboo.ui.terminal.page import UNUSED, Answer, Quiet, Scene, framed
from p2pkaboo.ui.terminal.reading import LogSheet, ReportPage, ScoresSheet, fair_sheet, help_sheet
from p2pkaboo.ui.terminal.round_view import caught_lines, ready_lines, result_lines
from p2pkaboo.ui.terminal.rules_page import RulesPage
from p2pkaboo.ui.terminal.sentences import spoken
from p2pkaboo.ui.terminal.side_pages import LeavePage
from p2pkaboo.ui.terminal.table_view import TableView, command_name
from p2pkaboo.ui.terminal.texts import t
from p2pkaboo.ui.terminal.widgets import HEAD, RED, YELLOW, Scroll, keycap, side_by_side

RACE_SHOWN_MS = 12_000
"""How long the times of a settled race stay on the table: long enough to read eight lines."""
TENTH = "0"
"""The key of the tenth place; arrows reach the ones beyond."""


@dataclass(slots=True)
class TablePage(Quiet):
    """The table in play, the end of a round, and a cheat caught: whatever the snapshot shows."""

    aim: Aim = field(default_factory=Aim)
    scroll: Scroll = field(default_factory=Scroll)
    race: Race | None = None
    race_at_ms: int = 0
    race_round: int = 0
    """The newest race, and when and in which round it was news."""
    read: tuple[int, int, int] | None = None
    """The caught peer that has been read about: round, step, seat."""
    sure_stop: bool = False
    sent: tuple[AnyCommand, list[At]] | None = None
    """The last command with the marks it came from: they come back if it is refused."""

    # ------------------------------------------------------------ news

    def follow(self, snapshot: Snapshot, now_ms: int) -> None:
        """A new snapshot: marks that no longer mean anything go, a new race is news."""
        table = snapshot.table
        if table is None:
            return
        self.aim.prune(table)
        if table.race is not None and table.race != self.race:
            self.race, self.race_at_ms, self.race_round = table.race, now_ms, table.round

    def refused(self, command: AnyCommand, table: Table | None) -> None:
        """A command was refused: nothing is lost, the marks come back."""
        if self.sent is not None and self.sent[0] is command and not self.aim.marks and table is not None:
            self.aim.marks = list(self.sent[1])
            self.aim.prune(table)

    # ------------------------------------------------------------ drawing

    def lines(self, scene: Scene) -> list[Text]:
        table = scene.snapshot.table
        if table is None:
            return framed(t("joining.title"), [], "", scene)
        if self._caught(table):
            return self._caught_lines(table, scene)
        if table.result is not None and table.phase == "round_over":
            return self._result_lines(table, scene)
        race = table.race if table.round == self.race_round else None
        if race is not None and race.settled and scene.now_ms - self.race_at_ms > RACE_SHOWN_MS:
            race = None
        return TableView(
            table,
            self.aim,
            scene.voice,
            scene.snapshot.number,
            scene.now_ms,
            scene.width,
            scene.height,
            scene.message,
            race,
            not scene.snapshot.settings.sound,
        ).lines()

    def _caught(self, table: Table) -> bool:
        caught = table.caught
        if caught is None or self.read == (caught.round, caught.step, caught.seat):
            return False
        # Nothing covers a turn that goes on: then the log says it, and K shows it.
        return caught.next != "goes_on"

    def _caught_lines(self, table: Table, scene: Scene) -> list[Text]:
        if table.caught is None:
            return []
        go_on = "do_redeal" if choice(table, "ready") is not None else "do_ready"
        keys = [("Enter", go_on, YELLOW), ("V", "do_save", HEAD)]
        if choice(table, "stop_match") is not None:
            keys.append(("K", "do_stop", HEAD))
        caps = [keycap(key, t(f"cheat.{name}"), style=style) for key, name, style in keys]
        if self.sure_stop:
            caps[-1] = keycap("K", Text(t("cheat.sure_stop"), RED), style=RED)
        foot = side_by_side(caps, scene.width)
        room = max(1, scene.height - 4 - len(foot))
        body = self.scroll.view(caught_lines(table.caught, scene.voice, scene.width), room)
        return framed(table.name, [*body, *([Text()] * (room - len(body))), *foot], "", scene)

    def _result_lines(self, table: Table, scene: Scene) -> list[Text]:
        result = table.result
        if result is None:
            return []
        over = result.match_over
        ready = table.you is not None and table.seats[table.you].ready
        keys = [] if ready and not over else [("Enter", "do_leave" if over else "do_ready", YELLOW)]
        keys += [("P", "do_scores", HEAD), ("R", "do_report", HEAD)]
        caps = side_by_side([keycap(key, t(f"result.{name}"), style=style) for key, name, style in keys], scene.width)
        foot = [*ready_lines(table, result, scene.voice, scene.now_ms, scene.width), *caps]
        room = max(1, scene.height - 4 - len(foot))
        body = self.scroll.view(result_lines(table, result, scene.voice, scene.width), room)
        title = f"{table.name} · {t('result.title', n=result.number)}"
        words = f"{t('table.words', words=' '.join(table.words))}" if table.words else ""
        return framed(title, [*body, *([Text()] * (room - len(body))), *foot], words, scene)

    # ------------------------------------------------------------ keys

    def key(self, key: str, scene: Scene) -> Answer:
        table = scene.snapshot.table
        if table is None:
            return UNUSED
        key = key.lower() if len(key) == 1 else key
        if self._caught(table):
            answer = self._caught_key(key, table, scene)
        elif table.result is not None and table.phase == "round_over":
            answer = self._result_key(key, table, scene)
        else:
            answer = self._play_key(key, table, scene)
        return answer if answer.used else self._common_key(key, table, scene)

    def _common_key(self, key: str, table: Table, scene: Scene) -> Answer:
        if key == "?":
            return Answer(open=help_sheet())
        if key == "l":
            return Answer([ShowLog()], open=LogSheet())
        if key == "p":
            return Answer(open=ScoresSheet())
        if key == "r":
            return Answer([ShowReport()], open=ReportPage())
        if key == "f":
            return Answer(open=fair_sheet(table))
        if key == "y":
            page = RulesPage()
            return Answer([page.ask()], open=page)
        if key == "m":
            return Answer([SetSetting(name="sound", value=not scene.snapshot.settings.sound)])
        if key == "q":
            return Answer(open=LeavePage.of(table))
        if key == "k" and table.caught is not None:
            return Answer(open=CaughtSheet())
        return UNUSED

    def _caught_key(self, key: str, table: Table, scene: Scene) -> Answer:
        sure, self.sure_stop = self.sure_stop, False
        caught = table.caught
        if caught is None:
            return UNUSED
        if key == "enter":
            self.read = (caught.round, caught.step, caught.seat)
            again = choice(table, "ready") is not None
            return Answer([Ready(snapshot=scene.snapshot.number)] if again else [])
        if key == "v":
            return Answer([SaveTranscript(evidence=True)])
        if key == "k" and choice(table, "stop_match") is not None:
            self.sure_stop = not sure
            return Answer([StopMatch(snapshot=scene.snapshot.number)] if sure else [])
        if key == "esc" and sure:
            return Answer()
        return Answer() if self.scroll.key(key) else UNUSED

    def _result_key(self, key: str, table: Table, scene: Scene) -> Answer:
        result, number = table.result, scene.snapshot.number
        if key == "enter" and result is not None:
            if result.match_over:
                return Answer([Leave(snapshot=number)])
            ready = table.you is not None and table.seats[table.you].ready
            return Answer() if ready or table.you is None else Answer([Ready(snapshot=number)])
        return Answer() if self.scroll.key(key) else UNUSED

    # ------------------------------------------------------------ keys of a turn

    def _play_key(self, key: str, table: Table, scene: Scene) -> Answer:
        if key in ("tab", "shift-tab"):
            return self._tab(table, 1 if key == "tab" else -1)
        position = 9 if key == TENTH else int(key) - 1 if key.isascii() and key.isdigit() else None
        if position is not None:
            return self._place(table, position, scene)
        if key in ("left", "right"):
            return self._arrow(table, 1 if key == "right" else -1, scene)
        if key == " " and self.aim.cursor is not None:
            return self._place(table, self.aim.cursor, scene)
        if key == "esc" and self.aim.clear():
            return Answer()
        if table.you is None:
            return Answer(message=t("bad.watching")) if key in ("d", "t", "x", "c", "s", "enter") else UNUSED
        return self._act_key(key, table, scene)

    def _act_key(self, key: str, table: Table, scene: Scene) -> Answer:
        found = acts(table, self.aim, scene.voice, scene.snapshot.number)
        if key == "s":
            return self._snap(found, scene)
        if key == "e" and any(act.key == "e" for act in found):
            self.aim.end = "left" if self.aim.end == "right" else "right"
            return Answer()
        act = primary(found) if key == "enter" else next((a for a in found if a.key == key), None)
        if key == "enter" and self.aim.sure == "call":
            act = next((a for a in found if a.key == "c"), None)
        if act is not None:
            return self._do(act, scene)
        why = spoken(scene.voice, table).plain
        named = {"d": "draw", "t": "take", "x": "discard", "c": "call", "enter": "enter", "esc": "skip", "e": "end"}
        return Answer(message=t(f"bad.{named[key]}", why=why)) if key in named else UNUSED

    def _do(self, act: Act, scene: Scene) -> Answer:
        """Sends what an action means, after asking once more where that is wanted."""
        if act.command is None:
            return Answer(message=act.missing)
        name = command_name(act.command)
        if act.confirm and scene.snapshot.settings.confirm_calls and self.aim.sure != name:
            self.aim.sure = name
            return Answer()
        self.sent = (act.command, list(self.aim.marks))
        self.aim.clear()
        return Answer([act.command])

    def _snap(self, found: list[Act], scene: Scene) -> Answer:
        act = next((a for a in found if a.key == "s"), None)
        if act is None:
            return Answer(message=t("bad.snap"))
        if not isinstance(act.command, Snap):
            self.aim.armed = not self.aim.armed
            return Answer()
        return self._snapped(act.command)

    def _snapped(self, command: Snap) -> Answer:
        """One key, no question: a snap is against the clock. Marks for one's turn stay."""
        self.aim.armed, self.aim.snap_at, self.aim.sure = False, None, ""
        self.aim.focus = self.aim.cursor = None
        return Answer([command])

    def _place(self, table: Table, position: int, scene: Scene) -> Answer:
        seat = self._hand(table)
        if seat is None:
            return Answer(message=t("bad.watching"))
        if not any(p.position == position and not p.gap for p in table.seats[seat].places):
            who = t("whose.you_have") if seat == table.you else t("whose.other_has", name=scene.voice.name(seat))
            return Answer(message=t("bad.no_place", who=who, place=position + 1))
        touched = self.aim.touch(table, At(seat, position))
        if touched == "snap":
            return self._snapped(Snap(snapshot=scene.snapshot.number, seat=seat, position=position))
        if touched == "nothing":
            whose = scene.voice.whose(seat)
            return Answer(message=t("bad.place", whose=whose, place=position + 1))
        return Answer()

    def _hand(self, table: Table) -> int | None:
        """The seat whose cards the numbers mean."""
        return self.aim.focus if self.aim.focus is not None else table.you

    def _arrow(self, table: Table, step: int, scene: Scene) -> Answer:
        seat = self._hand(table)
        held = [] if seat is None else [p.position for p in table.seats[seat].places if not p.gap]
        if not held:
            return Answer(message=t("bad.watching" if seat is None else "bad.no_cards"))
        at = held.index(self.aim.cursor) + step if self.aim.cursor in held else (0 if step > 0 else -1)
        self.aim.cursor = held[at % len(held)]
        return Answer()

    def _tab(self, table: Table, step: int) -> Answer:
        """To the next hand in which something can be marked; to any hand if nothing can be."""
        others = [seat.seat for seat in table.seats if seat.seat != table.you and seat.places]
        offered = {at.seat for c in table.choices if not c.off for at in spots((*c.mine, *c.theirs))}
        ring = [seat for seat in others if seat in offered] or others
        if not ring:
            return Answer(message=t("bad.no_seat"))
        if table.you is not None:
            # Clockwise from one's own hand, which is where the round ends again.
            ring = [table.you, *[s for s in ring if s > table.you], *[s for s in ring if s < table.you]]
        now = self._hand(table)
        at = ring.index(now) + step if now in ring else 0
        seat = ring[at % len(ring)]
        self.aim.focus = None if seat == table.you else seat
        self.aim.cursor = None
        return Answer()


def asks(table: Table | None) -> bool:
    """Whether something is asked of the player now, snaps and getting ready apart."""
    if table is None or table.you is None:
        return False
    names = {c.command for c in table.choices if not c.off}
    return bool(names - {"snap", "ready", "leave", "seen"}) and choice(table, "seen") is None

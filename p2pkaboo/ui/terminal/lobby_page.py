"""The lobby: who is here, four words to compare, the invite with its QR code, and the start."""

from dataclasses import dataclass, field

from rich.text import Text

from p2pkaboo.peer.api import (
    Friend,
    Leave,
    Lobby,
    Ready,
    SeatBot,
    StartTable,
    UnseatBot,
    WordsMatch,
)
from p2pkaboo.ui.terminal.page import UNUSED, Answer, Quiet, Scene, framed
from p2pkaboo.ui.terminal.reading import help_sheet
from p2pkaboo.ui.terminal.rules_page import RulesPage
from p2pkaboo.ui.terminal.texts import count, listed, t
from p2pkaboo.ui.terminal.widgets import FADED, HEAD, RED, YELLOW, Menu, Scroll, fold, keycap, pad, side_by_side

QUIET = 2
"""Light squares around a QR code; readers want some border, screens are small."""
_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two rows of squares as one character: its upper half is the foreground, so light squares are drawn, dark ones not."""
PAPER = "color(231) on color(16)"


@dataclass(slots=True)
class LobbyPage(Quiet):
    """Waiting for players. Everything the opener and the guests may do has a key."""

    sure_leave: bool = False

    def lines(self, scene: Scene) -> list[Text]:
        lobby = scene.snapshot.lobby
        if lobby is None:
            return framed(t("joining.title"), [], "", scene)
        head = fold(Text(t("lobby.lead"), FADED), scene.width)
        names = [line for friend in lobby.friends for line in friend_lines(friend, scene.width)]
        seats = Text(t("lobby.seats", n=len(lobby.friends), total=lobby.seats), HEAD)
        status = fold(self._status(lobby, scene), scene.width)
        keys = side_by_side(self._keys(lobby), scene.width)
        room = max(1, scene.height - 4 - len(status) - len(keys) - 1)
        above = [*head, Text(), seats, *names, Text(), *_rules(lobby, scene), Text(), *self._invite(lobby, scene)]
        body = [*above[:room], *([Text()] * (room - len(above))), Text(), *status, *keys]
        return framed(t("lobby.title", name=_name(lobby)), body, "", scene)

    @staticmethod
    def _invite(lobby: Lobby, scene: Scene) -> list[Text]:
        """The invite as text, in whole, so that it can be marked and copied with the mouse."""
        if not lobby.invite:
            return []
        return [Text(t("lobby.invite_text"), FADED), *fold(Text(lobby.invite), scene.width)]

    @staticmethod
    def _status(lobby: Lobby, scene: Scene) -> Text:
        if lobby.problem is not None:
            return Text.assemble(("! ", RED), scene.voice.say(lobby.problem))
        if len(lobby.friends) < 2:
            return Text(t("lobby.few"), HEAD)
        if lobby.can_start and lobby.opener and not lobby.waiting_for:
            return Text(t("lobby.can_start"), YELLOW)
        words = t("lobby.waiting", names=listed(list(lobby.waiting_for))) if lobby.waiting_for else ""
        return Text(words or (t("lobby.host", name=lobby.host) if lobby.host else t("lobby.opener")), HEAD)

    def _keys(self, lobby: Lobby) -> list[Text]:
        me = _me(lobby)
        ready = me is not None and me.ready
        names: list[tuple[str, str]] = []
        if lobby.opener and lobby.can_start:
            names.append(("Enter", "do_start"))
        else:
            names.append(("Enter", "do_not_ready" if ready else "do_ready"))
        names.append(("I", "do_invite"))
        if lobby.opener:
            names += [("B", "do_bot"), ("U", "do_unseat")]
        names += [("W", "do_words"), *([("Y", "do_rules")] if lobby.rules_here else [])]
        names += [("A", "do_reach"), ("Q", "do_leave")]
        caps = [keycap(key, t(f"lobby.{name}"), style=YELLOW if key == "Enter" else HEAD) for key, name in names]
        if self.sure_leave:
            caps[-1] = keycap("Q", Text(t("lobby.sure_leave"), RED), style=RED)
        return caps

    def key(self, key: str, scene: Scene) -> Answer:
        lobby = scene.snapshot.lobby
        key = key.lower() if len(key) == 1 else key
        sure, self.sure_leave = self.sure_leave, False
        if key == "?":
            return Answer(open=help_sheet())
        if key == "esc" and sure:
            return Answer()
        if key == "q":
            self.sure_leave = not sure
            return Answer([Leave()]) if sure else Answer()
        if lobby is None:
            return UNUSED
        if key == "enter":
            if lobby.opener and lobby.can_start:
                return Answer([StartTable()])
            me = _me(lobby)
            ready = not (me is not None and me.ready)
            return Answer([Ready(snapshot=scene.snapshot.number, ready=ready)])
        if key == "y" and lobby.rules_here:
            page = RulesPage()
            return Answer([page.ask()], open=page)
        if key == "i":
            return Answer(open=InvitePage())
        if key == "a":
            return Answer(open=ReachPage())
        if key == "w":
            return Answer(open=WordsPage()) if _unmatched(lobby) else Answer(message=t("lobby.no_words"))
        return self._bots(key, lobby)

    @staticmethod
    def _bots(key: str, lobby: Lobby) -> Answer:
        if not lobby.opener or key not in ("b", "u"):
            return UNUSED
        if key == "b":
            return Answer([SeatBot()])
        bots = [friend for friend in lobby.friends if friend.bot]
        return Answer([UnseatBot(key=bots[-1].key)]) if bots else Answer(message=t("lobby.no_bot"))


def _name(lobby: Lobby) -> str:
    """The table's name; of one that a guest came to by invite, whose it is."""
    return lobby.name or (t("lobby.of", name=lobby.host) if lobby.host else t("lobby.nameless"))


def _rules(lobby: Lobby, scene: Scene) -> list[Text]:
    """What is played, as far as it is known here; a guest may know it only by announcement, or not at all."""
    changes, lines = lobby.rules.changes, []
    if lobby.rules.name:
        key = "lobby.rules_changed" if changes else "lobby.rules"
        lines.append(Text(t(key, name=lobby.rules.name, changes=count("changes", changes))))
    if not lobby.rules_here:
        key = "lobby.rules_announced" if lobby.rules.name else "lobby.rules_later"
        lines += fold(Text(t(key, name=lobby.host or t("lobby.somebody")), FADED), scene.width)
    return lines


def _me(lobby: Lobby) -> Friend | None:
    return next((friend for friend in lobby.friends if friend.you), None)


def _unmatched(lobby: Lobby) -> list[Friend]:
    """People whose words have not been compared yet."""
    return [friend for friend in lobby.friends if not (friend.you or friend.bot or friend.words_match)]


def friend_lines(friend: Friend, width: int) -> list[Text]:
    """Somebody in the lobby: name, words, how they are reached, whether they are known and ready."""
    name = t("seat.you", name=friend.name) if friend.you else friend.name
    known = ""
    if friend.bot:
        known = t("lobby.bot")
    elif not friend.you:
        known = count("lobby.known", friend.matches) if friend.matches else t("lobby.new")
        if friend.words_match:
            known = f"{known}, ✓ {t('lobby.matched')}"
    way = [] if friend.bot else [t(f"route.{friend.route}", via=friend.via)]
    if friend.ping_ms is not None:
        way.append(t("route.ping", ms=round(friend.ping_ms)))
    line = Text.assemble(
        ("✓ " if friend.ready else "· ", "bold green" if friend.ready else FADED),
        pad(name, 18),
        (pad(t("lobby.ready") if friend.ready else t("lobby.not_ready"), 15).plain, "" if friend.ready else FADED),
        (" ".join(friend.words), HEAD),
    )
    more = Text("  ".join(words for words in (known, ", ".join(way)) if words), FADED)
    if line.cell_len + 2 + more.cell_len <= width:
        return [Text.assemble(line, "  ", more)]
    return [line, *(Text.assemble("    ", row) for row in fold(more, width - 4))]


def qr_lines(rows: tuple[str, ...]) -> list[Text]:
    """A QR code in half blocks, two rows a line, light on dark with a border of two squares."""
    width = max((len(row) for row in rows), default=0)
    grid = [[False] * (width + 2 * QUIET) for _ in range(QUIET)]
    for row in rows:
        dark = [mark == "1" for mark in row.ljust(width, "0")]
        grid.append([False] * QUIET + dark + [False] * QUIET)
    grid += [[False] * (width + 2 * QUIET) for _ in range(QUIET + (len(rows) % 2))]
    return [
        Text("".join(_HALVES[pair] for pair in zip(grid[y], grid[y + 1], strict=True)), style=PAPER)
        for y in range(0, len(grid), 2)
    ]


@dataclass(slots=True)
class InvitePage(Quiet):
    """The invite as QR code, text and link."""

    scroll: Scroll = field(default_factory=Scroll)

    def lines(self, scene: Scene) -> list[Text]:
        lobby = scene.snapshot.lobby
        if lobby is None:
            return framed(t("lobby.invite_title"), [], t("sheet.end"), scene)
        scan = t("lobby.invite_scan_open")
        if lobby.expires_at_ms is not None:
            minutes = max(0, lobby.expires_at_ms - scene.now_ms) // 60_000
            scan = t("lobby.invite_scan", left=f"{minutes // 60}:{minutes % 60:02}")
        code = qr_lines(lobby.qr) if lobby.qr else []
        if code and code[0].cell_len > scene.width:
            code = [Text(t("lobby.invite_narrow", w=code[0].cell_len), FADED)]
        body = [
            *fold(Text(t("lobby.private" if lobby.private else "lobby.announced"), FADED), scene.width),
            *fold(scan, scene.width),
            *code,
            Text(t("lobby.invite_text"), FADED),
            *fold(lobby.invite, scene.width),
            Text(t("lobby.invite_link"), FADED),
            *fold(lobby.link, scene.width),
        ]
        view = self.scroll.view(body, max(1, scene.height - 4))
        return framed(t("lobby.invite_title"), view, t("sheet.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        if key in ("esc", "enter", "i", "q"):
            return Answer(close=True)
        return Answer() if self.scroll.key(key) else UNUSED


@dataclass(slots=True)
class ReachPage(Quiet):
    """In which ways others may or may not reach this computer, while it is found out."""

    def lines(self, scene: Scene) -> list[Text]:
        lobby = scene.snapshot.lobby
        rows = [
            row
            for way in (lobby.reach if lobby is not None else ())
            for row in fold(
                Text.assemble(
                    pad(t(f"reach.{way.way}"), 18),
                    f"{way.detail}: " if way.detail else "",
                    (
                        t(f"reach.open.{way.way}" if way.state == "open" else f"reach.{way.state}"),
                        RED if way.state == "no" else "" if way.state == "yes" else FADED,
                    ),
                ),
                scene.width,
            )
        ]
        return framed(t("lobby.reach_title"), rows, t("sheet.end"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        return Answer(close=True) if key in ("esc", "enter", "a", "q") else UNUSED


@dataclass(slots=True)
class WordsPage(Quiet):
    """Say whose four words were the same on both screens."""

    menu: Menu = field(default_factory=Menu)

    def _items(self, scene: Scene) -> None:
        lobby = scene.snapshot.lobby
        found = _unmatched(lobby) if lobby is not None else []
        self.menu.items = [(f.key, Text(f"{f.name}: {' '.join(f.words)}")) for f in found]

    def lines(self, scene: Scene) -> list[Text]:
        self._items(scene)
        lead = [*fold(Text(t("lobby.lead"), FADED), scene.width), Text()]
        rows = self.menu.draw() if self.menu.items else [Text(t("lobby.no_words"))]
        return framed(t("lobby.words_title"), [*lead, *rows], t("form.foot"), scene)

    def key(self, key: str, scene: Scene) -> Answer:
        self._items(scene)
        if key in ("esc", "q"):
            return Answer(close=True)
        chosen = self.menu.key(key)
        if chosen:
            return Answer([WordsMatch(key=chosen)], close=True)
        return UNUSED if chosen is None else Answer()

"""A peer for people: implements `api.Backend`, one player's whole program behind whatever screens there are.

Commands are carried out or refused at once; what follows from them is seen in later snapshots. All of it runs on one
event loop; a snapshot is built when something has changed and somebody looks.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio

from p2pkaboo.journal.errors import JournalError
from p2pkaboo.journal.store import Journal
from p2pkaboo.peer import api
from p2pkaboo.peer.place import Place, now_us, open_place
from p2pkaboo.peer.session.archive import Archive
from p2pkaboo.peer.session.bots import SpawnBot, clear_leftovers
from p2pkaboo.peer.session.errand import Errand, Joining, Opening
from p2pkaboo.peer.session.errands import Errands
from p2pkaboo.peer.session.feed import Subscription
from p2pkaboo.peer.session.hall import Hall
from p2pkaboo.peer.session.profile import Keepsakes, score_pad, sheet_of
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.peer.session.snapshots import Snapshots
from p2pkaboo.peer.session.whereabouts import Whereabouts

if TYPE_CHECKING:
    from p2pkaboo.peer.player import Player
    from p2pkaboo.peer.session.visit import Visit

LOADED_LATER: Final = (
    "p2pkaboo.net.discovery",
    "p2pkaboo.peer.session.visit",
    "p2pkaboo.peer.session.table",
    "p2pkaboo.peer.session.lobby",
    "p2pkaboo.peer.session.turn",
)
"""What the start screen does without: half of the program's start."""


class Session:
    """See the module's docstring. Made by `open_session`."""

    def __init__(
        self,
        place: Place,
        archive: Archive,
        *,
        name: str = "",
        spawn_bot: SpawnBot,
        styles: Sequence[api.Styles],
        threads: int | None = None,
    ) -> None:
        key = place.identity.public.encoded
        self.hall = Hall(self._changed, key)
        self._watched = trio.Event()
        self._keepsakes, self._archive = Keepsakes(place.profile, name), archive
        self._errands = Errands(self._keepsakes, archive, self.hall, styles, key)
        self._where = Whereabouts(
            place,
            self._keepsakes,
            archive,
            self._errands,
            spawn_bot=spawn_bot,
            styles=styles,
            threads=threads,
            now_ms=self.now_ms,
            changed=self._changed,
        )
        self._snapshots = Snapshots(self._where, self._keepsakes, self.hall, key=key, styles=styles, now_ms=self.now_ms)

    # ---------------------------------------------------------------- the Backend

    def now_ms(self) -> int:
        return now_us() // 1000

    def snapshot(self) -> api.Snapshot:
        return self._snapshots.now()

    def subscribe(self) -> Subscription:
        self._watched.set()
        return self._snapshots.subscribe()

    def _changed(self) -> None:
        self._snapshots.outdate()

    async def command(self, command: api.AnyCommand, *, arrived_ns: int) -> api.Reply:
        try:
            if isinstance(command, api.Snap):  # the clock runs: nothing comes before it
                self._snap(command, arrived_ns)
                return api.Reply()
            return api.Reply(result=await self._carry_out(command))
        except Refusal as refusal:
            return api.Reply(error=refusal.say)
        except (JournalError, OSError) as error:
            return api.Reply(error=api.Say(key="error.other", params={"reason": str(error)}))
        finally:
            self._changed()

    # ---------------------------------------------------------------- commands

    def _snap(self, command: api.Snap, arrived_ns: int) -> None:
        if self._where.practice is not None:
            self._where.turns.check_snap(command)
            self._where.practice.snap(command)
        elif self._where.visit is not None and self._where.visit.seated is not None:
            self._where.turns.check_snap(command)
            self._where.turns.snap(self._where.visit.seated.runner, command, arrived_ns // 1000)
        else:
            raise Refusal("error.no_snap")

    async def _carry_out(self, command: api.AnyCommand) -> api.AnyResult | None:
        match command:
            case api.PlayBots() | api.Host() | api.Join() | api.Resume() | api.Practice() | api.Leave():
                self._where.go(command)
            case api.SeatBot() | api.UnseatBot() | api.WordsMatch() | api.StartTable():
                self._in_lobby(command)
            case api.Ready():
                self._ready(command)
            case api.ShowHistory():
                return self._archive.history()
            case api.ShowReport() | api.ShowSteps() | api.SaveTranscript() | api.CheckTranscript() | api.ShowLog():
                from p2pkaboo.peer.session.paper import Papers

                return await Papers(self._archive).read(command, self._where.visit)
            case api.ShowRules():
                return self._show_rules(command)
            case api.SetName() | api.SetSetting() | api.SaveRules() | api.DeleteRules():
                self._keep(command)
            case api.ScoreShow():
                return score_pad(self._keepsakes.score())
            case api.ScoreNew() | api.ScoreAdd() | api.ScoreUndo():
                return score_pad(self._keepsakes.change_score(command))
            case api.StopMatch():
                self._where.leave()
            case api.Snap():
                raise Refusal("error.not_now")
            case _:
                self._play(command)
        return None

    def _play(self, command: api.AnyCommand) -> None:
        """A command of the turn: checked against what it was decided on, then a move."""
        if self._where.practice is not None:
            self._where.turns.check(command)
            self._where.practice.command(command)
        elif self._where.visit is not None and self._where.visit.seated is not None:
            self._where.turns.play(self._where.visit.seated.runner, self._where.visit.human, command)
        else:
            raise Refusal("error.not_now")

    def _in_lobby(self, command: api.SeatBot | api.UnseatBot | api.WordsMatch | api.StartTable) -> None:
        visit = self._where.visit
        if isinstance(command, api.WordsMatch):
            self._keepsakes.know(command.key)
            return
        if visit is None or visit.lobby is None or visit.stage != "lobby" or not visit.opener:
            raise Refusal("error.not_now")
        match command:
            case api.SeatBot():
                self._errands.check_style(command.style)
                assert isinstance(visit.errand, Opening)
                if len(visit.lobby.people) + 1 >= visit.errand.seats:
                    raise Refusal("error.full")
                visit.seat_bot(command.style)
            case api.UnseatBot():
                if len(command.key) != 64 or not visit.bots.unseat(_key(command.key)):
                    raise Refusal("error.unknown", what="this bot")
            case api.StartTable():
                rules = visit.lobby.rules
                if rules is not None and len(visit.lobby.forming.joins) < rules.players_min:
                    raise Refusal("error.players", least=rules.players_min, most=rules.players_max)
                visit.lobby.start()

    def _ready(self, command: api.Ready) -> None:
        visit = self._where.visit
        if self._where.practice is not None:
            self._where.practice.ready()
        elif visit is not None and visit.stage == "lobby":
            self._check_ready(command, visit)
            visit.set_ready(command.ready)
        elif visit is not None and visit.seated is not None and command.ready:
            self._where.turns.ready(visit.seated.runner, visit.human)
        else:
            raise Refusal("error.not_now")

    def _check_ready(self, command: api.Ready, visit: "Visit") -> None:
        """Raises Refusal for a guest that is ready for rules that cannot be played, or are not those on its screen."""
        if not command.ready or visit.lobby is None:
            return
        if visit.lobby.unplayable is not None:
            raise Refusal("error.rules", problem=visit.lobby.unplayable)
        self._snapshots.now()  # so that what has just come counts as not yet seen
        if command.snapshot < visit.terms_since:
            raise Refusal("error.stale")

    def _show_rules(self, command: api.ShowRules) -> api.RulesSheet:
        if command.rules:
            return self._keepsakes.sheet(command.rules, command.overrides)
        visit = self._where.visit
        if visit is not None and visit.seated is not None:
            return sheet_of(visit.seated.charter.rules)
        if visit is not None and isinstance(visit.errand, Opening):
            return sheet_of(visit.errand.rules)
        if visit is not None and visit.lobby is not None and visit.lobby.terms is not None:
            return sheet_of(visit.lobby.terms.rules)
        if self._where.practice is not None:
            return sheet_of(self._where.practice.rules)
        raise Refusal("error.unknown", what="the rules of this table: its opener has not told them yet")

    def _keep(self, command: api.SetName | api.SetSetting | api.SaveRules | api.DeleteRules) -> None:
        match command:
            case api.SetName():
                self._keepsakes.set_name(command.name)
            case api.SetSetting():
                self._keepsakes.set_setting(command.name, command.value)
            case api.SaveRules():
                self._keepsakes.save_rules(command.name, command.rules, command.overrides)
            case api.DeleteRules():
                self._keepsakes.delete_rules(command.rules)
        self._snapshots.rules = self._keepsakes.rule_names()

    # ---------------------------------------------------------------- for the command line

    def joining(self, command: api.Join) -> Joining:
        """The way to a table that is named by an invite, or found in this network. Raises Refusal."""
        return self._errands.joining(command)

    def set_out(self, errand: Errand, player: "Player | None" = None) -> "Visit":
        """Begins a visit (see `Whereabouts.set_out`)."""
        return self._where.set_out(errand, player)

    # ---------------------------------------------------------------- running

    async def run(
        self, *, lan: bool, calm: float = 0.0, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Looks for open tables (`lan`) and tells the screens what is new, until cancelled. Until the first
        screen has been there for `calm` seconds it does only the latter; then it also loads, in a thread, what the
        next command may need."""
        async with trio.open_nursery() as nursery:
            self._where.nursery = nursery
            task_status.started()
            nursery.start_soon(self._look_round, lan, calm)
            await self._snapshots.publish()

    async def _look_round(self, lan: bool, calm: float) -> None:
        if calm:
            await self._watched.wait()
            await trio.sleep(calm)
            for module in LOADED_LATER:
                await trio.to_thread.run_sync(import_module, module, abandon_on_cancel=True)
        if lan:
            await self.hall.watch()


def _key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


@asynccontextmanager
async def open_session(
    folder: Path,
    *,
    spawn_bot: SpawnBot,
    styles: Sequence[api.Styles],
    name: str = "",
    lan: bool = True,
    calm: float = 0.0,
    threads: int | None = None,
) -> AsyncIterator[Session]:
    """A running session on the profile in `folder`. `spawn_bot`: how bots are started; `styles`: what they can be;
    `lan`: look for open tables in this network; `calm`: see `Session.run`. Raises JournalError (ProfileBusy too)."""
    async with open_place(folder) as place:
        with Journal(place.profile.journal_path) as reading:
            archive = Archive(place.profile, reading)
            clear_leftovers(place.profile.folder / "bots", (row.about.get("bots") for row in reading.unfinished()))
            session = Session(place, archive, name=name, spawn_bot=spawn_bot, styles=styles, threads=threads)
            async with trio.open_nursery() as nursery:
                await nursery.start(partial(session.run, lan=lan, calm=calm))
                try:
                    yield session
                finally:
                    nursery.cancel_scope.cancel()

"""A peer for people: implements `api.Backend`, one player's whole program behind whatever screens there are.

Commands are carried out or refused at once; what follows from them is seen in later snapshots. All of it runs on one
event loop; a snapshot is built when something has changed and somebody looks.
"""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio
from msgspec.structs import replace

from p2pkaboo.journal.errors import JournalError
from p2pkaboo.journal.store import Journal
from p2pkaboo.net.sockets import ListenError
from p2pkaboo.peer import api
from p2pkaboo.peer.play import Place, now_us, open_place
from p2pkaboo.peer.player import Player
from p2pkaboo.peer.seat import LINGER_SECONDS
from p2pkaboo.peer.session.archive import Archive
from p2pkaboo.peer.session.bots import Bots, SpawnBot, clear_leftovers
from p2pkaboo.peer.session.choices import Refusal
from p2pkaboo.peer.session.coach import hint_of
from p2pkaboo.peer.session.errands import Errands
from p2pkaboo.peer.session.feed import Feed, Subscription
from p2pkaboo.peer.session.hall import Hall
from p2pkaboo.peer.session.lobby import lobby_of
from p2pkaboo.peer.session.paper import Papers
from p2pkaboo.peer.session.profile import Keepsakes, score_pad, sheet_of
from p2pkaboo.peer.session.seat import Human
from p2pkaboo.peer.session.table import options_of, table_of
from p2pkaboo.peer.session.turn import Turns
from p2pkaboo.peer.session.visit import Errand, Joining, Opening, Visit, VisitError
from p2pkaboo.peer.words import four_words
from p2pkaboo.replica.faults import LocalError, PeerFault

if TYPE_CHECKING:
    from p2pkaboo.peer.session.practice import Practice

log = logging.getLogger(__name__)

FRAME_SECONDS: Final = 0.008
"""Least time between two snapshots: no screen shows more than 120 a second, and a deal is a burst of changes."""


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
        self.place = place
        self.keepsakes = Keepsakes(place.profile, name)
        self.archive = archive
        self.hall = Hall(self._dirty_now, place.identity.public.encoded)
        self.visit: Visit | None = None
        self.practice: Practice | None = None
        self.nursery: trio.Nursery | None = None
        self._spawn_bot, self._styles, self._threads = spawn_bot, tuple(styles), threads
        self._feed = Feed()
        self._latest: api.Snapshot | None = None
        self._number = 0
        self._dirty, self._changed = True, trio.Event()
        self._notice: api.Say | None = None
        self._turns = Turns()
        self._unfinished = archive.unfinished()
        self._rules = self.keepsakes.rule_names()
        self._met = archive.played_with()
        self._papers = Papers(self.archive)
        self._errands = Errands(self.keepsakes, archive, self.hall, styles, place.identity.public.encoded)

    # ---------------------------------------------------------------- the Backend

    def now_ms(self) -> int:
        return now_us() // 1000

    def snapshot(self) -> api.Snapshot:
        return self._flush()

    def subscribe(self) -> Subscription:
        return self._feed.subscribe()

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
            self._dirty_now()

    # ---------------------------------------------------------------- snapshots

    def _dirty_now(self) -> None:
        self._dirty = True
        self._changed.set()

    def _flush(self) -> api.Snapshot:
        """The snapshot of now; if it says anything new, everybody gets it."""
        if self._latest is not None and not self._dirty:
            return self._latest
        self._dirty = False
        number = self._number + 1
        motion = self._motion()
        fresh = self._build(number)
        if (
            self._latest is not None
            and not motion
            and replace(fresh, number=0, now_ms=0) == replace(self._latest, number=0, now_ms=0)
        ):
            return self._latest
        self._number, self._latest = number, fresh
        self._feed.publish([replace(event, snapshot=number) for event in motion], fresh)
        return fresh

    def _motion(self) -> list[api.AnyEvent]:
        chronicle = None
        if self.practice is not None:
            chronicle = self.practice.chronicle
        elif self.visit is not None:
            self.visit.update_links(self.now_ms())
            chronicle = self.visit.human.chronicle
        if chronicle is None:
            return []
        motion, chronicle.motion = chronicle.motion, []
        return motion

    def _build(self, number: int) -> api.Snapshot:
        now, key = self.now_ms(), self.place.identity.public.encoded
        base = api.Snapshot(
            number=number,
            now_ms=now,
            screen="start",
            me=api.Person(name=self.keepsakes.name, words=four_words(key)),
            settings=self.keepsakes.settings,
            tables=self.hall.tables(),
            unfinished=self._unfinished,
            rules=self._rules,
            styles=self._styles,
            notice=self._notice,
        )
        if self.practice is not None:
            table = self._turns.stamp(self.practice.table(now), self.practice.options(), number)
            return replace(base, screen="table", table=table)
        visit = self.visit
        if visit is None:
            return base
        if visit.stage == "table" and visit.seated is not None:
            return replace(base, screen="table", table=self._table(visit, number, now))
        if visit.stage == "lobby" and visit.lobby is not None:
            known = self.keepsakes.known
            return replace(base, screen="lobby", lobby=lobby_of(visit, known=known, matches=self._met))
        return replace(base, screen="joining")

    def _table(self, visit: Visit, number: int, now: int) -> api.Table:
        assert visit.seated is not None and visit.links is not None and visit.rules_name is not None
        runner = visit.seated.runner
        table = table_of(
            runner,
            visit.human,
            visit.links,
            now_ms=now,
            name=visit.table_name,
            rules_name=visit.rules_name,
            bots=visit.bots.keys,
            evidence="" if visit.seated.transcript is None else str(visit.seated.transcript),
        )
        options = options_of(runner, visit.human)
        if visit.coached and self.keepsakes.settings.hints:
            table = replace(table, coach=hint_of(table))
        return self._turns.stamp(table, options, number)

    # ---------------------------------------------------------------- commands

    def _snap(self, command: api.Snap, arrived_ns: int) -> None:
        self._turns.check_snap(command)
        if self.practice is not None:
            self.practice.snap(command)
        elif self.visit is not None and self.visit.seated is not None:
            self._turns.snap(self.visit.seated.runner, command, arrived_ns // 1000)
        else:
            raise Refusal("error.no_snap")

    async def _carry_out(self, command: api.AnyCommand) -> api.AnyResult | None:
        match command:
            case api.PlayBots() | api.Host() | api.Join() | api.Resume() | api.Practice() | api.Leave():
                self._go(command)
            case api.SeatBot() | api.UnseatBot() | api.WordsMatch() | api.StartTable():
                self._in_lobby(command)
            case api.Ready():
                self._ready(command)
            case api.ShowHistory():
                return self.archive.history()
            case api.ShowReport() | api.ShowSteps() | api.SaveTranscript() | api.CheckTranscript() | api.ShowLog():
                return await self._papers.read(command, self.visit)
            case api.ShowRules():
                return self._show_rules(command)
            case api.SetName() | api.SetSetting() | api.SaveRules() | api.DeleteRules():
                self._keep(command)
            case api.ScoreShow():
                return score_pad(self.keepsakes.score())
            case api.ScoreNew() | api.ScoreAdd() | api.ScoreUndo():
                return score_pad(self.keepsakes.change_score(command))
            case api.StopMatch():
                self._leave()
            case api.Snap():
                raise Refusal("error.not_now")
            case _:
                self._play(command)
        return None

    def _play(self, command: api.AnyCommand) -> None:
        """A command of the turn: checked against what it was decided on, then a move."""
        if self.practice is not None:
            self._turns.check(command)
            self.practice.command(command)
        elif self.visit is not None and self.visit.seated is not None:
            self._turns.play(self.visit.seated.runner, self.visit.human, command)
        else:
            raise Refusal("error.not_now")

    def _in_lobby(self, command: api.SeatBot | api.UnseatBot | api.WordsMatch | api.StartTable) -> None:
        visit = self.visit
        if isinstance(command, api.WordsMatch):
            self.keepsakes.know(command.key)
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
        visit = self.visit
        if self.practice is not None:
            self.practice.ready()
        elif visit is not None and visit.stage == "lobby":
            visit.ready = command.ready
        elif visit is not None and visit.seated is not None and command.ready:
            self._turns.ready(visit.seated.runner, visit.human)
        else:
            raise Refusal("error.not_now")

    def _show_rules(self, command: api.ShowRules) -> api.RulesSheet:
        if command.rules:
            return self.keepsakes.sheet(command.rules, command.overrides)
        visit = self.visit
        if visit is not None and visit.seated is not None:
            return sheet_of(visit.seated.charter.rules)
        if visit is not None and isinstance(visit.errand, Opening):
            return sheet_of(visit.errand.rules)
        if visit is not None and visit.lobby is not None and visit.lobby.forming.sitting is not None:
            return sheet_of(visit.lobby.forming.sitting.rules)
        if self.practice is not None:
            return sheet_of(self.practice.rules)
        raise Refusal("error.unknown", what="the rules of this table: they come with the offer to begin")

    def _keep(self, command: api.SetName | api.SetSetting | api.SaveRules | api.DeleteRules) -> None:
        match command:
            case api.SetName():
                self.keepsakes.set_name(command.name)
            case api.SetSetting():
                self.keepsakes.set_setting(command.name, command.value)
            case api.SaveRules():
                self.keepsakes.save_rules(command.name, command.rules, command.overrides)
            case api.DeleteRules():
                self.keepsakes.delete_rules(command.rules)
        self._rules = self.keepsakes.rule_names()

    # ---------------------------------------------------------------- going somewhere

    def _go(self, command: api.PlayBots | api.Host | api.Join | api.Resume | api.Practice | api.Leave) -> None:
        if isinstance(command, api.Leave):
            self._leave()
            return
        if isinstance(command, api.Practice):
            if self.visit is not None:
                raise Refusal("error.not_now")
            from p2pkaboo.peer.session.practice import Practice  # here, because most starts practise nothing

            self.practice = Practice(command.lesson, self.now_ms, self._dirty_now, self.keepsakes.name)
            return
        if self.visit is not None:
            raise Refusal("error.not_now")
        errand = self._errands.errand(command)
        self.practice = None
        self.set_out(errand)

    def joining(self, command: api.Join) -> Joining:
        """The way to a table that is named by an invite, or found in this network. Raises Refusal."""
        return self._errands.joining(command)

    def set_out(self, errand: Errand, player: Player | None = None) -> Visit:
        """Begins a visit; it goes on in the background. `player`: plays instead of the person at the screen."""
        assert self.nursery is not None
        human = Human(self.now_ms, self._dirty_now)
        home = self.place.profile.folder / "bots"
        bots = Bots(self._spawn_bot, home, tuple(style.id for style in self._styles))
        visit = self.visit = Visit(
            self.place, self.keepsakes.name, errand, human, bots, self._dirty_now, player=player, threads=self._threads
        )
        self._notice, self._turns = None, Turns()
        self.nursery.start_soon(self._run, visit)
        return visit

    async def _run(self, visit: Visit) -> None:
        notice: api.Say | None = None
        try:
            await visit.run()
        except* VisitError as errors:
            first = _leaf(errors)
            notice = first.say if isinstance(first, VisitError) else None
        except* Exception as errors:  # whatever it is, the player gets back to the start screen and reads why
            log.exception("the table ended")
            leaf = _leaf(errors)
            known = isinstance(leaf, ListenError | JournalError | OSError | LocalError | PeerFault)
            notice = api.Say(key="notice.other", params={"reason": str(leaf) if known else f"a defect: {leaf!r}"})
        finally:
            if self.visit is visit:
                self.visit = None
            if notice is not None:
                self._notice = visit.trouble = notice
            visit.begun.set()
            self._unfinished = self.archive.unfinished()
            self._met = self.archive.played_with()
            visit.done.set()
            self._dirty_now()

    def _leave(self) -> None:
        """Gets up from whatever the player is at. From a match under way there is no way back to it."""
        if self.practice is not None:
            self.practice = None
            return
        visit = self.visit
        if visit is None:
            raise Refusal("error.not_now")
        assert self.nursery is not None
        self.visit, self._notice = None, None
        self.nursery.start_soon(self._see_out, visit)

    async def _see_out(self, visit: Visit) -> None:
        """What is left to do when the player has turned away: a match whose hands are open is brought to its end."""
        if visit.ending():
            with trio.move_on_after(LINGER_SECONDS):
                await visit.finished.wait()
        visit.leave()
        await visit.done.wait()
        visit.note_left()
        self._unfinished = self.archive.unfinished()
        self._dirty_now()

    # ---------------------------------------------------------------- running

    async def run(self, *, lan: bool, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Looks for open tables (`lan`) and tells the screens what is new, until cancelled."""
        async with trio.open_nursery() as nursery:
            self.nursery = nursery
            task_status.started()
            if lan:
                nursery.start_soon(self.hall.watch)
            await self._publish()

    async def _publish(self) -> None:
        while True:
            with trio.move_on_after(self._next_change()):
                await self._changed.wait()
            self._changed = trio.Event()
            if self.practice is not None:
                self.practice.tick()
            self._dirty = True
            self._flush()
            await trio.sleep(FRAME_SECONDS)

    def _next_change(self) -> float:
        """Seconds until something changes by time alone."""
        ends = None
        if self.practice is not None:
            ends = self.practice.next_change()
        elif self.visit is not None:
            ends = self.visit.human.memory.next_change()
        table = self._latest.table if self._latest is not None else None
        if table is not None and table.discard.exposure is not None:
            exposed = table.discard.exposure.ends_at_ms
            ends = exposed if ends is None else min(ends, exposed)
        return 1.0 if ends is None else min(1.0, max(0.001, (ends - self.now_ms()) / 1000 + 0.001))


def _key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _leaf(group: BaseException) -> BaseException:
    """The first plain error of a group."""
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group


@asynccontextmanager
async def open_session(
    folder: Path,
    *,
    spawn_bot: SpawnBot,
    styles: Sequence[api.Styles],
    name: str = "",
    lan: bool = True,
    threads: int | None = None,
) -> AsyncIterator[Session]:
    """A running session on the profile in `folder`. `spawn_bot`: how bots are started; `styles`: what they can be;
    `lan`: look for open tables in this network. Raises JournalError (ProfileBusy among them)."""
    async with open_place(folder) as place:
        with Journal(place.profile.journal_path) as reading:
            archive = Archive(place.profile, reading)
            clear_leftovers(place.profile.folder / "bots", (row.about.get("bots") for row in reading.unfinished()))
            session = Session(place, archive, name=name, spawn_bot=spawn_bot, styles=styles, threads=threads)
            async with trio.open_nursery() as nursery:
                await nursery.start(partial(session.run, lan=lan))
                try:
                    yield session
                finally:
                    nursery.cancel_scope.cancel()

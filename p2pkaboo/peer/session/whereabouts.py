"""Where the player is: at the start, at a practice, or on a visit to a table; and how it gets there and away again."""

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import trio

from p2pkaboo.journal.errors import JournalError
from p2pkaboo.peer import api
from p2pkaboo.peer.place import Place
from p2pkaboo.peer.session.archive import Archive
from p2pkaboo.peer.session.bots import Bots, SpawnBot
from p2pkaboo.peer.session.errand import Errand
from p2pkaboo.peer.session.errands import Errands
from p2pkaboo.peer.session.profile import Keepsakes
from p2pkaboo.peer.session.refusal import Refusal

if TYPE_CHECKING:
    from p2pkaboo.peer.player import Player
    from p2pkaboo.peer.session.practice import Practice
    from p2pkaboo.peer.session.turn import Turns
    from p2pkaboo.peer.session.visit import Visit

log = logging.getLogger(__name__)


class Whereabouts:
    """`visit`, `practice`: at most one of them is there; `turns`: what a command at this table was decided on;
    `notice`: why the last visit ended; `unfinished`, `met`: what the archive says of visits before. Visits go on in
    `nursery`, which must be there before the first. What only a table needs is loaded on the way to it."""

    def __init__(
        self,
        place: Place,
        keepsakes: Keepsakes,
        archive: Archive,
        errands: Errands,
        *,
        spawn_bot: SpawnBot,
        styles: Sequence[api.Styles],
        threads: int | None,
        now_ms: Callable[[], int],
        changed: Callable[[], None],
    ) -> None:
        self.visit: Visit | None = None
        self.practice: Practice | None = None
        self._turns: Turns | None = None
        self.notice: api.Say | None = None
        self.unfinished = archive.unfinished()
        self.met = archive.played_with()
        self.nursery: trio.Nursery | None = None
        self._place, self._keepsakes, self._archive, self._errands = place, keepsakes, archive, errands
        self._spawn_bot, self._styles, self._threads = spawn_bot, tuple(styles), threads
        self._now_ms, self._changed = now_ms, changed

    @property
    def turns(self) -> "Turns":
        """Kept from one table or lesson to the next; a new one for each visit."""
        from p2pkaboo.peer.session.turn import Turns

        if self._turns is None:
            self._turns = Turns()
        return self._turns

    def go(self, command: api.PlayBots | api.Host | api.Join | api.Resume | api.Practice | api.Leave) -> None:
        """Goes where a command says, or leaves. Raises Refusal."""
        if isinstance(command, api.Leave):
            self.leave()
            return
        if isinstance(command, api.Practice):
            if self.visit is not None:
                raise Refusal("error.not_now")
            from p2pkaboo.peer.session.practice import Practice  # here, because most starts practise nothing

            self.practice = Practice(command.lesson, self._now_ms, self._changed, self._keepsakes.name)
            return
        if self.visit is not None:
            raise Refusal("error.not_now")
        errand = self._errands.errand(command)
        self.practice = None
        self.set_out(errand)

    def set_out(self, errand: Errand, player: "Player | None" = None) -> "Visit":
        """Begins a visit; it goes on in the background. `player`: plays instead of the person at the screen."""
        from p2pkaboo.peer.session.seat import Human
        from p2pkaboo.peer.session.visit import Visit

        assert self.nursery is not None
        human = Human(self._now_ms, self._changed)
        home = self._place.profile.folder / "bots"
        bots = Bots(self._spawn_bot, home, tuple(style.id for style in self._styles))
        visit = self.visit = Visit(
            self._place, self._keepsakes.name, errand, human, bots, self._changed, player=player, threads=self._threads
        )
        self.notice, self._turns = None, None
        self.nursery.start_soon(self._run, visit)
        return visit

    async def _run(self, visit: "Visit") -> None:
        from p2pkaboo.net.sockets import ListenError
        from p2pkaboo.peer.session.visit import VisitError
        from p2pkaboo.replica.faults import LocalError, PeerFault

        notice: api.Say | None = None
        try:
            await visit.run()
        except* VisitError as errors:
            first = _leaf(errors)
            notice = first.say if isinstance(first, VisitError) else None
        except* Exception as errors:  # whatever it is, the player gets back to the start screen and reads why
            leaf = _leaf(errors)
            plain = isinstance(leaf, ListenError | JournalError | OSError)  # a full disk: the notice says all of it
            if not plain:
                log.exception("the table ended")
            known = plain or isinstance(leaf, LocalError | PeerFault)
            notice = api.Say(key="notice.other", params={"reason": str(leaf) if known else f"a defect: {leaf!r}"})
        finally:
            if self.visit is visit:
                self.visit = None
            if notice is not None:
                self.notice = visit.trouble = notice
            visit.begun.set()
            self.unfinished = self._archive.unfinished()
            self.met = self._archive.played_with()
            visit.done.set()
            self._changed()

    def leave(self) -> None:
        """Gets up from whatever the player is at. From a match under way there is no way back to it."""
        if self.practice is not None:
            self.practice = None
            return
        visit = self.visit
        if visit is None:
            raise Refusal("error.not_now")
        assert self.nursery is not None
        self.visit, self.notice = None, None
        self.nursery.start_soon(self._see_out, visit)

    async def _see_out(self, visit: "Visit") -> None:
        """What is left to do when the player has turned away: a match whose hands are open is brought to its end."""
        from p2pkaboo.peer.seat import LINGER_SECONDS

        if visit.ending():
            with trio.move_on_after(LINGER_SECONDS):
                await visit.finished.wait()
        visit.leave()
        await visit.done.wait()
        visit.note_left()
        self.unfinished = self._archive.unfinished()
        self._changed()


def _leaf(group: BaseException) -> BaseException:
    """The first plain error of a group."""
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group

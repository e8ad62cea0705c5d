"""Snapshots of everything a screen shows: built when something has changed and somebody looks, told to all screens."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import trio
from msgspec.structs import replace

from p2pkaboo.peer import api
from p2pkaboo.peer.session.feed import Feed, Subscription
from p2pkaboo.peer.session.hall import Hall
from p2pkaboo.peer.session.profile import Keepsakes
from p2pkaboo.peer.session.whereabouts import Whereabouts
from p2pkaboo.peer.words import four_words

if TYPE_CHECKING:
    from p2pkaboo.peer.session.visit import Visit

FRAME_SECONDS: Final = 0.008
"""Least time between two snapshots: no screen shows more than 120 a second, and a deal is a burst of changes."""


class Snapshots:
    """One player's. `key` is the player's; `rules`: the names of presets and saved rule sets."""

    def __init__(
        self,
        where: Whereabouts,
        keepsakes: Keepsakes,
        hall: Hall,
        *,
        key: bytes,
        styles: Sequence[api.Styles],
        now_ms: Callable[[], int],
    ) -> None:
        self.rules = keepsakes.rule_names()
        self._where, self._keepsakes, self._hall = where, keepsakes, hall
        self._key, self._styles, self._now_ms = key, tuple(styles), now_ms
        self._feed = Feed()
        self._latest: api.Snapshot | None = None
        self._number = 0
        self._dirty, self._changed = True, trio.Event()

    def subscribe(self) -> Subscription:
        """Everything that is told from now on."""
        self.outdate()  # what no screen has shown yet is shown now
        return self._feed.subscribe()

    def outdate(self) -> None:
        """Something has changed: the latest snapshot may be wrong."""
        self._dirty = True
        self._changed.set()

    def now(self) -> api.Snapshot:
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
        if self._where.practice is not None:
            chronicle = self._where.practice.chronicle
        elif self._where.visit is not None:
            self._where.visit.update_links(self._now_ms())
            chronicle = self._where.visit.human.chronicle
        if chronicle is None:
            return []
        motion, chronicle.motion = chronicle.motion, []
        return motion

    def _build(self, number: int) -> api.Snapshot:
        now = self._now_ms()
        base = api.Snapshot(
            number=number,
            now_ms=now,
            screen="start",
            me=api.Person(name=self._keepsakes.name, words=four_words(self._key)),
            settings=self._keepsakes.settings,
            tables=self._hall.tables(),
            unfinished=self._where.unfinished,
            rules=self.rules,
            styles=self._styles,
            notice=self._where.notice,
        )
        if self._where.practice is not None:
            table = self._where.turns.stamp(self._where.practice.table(now), self._where.practice.options(), number)
            return replace(base, screen="table", table=table)
        visit = self._where.visit
        if visit is None:
            return base
        if visit.stage == "table" and visit.seated is not None:
            return replace(base, screen="table", table=self._table(visit, number, now))
        if visit.stage == "lobby" and visit.lobby is not None:
            from p2pkaboo.peer.session.lobby import lobby_of

            visit.note_shown(number)
            known = self._keepsakes.known
            return replace(base, screen="lobby", lobby=lobby_of(visit, known=known, matches=self._where.met))
        return replace(base, screen="joining")

    def _table(self, visit: "Visit", number: int, now: int) -> api.Table:
        from p2pkaboo.peer.session.coach import hint_of
        from p2pkaboo.peer.session.table import options_of, table_of

        assert visit.seated is not None and visit.links is not None and visit.rules_name is not None
        runner = visit.seated.runner
        visit.human.on_screen = self._feed.watched
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
        if visit.coached and self._keepsakes.settings.hints:
            table = replace(table, coach=hint_of(table))
        return self._where.turns.stamp(table, options, number)

    async def publish(self) -> None:
        """Tells the screens what is new, and what changes by time alone, until cancelled."""
        while True:
            with trio.move_on_after(self._next_change()):
                await self._changed.wait()
            self._changed = trio.Event()
            if self._where.practice is not None:
                self._where.practice.tick()
            self._dirty = True
            self.now()
            await trio.sleep(FRAME_SECONDS)

    def _next_change(self) -> float:
        """Seconds until something changes by time alone."""
        ends = None
        if self._where.practice is not None:
            ends = self._where.practice.next_change()
        elif self._where.visit is not None:
            ends = self._where.visit.human.memory.next_change()
        table = self._latest.table if self._latest is not None else None
        if table is not None and table.discard.exposure is not None:
            exposed = table.discard.exposure.ends_at_ms
            ends = exposed if ends is None else min(ends, exposed)
        return 1.0 if ends is None else min(1.0, max(0.001, (ends - self._now_ms()) / 1000 + 0.001))

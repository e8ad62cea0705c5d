"""A scripted person at a backend: does, by turns, everything that is offered, and remembers what it was told."""

import random
import time
from collections.abc import Callable

from p2pkaboo.peer import api


class Person:
    """Plays through the local API alone. `refused`: errors of commands; `kinds`: kinds of commands that were taken."""

    def __init__(self, backend: api.Backend, seed: int, *, call_from: int = 3, snaps: float = 0.1) -> None:
        """`call_from`: own turns before it calls; `snaps`: chance of a snap at each moment that offers one."""
        self.backend, self.random = backend, random.Random(seed)
        self.call_from, self.snaps = call_from, snaps
        self.turns = 0
        self.refused: list[str] = []
        self.kinds: set[str] = set()
        self.events: list[api.AnyEvent] = []
        self._answered: tuple[int, int] = (-1, -1)

    async def play(self, until: Callable[[api.Table], bool]) -> api.Table:
        """Plays until a table is reached that is wanted."""
        news = self.backend.subscribe()
        table = self.backend.snapshot().table
        if table is not None and until(table):
            return table
        await self.act(self.backend.snapshot())
        async for item in news:
            if not isinstance(item, api.Snapshot):
                self.events.append(item)
                continue
            assert item.notice is None, item.notice
            if item.table is None:
                continue
            if until(item.table):
                await news.aclose()
                return item.table
            await self.act(item)
        raise AssertionError("the news have ended")

    async def act(self, snapshot: api.Snapshot) -> None:
        """One command, if anything is asked."""
        table = snapshot.table
        if table is None:
            return
        command = self.choose(table, snapshot.number)
        if command is None:
            return
        if not isinstance(command, api.Snap):
            moment = (table.round, table.decided_on)
            if moment == self._answered:
                return
            self._answered = moment
        reply = await self.backend.command(command, arrived_ns=time.monotonic_ns())
        if reply.error is not None:
            self.refused.append(reply.error.key)
        else:
            self.kinds.add(type(command).__name__)

    def choose(self, table: api.Table, number: int) -> api.AnyCommand | None:
        """What to do at this moment."""
        offered = {choice.command: choice for choice in table.choices if not choice.off}
        if "snap" in offered and self.random.random() < self.snaps:
            spot = self.random.choice(offered["snap"].mine + offered["snap"].theirs)
            return api.Snap(snapshot=number, seat=spot.seat or 0, position=spot.position or 0)
        match next((name for name in _ORDER if name in offered), None):
            case "ready":
                return api.Ready(snapshot=number)
            case "seen" if table.phase == "first_look":
                return api.Seen(snapshot=number)
            case "peek_initial":
                choice = offered["peek_initial"]
                spots = self.random.sample(choice.mine, choice.most)
                return api.PeekInitial(snapshot=number, positions=tuple(spot.position or 0 for spot in spots))
            case "give":
                return api.Give(snapshot=number, position=self._mine(offered["give"]))
            case "swap":
                mine = self.random.choice(offered["swap"].mine)
                theirs = self.random.choice([spot for spot in offered["swap"].theirs if spot != mine])
                return api.Swap(
                    snapshot=number,
                    mine=mine.position or 0,
                    of=mine.seat,
                    seat=theirs.seat or 0,
                    theirs=theirs.position or 0,
                )
            case "peek":
                return api.Peek(snapshot=number, position=self._mine(offered["peek"]))
            case "spy":
                spot = self.random.choice(offered["spy"].theirs)
                return api.Spy(snapshot=number, seat=spot.seat or 0, position=spot.position or 0)
            case "exchange" if "discard" not in offered or self.random.random() < 0.4:
                return self._exchange(offered["exchange"], number)
            case "exchange" | "discard":
                return api.DiscardDrawn(snapshot=number)
            case "draw" | "take" | "call":
                return self._begin(offered, number)
            case _:
                return None

    def _begin(self, offered: dict[str, api.Choice], number: int) -> api.AnyCommand:
        self.turns += 1
        if "call" in offered and (self.turns >= self.call_from or len(offered) == 1):
            return api.CallRound(snapshot=number)
        if "take" in offered and ("draw" not in offered or self.random.random() < 0.2):
            return api.Take(snapshot=number)
        return api.Draw(snapshot=number)

    def _exchange(self, choice: api.Choice, number: int) -> api.Exchange:
        count = 2 if choice.most > 1 and len(choice.mine) > 1 and self.random.random() < 0.3 else 1
        spots = self.random.sample(choice.mine, count)
        positions = tuple(spot.position or 0 for spot in spots)
        end = self.random.choice(("left", "right")) if choice.ends and count > 1 else None
        return api.Exchange(snapshot=number, positions=positions, into=positions[0], end=end)  # type: ignore[arg-type]

    def _mine(self, choice: api.Choice) -> int:
        return self.random.choice(choice.mine).position or 0


_ORDER = (
    "ready",
    "peek_initial",
    "give",
    "swap",
    "peek",
    "spy",
    "exchange",
    "discard",
    "draw",
    "take",
    "call",
    "seen",
)

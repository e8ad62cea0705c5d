"""One visit to one table: from opening or joining it to leaving it, with everything a screen shows of it meanwhile."""

import logging
import os
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

import trio

from p2pkaboo.journal.store import MatchRow
from p2pkaboo.net.discovery import OpenTable, announce
from p2pkaboo.net.invite import Invite
from p2pkaboo.net.loopback import LOOPBACK, NoLoopback, check_loopback
from p2pkaboo.net.mesh import Mesh
from p2pkaboo.net.sockets import PortTaken
from p2pkaboo.peer import api
from p2pkaboo.peer.lobby import LeftOut, Lobby
from p2pkaboo.peer.place import Place, now_us
from p2pkaboo.peer.play import (
    Seated,
    TableWish,
    form_table,
    make_invite,
    play_match,
    seat_down,
    sit_again,
    table_mesh,
)
from p2pkaboo.peer.player import Player
from p2pkaboo.peer.session.bots import Bots
from p2pkaboo.peer.session.caught import caught_of
from p2pkaboo.peer.session.errand import Errand, Joining, Opening, announced_name
from p2pkaboo.peer.session.links import Link, Links
from p2pkaboo.peer.session.profile import name_of
from p2pkaboo.peer.session.seat import Human
from p2pkaboo.peer.session.silence import Silence
from p2pkaboo.peer.workers import Workers
from p2pkaboo.replica.terms import Terms

log = logging.getLogger(__name__)

REACH_SECONDS: Final = 20.0
"""How long a table that was asked for may take to answer: redials take two seconds at most, so ten of them fit."""


class VisitError(Exception):
    """The visit ended before anything was played: the sentence says why."""

    def __init__(self, key: str, **params: str | int | None) -> None:
        super().__init__(f"{key}: {params}")
        self.say = api.Say(key=key, params=params)


@dataclass(slots=True)
class Visit:
    """See the module's docstring. `run` does everything; the fields are for screens."""

    place: Place
    own_name: str
    errand: Errand
    human: Human
    bots: Bots
    changed: Callable[[], None]
    player: Player | None = None
    """Who plays instead of the person at the screen, if anybody does."""
    threads: int | None = None
    stage: Literal["joining", "lobby", "table"] = "joining"
    table_name: str = ""
    mesh: Mesh | None = None
    lobby: Lobby | None = None
    invite: Invite | None = None
    seated: Seated | None = None
    links: Links | None = None
    silence: Silence | None = None
    rules_name: api.RulesName | None = None
    terms: Terms | None = None
    """What screens show of the terms of a table in the making."""
    terms_since: int = 0
    """Since which snapshot they show these."""
    ready: bool = False
    announced: Literal["yes", "no", "trying"] = "trying"
    """Whether this network knows of the table, where it is to."""
    opened_at_ms: int = 0
    over: bool = False
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    trouble: api.Say | None = None
    """Why the visit has ended before its time."""
    begun: trio.Event = field(default_factory=trio.Event)
    """The links stand on their port, or `run` has ended."""
    finished: trio.Event = field(default_factory=trio.Event)
    """The match is over, and nobody needs our messages any more."""
    done: trio.Event = field(default_factory=trio.Event)
    """`run` has ended."""

    @property
    def opener(self) -> bool:
        """Whether this peer opened the table."""
        return isinstance(self.errand, Opening)

    @property
    def coached(self) -> bool:
        """Whether the tutorial's hints are given at this table."""
        return isinstance(self.errand, Opening) and self.errand.hints

    # ---------------------------------------------------------------- the whole way

    async def run(self) -> None:
        """Until the player leaves. Raises VisitError when the table cannot be opened or reached."""
        with self.scope:
            try:
                async with AsyncExitStack() as stack:
                    workers = stack.enter_context(Workers(self.threads))
                    stack.callback(self.bots.stop)
                    if isinstance(self.errand, MatchRow):
                        await self._go_back(stack, self.errand, workers)
                    else:
                        await self._sit_down(stack, self.errand, workers)
                    await self._play()
                await trio.sleep_forever()
            finally:
                if self.over or self.seated is None:
                    self.bots.dismiss()

    def leave(self) -> None:
        """The player gets up: whatever is under way ends."""
        self.scope.cancel()

    def ending(self) -> bool:
        """Whether the match is over, or will be in a moment by itself: the hands of its last round are open."""
        if self.seated is None:
            return False
        score = self.seated.runner.current.score
        return self.over or (score is not None and score.match_over)

    def note_left(self) -> None:
        """After leaving a match that was under way: there is no way back to it."""
        if self.seated is None or self.over:
            return
        self.over = True
        self.bots.dismiss()
        summary: dict[str, object] = {
            "names": list(self.seated.charter.shown_names),
            "seat": self.seated.runner.seat,
            "rounds": len(self.seated.runner.deals),
        }
        self.place.journal.finish_match(self.seated.match, outcome="left", summary=summary, finished=int(time.time()))

    async def _sit_down(self, stack: AsyncExitStack, errand: Opening | Joining, workers: Workers) -> None:
        """To a signed charter: opens a table or goes to one, and waits until all have sat down."""
        if isinstance(errand, Opening):
            secret, port, host = os.urandom(16), errand.port, LOOPBACK if errand.local else None
            self.table_name, self.rules_name = errand.name, errand.rules_name
        else:
            secret, port, host = errand.secret, None, None
            self.table_name = errand.name
        mesh = self.mesh = await _entered(stack, self.place, secret, port, host)
        async with trio.open_nursery() as nursery:
            if isinstance(errand, Opening):
                self.invite = make_invite(self.place, secret, mesh)
                self.opened_at_ms = now_us() // 1000
                wish = TableWish(errand.rules, errand.seats, announced_name(errand.name))
                opener = self.place.identity.public.encoded
                for style in errand.bots:
                    self.bots.seat(self.invite.encode(), style, [self.own_name], local=errand.local)
                if not errand.private and not errand.local:
                    nursery.start_soon(self._announce, errand, mesh, secret)
            else:
                wish, opener = None, errand.contacts[0].key
                for contact in errand.contacts:
                    mesh.dial(contact.key, contact.addresses, eager=True)
                nursery.start_soon(self._reach, mesh, opener)
            try:
                lobby = await form_table(
                    self.place,
                    mesh,
                    name=self.own_name,
                    secret=secret,
                    opener=opener,
                    wish=wish,
                    ready=self.opener or self.player is not None or self.ready,
                    changed=self._lobby_changed,
                    opened=partial(self._opened, errand),
                )
            except LeftOut as left:
                raise VisitError("error.other", reason=str(left)) from None
            nursery.cancel_scope.cancel()
        about: dict[str, object] = {"table": self.table_name, "local": host is not None, "bots": self.bots.plain()}
        self.seated = seat_down(
            self.place,
            mesh,
            lobby,
            self.player or self.human,
            workers,
            table_name=self.table_name or "Table",
            about=about,
        )

    def seat_bot(self, style: str) -> None:
        """A bot of ours takes a seat at the table that we opened."""
        assert self.invite is not None and self.lobby is not None
        taken = [self.own_name, *(person.name for person in self.lobby.people.values())]
        self.bots.seat(self.invite.encode(), style, taken, local=False)
        self.changed()

    def note_shown(self, number: int) -> None:
        """Snapshot `number` shows the lobby as it is now: who is ready on an older one may have read other terms."""
        terms = None if self.lobby is None else self.lobby.terms
        if terms != self.terms:
            self.terms, self.terms_since = terms, number

    def set_ready(self, ready: bool) -> None:
        """The player at the screen wants to be dealt in, or not after all. The opener always does."""
        self.ready = ready
        if self.lobby is not None and not self.opener:
            self.lobby.set_ready(ready)
            self.ready = self.lobby.ready
        self.changed()

    def _opened(self, errand: Opening | Joining, lobby: Lobby) -> None:
        self.lobby = lobby
        self.begun.set()
        if isinstance(errand, Opening):
            if not errand.local:
                self.stage = "lobby"
            if not (errand.local or errand.start_full):
                lobby.wanted = None  # people say themselves when to begin
        self.changed()

    def _lobby_changed(self) -> None:
        lobby = self.lobby
        if lobby is not None and not self.opener:
            if self.stage == "joining" and lobby.forming.opener in lobby.people:
                self.stage = "lobby"
            self.ready = lobby.ready
            wish, terms = lobby.reading.wish, lobby.terms
            self.table_name = (wish.name if wish is not None else "") or self.table_name
            self.rules_name = None if terms is None else name_of(terms.rules)
        self.changed()

    async def _reach(self, mesh: Mesh, opener: bytes) -> None:
        """Gives up if nobody of the table answers."""
        await trio.sleep(REACH_SECONDS)
        if self.stage == "joining":
            raise VisitError("error.nobody", reason=mesh.trouble(opener) or "nobody answers")

    async def _announce(self, errand: Opening, mesh: Mesh, secret: bytes) -> None:
        """Tells the local network of the open table, and of how many have sat down."""

        def table() -> OpenTable:
            here = 1 + (len(self.lobby.people) if self.lobby is not None else 0)
            key = self.place.identity.public.encoded
            return OpenTable(
                self.table_name,
                key,
                secret,
                announced_name(errand.rules_name.name),
                min(here, errand.seats),
                errand.seats,
            )

        try:
            async with announce(table(), mesh.addresses()) as announcement:
                self.announced, said = "yes", table()
                self.changed()
                while True:
                    await trio.sleep(1.0)
                    if table() != said:
                        said = table()
                        await announcement.update(said)
        except (OSError, ValueError) as error:
            log.warning("the table cannot be announced in this network: %s", error)
            self.announced = "no"
            self.changed()

    async def _go_back(self, stack: AsyncExitStack, row: MatchRow, workers: Workers) -> None:
        """Back to a seat: replica, secrets and memory come from the journal."""
        port, local = row.about.get("port"), bool(row.about.get("local"))
        host = LOOPBACK if local else None
        self.table_name = row.table_name
        before = port if isinstance(port, int) else None
        # If somebody else has that port by now, the others are dialled from another one.
        self.mesh = mesh = await _entered(stack, self.place, row.secret, None, host, before)
        self.begun.set()
        self.bots.again(row.about.get("bots"))
        self.seated = sit_again(self.place, mesh, row, self.player or self.human, workers)

    async def _play(self) -> None:
        seated = self.seated
        assert seated is not None
        self.rules_name = self.rules_name or name_of(seated.charter.rules)
        self.links = Links(seated.runner.seat, seated.charter.rules.timer_grace_s * 1000)
        self.silence = Silence(seated.runner.seat)
        self.human.live = True
        self.stage = "table"
        self.changed()
        await play_match(self.place, seated, linger=False)
        self.over = True
        was_caught = self._log_caught(seated)
        if was_caught is not None:
            self.human.chronicle.motion.append(api.CheatCaught(snapshot=0, caught=was_caught))
        self.changed()
        await seated.runner.linger()
        if was_caught is None and self._log_caught(seated) is not None:
            self.changed()
        self.finished.set()

    def _log_caught(self, seated: Seated) -> api.Caught | None:
        """A line in the log for whoever was caught, before the last result or after it."""
        if seated.runner.fault is None:
            return None
        caught = caught_of(seated.runner, str(seated.transcript))
        self.human.chronicle.say("log.caught", "bad", seat=caught.seat, step=caught.step)
        return caught

    def update_links(self, now_ms: int) -> None:
        """Takes in who is connected; the log and the screens hear of changes."""
        if self.links is None or self.silence is None or self.seated is None or self.over:
            return
        runner = self.seated.runner
        silent = self.silence.update(runner.current, now_ms)
        self.links.update(runner.links, silent, now_ms, self._link_changed)

    def _link_changed(self, seat: int, link: Link) -> None:
        key = {"here": "log.back", "silent": "log.silent"}.get(link, "log.away")
        self.human.chronicle.say(key, "" if link == "here" else "bad", seat=seat)
        self.human.chronicle.motion.append(api.SeatChanged(snapshot=0, seat=seat, link=link))


async def _entered(
    stack: AsyncExitStack, place: Place, secret: bytes, port: int | None, host: str | None, before: int | None = None
) -> Mesh:
    """The links of the table, up until the visit ends."""
    try:
        if host == LOOPBACK:
            await check_loopback()  # else our bots would be waited for in vain
        return await stack.enter_async_context(table_mesh(place, secret, port=port, host=host, before=before))
    except NoLoopback as error:
        raise VisitError("error.other", reason=str(error)) from None
    except PortTaken as error:
        raise VisitError("error.port", port=error.port) from None

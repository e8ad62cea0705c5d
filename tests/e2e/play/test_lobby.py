"""Two people at two backends: a table opened, found by its invite, bots seated and sent away, words compared, dealt."""

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from p2pkaboo.cli.seats import BotProcess, styles
from p2pkaboo.net.loopback import NoLoopback
from p2pkaboo.peer import api
from p2pkaboo.peer.lobby import Lobby
from p2pkaboo.peer.session.session import Session, open_session
from p2pkaboo.rules.ruleset import with_overrides
from tests.support.person import Person

pytestmark = pytest.mark.e2e

LIMIT_S = 120


def hasty(order: dict[str, object]) -> BotProcess:
    """A bot that does not think like a person."""
    return BotProcess({**order, "patience": 0.05, "react_ms": [200, 500]})


def opened(folder: Path, name: str) -> AbstractAsyncContextManager[Session]:
    return open_session(folder, spawn_bot=hasty, styles=styles(), name=name, lan=False)


async def ask(session: Session, command: api.AnyCommand) -> api.AnyResult | None:
    reply = await session.command(command, arrived_ns=time.monotonic_ns())
    assert reply.error is None, reply.error
    return reply.result


async def refused(session: Session, command: api.AnyCommand) -> str:
    reply = await session.command(command, arrived_ns=time.monotonic_ns())
    assert reply.error is not None
    return reply.error.key


async def until(session: Session, condition: Callable[[api.Snapshot], bool]) -> api.Snapshot:
    """The first snapshot that is wanted."""
    news = session.subscribe()
    if condition(snapshot := session.snapshot()):
        return snapshot
    async for item in news:
        if isinstance(item, api.Snapshot) and condition(item):
            await news.aclose()
            return item
    raise AssertionError("the news have ended")


def lobby_of(session: Session) -> Lobby:
    """The lobby that the opener's program runs, to wish something else than a screen can."""
    visit = session._where.visit
    assert visit is not None
    assert visit.lobby is not None
    return visit.lobby


def ready(session: Session) -> api.Ready:
    """Ready for what is on the screen."""
    return api.Ready(snapshot=session.snapshot().number)


def people(count: int) -> Callable[[api.Snapshot], bool]:
    """Whether so many in the lobby are ready."""
    return lambda now: now.lobby is not None and sum(friend.ready for friend in now.lobby.friends) == count


async def test_two_people_and_a_bot_meet_and_play(tmp_path: Path) -> None:
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path / "a", "Ada") as ada, opened(tmp_path / "b", "Ben") as ben:
            await _meet(ada, ben)
            await ask(ada, api.StartTable())
            tables: dict[str, api.Table] = {}
            async with trio.open_nursery() as nursery:
                for number, (name, session) in enumerate((("Ada", ada), ("Ben", ben))):
                    nursery.start_soon(_play, tables, name, session, number)
            assert tables["Ada"].result == tables["Ben"].result
            assert tables["Ada"].words == tables["Ben"].words
            assert tables["Ada"].scores == tables["Ben"].scores
            assert tables["Ada"].you != tables["Ben"].you
            await ask(ben, api.Leave())
            await ask(ada, api.Leave())
            await until(ada, lambda now: now.screen == "start")


async def _play(tables: dict[str, api.Table], name: str, session: Session, seed: int) -> None:
    tables[name] = await Person(session, seed, snaps=0.02).play(
        lambda table: table.result is not None and len(table.result.verdict.signed) == 3
    )


async def _meet(ada: Session, ben: Session) -> None:
    overrides: dict[str, api.Value] = {"match.rounds": 1, "snap.exposure_ms": 600}
    await ask(ada, api.Host(name="Kitchen", seats=4, rules="sheffield", overrides=overrides, private=True))
    lobby = (await until(ada, lambda now: now.lobby is not None)).lobby
    assert lobby is not None
    assert (lobby.name, lobby.opener, lobby.private, lobby.seats) == ("Kitchen", True, True, 4)
    assert (lobby.rules.name, lobby.rules.changes, lobby.can_start) == ("Sheffield Kaboo", 2, False)
    assert len({len(row) for row in lobby.qr}) == 1
    assert len(lobby.qr) == len(lobby.qr[0]) > 20
    assert await refused(ada, api.Host(name="Other", seats=2, rules="sheffield")) == "error.not_now"
    assert await refused(ada, api.StartTable()) == "error.players"

    await ask(ben, api.Join(invite=lobby.link))
    seen = (await until(ben, lambda now: now.lobby is not None and now.lobby.rules_here)).lobby
    assert seen is not None
    assert (seen.host, seen.name, seen.seats, seen.rules) == ("Ada", "Kitchen", 4, lobby.rules)
    assert (lobby.host, lobby.rules_here) == ("", True)
    assert people(1)(ada.snapshot()), "the rules are there before anybody but the opener is ready"
    assert await ask(ben, api.ShowRules()) == await ask(ada, api.ShowRules())
    assert await refused(ben, api.StartTable()) == "error.not_now"
    met = (await until(ada, lambda now: now.lobby is not None and len(now.lobby.friends) == 2)).lobby
    assert met is not None
    friend = met.friends[1]
    assert (friend.ready, met.waiting_for, met.can_start) == (False, ("Ben",), False)
    await ask(ben, ready(ben))
    assert (await until(ada, people(2))).lobby.can_start  # type: ignore[union-attr]
    await ask(ben, api.Ready(ready=False))
    await until(ada, people(1))
    await ask(ben, ready(ben))
    await until(ada, people(2))
    assert (friend.name, friend.bot, friend.words_match, friend.matches) == ("Ben", False, False, 0)
    assert friend.words == ben.snapshot().me.words
    await ask(ada, api.WordsMatch(key=friend.key))
    assert ada.snapshot().lobby.friends[1].words_match  # type: ignore[union-attr]

    await ask(ada, api.SeatBot(style="greedy"))
    full = (await until(ada, people(3))).lobby
    assert full is not None
    bot = next(friend for friend in full.friends if friend.bot)
    await ask(ada, api.UnseatBot(key=bot.key))
    await until(ada, people(2))
    assert await refused(ada, api.UnseatBot(key=bot.key)) == "error.unknown"
    assert await refused(ada, api.UnseatBot(key=friend.key)) == "error.unknown"
    assert await refused(ada, api.SeatBot(style="reckless")) == "error.unknown"
    await ask(ada, api.SeatBot())
    await until(ada, people(3))
    sheet = await ask(ada, api.ShowRules())
    assert isinstance(sheet, api.RulesSheet)
    assert sheet.rules.changes == 2


async def test_a_guest_is_told_when_the_rules_are_not_those_it_read(tmp_path: Path) -> None:
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path / "a", "Ada") as ada, opened(tmp_path / "b", "Ben") as ben:
            await ask(ada, api.Host(name="Kitchen", seats=2, rules="kabbu", private=True))
            lobby = (await until(ada, lambda now: now.lobby is not None)).lobby
            assert lobby is not None
            await ask(ben, api.Join(invite=lobby.invite))
            await until(ben, lambda now: now.lobby is not None and now.lobby.rules_here)
            await ask(ben, ready(ben))
            await until(ada, people(2))
            inside = lobby_of(ada)
            assert inside.rules is not None
            before = ben.snapshot().number
            inside.rules = with_overrides(inside.rules, {"match.rounds": 1, "snap.exposure_ms": 900})
            inside.start()
            told = (await until(ben, lambda now: now.lobby is not None and now.lobby.problem is not None)).lobby
            assert told is not None
            assert told.problem is not None
            assert told.problem.key == "notice.rules_changed"
            assert "match.rounds = 1 instead of" in str(told.problem.params["what"])
            assert (told.rules.name, told.rules.changes, told.friends[0].ready) == ("Kabbu", 2, False)
            assert ben.snapshot().screen == "lobby"
            assert await refused(ben, replace(ready(ben), snapshot=before)) == "error.stale"
            await ask(ben, ready(ben))
            await until(ben, lambda now: now.screen == "table")


async def test_nobody_is_ready_for_rules_that_this_version_cannot_honour(tmp_path: Path) -> None:
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path / "a", "Ada") as ada, opened(tmp_path / "b", "Ben") as ben:
            await ask(ada, api.Host(name="Kitchen", seats=2, rules="kabbu", private=True))
            lobby = (await until(ada, lambda now: now.lobby is not None)).lobby
            assert lobby is not None
            inside = lobby_of(ada)
            assert inside.rules is not None
            inside.rules = with_overrides(inside.rules, {"on_forfeit": "recover"})
            await ask(ben, api.Join(invite=lobby.invite))
            told = (await until(ben, lambda now: now.lobby is not None and now.lobby.problem is not None)).lobby
            assert told is not None
            assert told.problem is not None
            assert (told.problem.key, told.name, told.rules_here) == ("error.rules", "Kitchen", False)
            assert "on_forfeit = recover" in str(told.problem.params["problem"])
            assert await refused(ben, ready(ben)) == "error.rules"
            assert people(1)(ada.snapshot())


async def test_a_guest_who_gives_up_and_an_opener_who_leaves(tmp_path: Path) -> None:
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path / "a", "Ada") as ada, opened(tmp_path / "b", "Ben") as ben:
            await ask(ada, api.Host(name="Kitchen", seats=2, rules="kabbu", private=True))
            lobby = (await until(ada, lambda now: now.lobby is not None)).lobby
            assert lobby is not None
            assert await refused(ada, api.Join(invite=lobby.invite)) == "error.not_now"
            await ask(ben, api.Join(invite=lobby.invite))
            await until(ben, lambda now: now.lobby is not None and len(now.lobby.friends) == 2)
            await ask(ben, ready(ben))
            await until(ada, people(2))
            await ask(ben, api.Leave())
            await until(ada, people(1))
            assert ben.snapshot().screen == "start"
            await ask(ada, api.Leave())
            await until(ada, lambda now: now.screen == "start")
            assert await refused(ada, api.Join(invite=lobby.invite)) == "error.invite"
            assert await refused(ada, api.Leave()) == "error.not_now"
            assert ada.snapshot().unfinished == ben.snapshot().unfinished == ()


async def test_without_the_computers_own_network_no_bots_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check() -> None:
        await trio.lowlevel.checkpoint()
        raise NoLoopback

    monkeypatch.setattr("p2pkaboo.peer.session.visit.check_loopback", check)
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path, "Ada") as ada:
            await ask(ada, api.PlayBots(bots=1))
            now = await until(ada, lambda now: now.notice is not None)
            assert now.screen == "start"
            assert now.notice == api.Say(
                key="error.other", params={"reason": "this computer's own network (127.0.0.1) does not answer"}
            )


async def test_a_table_that_cannot_be_announced_says_so_and_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def announce(*_: object) -> None:
        raise OSError("multicast DNS: this network takes no part in it")

    monkeypatch.setattr("p2pkaboo.peer.session.visit.announce", announce)
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path, "Ada") as ada:
            await ask(ada, api.Host(name="Kitchen", seats=2, rules="sheffield"))
            now = await until(
                ada, lambda now: now.lobby is not None and any(way.state == "no" for way in now.lobby.reach)
            )
            assert now.lobby is not None
            assert [way.way for way in now.lobby.reach if way.state == "no"] == ["lan"]
            assert now.lobby.invite

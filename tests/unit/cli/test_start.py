"""The start screen comes first: what only a table needs is loaded once it is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
import trio

from p2pkaboo.cli import screens
from p2pkaboo.net.loopback import NoLoopback
from p2pkaboo.peer.session import session as running
from p2pkaboo.peer.session.bots import Process
from p2pkaboo.peer.session.session import open_session

AT_A_TABLE = (
    *(
        "net.handshake",
        "net.mesh",
        "net.discovery",
        "net.invite",
        "net.tls",
        "audit",
        "wire.codec",
        "wire.envelope",
        "wire.frames",
    ),
    *("replica.desk", "rules.engine", "peer.play", "peer.session.visit", "lab", "ui"),
)

START = """
import sys, trio
from pathlib import Path
from p2pkaboo.cli.seats import person
async def run():
    async with person(Path(sys.argv[1]), lan=False) as session:
        assert session.snapshot().screen == "start"
import p2pkaboo.cli.play_cmd
trio.run(run)
print(*sys.modules)
"""


def no_bot(order: dict[str, object]) -> Process:
    raise AssertionError("no bot is asked for")


def test_the_start_screen_loads_nothing_that_only_a_table_needs(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", START, str(tmp_path)], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "p2pkaboo.peer.session.session" in loaded
    tables = [f"p2pkaboo.{name}" for name in AT_A_TABLE]
    assert [name for name in loaded if any(name == one or name.startswith(one + ".") for one in tables)] == []


def test_a_page_that_no_browser_could_open_is_not_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    async def check() -> None:
        await trio.lowlevel.checkpoint()
        raise NoLoopback

    async def run() -> None:
        async with open_session(tmp_path, spawn_bot=no_bot, styles=(), lan=False) as session:
            await screens.show(session, "web")

    monkeypatch.setattr(screens, "check_loopback", check)
    with pytest.raises(click.ClickException, match=r"own network \(127\.0\.0\.1\) does not answer"):
        screens.run_until_interrupted(run)
    assert capsys.readouterr().out == ""


async def test_the_rest_is_loaded_when_somebody_has_looked_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    loaded: list[tuple[str, float]] = []

    async def run_sync(work: object, module: str, **_: object) -> None:
        loaded.append((module, trio.current_time() - begun))
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)
    begun = trio.current_time()
    async with open_session(tmp_path, spawn_bot=no_bot, styles=(), lan=False, calm=0.5) as session:
        await trio.sleep(3)
        assert loaded == []
        session.subscribe()
        await trio.sleep(1)
    assert [module for module, _ in loaded] == list(running.LOADED_LATER)
    assert [at for _, at in loaded] == [pytest.approx(3.5)] * len(running.LOADED_LATER)

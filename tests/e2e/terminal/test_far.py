"""The terminal as a client of the local server, over a real socket."""

from functools import partial
from importlib.resources import files

import pytest
import trio

from p2pkaboo.peer import api
from p2pkaboo.peer.local_server import serve_local
from p2pkaboo.ui.terminal.app import run_terminal
from p2pkaboo.ui.terminal.client import PeerGone, far_client
from tests.e2e.web import scenes
from tests.e2e.web.double import Still
from tests.unit.ui.terminal.keyboard import Keyboard
from tests.unit.ui.terminal.moments import scene

pytestmark = pytest.mark.e2e
STATIC = files("p2pkaboo.ui.web") / "static"


async def test_commands_go_there_and_answers_come_back() -> None:
    still, keyboard = Still(lambda _: scene("turn")), Keyboard()
    still.errors[api.Take] = api.Say(key="error.not_yet", params={"card": "5D", "ms": 900})
    still.answers[api.ShowReport] = scenes.report()
    with trio.fail_after(20):
        async with serve_local(still, STATIC) as server, trio.open_nursery() as nursery:
            nursery.start_soon(partial(run_terminal, tty=keyboard), server.url)
            await keyboard.shows("Draw, or take the 5♦.")
            keyboard.type(b"t")
            await keyboard.shows("Not yet: the 5♦ stays open to snaps for 900 ms more.")
            keyboard.type(b"r")
            await keyboard.shows("It all checks out.")
            keyboard.type(b"q")
            still.show(lambda _: scene("drawn"))
            await keyboard.shows("Place the 9♣, or discard it.")
            keyboard.type(b"2s\x03\x03")
    take, report, snap = (command for command, _ in still.commands)
    assert take == api.Take(snapshot=1)
    assert report == api.ShowReport()
    assert isinstance(snap, api.Snap)
    assert (snap.snapshot, snap.seat, snap.position) == (2, 0, 1)
    assert 0 < snap.held_ms < 1_000


async def test_a_wrong_token_is_refused_in_words() -> None:
    keyboard = Keyboard()
    async with serve_local(Still(lambda _: scene("turn")), STATIC) as server:
        with trio.fail_after(20), pytest.raises(PeerGone, match="open the page with the address that p2pkaboo printed"):
            await run_terminal(server.socket_url, token="guess", tty=keyboard)


async def test_a_peer_that_ends_is_said() -> None:
    keyboard = Keyboard()
    stop = trio.Event()
    address: list[str] = []

    async def serve(task_status: trio.TaskStatus[None]) -> None:
        async with serve_local(Still(lambda _: scene("turn")), STATIC) as server:
            address.append(server.url)
            task_status.started()
            await stop.wait()

    async with trio.open_nursery() as nursery:
        await nursery.start(serve)

        async def end() -> None:
            await keyboard.shows("Draw, or take the 5♦.")
            stop.set()

        nursery.start_soon(end)
        with trio.fail_after(20), pytest.raises(PeerGone, match="the peer"):
            await run_terminal(address[0], tty=keyboard)


async def test_nobody_there_is_said(unused_port: int) -> None:
    with pytest.raises(PeerGone, match=f"nobody answers at ws://127.0.0.1:{unused_port}/api"):
        async with far_client(f"http://127.0.0.1:{unused_port}/#t"):
            pass


@pytest.fixture
async def unused_port() -> int:
    listener = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = int(listener[0].socket.getsockname()[1])
    await listener[0].aclose()
    return port

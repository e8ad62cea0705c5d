"""The terminal's run without a terminal: typed bytes become commands, snapshots become pictures."""

import io
import queue
import re
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
import trio
import trio.testing

from p2pkaboo.peer import api
from p2pkaboo.ui.terminal.app import ASCII, ESCAPE_S, SLOW_TICK_S, Painter, run_terminal
from p2pkaboo.ui.terminal.client import PeerGone, socket_address
from p2pkaboo.ui.terminal.tty import NotATerminal, Typed, open_tty
from tests.e2e.web.double import Still
from tests.unit.ui.terminal.keyboard import CLEAR, Keyboard
from tests.unit.ui.terminal.moments import model, press, scene


async def playing(backend: api.Backend, keyboard: Keyboard, player: Callable[[], Awaitable[None]]) -> None:
    """Runs the interface until the player has closed it."""
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(run_terminal, tty=keyboard), backend)
            await player()


async def test_keys_become_commands_stamped_when_they_were_read(autojump_clock: trio.testing.MockClock) -> None:
    still, keyboard = Still(lambda _: scene("drawn")), Keyboard()

    async def player() -> None:
        await keyboard.shows("Place the 9♣, or discard it.")
        keyboard.type(b"3\r")
        await trio.testing.wait_all_tasks_blocked()
        keyboard.type(b"\x03\x03")

    await playing(still, keyboard, player)
    ((command, arrived_ns),) = still.commands
    assert command == api.Exchange(snapshot=1, positions=(2,), into=2)
    assert arrived_ns > 0


async def test_a_new_snapshot_is_painted(autojump_clock: trio.testing.MockClock) -> None:
    still, keyboard = Still(lambda _: scene("drawn")), Keyboard()

    async def player() -> None:
        await keyboard.shows("Place the 9♣, or discard it.")
        still.show(lambda _: scene("final"))
        await keyboard.shows("Your final turn")
        keyboard.type(b"\x03\x03")

    await playing(still, keyboard, player)


async def test_a_refusal_is_painted(autojump_clock: trio.testing.MockClock) -> None:
    still, keyboard = Still(lambda _: scene("turn")), Keyboard()
    still.errors[api.Draw] = api.Say(key="error.stale")

    async def player() -> None:
        await keyboard.shows("Draw from the stock")
        keyboard.type(b"d")
        await keyboard.shows("The table changed while you decided.")
        keyboard.type(b"\x03\x03")

    await playing(still, keyboard, player)


async def test_a_lone_escape_is_a_key_after_a_moment(autojump_clock: trio.testing.MockClock) -> None:
    still, keyboard = Still(lambda _: scene("spy-six")), Keyboard()

    async def player() -> None:
        await keyboard.shows("Do not look")
        keyboard.type(b"\x1b")
        await trio.sleep(ESCAPE_S / 2)
        assert still.commands == []
        await trio.sleep(ESCAPE_S)
        keyboard.type(b"\x03\x03")

    await playing(still, keyboard, player)
    assert [command for command, _ in still.commands] == [api.Skip(snapshot=1)]


async def test_a_closed_window_ends_it(autojump_clock: trio.testing.MockClock) -> None:
    still, keyboard = Still(lambda _: scene("turn")), Keyboard()

    async def player() -> None:
        await keyboard.shows("Draw from the stock")
        keyboard.type(b"")

    await playing(still, keyboard, player)
    assert still.commands == []


async def test_a_pasted_text_presses_nothing(autojump_clock: trio.testing.MockClock) -> None:
    still, keyboard = Still(lambda _: scene("turn")), Keyboard()

    async def player() -> None:
        await keyboard.shows("Draw from the stock")
        keyboard.type(b"\x1b[200~dtc\x1b[201~")
        await keyboard.shows("There is nothing to paste into here.")
        keyboard.type(b"\x03\x03")

    await playing(still, keyboard, player)
    assert still.commands == []


async def test_another_size_is_drawn_anew(autojump_clock: trio.testing.MockClock) -> None:
    still, keyboard = Still(lambda _: scene("turn")), Keyboard()

    async def player() -> None:
        await keyboard.shows("Draw from the stock")
        keyboard.columns = 60
        await trio.sleep(2 * SLOW_TICK_S)
        assert CLEAR in keyboard.drawn
        keyboard.type(b"\x03\x03")

    await playing(still, keyboard, player)


async def test_a_peer_that_ends_is_said(autojump_clock: trio.testing.MockClock) -> None:
    still, keyboard = Still(lambda _: scene("turn")), Keyboard()

    async def player() -> None:
        await keyboard.shows("Draw from the stock")
        still.listeners[0].close()

    with pytest.RaisesGroup(pytest.RaisesExc(PeerGone, match="the peer has ended")):
        await playing(still, keyboard, player)


def test_only_changed_lines_are_painted() -> None:
    painter, shown = Painter(), model(scene("turn"), 90, 28)
    whole = painter.paint(shown, 90, 28).decode()
    assert CLEAR in whole
    assert painter.paint(shown, 90, 28) == b""
    press(shown, "1")
    part = painter.paint(shown, 90, 28).decode()
    assert CLEAR not in part
    assert len(part) < len(whole) / 2
    assert "▸1◂" in part
    assert CLEAR in painter.paint(shown, 90, 28, whole=True).decode()


def test_a_line_that_fills_the_window_is_not_cleared_behind_its_last_sign() -> None:
    """Behind the last column the cursor stands on the last sign: terminals would clear that one."""
    painted = Painter().paint(model(scene("turn"), 90, 28), 90, 28).decode()
    full = next(line for line in re.split(r"\x1b\[\d+;1H", painted) if "? help" in line)
    assert full.startswith("\x1b[K")
    assert full.count("\x1b[K") == 1


def test_a_line_is_as_wide_as_the_window_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    painted = Painter().paint(model(scene("turn"), 130, 28), 130, 28).decode()
    assert "all 4 connected" in painted
    assert "? help" in painted


async def test_a_wait_for_a_key_that_is_given_up_takes_none_with_it() -> None:
    keys: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    typed = Typed(keys.get)
    with trio.move_on_after(0):
        await typed.read()
    keys.put(b"x")
    keys.put(b"y")
    with trio.fail_after(10):
        assert [await typed.read(), await typed.read()] == [b"x", b"y"]


def test_plain_letters_keep_the_columns() -> None:
    assert "│ 6♥│ ✓ “Ada’s” − ▒".translate(ASCII) == '| 6h| v "Ada\'s" - #'


def test_without_a_terminal_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(NotATerminal, match="--ui web"), open_tty():
        pass


@pytest.mark.parametrize(
    ("url", "token", "expected"),
    [
        ("http://127.0.0.1:4711/#abc", "", ("ws://127.0.0.1:4711/api", "abc")),
        ("ws://127.0.0.1:4711/api", "abc", ("ws://127.0.0.1:4711/api", "abc")),
    ],
)
def test_addresses(url: str, token: str, expected: tuple[str, str]) -> None:
    assert socket_address(url, token) == expected


BAD = ("", "4711", "https://127.0.0.1:1/", "http://127.0.0.1/", "http://127.0.0.1:x/", "http://[/")


@pytest.mark.parametrize("url", BAD)
def test_bad_addresses(url: str) -> None:
    with pytest.raises(PeerGone, match="expected an address like"):
        socket_address(url)

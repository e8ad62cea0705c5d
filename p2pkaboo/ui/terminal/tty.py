"""The real terminal: raw mode that is put back whatever happens, its size, its bytes. No other module knows one."""

import math
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import trio

READ_BYTES = 4096
"""One read of the keyboard: a paste may come in several."""
FALLBACK_SIZE = (80, 24)

ENTER = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[2J"
"""Alternate screen, no cursor, pastes in brackets."""
LEAVE = "\x1b[?2004l\x1b[?25h\x1b[?1049l"


class NotATerminal(OSError):
    """Standard input or output is no terminal, so there is nothing to draw on."""

    def __init__(self) -> None:
        super().__init__("the terminal interface needs a terminal; choose --ui web where there is none")


class Tty(Protocol):
    """What the interface needs of a terminal."""

    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        ...

    async def read(self) -> bytes:
        """What was typed; `b""` once nobody types any more."""
        ...

    async def write(self, data: bytes) -> None:
        """Draws. Never holds up anything but its caller, even if the terminal has stopped taking output."""
        ...


def _size(fd: int) -> tuple[int, int]:
    try:
        columns, lines = os.get_terminal_size(fd)
    except OSError:
        return FALLBACK_SIZE
    return (columns or FALLBACK_SIZE[0], lines or FALLBACK_SIZE[1])


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


class Typed:
    """Keys of a keyboard that can be waited for in a thread only.

    One thread reads them all: a wait that is given up leaves it where it is, and what it reads later is for the next
    wait. A thread for each wait would take a key with it for every wait given up.
    """

    def __init__(self, key: Callable[[], bytes]) -> None:
        """`key` blocks until there is one."""
        self._key = key
        self._came, self._keys = trio.open_memory_channel[bytes](math.inf)
        self._begun = False

    async def read(self) -> bytes:
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._take, args=(trio.lowlevel.current_trio_token(),), daemon=True).start()
        return await self._keys.receive()

    def _take(self, token: trio.lowlevel.TrioToken) -> None:
        while True:
            key = self._key()
            try:
                token.run_sync_soon(self._came.send_nowait, key)
            except trio.RunFinishedError:
                return


if sys.platform == "win32":
    import ctypes
    import msvcrt

    _PREFIXES = ("\x00", "\xe0")
    _CODES = {
        "H": "\x1b[A",
        "P": "\x1b[B",
        "M": "\x1b[C",
        "K": "\x1b[D",
        "G": "\x1b[H",
        "O": "\x1b[F",
        "I": "\x1b[5~",
        "Q": "\x1b[6~",
        "S": "\x1b[3~",
        "\x0f": "\x1b[Z",
    }
    """Second halves of Windows' special keys, as the sequences that Unix terminals send."""
    _STDOUT = -11
    _VIRTUAL_TERMINAL = 0x0004

    def _read_key() -> bytes:
        key = msvcrt.getwch()
        if key in _PREFIXES:
            key = _CODES.get(msvcrt.getwch(), "")
        return key.encode("utf-8", "replace") or b"\x00"

    class _Console:
        def __init__(self, fd_out: int) -> None:
            self._out = fd_out
            self._typed = Typed(_read_key)

        def size(self) -> tuple[int, int]:
            return _size(self._out)

        async def read(self) -> bytes:
            return await self._typed.read()

        async def write(self, data: bytes) -> None:
            await trio.to_thread.run_sync(_write_all, self._out, data, abandon_on_cancel=True)

    @contextmanager
    def open_tty() -> Iterator[Tty]:
        """The console with escape sequences switched on; its mode is put back at the end."""
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise NotATerminal
        kernel = ctypes.windll.kernel32
        handle = kernel.GetStdHandle(_STDOUT)
        mode = ctypes.c_uint32()
        kernel.GetConsoleMode(handle, ctypes.byref(mode))
        kernel.SetConsoleMode(handle, mode.value | _VIRTUAL_TERMINAL)
        fd = sys.stdout.fileno()
        try:
            _write_all(fd, ENTER.encode())
            yield _Console(fd)
        finally:
            _write_all(fd, LEAVE.encode())
            kernel.SetConsoleMode(handle, mode.value)

else:
    import termios
    import tty as _modes

    class _Terminal:
        def __init__(self, fd_in: int, fd_out: int) -> None:
            self._in, self._out = fd_in, fd_out

        def size(self) -> tuple[int, int]:
            return _size(self._out)

        async def read(self) -> bytes:
            await trio.lowlevel.wait_readable(self._in)
            try:
                return os.read(self._in, READ_BYTES)
            except OSError:
                # The window was closed: a terminal without its other end gives an error instead of an end.
                return b""

        async def write(self, data: bytes) -> None:
            # In a thread: a stopped terminal may block, and setting it to non-blocking would hit the shell too.
            await trio.to_thread.run_sync(_write_all, self._out, data, abandon_on_cancel=True)

    @contextmanager
    def open_tty() -> Iterator[Tty]:
        """The terminal in raw mode, on its second screen; both are put back at the end, whatever ends it.

        Raises `NotATerminal` if standard input or output is none.
        """
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise NotATerminal
        fd_in, fd_out = sys.stdin.fileno(), sys.stdout.fileno()
        sys.stdout.flush()
        saved = termios.tcgetattr(fd_in)
        try:
            _modes.setraw(fd_in)
            _write_all(fd_out, ENTER.encode())
            yield _Terminal(fd_in, fd_out)
        finally:
            try:
                _write_all(fd_out, LEAVE.encode())
            finally:
                # Drops what was typed too late for the game, so that the shell does not get it.
                termios.tcsetattr(fd_in, termios.TCSAFLUSH, saved)

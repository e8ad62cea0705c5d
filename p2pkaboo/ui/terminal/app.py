"""Runs the terminal interface: keys to the model, its commands to the peer, its picture to the terminal."""

import io
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import trio
from rich.console import Console, ConsoleDimensions

from p2pkaboo.peer.api import AnyCommand, Backend
from p2pkaboo.ui.terminal.client import Client, NearClient, far_client
from p2pkaboo.ui.terminal.keys import Decoder, Pasted
from p2pkaboo.ui.terminal.model import Model
from p2pkaboo.ui.terminal.tty import Tty, open_tty

ESCAPE_S = 0.03
"""How long after a lone escape the rest of a key's sequence may come; longer would make Esc feel slow."""
FAST_TICK_S, SLOW_TICK_S = 0.1, 1.0
"""How often the picture is made again while tenths of seconds run, and while nothing does."""
MOST_COMMANDS = 64
"""Commands on their way to the peer; more can only be a stuck key."""

_SIGNS = "♠s ♥h ♦d ♣c ▒# │| ─- ╌- ╎: ╭. ╮. ╰' ╯' ▸> ◂< »> ●* ◷@ ✓v ✗x …. –- −- ·. “\" ”\" ’' ‹< ›>"
_MORE_SIGNS = "▏| ▲^ ▽v ↺~ █# ▀^ ▄_ ★* ×x ↑^ ↓v ←< →>"
ASCII = str.maketrans({pair[0]: pair[1] for pair in f"{_SIGNS} {_MORE_SIGNS}".split(" ")})
"""For terminals that cannot show the signs: the same columns in plain letters."""


async def run_terminal(peer: Backend | str, *, token: str = "", tty: Tty | None = None) -> None:
    """Play in the terminal until the person closes it.

    `peer` is a `Backend` of this process, or the address of a running one (see `client.socket_address`), which may
    carry the launch token or leave it to `token`. `tty` is for tests; left out, it is the process's own terminal.
    Raises `NotATerminal` if there is none, and `PeerGone` if the peer cannot be reached or ends. Either way the
    terminal is as it was before.
    """
    async with _client(peer, token) as client:
        if tty is not None:
            await _Run(client, tty).run()
            return
        with open_tty() as own:
            await _Run(client, own).run()


@asynccontextmanager
async def _client(peer: Backend | str, token: str) -> AsyncIterator[Client]:
    if isinstance(peer, str):
        async with far_client(peer, token) as client:
            yield client
    else:
        yield NearClient(peer)


class _Run:
    """One run: a task reads keys, one listens to the peer, one sends, one paints."""

    def __init__(self, client: Client, tty: Tty) -> None:
        self.client, self.tty = client, tty
        self.model = Model()
        self.dirty = trio.Event()
        self.whole = True
        """Paint everything, not only the lines that changed."""
        self.painter = Painter()
        self.to_send, self.sending = trio.open_memory_channel[tuple[AnyCommand, int]](MOST_COMMANDS)
        self.scope = trio.CancelScope()

    async def run(self) -> None:
        with self.scope:
            try:
                async with trio.open_nursery() as nursery:
                    for task in (self.read_keys, self.listen, self.send, self.paint, self.tick, self.signals):
                        nursery.start_soon(task)
            except* Exception as faults:
                # One fault ends all tasks; whoever called wants that one, not a group around it.
                raise _first(faults) from None

    def soil(self) -> None:
        self.dirty.set()

    async def read_keys(self) -> None:
        decoder = Decoder()
        while True:
            data: bytes | None = None
            with trio.move_on_after(ESCAPE_S) if decoder.waiting else trio.CancelScope():
                data = await self.tty.read()
            arrived_ns = time.monotonic_ns()
            if data == b"":
                self.scope.cancel()
                return
            for key in decoder.feed(data) if data is not None else decoder.flush():
                self.press(key, arrived_ns)
            if self.model.over:
                self.scope.cancel()

    def press(self, key: str | Pasted, arrived_ns: int) -> None:
        self.model.clock(self.client.now_ms())
        if isinstance(key, Pasted):
            self.model.paste(key.text)
        elif key == "ctrl-l":
            self.whole = True
        else:
            for command in self.model.key(key):
                try:
                    self.to_send.send_nowait((command, arrived_ns))
                except trio.WouldBlock:
                    break
        self.soil()

    async def listen(self) -> None:
        async with aclosing(self.client.news()) as items:
            async for item in items:
                self.model.heard(item)
                self.soil()

    async def send(self) -> None:
        async with trio.open_nursery() as nursery:
            async for command, arrived_ns in self.sending:
                # Started in order, so sent in order; an answer that is slow holds up no other command.
                await nursery.start(self._ask, command, arrived_ns)

    async def _ask(
        self, command: AnyCommand, arrived_ns: int, task_status: "trio.TaskStatus[None]" = trio.TASK_STATUS_IGNORED
    ) -> None:
        task_status.started()
        reply = await self.client.ask(command, arrived_ns)
        self.model.answered(command, reply)
        self.soil()

    async def tick(self) -> None:
        while True:
            await trio.sleep(FAST_TICK_S if self.model.ticking() else SLOW_TICK_S)
            self.soil()

    async def signals(self) -> None:
        """A new window size, coming back from a stop, and being told to end."""
        if sys.platform == "win32":
            return
        # In raw mode the keyboard makes no SIGINT: one that comes was sent by somebody, like the other two.
        ends = {signal.SIGTERM, signal.SIGHUP, signal.SIGINT}
        try:
            receiver = trio.open_signal_receiver(signal.SIGWINCH, signal.SIGCONT, *ends)
            with receiver as received:
                async for number in received:
                    if number in ends:
                        self.scope.cancel()
                    self.whole = True
                    self.soil()
        except RuntimeError:
            # Signals come to the main thread only; elsewhere the size is still looked up with every picture.
            return

    async def paint(self) -> None:
        bells = 0
        while True:
            self.model.clock(self.client.now_ms())
            size = self.tty.size()
            self.model.resize(*size)
            data = self.painter.paint(self.model, *size, whole=self.whole)
            self.whole = False
            if self.model.bells > bells:
                bells, data = self.model.bells, data + b"\a"
            if data:
                await self.tty.write(data)
            await self.dirty.wait()
            self.dirty = trio.Event()


class Painter:
    """Pictures to escape sequences; of a picture only the lines that changed are written."""

    def __init__(self) -> None:
        own = Console(file=sys.stdout)
        self._buffer = io.StringIO()
        # The styles that the real terminal knows, by TERM, COLORTERM and NO_COLOR.
        self._console = Console(
            file=self._buffer,
            force_terminal=True,
            color_system=own.color_system or ("auto" if own.is_terminal else None),  # type: ignore[arg-type]
            no_color=own.no_color,
            highlight=False,
            legacy_windows=False,
        )
        encoding = sys.stdout.encoding or "utf-8"
        self._plain = not encoding.lower().replace("-", "").startswith("utf")
        self._shown: list[str] = []
        self._size = (0, 0)

    def paint(self, model: Model, width: int, height: int, *, whole: bool = False) -> bytes:
        """The bytes that turn what was painted last into the model's picture; none if nothing changed."""
        lines = self._lines(model, width, height)
        if whole or (width, height) != self._size:
            self._shown, self._size = [], (width, height)
        out: list[str] = []
        if not self._shown:
            out.append("\x1b[0m\x1b[2J")
        for y in range(max(len(lines), len(self._shown))):
            new = lines[y] if y < len(lines) else ""
            if y >= len(self._shown) or self._shown[y] != new:
                # Cleared first: behind a line that fills the window the clearing would take its last sign with it.
                out.append(f"\x1b[{y + 1};1H\x1b[K{new}\x1b[0m")
        self._shown = lines
        return "".join(out).encode("utf-8", "replace")

    def _lines(self, model: Model, width: int, height: int) -> list[str]:
        found: list[str] = []
        # Else Rich looks for a size of its own, and never draws wider: COLUMNS, or 80 where it finds no terminal.
        self._console.size = ConsoleDimensions(width, height)
        for line in model.lines()[:height]:
            self._console.print(line, end="", no_wrap=True, overflow="crop", crop=True, soft_wrap=False)
            found.append(self._buffer.getvalue().replace("\n", ""))
            self._buffer.seek(0)
            self._buffer.truncate()
        return [line.translate(ASCII) for line in found] if self._plain else found


def _first(group: BaseExceptionGroup[Exception]) -> Exception:
    fault: BaseException = group
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    assert isinstance(fault, Exception)
    return fault

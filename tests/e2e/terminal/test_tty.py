"""In a real (pseudo-)terminal: drawn, and put back as it was whatever ends the interface."""

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from p2pkaboo.ui.terminal.tty import ENTER, LEAVE

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are Unix")]
ROOT = Path(__file__).parents[3]
PATIENCE_S = 20.0
"""A slow machine's start of Python and everything it imports."""


@dataclass
class Window:
    """The other end of a terminal in which the interface runs."""

    master: int
    slave: int
    process: "subprocess.Popen[bytes]"
    before: list[object]
    seen: bytes = b""
    marks: list[int] = field(default_factory=list)

    def until(self, words: str) -> None:
        """Reads until some words have been drawn that were not there when one last waited."""
        start, end = self.marks[-1] if self.marks else 0, time.monotonic() + PATIENCE_S
        while words.encode() not in self.seen[start:]:
            readable, _, _ = select.select([self.master], [], [], max(0.0, end - time.monotonic()))
            assert readable, f"{words!r} was not drawn; seen: {self.seen[start:][-2000:]!r}"
            self.seen += os.read(self.master, 65_536)
        self.marks.append(len(self.seen))

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    def mode(self) -> list[object]:
        return list(termios.tcgetattr(self.slave))

    def ended(self) -> int:
        """Its exit code; afterwards everything it drew has been read."""
        self.until(LEAVE)
        return self.process.wait(PATIENCE_S)


@pytest.fixture
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 28, 100, 0, 0))
    before = list(termios.tcgetattr(slave))
    command = [sys.executable, "-m", "tests.e2e.terminal.run_still", *request.param]
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=slave, stdout=slave, stderr=subprocess.PIPE, env=environment, start_new_session=True
    )
    opened = Window(master, slave, process, before)
    try:
        yield opened
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
        os.close(master)
        os.close(slave)


@pytest.mark.parametrize("window", [["turn"]], indirect=True)
def test_it_draws_plays_resizes_and_leaves_the_terminal_as_it_was(window: Window) -> None:
    window.until("Draw from the stock")
    assert ENTER.encode() in window.seen
    assert window.mode() != window.before
    window.type(b"c")
    window.until("Really call?")
    window.type(b"c")
    window.resize(70, 24)
    window.until("\x1b[2J")
    window.type(b"\x03\x03")
    assert window.ended() == 0
    assert window.mode() == window.before
    assert window.process.stderr is not None
    assert window.process.stderr.read() == b"CallRound\n"


@pytest.mark.parametrize("window", [["turn"]], indirect=True)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_the_terminal_as_it_was(window: Window, number: signal.Signals) -> None:
    window.until("Draw from the stock")
    window.process.send_signal(number)
    assert window.ended() == 0
    assert window.mode() == window.before


@pytest.mark.parametrize("window", [["turn", "fails"]], indirect=True)
def test_a_peer_that_breaks_down_leaves_the_terminal_as_it_was(window: Window) -> None:
    window.until("Draw from the stock")
    window.type(b"d")
    assert window.ended() == 1
    assert window.mode() == window.before
    assert window.process.stderr is not None
    assert b"RuntimeError: the peer broke down" in window.process.stderr.read()


@pytest.mark.parametrize("window", [["turn"]], indirect=True)
def test_from_key_to_picture_is_quick(window: Window) -> None:
    window.until("Draw from the stock")
    took = []
    for key in (b"1", b"2", b"3", b"4", b"1", b"2", b"3"):
        began = time.monotonic()
        window.type(key)
        window.until(f"▸{key.decode()}◂")
        took.append(time.monotonic() - began)
    # 50 ms is what the page may take, too; the median, so that a shared machine's hiccup is no defect.
    assert sorted(took)[len(took) // 2] < 0.05

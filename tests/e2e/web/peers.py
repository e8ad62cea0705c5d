"""Real peers in processes of their own, started as people start them, for a browser to play with."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

ROOT = Path(__file__).parents[3]
PROGRAM = (sys.executable, "-m", "p2pkaboo")
URL = re.compile(r"http://127\.0\.0\.1:\d+/#[\w-]+")
HASTE = {"P2PKABOO_BOT_PATIENCE": "0.05"}
"""Bots that hardly think: nobody watches these rounds."""
START_S = 40.0
"""How long a process may take to print its address on a crowded machine."""


class Peer:
    """A running `p2pkaboo` with its page: `url` opens it, `lines` is what it printed.

    `program`: what to run, if not this tree's; in the folder `at`.
    """

    def __init__(self, folder: Path, *arguments: str, program: Sequence[str] = PROGRAM, at: Path = ROOT) -> None:
        environment = {**os.environ, "P2PKABOO_NO_BROWSER": "1", "PYTHONUNBUFFERED": "1"} | HASTE
        command = [*program, "--profile", str(folder), *arguments]
        self.process = subprocess.Popen(
            command, cwd=at, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.lines: list[str] = []
        self._queue: Queue[str] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = self.wait(URL)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            self._queue.put(line)

    def wait(self, pattern: re.Pattern[str]) -> str:
        """The first match of a pattern in what it prints."""
        while True:
            try:
                line = self._queue.get(timeout=START_S)
            except Empty:
                raise AssertionError(f"no {pattern.pattern} in: {''.join(self.lines)}") from None
            if found := pattern.search(line):
                return found.group()

    def kill(self) -> None:
        """As when the machine loses its power."""
        self.process.kill()
        self.process.wait(10)
        self._close()

    def stop(self) -> None:
        """Ctrl-C."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self._close()

    def _close(self) -> None:
        self.process.wait(10)
        self._reader.join(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def peer(folder: Path, *arguments: str) -> Iterator[Peer]:
    """A peer that is stopped at the end."""
    running = Peer(folder, *arguments)
    try:
        yield running
    finally:
        running.stop()

"""A whole round in a real terminal, by keys alone: as it is played on a machine without a browser."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")]

ROOT = Path(__file__).parents[3]
LIMIT_S = 90
"""For one round with a bot that thinks, on a crowded machine; it takes about twenty seconds."""

OVER = re.compile(r"won the match|share the win")
KEYS = ("d", "x", "Escape")
"""Draw, discard, leave powers and gifts alone. Enter is not among them: pressed a moment too late it would leave."""

TURNS = 6
"""Rounds of keys before it calls."""


class Terminal:
    """A terminal of tmux in which a command runs."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.socket = ["tmux", "-S", str(folder / "socket")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
        subprocess.run(
            [*self.socket, "new-session", "-d", "-x", "110", "-y", "42", *command],
            check=True,
            cwd=ROOT,
            env=environment,
        )

    def screen(self) -> str:
        done = subprocess.run([*self.socket, "capture-pane", "-p"], capture_output=True, text=True)
        return done.stdout

    def press(self, key: str) -> None:
        subprocess.run([*self.socket, "send-keys", key], check=True, capture_output=True)

    def until(self, pattern: "re.Pattern[str]") -> str:
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            if pattern.search(screen := self.screen()):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"{pattern.pattern} was not drawn; the last screen: {self.screen()}")

    def close(self) -> None:
        subprocess.run([*self.socket, "kill-server"], capture_output=True)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    options = ("--ui", "terminal", "--bots", "1", "--set", "match.rounds=1", "--set", "snap.exposure_ms=300")
    command = (sys.executable, "-m", "p2pkaboo", "--profile", str(tmp_path / "profile"), "play", *options)
    made = Terminal(tmp_path, *command)
    yield made
    made.close()


def test_a_round_is_played_to_its_end_by_keys(terminal: Terminal, tmp_path: Path) -> None:
    terminal.until(re.compile(r"Ben\b.*bot"))
    end, presses = time.monotonic() + LIMIT_S, 0
    while not OVER.search(terminal.screen()) and time.monotonic() < end:
        for key in (*KEYS, *(("c", "c") if presses > TURNS else ())):
            terminal.press(key)
            time.sleep(0.1)
        presses += 1
    assert "Round 1" in terminal.until(OVER)
    end = time.monotonic() + LIMIT_S
    # The winners are told at once; the transcript follows when every seat has audited and signed.
    while not (written := list((tmp_path / "profile" / "transcripts").glob("*.kaboo"))) and time.monotonic() < end:
        time.sleep(0.1)
    assert written

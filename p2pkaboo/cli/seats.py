"""Bots as child processes, and the session of a person that seats them: what the commands for people have in common."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from p2pkaboo.peer import api
from p2pkaboo.peer.session.session import Session, open_session
from p2pkaboo.players.styles import STYLES

END_SECONDS: Final = 3.0
"""How long a bot may take to say goodbye before it is killed."""

STYLE_NAMES: Final = {"careful": "Careful", "greedy": "Greedy", "snap-happy": "Snap-happy"}


class BotProcess:
    """A bot in its own process, which ends with this one: then its stdin closes."""

    def __init__(self, order: dict[str, object]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "p2pkaboo.cli.seat_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the person's program, which then ends its bots
        )
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()

    def close(self) -> None:
        """Ends the process if it runs still."""
        if self.process.stdin is not None:
            self.process.stdin.close()
            self.process.stdin = None
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def styles() -> tuple[api.Styles, ...]:
    """The styles of play that bots have."""
    return tuple(api.Styles(id=style, name=STYLE_NAMES.get(style, style)) for style in STYLES)


@asynccontextmanager
async def person(folder: Path, *, name: str = "", lan: bool = True) -> AsyncIterator[Session]:
    """The session of a person on this profile, with bots in processes of their own."""
    async with open_session(folder, spawn_bot=BotProcess, styles=styles(), name=name, lan=lan) as session:
        yield session

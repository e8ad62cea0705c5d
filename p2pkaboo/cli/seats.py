"""Bots as child processes, and the session of a person that seats them: what the commands for people have in common."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import click

from p2pkaboo.peer import api
from p2pkaboo.peer.session.session import Session, open_session
from p2pkaboo.players.styles import STYLES

END_SECONDS: Final = 3.0
"""How long a bot may take to say goodbye before it is killed."""

BOT_PATIENCE: Final = "P2PKABOO_BOT_PATIENCE"
"""Environment variable: what the think times of our bots are multiplied with, 1 being a person's."""

LEAST_PATIENCE, MOST_PATIENCE = 0.01, 5.0
"""A bot still takes a moment, and keeps nobody waiting for minutes."""

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


def with_patience(order: dict[str, object], environment: Mapping[str, str]) -> dict[str, object]:
    """A bot's order, with the patience that the environment asks for. Raises ClickException."""
    asked = environment.get(BOT_PATIENCE)
    if not asked:
        return order
    try:
        patience = float(asked)
    except ValueError:
        patience = 0.0
    if not LEAST_PATIENCE <= patience <= MOST_PATIENCE:
        raise click.ClickException(
            f"{BOT_PATIENCE} is {asked!r:.20}, expected a number from {LEAST_PATIENCE} to {MOST_PATIENCE:g}"
        )
    return {**order, "patience": patience}


def styles() -> tuple[api.Styles, ...]:
    """The styles of play that bots have."""
    return tuple(api.Styles(id=style, name=STYLE_NAMES.get(style, style)) for style in STYLES)


@asynccontextmanager
async def person(folder: Path, *, name: str = "", lan: bool = True, calm: float = 0.0) -> AsyncIterator[Session]:
    """The session of a person on this profile, with bots in processes of their own. `calm`: see `Session.run`. Raises
    ClickException."""
    with_patience({}, os.environ)  # what is wrong with it is said before anything begins

    def spawn(order: dict[str, object]) -> BotProcess:
        return BotProcess(with_patience(order, os.environ))

    async with open_session(folder, spawn_bot=spawn, styles=styles(), name=name, lan=lan, calm=calm) as session:
        yield session

"""Bots that this peer seats: real peers in processes of their own, with profiles that last as long as their match."""

import os
import secrets
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from p2pkaboo.crypto.identity import Identity
from p2pkaboo.journal.profile import Profile

NAMES: Final = ("Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana", "Iris", "Jon")
"""What bots are called; more than a table has seats, so that none needs a person's name."""

PATIENCE: Final = 0.6
"""Bots against people think in a bit more than half of a person's time: nobody likes to wait for a program."""

REACT_MS: Final = (350, 1_100)
"""How fast bots snap against people: the quickest of them like somebody who was waiting for it."""


class Process(Protocol):
    """A running bot."""

    def close(self) -> None:
        """Ends it, if it runs still."""


SpawnBot = Callable[[dict[str, object]], Process]
"""Starts a bot from its order (see `cli.seat_process.SeatOrder`)."""


@dataclass(slots=True)
class _Bot:
    folder: Path
    name: str
    style: str
    process: Process | None = None


@dataclass(slots=True)
class Bots:
    """The bots of one table. `home`: the folder of their profiles, kept until the match is over."""

    spawn: SpawnBot
    home: Path
    styles: tuple[str, ...]
    bots: dict[bytes, _Bot] = field(default_factory=dict)

    @property
    def keys(self) -> frozenset[bytes]:
        """Who of the table is a bot of ours."""
        return frozenset(self.bots)

    def seat(self, invite: str, style: str, taken: Iterable[str], *, local: bool) -> bytes:
        """A new bot comes to the table that `invite` is to; its key. `style` "": one that is not there yet."""
        used = {bot.name for bot in self.bots.values()} | set(taken)
        name = next((name for name in NAMES if name not in used), f"Bot {len(self.bots) + 1}")
        chosen = style or self.styles[len(self.bots) % len(self.styles)]
        folder = self.home / secrets.token_hex(4)
        with Profile(folder, exclusive=False) as profile:
            key = Identity(profile.identity_seed(os.urandom)).public.encoded
        bot = self.bots[key] = _Bot(folder, name, chosen)
        self._start(bot, invite=invite, local=local)
        return key

    def _start(self, bot: _Bot, *, invite: str = "", local: bool = True, resume: bool = False) -> None:
        order: dict[str, object] = {
            "profile": str(bot.folder),
            "name": bot.name,
            "style": bot.style,
            "invite": invite,
            "patience": PATIENCE,
            "react_ms": list(REACT_MS),
            "local": local,
            "resume": resume,
            "attended": True,
        }
        bot.process = self.spawn(order)

    def unseat(self, key: bytes) -> bool:
        """Sends a bot away. False: it is none of ours."""
        bot = self.bots.pop(key, None)
        if bot is None:
            return False
        if bot.process is not None:
            bot.process.close()
        shutil.rmtree(bot.folder, ignore_errors=True)
        return True

    def plain(self) -> list[object]:
        """What the journal keeps, to seat the same bots again after a restart."""
        return [[key, bot.folder.name, bot.name, bot.style] for key, bot in self.bots.items()]

    def again(self, plain: object) -> None:
        """Seats the bots of a match that goes on, those whose profiles are still there."""
        rows = plain if isinstance(plain, list) else []
        for row in rows:
            match row:
                case [bytes(key), str(folder), str(name), str(style)] if (self.home / folder).is_dir():
                    bot = self.bots[key] = _Bot(self.home / folder, name, style)
                    self._start(bot, resume=True)
                case _:
                    pass

    def stop(self) -> None:
        """Ends all processes; the profiles stay, for a match that can go on."""
        for bot in self.bots.values():
            if bot.process is not None:
                bot.process.close()
                bot.process = None

    def dismiss(self) -> None:
        """Ends all processes and forgets the bots for good."""
        for key in tuple(self.bots):
            self.unseat(key)


def clear_leftovers(home: Path, kept: Iterable[object]) -> None:
    """Deletes bots' profiles that belong to none of the unfinished matches (`kept`: what the journal has of them)."""
    if not home.is_dir():
        return
    names = {row[1] for plain in kept if isinstance(plain, list) for row in plain if isinstance(row, list)}
    for folder in home.iterdir():
        if folder.is_dir() and folder.name not in names:
            shutil.rmtree(folder, ignore_errors=True)

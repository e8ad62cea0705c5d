"""A bot in the place of a person: hosts, joins or takes a seat without any screen, and reports the match."""

import json
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import click
import trio

from p2pkaboo.cli.bot_player import BotPlayer
from p2pkaboo.cli.report import rounds_report
from p2pkaboo.cli.screens import set_out
from p2pkaboo.cli.seats import person
from p2pkaboo.peer.session.errand import Errand
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.peer.session.session import Session
from p2pkaboo.peer.session.visit import Visit
from p2pkaboo.players.whims import whimsical_bot

REACT_MS: Final = (350, 1_100)
"""How fast a bot snaps that plays for a person."""


def bot_player(style: str | None, seed: int | None, patience: float = 1.0) -> BotPlayer:
    """A bot for the own seat; `style` None: any."""
    bot, between = whimsical_bot(style or "", seed, REACT_MS)
    return BotPlayer(bot, between, patience=patience)


@asynccontextmanager
async def bot_session(folder: Path | None, name: str, *, lan: bool = False) -> AsyncIterator[Session]:
    """A session for a bot; `folder` None: a throw-away profile."""
    with tempfile.TemporaryDirectory(prefix="p2pkaboo-bot-") as throw_away:
        async with person(folder or Path(throw_away), name=name, lan=lan) as session:
            yield session


async def play_out(
    session: Session, errand: Errand, player: BotPlayer, *, began: Callable[[Visit], None] = lambda visit: None
) -> Visit:
    """Goes to a table with a bot and plays the match to its end. Raises Refusal when it cannot begin."""
    visit = await set_out(session, errand, player)
    began(visit)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_until_done, visit, nursery.cancel_scope)
        await visit.finished.wait()
        nursery.cancel_scope.cancel()
    if visit.trouble is not None:
        raise Refusal(visit.trouble.key, **visit.trouble.params)
    return visit


async def _until_done(visit: Visit, scope: trio.CancelScope) -> None:
    await visit.done.wait()
    scope.cancel()


def report(visit: Visit, *, as_json: bool) -> int:
    """Prints what came of the match. Exit code 0 if it was played to its end and every round is valid."""
    seated = visit.seated
    if seated is None:
        return 1
    rounds = rounds_report(seated.runner)
    valid = seated.outcome == "finished" and all(row["audit"] == "valid" for row in rounds)
    if as_json:
        document = {
            "seat": seated.runner.seat,
            "names": list(seated.charter.shown_names),
            "outcome": seated.outcome,
            "valid": valid,
            "transcript": str(seated.transcript),
            "rounds": rounds,
        }
        click.echo(json.dumps(document))
        return 0 if valid else 1
    click.echo(f"{', '.join(seated.charter.shown_names)}: {seated.outcome}")
    for number, row in enumerate(rounds, 1):
        click.echo(f"round {number}: {', '.join(map(str, row['scores']))}  (audit {row['audit']})")  # type: ignore[call-overload]
    click.echo(f"transcript: {seated.transcript}")
    sys.stdout.flush()
    return 0 if valid else 1

"""Showing a session: in a browser, in the terminal, or not at all; and ending it cleanly from the keyboard."""

from __future__ import annotations

import os
import signal
import sys
import webbrowser
from collections.abc import Awaitable, Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
import trio

from p2pkaboo.cli.options import given_profile
from p2pkaboo.cli.words import sentence
from p2pkaboo.journal.errors import JournalError
from p2pkaboo.journal.profile import profile_folder
from p2pkaboo.net.loopback import NoLoopback, check_loopback
from p2pkaboo.peer import api
from p2pkaboo.peer.local_server import serve_local
from p2pkaboo.peer.session.refusal import Refusal

if TYPE_CHECKING:
    from p2pkaboo.peer.player import Player
    from p2pkaboo.peer.session.errand import Errand
    from p2pkaboo.peer.session.session import Session
    from p2pkaboo.peer.session.visit import Visit

EXIT_INTERRUPTED: Final = 130

NO_BROWSER: Final = "P2PKABOO_NO_BROWSER"
"""Environment variable: if it is set, the address is printed and no browser is opened."""

F = TypeVar("F", bound=Callable[..., Any])


def ui_option(command: F) -> F:
    """Adds `--ui web|terminal`."""
    return click.option(
        "--ui",
        type=click.Choice(["web", "terminal"]),
        default="web",
        show_default=True,
        help="A page in your browser, or this terminal.",
    )(command)


def good_name(_: click.Context, option: click.Parameter, name: str) -> str:
    """A name that may stand at a table, or "" for none. Raises BadParameter."""
    from p2pkaboo.peer.session.profile import MAX_NAME, clean_name

    if name and not clean_name(name):
        raise click.BadParameter(f"a name has 1 to {MAX_NAME} characters that can be printed", param=option)
    return name


def name_option(command: F) -> F:
    """Adds `--as NAME`."""
    told = "What you are called (kept for next time)."
    return click.option("--as", "name", metavar="NAME", default="", callback=good_name, help=told)(command)


def folder_of(ctx: click.Context) -> Path:
    """The profile folder that a command is about."""
    return profile_folder(given_profile(ctx), os.environ)


def run_until_interrupted(main: Callable[[], Awaitable[int | None]]) -> int:
    """Runs a command's program. Its errors for the user become one line; Ctrl-C ends it cleanly, with code 130."""

    code: int | None = None

    async def run() -> None:
        nonlocal code
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_watch_signals, nursery.cancel_scope)
            code = EXIT_INTERRUPTED
            code = await main() or 0
            nursery.cancel_scope.cancel()

    try:
        trio.run(run)
    except BaseException as error:
        raise _for_the_user(error) from None
    return EXIT_INTERRUPTED if code is None else code


async def _watch_signals(scope: trio.CancelScope) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()
            return


def _for_the_user(error: BaseException) -> BaseException:
    """The error as one line, if it is one of those that a user can do something about."""
    from p2pkaboo.net.sockets import ListenError

    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    match error:
        case Refusal():
            return click.ClickException(sentence(error.say))
        case JournalError() | ListenError() | NoLoopback():
            return click.ClickException(str(error))
        case _:
            return error


async def set_out(session: Session, errand: Errand, player: Player | None = None) -> Visit:
    """Begins a visit (`player`: somebody else than the person plays) and waits until it stands on its port.

    Raises Refusal when it cannot begin.
    """
    visit = session.set_out(errand, player)
    await visit.begun.wait()
    if visit.trouble is not None:
        raise Refusal(visit.trouble.key, **visit.trouble.params)
    return visit


async def show(session: Session, ui: str) -> None:
    """Shows the session until the user closes it."""
    if ui == "terminal":
        await _in_terminal(session)
        return
    await check_loopback()  # else no browser could open the page
    async with serve_local(session, files("p2pkaboo.ui.web") / "static", version=_version()) as server:
        click.echo(f"Open in your browser: {server.url}")
        click.echo("This window keeps your game running; Ctrl-C ends it.")
        sys.stdout.flush()
        if not os.environ.get(NO_BROWSER):
            await trio.to_thread.run_sync(webbrowser.open, server.url, abandon_on_cancel=True)
        await trio.sleep_forever()


async def _in_terminal(session: Session) -> None:
    from p2pkaboo.ui.terminal.app import run_terminal
    from p2pkaboo.ui.terminal.tty import NotATerminal

    try:
        await run_terminal(session)
    except NotATerminal as error:
        raise click.ClickException(str(error)) from None


def _version() -> str:
    try:
        return version("p2pkaboo")
    except PackageNotFoundError:  # run from a copy of the source
        return ""


def offer_unfinished(session: Session) -> str | None:
    """Offers the newest unfinished table to somebody at a keyboard: its id, or None to begin something new."""
    unfinished = session.snapshot().unfinished
    if not unfinished or not sys.stdin.isatty():
        return None
    newest = unfinished[0]
    question = f"“{newest.name}” is unfinished (round {newest.round}). Go back to it?"
    return newest.id if click.confirm(question, default=True) else None


async def ask(session: Session, command: api.AnyCommand) -> api.AnyResult | None:
    """Gives the session a command. Raises Refusal."""
    reply = await session.command(command, arrived_ns=0)
    if reply.error is not None:
        raise Refusal(reply.error.key, **reply.error.params)
    return reply.result

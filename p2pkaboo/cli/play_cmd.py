"""`p2pkaboo play`: you against bots, each a real peer in a process of its own; and the start screen."""

from pathlib import Path
from typing import Final

import click

from p2pkaboo.cli.options import Whole, profile_option
from p2pkaboo.cli.screens import ask, folder_of, name_option, offer_unfinished, run_until_interrupted, show, ui_option
from p2pkaboo.cli.tables import opening, rules_options
from p2pkaboo.peer import api

CALM_SECONDS: Final = 0.5
"""How long the start screen has the processors for itself once it is asked for: then the browser has painted it."""


@click.command("play")
@rules_options
@click.option("--bots", type=Whole(1, 7), default=3, show_default=True, help="How many bots sit down.")
@name_option
@ui_option
@profile_option
@click.pass_context
def play_command(ctx: click.Context, preset: str, settings: tuple[str, ...], bots: int, name: str, ui: str) -> int:
    """Play against bots: real peers in processes of their own, with a deck that all of you shuffle."""
    from p2pkaboo.cli.screens import set_out
    from p2pkaboo.cli.seats import person

    folder = folder_of(ctx)
    errand = opening(preset, settings, name="", seats=bots + 1, bots=("",) * bots)

    async def run() -> None:
        async with person(folder, name=name) as session:
            unfinished = offer_unfinished(session)
            if unfinished is not None:
                await ask(session, api.Resume(table=unfinished))
            else:
                await set_out(session, errand)
            await show(session, ui)

    return run_until_interrupted(run)


def start_screen(folder: Path, ui: str) -> int:
    """The start screen: everything else begins there."""
    from p2pkaboo.cli.seats import person

    async def run() -> None:
        async with person(folder, calm=CALM_SECONDS) as session:
            await show(session, ui)

    return run_until_interrupted(run)

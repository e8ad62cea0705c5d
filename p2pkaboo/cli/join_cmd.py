"""`p2pkaboo join`: to a table by its invite, or to one that is open in this network."""

import sys
from typing import Final

import click
import trio

from p2pkaboo.cli.options import Whole, invite_argument, profile_option
from p2pkaboo.cli.screens import (
    ask,
    folder_of,
    name_option,
    offer_unfinished,
    run_until_interrupted,
    set_out,
    show,
    ui_option,
)
from p2pkaboo.cli.tables import stand_in_options
from p2pkaboo.peer import api
from p2pkaboo.peer.session.session import Session

SEARCH_SECONDS: Final = 4.0
"""How long open tables are looked for: an announcement is answered within a second, a lost packet asked for again."""

SETTLE_SECONDS: Final = 0.7
"""After the first table others may still answer."""


@click.command("join")
@invite_argument(required=False)
@name_option
@stand_in_options
@ui_option
@profile_option
@click.pass_context
def join_command(
    ctx: click.Context,
    invite: str,
    name: str,
    style: str | None,
    seed: int | None,
    patience: float,
    as_json: bool,
    ui: str,
) -> int:
    """Sit down at a table: by its invite or link, or, without one, at a table that is open in this network."""
    from p2pkaboo.cli.headless import bot_player, bot_session, play_out, report
    from p2pkaboo.cli.seats import person

    folder = folder_of(ctx)

    async def play() -> None:
        async with person(folder, name=name) as session:
            unfinished = None if invite else offer_unfinished(session)
            if unfinished is not None:
                await ask(session, api.Resume(table=unfinished))
            else:
                await set_out(session, session.joining(await wanted(session, invite)))
            await show(session, ui)

    async def let_play() -> int:
        async with bot_session(folder, name, lan=not invite) as session:
            errand = session.joining(await wanted(session, invite))
            return report(await play_out(session, errand, bot_player(style, seed, patience)), as_json=as_json)

    return run_until_interrupted(play if style is None else let_play)


async def wanted(session: Session, invite: str) -> api.Join:
    """Where to go: by the invite, or to the table that is found (the one chosen, if there are several)."""
    if invite:
        return api.Join(invite=invite)
    with trio.move_on_after(SEARCH_SECONDS):
        await session.hall.sighted.wait()
        await trio.sleep(SETTLE_SECONDS)
    tables = session.hall.tables()
    if not tables:
        raise click.ClickException("no open table in this network; ask for an invite: p2pkaboo join INVITE")
    for number, table in enumerate(tables, 1):
        click.echo(f"{number}  {table.name}  ({table.rules}, {table.taken} of {table.wanted} seats taken)", err=True)
    if len(tables) == 1:
        return api.Join(table=tables[0].id)
    if not sys.stdin.isatty():
        raise click.ClickException(f"{len(tables)} open tables in this network; name one by its invite")
    chosen = click.prompt("Which one?", type=Whole(1, len(tables)), default=1, err=True)
    return api.Join(table=tables[chosen - 1].id)

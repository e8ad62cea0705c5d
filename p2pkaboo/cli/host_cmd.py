"""`p2pkaboo host`: opens a table for people, on the local network unless it is private, and shows how to come."""

import sys

import click

from p2pkaboo.cli.options import Whole, profile_option
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
from p2pkaboo.cli.tables import opening, rules_options, stand_in_options
from p2pkaboo.net.qr import qr_text
from p2pkaboo.peer import api
from p2pkaboo.peer.session.visit import Visit
from p2pkaboo.wire.limits import MAX_NAME


def good_table(_: click.Context, option: click.Parameter, name: str) -> str:
    """A name of a table as it can be announced, or "" for none. Raises BadParameter."""
    line = name.strip()
    if name and not (0 < len(line) <= MAX_NAME and line.isprintable()):
        raise click.BadParameter(f"a table's name has 1 to {MAX_NAME} characters that can be printed", param=option)
    return line


@click.command("host")
@rules_options
@click.option("--seats", type=Whole(2, 8), default=4, show_default=True, help="How many may sit down.")
@click.option("--port", type=Whole(1, 65535), default=None, help="Port to listen on (taken: an error).")
@click.option("--name", "table", metavar="TABLE", default="", callback=good_table, help="What the table is called.")
@name_option
@click.option("--private", is_flag=True, help="Do not announce the table in this network.")
@stand_in_options
@ui_option
@profile_option
@click.pass_context
def host_command(
    ctx: click.Context,
    preset: str,
    settings: tuple[str, ...],
    seats: int,
    port: int | None,
    table: str,
    name: str,
    private: bool,
    style: str | None,
    seed: int | None,
    patience: float,
    as_json: bool,
    ui: str,
) -> int:
    """Open a table. Prints the invite, as text, link and QR code; on this network `p2pkaboo join` is enough."""
    from p2pkaboo.cli.headless import bot_player, bot_session, play_out, report
    from p2pkaboo.cli.seats import person

    folder = folder_of(ctx)
    errand = opening(
        preset, settings, name=table, seats=seats, private=private, port=port, start_full=style is not None
    )

    async def play() -> None:
        async with person(folder, name=name) as session:
            unfinished = offer_unfinished(session)
            if unfinished is not None:
                await ask(session, api.Resume(table=unfinished))
            else:
                print_invite(await set_out(session, errand), to_stderr=False)
            await show(session, ui)

    async def let_play() -> int:
        async with bot_session(folder, name) as session:
            player = bot_player(style, seed, patience)
            visit = await play_out(session, errand, player, began=lambda v: print_invite(v, to_stderr=as_json))
            return report(visit, as_json=as_json)

    return run_until_interrupted(play if style is None else let_play)


def print_invite(visit: Visit, *, to_stderr: bool) -> None:
    """How others come to the table: invite, link and QR code."""
    invite = visit.invite
    if invite is None:
        return
    click.echo(f"invite: {invite.encode()}", err=to_stderr)
    click.echo(f"link:   {invite.link()}", err=to_stderr)
    stream = sys.stderr if to_stderr else sys.stdout
    if stream.isatty():
        click.echo(qr_text(invite), err=to_stderr)
    stream.flush()

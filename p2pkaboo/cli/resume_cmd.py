"""`p2pkaboo resume`: back to the seat at a table whose match is not over."""

import click

from p2pkaboo.cli.options import profile_option
from p2pkaboo.cli.screens import ask, folder_of, run_until_interrupted, show, ui_option
from p2pkaboo.peer import api


@click.command("resume")
@click.argument("table", default="", metavar="[TABLE]")
@ui_option
@profile_option
@click.pass_context
def resume_command(ctx: click.Context, table: str, ui: str) -> int:
    """Go back to your seat at an unfinished table (TABLE: its number or name; else the newest)."""
    from p2pkaboo.cli.seats import person

    async def run() -> int:
        async with person(folder_of(ctx)) as session:
            unfinished = session.snapshot().unfinished
            chosen = next((kept for kept in unfinished if table in ("", kept.id, kept.name)), None)
            if chosen is None:
                known = ", ".join(f"{kept.id} ({kept.name})" for kept in unfinished)
                what = f"no unfinished table {table!r}" if table else "no unfinished table"
                click.echo(f"p2pkaboo resume: {what}{'; there are ' + known if known else ''}", err=True)
                return 1
            await ask(session, api.Resume(table=chosen.id))
            await show(session, ui)
            return 0

    return run_until_interrupted(run)

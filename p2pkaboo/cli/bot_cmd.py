"""`p2pkaboo bot`: a bot takes a seat at a table."""

import click

from p2pkaboo.cli.options import Measure, given_profile, invite_argument, profile_option
from p2pkaboo.cli.screens import good_name, run_until_interrupted
from p2pkaboo.peer import api
from p2pkaboo.players.styles import STYLES


@click.command("bot")
@invite_argument(required=True)
@click.option("--style", type=click.Choice(STYLES), default=None, help="How it plays (else any).")
@click.option("--seed", type=int, default=None, help="Steers its whims, never keys or permutations.")
@click.option(
    "--as", "name", metavar="NAME", default="Bot", callback=good_name, show_default=True, help="What it is called."
)
@click.option("--patience", type=Measure(0, 10), default=1.0, show_default=True, help="1: thinks like a person.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout at the end.")
@profile_option
@click.pass_context
def bot_command(
    ctx: click.Context, invite: str, style: str | None, seed: int | None, name: str, patience: float, as_json: bool
) -> int:
    """Let a bot take a seat: a real peer with a throw-away profile (or that of --profile)."""
    from p2pkaboo.cli.headless import bot_player, bot_session, play_out, report

    async def run() -> int:
        async with bot_session(given_profile(ctx), name) as session:
            errand = session.joining(api.Join(invite=invite))
            visit = await play_out(session, errand, bot_player(style, seed, patience))
            return report(visit, as_json=as_json)

    return run_until_interrupted(run)

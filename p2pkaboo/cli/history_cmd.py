"""`p2pkaboo history`: the matches played on this profile, totals, opponents."""

import json

import click

from p2pkaboo.cli.options import profile_option
from p2pkaboo.cli.screens import folder_of
from p2pkaboo.journal.errors import JournalError
from p2pkaboo.journal.profile import Profile
from p2pkaboo.journal.store import Journal
from p2pkaboo.peer.api import PastMatch
from p2pkaboo.peer.session.archive import Archive
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.rules.sheet_scores import count


@click.command("history")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@profile_option
@click.pass_context
def history_command(ctx: click.Context, as_json: bool) -> None:
    """Matches played, newest first: when, with whom, the totals, and whether the transcript is valid.

    Unfinished ones, to which `p2pkaboo resume` goes back, stand above.
    """
    try:
        with Profile(folder_of(ctx), exclusive=False) as profile, Journal(profile.journal_path) as journal:
            archive = Archive(profile, journal)
            rows = [(match, _transcript(archive, match)) for match in archive.history().matches]
            unfinished = () if as_json else archive.unfinished()
    except JournalError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(json.dumps({"matches": [document(match, path) for match, path in rows]}))
        return
    for kept in unfinished:
        click.echo(f"unfinished: {kept.name} (round {kept.round}); back to it: p2pkaboo resume {kept.id}")
    if not rows and not unfinished:
        click.echo("No matches yet.")
    for match, path in rows:
        totals = ", ".join(
            f"{name} {total}" for name, total in zip(match.players, match.totals or ("–",) * 8, strict=False)
        )
        won = " and ".join(match.players[seat] for seat in match.winners)
        click.echo(f"{match.ended_at}  {match.name}  ({match.rules}, {count(match.rounds, 'round')}, {match.verdict})")
        click.echo(f"    {totals}{f'; {won} won' if won else ''}{f'; {path}' if path else ''}")


def _transcript(archive: Archive, match: PastMatch) -> str:
    try:
        return str(archive.transcript(archive.row(match.id)))
    except Refusal:  # left before its end
        return ""


def document(match: PastMatch, transcript: str) -> dict[str, object]:
    """One match as JSON."""
    return {
        "id": match.id,
        "name": match.name,
        "rules": match.rules,
        "ended_at": match.ended_at,
        "players": list(match.players),
        "totals": list(match.totals),
        "you": match.you,
        "winners": list(match.winners),
        "rounds": match.rounds,
        "verdict": match.verdict,
        "transcript": transcript or None,
    }

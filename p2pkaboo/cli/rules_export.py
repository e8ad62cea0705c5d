"""`p2pkaboo rules export FILE --round R`: a played round as a scenario that `rules run` replays."""

import json
from pathlib import Path

import click

from p2pkaboo.cli.options import Whole


@click.command("export")
@click.argument("file", metavar="FILE", type=click.Path(readable=False, path_type=Path))
@click.option("--round", "round_no", metavar="R", type=Whole(1), required=True, help="Which round, from 1.")
def export_command(file: Path, round_no: int) -> int:
    """A played round of a transcript (.kaboo) as a scenario, every card known; exit code 1 if it cannot be."""
    # Imported here: the other commands of `rules` need no cryptography and shall not wait for it.
    from p2pkaboo.audit.export import ExportError, UnreadableError, export_round
    from p2pkaboo.journal.errors import TranscriptFileError
    from p2pkaboo.journal.transcripts import load_transcript

    try:
        document = export_round(load_transcript(file), round_no)
    except TranscriptFileError as error:
        raise click.ClickException(str(error)) from None
    except UnreadableError as error:
        raise click.ClickException(f"{file}: {error}") from None
    except ExportError as error:
        click.echo(f"p2pkaboo rules export: {file}: {error}", err=True)
        return 1
    click.echo(json.dumps(document))
    return 0

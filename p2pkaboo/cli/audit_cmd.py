"""`p2pkaboo audit FILE`: verifies a transcript, with nothing but the file.

Exit codes: 0 valid; 1 something is wrong or missing; 2 the file is no transcript or cannot be read.
"""

import json
from pathlib import Path

import click

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.audit.report import report_json, report_text
from p2pkaboo.journal.errors import TranscriptFileError
from p2pkaboo.journal.transcripts import load_transcript


@click.command("audit")
@click.argument("file", metavar="FILE", type=click.Path(readable=False, path_type=Path))
@click.option("--cards", is_flag=True, help="With every round: hands, races, and who learned which card when.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def audit_command(file: Path, cards: bool, as_json: bool) -> int:
    """Verify a transcript (.kaboo): every signature, every proof, every move; --cards: who knew which card when."""
    try:
        data = load_transcript(file)
    except TranscriptFileError as error:
        raise click.ClickException(str(error)) from None
    report = audit_file(data)
    if as_json:
        click.echo(json.dumps(report_json(report)))
    if not report.readable:
        raise click.ClickException(f"{file}: {report.reason}")
    if not as_json:
        click.echo(report_text(report, cards=cards))
    return 0 if report.valid else 1

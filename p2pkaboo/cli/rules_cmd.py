"""`p2pkaboo rules`: the rulesets, one of them as a sheet, a file checked, a scenario replayed, a round scored.

`run` and `score` read JSON and print one JSON document on stdout. Exit codes: 0 fine, 1 a scenario was refused, 2 bad
input.
"""

import json
from typing import Any

import click

from p2pkaboo.cli.rules_export import export_command
from p2pkaboo.rules.documents import DocumentError, score_document
from p2pkaboo.rules.keys import RulesError, shown
from p2pkaboo.rules.ruleset import (
    KEYS,
    Ruleset,
    load_file,
    load_preset,
    load_with,
    parse_set,
    preset_names,
    to_plain,
    with_overrides,
)
from p2pkaboo.rules.scenario import read_scenario, run_scenario
from p2pkaboo.rules.sheet import sheet_lines, sheet_text
from p2pkaboo.rules.sources import preset_title, sources

MAX_INPUT = 4 << 20
"""Bytes of a document: a scenario of a long round has about a hundred thousand."""

set_option = click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change one rule; may be given several times."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group("rules")
def rules_group() -> None:
    """Rulesets: list, show, check; replay a scenario, score a round, export a played one."""


rules_group.add_command(export_command)


@rules_group.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """The rulesets that come with the game."""
    rows = [(name, preset_title(name), load_preset(name)) for name in preset_names()]
    if as_json:
        print_json(
            [
                {"name": name, "title": title, "players": [rules.players_min, rules.players_max]}
                for name, title, rules in rows
            ]
        )
        return
    for name, title, rules in rows:
        click.echo(f"{name:14} {rules.players_min}–{rules.players_max} players  {title}")


@rules_group.command("show")
@click.argument("name", metavar="NAME|FILE")
@set_option
@json_option
def show_command(name: str, settings: tuple[str, ...], as_json: bool) -> None:
    """A rule sheet to play by; it marks what the published text says and what was chosen here."""
    rules = read_rules(name, settings)
    title = preset_title(rules.name) if rules.name in preset_names() else f"House rules: {rules.name}"
    if as_json:
        print_json(sheet_document(rules, title))
    else:
        click.echo(sheet_text(rules, title), nl=False)


def sheet_document(rules: Ruleset, title: str) -> dict[str, Any]:
    """The rule sheet as a document: sentences, and every key with its value, its source and what it may hold."""
    plain, known = to_plain(rules), sources(rules)
    return {
        "name": rules.name,
        "title": title,
        "sheet": [{"section": line.section, "origin": line.origin, "text": line.text} for line in sheet_lines(rules)],
        "keys": {
            name: {
                "value": plain[name],
                "origin": known[name].origin,
                "source": known[name].words,
                "says": key.says,
                "allowed": key.allowed,
            }
            for name, key in KEYS.items()
        },
    }


@rules_group.command("check")
@click.argument("file", metavar="FILE")
@set_option
@json_option
def check_command(file: str, settings: tuple[str, ...], as_json: bool) -> None:
    """Check a TOML file of house rules: every key, every value, no contradiction."""
    rules = read_rules(file, settings, only_file=True)
    if as_json:
        print_json({"ok": True, "rules": to_plain(rules)})
    else:
        click.echo(f"{file}: fine, {len(KEYS)} keys, {rules.players_min} to {rules.players_max} players")


@rules_group.command("run")
@click.argument("scenario", metavar="SCENARIO.json")
def run_command(scenario: str) -> int:
    """Replay a round from a scenario ("-": stdin); exit code 1 if one of its moves is refused."""
    document = read_json(scenario)
    try:
        result = run_scenario(read_scenario(document))
    except DocumentError as error:
        raise click.ClickException(f"{called(scenario)}: {error}") from None
    print_json(result)
    return 0 if result["ok"] else 1


@rules_group.command("score")
@click.argument("file", metavar="[FILE]", default="-")
def score_command(file: str) -> None:
    """Score one round: hands as JSON in (stdin), scores out."""
    document = read_json(file)
    try:
        result = score_document(document)
    except DocumentError as error:
        raise click.ClickException(f"{called(file)}: {error}") from None
    print_json(result)


def read_rules(name: str, settings: tuple[str, ...], *, only_file: bool = False) -> Ruleset:
    """The rules meant by a name or file and settings; a clear error else."""
    try:
        if not only_file or name in preset_names():
            return load_with(name, settings)
        return with_overrides(load_file(name), dict(parse_set(setting) for setting in settings))
    except RulesError as error:
        raise click.ClickException(str(error)) from None


def read_json(path: str) -> object:
    """The JSON document in a file, or on stdin for "-"; a clear error else."""
    try:
        with click.open_file(path, "rb") as file:
            data = file.read(MAX_INPUT + 1)
        if len(data) > MAX_INPUT:
            raise click.ClickException(f"{called(path)}: longer than {MAX_INPUT} bytes, no document of this kind is")
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except OSError as error:
        raise click.ClickException(f"{called(path)}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{called(path)}: not a JSON document ({error})") from None


def called(path: str) -> str:
    """How an error names what was read: a "-" that nobody typed would say nothing."""
    return "stdin" if path == "-" else path


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a document. Of a name that stands twice JSON readers keep the last: a hand would vanish unseen."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{shown(name)} stands twice in one object")
        found[name] = value
    return found


def print_json(document: object) -> None:
    """One JSON document on stdout."""
    click.echo(json.dumps(document))

"""What the commands for tables say of rules and seats, as an opening that a session takes."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from p2pkaboo.cli.options import Measure
from p2pkaboo.peer.session.errand import Opening
from p2pkaboo.peer.session.profile import name_of
from p2pkaboo.players.styles import STYLES
from p2pkaboo.replica.honoured import check_honoured
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.ruleset import Ruleset, load_with

F = TypeVar("F", bound=Callable[..., Any])


def rules_options(command: F) -> F:
    """Adds `--rules` and `--set`."""
    command = click.option(
        "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change one rule; may be given several times."
    )(command)
    return click.option(
        "--rules", "preset", default="sheffield", show_default=True, metavar="NAME|FILE", help="Ruleset."
    )(command)


def stand_in_options(command: F) -> F:
    """Adds `--bot STYLE` and what belongs to it: a bot plays the own seat, and there is no screen."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="With --bot: one JSON document on stdout at the end."),
        click.option("--patience", type=Measure(0, 10), default=1.0, help="With --bot: 1 thinks like a person."),
        click.option("--seed", type=int, default=None, help="Steers the bot's whims, never keys or permutations."),
        click.option(
            "--bot", "style", type=click.Choice(STYLES), default=None, help="A bot plays your seat; no screen."
        ),
    ):
        command = option(command)
    return command


def rules_for(preset: str, settings: tuple[str, ...], seats: int) -> Ruleset:
    """The rules that were named, checked for a table of so many seats. Raises ClickException."""
    try:
        rules = load_with(preset, settings)
        check_honoured(rules)
    except RulesError as error:
        raise click.ClickException(str(error)) from None
    if not rules.players_min <= seats <= rules.players_max:
        raise click.ClickException(f"{seats} players: these rules are for {rules.players_min} to {rules.players_max}")
    return rules


def opening(
    preset: str,
    settings: tuple[str, ...],
    *,
    name: str,
    seats: int,
    bots: tuple[str, ...] = (),
    private: bool = False,
    port: int | None = None,
    start_full: bool = False,
) -> Opening:
    """A table to be opened; one with `bots` is for this computer alone. Raises ClickException."""
    rules = rules_for(preset, settings, seats)
    local = bool(bots)
    return Opening(
        name=name or ("You and bots" if local else "Kitchen table"),
        rules=rules,
        rules_name=name_of(rules),
        seats=seats,
        private=private or local,
        local=local,
        port=port,
        bots=bots,
        start_full=start_full or local,
    )

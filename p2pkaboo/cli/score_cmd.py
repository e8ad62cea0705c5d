"""`p2pkaboo score`: a scorekeeper for a game with paper cards, saved in the profile after every round."""

import os
from pathlib import Path
from typing import Final

import click

from p2pkaboo.cli.options import Whole, given_profile, profile_option
from p2pkaboo.journal.errors import ProfileError
from p2pkaboo.journal.files import read_json, write_json
from p2pkaboo.journal.profile import Profile, profile_folder
from p2pkaboo.rules.scorekeeper import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    ScoreError,
    Scorekeeper,
    from_plain,
    new_game,
    player_name,
)

HELP: Final = "the scores of a round (a minus sign for negative ones), undo, rounds, new, quit"


@click.command("score")
@profile_option
@click.pass_context
def score_command(ctx: click.Context) -> None:
    """Keep the score of a game with paper cards: names, each round's points, who leads, undo."""
    try:
        with Profile(profile_folder(given_profile(ctx), os.environ), exclusive=False) as profile:
            path = profile.scorekeeper_path
        game = _load(path) or _begin(path)
        click.echo(table(game))
        click.echo(f"Enter {HELP}.")
        while (entry := _ask(game)) not in ("quit", "q"):
            game = _enter(game, entry, path)
    except ProfileError as error:
        raise click.ClickException(str(error)) from None


def _load(path: Path) -> Scorekeeper | None:
    saved = read_json(path, None)
    if saved is None:
        return None
    try:
        return from_plain(saved)
    except ScoreError as error:
        raise click.ClickException(f"{path}: {error}; repair it or move it away") from None


def _begin(path: Path) -> Scorekeeper:
    """A new game: how many players, then their names."""
    players = click.prompt("Number of players", type=Whole(MIN_PLAYERS, MAX_PLAYERS))
    names: list[str] = []
    while len(names) < players:
        try:
            names.append(player_name(click.prompt(f"Player {len(names) + 1}"), names))
        except ScoreError as error:
            click.echo(str(error))
    game = new_game(names)
    write_json(path, game.to_plain())
    return game


def _ask(game: Scorekeeper) -> str:
    try:
        entry: str = click.prompt(f"Round {game.round_no}", prompt_suffix="> ")
    except click.Abort:  # the end of a pipe, or the keyboard: everything is saved
        click.echo()
        return "quit"
    return entry.strip().lower()


def _enter(game: Scorekeeper, entry: str, path: Path) -> Scorekeeper:
    """Do what was entered, save, show."""
    if entry == "rounds":
        click.echo(recent(game, len(game.rounds)))
        return game
    if entry == "new":
        return _begin(path) if click.confirm("Begin a new game? The scores so far are lost") else game
    try:
        after = game.undo() if entry == "undo" else game.add(_points(game, entry))
    except ScoreError as error:
        click.echo(str(error))
        return game
    write_json(path, after.to_plain())
    click.echo(table(after))
    return after


def _points(game: Scorekeeper, entry: str) -> list[int]:
    """The scores in a line, in the order of the players."""
    words = entry.replace(",", " ").replace("−", "-").split()
    try:
        return [int(word) for word in words]
    except ValueError:
        raise ScoreError(f"{len(game.names)} whole numbers are expected, or: {HELP}") from None


def table(game: Scorekeeper) -> str:
    """Totals, who leads, and the recent rounds."""
    lines = [
        f"{'→' if player in game.leaders else ' '} {name:24} {total:6}"
        for player, (name, total) in enumerate(zip(game.names, game.totals, strict=True))
    ]
    if game.leaders:
        leads = " and ".join(game.names[player] for player in game.leaders)
        lines.append(f"{leads} {'leads' if len(game.leaders) == 1 else 'lead'} (lowest total).")
    return "\n".join([*lines, recent(game, 5)])


def recent(game: Scorekeeper, most: int) -> str:
    """The last rounds, newest first."""
    if not game.rounds:
        return "No rounds saved yet."
    rows = [f"  round {number:3}  " + "  ".join(f"{p:4}" for p in points) for number, points in game.recent(most)]
    return "\n".join(["Recent rounds", *rows])

"""Options that several commands share."""

import pathlib
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

_PROFILE: Final = "p2pkaboo.profile"

F = TypeVar("F", bound=Callable[..., Any])


def _remember(ctx: click.Context, param: click.Parameter, value: pathlib.Path | None) -> None:
    if value is not None:
        # `meta` is common to a command and the group above it: the option counts wherever it was written.
        ctx.meta[_PROFILE] = value


def profile_option(command: F) -> F:
    """Adds `--profile DIR`; what it said is asked for with `given_profile`."""
    option = click.option(
        "--profile",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=pathlib.Path),
        expose_value=False,
        callback=_remember,
        help="Folder of your key, journal and settings (else $P2PKABOO_HOME, else the platform's usual place).",
    )
    return option(command)


def given_profile(ctx: click.Context) -> pathlib.Path | None:
    """The folder that `--profile` named, or None (then it is for the journal to know where profiles are)."""
    given = ctx.meta.get(_PROFILE)
    return given if isinstance(given, pathlib.Path) else None

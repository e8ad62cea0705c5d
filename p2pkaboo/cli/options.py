"""Options that several commands share."""

import os
import pathlib
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click
import platformdirs

HOME_VARIABLE: Final = "P2PKABOO_HOME"
_PROFILE: Final = "p2pkaboo.profile"

F = TypeVar("F", bound=Callable[..., Any])


def _remember(ctx: click.Context, param: click.Parameter, value: pathlib.Path | None) -> None:
    if value is not None:
        # `meta` is common to a command and the group above it: the option counts wherever it was written.
        ctx.meta[_PROFILE] = value


def profile_option(command: F) -> F:
    """Adds `--profile DIR`; what it says is asked for with `profile_folder`."""
    option = click.option(
        "--profile",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=pathlib.Path),
        expose_value=False,
        callback=_remember,
        help=f"Folder of your key, journal and settings (else ${HOME_VARIABLE}, else the platform's usual place).",
    )
    return option(command)


def profile_folder(ctx: click.Context) -> pathlib.Path:
    """The folder of the profile in use; it need not exist yet."""
    given = ctx.meta.get(_PROFILE)
    if isinstance(given, pathlib.Path):
        return given
    home = os.environ.get(HOME_VARIABLE)
    return pathlib.Path(home) if home else platformdirs.user_data_path("p2pkaboo", appauthor=False)

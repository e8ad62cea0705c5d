"""Options that several commands share."""

import pathlib
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

_PROFILE: Final = "p2pkaboo.profile"


F = TypeVar("F", bound=Callable[..., Any])


def invite_argument(*, required: bool) -> Callable[[F], F]:
    """Adds the argument INVITE; copied from a window that broke it into lines, it comes as several words."""

    def joined(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> str:
        return "".join(value)

    metavar = "INVITE" if required else "[INVITE]"
    return click.argument("invite", nargs=-1, required=required, metavar=metavar, callback=joined)


class Whole(click.IntRange):
    """A whole number from `min` to `max`, which the error about another value says in words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"'{value}' is not a whole number {_from_to(self.min, self.max)}", param, ctx)


class Measure(click.FloatRange):
    """A number from `min` to `max`, whole or not, which the error about another value says in words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"'{value}' is not a number {_from_to(self.min, self.max)}", param, ctx)


def _from_to(least: float | None, most: float | None) -> str:
    return f"from {least} to {most}" if most is not None else f"from {least} on"


class Folder(click.Path):
    """A folder, there or not yet."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=pathlib.Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":  # as a path this would be the folder one is in; it is a variable that was not set
            self.fail("the name of a folder is missing", param, ctx)
        return super().convert(value, param, ctx)


def _remember(ctx: click.Context, param: click.Parameter, value: pathlib.Path | None) -> None:
    if value is not None:
        # `meta` is common to a command and the group above it: the option counts wherever it was written.
        ctx.meta[_PROFILE] = value


def profile_option(command: F) -> F:
    """Adds `--profile DIR`; what it said is asked for with `given_profile`."""
    option = click.option(
        "--profile",
        metavar="DIR",
        type=Folder(),
        expose_value=False,
        callback=_remember,
        help="Folder of your key, journal and settings (else $P2PKABOO_HOME, else the platform's usual place).",
    )
    return option(command)


def given_profile(ctx: click.Context) -> pathlib.Path | None:
    """The folder that `--profile` named, or None (then it is for the journal to know where profiles are)."""
    given = ctx.meta.get(_PROFILE)
    return given if isinstance(given, pathlib.Path) else None

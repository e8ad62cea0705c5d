"""The command `p2pkaboo`: finds the command meant, loads only that one's module, and turns errors into one line.

Exit codes: 0 fine; 1 the answer is "no" (said by the command itself); 2 bad usage, unreadable input or no room to
write, with one line on stderr; 130 stopped from the keyboard; 141 whoever read the output has gone.
"""

import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

import click

from p2pkaboo.cli.options import profile_option

EXIT_BAD_INPUT: Final = 2
EXIT_INTERRUPTED: Final = 130
EXIT_UNREAD: Final = 141
"""What shells call a program whose reader has gone (128 and SIGPIPE). A 1 would say "no": `audit FILE | head -1`."""

GC_THRESHOLD: Final = 50_000
"""New objects between two looks for garbage. What loading makes stays: looking through it again and again takes a tenth
of the start, and a pause in a race."""


class Entry(NamedTuple):
    """Where a command lives, and its line in `--help` (said here so that help loads no command's module)."""

    module: str
    attribute: str
    summary: str


COMMANDS: Final[dict[str, Entry]] = {
    "play": Entry("p2pkaboo.cli.play_cmd", "play_command", "You against bots, each a real peer in its own process."),
    "host": Entry("p2pkaboo.cli.host_cmd", "host_command", "Open a table for people, here and elsewhere."),
    "join": Entry("p2pkaboo.cli.join_cmd", "join_command", "Sit down at a table: by invite, or one in this network."),
    "resume": Entry("p2pkaboo.cli.resume_cmd", "resume_command", "Back to your seat at an unfinished table."),
    "bot": Entry("p2pkaboo.cli.bot_cmd", "bot_command", "A bot takes a seat at a table."),
    "match": Entry("p2pkaboo.cli.match_cmd", "match_command", "Let bots play a match over real links, headless."),
    "bench": Entry("p2pkaboo.cli.bench_cmd", "bench_command", "The deal and its parts against the libsodium floor."),
    "audit": Entry("p2pkaboo.cli.audit_cmd", "audit_command", "Verify a transcript."),
    "rules": Entry("p2pkaboo.cli.rules_cmd", "rules_group", "Rulesets, scenarios, scores of a round."),
    "score": Entry("p2pkaboo.cli.score_cmd", "score_command", "A scorekeeper for a game with paper cards."),
    "history": Entry("p2pkaboo.cli.history_cmd", "history_command", "Matches played, totals, opponents."),
    "whoami": Entry("p2pkaboo.cli.whoami_cmd", "whoami_command", "Your name, key, and its four words."),
}


class Unread(Exception):
    """Whoever read the output has gone. (Left to click, this ends with 1, which is an answer of ours.)"""


class LazyGroup(click.Group):
    """A group whose commands are named in a table and imported when they are used."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except BrokenPipeError:  # --help, --version
            raise Unread from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise Unread from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = getattr(importlib.import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, entry.summary) for name, entry in COMMANDS.items()]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="p2pkaboo", message="p2pkaboo %(version)s")
@click.option("--ui", type=click.Choice(["web", "terminal"]), default="web", hidden=True)
@profile_option
@click.pass_context
def cli(ctx: click.Context, ui: str) -> int | None:
    """Kaboo between peers: no server, no dealer, a deck that everybody shuffles and everybody can check.

    Without a command: the start screen.
    """
    if ctx.invoked_subcommand is not None:
        return None
    from p2pkaboo.cli.play_cmd import start_screen
    from p2pkaboo.cli.screens import folder_of

    return start_screen(folder_of(ctx), ui)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line (`arguments`, else those of the process) and exits with its code.

    A command's callback may return an exit code; None means 0.
    """
    gc.set_threshold(GC_THRESHOLD)
    # A console in another encoding (Windows) shall show a suit sign it lacks as "?", not end the game.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = cli.main(
            args=None if arguments is None else list(arguments), prog_name="p2pkaboo", standalone_mode=False
        )
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(0)
    except click.ClickException as error:
        say_error(error)
        sys.exit(EXIT_BAD_INPUT)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(EXIT_INTERRUPTED)
    except BaseExceptionGroup as group:
        if group.split(KeyboardInterrupt)[1] is not None:
            raise
        sys.exit(EXIT_INTERRUPTED)
    except Unread:
        drop_output()
        sys.exit(EXIT_UNREAD)
    except OSError as error:  # no room, no right, a broken disk: nothing that a traceback would help with
        drop_output()
        where = "" if error.filename is None else f"{error.filename}: "
        say_error(click.ClickException(f"{where}the system says: {error.strerror or error}"))
        sys.exit(EXIT_BAD_INPUT)
    sys.exit(code if isinstance(code, int) else 0)


def drop_output() -> None:
    """If stdout takes no more, what is left in its buffer goes nowhere: at the end Python would try once more,
    complain, and exit with a code of its own."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def say_error(error: click.ClickException) -> None:
    """One line on stderr: which command, what was wrong, and where to read how it is used."""
    place, hint = "p2pkaboo", ""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        place = error.ctx.command_path
        hint = f" (see {place} --help)"
    text = " ".join(error.format_message().split())
    click.echo(f"{place}: {text.rstrip('.')}{hint}", err=True)

#!/usr/bin/env python3
"""Writes the reference pages that come from the code: `docs/reference/commands.md` and `docs/reference/rules-keys.md`.

`python scripts/reference.py` writes them again; `checks/reference_in_step.py` sees to it that they are there as they
would be written. The commands are those that the program has, the keys those of its rulesets.
"""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Final

import click
import environment

from p2pkaboo.cli.main import COMMANDS, cli
from p2pkaboo.rules.keys import Key, Value
from p2pkaboo.rules.keys import shown as shown_value
from p2pkaboo.rules.ruleset import ATTRIBUTES, KEYS, Ruleset, load_preset, preset_names, to_plain
from p2pkaboo.rules.sources import preset_sources, preset_title

PLACE: Final = environment.ROOT / "docs" / "reference"
NOTICE: Final = "<!-- Written by scripts/reference.py from the code: change it there. -->"
EXITS: Final = re.compile(r"Exit codes: (.+?)(?:\n\n|\Z)", re.DOTALL)


def cell(text: str) -> str:
    """A text as a cell of a Markdown table: on one line, with no bar in it."""
    return " ".join(text.split()).replace("|", r"\|")


def code(text: str) -> str:
    """A text in code marks."""
    return f"`{text}`"


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """The lines of a Markdown table."""
    return [
        "",
        f"| {' | '.join(heads)} |",
        "|---" * len(heads) + "|",
        *(f"| {' | '.join(map(cell, row))} |" for row in rows),
        "",
    ]


# ---------------------------------------------------------------- commands


COMMANDS_HEAD: Final = f"""\
# Commands

{NOTICE}

Every command and option of `p2pkaboo`, as the program itself tells them with `--help`. From a copy of the source
`python3 scripts/play.py` takes the place of `p2pkaboo`; without anything behind it, it is `p2pkaboo play`.

What holds for all of them:

- **Exit codes.** 0: fine. 1: the answer is "no" (an invalid transcript, a match that failed, a move refused). 2: bad
  usage, input that cannot be read or no room to write, with one line on stderr that says what was wrong. 130: stopped
  with Ctrl-C. 141: whoever read the output has gone (`| head -1`). Where a command says more, it stands with it.
- **`--json`** prints exactly one JSON document on stdout; progress goes to stderr. The shapes are
  [schemas](../../protocol/schemas/README.md).
- **`--profile DIR`** may stand before or after the command. What lies in that folder, and which environment variables
  count: [profile](profile.md).
- **`--rules NAME|FILE`** and **`--set KEY=VALUE`**: [house rules](../how-to/house-rules.md), [all keys](rules-keys.md).
- **`--seed`** steers what bots choose. Keys, masks and orders of cards always come from the operating system.
"""


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Every command there is with what is typed for it, groups before what is in them."""
    yield "p2pkaboo", cli
    for name, entry in COMMANDS.items():
        command = getattr(importlib.import_module(entry.module), entry.attribute)
        yield f"p2pkaboo {name}", command
        if isinstance(command, click.Group):
            yield from ((f"p2pkaboo {name} {part}", command.commands[part]) for part in sorted(command.commands))


def usage(path: str, command: click.Command) -> str:
    """How the command is typed."""
    words = [path, "[OPTIONS]"]
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            name = parameter.metavar or parameter.human_readable_name.upper()
            words.append(name if parameter.required or name.startswith("[") else f"[{name}]")
    if isinstance(command, click.Group):
        words.append("COMMAND …")
    return " ".join(words)


def values(option: click.Option) -> str:
    """What may stand behind the option."""
    if option.is_flag:
        return ""
    kind = option.type
    if isinstance(kind, click.Choice):
        return ", ".join(code(str(word)) for word in kind.choices)
    if isinstance(kind, click.IntRange | click.FloatRange):
        low, high = ("" if bound is None else f"{bound:g}" for bound in (kind.min, kind.max))
        return f"{low} to {high}" if low and high else f"{low} or more" if low else f"{high} or less"
    return "" if option.metavar else {"integer": "a whole number", "file": "a file"}.get(kind.name, kind.name)


def typed(option: click.Option) -> str:
    """The option as it is typed, every form of it."""
    words = [*option.opts, *option.secondary_opts]
    return ", ".join(code(f"{word} {option.metavar}" if option.metavar else word) for word in words)


def default(option: click.Option) -> str:
    """What holds where the option is left out; nothing where that is nothing, or stands in the explanation."""
    if option.required:
        return "must be given"
    if option.secondary_opts:
        return code(option.opts[0] if option.default else option.secondary_opts[0])
    value = option.default
    plain = isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""
    return code(f"{value:g}" if isinstance(value, float) else str(value)) if plain else ""


def options(command: click.Command) -> list[tuple[str, ...]]:
    """A row for each option that is shown; `--help` is everybody's and stands in none."""
    return [
        (typed(option), values(option), default(option), option.help or "")
        for option in command.params
        if isinstance(option, click.Option) and not option.hidden and "--help" not in option.opts
    ]


def exits(path: str, command: click.Command) -> str:
    """What the command's module says of its exit codes, if it is about this command alone."""
    module = inspect.getmodule(command.callback)
    said = EXITS.search((module.__doc__ if module else None) or "")
    return " ".join(said[1].split()) if said and path != "p2pkaboo" and len(path.split()) == 2 else ""


def command_lines(path: str, command: click.Command) -> Iterator[str]:
    """The section of one command."""
    yield from (f"## {path}", "", "```", usage(path, command), "```", "")
    yield inspect.cleandoc(command.help or "")
    rows = options(command)
    if rows:
        yield from table(("option", "values", "default", "what it does"), rows)
    else:
        yield ""
    if said := exits(path, command):
        yield from (f"Exit codes: {said}", "")


def commands_page() -> str:
    """`docs/reference/commands.md`."""
    known = list(all_commands())
    heads = [f"- [{path}](#{path.replace(' ', '-')}): {summary(command)}" for path, command in known[1:]]
    lines = [COMMANDS_HEAD, *heads, ""]
    for path, command in known:
        lines += command_lines(path, command)
    return "\n".join(lines).rstrip() + "\n"


def summary(command: click.Command) -> str:
    """The first sentence of a command's help."""
    return inspect.cleandoc(command.help or "").partition("\n\n")[0].replace("\n", " ")


# ---------------------------------------------------------------- keys of the rules


KEYS_HEAD: Final = f"""\
# The keys of a ruleset

{NOTICE}

A ruleset is a table of keys. A [file of house rules](../how-to/house-rules.md) and `--set KEY=VALUE` change some of
them; the whole table stands in the charter that every seat signs. What each value does in the game is in the
[specification](../../protocol/08-rules.md).

`default` holds where a file names no `base`; with a `base` it is that preset's value. In the columns of the presets,
**bold** means that the published text of the game says so. Everything else is a *house default*: our choice where that
text is silent, or a key that the preset does not set. Lists are written `["KH", "KD"]` in a file and `KH,KD` behind
`--set`.
"""


def written(value: Value | list[str]) -> str:
    """A value as it stands in a file."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(f'"{word}"' for word in value) + "]"
    return shown_value(value)


def key_row(key: Key) -> tuple[str, ...]:
    """A key, what it may hold, its default, and its value in every preset."""
    cells = [code(key.name), key.says, key.allowed, code(written(getattr(Ruleset("blank"), ATTRIBUTES[key.name])))]
    for name in preset_names():
        value = code(written(to_plain(load_preset(name))[key.name]))
        source = preset_sources(name).get(key.name)
        cells.append(f"**{value}**" if source is not None and source.origin == "text" else value)
    return tuple(cells)


def source_rows(name: str) -> list[tuple[str, ...]]:
    """What a preset's file says of where its rules come from: keys, and rules of the text that need no key."""
    plain = to_plain(load_preset(name))
    return [
        (
            f"{code(key)} = {code(written(plain[key]))}" if key in KEYS else f"*{key.strip('[]')}*",
            "text" if source.origin == "text" else "house default",
            source.words,
        )
        for key, source in preset_sources(name).items()
    ]


def keys_page() -> str:
    """`docs/reference/rules-keys.md`."""
    groups: dict[str, list[Key]] = {}
    for name, key in KEYS.items():
        groups.setdefault(name.partition(".")[0], []).append(key)
    lines = [KEYS_HEAD, f"## The {len(KEYS)} keys", ""]
    for group, keys in groups.items():
        lines += [f"### {group}"]
        lines += table(("key", "what it is", "allowed", "default", *preset_names()), [key_row(key) for key in keys])
    lines += ["## Where the presets come from", ""]
    lines += ["Names in italics are rules of the text that are the same in every ruleset and need no key.", ""]
    for name in preset_names():
        lines += [f"### {name}", "", preset_title(name)]
        lines += table(("rule", "from", "in the words of the text, or why"), source_rows(name))
    return "\n".join(lines).rstrip() + "\n"


PAGES: Final[dict[str, Callable[[], str]]] = {"commands.md": commands_page, "rules-keys.md": keys_page}


def main() -> None:
    PLACE.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        path = PLACE / name
        before = path.read_text("utf-8") if path.exists() else ""
        after = page()
        path.write_text(after, "utf-8")
        print(f"reference: docs/reference/{name} " + ("is as it was" if after == before else "is rewritten"))


if __name__ == "__main__":
    main()

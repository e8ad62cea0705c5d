#!/usr/bin/env python3
"""Checks all that a commit must pass, the tests apart: format, lint, types, layers, and the project's own checks.

The project's own checks are the modules of `scripts/checks/`: each has `run() -> list[str]`, one line a problem, and a
first docstring line that says what holds when it returns none. A module put there is found by itself.

Every check runs even if one before it failed. Exit code 0: all passed; 1: at least one did not. Arguments, if any,
name the checks to run: `python3 scripts/check.py lint docs_links`.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("check: needs Python 3.11 or newer, this is {}.{} ({})".format(*sys.version_info[:2], sys.executable))

import importlib
import os
import pkgutil
import subprocess
import time
from collections.abc import Callable

import checks
import environment

# import-linter has no `-m` of its own; this is what its console script does.
LINT_IMPORTS = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
TYPED = ("p2pkaboo", "scripts", "tests", "protocol")


def tool(*arguments: str) -> Callable[[], list[str]]:
    """A check that runs one of the installed tools and takes what it prints as the problems if it fails."""

    def check() -> list[str]:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=environment.ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode == 0:
            return []
        return done.stdout.splitlines() or [f"{' '.join(arguments)} failed (exit {done.returncode}) and said nothing"]

    return check


def all_checks() -> dict[str, Callable[[], list[str]]]:
    """Every check by name, in the order in which they run."""
    typed = [name for name in TYPED if any((environment.ROOT / name).rglob("*.py"))]
    found: dict[str, Callable[[], list[str]]] = {
        "format": tool("-m", "ruff", "format", "--check", "."),
        "lint": tool("-m", "ruff", "check", "."),
        "types": tool("-m", "mypy", "--strict", *typed),
        "layers": tool("-c", LINT_IMPORTS, "--no-logo"),
    }
    for module in sorted(pkgutil.iter_modules(checks.__path__), key=lambda module: module.name):
        found[module.name] = importlib.import_module(f"checks.{module.name}").run
    return found


def main() -> None:
    known = all_checks()
    chosen = sys.argv[1:] or list(known)
    unknown = [name for name in chosen if name not in known]
    if unknown:
        sys.exit(f"check: no check is called {unknown[0]!r}; there are: {', '.join(known)}")
    failed = []
    for name in chosen:
        begun = time.perf_counter()
        problems = known[name]()
        print(f"{'FAIL' if problems else 'ok  '} {name} ({time.perf_counter() - begun:.1f} s)", flush=True)
        for problem in problems:
            print(f"     {problem}")
        if problems:
            failed.append(name)
    if failed:
        sys.exit(f"check: failed: {', '.join(failed)}")
    print(f"check: all {len(chosen)} passed")


def enter_environment() -> None:
    """Starts this script again with the environment's Python, unless it is running there already."""
    try:
        python = environment.prepare(environment.DEV_LOCK)
    except environment.SetupError as error:
        sys.exit(f"check: {error}")
    if not os.path.samefile(sys.prefix, python.parent.parent):
        environment.run([str(python), os.path.abspath(__file__), *sys.argv[1:]])


if __name__ == "__main__":
    enter_environment()
    main()

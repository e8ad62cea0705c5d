#!/usr/bin/env python3
"""Plays: makes the project's environment if there is none yet, then starts `p2pkaboo` with the arguments given.

Without arguments: a game against bots. `python3 scripts/play.py host`, `… join`, `… --help` and so on are the
commands of `p2pkaboo` itself. Needs Python 3.11 or newer and nothing else.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("play: needs Python 3.11 or newer, this is {}.{} ({})".format(*sys.version_info[:2], sys.executable))

import environment


def main() -> None:
    try:
        python = environment.prepare(environment.PLAY_LOCK)
    except environment.SetupError as error:
        sys.exit(f"play: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    environment.run([str(python), "-m", "p2pkaboo", *(sys.argv[1:] or ["play"])])


if __name__ == "__main__":
    main()

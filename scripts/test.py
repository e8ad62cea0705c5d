#!/usr/bin/env python3
"""Tests: makes the project's environment if there is none yet, then runs pytest with the arguments given.

Without arguments: the whole suite, on all cores. Browser tests need a Chromium; where there is none they are left
out, and the last lines say so. Needs Python 3.11 or newer and nothing else.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("test: needs Python 3.11 or newer, this is {}.{} ({})".format(*sys.version_info[:2], sys.executable))

import os

import environment


def main() -> None:
    try:
        python = environment.prepare(environment.DEV_LOCK)
    except environment.SetupError as error:
        sys.exit(f"test: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    os.chdir(environment.ROOT)
    # Files go to one worker each, so that a fixture of a file's own (a server, a browser) is started once.
    arguments = sys.argv[1:] or ["-q", "-n", "auto", "--dist", "loadfile"]
    environment.run([str(python), "-m", "pytest", *arguments])


if __name__ == "__main__":
    main()

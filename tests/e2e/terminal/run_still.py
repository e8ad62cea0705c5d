"""Started by the tests in a terminal of its own: the interface over a still moment. Arguments: the moment, and "fails"
if the peer shall break down at the first command."""

import sys

import trio

from p2pkaboo.peer import api
from p2pkaboo.ui.terminal.app import run_terminal
from tests.e2e.web.double import Still
from tests.unit.ui.terminal.moments import scene


class Failing(Still):
    async def command(self, command: api.AnyCommand, *, arrived_ns: int) -> api.Reply:
        raise RuntimeError("the peer broke down")


def main() -> None:
    make = Failing if "fails" in sys.argv else Still
    still = make(lambda _: scene(sys.argv[1]))
    trio.run(run_terminal, still)
    sys.stderr.write(" ".join(type(command).__name__ for command, _ in still.commands) + "\n")


if __name__ == "__main__":
    main()

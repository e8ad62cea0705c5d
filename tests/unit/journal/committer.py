"""The child of `test_kill`: writes to a match as fast as it can, and says so only after each commit."""

import sys
from pathlib import Path

from p2pkaboo.journal.store import Journal, MatchId


def main() -> None:
    path, match, first = Path(sys.argv[1]), MatchId(int(sys.argv[2])), int(sys.argv[3])
    writer = Journal(path).writer(match)
    for number in range(first, first + 1_000_000):
        writer.note_received(b"received %d " % number + bytes(3000))
        writer.commit(secrets=[(f"{number}", b"%d" % number)], choices=[number], sent=[b"sent %d" % number])
        print(number, flush=True)


main()

#!/usr/bin/env python3
"""Checks a transcript of p2pkaboo: `python3 verify.py FILE`. Needs nothing but Python 3.11.

Written from the specification beside it alone, and sharing no code with the program that plays: two verifiers that
agree are worth more than one. The class of the verdict is printed on the first line, one plain sentence on the
second. Exit codes: 0 valid, 1 not valid, 2 unreadable or bad usage.

To be read in this order, each module naming the sections it is written from:

    verifier/encoding.py      values, hashes, slots            verifier/moves.py       what a move is
    verifier/curve.py         the curve                        verifier/changes.py     pile, stock, end of a turn
    verifier/group.py         ristretto255                     verifier/play.py        moves carried out
    verifier/signature.py     Ed25519                          verifier/score.py       points
    verifier/proofs.py        all proofs                       verifier/race.py        who was first
    verifier/messages.py      envelopes                        verifier/steps.py       steps and heads
    verifier/ruleset.py       rulesets, cards                  verifier/notes.py       what a deal keeps
    verifier/forming.py       the charter                      verifier/deal.py        the state machine
    verifier/game.py          the state of a round             verifier/mainline.py    main line, draw lane
    verifier/roundaudit.py    disclosed keys                   verifier/window.py      window lane
    verifier/transcript.py    the file and its verdict         verifier/faults.py      a verdict on the way
"""

import argparse
import json
import sys
from pathlib import Path

from verifier.transcript import verify


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a p2pkaboo transcript, independently of the program.")
    parser.add_argument("file", metavar="FILE", help="a transcript (.kaboo)")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")
    arguments = parser.parse_args()
    try:
        data = Path(arguments.file).read_bytes()
    except OSError as error:
        print(f"verify: {arguments.file}: {error.strerror}", file=sys.stderr)
        return 2
    found = verify(data)
    if arguments.json:
        print(json.dumps(found.document()))
    else:
        print(found.verdict)
        whose = "" if found.seat is None else f" (seat {found.seat})"
        print(f"{'' if found.slot is None else found.slot + ': '}{found.reason}{whose}")
    return {"valid": 0, "unreadable": 2}.get(found.verdict, 1)


if __name__ == "__main__":
    sys.exit(main())

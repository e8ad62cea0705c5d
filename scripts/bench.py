"""Every figure of the benchmark, by hand: deals of 2 to 8 seats with 1 to 4 packs, each against the libsodium floor,
and the same deals with plain SRA (with gmpy2 too, where it is installed). About half an hour.

    .venv/bin/python scripts/bench.py [--quick] [--seats 2,4,8] [--packs 1,2] [--json FILE]

Each line appears when it is measured. With one pack every seat does its part of the SRA deal and the opened cards are
looked at; with more packs one seat's part is done, for all seats do the same number of exponentiations.
"""

import argparse
import gc
import json
import sys
from pathlib import Path

from p2pkaboo.cli.bench_cmd import measure_all
from p2pkaboo.cli.main import GC_THRESHOLD


def numbers(text: str) -> list[int]:
    """Numbers with commas between."""
    return [int(part) for part in text.split(",")]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="four seats and one pack only")
    parser.add_argument("--seats", type=numbers, default=list(range(2, 9)))
    parser.add_argument("--packs", type=numbers, default=list(range(1, 5)))
    parser.add_argument("--json", type=Path, help="write all numbers there too")
    chosen = parser.parse_args()
    if not set(chosen.seats) <= set(range(2, 9)) or not set(chosen.packs) <= set(range(1, 5)):
        parser.error("a table has 2 to 8 seats and 1 to 4 packs")
    return chosen


def main() -> int:
    options = arguments()
    gc.set_threshold(GC_THRESHOLD)  # as every command of the program has it
    sizes = [(4, 1)] if options.quick else [(seats, packs) for packs in options.packs for seats in options.seats]
    document = measure_all(sizes, sra=True, say=lambda line: print(line, flush=True))
    if options.json is not None:
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

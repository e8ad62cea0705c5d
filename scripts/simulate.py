"""Snap races on made-up networks, judged by the real code of a seat: how often the fastest wins, what cheats gain.

    .venv/bin/python scripts/simulate.py [--races 2000] [--cells lan/4,wan/4,lan/2,wan/2] [--jobs 2] [--json FILE]

Every race is run without a cheat and then with each in turn: the same network, people and lots. Behind every number
stands the interval in which the truth lies 95 times of a hundred. Exit code 1: the rule does not hold what it must.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from p2pkaboo.lab.races.report import failures, plain, text
from p2pkaboo.lab.races.trial import PLACES, Row, run_races

CHUNK = 100
"""Races that a process runs at a stretch."""

Job = tuple[str, int, int, int]
"""Place, first race, end of races, seed."""


def run(job: Job) -> tuple[str, dict[str, list[Row]]]:
    """The races of one chunk."""
    cell, start, stop, seed = job
    return cell, run_races(PLACES[cell], range(start, stop), seed, random.Random)


def jobs(cells: list[str], races: int, seed: int) -> Iterator[Job]:
    """All chunks."""
    for cell in cells:
        for start in range(0, races, CHUNK):
            yield cell, start, min(races, start + CHUNK), seed


def simulate(cells: list[str], races: int, seed: int, workers: int) -> dict[str, dict[str, list[Row]]]:
    """All rows, by cell and cheat."""
    results: dict[str, dict[str, list[Row]]] = {}
    with ProcessPoolExecutor(workers) as pool:
        for cell, rows in pool.map(run, jobs(cells, races, seed)):
            lines = results.setdefault(cell, {name: [] for name in rows})
            for name, more in rows.items():
                lines[name] += more
    return results


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", type=int, default=2000, help="races a line (default: 2000)")
    parser.add_argument("--cells", default=",".join(PLACES), help="which, of those above, with commas between")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--json", type=Path, help="write all numbers there too")
    chosen = parser.parse_args()
    unknown = [cell for cell in chosen.cells.split(",") if cell not in PLACES]
    if unknown:
        parser.error(f"--cells: there is no cell {unknown[0]!r}; there are {', '.join(PLACES)}")
    if chosen.races < 1 or chosen.jobs < 1:
        parser.error("--races and --jobs must be at least 1")
    return chosen


def main() -> None:
    chosen = arguments()
    began = time.monotonic()
    results = simulate(chosen.cells.split(","), chosen.races, chosen.seed, chosen.jobs)
    for line in text(results):
        print(line)
    run_in_all = sum(len(rows) for cells in results.values() for rows in cells.values())
    print(f"{run_in_all} races in {time.monotonic() - began:.0f} s, seed {chosen.seed}")
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(plain(results), indent=1) + "\n", encoding="utf-8")
    problems = failures(results)
    for problem in problems:
        print(f"simulate: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

"""Plays a match of every preset at its smallest and its largest number of seats, all in one process each, over real
links; prints one line a match and exits with 1 unless all are valid.

    python scripts/match_presets.py --rounds 3 [--keep FOLDER]
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from p2pkaboo.rules.ruleset import load_preset, preset_names


def play(preset: str, seats: int, rounds: int, keep: Path | None) -> dict[str, object]:
    """The document of one match (`valid` false when the command failed); its transcript goes to the folder `keep`."""
    command = [sys.executable, "-m", "p2pkaboo", "match", "--in-process", "--json"]
    command += ["--rules", preset, "--seats", str(seats), "--rounds", str(rounds)]
    if keep is not None:
        command += ["--out", str(keep / f"{preset}-{seats}.kaboo")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout:
        return {"valid": False, "error": done.stderr.strip(), "totals": [], "rounds": []}
    document: dict[str, object] = json.loads(done.stdout)
    return document


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to save the transcripts")
    parser.add_argument("presets", nargs="*", default=preset_names())
    options = parser.parse_args()
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    bad, began = 0, time.monotonic()
    for preset in options.presets:
        rules = load_preset(preset)
        for seats in (rules.players_min, rules.players_max):
            start = time.monotonic()
            document = play(preset, seats, options.rounds, options.keep)
            rows = document["rounds"]
            assert isinstance(rows, list)
            print(
                f"{preset:14} {seats} seats: {'valid' if document['valid'] else 'NOT VALID'}, {len(rows)} rounds, "
                f"totals {document['totals']}, {time.monotonic() - start:.0f} s {document.get('error', '')}",
                flush=True,
            )
            bad += not document["valid"]
    print(f"{time.monotonic() - began:.0f} s in all, {bad} not valid")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

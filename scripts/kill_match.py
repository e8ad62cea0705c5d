"""Plays a match of bots in processes of their own, kills one seat after another with SIGKILL at random instants, starts
each again at once, and says whether the match still ended valid.

    python scripts/kill_match.py --seats 4 --rounds 3 --kills 20
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from p2pkaboo.cli.match_cmd import MatchOptions, SeatProcess, match_document, match_rules, seat_orders


def play(seats: int, rounds: int, kills: int, seed: int, every: tuple[float, float]) -> dict[str, Any]:
    """The match's document, with `kills`: how many kills it survived before it was over."""
    whim = random.Random(seed)
    options = MatchOptions(match_rules("sheffield", (), seats, rounds), seats, seed, False)
    with tempfile.TemporaryDirectory(prefix="p2pkaboo-kill-") as folder:
        orders = seat_orders(options, Path(folder))
        players = [SeatProcess(orders[0])]
        done = 0
        try:
            invite = players[0].wait_for("invite")["invite"]
            players += [SeatProcess({**order, "invite": invite}) for order in orders[1:]]
            for player in players:
                player.wait_for("seated")
            results: dict[int, dict[str, Any]] = {}
            while len(results) < seats:
                time.sleep(whim.uniform(*every))
                _collect(players, results)
                alive = [number for number in range(seats) if number not in results]
                for number in alive:
                    players[number].check()
                if done < kills and alive:
                    number = whim.choice(alive)
                    players[number].process.kill()
                    players[number].process.wait()
                    done += 1
                    print(f"killed seat process {number} ({done} of {kills})", file=sys.stderr)
                    players[number].start(resume=True, invite=invite if number else "")
        finally:
            for player in players:
                player.close()
        document = match_document(options, "sheffield", [results[number] for number in sorted(results)])
    return {**document, "kills": done}


def _collect(players: list[SeatProcess], results: dict[int, dict[str, Any]]) -> None:
    for number, player in enumerate(players):
        while not player.said.empty():
            said = player.said.get()
            if said is not None and said["event"] == "result":
                results[number] = said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--every", type=float, nargs=2, default=(0.2, 4.0), metavar=("LEAST", "MOST"))
    options = parser.parse_args()
    document = play(options.seats, options.rounds, options.kills, options.seed, tuple(options.every))
    print(json.dumps({key: document[key] for key in ("valid", "kills", "totals", "winners")} | {"seed": options.seed}))
    return 0 if document["valid"] else 1


if __name__ == "__main__":
    sys.exit(main())

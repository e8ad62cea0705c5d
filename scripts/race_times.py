"""How long snap races take between real hosts: real processes in network namespaces, on cables of any length.

    sudo .venv/bin/python scripts/race_times.py [--delays 0,20,80] [--seats 4] [--rounds 3] [--json]

For each one-way delay a match of bots is played, and for each of its races is measured: from the last key press until
every seat knows the order, and until every seat has the first card open; and for each window in which nobody snapped,
how long after the exposure it ended. Times are in round trips of the longest cable there and back, after 40 ms for the
computers. Exit code 1: slower than promised (median: order 1.5, card 2.5, nothing to wait for 1.5), 2: cannot be
measured here. Linux, as root. The cables are the kernel's `netem` where it has that, else `slow_switch`.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from p2pkaboo.cli.match_cmd import MatchOptions, SeatProcess, match_document, match_rules, seat_orders

SCRIPTS: Final = Path(__file__).parent
COMPUTERS_MS: Final = 40.0
"""What a race may take beside the trips of its messages: proofs, journals, four peers on two cores."""

PROMISED: Final = {"order": 1.5, "card": 2.5, "no_race": 1.5}
"""Round trips, median."""

JITTER: Final = 0.1
"""Part of the delay that a frame may be early or late."""

EXPOSURE_MS: Final = 1000


class CannotMeasure(Exception):
    """What this machine does not let us do."""


@dataclass(slots=True)
class Race:
    """One window with snaps: when each seat pressed, knew the order, saw the first card (nanoseconds)."""

    pressed: list[int] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    card: list[int] = field(default_factory=list)


def ip(*arguments: str) -> None:
    """Raises CannotMeasure."""
    try:
        subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise CannotMeasure("the ip command of Linux (iproute2) is not here") from None
    except subprocess.CalledProcessError as error:
        raise CannotMeasure(f"ip {' '.join(arguments)}: {error.stderr.strip()}") from None


@contextlib.contextmanager
def hosts(count: int, delay_ms: float) -> Iterator[tuple[list[str], str]]:
    """So many hosts on one switch, whose cables take half of the delay each; and what makes them slow."""
    mark = f"kaboo-{os.getpid()}"
    switch, names = f"{mark}-switch", [f"{mark}-{number}" for number in range(count)]
    made: list[str] = []
    relay: subprocess.Popen[str] | None = None
    try:
        for name in (switch, *names):
            ip("netns", "add", name)
            made.append(name)
        for number, name in enumerate(names):
            port = f"port{number}"
            ip("link", "add", "cable", "netns", name, "type", "veth", "peer", "name", port, "netns", switch)
            ip("-n", name, "address", "add", f"192.0.2.{number + 1}/24", "dev", "cable")
            for host, device in ((name, "lo"), (name, "cable"), (switch, port)):
                ip("-n", host, "link", "set", device, "up")
        if has_netem(switch):
            ip("-n", switch, "link", "add", "bridge", "type", "bridge")
            ip("-n", switch, "link", "set", "bridge", "up")
            for number in range(count):
                ip("-n", switch, "link", "set", f"port{number}", "master", "bridge")
                # On the way out of the switch only, so one way takes one delay.
                late = ["delay", f"{delay_ms}ms", f"{delay_ms * JITTER}ms"]
                tc = ["tc", "-n", switch, "qdisc", "add", "dev", f"port{number}", "root", "netem", *late]
                subprocess.run(tc, check=True, capture_output=True)
            yield names, "netem"
            return
        for name in names:
            plain = f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); import slow_switch; slow_switch.plain('cable')"
            subprocess.run(["ip", "netns", "exec", name, sys.executable, "-c", plain], check=True)
        slow = [f"--delay-ms={delay_ms}", f"--jitter-ms={delay_ms * JITTER}"]
        ports = [f"port{number}" for number in range(count)]
        command = ["ip", "netns", "exec", switch, sys.executable, str(SCRIPTS / "slow_switch.py"), *slow, *ports]
        relay = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert relay.stdout is not None
        if relay.stdout.readline() != "up\n":
            raise CannotMeasure("the slow switch did not start; its message is above")
        yield names, "slow_switch"
    finally:
        if relay is not None:
            relay.kill()
            relay.communicate()
        for name in made:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


def has_netem(namespace: str) -> bool:
    """Whether the kernel can make a device slow."""
    command = ["tc", "-n", namespace, "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def play(names: list[str], rounds: int, seed: int | None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A match between these hosts: its document, and what its seats said of their races."""
    seats = len(names)
    rules = match_rules("sheffield", (f"snap.exposure_ms={EXPOSURE_MS}",), seats, rounds)
    options = MatchOptions(rules, seats, seed, False)
    os.environ["PYTHONPATH"] = str(SCRIPTS)
    with tempfile.TemporaryDirectory(prefix="p2pkaboo-races-") as folder:
        orders = [{**order, "local": False, "style": "snap-happy"} for order in seat_orders(options, Path(folder))]
        players: list[SeatProcess] = []
        said: list[dict[str, Any]] = []
        results: list[dict[str, Any]] = []
        try:
            invite = ""
            for order, name in zip(orders, names, strict=True):
                players.append(SeatProcess({**order, "invite": invite}, ("race_seat", name)))
                invite = invite or str(players[0].wait_for("invite")["invite"])
            for player in players:
                while (word := player.said.get()) is not None:
                    said.append(word)
                    if word["event"] == "result":
                        results.append(word)
                        break
        finally:
            for player in players:
                player.close()
        if len(results) < seats:
            raise CannotMeasure("a seat ended without a result; its message is above")
        return match_document(options, "sheffield", results), said


def measure(seats: int, delay_ms: float, rounds: int, seed: int | None) -> dict[str, Any]:
    """One line of the table."""
    with hosts(seats, delay_ms) as (names, cables):
        document, said = play(names, rounds, seed)
    races: dict[tuple[int, ...], Race] = {}
    quiet: dict[tuple[int, ...], list[float]] = {}
    for word in said:
        key = tuple(word.get("race", ()))
        if word["event"] == "window" and word["snaps"] == 0 and key[2] == 0 and word["waited_us"] is not None:
            quiet.setdefault(key, []).append(word["waited_us"] / 1000 - EXPOSURE_MS)
        elif word["event"] in ("press", "order", "card"):
            race = races.setdefault(key, Race())
            {"press": race.pressed, "order": race.order, "card": race.card}[word["event"]].append(word["at"])
    whole = [race for race in races.values() if race.pressed and len(race.order) == seats]
    orders = [(max(race.order) - max(race.pressed)) / 1e6 for race in whole]
    cards = [(max(race.card) - max(race.pressed)) / 1e6 for race in whole if len(race.card) == seats]
    times = {"order": orders, "card": cards, "no_race": [max(each) for each in quiet.values() if len(each) == seats]}
    line: dict[str, Any] = {"delay_ms": delay_ms, "seats": seats, "cables": cables, "valid": document["valid"]}
    trip = 2 * delay_ms * (1 + JITTER)
    for name, values in times.items():
        median = round(statistics.median(values), 1) if values else None
        allowed = PROMISED[name] * trip + COMPUTERS_MS
        kept = median is not None and median <= allowed
        line[name] = {"count": len(values), "median_ms": median, "allowed_ms": round(allowed, 1), "kept": kept}
    return line


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delays", default="0,20,80", help="milliseconds one way, with commas between")
    parser.add_argument("--seats", type=int, default=4, choices=range(3, 9))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=None, help="of the bots' whims")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    lines = []
    try:
        for delay in map(float, chosen.delays.split(",")):
            lines.append(line := measure(chosen.seats, delay, chosen.rounds, chosen.seed))
            parts = [f"{name} {line[name]['median_ms']} of {line[name]['allowed_ms']} ms" for name in PROMISED]
            counts = ", ".join(str(line[name]["count"]) for name in PROMISED)
            print(f"{delay:g} ms: {'; '.join(parts)} ({counts} measured, {line['cables']})", file=sys.stderr)
    except CannotMeasure as error:
        print(f"race_times: {error}", file=sys.stderr)
        return 2
    if chosen.json:
        print(json.dumps(lines))
    return 0 if all(line["valid"] and all(line[name]["kept"] for name in PROMISED) for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())

"""`p2pkaboo match`: bots play a whole match over real links, headless, and the result is printed."""

import importlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import trio

from p2pkaboo.cli.options import Whole
from p2pkaboo.journal.errors import TranscriptFileError
from p2pkaboo.journal.transcripts import save_transcript
from p2pkaboo.net.loopback import NoLoopback, check_loopback
from p2pkaboo.replica.honoured import check_honoured
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.ruleset import Ruleset, load_with, parse_set, to_plain, with_overrides

EXPOSURE_MS: Final = 600
"""Nobody watches a headless match: bots that react in 200 to 500 ms need no longer exposure."""

REACT_MS: Final = (200, 500)
PATIENCE: Final = 0.02
"""Bots of a headless match think in fiftieths of a person's time."""

_SHARED: Final = ("scores", "totals", "hands", "caller", "winners")
"""What every seat must have seen alike; the rest (times, bytes) is each one's own."""

LOOK_SECONDS: Final = 0.5
"""How often it is looked, while one seat is waited for, whether another has ended with an error."""

NAMES: Final = ("Ada", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana")


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """A match to be played."""

    rules: Ruleset
    seats: int
    seed: int | None
    in_process: bool


def match_rules(preset: str, settings: tuple[str, ...], seats: int, rounds: int | None) -> Ruleset:
    """The ruleset of a headless match. `rounds` None: as many as the settings say, else one.

    Raises RulesError, also when the rules are not for so many seats or the match would have no end.
    """
    rules = load_with(preset, settings)
    check_honoured(rules)
    named = dict(map(parse_set, settings))
    if rounds is not None and named.get("match.rounds", rounds) != rounds:
        raise RulesError(f"match.rounds = {named['match.rounds']}: --rounds says {rounds}, which of the two?")
    more: dict[str, object] = {"match.rounds": named.get("match.rounds", 1) if rounds is None else rounds}
    if rules.snap != "off" and "snap.exposure_ms" not in named:
        more["snap.exposure_ms"] = EXPOSURE_MS
    rules = with_overrides(rules, more)
    if not (rules.match_rounds or rules.match_target):
        raise RulesError("match.rounds = 0: bots need an end, a number of rounds or a match.target")
    if not rules.players_min <= seats <= rules.players_max:
        raise RulesError(f"seats {seats}: these rules are for {rules.players_min} to {rules.players_max}")
    return rules


@click.command("match")
@click.option("--rules", "preset", default="sheffield", show_default=True, metavar="NAME|FILE", help="Ruleset.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Override a key of the ruleset.")
@click.option("--seats", type=Whole(2, 8), default=4, show_default=True)
@click.option("--rounds", type=Whole(1, 1000), default=None, help="As --set match.rounds=N.  [default: 1]")
@click.option("--in-process", is_flag=True, help="All seats in this process (still over real links).")
@click.option("--seed", type=int, default=None, help="Steers the bots' whims, never keys or permutations.")
@click.option(
    "--out", type=click.Path(dir_okay=False, readable=False, path_type=Path), default=None, help="Save the transcript."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def match_command(
    preset: str,
    settings: tuple[str, ...],
    seats: int,
    rounds: int | None,
    in_process: bool,
    seed: int | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Let bots play a match over real links and report it."""
    try:
        rules = match_rules(preset, settings, seats, rounds)
    except RulesError as error:
        raise click.ClickException(str(error)) from None
    if out is not None:
        check_place(out)
    try:
        trio.run(check_loopback)
    except NoLoopback as error:
        raise click.ClickException(str(error)) from None
    # Every seat unpacks a library of a few megabytes when it begins; where there is no room, this is said here, once.
    importlib.import_module("p2pkaboo.crypto.sodium")
    options = MatchOptions(rules, seats, seed, in_process)
    with tempfile.TemporaryDirectory(prefix="p2pkaboo-match-") as folder:
        results = play_in_process(options, Path(folder)) if in_process else play_processes(options, Path(folder))
        document = match_document(options, preset, results)
        document["overrides"] = dict(map(parse_set, settings))
        document["transcript"] = None
        if out is not None:
            keep(Path(results[0]["transcript"]), out)
            document["transcript"] = str(out)
    if as_json:
        click.echo(json.dumps(document))
    else:
        _print(document)
    return 0 if document["valid"] else 1


def check_place(out: Path) -> None:
    """Can a file be written there? Asked before the match: one that is played for nothing is a pity.

    Raises ClickException if not.
    """
    if not out.parent.is_dir():
        raise click.ClickException(f"{out}: its folder does not exist")
    try:
        if out.exists():
            out.open("ab").close()
        if is_replaced(out):
            tempfile.TemporaryFile(dir=out.resolve().parent).close()
    except OSError as error:
        raise click.ClickException(f"{out}: cannot be written ({error.strerror})") from None


def is_replaced(out: Path) -> bool:
    """Is it a file, there or not? A pipe or a device is written to as it is."""
    return out.is_file() or not out.exists()


def keep(transcript: Path, out: Path) -> None:
    """Copies the transcript of a match to `out`, whole or not at all. Raises ClickException, and leaves the transcript
    in a place of its own then: a match is not played again."""
    try:
        data = transcript.read_bytes()
        if is_replaced(out):
            save_transcript(out.resolve(), data)
        else:
            out.write_bytes(data)
    except (OSError, TranscriptFileError) as error:
        why = f"{out}: cannot be written ({error.strerror})" if isinstance(error, OSError) else str(error)
        handle, kept = tempfile.mkstemp(prefix="p2pkaboo-", suffix=".kaboo")
        os.close(handle)
        os.replace(transcript, kept)  # takes no room: the folder of the match lies in the same one
        raise click.ClickException(f"{why}; the transcript is in {kept}") from None


def match_document(options: MatchOptions, preset: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    """The JSON of `match`: valid if every seat finished, audited every round as valid, and all agree."""
    first = min(results, key=lambda result: int(result["seat"]))
    rows = first["rounds"]
    agree = len({json.dumps([[row[key] for key in _SHARED] for row in result["rounds"]]) for result in results}) == 1
    audited = all(row["audit"] == "valid" for result in results for row in result["rounds"])
    finished = all(result["outcome"] == "finished" for result in results)
    cpu = [result["cpu_s"] for result in sorted(results, key=lambda result: int(result["seat"]))]
    if options.in_process:  # one process has one clock: every seat is given its even part
        cpu = [round(max(cpu, default=0.0) / options.seats, 3)] * options.seats
    left_out = ("totals", "winners", "match_over")
    rounds = [{key: value for key, value in row.items() if key not in left_out} for row in rows]
    return {
        "rules": preset,
        "seats": options.seats,
        "valid": bool(rows) and agree and audited and finished,
        "totals": rows[-1]["totals"] if rows else [],
        "rounds": [{**row, "cpu_s": cpu} for row in rounds],
        "winners": rows[-1]["winners"] if rows else [],
    }


def play_processes(options: MatchOptions, folder: Path) -> list[dict[str, Any]]:
    """One process a seat, on links over the loopback address. Returns every seat's result."""
    orders = seat_orders(options, folder)
    seats = [SeatProcess(orders[0])]
    try:
        invite = seats[0].wait_for("invite")["invite"]
        for order in orders[1:]:
            seats.append(SeatProcess({**order, "invite": invite}))
        return [seat.wait_for("result", seats) for seat in seats]
    finally:
        for seat in seats:
            seat.close()


def seat_orders(options: MatchOptions, folder: Path) -> list[dict[str, Any]]:
    """What each seat's process is told; the first opens the table."""
    return [
        {
            "profile": str(folder / f"seat{number}"),
            "name": NAMES[number],
            "seed": None if options.seed is None else options.seed * 100 + number,
            "rules": to_plain(options.rules) if number == 0 else None,
            "seats": options.seats,
            "react_ms": REACT_MS,
            "patience": PATIENCE,
            "attended": True,
        }
        for number in range(options.seats)
    ]


class SeatProcess:
    """A running seat: its process, and the JSON lines that it writes, in a queue by their event."""

    def __init__(self, order: dict[str, Any], module: Sequence[str] = ("p2pkaboo.cli.seat_process",)) -> None:
        """`module`: what is run as a module, with its arguments."""
        self.order, self.module = order, tuple(module)
        self.said: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.start()

    def start(self, **changes: object) -> None:
        """Starts the process (again, with `changes` to its order)."""
        if changes and self.process.stdin is not None:
            self.process.stdin.close()
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-m", *self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for this program, which then ends its seats
        )
        self.tell({**self.order, **changes})
        self.reader = threading.Thread(target=self._read, args=(self.process,), daemon=True)
        self.reader.start()

    def tell(self, word: object) -> None:
        """One JSON line on its stdin. Raises ClickException if it has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(word).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise click.ClickException(f"the seat of {self.order['name']} has ended") from None

    def _read(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        try:
            with process.stdout:
                for line in process.stdout:
                    if line.endswith(b"\n"):  # a killed process may leave half a line
                        self.said.put(json.loads(line))
        finally:
            self.said.put(None)

    def wait_for(self, event: str, table: Sequence["SeatProcess"] = ()) -> dict[str, Any]:
        """The next word of this kind. Raises ClickException when the process ends without it, or another of `table`
        with an error: the others wait for that seat."""
        while True:
            try:
                said = self.said.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                for other in table:
                    other.check()
                continue
            if said is None:
                raise click.ClickException(f"the seat of {self.order['name']} ended without a word of its {event}")
            if said["event"] == event:
                return said

    def check(self) -> None:
        """Raises ClickException if the process has ended with an error."""
        code = self.process.poll()
        if code:
            raise click.ClickException(f"the seat of {self.order['name']} ended with an error (exit code {code})")

    def close(self) -> None:
        """Ends the process if it runs still."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        self.reader.join(5)
        if self.process.stdin is not None:
            with suppress(BrokenPipeError):  # what it was told last, and did not live to hear
                self.process.stdin.close()


def play_in_process(options: MatchOptions, folder: Path) -> list[dict[str, Any]]:
    """All seats on one event loop, each with its own profile, identity and links over the loopback address."""
    from p2pkaboo.cli.seat_process import SeatOrder, play_seat

    results: dict[int, dict[str, Any]] = {}

    async def run() -> None:
        invites = trio.Event()
        invite = ""

        def say(number: int, event: str, **fields: object) -> None:
            nonlocal invite
            if event == "invite":
                invite = str(fields["invite"])
                invites.set()
            elif event == "result":
                results[number] = fields

        async def seat(number: int, order: dict[str, Any]) -> None:
            if number:
                await invites.wait()
                order = {**order, "invite": invite}
            await play_seat(SeatOrder(**order), partial(say, number))

        async with trio.open_nursery() as nursery:
            for number, order in enumerate(seat_orders(options, folder)):
                nursery.start_soon(seat, number, order)

    trio.run(run)
    return [results[number] for number in sorted(results)]


def _print(document: dict[str, Any]) -> None:
    for number, row in enumerate(document["rounds"], 1):
        scores = ", ".join(str(score) for score in row["scores"])
        click.echo(f"round {number}: {scores}  ({row['end']}, audit {row['audit']}, {row['wall_s']} s)")
    click.echo(f"totals: {', '.join(map(str, document['totals']))}; winners: seats {document['winners']}")
    click.echo("valid" if document["valid"] else "NOT valid")
    if document["transcript"]:
        click.echo(f"transcript: {document['transcript']}")

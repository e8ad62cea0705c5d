"""`p2pkaboo bench`: what a deal and its parts cost, against the libsodium floor and against plain SRA, in one run."""

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import click

from p2pkaboo.cli.bench_deal import DealCost, bench_rules, deal_cost
from p2pkaboo.cli.bench_growth import growth
from p2pkaboo.cli.bench_parts import crypto_parts, loop_holds, operation_times, speed_up
from p2pkaboo.cli.bench_sra import PRIME, exponentiations, gmpy2_power, sra_on_all_cores
from p2pkaboo.cli.bench_text import bytes_lines, growth_lines, heading, part_line, rest_lines, sra_line
from p2pkaboo.cli.options import Whole

REPEATS: Final = 9
"""Deals of a size that are timed, by turns with their floors; the medians count."""

DEAL_GUESS_S: Final = 0.001
"""About what a deal takes, wall seconds for a card and a pair of seats on two cores: only for the time that is left."""

Say = Callable[[str], None]


class TimeLeft:
    """Guesses the rest of a run from what its jobs were thought to take and what those that are done have taken."""

    def __init__(self, guesses: Sequence[float], now: Callable[[], float] = time.perf_counter) -> None:
        """`guesses`: seconds for each job, in any one unit; `now`: seconds on some clock."""
        self._left, self._done, self._now, self._start = list(guesses), 0.0, now, now()

    def after(self) -> float:
        """One more job is done: seconds that are left."""
        self._done += self._left.pop(0)
        return sum(self._left) * (self._now() - self._start) / self._done


def measure_all(
    sizes: Sequence[tuple[int, int]], *, sra: bool, repeats: int = REPEATS, say: Say = lambda line: None
) -> dict[str, Any]:
    """Everything that `bench` prints. `sizes`: (seats, packs) of the deals; `say` gets each line of the table when it
    is measured, behind those of the sizes the time that is left."""
    operations = operation_times()
    say(heading())
    parts = [part.row() for part in crypto_parts(operations)]
    for part in parts:
        say(part_line(part))
    document: dict[str, Any] = {
        "operations_us": {kind: round(seconds * 1e6, 2) for kind, seconds in operations.items()},
        "parts": parts,
        "event_loop": loop_holds(),
        "two_threads": speed_up(),
        "bytes_by_kind": {},
    }
    for line in rest_lines(document):
        say(line)
    left = TimeLeft([_guess(seats, packs, sra, repeats) for seats, packs in sizes])
    costs, floors = [], []
    for seats, packs in sizes:
        deal = deal_cost(seats, packs, repeats)
        row = deal.row()
        document["parts"].append(row)
        document["bytes_by_kind"][f"{deal.seats} seats, {deal.cards} cards"] = deal.bytes_by_kind
        costs.append((deal.seats, deal.cards, deal.cpu_s * 1e3))
        floors.append((deal.seats, deal.cards, deal.floor_s * 1e3))
        line = part_line(row)
        if sra:
            say(line)
            document.setdefault("sra", []).append(_sra_row(deal, packs))
            line = sra_line(document["sra"][-1])
        seconds = left.after()
        say(f"{line}   (about {seconds / 60:.1f} min left)" if seconds else line)
    document["growth"] = growth(costs)
    document["growth_of_floor"] = growth(floors)
    for line in (*bytes_lines(document), *growth_lines(document)):
        say(line)
    return document


def _looks(packs: int) -> int:
    return bench_rules(packs).peek_count


def _working(seats: int, packs: int) -> int:
    """With one pack all seats do their part of the SRA deal; with more the first one does: each part is the same
    number of exponentiations, and all of them would take half an hour."""
    return seats if packs == 1 else 1


def _guess(seats: int, packs: int, sra: bool, repeats: int) -> float:
    cards = 54 * packs
    guess = (repeats + 1) * DEAL_GUESS_S * seats * seats * cards
    if sra:
        start = time.perf_counter()
        pow(3, PRIME // 5, PRIME)
        guess += (time.perf_counter() - start) * exponentiations(seats, cards, _looks(packs)) * _working(seats, packs)
    return guess


def _sra_row(deal: DealCost, packs: int) -> dict[str, Any]:
    looks, working = _looks(packs), _working(deal.seats, packs)
    plain = sra_on_all_cores(deal.seats, deal.cards, looks, fast=False, working=working)
    row = {
        "name": f"deal {deal.cards} cards, {deal.seats} seats",
        "seats_run": working,
        "exponentiations": exponentiations(deal.seats, deal.cards, looks),
        "sra_pow_ms": round(plain * 1e3, 1),
        "times_ours": round(plain / deal.cpu_s, 1),
    }
    if gmpy2_power() is not None:
        seconds = sra_on_all_cores(deal.seats, deal.cards, looks, fast=True, working=working)
        row |= {"sra_gmpy2_ms": round(seconds * 1e3, 1), "times_ours_gmpy2": round(seconds / deal.cpu_s, 1)}
    return row


@click.command("bench")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, the table on stderr.")
@click.option("--seats", "seats", multiple=True, type=Whole(2, 8), help="Sizes of table [default: 4].")
@click.option("--packs", "packs", multiple=True, type=Whole(1, 4), help="Packs of cards [default: 1].")
@click.option("--sra/--no-sra", default=False, help="The same deal with plain SRA, for comparison.")
def bench_command(as_json: bool, seats: tuple[int, ...], packs: tuple[int, ...], sra: bool) -> None:
    """Measure the deal and its parts on this machine."""
    sizes = [(count, pack) for pack in packs or (1,) for count in seats or (4,)]
    document = measure_all(sizes, sra=sra, say=lambda line: click.echo(line, err=as_json))
    if as_json:
        click.echo(json.dumps(document))

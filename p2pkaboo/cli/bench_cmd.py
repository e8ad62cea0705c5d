"""`p2pkaboo bench`: what a deal and its parts cost, against the libsodium floor and against plain SRA, in one run."""

import json
from typing import Any

import click

from p2pkaboo.cli.bench_deal import best_deal
from p2pkaboo.cli.bench_parts import crypto_parts, loop_holds, operation_times, speed_up
from p2pkaboo.cli.bench_sra import gmpy2_power, sra_deal


def measure_all(sizes: list[tuple[int, int]], *, sra: bool, repeats: int = 3) -> dict[str, Any]:
    """Everything that `bench` prints. `sizes`: (seats, packs) of the deals."""
    operations = operation_times()
    parts = [part.row() for part in crypto_parts(operations)]
    deals = [best_deal(seats, packs, operations, repeats) for seats, packs in sizes]
    document: dict[str, Any] = {
        "operations_us": {kind: round(seconds * 1e6, 2) for kind, seconds in operations.items()},
        "parts": parts + [deal.row() for deal in deals],
        "bytes_by_kind": {f"{deal.seats} seats, {deal.cards} cards": deal.bytes_by_kind for deal in deals},
        "event_loop": loop_holds(),
        "two_threads": speed_up(),
    }
    if sra:
        document["sra"] = [_sra_row(deal.seats, deal.cards, deal.cpu_s) for deal in deals]
    return document


def _sra_row(seats: int, cards: int, ours: float) -> dict[str, Any]:
    plain = sra_deal(seats, cards, 2)
    row = {
        "name": f"deal {cards} cards, {seats} seats",
        "sra_pow_ms": round(plain * 1e3, 1),
        "times_ours": round(plain / ours, 1),
    }
    fast = gmpy2_power()
    if fast is not None:
        seconds = sra_deal(seats, cards, 2, fast)
        row |= {"sra_gmpy2_ms": round(seconds * 1e3, 1), "times_ours_gmpy2": round(seconds / ours, 1)}
    return row


@click.command("bench")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
@click.option("--seats", "seats", multiple=True, type=click.IntRange(2, 8), help="Sizes of table [default: 4].")
@click.option("--packs", "packs", multiple=True, type=click.IntRange(1, 4), help="Packs of cards [default: 1].")
@click.option("--sra/--no-sra", default=False, help="The same deal with plain SRA, for comparison.")
def bench_command(as_json: bool, seats: tuple[int, ...], packs: tuple[int, ...], sra: bool) -> None:
    """Measure the deal and its parts on this machine."""
    sizes = [(count, pack) for count in seats or (4,) for pack in packs or (1,)]
    document = measure_all(sizes, sra=sra)
    click.echo(json.dumps(document) if as_json else bench_text(document))


def bench_text(document: dict[str, Any]) -> str:
    """The document as a table for people."""
    lines = [f"{'part':45} {'ms':>9} {'floor':>9} {'ratio':>7}"]
    for row in document["parts"]:
        wall = f"   {row['wall_s']} s wall" if "wall_s" in row else ""
        lines.append(f"{row['name']:45} {row['ms']:9.2f} {row['floor_ms']:9.2f} {row['ratio_to_floor']:7.3f}{wall}")
    lines.append(f"event loop held: p99.9 {document['event_loop']['p99.9_ms']} ms")
    lines.append(f"two threads: {document['two_threads']['ratio']} times as fast as one")
    lines += [
        f"SRA, {row['name']}: {row['sra_pow_ms']} ms, {row['times_ours']} times ours" for row in document.get("sra", [])
    ]
    return "\n".join(lines)

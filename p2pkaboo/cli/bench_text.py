"""The figures of `bench` as lines for people."""

from typing import Any


def heading() -> str:
    """Above the parts."""
    return f"{'part':45} {'ms':>9} {'floor':>9} {'ratio':>7}"


def part_line(row: dict[str, Any]) -> str:
    """A part or a deal, milliseconds of CPU beside the floor."""
    line = f"{row['name']:45} {row['ms']:9.2f} {row['floor_ms']:9.2f} {row['ratio_to_floor']:7.3f}"
    if "wall_s" not in row:
        return line
    quiet = f"{row['quiet_floor_ms']:.0f} ms ({row['ratio_to_quiet_floor']})"
    spread = f"{row['ratios'][0]:.2f} to {row['ratios'][-1]:.2f} in {len(row['ratios'])} deals"
    return f"{line}   {spread}; {row['wall_s']} s wall; floor of a quiet core {quiet}"


def rest_lines(document: dict[str, Any]) -> list[str]:
    """The event loop and the threads."""
    return [
        f"event loop held: p99.9 {document['event_loop']['p99.9_ms']} ms",
        f"two threads: {document['two_threads']['ratio']} times as fast as one",
    ]


def sra_line(row: dict[str, Any]) -> str:
    """Plain SRA beside a deal."""
    text = f"  SRA with pow {row['sra_pow_ms']:.0f} ms ({row['times_ours']} times ours)"
    if "sra_gmpy2_ms" in row:
        text += f", gmpy2 {row['sra_gmpy2_ms']:.0f} ms ({row['times_ours_gmpy2']} times)"
    return text + f", {row['exponentiations']} exponentiations a seat, {_done_by(row['seats_run'])}"


def _done_by(seats: int) -> str:
    return "one seat's part done" if seats == 1 else f"done by all {seats} seats"


def bytes_lines(document: dict[str, Any]) -> list[str]:
    """Bytes by message kind, a line for each size."""
    sizes: dict[str, dict[str, int]] = document["bytes_by_kind"]
    return ["bytes said by all seats together, by kind of message:"] + [
        f"  {size}: "
        + ", ".join(f"{kind} {count}" for kind, count in kinds.items())
        + f"; in all {sum(kinds.values())}"
        for size, kinds in sizes.items()
    ]


def growth_lines(document: dict[str, Any]) -> list[str]:
    """The straight lines through the deals, if enough sizes were measured: what they cost, and what libsodium does."""
    lines = []
    for title, rows in (("CPU", document["growth"]), ("the floor", document["growth_of_floor"])):
        lines += [f"{title} a seat grows by:"] * bool(rows)
        for row in rows:
            line = f"{row['ms']:.3f} ms a {row['per']}, {row['at_zero_ms']:.1f} ms at zero (R² {row['r2']:.5f})"
            lines.append(f"  {row['name']}: {line}")
    return lines

"""How the cost of a deal grows: straight lines through what was measured, and how well they fit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Line:
    """y = intercept + slope·x by least squares. `r2`: the share of y's variance that the line explains; 1 is exact."""

    slope: float
    intercept: float
    r2: float


def fit(points: Sequence[tuple[float, float]]) -> Line:
    """The line through (x, y); `ValueError` without two different x."""
    count = len(points)
    if len({x for x, _ in points}) < 2:
        raise ValueError("a line needs points at two places at least")
    mean_x, mean_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    intercept = mean_y - slope * mean_x
    spread = sum((y - mean_y) ** 2 for _, y in points)
    missed = sum((y - intercept - slope * x) ** 2 for x, y in points)
    return Line(slope, intercept, 1 - missed / spread if spread else 1.0)


def growth(costs: Iterable[tuple[int, int, float]]) -> list[dict[str, Any]]:
    """Lines through the deals measured, (seats, cards, CPU milliseconds a seat): one over the cards for each number of
    seats, one over the seats for each number of cards, and one over all sizes, x being seats times cards.

    A line needs three sizes: through two there always is one.
    """
    deals = list(costs)
    series: list[tuple[str, str, list[tuple[float, float]]]] = []
    for seats in sorted({seats for seats, _, _ in deals}):
        series.append((f"{seats} seats", "card", [(cards, ms) for s, cards, ms in deals if s == seats]))
    for cards in sorted({cards for _, cards, _ in deals}):
        series.append((f"{cards} cards", "seat", [(seats, ms) for seats, c, ms in deals if c == cards]))
    series.append(("all sizes", "seat and card", [(seats * cards, ms) for seats, cards, ms in deals]))
    return [_row(name, unit, fit(points)) for name, unit, points in series if len({x for x, _ in points}) > 2]


def _row(name: str, unit: str, line: Line) -> dict[str, Any]:
    return {
        "name": name,
        "per": unit,
        "ms": round(line.slope, 4),
        "at_zero_ms": round(line.intercept, 2),
        "r2": round(line.r2, 5),
    }

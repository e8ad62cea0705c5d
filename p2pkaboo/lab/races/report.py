"""The table of a simulation, as text and as plain data, and what the rule must hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Final

from p2pkaboo.lab.races.trial import ALWAYS_FIRST, NONE, Row, Share, gain, share

WAYS: Final = ("this rule", "host arrival", "set clocks")

FASTEST_AT_LEAST: Final = {"lan/4": 0.98, "wan/4": 0.91}
"""How often the truly fastest must win where nobody cheats."""

GAIN_AT_MOST: Final = {
    "lan/4": {
        "clock liar": 0.021,
        "share withheld 200 ms, lying": -0.23,
        "share withheld 0.9 late, lying": 0.01,
        "fake slow link, lying": 0.027,
        "lying witness": 0.022,
    },
    "wan/4": {
        "clock liar": 0.037,
        "share withheld 200 ms, lying": -0.19,
        "share withheld 0.9 late, lying": 0.031,
        "fake slow link, lying": 0.078,
        "lying witness": 0.046,
    },
}
"""Most that a cheat may gain, as a share of races: what a model of the rule gave in 20,000 races, and two points."""

Results = Mapping[str, Mapping[str, Sequence[Row]]]
"""Rows by place (`lan/4`) and cheat."""


def figures(results: Results) -> dict[str, dict[str, Share]]:
    """Every number of the table, by place and what it says."""
    table: dict[str, dict[str, Share]] = {}
    for place, cells in results.items():
        honest = cells[NONE]
        lines = table[place] = {}
        for at, way in enumerate(WAYS):
            lines[f"fastest wins, {way}"] = share([row.fastest[at] for row in honest])
        if place.endswith("/2"):
            for name in (NONE, ALWAYS_FIRST):
                lines[f"disputed, {name}"] = share([row.disputed for row in cells[name]])
            lines[f"wins, {ALWAYS_FIRST}"] = share([row.cheat[0] for row in cells[ALWAYS_FIRST]])
        else:
            lines["somebody left out for a late share"] = share([row.left_out for row in honest])
        for name, rows in cells.items():
            if name in (NONE, ALWAYS_FIRST):
                continue
            for at, way in enumerate(WAYS):
                lines[f"{name}, {way}"] = gain([row.cheat[at] for row in rows], [row.cheat[at] for row in honest])
    return table


def failures(results: Results) -> list[str]:
    """What the rule had to hold and did not, beyond what chance explains."""
    found = []
    for place, lines in figures(results).items():
        least = FASTEST_AT_LEAST.get(place)
        fastest = lines["fastest wins, this rule"]
        if least is not None and fastest.high < least:
            found.append(f"{place}: the fastest wins {_part(fastest)}, at least {least} is due")
        for name, most in GAIN_AT_MOST.get(place, {}).items():
            gained = lines[f"{name}, this rule"]
            if gained.low > most:
                found.append(f"{place}: {name} gains {_points(gained)} points, at most {most * 100:+.1f} are due")
    return found


def text(results: Results) -> Iterator[str]:
    """The table for people. Gains are points: how many more races of a hundred the cheat wins than honestly."""
    table = figures(results)
    for place, lines in table.items():
        races = len(results[place][NONE])
        kind, hosts = place.split("/")
        yield f"{kind.upper()}, {hosts} seats, {races} races a line"
        yield f"  {'':40}{WAYS[0]:>22}{WAYS[1]:>22}{WAYS[2]:>22}"
        yield _line("true fastest wins", [_part(lines[f"fastest wins, {way}"]) for way in WAYS])
        for name in results[place]:
            if name not in (NONE, ALWAYS_FIRST):
                yield _line(f"gain: {name}", [_points(lines[f"{name}, {way}"]) for way in WAYS])
        for name, figure in lines.items():
            if name.startswith(("disputed", "wins", "somebody")):
                yield _line(name, [_part(figure)])
        yield ""


def plain(results: Results) -> dict[str, object]:
    """The table for programs."""
    return {
        place: {"races": len(results[place][NONE]), **{name: asdict(figure) for name, figure in lines.items()}}
        for place, lines in figures(results).items()
    }


def _line(name: str, columns: Sequence[str]) -> str:
    return f"  {name:40}" + "".join(f"{column:>22}" for column in columns)


def _part(figure: Share) -> str:
    return f"{figure.value:.3f} ({figure.low:.3f}–{figure.high:.3f})"


def _points(figure: Share) -> str:
    return f"{figure.value * 100:+.1f} ({figure.low * 100:+.1f} … {figure.high * 100:+.1f})"

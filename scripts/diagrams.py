#!/usr/bin/env python3
"""Draws the step machine of the specification from the code's own table of it, and writes it where it belongs.

`python3 scripts/diagrams.py` puts the diagram, as Mermaid text, between `<!-- diagram: machine -->` and `<!-- end -->`
in `protocol/05-table.md`. `checks/spec_in_step.py` sees to it that it is there as it would be written.
"""

import re
import sys
from collections.abc import Iterable, Iterator

import environment

from p2pkaboo.replica.machine import BEGIN, LANES, MACHINE, OVER, Row

PLACE = "05-table.md"
MARKED = re.compile(r"(?<=<!-- diagram: machine -->\n).*?(?=<!-- end -->)", re.DOTALL)


def state(line: str, name: str) -> str:
    """The diagram's word for a state; lanes are one state with the two lines inside."""
    if name in (BEGIN, OVER):
        return "[*]"
    if name == LANES:
        return LANES
    return f"{line}_{re.sub(r'[^A-Za-z0-9]', '_', name)}"


def arrows(rows: Iterable[Row]) -> Iterator[str]:
    """The names and the transitions of one line."""
    rows = tuple(rows)
    for row in rows:
        word = state(row.line, row.name)
        if word not in ("[*]", LANES):
            yield f'state "{row.name}" as {word}'
    for row in rows:
        yield from (f"{state(row.line, row.name)} --> {state(row.line, then)}" for then in row.then)


def machine() -> str:
    """The whole machine as a Mermaid state diagram."""
    main, draw, window = (tuple(row for row in MACHINE if row.line == line) for line in ("m", "d", "w"))
    lines = ["```mermaid", "stateDiagram-v2"]
    lines += [f"    {arrow}" for arrow in arrows(main)]
    lines += [f"    state {LANES} {{", *(f"        {arrow}" for arrow in arrows(draw)), "        --"]
    lines += [*(f"        {arrow}" for arrow in arrows(window)), "    }", "```"]
    return "\n".join(lines) + "\n"


def placed(text: str) -> str:
    """The file's text with the diagram as it must be. Raises ValueError if its place is not marked."""
    if not MARKED.search(text):
        raise ValueError(f"{PLACE} has no place marked for the diagram")
    return MARKED.sub(lambda _: f"\n{machine()}\n", text)


def main() -> None:
    path = environment.ROOT / "protocol" / PLACE
    text = path.read_text("utf-8")
    try:
        after = placed(text)
    except ValueError as error:
        sys.exit(f"diagrams: {error}")
    path.write_text(after, "utf-8")
    print(f"diagrams: protocol/{PLACE} " + ("is as it was" if after == text else "is rewritten"))


if __name__ == "__main__":
    main()

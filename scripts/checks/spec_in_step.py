"""The specification says what the code does: its tables, its diagram and the schemas of messages are those of the code.

What stands in the tables of `protocol/*.md` is told by `spec_tables.py`; every table there must be in its file and
every marked table of a file must be known. Rows missing here or there, and cells that differ, are problems.
"""

import json
import pathlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import diagrams
import environment
import schemas
import spec_tables
from spec_tables import Table

from p2pkaboo.audit.verdicts import VALID, VERDICTS
from p2pkaboo.rules.scenario_moves import _FIELDS as SCENARIO_FIELDS

MARKED = re.compile(r"<!-- table: ([^>]+?) -->\n(.*?)<!-- end -->", re.DOTALL)


def run() -> list[str]:
    folder = environment.ROOT / "protocol"
    return [*check_tables(folder), *check_diagram(folder), *check_schemas(folder)]


def check_tables(folder: pathlib.Path) -> list[str]:
    """Problems of all marked tables of the specification in `folder`."""
    problems = []
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.md")):
        for name, text in MARKED.findall(path.read_text("utf-8")):
            if name not in spec_tables.TABLES:
                problems.append(f"{path.name}: table {name!r}: the code knows none of that name")
            elif name in found:
                problems.append(f"{path.name}: table {name!r}: stands in {found[name]} too")
            else:
                found[name] = path.name
                wanted = spec_tables.TABLES[name][1]()
                problems += [f"{path.name}: table {name!r}: {problem}" for problem in compare(parse(text), wanted)]
    for name, (file, _) in spec_tables.TABLES.items():
        if found.get(name) != file:
            problems.append(f"{file}: table {name!r} is missing")
    return problems


def parse(text: str) -> list[list[str]]:
    """The rows of a Markdown table, the first of them its heads."""
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for at, row in enumerate(rows) if at != 1]


def compare(written: list[list[str]], wanted: Table) -> Iterator[str]:
    """What differs between a table as written and the columns and rows that the code gives."""
    width = len(wanted.columns)
    if not written or tuple(written[0][:width]) != wanted.columns:
        yield f"its first columns are not {', '.join(wanted.columns)}"
        return
    for row in written[1:]:
        if len(row) != len(written[0]):
            yield f"a row has {len(row)} cells, not {len(written[0])}: {' | '.join(row)}"
    rows = [tuple(row[:width]) for row in written[1:]]
    missing = [row for row in wanted.rows if row not in rows]
    surplus = [row for row in rows if row not in wanted.rows]
    yield from (f"lacks the row {' | '.join(row)}" for row in missing)
    yield from (f"has a row that the code does not: {' | '.join(row)}" for row in surplus)
    if not missing and not surplus and rows != list(wanted.rows):
        yield "its rows are in another order, or stand there twice"


def check_diagram(folder: pathlib.Path) -> list[str]:
    """Whether the diagram is as the script would write it."""
    text = (folder / diagrams.PLACE).read_text("utf-8")
    try:
        right = diagrams.placed(text) == text
    except ValueError as error:
        return [str(error)]
    return [] if right else [f"{diagrams.PLACE}: the diagram is not that of the code; run scripts/diagrams.py"]


def check_schemas(folder: pathlib.Path) -> list[str]:
    """Whether the schemas that come from the code are as the script would write them, and all are JSON."""
    problems = []
    for name, schema in schemas.from_code().items():
        path = folder / "schemas" / name
        if not path.is_file() or path.read_text("utf-8") != schemas.text_of(schema):
            problems.append(f"schemas/{name}: is not that of the code; run scripts/schemas.py")
    loaded = {}
    for path in sorted((folder / "schemas").glob("*.json")):
        try:
            loaded[path.name] = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            problems.append(f"schemas/{path.name}: not JSON: {error}")
    return problems or list(check_written(loaded))


def check_written(schemas_by_name: Mapping[str, Any]) -> Iterator[str]:
    """What differs between the schemas written by hand and the lists of the code that they hold."""
    verdicts = schemas_by_name["audit.json"]["properties"]["verdict"]["enum"]
    classes = schemas_by_name["vectors.json"]["properties"]["vectors"]["items"]["properties"]["class"]["anyOf"][0][
        "enum"
    ]
    events = schemas_by_name["run-result.json"]["$defs"]["event"]["oneOf"]
    moves = schemas_by_name["scenario.json"]["$defs"]["move"]["oneOf"]
    found: dict[str, tuple[set[Any], set[Any]]] = {
        "audit.json: verdicts": (set(verdicts), set(VERDICTS)),
        "vectors.json: classes": (set(classes), set(VERDICTS) - {VALID}),
        "run-result.json: events": (
            {
                (event["properties"]["type"]["const"], *sorted(event["properties"].keys() - {"type"}))
                for event in events
            },
            {
                (name.strip("`"), *sorted(set(fields.split(", "))))
                for name, fields in spec_tables.scenario_events().rows
            },
        ),
        "scenario.json: moves": (
            {(move["properties"]["do"]["const"], *sorted(move["required"])) for move in moves},
            {(do, *sorted({"seat", "do", *must})) for do, (must, _) in SCENARIO_FIELDS.items()},
        ),
    }
    for where, (here, there) in found.items():
        if here != there:
            yield f"schemas/{where} differ from those of the code: {sorted(map(str, here ^ there))}"

#!/usr/bin/env python3
"""Writes the test vectors and golden transcripts of the specification, and the numbers of the worked example.

    .venv/bin/python scripts/vectors.py [--check]

All of it is made from seeds by the package itself, so that it changes only when the package does. It writes
`protocol/vectors/`, `protocol/transcripts/` and the marked blocks of `docs/reference/vectors.md`. With `--check` it
writes nothing and says what would change; exit code 1 if anything would.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import environment
from vector_areas import (
    audits,
    claims,
    encodings,
    envelopes,
    groups,
    heads,
    linkframes,
    proofs,
    races,
    shuffles,
    signatures,
    splits,
    steps,
    worked,
)
from vector_areas.form import Area
from vector_areas.tampered import goldens

VECTORS: Final = "protocol/vectors"
TRANSCRIPTS: Final = "protocol/transcripts"
PAGE: Final = "docs/reference/vectors.md"
MARKED: Final = re.compile(r"(<!-- worked: ([a-z]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def areas() -> Iterator[Area]:
    """Every area of vectors."""
    yield encodings.area()
    yield from (groups.group(), groups.hashing(), groups.masks())
    yield from proofs.areas()
    yield claims.area()
    yield shuffles.area()
    yield from splits.areas()
    yield from (
        signatures.area(),
        envelopes.area(),
        linkframes.area(),
        heads.area(),
        steps.area(),
        races.area(),
        audits.area(),
    )


def generated() -> dict[str, bytes]:
    """Every file by its path below the project: what it must hold."""
    files = {f"{VECTORS}/{area.name}.json": area.text().encode() for area in areas()}
    files |= {f"{TRANSCRIPTS}/{golden.file}": golden.data for golden in goldens()}
    files[f"{TRANSCRIPTS}/manifest.json"] = audits.manifest().encode()
    page = environment.ROOT / PAGE
    files[PAGE] = filled(page.read_text("utf-8"), worked.blocks()).encode()
    return files


def filled(text: str, blocks: Mapping[str, str]) -> str:
    """The page with its marked blocks as they must be. ValueError for a block that is missing or not known."""
    names = [found[2] for found in MARKED.finditer(text)]
    if sorted(names) != sorted(blocks):
        raise ValueError(f"{PAGE}: has the blocks {', '.join(names)}; there should be {', '.join(blocks)}")
    return MARKED.sub(lambda found: f"{found[1]}\n```text\n{blocks[found[2]]}\n```\n\n{found[4]}", text)


def drift(root: Path) -> list[str]:
    """What is not as it would be written, a line each."""
    files = generated()
    problems = []
    for name, data in files.items():
        path = root / name
        if not path.is_file():
            problems.append(f"{name}: is missing; run scripts/vectors.py")
        elif path.read_bytes() != data:
            problems.append(f"{name}: is not what the code gives; run scripts/vectors.py")
    for folder in (VECTORS, TRANSCRIPTS):
        for path in sorted((root / folder).glob("*")):
            name = f"{folder}/{path.name}"
            if name not in files:
                problems.append(f"{name}: nothing writes this file")
    return problems


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes test vectors and golden transcripts.")
    parser.add_argument("--check", action="store_true", help="write nothing, say what would change")
    if parser.parse_args().check:
        problems = drift(environment.ROOT)
        sys.exit("\n".join(f"vectors: {problem}" for problem in problems) if problems else 0)
    changed = 0
    for name, data in generated().items():
        path = environment.ROOT / name
        if path.is_file() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        changed += 1
        print(f"vectors: {name} ({len(data)} bytes)")
    print(f"vectors: {changed} files changed")


if __name__ == "__main__":
    main()

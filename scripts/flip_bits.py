#!/usr/bin/env python3
"""Flips random bits of a valid transcript, one at a time, and audits each copy: every flip must be reported.

    python scripts/flip_bits.py FILE [--flips 500] [--seed 1]

Prints how many were caught, by verdict. Exit code 0: all; 1: at least one was not (its bit is printed); 2: the file is
not valid to begin with. By hand: an audit of a long match takes seconds, and this makes hundreds.
"""

import argparse
import collections
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from p2pkaboo.audit.auditor import audit_file


def flipped(data: bytes, bit: int) -> bytes:
    """The same bytes but for one bit (0 is the lowest of the first byte)."""
    at, mask = bit // 8, 1 << bit % 8
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


def survivors(data: bytes, flips: int, seed: int) -> tuple[collections.Counter[str], list[int]]:
    """Verdicts on `flips` damaged copies, and the bits whose flip nobody noticed."""
    chosen = random.Random(seed).sample(range(len(data) * 8), min(flips, len(data) * 8))
    verdicts: collections.Counter[str] = collections.Counter()
    unnoticed = []
    for bit in chosen:
        report = audit_file(flipped(data, bit))
        verdicts[report.verdict] += 1
        if report.valid:
            unnoticed.append(bit)
    return verdicts, unnoticed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--flips", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data = options.file.read_bytes()
    before = audit_file(data)
    if not before.valid:
        print(f"flip_bits: {options.file} is not valid itself: {before.verdict}: {before.reason}", file=sys.stderr)
        sys.exit(2)
    verdicts, unnoticed = survivors(data, options.flips, options.seed)
    total = sum(verdicts.values())
    print(f"{total - len(unnoticed)} of {total} flips caught: {dict(verdicts.most_common())}")
    for bit in unnoticed:
        print(f"bit {bit} (byte {bit // 8}) can be flipped without anybody noticing")
    sys.exit(1 if unnoticed else 0)


if __name__ == "__main__":
    main()

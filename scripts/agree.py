#!/usr/bin/env python3
"""Whether the two verifiers agree: `p2pkaboo audit` and `protocol/verify.py` on the same files.

    python3 scripts/agree.py [--count 300] [--seed 1] [--keep DIR] [FILE …]

The files are the golden transcripts, files named, tables made by `forge.py` under each preset and under rulesets put
together at random (all seats play at random; in most of them one message is tampered with and signed anew), and
copies of all these that somebody without keys has changed. Compared are the documents of `--json` without the
sentence. Prints one line a disagreement; exit code 1 if there is one about the class.
"""

import argparse
import collections
import random
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "protocol")]

from forge import Forge  # noqa: E402
from forge_tamper import TAMPERS  # noqa: E402

from p2pkaboo.audit.auditor import audit_file  # noqa: E402
from p2pkaboo.audit.report import report_json  # noqa: E402
from verifier.encoding import BadEncoding, Value, be4, decode, encode  # noqa: E402
from verifier.ruleset import Rules, fault, names  # noqa: E402
from verifier.transcript import MAGIC, verify  # noqa: E402

HEADER = MAGIC + b"\x01\x0a"
PRESETS = ("sheffield", "cabo-standard", "cabo-guide", "kabbu", "cabo-online")
SMALL = (
    "2C",
    "3C",
    "4C",
    "5C",
    "6C",
    "7C",
    "8C",
    "9C",
    "2D",
    "3D",
    "4D",
    "5D",
    "6D",
    "2H",
    "3H",
    "4H",
    "5H",
    "6H",
    "7H",
)

# Other values to try; what contradicts the rest is drawn anew.
VARIATIONS: dict[str, tuple[Value, ...]] = {
    "deal.cards": (1, 2, 3, 4, 5),
    "deal.opening": (True, False),
    "peek.count": (0, 1, 2),
    "peek.choice": (True, False),
    "turn.take": (True, False),
    "turn.by_rank": (True, False),
    "power.7": ("none", "peek", "spy", "swap", "look-swap", "look-two-swap"),
    "power.9": ("none", "peek", "spy", "swap", "look-swap", "look-two-swap"),
    "power.J": ("none", "peek", "spy", "swap", "look-swap", "look-two-swap"),
    "power.Q": ("none", "swap", "look-swap", "look-two-swap"),
    "power.KB": ("none", "peek", "look-swap", "look-two-swap"),
    "power.on": ("discard", "draw"),
    "power.skip": (True, False),
    "power.decline": (True, False),
    "power.displaced": (True, False),
    "power.swap_any": (True, False),
    "multi.max": (0, 1, 2, 4),
    "multi.fail": ("keep", "discard", "keep-end"),
    "multi.unseen_from": (0, 2, 3),
    "match.by": ("rank", "value"),
    "snap": ("off", "any", "any", "own-then-others", "own-then-others"),
    "snap.limit": ("first", "all"),
    "snap.gift": ("may", "must"),
    "snap.wrong_cards": (0, 1, 2, 3),
    "snap.wrong_points": (0, 10),
    "snap.exposure_ms": (0, 50, 200, 2500),
    "call.final_turns": (True, False),
    "call.after_turns": (0, 0, 1),
    "call.threshold": (-1, -1, 5, 20),
    "caller.protect": ([], ["swap"], ["spy"], ["snap", "swap", "spy"]),
    "caller.snaps": (True, False),
    "stock.empty": ("reshuffle", "reshuffle", "end", "stay"),
    "score.lowest_zero": (True, False),
    "score.call_won": ("total", "zero"),
    "score.call_won_adjust": (0, -5),
    "score.caller_tie": ("fails", "wins"),
    "special.award": ("off", 50, "half-target"),
    "match.rounds": (1, 2, 2),
    "match.target": (0, 40, 100),
    "match.when": ("over", "reached"),
    "reset.at": (0, 40),
    "reset.to": (20,),
}


class Case(NamedTuple):
    name: str
    data: bytes


# ---------------------------------------------------------------------------------------------------------------
# Rulesets, read from the tables of the specification


def _value(cell: str) -> Value:
    cell = cell.strip().strip("`")
    if cell.startswith("["):
        return [word.strip() for word in cell[1:-1].split(",") if word.strip()]
    if cell in ("true", "false"):
        return cell == "true"
    return int(cell) if re.fullmatch(r"-?\d+", cell) else cell


def _table(text: str, name: str) -> list[list[str]]:
    section = text.split(f"<!-- table: {name} -->")[1].split("<!-- end -->")[0]
    rows = [line.strip().strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows if not row[0].startswith("-")]


def presets() -> dict[str, Rules]:
    """The five presets of 08-rules.md."""
    text = (ROOT / "protocol" / "08-rules.md").read_text(encoding="utf-8")
    defaults: Rules = {row[0].strip("`"): _value(row[2]) for row in _table(text, "ruleset keys")[1:]}
    head, *rows = _table(text, "presets")
    return {
        name: {"name": name, **defaults, **{row[0].strip("`"): _value(row[column]) for row in rows}}
        for column, name in enumerate(head)
        if name in PRESETS
    }


def rules_for(rng: random.Random, known: dict[str, Rules], wild: bool) -> Rules:
    """A preset with a small deck and short rounds; where `wild`, some other keys changed at random."""
    while True:
        rules = dict(known[rng.choice(PRESETS)])
        rules["deck.remove"] = [*sorted({*names(rules, "deck.remove"), *SMALL})]
        rules |= {"players.max": 4, "match.rounds": rng.choice([1, 1, 2]), "snap.exposure_ms": 200}
        if wild:
            rules["name"] = "wild"
            for key in rng.sample(sorted(VARIATIONS), rng.randrange(1, 14)):
                rules[key] = rng.choice(VARIATIONS[key])
        if fault(rules) is None:
            return rules


def forged(rng: random.Random, known: dict[str, Rules], number: int) -> Case:
    """A table that plays at random; three of four are tampered with at one message."""
    seed = rng.randrange(1 << 32)
    wild = rng.random() < 0.7
    forge = Forge(rules_for(rng, known, wild), rng.choice([2, 2, 2, 3, 3, 4]), seed)
    forge.snaps, forge.calls = rng.choice([0.05, 0.2, 0.5]), rng.choice([0.02, 0.1])
    forge.longest = rng.choice([10, 25, 40])
    what = "honest"
    if number % 4:
        forge.tamper = tamper = rng.choice(TAMPERS)
        forge.tamper_at = int(rng.choice([4, 20, 60, 120, 200]) * rng.random()) + 1
        forge.honest_after = rng.random() < 0.3
        what = f"{tamper.__name__} at {forge.tamper_at}"
    return Case(f"forged {number} (seed {seed}, {forge.rules['name']!r}, {forge.seats} seats): {what}", forge.run())


# ---------------------------------------------------------------------------------------------------------------
# Changes without keys


def split(data: bytes) -> list[bytes]:
    """The records of a file, the footer last."""
    rows, at = [], len(HEADER)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        rows.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return rows


def joined(rows: list[bytes]) -> bytes:
    return HEADER + b"".join(be4(len(row)) + row for row in rows)


def recounted(rows: list[bytes]) -> bytes:
    """The file with a footer that counts its envelopes; what ends in no footer is left as it is.

    Files that are changed here may have been damaged before: some golden transcripts are.
    """
    try:
        footer = decode(rows[-1])
    except BadEncoding:
        return joined(rows)
    if not isinstance(footer, list) or len(footer) != 3:
        return joined(rows)
    return joined([*rows[:-1], encode(["end", len(rows) - 1, footer[2]])])


def _changed_value(rng: random.Random, record: bytes) -> bytes:
    """A record with one number in it changed, the signature left as it was: a changed score, for one.

    A record without numbers, or one that does not decode, stays as it is.
    """
    try:
        value = decode(record)
    except BadEncoding:
        return record
    leaves: list[tuple[list[Value], int]] = []

    def collect(row: list[Value]) -> None:
        for place, item in enumerate(row):
            if isinstance(item, list):
                collect(item)
            elif isinstance(item, int):
                leaves.append((row, place))

    whole = [value]
    collect(whole)
    if not leaves:
        return record
    row, place = rng.choice(leaves)
    number = row[place]
    row[place] = not number if isinstance(number, bool) else int(str(number)) + rng.choice([-1, 1])
    try:
        return encode(whole[0])
    except BadEncoding:
        return record


def changed(rng: random.Random, case: Case, foreign: Case) -> Case:
    """A copy that somebody without keys has changed."""
    rows = split(case.data)
    if len(rows) < 2:  # no record that could be dropped, moved or repeated
        return Case(f"{case.name}; then one more byte", case.data + b"\x00")
    last = len(rows) - 1
    i, j = rng.randrange(last), rng.randrange(last)
    how = rng.choice(
        ["flip", "flip", "flip", "drop", "swap", "repeat", "foreign", "cut", "value", "value", "move", "tail"]
    )
    if how == "flip":
        at = rng.randrange(len(case.data)) if rng.random() < 0.7 else rng.randrange(min(60, len(case.data)))
        data = case.data[:at] + bytes([case.data[at] ^ 1 << rng.randrange(8)]) + case.data[at + 1 :]
    elif how == "drop":
        data = recounted(rows[:i] + rows[i + 1 :])
    elif how == "swap":
        j = min(last - 1, i + 1) if rng.random() < 0.5 else j
        rows[i], rows[j] = rows[j], rows[i]
        data = joined(rows)
    elif how == "repeat":
        data = recounted([*rows[:j], rows[i], *rows[j:]])
    elif how == "foreign":
        other = split(foreign.data)
        data = recounted([*rows[:i], rng.choice(other[:-1] or [b""]), *rows[i:]])
    elif how == "cut":
        data = case.data[: rng.randrange(len(case.data))]
    elif how == "value":
        i = i if rng.random() < 0.6 else last - 1
        data = joined([*rows[:i], _changed_value(rng, rows[i]), *rows[i + 1 :]])
    elif how == "move":
        data = joined([*(row for place, row in enumerate(rows[:-1]) if place != i), rows[i], rows[-1]])
    else:
        ends = [recounted([*rows[:i], rows[-1]]), case.data + b"\x00", joined(rows[:-1]), recounted([*rows, rows[-1]])]
        ends += [HEADER, b"", joined([encode(["end", 0, bytes(64)])]), joined([*rows[:-1], rows[i], rows[-1]])]
        data = rng.choice(ends)
    return Case(f"{case.name}; then {how} (record {i})", data)


def cases(count: int, seed: int, files: list[Path], golden: bool = True) -> Iterator[Case]:
    """`count` transcripts, or as many as there are files if those are more."""
    rng, known = random.Random(seed), presets()
    kept = sorted((ROOT / "protocol" / "transcripts").rglob("*.kaboo")) if golden else []
    bases = [Case(path.name, path.read_bytes()) for path in [*kept, *files]]
    yield from bases
    made = len(bases)
    for number in range(1 << 30):
        if made >= count:
            return
        base = forged(rng, known, number)
        yield base
        made += 1
        bases.append(base)
        for _ in range(min(2, count - made)):
            yield changed(rng, rng.choice([base, rng.choice(bases)]), rng.choice(bases))
            made += 1


def documents(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the two say of a file: `verify.py`'s document and the audit's."""
    return verify(data).document(), report_json(audit_file(data))


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """The keys in which two documents differ; the sentence may always."""
    return [key for key in theirs if key != "reason" and ours.get(key) != theirs[key]]


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the two verifiers.")
    parser.add_argument("--count", type=int, default=300, help="how many transcripts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for transcripts on which they disagree")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="more transcripts")
    arguments = parser.parse_args()
    seen: collections.Counter[str] = collections.Counter()
    disagreements = 0
    begun = time.monotonic()
    for number, case in enumerate(cases(arguments.count, arguments.seed, arguments.files)):
        ours, theirs = documents(case.data)
        seen[theirs["verdict"]] += 1
        differing = differences(ours, theirs)
        if not differing:
            continue
        disagreements += "verdict" in differing
        print(f"{number}: {', '.join(differing)} differ: {case.name}")
        print(f"    verify: {ours}")
        print(f"    audit:  {theirs}", flush=True)
        if arguments.keep is not None:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            (arguments.keep / f"{arguments.seed}-{number}.kaboo").write_bytes(case.data)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in seen.most_common())
    print(
        f"{sum(seen.values())} transcripts, {disagreements} disagreements ({counts}; {time.monotonic() - begun:.0f} s)"
    )
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())

"""Any message of a match changed by its own author, in body, head or place: seen, and blamed on nobody else."""

import random
from collections.abc import Iterator

import pytest

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.wire.bodies import from_plain, to_plain
from p2pkaboo.wire.codec import DecodeError
from p2pkaboo.wire.envelope import Envelope, decode_envelope
from p2pkaboo.wire.slot import Slot
from tests.support.attacks import resign
from tests.support.tables import Node
from tests.support.transcripts import FormedTable, rows_of, small_rules, with_rows

Path = tuple[int, ...]
WORDS = ("draw", "take", "exchange", "discard", "peek", "spy", "swap", "skip", "call", "pass", "own", "other", "")


def _lists(value: object) -> object:
    return [_lists(item) for item in value] if isinstance(value, list | tuple) else value


def _leaves(value: object, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from _leaves(item, (*path, at))


def _other(value: object, rng: random.Random) -> object:
    match value:
        case list():
            return rng.choice([value[:-1], value + value[-1:], value[::-1]])
        case bool():
            return not value
        case int():
            return rng.choice([value + 1, value - 1, 0, 1 << 40, -value])
        case bytes() if value:
            at = rng.randrange(len(value))
            flipped = value[:at] + bytes([value[at] ^ (1 << rng.randrange(8))]) + value[at + 1 :]
            return rng.choice([bytes(len(value)), b"\xff" * len(value), value[:-1], flipped])
        case str():
            return rng.choice(WORDS)
        case _:
            return rng.choice([0, [1, 3], None, "right"])


def _mutated(node: Node, envelope: Envelope, other: Envelope, rng: random.Random) -> Envelope | None:
    """The same message but for one thing; None where the change gives nothing that decodes."""
    plain = _lists(to_plain(envelope.body))
    assert isinstance(plain, list)
    paths = list(_leaves(plain))
    try:
        match rng.choice(["body", "body", "body", "head", "slot", "kind"]) if paths else "head":
            case "body":
                path = rng.choice(paths)
                inner = plain
                for at in path[:-1]:
                    inner = inner[at]
                inner[path[-1]] = _other(inner[path[-1]], rng)
                return resign(node, envelope, body=from_plain(envelope.kind, plain))
            case "head":
                return resign(node, envelope, head=other.head)
            case "slot":
                lane = Slot(envelope.slot.number, rng.choice("dw"), rng.randrange(3))
                return resign(node, envelope, slot=rng.choice([lane, other.slot]))
            case _:
                return resign(node, envelope, kind=other.kind, body=other.body)
    except (ValueError, DecodeError):
        return None


@pytest.mark.parametrize("preset", ["sheffield", "kabbu"])
def test_a_changed_message_is_seen_and_nobody_else_blamed(preset: str) -> None:
    rng = random.Random(f"mutations of {preset}")
    table = FormedTable(small_rules(preset), 3, 7, snap_rate=0.5)
    table.run()
    data = table.transcript()
    rows = rows_of(data)
    tried = 0
    while tried < 30:
        at = rng.randrange(len(table.forming), len(rows))
        envelope = decode_envelope(rows[at])
        other = decode_envelope(rng.choice(rows[len(table.forming) :]))
        changed = _mutated(table.nodes[envelope.seat], envelope, other, rng)
        if changed is None or changed.data in rows:
            continue
        tried += 1
        places = [[*rows[:at], changed.data, *rows[at + 1 :]], [*rows[: at + 1], changed.data, *rows[at + 1 :]]]
        report = audit_file(with_rows(data, rng.choice(places)))
        assert not report.valid, (envelope.kind, str(envelope.slot), changed.kind, str(changed.slot))
        assert report.seat in (None, envelope.seat), report

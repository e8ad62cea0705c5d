"""What the tables of the specification must say, read from the code: rows of cells, by the table's name.

In `protocol/*.md` such a table stands between `<!-- table: NAME -->` and `<!-- end -->`. Its first columns are those
given here, in this order; further columns are prose. `checks/spec_in_step.py` compares the two.
"""

import dataclasses
import hashlib
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from p2pkaboo.audit.verdicts import VERDICTS
from p2pkaboo.crypto import elgamal, group, sigma
from p2pkaboo.crypto import tags as proof_tags
from p2pkaboo.crypto import transcript as transcript_of_proofs
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.membership import BRANCH_BYTES
from p2pkaboo.crypto.proofs import SCHNORR_BYTES
from p2pkaboo.crypto.sharing import ComplaintStatement, Part, RecoveryKeyStatement, SplitStatement
from p2pkaboo.crypto.shuffle_proof import ShuffleProof, ShuffleStatement
from p2pkaboo.replica import charter, examine
from p2pkaboo.replica.faults import FAULT_CODES
from p2pkaboo.replica.honoured import HONOURED
from p2pkaboo.replica.machine import MACHINE
from p2pkaboo.rules import events, keys, moves, snaps
from p2pkaboo.rules.keys import Key
from p2pkaboo.rules.keys import shown as shown_value
from p2pkaboo.rules.ruleset import KEYS, Ruleset, load_preset, preset_names, to_plain
from p2pkaboo.rules.scenario_moves import _FIELDS as SCENARIO_FIELDS
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire import bodies, frames, limits, transcript
from p2pkaboo.wire import tags as wire_tags
from p2pkaboo.wire.slot import LANES


@dataclass(frozen=True, slots=True)
class Table:
    """The columns that come from the code, and their rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def code(text: object) -> str:
    """A cell in code marks."""
    return f"`{text}`"


# ---------------------------------------------------------------- types of fields


_WORDS: Final = (
    (bodies.Handle, "handle"),
    (frames.Address, "address"),
    (bodies.Seat, "seat"),
    (bodies.Stamp, "stamp"),
    (bodies.Points, "points"),
)
_NAMED: Final = [(msgspec.inspect.type_info(kind), word) for kind, word in _WORDS]


def type_text(kind: Any) -> str:
    """A field's type in the words of the specification."""
    return _named(msgspec.inspect.type_info(kind))


def _named(info: msgspec.inspect.Type) -> str:
    return next((word for named, word in _NAMED if info == named), None) or _written(info)


def _written(info: msgspec.inspect.Type) -> str:
    match info:
        case msgspec.inspect.BytesType(low, high):
            return f"bytes {_span(low or 0, high)}"
        case msgspec.inspect.StrType(low, high):
            return f"text {_span(low or 0, high)}"
        case msgspec.inspect.BoolType():
            return "bool"
        case msgspec.inspect.NoneType():
            return "nil"
        case msgspec.inspect.AnyType() | msgspec.inspect.CustomType():
            return "value"
        case msgspec.inspect.IntType():
            low = info.ge if info.ge is not None else (info.gt or 0) + 1
            return f"int {low}…{info.le if info.le is not None else (info.lt or 0) - 1}"
        case msgspec.inspect.LiteralType(values):
            return " or ".join(f'"{value}"' for value in sorted(values, key=str))
        case msgspec.inspect.StructType(cls):
            return cls.__name__
        case msgspec.inspect.VarTupleType(item, low, high):
            return f"array {_span(low or 0, high)} of {_named(item)}"
        case msgspec.inspect.TupleType(items):
            return "(" + ", ".join(_named(item) for item in items) + ")"
        case msgspec.inspect.UnionType(parts):
            return " or ".join(sorted((_named(part) for part in parts), key=lambda text: (text == "nil", text)))
        case _:
            raise TypeError(f"the specification has no word for {info}")


def _span(low: int, high: int | None) -> str:
    return str(low) if low == high else f"{low}…{'' if high is None else high}"


def record(cls: type[msgspec.Struct], begin: int = 0) -> Table:
    """The fields of a positional record. `begin`: the number of the first."""
    hints = get_type_hints(cls, include_extras=True)
    rows = [(str(at), code(name), type_text(hints[name])) for at, name in enumerate(cls.__struct_fields__, begin)]
    return Table(("#", "field", "type"), tuple(rows))


# ---------------------------------------------------------------- the tables


def _constants(module: types.ModuleType, names: Iterable[str]) -> list[tuple[str, ...]]:
    return [(code(name), str(getattr(module, name))) for name in names]


def wire_limits() -> Table:
    names = [name for name, value in vars(limits).items() if name.isupper() and type(value) is int]
    return Table(("limit", "value"), tuple(_constants(limits, names)))


def other_limits() -> Table:
    rows = [
        *_constants(transcript, ("MAX_ENVELOPES", "MAX_FILE")),
        (code("MAX_MASKED_CARDS"), str(elgamal.MAX_MASKED_CARDS)),
        (code("MAX_CHOSEN"), str(moves.MAX_CHOSEN)),
        (code("MAX_HANDLE_NUMBER"), str(moves.MAX_INDEX)),
        (code("MAX_LIST"), str(keys.MAX_LIST)),
        (code("MAX_RULES_NAME"), str(keys.MAX_TEXT)),
        (code("MAX_ATTEMPTS"), str(snaps.MAX_ATTEMPTS)),
        (code("TICK_MS"), str(examine.TICK_MS)),
        (code("KNOWN_FLOOR_MS"), str(charter.KNOWN_FLOOR_MS)),
        (code("AUTO_LAN_US"), str(charter.AUTO_LAN_US)),
    ]
    return Table(("limit", "value"), tuple(rows))


def domain_tags() -> Table:
    registry = {**proof_tags.REGISTRY, **wire_tags.REGISTRY}
    if len(registry) != len(proof_tags.REGISTRY) + len(wire_tags.REGISTRY):
        raise ValueError("a tag's name is in both registries")
    return Table(
        ("name", "bytes (ASCII)"), tuple((code(n), code(t.value.decode("ascii"))) for n, t in registry.items())
    )


def lanes() -> Table:
    return Table(("code", "lane"), tuple((str(at), code(lane)) for at, lane in enumerate(LANES)))


def kinds() -> Table:
    return Table(("kind", "body"), tuple((code(kind), body.__name__) for kind, body in bodies.BODIES.items()))


def link_frames() -> Table:
    rows = []
    for number, frame in enumerate(frames.FRAMES):
        fields = [f"{name}: {kind}" for _, name, kind in record(frame).rows]
        rows.append((str(number), frame.__name__, "; ".join(fields).replace("`", "")))
    return Table(("type", "frame", "fields"), tuple(rows))


def machine() -> Table:
    rows = [(row.line, row.name, row.who or "–", ", ".join(row.then)) for row in MACHINE]
    return Table(("line", "step", "who", "then"), tuple(rows))


def race_numbers() -> Table:
    rows = [
        (code(name), str(race.cap), str(race.slack), str(race.late), str(race.floor))
        for name, race in charter.RACES.items()
    ]
    return Table(("preset", "cap", "slack", "late", "floor"), tuple(rows))


def verdicts() -> Table:
    rows = [(code(word), "live and file" if word in FAULT_CODES else "file") for word in VERDICTS]
    return Table(("class", "where"), tuple(rows))


def ruleset_keys() -> Table:
    default = to_plain(Ruleset("default"))
    rows = [(code(name), _allowed(key), code(shown_value(default[name]))) for name, key in KEYS.items()]
    return Table(("key", "allowed", "default"), tuple(rows))


def _allowed(key: Key) -> str:
    match key.kind:
        case "whole":
            return f"{key.low}…{key.high}"
        case "award":
            return f"off, half-target, {key.low}…{key.high}"
        case "flag":
            return "true, false"
        case "choice":
            return ", ".join(key.choices)
        case "list":
            return f"list of {', '.join(key.choices) or 'cards'}"


def honoured() -> Table:
    rows = [(code(key), ", ".join(row.values)) for key, row in HONOURED.items()]
    return Table(("key", "honoured"), tuple(rows))


def presets() -> Table:
    default = to_plain(Ruleset("default"))
    plain = [to_plain(load_preset(name)) for name in preset_names()]
    rows = []
    for key in KEYS:
        if any(rules[key] != default[key] for rules in plain):
            rows.append((code(key), *(code(shown_value(rules[key])) for rules in plain)))
    return Table(("key", *preset_names()), tuple(rows))


def move_encodings() -> Table:
    rows = []
    for cls, name in moves.NAMES.items():
        hints = get_type_hints(cls)
        fields = [f"{field.name}: {_move_type(hints[field.name])}" for field in dataclasses.fields(cls)]
        rows.append((code(name), "; ".join(fields)))
    return Table(("move", "fields after the name"), tuple(rows))


def _move_type(hint: Any) -> str:
    if hint == Handle:
        return "handle"
    if hint == tuple[Handle, ...]:
        return "array of handle"
    if get_origin(hint) is Literal:
        return " or ".join(f'"{word}"' for word in get_args(hint))
    if get_origin(hint) is types.UnionType or len(get_args(hint)) > 1:
        return " or ".join(_move_type(part) for part in get_args(hint))
    return {int: "seat", str: "text", type(None): "nil"}[hint]


def scenario_moves() -> Table:
    rows = [
        (code(do), ", ".join(map(code, must)) or "–", ", ".join(map(code, may)) or "–")
        for do, (must, may) in SCENARIO_FIELDS.items()
    ]
    return Table(("do", "must have", "may have"), tuple(rows))


def scenario_events() -> Table:
    rows = []
    for cls, name in events.NAMES.items():
        names = ["card" if field.name == "handle" else field.name for field in dataclasses.fields(cls)]
        rows.append((code(name), ", ".join(dict.fromkeys(names))))
    return Table(("type", "fields"), tuple(rows))


# ---------------------------------------------------------------- frames of the proofs


class _Recorder:
    """Stands in for SHA-512 and keeps what it is fed."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = data

    def update(self, data: bytes) -> None:
        self.data += data

    def copy(self) -> "_Recorder":
        return _Recorder(self.data)

    def digest(self) -> bytes:
        return hashlib.sha512(self.data).digest()


def proof_frames(statement: sigma.Statement, proof_bytes: int) -> Table:
    """The labels of the frames that verifying a statement absorbs, in order."""
    recorders: list[_Recorder] = []

    def recording(data: bytes = b"") -> _Recorder:
        recorders.append(_Recorder(data))
        return recorders[-1]

    one = group.encode_scalar(1)
    # A proof of a shuffle begins with points, which no scalar 1 encodes.
    points = group.G.encoded * 2 if isinstance(statement, ShuffleStatement) else b""
    genuine = transcript_of_proofs.__dict__["hashlib"]
    transcript_of_proofs.__dict__["hashlib"] = types.SimpleNamespace(sha512=recording)
    try:
        sigma.check(statement, points + one * ((proof_bytes - len(points)) // len(one)))
    finally:
        transcript_of_proofs.__dict__["hashlib"] = genuine
    proving = (recorder.data for recorder in recorders if b"proof-" in recorder.data[:100])
    rows = [(str(at), code(label)) for at, label in enumerate(_labels(next(proving)))]
    return Table(("#", "label"), tuple(rows))


def _labels(data: bytes) -> Iterator[str]:
    at = 0
    while at < len(data):
        end = at + 1 + data[at]
        yield data[at + 1 : end].decode("ascii")
        at = end + 4 + int.from_bytes(data[end : end + 4], "big")


def _statements() -> Mapping[str, tuple[sigma.Statement, int]]:
    """One statement of each kind with the length of its proof; none of them needs to be true."""
    g = group.G
    here = Context(bytes(64), 1, b"m1", 0)
    split = SplitStatement(here, g, g, (Part(1, g, g, 1),))
    card = elgamal.Ciphertext(g, g)
    return {
        "key": (sigma.KeyStatement(here, g), SCHNORR_BYTES),
        "blind": (sigma.BlindStatement(here, g, g + g), SCHNORR_BYTES),
        "share": (sigma.ShareStatement(here, g, g, g), SCHNORR_BYTES),
        "membership": (sigma.MembershipStatement(here, g, g, g + g, g, g, g, (0,)), BRANCH_BYTES),
        "shuffle": (ShuffleStatement(here, g, (card,), (card,)), ShuffleProof.size(1)),
        "recovery key": (RecoveryKeyStatement(here, g), SCHNORR_BYTES),
        "split": (split, SCHNORR_BYTES),
        "complaint": (ComplaintStatement(Context(bytes(64), 1, b"m1", 1), split, g), SCHNORR_BYTES),
    }


def _frames(name: str) -> Callable[[], Table]:
    return lambda: proof_frames(*_statements()[name])


RECORDS: Final = (bodies.Share, bodies.Ask, bodies.Measure, bodies.Lateness)
"""Records inside bodies."""


def _record(cls: type[msgspec.Struct]) -> Callable[[], Table]:
    return lambda: record(cls)


TABLES: Final[Mapping[str, tuple[str, Callable[[], Table]]]] = {
    "lanes": ("01-encoding.md", lanes),
    "wire limits": ("01-encoding.md", wire_limits),
    "other limits": ("01-encoding.md", other_limits),
    "domain tags": ("01-encoding.md", domain_tags),
    "link frames": ("01-encoding.md", link_frames),
    "record Held": ("01-encoding.md", _record(frames.Held)),
    **{f"frames {name}": ("02-crypto.md", _frames(name)) for name in _statements() if name != "shuffle"},
    "frames shuffle": ("03-shuffle.md", _frames("shuffle")),
    "kinds": ("04-messages.md", kinds),
    **{f"record {cls.__name__}": ("04-messages.md", _record(cls)) for cls in RECORDS},
    **{f"body {cls.__name__}": ("04-messages.md", _record(cls)) for cls in dict.fromkeys(bodies.BODIES.values())},
    "machine": ("05-table.md", machine),
    "race numbers": ("06-snap.md", race_numbers),
    "verdicts": ("07-audit.md", verdicts),
    "ruleset keys": ("08-rules.md", ruleset_keys),
    "honoured": ("08-rules.md", honoured),
    "presets": ("08-rules.md", presets),
    "moves": ("08-rules.md", move_encodings),
    "scenario moves": ("08-rules.md", scenario_moves),
    "scenario events": ("08-rules.md", scenario_events),
}
"""Every table: the file in which it stands, and what makes it."""


def markdown(table: Table) -> str:
    """The table as Markdown, its columns from the code only."""
    lines = ["| " + " | ".join(table.columns) + " |", "|" + "---|" * len(table.columns)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in table.rows)])

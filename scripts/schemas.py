#!/usr/bin/env python3
"""Writes the JSON Schemas that follow from the code: of messages, envelopes, link frames and rulesets.

`python3 scripts/schemas.py` writes them into `protocol/schemas/`. The others there are written by hand.
`checks/spec_in_step.py` sees to it that those of the code are as they would be written.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_type_hints

import environment
import msgspec

from p2pkaboo.rules.keys import MAX_LIST, MAX_TEXT, Key
from p2pkaboo.rules.ruleset import KEYS
from p2pkaboo.wire import bodies, frames, limits
from p2pkaboo.wire.envelope import VERSION
from p2pkaboo.wire.slot import LANES

Schema = dict[str, Any]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
HEX: Final = "^([0-9a-f]{2})*$"


def octets(low: int, high: int | None = None) -> Schema:
    """A byte string of `low` to `high` bytes (`high` None: of any length from `low`), as lower-case hexadecimal."""
    schema: Schema = {"type": "string", "pattern": HEX, "minLength": 2 * low}
    return schema if high is None else {**schema, "maxLength": 2 * high}


def whole(low: int, high: int) -> Schema:
    """An integer."""
    return {"type": "integer", "minimum": low, "maximum": high}


def positional(items: Sequence[Schema]) -> Schema:
    """An array of exactly these elements."""
    return {
        "type": "array",
        "prefixItems": list(items),
        "items": False,
        "minItems": len(items),
        "maxItems": len(items),
    }


def reference(name: str) -> Schema:
    """What `$defs` holds under that name."""
    return {"$ref": f"#/$defs/{name}"}


def of_type(info: msgspec.inspect.Type) -> Schema:
    """The schema of a field's type."""
    match info:
        case msgspec.inspect.BytesType(low, high):
            return octets(low or 0, high)
        case msgspec.inspect.StrType(low, high):
            return {"type": "string", "minLength": low or 0, "maxLength": limits.MAX_TEXT if high is None else high}
        case msgspec.inspect.BoolType():
            return {"type": "boolean"}
        case msgspec.inspect.NoneType():
            return {"type": "null"}
        case msgspec.inspect.AnyType() | msgspec.inspect.CustomType():
            return {}
        case msgspec.inspect.IntType():
            low = info.ge if info.ge is not None else (info.gt or 0) + 1
            return whole(low, info.le if info.le is not None else (info.lt or 0) - 1)
        case msgspec.inspect.LiteralType(values):
            return {"enum": sorted(values, key=str)}
        case msgspec.inspect.StructType(cls):
            return reference(cls.__name__)
        case msgspec.inspect.VarTupleType(item, low, high):
            return {"type": "array", "items": of_type(item), "minItems": low or 0, "maxItems": high}
        case msgspec.inspect.TupleType(items):
            return positional([of_type(item) for item in items])
        case msgspec.inspect.UnionType(parts):
            return {"anyOf": [of_type(part) for part in parts]}
        case _:
            raise TypeError(f"no schema for {info}")


def record(cls: type[msgspec.Struct]) -> Schema:
    """The schema of a positional record."""
    hints = get_type_hints(cls, include_extras=True)
    fields = cls.__struct_fields__
    items = [{"title": name, **of_type(msgspec.inspect.type_info(hints[name]))} for name in fields]
    return {"title": cls.__name__, **positional(items)}


def messages() -> Schema:
    """Kind and body of every message."""
    inside = (bodies.Share, bodies.Ask, bodies.Measure, bodies.Lateness)
    records: list[type[bodies.Body]] = [*inside, *dict.fromkeys(bodies.BODIES.values())]
    return {
        "$schema": DRAFT,
        "title": "kind and body of a message",
        "oneOf": [
            {
                "type": "object",
                "properties": {"kind": {"const": kind}, "body": reference(body.__name__)},
                "required": ["kind", "body"],
                "additionalProperties": False,
            }
            for kind, body in bodies.BODIES.items()
        ],
        "$defs": {cls.__name__: record(cls) for cls in records},
    }


def envelope() -> Schema:
    """The twelve elements of an envelope."""
    fields: Mapping[str, Schema] = {
        "version": {"const": VERSION},
        "table": octets(64, 64),
        "deal": whole(0, limits.MAX_DEAL),
        "number": whole(0, limits.MAX_NUMBER),
        "lane": whole(0, len(LANES) - 1),
        "index": whole(0, limits.MAX_INDEX),
        "seat": whole(0, limits.MAX_SEATS - 1),
        "head": octets(64, 64),
        "kind": {"enum": list(bodies.BODIES)},
        "elapsed": whole(0, limits.MAX_ELAPSED),
        "body": {"type": "array"},
        "signature": octets(64, 64),
    }
    items = [{"title": name, **schema} for name, schema in fields.items()]
    return {
        "$schema": DRAFT,
        "title": "an envelope; its body is that of its kind in messages.json",
        **positional(items),
    }


def link_frames() -> Schema:
    """The frames of a link."""
    choices = []
    for number, cls in enumerate(frames.FRAMES):
        fields = record(cls)
        choices.append({"title": cls.__name__, **positional([{"const": number}, *fields["prefixItems"]])})
    held = record(frames.Held)
    return {"$schema": DRAFT, "title": "a link frame", "oneOf": choices, "$defs": {"Held": held}}


def ruleset() -> Schema:
    """A whole ruleset, as the charter holds it."""
    properties: dict[str, Schema] = {"name": {"type": "string", "minLength": 1, "maxLength": MAX_TEXT}}
    properties |= {name: {**of_key(key), "description": key.says} for name, key in KEYS.items()}
    return {
        "$schema": DRAFT,
        "title": "a whole ruleset",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def of_key(key: Key) -> Schema:
    """The schema of a value of one key."""
    match key.kind:
        case "whole":
            return whole(key.low, key.high)
        case "flag":
            return {"type": "boolean"}
        case "choice":
            return {"enum": list(key.choices)}
        case "award":
            return {"anyOf": [{"enum": ["off", "half-target"]}, whole(key.low, key.high)]}
        case "list":
            words: Schema = {"enum": list(key.choices)} if key.choices else {"type": "string"}
            return {"type": "array", "items": words, "maxItems": MAX_LIST, "uniqueItems": True}


def from_code() -> dict[str, Schema]:
    """The schemas that the code gives, by file name."""
    return {
        "messages.json": messages(),
        "envelope.json": envelope(),
        "frames.json": link_frames(),
        "ruleset.json": ruleset(),
    }


def text_of(schema: Schema) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    folder = environment.ROOT / "protocol" / "schemas"
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in from_code().items():
        (folder / name).write_text(text_of(schema), "utf-8")
        print(f"schemas: protocol/schemas/{name}")


if __name__ == "__main__":
    main()

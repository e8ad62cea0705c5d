"""As much of JSON Schema (draft 2020-12) as the project's schemas use; an unknown word in a schema is an error."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

Schema = Mapping[str, Any]

TYPES: Final[dict[str, Callable[[object], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
NOTES: Final = {"$schema", "$defs", "title", "description"}


def problems(schema: Schema, value: object) -> list[str]:
    """What is wrong with the value by the schema; empty if nothing is."""
    return list(_Validator(schema).check(schema, value, "$"))


class _Validator:
    def __init__(self, root: Schema) -> None:
        self.root = root

    def check(self, schema: Schema | bool, value: object, at: str) -> Iterator[str]:
        if isinstance(schema, bool):
            if not schema:
                yield f"{at}: nothing may stand here"
            return
        for word, wanted in schema.items():
            if word in NOTES or (word in ("minProperties", "required", "properties") and not isinstance(value, dict)):
                continue
            method = getattr(self, "_" + word.lstrip("$"), None)
            if method is None:
                raise ValueError(f"{at}: the schema uses {word}, which this validator does not know")
            yield from method(schema, wanted, value, at)

    def holds(self, schema: Schema, value: object) -> bool:
        return not any(True for _ in self.check(schema, value, ""))

    def _ref(self, _: Schema, target: str, value: object, at: str) -> Iterator[str]:
        yield from self.check(self.root["$defs"][target.removeprefix("#/$defs/")], value, at)

    def _type(self, _: Schema, wanted: str, value: object, at: str) -> Iterator[str]:
        if not TYPES[wanted](value):
            yield f"{at}: {value!r:.60} is no {wanted}"

    def _const(self, _: Schema, wanted: object, value: object, at: str) -> Iterator[str]:
        if value != wanted or type(value) is not type(wanted):
            yield f"{at}: {value!r:.60} is not {wanted!r}"

    def _enum(self, _: Schema, wanted: list[object], value: object, at: str) -> Iterator[str]:
        if value not in wanted:
            yield f"{at}: {value!r:.60} is none of {wanted}"

    def _oneOf(self, _: Schema, choices: list[Schema], value: object, at: str) -> Iterator[str]:
        fitting = sum(self.holds(choice, value) for choice in choices)
        if fitting != 1:
            yield f"{at}: {value!r:.60} fits {fitting} of {len(choices)} forms"

    def _anyOf(self, _: Schema, choices: list[Schema], value: object, at: str) -> Iterator[str]:
        if not any(self.holds(choice, value) for choice in choices):
            yield f"{at}: {value!r:.60} fits none of {len(choices)} forms"

    def _prefixItems(self, _: Schema, schemas: list[Schema], value: object, at: str) -> Iterator[str]:
        if isinstance(value, list):
            for place, (schema, item) in enumerate(zip(schemas, value, strict=False)):
                yield from self.check(schema, item, f"{at}[{place}]")

    def _items(self, schema: Schema, wanted: Schema | bool, value: object, at: str) -> Iterator[str]:
        if isinstance(value, list):
            for place in range(len(schema.get("prefixItems", ())), len(value)):
                yield from self.check(wanted, value[place], f"{at}[{place}]")

    def _properties(self, _: Schema, wanted: Mapping[str, Schema], value: dict[str, object], at: str) -> Iterator[str]:
        for name in wanted.keys() & value.keys():
            yield from self.check(wanted[name], value[name], f"{at}.{name}")

    def _required(self, _: Schema, wanted: list[str], value: dict[str, object], at: str) -> Iterator[str]:
        yield from (f"{at}: lacks {name}" for name in wanted if name not in value)

    def _additionalProperties(self, schema: Schema, wanted: Schema | bool, value: object, at: str) -> Iterator[str]:
        if isinstance(value, dict):
            for name in value.keys() - schema.get("properties", {}).keys():
                yield from self.check(wanted, value[name], f"{at}.{name}")

    def _propertyNames(self, _: Schema, wanted: Schema, value: object, at: str) -> Iterator[str]:
        if isinstance(value, dict):
            for name in value:
                yield from self.check(wanted, name, f"{at} (name)")

    def _pattern(self, _: Schema, wanted: str, value: object, at: str) -> Iterator[str]:
        if isinstance(value, str) and not re.search(wanted, value):
            yield f"{at}: {value!r:.60} does not look like {wanted}"

    def _uniqueItems(self, _: Schema, wanted: bool, value: object, at: str) -> Iterator[str]:
        if wanted and isinstance(value, list) and len({repr(item) for item in value}) != len(value):
            yield f"{at}: something stands there twice"

    def _minimum(self, _: Schema, wanted: int, value: object, at: str) -> Iterator[str]:
        if isinstance(value, int | float) and value < wanted:
            yield f"{at}: {value} is below {wanted}"

    def _maximum(self, _: Schema, wanted: int, value: object, at: str) -> Iterator[str]:
        if isinstance(value, int | float) and value > wanted:
            yield f"{at}: {value} is above {wanted}"

    def _size(self, kind: type, least: int, most: float, value: object, at: str) -> Iterator[str]:
        if isinstance(value, kind) and not least <= len(value) <= most:  # type: ignore[arg-type]
            yield f"{at}: has {len(value)}, allowed is {least} to {most}"  # type: ignore[arg-type]

    def _minLength(self, _: Schema, wanted: int, value: object, at: str) -> Iterator[str]:
        yield from self._size(str, wanted, float("inf"), value, at)

    def _maxLength(self, _: Schema, wanted: int, value: object, at: str) -> Iterator[str]:
        yield from self._size(str, 0, wanted, value, at)

    def _minItems(self, _: Schema, wanted: int, value: object, at: str) -> Iterator[str]:
        yield from self._size(list, wanted, float("inf"), value, at)

    def _maxItems(self, _: Schema, wanted: int, value: object, at: str) -> Iterator[str]:
        yield from self._size(list, 0, wanted, value, at)

    def _minProperties(self, _: Schema, wanted: int, value: object, at: str) -> Iterator[str]:
        yield from self._size(dict, wanted, float("inf"), value, at)

    def _maxProperties(self, _: Schema, wanted: int, value: object, at: str) -> Iterator[str]:
        yield from self._size(dict, 0, wanted, value, at)

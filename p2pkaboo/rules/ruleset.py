"""Rulesets: every rule of a table as plain data, with presets, overrides and one clear error for whatever is wrong.

A ruleset is written whole into the table's charter and so signed by every seat; `to_plain`/`from_plain` is that form.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from .catalogue import ATTRIBUTES, KEYS, MAX_SEATS, Ruleset
from .consistency import contradiction
from .keys import MAX_TEXT, RulesError, Value, shown

__all__ = [
    "ATTRIBUTES",
    "KEYS",
    "MAX_SEATS",
    "Ruleset",
    "from_plain",
    "load",
    "load_file",
    "load_preset",
    "load_with",
    "overrides_of",
    "parse_set",
    "parse_toml",
    "preset_names",
    "preset_text",
    "to_plain",
    "with_overrides",
]

MAX_FILE: Final = 1 << 20
"""Bytes of a file of house rules: every key with a long comment makes a few thousand. What is larger is another file,
or one without an end."""


def preset_names() -> tuple[str, ...]:
    """The presets that come with the game; the first is the one played when nothing is said."""
    return ("sheffield", "cabo-standard", "cabo-guide", "kabbu", "cabo-online")


@lru_cache(maxsize=8)
def load_preset(name: str) -> Ruleset:
    """The preset of that name.

    Raises RulesError for an unknown one.
    """
    return parse_toml(preset_text(name), name)


def preset_text(name: str) -> str:
    """The file of a preset, with its comments: they say where each rule comes from.

    Raises RulesError for an unknown one.
    """
    if name not in preset_names():
        raise RulesError(f"no rules called {shown(name)}: there are {', '.join(preset_names())}")
    return (resources.files(__package__) / "presets" / f"{name}.toml").read_text(encoding="utf-8")


def load_file(path: str | Path) -> Ruleset:
    """The ruleset in a TOML file. `base` names a preset it starts from (else the defaults), `name` its own name.

    Raises RulesError, also when the file cannot be read.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
        if len(data) > MAX_FILE:
            raise RulesError(f"{path}: longer than {MAX_FILE} bytes, no file of rules is")
        # Some editors begin a text file with a mark of its byte order.
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise RulesError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise RulesError(f"{path}: not a text file in UTF-8") from None
    try:
        return parse_toml(text, path.stem[:MAX_TEXT])
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from None


def load(name_or_path: str) -> Ruleset:
    """A preset by its name, else the file of that path.

    Raises RulesError.
    """
    if name_or_path in preset_names():
        return load_preset(name_or_path)
    if "/" in name_or_path or "\\" in name_or_path or name_or_path.endswith(".toml") or Path(name_or_path).is_file():
        return load_file(name_or_path)
    return load_preset(name_or_path)


def parse_toml(text: str, name: str) -> Ruleset:
    """The ruleset that a TOML text holds; `name` if it does not name itself.

    Raises RulesError.
    """
    try:
        table = tomllib.loads(text)
    except (
        ValueError,
        RecursionError,
    ) as error:  # a TOMLDecodeError, a number of thousands of digits, a tower of lists
        raise RulesError(f"not TOML: {error}") from None
    own = table.pop("name", name)
    base = table.pop("base", None)
    if base is not None and not isinstance(base, str):
        raise RulesError(f"base = {shown(base)}: allowed is the name of a preset")
    start = Ruleset(_name(own)) if base is None else load_preset(base)
    return with_overrides(start, table, name=_name(own))


def with_overrides(rules: Ruleset, overrides: Mapping[str, object], *, name: str | None = None) -> Ruleset:
    """The same rules with some keys changed; contradictions are refused.

    Raises RulesError naming the key, its value and what is allowed.
    """
    values = {attribute: getattr(rules, attribute) for attribute in ATTRIBUTES.values()}
    for key, value in overrides.items():
        if key not in KEYS or _is_section(key, value):
            raise RulesError(_unknown(key, value))
        values[ATTRIBUTES[key]] = KEYS[key].check(value)
    changed = Ruleset(rules.name if name is None else name, **values)
    problem = contradiction(changed)
    if problem:
        raise RulesError(problem)
    return changed


def parse_set(text: str) -> tuple[str, Value]:
    """The key and value of `KEY=VALUE`, as typed after `--set`.

    Raises RulesError.
    """
    key, sign, value = text.partition("=")
    key = key.strip().strip('"')
    if not sign:
        raise RulesError(f"{shown(text)}: expected KEY=VALUE, such as snap.limit=all")
    if key not in KEYS:
        raise RulesError(_unknown(key, value))
    return key, KEYS[key].parse(value)


def load_with(name_or_path: str, settings: Iterable[str] = ()) -> Ruleset:
    """The rules that `--rules NAME|FILE` and several `--set KEY=VALUE` mean together; a later setting wins.

    Raises RulesError.
    """
    return with_overrides(load(name_or_path), dict(parse_set(setting) for setting in settings))


def overrides_of(rules: Ruleset) -> tuple[str, dict[str, Any]]:
    """The preset that `rules` are named after (else the first) and the keys, as plain data, in which they differ."""
    base = load_preset(rules.name if rules.name in preset_names() else preset_names()[0])
    mine, theirs = to_plain(rules), to_plain(base)
    return base.name, {key: mine[key] for key in KEYS if mine[key] != theirs[key]}


def to_plain(rules: Ruleset) -> dict[str, Any]:
    """The whole ruleset as plain data for the charter: `name` and every key, lists for tuples."""
    plain: dict[str, Any] = {"name": rules.name}
    for key, attribute in ATTRIBUTES.items():
        value = getattr(rules, attribute)
        plain[key] = list(value) if isinstance(value, tuple) else value
    return plain


def from_plain(plain: object) -> Ruleset:
    """The ruleset that `to_plain` gave: every key once, nothing else, no contradiction.

    Raises RulesError.
    """
    if not isinstance(plain, dict):
        raise RulesError("rules: expected a table of keys")
    missing = next((key for key in ("name", *KEYS) if key not in plain), None)
    if missing is not None:
        raise RulesError(f"{missing}: missing, a charter states every key")
    return with_overrides(Ruleset(_name(plain["name"])), {key: value for key, value in plain.items() if key != "name"})


_RANGES: Final = (
    (0x00, 0x1F),
    (0x7F, 0x9F),
    (0x061C, 0x061C),
    (0x200E, 0x200F),
    (0x2028, 0x202E),
    (0x2066, 0x2069),
    (0xD800, 0xDFFF),
)
_UNPRINTABLE: Final = frozenset(chr(code) for first, last in _RANGES for code in range(first, last + 1))
"""Controls, direction marks, line separators and halves of characters (there are some in JSON): what no name may hold.
A fixed list and not Python's `isprintable`, which changes with the version of Unicode: peers must agree on what is a
ruleset."""


def _name(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_TEXT or _UNPRINTABLE.intersection(value):
        raise RulesError(f"name = {shown(value)}: allowed is a text of 1 to {MAX_TEXT} characters")
    return value


def _is_section(key: object, value: object) -> bool:
    """Did somebody write `snap.limit` without quotes, which in TOML makes a table `snap`?"""
    return isinstance(value, Mapping) and any(name.startswith(f"{key}.") for name in KEYS)


def _unknown(key: object, value: object) -> str:
    if _is_section(key, value):
        return f'{key}: write the whole key in quotes, such as "{next(k for k in KEYS if k.startswith(f"{key}."))}" = …'
    near = [name for name in KEYS if str(key).lower() in (name.lower(), name.split(".")[-1].lower())]
    hint = f", did you mean {near[0]}?" if near else " (`p2pkaboo rules show sheffield` lists the keys)"
    return f"{shown(key)}: no such key{hint}"

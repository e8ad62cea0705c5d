"""What a key of a ruleset may hold: name, type, range, meaning, and the one error that a bad value gives.

A ruleset is data; this module is its grammar. `catalogue.py` holds the keys themselves.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

Value = int | bool | str | tuple[str, ...]
"""A value of a key in memory. Lists are tuples there and lists in files and on the wire."""

Kind = Literal["whole", "flag", "choice", "list", "award"]

MAX_LIST = 64
"""Entries in a list value: more than the cards anybody would take out of a deck, and a bound for decoders."""

MAX_TEXT = 64
"""Characters in the name of a ruleset: one line on a screen."""


MAX_SHOWN = 4 * MAX_TEXT
"""Characters of a value that are looked at to show it: white space among them may shrink."""


class RulesError(ValueError):
    """Rules are wrong. The message is one line and names the key, its value, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a ruleset.

    `name` is the key as written in files (`"snap.limit"`), `kind` its type, `low`/`high` the bounds of a whole number,
    `choices` the words allowed, `says` its meaning in half a line.
    """

    name: str
    kind: Kind
    says: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """What the key may hold, in words for an error message."""
        match self.kind:
            case "whole":
                return f"a whole number from {self.low} to {self.high}"
            case "flag":
                return "true or false"
            case "choice":
                return "one of " + ", ".join(self.choices)
            case "award":
                return f"off, half-target or a whole number from {self.low} to {self.high}"
            case "list":
                return "a list of " + (", ".join(self.choices) if self.choices else "cards such as KH")

    def check(self, value: object) -> Value:
        """The value if the key may hold it (lists become tuples).

        Raises RulesError otherwise.
        """
        if self.kind == "flag" and isinstance(value, bool):
            return value
        if self.kind in ("whole", "award") and type(value) is int and self.low <= value <= self.high:
            return value
        if self.kind == "award" and value in ("off", "half-target"):
            return str(value)
        if self.kind == "choice" and isinstance(value, str) and value in self.choices:
            return value
        if self.kind == "list" and isinstance(value, list | tuple) and len(value) <= MAX_LIST:
            words = tuple(word for word in value if isinstance(word, str))
            known = not self.choices or all(word in self.choices for word in words)
            if len(words) == len(value) and len(set(words)) == len(words) and known:
                return words
        raise self.refuse(value)

    def parse(self, text: str) -> Value:
        """The value that `text` (the right-hand side of KEY=VALUE) means for this key.

        Raises RulesError.
        """
        text = text.strip()
        if self.kind == "flag" and text in ("true", "false"):
            return text == "true"
        if self.kind in ("whole", "award"):
            try:
                return self.check(int(text))
            except ValueError:
                return self.check(text)
        if self.kind == "list":
            inner = text.removeprefix("[").removesuffix("]")
            return self.check([word.strip().strip("\"'") for word in inner.split(",") if word.strip()])
        return self.check(text)

    def refuse(self, value: object) -> RulesError:
        """The error for a value that this key may not hold."""
        return RulesError(f"{self.name} = {shown(value)}: allowed is {self.allowed}")


def shown(value: object) -> str:
    """A value as it would stand in a file, cut short: an error message is one line, and it is shown on a terminal,
    whoever has sent the value: what cannot be printed is not."""
    if value is None:
        return "null"  # only a JSON document holds one
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        text = "[" + ", ".join(map(str, value)) + "]" if isinstance(value, list | tuple) else str(value)
    except (ValueError, RecursionError):  # Python writes no number of thousands of digits, and no tower of lists
        return "a value too large to show"
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(text[:MAX_SHOWN].split()))
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


# The constructors below declare a field of `Ruleset`: its default, and as metadata the key it stands for.
# They return Any because `dataclasses.field` does so in effect: the field's annotation gives the type.


def whole(name: str, default: int, low: int, high: int, says: str) -> Any:
    """A whole-number key."""
    return field(default=default, metadata={"key": Key(name, "whole", says, low=low, high=high)})


def flag(name: str, default: bool, says: str) -> Any:
    """A true-or-false key."""
    return field(default=default, metadata={"key": Key(name, "flag", says)})


def choice(name: str, choices: str, says: str, default: str = "") -> Any:
    """A key that holds one of the words of `choices`; the first is the default unless one is given."""
    words = tuple(choices.split())
    return field(default=default or words[0], metadata={"key": Key(name, "choice", says, choices=words)})


def words(name: str, choices: str, says: str) -> Any:
    """A key that holds a list of different words, empty by default; `choices` empty means cards."""
    return field(default=(), metadata={"key": Key(name, "list", says, choices=tuple(choices.split()))})


def award(name: str, says: str) -> Any:
    """The key that holds `off`, `half-target` or points."""
    return field(default="off", metadata={"key": Key(name, "award", says, low=0, high=1000)})

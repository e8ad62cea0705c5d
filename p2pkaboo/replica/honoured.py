"""What a table of this version can honour of all that a ruleset may say.

A ruleset is data, and a file of house rules may hold every value of every key. A table must do what its charter says:
whatever opens or joins one asks here first, so that nobody signs a promise that is then not kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from p2pkaboo.rules.catalogue import KEYS, Ruleset
from p2pkaboo.rules.keys import RulesError, shown
from p2pkaboo.rules.ruleset import to_plain


@dataclass(frozen=True, slots=True)
class Honoured:
    """The values of a key that a table can be held to, and why the others are refused, as the end of a sentence."""

    values: tuple[str, ...]
    why: str


HONOURED: Final[Mapping[str, Honoured]] = {
    "on_forfeit": Honoured(("redeal",), "it cannot put a lost seat's key together"),
}
"""By key, where not all values that the rules know can be honoured (`protocol/08-rules.md`, section 1)."""


def choices_of(key: str) -> tuple[str, ...]:
    """The words that a table may choose from for this key; empty if it is no matter of words."""
    return HONOURED[key].values if key in HONOURED else KEYS[key].choices


def check_honoured(rules: Ruleset) -> None:
    """May a table be opened under these rules?

    Raises RulesError naming the key, its value, what is allowed and why.
    """
    plain = to_plain(rules)
    for key, honoured in HONOURED.items():
        if plain[key] not in honoured.values:
            allowed = " or ".join(honoured.values)
            raise RulesError(
                f"{key} = {shown(plain[key])}: a table of this version allows {allowed} only, because {honoured.why}"
            )

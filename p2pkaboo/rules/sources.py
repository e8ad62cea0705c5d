"""Where each key of a preset comes from: the comments of its file, read as data.

Above each key of a preset stands `# text:` with the words of the published rules, or `# house default:` with the
reason. `# text [name]:` quotes a rule that is the same in every ruleset and needs no key.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from .ruleset import KEYS, Ruleset, load_preset, preset_names, preset_text, to_plain

Origin = Literal["text", "default", "changed"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a key's value comes from: `text` (published, `words` quote it), `default` (chosen here, `words` say why),
    or `changed` at this table."""

    origin: Origin
    words: str = ""


@lru_cache(maxsize=8)
def preset_title(name: str) -> str:
    """One line on a preset: the first of its file.

    Raises RulesError for an unknown preset.
    """
    return preset_text(name).splitlines()[0].lstrip("# ")


@lru_cache(maxsize=8)
def preset_sources(name: str) -> dict[str, Source]:
    """Key, or `[name]` of a rule without key -> source, for all that a preset's file states (treat as immutable).

    Raises RulesError for an unknown preset.
    """
    sources: dict[str, Source] = {}
    comment: list[str] = []
    for line in preset_text(name).splitlines():
        if line.startswith("# text ["):
            rule, _, words = line.removeprefix("# text ").partition(": ")
            sources[rule] = Source("text", words)
            continue
        if line.startswith("#"):
            comment.append(line.lstrip("# "))
            continue
        key = line.split("=")[0].strip().strip('"')
        if key in KEYS:
            kind, _, words = " ".join(comment).partition(": ")
            sources[key] = Source("text" if kind == "text" else "default", words)
        comment = []
    return sources


def likest_preset(rules: Ruleset) -> str:
    """The preset that the rules are named after, else the one from which the fewest keys differ (of several the first
    by name): house rules are read beside the game they come from."""
    names = sorted(preset_names())
    if rules.name in names:
        return rules.name
    mine = to_plain(rules)
    return min(names, key=lambda name: sum(mine[key] != value for key, value in to_plain(load_preset(name)).items()))


def sources(rules: Ruleset) -> dict[str, Source]:
    """Key, or `[name]` -> source: every key, and the rules without key that the text states.

    What differs from the preset that the rules are like most (see `likest_preset`) is `changed`.
    """
    preset = likest_preset(rules)
    base, mine, stated = to_plain(load_preset(preset)), to_plain(rules), preset_sources(preset)
    return {
        **{name: source for name, source in stated.items() if name not in KEYS},
        **{key: stated.get(key, Source("default")) if mine[key] == base[key] else Source("changed") for key in KEYS},
    }

"""What somebody who sits down agrees to: rules and race preset, as the opener wishes and then offers them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2pkaboo.replica.honoured import check_honoured
from p2pkaboo.rules.keys import RulesError, shown
from p2pkaboo.rules.ruleset import Ruleset, from_plain, to_plain
from p2pkaboo.wire.frames import Wish


@dataclass(frozen=True, slots=True)
class Terms:
    """Rules, and the race preset wished for."""

    rules: Ruleset
    race: str


def plain_rules(rules: Ruleset) -> tuple[tuple[str, object], ...]:
    """The rules as OFFER and Wish hold them: name and every key, in order."""
    return tuple(sorted(to_plain(rules).items()))


def in_order(rows: Sequence[tuple[str, object]]) -> bool:
    """Whether the keys stand in ascending order, once each."""
    named = [key for key, _ in rows]
    return named == sorted(set(named))


def open_wish(wish: Wish) -> Terms:
    """What a wish asks newcomers to agree to. Raises RulesError for rules that no table of this version can play by."""
    if not in_order(wish.rules):
        raise RulesError("the keys of the rules do not stand in order, once each")
    rules = from_plain(dict(wish.rules))
    check_honoured(rules)
    return Terms(rules, wish.race)


def differences(before: Terms, after: Terms) -> Iterator[str]:
    """What is other than before, each as `key = value instead of value`, in the order of the rules' keys."""
    old, new = to_plain(before.rules), to_plain(after.rules)
    for key, value in new.items():
        if value != old[key]:
            yield f"{key} = {shown(value)} instead of {shown(old[key])}"
    if after.race != before.race:
        yield f"race = {after.race} instead of {before.race}"

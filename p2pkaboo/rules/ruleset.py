"""Rulesets: every rule of a table as plain data, with presets, overrides and one clear error for whatever is wrong.

A ruleset is written whole into the table's charter and so signed by every seat; `to_plain`/`from_plain` is that form.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from .consistency import contradiction
from .keys import MAX_TEXT, Key, RulesError, Value, award, choice, flag, shown, whole, words

MAX_SEATS = 8
"""Seats a table can have: more and the stock of one pack is gone after the deal."""

_POWERS = "none peek spy swap look-swap look-two-swap"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All rules of a table. A field is a key in lower case with `_` for `.` (`snap.limit`: `snap_limit`)."""

    name: str
    deck_packs: int = whole("deck.packs", 1, 1, 4, "packs of 52 cards")
    deck_jokers: int = whole("deck.jokers", 2, 0, 16, "jokers, for all packs together")
    deck_remove: tuple[str, ...] = words("deck.remove", "", "cards taken out; without pack number, of every pack")
    values_a: int = whole("values.A", 1, -50, 100, "points of an ace")
    values_j: int = whole("values.J", 11, -50, 100, "points of a jack")
    values_q: int = whole("values.Q", 12, -50, 100, "points of a queen")
    values_kb: int = whole("values.KB", 13, -50, 100, "points of a black king")
    values_kr: int = whole("values.KR", 13, -50, 100, "points of a red king")
    values_x: int = whole("values.X", 0, -50, 100, "points of a joker")
    players_min: int = whole("players.min", 2, 2, MAX_SEATS, "fewest seats")
    players_max: int = whole("players.max", 5, 2, MAX_SEATS, "most seats")
    deal_cards: int = whole("deal.cards", 4, 1, 12, "cards dealt to each seat")
    deal_opening: bool = flag("deal.opening", True, "a card is turned up to begin the discard pile")
    peek_count: int = whole("peek.count", 2, 0, 12, "own cards each seat looks at before the first turn")
    peek_choice: bool = flag("peek.choice", False, "the first look may be at any of the own cards")
    turn_take: bool = flag("turn.take", True, "the top discard may be taken")
    turn_taken_open: bool = flag("turn.taken_open", False, "a taken discard stays face up where it lies")
    turn_by_rank: bool = flag("turn.by_rank", False, "the drawn card decides: ace to 6 are kept, others not")
    power_7: str = choice("power.7", _POWERS, "what a seven does", "peek")
    power_8: str = choice("power.8", _POWERS, "what an eight does", "peek")
    power_9: str = choice("power.9", _POWERS, "what a nine does", "spy")
    power_t: str = choice("power.T", _POWERS, "what a ten does", "spy")
    power_j: str = choice("power.J", _POWERS, "what a jack does", "swap")
    power_q: str = choice("power.Q", _POWERS, "what a queen does", "swap")
    power_kb: str = choice("power.KB", _POWERS, "what a black king does")
    power_kr: str = choice("power.KR", _POWERS, "what a red king does")
    power_on: str = choice("power.on", "discard draw", "a power works when the drawn card is discarded, or before that")
    power_skip: bool = flag("power.skip", True, "a power may be left unused")
    power_decline: bool = flag("power.decline", True, "after looking, the swap may be declined")
    power_displaced: bool = flag("power.displaced", False, "a card displaced from the own hand triggers its power too")
    power_swap_any: bool = flag("power.swap_any", False, "the blind swap may take any two cards on the table")
    multi_max: int = whole("multi.max", 0, 0, 12, "most own cards exchanged at once (0 any number, 1 never several)")
    multi_fail: str = choice("multi.fail", "keep discard keep-end", "what happens to the new card if they differ")
    multi_unseen_from: int = whole("multi.unseen_from", 0, 0, 12, "from so many wrong cards one unseen card is added")
    match_by: str = choice("match.by", "rank value", "what makes cards match")
    snap: str = choice("snap", "off any own-then-others", "whose cards may be snapped, and in which order")
    snap_limit: str = choice("snap.limit", "first all", "right snaps on one discard")
    snap_gift: str = choice("snap.gift", "may must", "a card given for another's card snapped")
    snap_wrong_cards: int = whole("snap.wrong_cards", 0, 0, 8, "penalty cards for a wrong snap")
    snap_wrong_points: int = whole("snap.wrong_points", 0, 0, 500, "penalty points for a wrong snap")
    snap_exposure_ms: int = whole("snap.exposure_ms", 2500, 0, 10_000, "milliseconds a discard lies open at least")
    call_final_turns: bool = flag("call.final_turns", True, "after a call every other seat has one more turn")
    call_after_turns: int = whole("call.after_turns", 0, 0, 20, "full turns of every seat before anybody may call")
    call_threshold: int = whole("call.threshold", -1, -1, 200, "most points to call with (-1 no threshold)")
    caller_protect: tuple[str, ...] = words("caller.protect", "snap swap spy", "what is not done to a caller's cards")
    caller_snaps: bool = flag("caller.snaps", False, "the caller may snap")
    stock_empty: str = choice("stock.empty", "reshuffle end stay", "what happens when the stock is used up")
    score_lowest_zero: bool = flag("score.lowest_zero", False, "the lowest hand scores 0")
    score_call_won: str = choice("score.call_won", "total zero", "what a successful caller scores")
    score_call_won_adjust: int = whole("score.call_won_adjust", 0, -500, 500, "added to a successful caller's score")
    score_call_lost_adjust: int = whole("score.call_lost_adjust", 5, -500, 500, "added to a failed caller's hand")
    score_caller_tie: str = choice("score.caller_tie", "fails wins", "a caller who ties for the lowest hand")
    score_round_winner: bool = flag("score.round_winner", False, "the only lowest hand wins the round")
    special_award: int | str = award("special.award", "points for the others when a hand is exactly Q Q K K")
    match_rounds: int = whole("match.rounds", 0, 0, 1000, "rounds in a match (0 no limit)")
    match_target: int = whole("match.target", 0, 0, 10_000, "total that ends the match (0 none)")
    match_when: str = choice("match.when", "over reached", "the target ends the match when passed, or when reached")
    reset_at: int = whole("reset.at", 0, 0, 10_000, "a total of exactly this is lowered once a match (0 never)")
    reset_to: int = whole("reset.to", 50, 0, 10_000, "what it is lowered to")
    timer_step_s: int = whole("timer.step_s", 0, 0, 3600, "seconds for a choice (0 no step timer)")
    timer_idle_s: int = whole("timer.idle_s", 600, 10, 86_400, "seconds for a choice where there is no step timer")
    timer_between_s: int = whole("timer.between_s", 20, 0, 3600, "seconds between two rounds at most")
    timer_grace_s: int = whole("timer.grace_s", 60, 1, 3600, "seconds a lost seat is waited for")
    memory: str = choice("memory", "classic assisted", "known cards are shown for a moment, or kept in view")
    on_forfeit: str = choice("on_forfeit", "redeal recover", "the round of a lost seat is dealt again, or goes on")
    race: str = choice("race", "auto lan wan", "the numbers for snap races")


ATTRIBUTES: dict[str, str] = {f.metadata["key"].name: f.name for f in fields(Ruleset) if "key" in f.metadata}
"""Key -> field of `Ruleset`, in the order of the sheet."""

KEYS: dict[str, Key] = {f.metadata["key"].name: f.metadata["key"] for f in fields(Ruleset) if "key" in f.metadata}
"""Key -> its grammar, in the order of the sheet."""


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
        text = path.read_text(encoding="utf-8")
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
    except tomllib.TOMLDecodeError as error:
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


_RANGES: Final = ((0x00, 0x1F), (0x7F, 0x9F), (0x061C, 0x061C), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069))
_UNPRINTABLE: Final = frozenset(chr(code) for first, last in _RANGES for code in range(first, last + 1))
"""Controls, direction marks and line separators: what no name may hold. A fixed list and not Python's `isprintable`,
which changes with the version of Unicode: peers must agree on what is a ruleset."""


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
    hint = f", did you mean {near[0]}?" if near else " (`p2pkaboo rules show` lists the keys)"
    return f"{shown(key)}: no such key{hint}"

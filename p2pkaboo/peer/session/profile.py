"""What the peer keeps for its user: settings, name, known keys, house rules, the scorekeeper's game."""

import getpass
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from p2pkaboo.journal.files import Json
from p2pkaboo.journal.profile import Profile
from p2pkaboo.peer import api
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.replica.honoured import check_honoured, choices_of
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.ruleset import (
    KEYS,
    Ruleset,
    load_preset,
    overrides_of,
    preset_names,
    to_plain,
    with_overrides,
)
from p2pkaboo.rules.scorekeeper import ScoreError, Scorekeeper, from_plain, new_game
from p2pkaboo.rules.sources import sources

MAX_NAME: Final = 24
"""Letters of a player's name: what fits a seat's plate."""

MAX_RULE_SETS: Final = 50
"""Saved rule sets: a list that somebody can still look through."""

PRESET_NAMES: Final = {
    "sheffield": "Sheffield Kaboo",
    "cabo-standard": "Cabo, standard deck",
    "cabo-guide": "Cabo guide",
    "kabbu": "Kabbu",
    "cabo-online": "Online Cabo",
}

_TABLE_KEYS: Final = frozenset({"memory", "race", "on_forfeit"})
"""Keys without a section of their own."""

_CHOICES: Final[dict[str, tuple[api.Value, ...]]] = {
    "timer.step_s": (0, 30, 60, 90),
    "special.award": ("off", "half-target", 50),
}
"""Keys for which a screen offers some values, though the rules allow more."""

_STEPS: Final = {"snap.exposure_ms": 500, "timer.idle_s": 60, "timer.between_s": 5, "timer.grace_s": 10}


class Keepsakes:
    """The small documents of a profile. Raises ProfileError when a file cannot be read or written."""

    def __init__(self, profile: Profile, name: str = "") -> None:
        """`name`: what the player wants to be called from now on; "": as before."""
        self._profile = profile
        saved = profile.settings()
        fields = {field: saved[field] for field in api.Settings.__struct_fields__ if field in saved}
        try:
            self.settings = msgspec.convert(fields, api.Settings)
        except msgspec.ValidationError:  # written by another version: better the defaults than no game
            self.settings = api.Settings()
        kept = saved.get("name")
        self.name = clean_name(name) or clean_name(kept if isinstance(kept, str) else "") or default_name()
        known = saved.get("known_keys")
        self.known = {key for key in known if isinstance(key, str)} if isinstance(known, list) else set()
        if name and self.name != kept:
            self._save()

    def _save(self) -> None:
        fields: dict[str, Json] = msgspec.to_builtins(self.settings)
        known: list[Json] = [*sorted(self.known)]
        self._profile.save_settings({**fields, "name": self.name, "known_keys": known})

    def set_name(self, name: str) -> None:
        """Raises Refusal."""
        cleaned = clean_name(name)
        if not cleaned:
            raise Refusal("error.name")
        self.name = cleaned
        self._save()

    def set_setting(self, name: str, value: api.Value) -> None:
        """Changes one field of the settings. Raises Refusal."""
        fields: dict[str, Any] = msgspec.to_builtins(self.settings)
        if name not in fields:
            raise Refusal("error.setting", name=name)
        try:
            self.settings = msgspec.convert({**fields, name: value}, api.Settings)
        except msgspec.ValidationError:
            raise Refusal("error.setting", name=name) from None
        self._save()

    def know(self, key: str) -> None:
        """The words of this key were the same on both screens."""
        self.known.add(key)
        self._save()

    # ---------------------------------------------------------------- rule sets

    def rule_names(self) -> tuple[api.RulesName, ...]:
        """The presets and the player's own rule sets."""
        names = [name_of(load_preset(preset)) for preset in preset_names()]
        for key, saved in self._own_rules().items():
            try:
                rules = self.rules(key, {})
            except Refusal:  # keys that this version does not know any more
                continue
            names.append(name_of(rules, id=key, name=str(saved["name"])))
        return tuple(names)

    def _own_rules(self) -> dict[str, dict[str, Any]]:
        found = {}
        for key, saved in self._profile.rule_sets().items():
            if isinstance(saved, dict) and isinstance(saved.get("name"), str) and isinstance(saved.get("keys"), dict):
                found[key] = dict(saved)
        return found

    def rules(self, key: str, overrides: Mapping[str, object]) -> Ruleset:
        """The rules of a preset or of an own rule set, changed. Raises Refusal that says which key is wrong."""
        own = self._own_rules()
        try:
            if key in own:
                base = load_preset(str(own[key].get("preset")))
                return with_overrides(base, {**own[key]["keys"], **overrides})
            return with_overrides(load_preset(key), overrides)
        except RulesError as error:
            raise Refusal("error.rules", problem=str(error)) from None

    def table_rules(self, key: str, overrides: Mapping[str, object]) -> Ruleset:
        """The same for a table of this version, which has to honour them. Raises Refusal."""
        rules = self.rules(key, overrides)
        try:
            check_honoured(rules)
        except RulesError as error:
            raise Refusal("error.rules", problem=str(error)) from None
        return rules

    def save_rules(self, name: str, key: str, overrides: Mapping[str, object]) -> None:
        """Saves a rule set under a name; one of that name is replaced. Raises Refusal."""
        rules = self.table_rules(key, overrides)
        title = name.strip()
        if not title or not title.isprintable():
            raise Refusal("error.rules", problem="a name is needed to save them")
        own = self._own_rules()
        preset, keys = overrides_of(rules)
        chosen = next((known for known, saved in own.items() if saved["name"] == title), None)
        if chosen is None:
            if len(own) >= MAX_RULE_SETS:
                raise Refusal("error.rules", problem=f"{MAX_RULE_SETS} rule sets are saved, delete one first")
            chosen = next(f"own-{number}" for number in range(1, MAX_RULE_SETS + 2) if f"own-{number}" not in own)
        own[chosen] = {"name": title, "preset": preset, "keys": keys}
        self._profile.save_rule_sets(own)

    def delete_rules(self, key: str) -> None:
        """Deletes an own rule set. Raises Refusal."""
        own = self._own_rules()
        if own.pop(key, None) is None:
            raise Refusal("error.unknown", what=key)
        self._profile.save_rule_sets(own)

    def sheet(self, key: str, overrides: Mapping[str, object]) -> api.RulesSheet:
        """The rules key by key; overrides that cannot be played are named, not refused. Raises Refusal."""
        base = self.rules(key, {})
        name = next((known for known in self.rule_names() if known.id == key), None)
        try:
            rules, problem = self.table_rules(key, overrides), ""
        except Refusal as refusal:
            rules, problem = base, str(refusal.say.params.get("problem", ""))
        return sheet_of(rules, problem, overrides if problem else {}, name)

    # ---------------------------------------------------------------- the scorekeeper

    def score(self) -> Scorekeeper | None:
        """The game with paper cards, if there is one."""
        saved = self._profile.scorekeeper()
        try:
            return from_plain(saved) if saved else None
        except ScoreError as error:
            raise Refusal("error.other", reason=str(error)) from None

    def change_score(self, command: api.ScoreNew | api.ScoreAdd | api.ScoreUndo) -> Scorekeeper:
        """Carries out an entry and saves the game. Raises Refusal."""
        try:
            if isinstance(command, api.ScoreNew):
                game = new_game(command.names)
            else:
                before = self.score()
                if before is None:
                    raise Refusal("error.other", reason="there is no game yet: enter the names first")
                game = before.add(command.points) if isinstance(command, api.ScoreAdd) else before.undo()
        except ScoreError as error:
            raise Refusal("error.other", reason=str(error)) from None
        self._profile.save_scorekeeper(game.to_plain())
        return game


def score_pad(game: Scorekeeper | None) -> api.ScorePad:
    """The scorekeeper's game for a screen."""
    if game is None:
        return api.ScorePad()
    return api.ScorePad(
        names=game.names, rounds=game.rounds, totals=game.totals, leaders=game.leaders, can_undo=bool(game.rounds)
    )


def clean_name(name: str) -> str:
    """A name as it may stand at a table; "" if it may not."""
    cleaned = " ".join(name.split())
    return cleaned if 0 < len(cleaned) <= MAX_NAME and cleaned.isprintable() else ""


def default_name() -> str:
    """What somebody is called who has not said so: the name of the account, else "Player"."""
    try:
        account = getpass.getuser()
    except (OSError, KeyError, ImportError):
        account = ""
    return clean_name(account[:1].upper() + account[1:]) or "Player"


def name_of(rules: Ruleset, *, id: str = "", name: str = "") -> api.RulesName:
    """How a ruleset is named on a screen."""
    preset, changed = overrides_of(rules)
    return api.RulesName(
        id=id or preset,
        name=name or PRESET_NAMES[preset],
        preset=preset,
        changes=len(changed),
        players_min=rules.players_min,
        players_max=rules.players_max,
    )


def sheet_of(
    rules: Ruleset, problem: str = "", wished: Mapping[str, object] | None = None, name: api.RulesName | None = None
) -> api.RulesSheet:
    """A ruleset key by key. `wished`: values that were asked for, shown although they cannot be played."""
    known, plain = sources(rules), to_plain(rules)
    preset = load_preset(overrides_of(rules)[0])
    usual = to_plain(preset)
    rows = []
    for key, grammar in KEYS.items():
        value = (wished or {}).get(key, plain[key])
        choices, kind = _CHOICES.get(key, choices_of(key)), "number"
        if grammar.kind == "flag":
            kind = "switch"
        elif key in _CHOICES or grammar.kind in ("choice", "award"):
            kind = "choice"
        elif grammar.kind == "list":
            kind, choices = "fixed", ()
        shown, default = _shown(value), _shown(usual[key])
        if kind == "choice" and shown not in choices:
            choices = (*choices, shown)
        rows.append(
            api.RuleRow(
                key=key,
                group="table" if key in _TABLE_KEYS else key.split(".")[0],
                kind=kind,  # type: ignore[arg-type]
                value=shown,
                default=default,
                choices=choices if kind == "choice" else (),
                least=grammar.low if kind == "number" else None,
                most=grammar.high if kind == "number" else None,
                step=_STEPS.get(key, 1),
                source="changed" if shown != default else known[key].origin,
                quote=known[key].words,
            )
        )
    return api.RulesSheet(rules=name or name_of(rules), rows=tuple(rows), problem=problem)


def _shown(value: object) -> api.Value:
    if isinstance(value, bool | int | str):
        return value
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

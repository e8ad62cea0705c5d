"""The rules, key by key: to read at a table, or to change for the next one."""

from dataclasses import dataclass, field

from rich.text import Text

from p2pkaboo.peer.api import AnyResult, DeleteRules, RuleRow, RulesSheet, SaveRules, ShowRules, Value
from p2pkaboo.ui.terminal.page import UNUSED, Answer, FormPage, Quiet, Scene, framed
from p2pkaboo.ui.terminal.texts import has, signed, t
from p2pkaboo.ui.terminal.widgets import FADED, HEAD, RED, YELLOW, Button, Entry, Field, Form, around, fold, pad

LABEL_WIDTH = 44
VALUE_WIDTH = 24
NAME_LENGTH = 80
"""Characters of a rule set's name in the API."""


@dataclass(slots=True)
class House:
    """House rules in the making: a rule set's id and what is changed in it. Shared with the form that uses them."""

    rules: str
    overrides: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True)
class RulesPage(Quiet):
    """A rule set row by row. With `house` it can be changed, else only read."""

    house: House | None = None
    sheet: RulesSheet | None = None
    before: dict[str, Value] = field(default_factory=dict)
    at: int = 0
    sure: bool = False
    """Delete was pressed once."""

    @classmethod
    def edit(cls, house: House) -> "RulesPage":
        return cls(house, before=dict(house.overrides))

    def ask(self) -> ShowRules:
        """Asks the peer for the rows, with the changes so far on top and checked."""
        return ShowRules() if self.house is None else ShowRules(rules=self.house.rules, overrides=self.house.overrides)

    # ------------------------------------------------------------ drawing

    def lines(self, scene: Scene) -> list[Text]:
        sheet = self.sheet
        if sheet is None:
            return framed(t("rules.title", name=""), [], t("sheet.end"), scene)
        rows, at_line = self._rows(sheet)
        room = max(1, scene.height - 7)
        body = around(rows, at_line, room)
        body += [Text()] * (room - len(body))
        row = self._on(sheet)
        quote = row.quote if row is not None else ""
        note = Text(t("rules.problem", problem=sheet.problem), RED) if sheet.problem else Text(quote, FADED)
        foot = t("rules.foot" if self.house is not None else "rules.foot_read")
        return framed(t("rules.title", name=sheet.rules.name), [*body, *fold(note, scene.width)[:3]], foot, scene)

    def _on(self, sheet: RulesSheet) -> RuleRow | None:
        if not sheet.rows:
            return None
        self.at = max(0, min(self.at, len(sheet.rows) - 1))
        return sheet.rows[self.at]

    def _rows(self, sheet: RulesSheet) -> tuple[list[Text], int]:
        """All rows under the headings of their groups, and in which line the chosen one stands."""
        self._on(sheet)
        lines: list[Text] = []
        group, at_line = None, 0
        for i, row in enumerate(sheet.rows):
            if row.group != group:
                group = row.group
                lines.append(Text(t(f"group.{group}") if has(f"group.{group}") else group, HEAD))
            if i == self.at:
                at_line = len(lines)
            lines.append(self._row(row, i == self.at))
        return lines, at_line

    def _row(self, row: RuleRow, on: bool) -> Text:
        label = t(f"rule.{row.key}") if has(f"rule.{row.key}") else row.key
        can = on and self.house is not None and row.kind != "fixed"
        value = shown_value(row.key, row.value)
        value = f"‹ {value} ›" if can else value
        source = t(f"rules.{row.source}")
        return Text.assemble(
            ("▸ " if on else "  ", YELLOW),
            pad(label, LABEL_WIDTH),
            (pad(value, VALUE_WIDTH).plain, HEAD if row.source == "changed" or on else ""),
            " ",
            (source, YELLOW if row.source == "changed" else FADED),
        )

    # ------------------------------------------------------------ keys

    def key(self, key: str, scene: Scene) -> Answer:
        sure, self.sure = self.sure, False
        if key == "delete" and self.house is not None:
            if sure:
                return Answer([DeleteRules(rules=self.house.rules)], close=True)
            self.sure = True
            return Answer(message=t("rules.sure_delete"))
        if key == "esc" and self.house is not None:
            self.house.overrides = dict(self.before)
        if key in ("esc", "enter", "q") or (key == "y" and self.house is None):
            return Answer(close=True)
        sheet = self.sheet
        if sheet is None or not sheet.rows:
            return UNUSED
        step = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6}.get(key)
        if step is not None:
            self.at = max(0, min(self.at + step, len(sheet.rows) - 1))
            return Answer()
        return self._edit(key, sheet)

    def _edit(self, key: str, sheet: RulesSheet) -> Answer:
        house, row = self.house, self._on(sheet)
        if house is None or row is None:
            return UNUSED
        if key == "n":
            return Answer(open=SaveRulesPage.of(house))
        turn = {"left": -1, "right": 1, " ": 1}.get(key)
        if key == "backspace":
            house.overrides.pop(row.key, None)
        elif turn is not None:
            value = turned(row, turn)
            if value is None:
                return Answer(message=t("rules.fixed", name=t(f"rule.{row.key}")))
            house.overrides[row.key] = value
        else:
            return UNUSED
        return Answer([self.ask()])

    def heard(self, result: AnyResult) -> bool:
        if not isinstance(result, RulesSheet):
            return False
        self.sheet = result
        return True


def turned(row: RuleRow, turn: int) -> Value | None:
    """The next or the previous value of a key, or `None` if it has only one."""
    if row.kind == "switch":
        return not row.value
    if row.kind == "choice" and row.choices:
        at = row.choices.index(row.value) if row.value in row.choices else 0
        return row.choices[(at + turn) % len(row.choices)]
    if row.kind == "number" and isinstance(row.value, int):
        value = row.value + turn * row.step
        if row.least is not None:
            value = max(row.least, value)
        return min(row.most, value) if row.most is not None else value
    return None


def shown_value(key: str, value: Value) -> str:
    """A value in words: those for this key if there are any, else those for every key that may have it."""
    if has(f"value.{key}.{value}"):
        return t(f"value.{key}.{value}")
    if isinstance(value, bool):
        return t("switch.yes" if value else "switch.no")
    if isinstance(value, int):
        return signed(value)
    return t(f"value.{value}") if has(f"value.{value}") else value


@dataclass(slots=True)
class SaveRulesPage(FormPage):
    """Asks for a name and saves the house rules under it."""

    house: House = field(kw_only=True)

    @classmethod
    def of(cls, house: House) -> "SaveRulesPage":
        name = Entry("name", t("rules.save_name"), most=NAME_LENGTH)
        fields: list[Field] = [name, Button("save", t("rules.save_do"))]
        return cls(t("rules.save_title"), Form(fields), house=house)

    def enter(self, name: str, scene: Scene) -> Answer:
        given = self.form.value("name").strip()
        if not given:
            return Answer(message=t("error.name"))
        return Answer([SaveRules(name=given, rules=self.house.rules, overrides=self.house.overrides)], close=True)

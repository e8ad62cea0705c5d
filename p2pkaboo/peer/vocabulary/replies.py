"""What a command may bring back: its error, or what it asked to be shown."""

from __future__ import annotations

from typing import Literal

from p2pkaboo.peer.vocabulary.basics import Data, Indices, Say, Value, Words
from p2pkaboo.peer.vocabulary.lobby import RulesName
from p2pkaboo.peer.vocabulary.outcome import Verdict
from p2pkaboo.peer.vocabulary.table import LogLine


class RuleRow(Data, frozen=True, kw_only=True):
    """One key of a rule set. `quote`: words of the rule text, in quotation marks of their own, or why
    the value was chosen here."""

    key: str
    group: str
    kind: Literal["switch", "number", "choice", "fixed"]
    value: Value
    default: Value
    choices: tuple[Value, ...] = ()
    least: int | None = None
    most: int | None = None
    step: int = 1
    source: Literal["text", "default", "changed"]
    quote: str = ""


class RulesSheet(Data, tag="rules_sheet", frozen=True, kw_only=True):
    rules: RulesName
    rows: tuple[RuleRow, ...]
    problem: str = ""
    """Why these overrides cannot be played, naming the key; "" if they can."""


class LogPage(Data, tag="log_page", frozen=True, kw_only=True):
    lines: tuple[LogLine, ...]


class PastMatch(Data, frozen=True, kw_only=True):
    id: str
    name: str
    rules: str
    ended_at: str
    """Local date and time, ISO 8601 to the minute."""
    players: tuple[str, ...]
    totals: tuple[int, ...]
    you: int | None
    winners: Indices
    rounds: int
    verdict: str


class History(Data, tag="history", frozen=True, kw_only=True):
    matches: tuple[PastMatch, ...]


class Knew(Data, frozen=True, kw_only=True):
    """Somebody learned a card: how, and when as a share of the round (0 the deal, 1 the reveal)."""

    seat: int
    since: float
    how: Say


class KnownCard(Data, frozen=True, kw_only=True):
    """A card of a hand at the end of the round, and who had learned it before the reveal."""

    seat: int
    position: int
    face: str
    knew: tuple[Knew, ...] = ()


class Report(Data, tag="report", frozen=True, kw_only=True):
    """The audit of one round for people: what was checked, and who knew which card when."""

    match: str
    table: str
    round: int
    rounds: int
    names: tuple[str, ...]
    you: int | None
    verdict: Verdict
    words: Words = ()
    cards: tuple[KnownCard, ...] = ()
    file: str = ""


class Step(Data, frozen=True, kw_only=True):
    """One step of a transcript in plain words. `seats`: whose messages complete it."""

    number: int
    slot: str
    kind: str
    seats: Indices
    say: Say
    proofs: int = 0
    bytes: int = 0
    ok: bool = True


class Steps(Data, tag="steps", frozen=True, kw_only=True):
    match: str
    round: int
    names: tuple[str, ...]
    total: int
    steps: tuple[Step, ...]


class Saved(Data, tag="saved", frozen=True, kw_only=True):
    path: str


class ScorePad(Data, tag="score_pad", frozen=True, kw_only=True):
    names: tuple[str, ...] = ()
    rounds: tuple[tuple[int, ...], ...] = ()
    totals: tuple[int, ...] = ()
    leaders: Indices = ()
    can_undo: bool = False


AnyResult = RulesSheet | LogPage | History | Report | Steps | Saved | ScorePad


class Reply(Data, tag="reply", frozen=True, kw_only=True):
    """The answer to one command. `error` says what happened, what it means, what to do; its key starts with
    "error." and nothing was sent then. `id` is the client's own number for the command."""

    id: int = 0
    error: Say | None = None
    result: AnyResult | None = None

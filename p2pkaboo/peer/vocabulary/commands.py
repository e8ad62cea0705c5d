"""What a user interface may ask of its peer."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from p2pkaboo.peer.vocabulary.basics import Data, Index, Indices, LongText, ShortText, Value


class Command(Data, frozen=True, kw_only=True):
    """`snapshot`: number of the snapshot the player was looking at. A command about the table decided before
    `Table.decided_on` (a snap: before `Table.top_since`) is refused as `stale` and nothing is sent; so is a guest's
    `ready` in the lobby that was decided before the rules were as they are now."""

    snapshot: int = 0


class PlayBots(Command, tag="play_bots", frozen=True, kw_only=True):
    bots: Annotated[int, Meta(ge=1, le=7)] = 3
    style: ShortText = ""
    """Id of a style; "" lets every bot have its own."""
    rules: ShortText = "sheffield"
    overrides: dict[ShortText, Value] = field(default_factory=dict)
    hints: bool = False
    """Coach this game (the last part of the tutorial)."""


class Host(Command, tag="host", frozen=True, kw_only=True):
    name: ShortText
    seats: Annotated[int, Meta(ge=2, le=8)]
    rules: ShortText
    overrides: dict[ShortText, Value] = field(default_factory=dict)
    private: bool = False
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None


class Join(Command, tag="join", frozen=True, kw_only=True):
    """By invite or link, or by the `id` of a table found in this network."""

    invite: LongText = ""
    table: ShortText = ""


class Resume(Command, tag="resume", frozen=True, kw_only=True):
    table: ShortText


class SeatBot(Command, tag="seat_bot", frozen=True, kw_only=True):
    style: ShortText = ""


class UnseatBot(Command, tag="unseat_bot", frozen=True, kw_only=True):
    key: ShortText


class WordsMatch(Command, tag="words_match", frozen=True, kw_only=True):
    """The words of this person were the same on both screens; remembered with the key."""

    key: ShortText


class StartTable(Command, tag="start_table", frozen=True, kw_only=True):
    """The opener: deal as soon as everybody is ready."""


class Ready(Command, tag="ready", frozen=True, kw_only=True):
    ready: bool = True


class Leave(Command, tag="leave", frozen=True, kw_only=True):
    """From a lobby, or from a match (a forfeit, so the interface asks first), or from a practice."""


class PeekInitial(Command, tag="peek_initial", frozen=True, kw_only=True):
    positions: Indices


class Seen(Command, tag="seen", frozen=True, kw_only=True):
    """I have looked; a look ends by itself when its time is over."""


class Draw(Command, tag="draw", frozen=True, kw_only=True):
    pass


class Take(Command, tag="take", frozen=True, kw_only=True):
    pass


class Exchange(Command, tag="exchange", frozen=True, kw_only=True):
    """`into`: which of `positions` receives the new card; `end`: where a card kept after a mismatch goes."""

    positions: Indices
    into: Index | None = None
    end: Literal["left", "right"] | None = None


class DiscardDrawn(Command, tag="discard", frozen=True, kw_only=True):
    pass


class Peek(Command, tag="peek", frozen=True, kw_only=True):
    position: Index


class Spy(Command, tag="spy", frozen=True, kw_only=True):
    seat: Index
    position: Index


class Swap(Command, tag="swap", frozen=True, kw_only=True):
    """`of`: whose place `mine` is, where the rules let a swap take any two cards; else your own."""

    mine: Index
    seat: Index
    theirs: Index
    of: Index | None = None


class Skip(Command, tag="skip", frozen=True, kw_only=True):
    pass


class Snap(Command, tag="snap", frozen=True, kw_only=True):
    """Stamped by the peer's own clock when it arrives, before anything else is looked at. `held_ms` is the page's own
    measure of key press to sending: information, it never counts."""

    seat: Index
    position: Index
    held_ms: float = 0.0


class Give(Command, tag="give", frozen=True, kw_only=True):
    position: Index


class NoGift(Command, tag="no_gift", frozen=True, kw_only=True):
    pass


class CallRound(Command, tag="call", frozen=True, kw_only=True):
    pass


class StopMatch(Command, tag="stop_match", frozen=True, kw_only=True):
    """After somebody was caught: end the match here instead of dealing again."""


class SetName(Command, tag="set_name", frozen=True, kw_only=True):
    name: ShortText


class SetSetting(Command, tag="set_setting", frozen=True, kw_only=True):
    """`name` is a field of `Settings`; the value is checked like that field."""

    name: ShortText
    value: Value


class ShowRules(Command, tag="show_rules", frozen=True, kw_only=True):
    """Reply: `RulesSheet` of a preset, a saved rule set or ("" while seated) of this table, with `overrides` on top."""

    rules: ShortText = ""
    overrides: dict[ShortText, Value] = field(default_factory=dict)


class SaveRules(Command, tag="save_rules", frozen=True, kw_only=True):
    name: ShortText
    rules: ShortText
    overrides: dict[ShortText, Value]


class DeleteRules(Command, tag="delete_rules", frozen=True, kw_only=True):
    rules: ShortText


class ShowLog(Command, tag="show_log", frozen=True, kw_only=True):
    """Reply: `LogPage`, the whole log of this match."""


class ShowHistory(Command, tag="show_history", frozen=True, kw_only=True):
    """Reply: `History`."""


class ShowReport(Command, tag="show_report", frozen=True, kw_only=True):
    """Reply: `Report` of a round (0: the last one) of a match ("": this one)."""

    match: ShortText = ""
    round: Index = 0


class ShowSteps(Command, tag="show_steps", frozen=True, kw_only=True):
    """Reply: `Steps` of a round's transcript, from step `first` on, at most `count`."""

    match: ShortText = ""
    round: Index = 0
    first: Annotated[int, Meta(ge=0)] = 0
    count: Annotated[int, Meta(ge=1, le=500)] = 200


class SaveTranscript(Command, tag="save_transcript", frozen=True, kw_only=True):
    """Write the match's transcript (or the evidence of a cheat) to a file. Reply: `Saved`."""

    match: ShortText = ""
    evidence: bool = False


class CheckTranscript(Command, tag="check_transcript", frozen=True, kw_only=True):
    """Audit a `.kaboo` file of somebody else's. Reply: `Report`."""

    path: LongText


class Practice(Command, tag="practice", frozen=True, kw_only=True):
    """Begin (`lesson` 0…) or go on with the tutorial's practice on a fixed deck."""

    lesson: Index = 0


class ScoreShow(Command, tag="score_show", frozen=True, kw_only=True):
    """Reply: `ScorePad`, like all commands of the scorekeeper."""


class ScoreNew(Command, tag="score_new", frozen=True, kw_only=True):
    names: Annotated[tuple[ShortText, ...], Meta(min_length=2, max_length=8)]


class ScoreAdd(Command, tag="score_add", frozen=True, kw_only=True):
    """One round's points, by player."""

    points: Annotated[tuple[Annotated[int, Meta(ge=-999, le=999)], ...], Meta(min_length=2, max_length=8)]


class ScoreUndo(Command, tag="score_undo", frozen=True, kw_only=True):
    pass


AnyCommand = (
    PlayBots
    | Host
    | Join
    | Resume
    | SeatBot
    | UnseatBot
    | WordsMatch
    | StartTable
    | Ready
    | Leave
    | PeekInitial
    | Seen
    | Draw
    | Take
    | Exchange
    | DiscardDrawn
    | Peek
    | Spy
    | Swap
    | Skip
    | Snap
    | Give
    | NoGift
    | CallRound
    | StopMatch
    | SetName
    | SetSetting
    | ShowRules
    | SaveRules
    | DeleteRules
    | ShowLog
    | ShowHistory
    | ShowReport
    | ShowSteps
    | SaveTranscript
    | CheckTranscript
    | Practice
    | ScoreShow
    | ScoreNew
    | ScoreAdd
    | ScoreUndo
)

"""The local API: everything a user interface may say to its peer and hear from it.

The web page and the terminal are equal clients of this module. It holds data types only and imports nothing else of
the package, so an interface never depends on how the peer works inside. `docs/reference/local-api.md` explains the
conversation; `local_server` speaks it as JSON over a WebSocket.

Conventions, everywhere:

- a *face* is the card notation of the command line: "5H", "TS", "X1", "5H.2"; `None` means face down;
- seats and positions count from 0 (a screen may print place 1 for position 0); `you` is your own seat, or `None`
  for somebody who only watches;
- times named `…_at_ms` are instants on the peer's own clock, which `Snapshot.now_ms` reads; `…_ms` are durations;
- a `Say` is a sentence as a key and its parameters: words and language belong to the interface. Parameters whose name
  starts with `seat`, `card` or `place` are a seat, a face and a position;
- a face stands in a snapshot or event only while this player may know it. Nothing here ever carries another one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal, Protocol

from msgspec import Meta, Struct

API_VERSION = 1
"""Raised whenever an older page could misread a newer peer; the page then asks to be reloaded."""

ShortText = Annotated[str, Meta(max_length=80)]
"""Names of people, tables and rule sets: longer ones would not fit a seat's plate."""
LongText = Annotated[str, Meta(max_length=4096)]
"""Invites and links (about 150 characters each) and paths, with generous room."""
Index = Annotated[int, Meta(ge=0, le=255)]
"""A seat or a position; a hand cannot hold more cards than four packs of 54 have, less one a seat."""
Indices = Annotated[tuple[Index, ...], Meta(max_length=64)]
Value = bool | int | str
"""The value of one key of a rule set or of one setting."""
Words = tuple[str, ...]
"""Four words people can read to each other: of a key (who somebody is) or of a history head (what was played)."""


class Data(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of everything exchanged: plain, immutable, refusing fields it does not know."""


class Say(Data, frozen=True, kw_only=True):
    """A sentence to show: `key` into the interface's table of strings, and what fills its blanks."""

    key: str
    params: dict[str, str | int | None] = {}


class Timer(Data, frozen=True, kw_only=True):
    """Something that runs out. `kind` says what happens then; `total_ms` is its whole length, for drawing it."""

    kind: Literal["step", "idle", "peek", "gift", "between", "grace", "exposure", "deal"]
    ends_at_ms: int
    total_ms: int


# ---------------------------------------------------------------- the table


class Spot(Data, frozen=True, kw_only=True):
    """Where a card lies: a place in a hand (seat and position), the stock, the discard pile, or a player's hand-held
    drawn card (`where = "held"`, with its seat)."""

    where: Literal["place", "stock", "discard", "held"]
    seat: int | None = None
    position: int | None = None


class Place(Data, frozen=True, kw_only=True):
    """One place of a hand. A gap keeps its number for ever; a face is there only if you may see it *now*."""

    position: int
    gap: bool = False
    face: str | None = None
    why: Literal["", "looking", "shown", "remembered", "revealed"] = ""
    """Why a face is there: your own look, shown to all for a moment, assisted memory, or the end of the round."""
    looked: Indices = ()
    """Seats that looked at this place since the last turn began (assisted memory: that know its card)."""
    fresh: bool = False
    """The card came here since the last turn began (penalty, gift, swap)."""


class Seat(Data, frozen=True, kw_only=True):
    """One player as everybody sees them."""

    seat: int
    name: str
    bot: bool = False
    words: Words = ()
    total: int = 0
    penalty: int = 0
    """Points taken in this round before it is counted (wrong snaps under rules that charge points)."""
    link: Literal["here", "away", "left", "forfeit"] = "here"
    grace: Timer | None = None
    """While `link` is "away": how long the seat is still kept."""
    proof: Literal["none", "working", "verified", "failed"] = "none"
    """What your own peer has checked of this seat's work in this deal: its shuffle and every share since."""
    called: bool = False
    hands_off: bool = False
    """Nobody may touch these cards (the caller's, or a lost player's)."""
    final_turn: Literal["", "to_come", "now", "done"] = ""
    ready: bool = False
    places: tuple[Place, ...] = ()


class Discard(Data, frozen=True, kw_only=True):
    """The discard pile. `below` are the faces under the top one, nearest first, at most two."""

    count: int = 0
    top: str | None = None
    below: tuple[str, ...] = ()
    snappable: bool = False
    """The top card can be snapped by somebody until it is covered."""
    exposure: Timer | None = None
    """Until it ends nobody may cover or take the top card."""


class Held(Data, frozen=True, kw_only=True):
    """The card the seat at turn has drawn or taken. Its face is there for its holder, or if it is public."""

    seat: int
    face: str | None = None
    source: Literal["stock", "discard"] = "stock"


class Choice(Data, frozen=True, kw_only=True):
    """One command that is legal for you now, with what may be filled in.

    `command` is the `type` of the command. `mine` and `theirs` list the places it may name; a `swap` takes one of each,
    an `exchange` or `peek_initial` takes `least` to `most` of `mine`, everything else one of either. `off` names the
    reason why a command that people expect here is not possible ("called_already", "exposure", …): it is shown, greyed.
    """

    command: str
    mine: tuple[Spot, ...] = ()
    theirs: tuple[Spot, ...] = ()
    least: int = 1
    most: int = 1
    ends: bool = False
    """The exchange must say at which end a kept card is put down if the chosen ones do not match."""
    confirm: bool = False
    """Ask once more before sending: a call, an exchange of several cards, a gift."""
    power: Literal["", "peek", "spy", "swap", "look-swap", "look-two-swap"] = ""
    """`discard` and `skip`: the power that this card brings, or that would be given up."""
    off: str = ""


class RaceEntry(Data, frozen=True, kw_only=True):
    """One snap in a race. The target is there only if it was opened: who was slower shows nothing. `ruling` "open": it
    is not decided yet what the snap comes to."""

    seat: int
    claim_ms: int
    score_ms: int
    ruling: Literal["open", "right", "wrong", "slower", "late", "gone", "disputed", "lost_lots"]
    target: Spot | None = None
    face: str | None = None
    penalty_cards: int = 0
    penalty_points: int = 0


class Race(Data, frozen=True, kw_only=True):
    """The last snap race: who was how fast, and why the winner won."""

    number: int
    card: str
    entries: tuple[RaceEntry, ...]
    disputed: bool = False
    settled: bool = False


class LogLine(Data, frozen=True, kw_only=True):
    """One line of the table's log, numbered from 0 within the match. Never a value that was hidden."""

    number: int
    say: Say
    at_ms: int
    tone: Literal["", "turn", "bad", "now"] = ""


class ShuffleStep(Data, frozen=True, kw_only=True):
    """One seat's shuffle of this deal. `checked_by`: the other seats that are known to have checked it. Of oneself one
    knows it from the work, of the others, who check all before they go on, from what they have sent since."""

    seat: int
    state: Literal["waiting", "working", "done", "failed"]
    took_ms: int | None = None
    checked_by: Indices = ()


class Dealing(Data, frozen=True, kw_only=True):
    """How far the deal is. Present from the first fresh key until the first look begins."""

    keys: int
    shuffles: tuple[ShuffleStep, ...]
    cards: int
    since_ms: int
    stage: Literal["keys", "shuffles", "hands", "looks"]


class ScoreRound(Data, frozen=True, kw_only=True):
    """One finished round; `points` by seat (`None`: was not at the table). `call_held` is `None` if nobody called."""

    number: int
    points: tuple[int | None, ...]
    caller: int | None = None
    call_held: bool | None = None
    resets: Indices = ()


class ScoreSheet(Data, frozen=True, kw_only=True):
    rounds: tuple[ScoreRound, ...] = ()
    totals: tuple[int, ...] = ()
    rounds_in_match: int = 0
    """0: the match ends by points, see `target`."""
    target: int = 0
    target_when: Literal["over", "reached"] = "over"
    conduct: tuple[Say, ...] = ()
    """What the match's snap races show of its players, if anything: shares that came late, races in dispute. A key that
    ends in `_warn` tells of more than bad luck explains. Nothing follows from it."""


class ResultRow(Data, frozen=True, kw_only=True):
    """One hand at the end: `cards` by position (`None` is a gap), what each counts, and what the round gave."""

    seat: int
    cards: tuple[str | None, ...]
    values: tuple[int | None, ...]
    hand: int
    points: int
    notes: tuple[Say, ...] = ()


class Verdict(Data, frozen=True, kw_only=True):
    """Your own peer's audit of a round. `verdict` is "valid", "pending" while it runs, or a class of the auditor."""

    verdict: str
    reason: str = ""
    seat: int | None = None
    step: int | None = None
    signatures: int = 0
    proofs: int = 0
    moves: int = 0
    cards: int = 0
    races: int = 0
    signed: Indices = ()


class RoundResult(Data, frozen=True, kw_only=True):
    number: int
    ended: Literal["called", "stock", "stopped", "forfeit"]
    caller: int | None
    call_held: bool | None
    rows: tuple[ResultRow, ...]
    verdict: Verdict
    match_over: bool = False
    winners: Indices = ()


class Witness(Data, frozen=True, kw_only=True):
    seat: int
    after_ms: int | None = None


class Caught(Data, frozen=True, kw_only=True):
    """A peer whose message was refused, in the terms people need: what it did, what it changed, what happens now."""

    seat: int
    verdict: str
    round: int
    step: int
    slot: str
    what: Say
    harm: Say
    place: Spot | None = None
    words: Words = ()
    found_by: tuple[Witness, ...] = ()
    next: Literal["redeal", "goes_on", "match_over"] = "redeal"
    evidence: str = ""
    """File the evidence was written to, or "" if it only stands in the journal so far."""


class Table(Data, frozen=True, kw_only=True):
    """A table in play, as one seat may see it. Seats are in playing order (clockwise)."""

    name: str
    rules: str
    """Name of the rule set, for people ("Sheffield Kaboo")."""
    preset: str
    changes: int
    """Keys that differ from the preset."""
    you: int | None
    round: int
    phase: Literal["dealing", "first_look", "turn", "drawn", "power", "gift", "last_snaps", "round_over", "stopped"]
    seats: tuple[Seat, ...]
    dealer: int
    turn: int | None = None
    stock: int = 0
    discard: Discard = Discard()
    held: Held | None = None
    gift_to: Spot | None = None
    """The gap that waits for a gift; `gift_from` has to choose."""
    gift_from: int | None = None
    power: Literal["", "peek", "spy", "swap", "look-swap", "look-two-swap"] = ""
    timer: Timer | None = None
    """Runs for the seat at turn, the giver, or everybody between rounds."""
    look: Timer | None = None
    """Runs while you look at a card (`Place.why == "looking"`)."""
    todo: Say | None = None
    """The one sentence that says what to do, or for whom everybody waits, where phase and choices do not say it; left
    out, the interface words it from them (so every interface needs those sentences, and the peer only exceptions)."""
    detail: Say | None = None
    choices: tuple[Choice, ...] = ()
    pending: Say | None = None
    """What you have decided and your peer will send as soon as the discard has been in view long enough."""
    caller: int | None = None
    memory: Literal["classic", "assisted"] = "classic"
    dealing: Dealing | None = None
    race: Race | None = None
    log: tuple[LogLine, ...] = ()
    """The newest lines, oldest first, at most 60; all of them through `ShowLog`."""
    scores: ScoreSheet = ScoreSheet()
    result: RoundResult | None = None
    caught: Caught | None = None
    words: Words = ()
    """Four words of the history's head: whoever reads the same words sees the same game."""
    steps: int = 0
    practice: bool = False
    """A fixed deck in the rules engine alone, without other peers and without any shuffle."""
    coach: Say | None = None
    """A hint of the tutorial, for this moment."""
    decided_on: int = 0
    """Number of the snapshot since which your choices mean the same; older decisions are refused."""
    top_since: int = 0
    """Number of the snapshot since which this card is on top of the discard; older snaps are refused."""


# ---------------------------------------------------------------- before and beside the table


class Person(Data, frozen=True, kw_only=True):
    name: str
    words: Words = ()


class FoundTable(Data, frozen=True, kw_only=True):
    """An open table announced in this network."""

    id: str
    name: str
    rules: str
    taken: int
    wanted: int
    playing: bool = False


class Unfinished(Data, frozen=True, kw_only=True):
    """A table with a seat of yours to go back to. `kept_until_ms` if the others' peers still wait for you."""

    id: str
    name: str
    round: int
    kept_until_ms: int | None = None


class RulesName(Data, frozen=True, kw_only=True):
    """A preset or a saved rule set. `changes` counts the keys that differ from `preset`."""

    id: str
    name: str
    preset: str
    changes: int = 0
    players_min: int = 2
    players_max: int = 8


class Friend(Data, frozen=True, kw_only=True):
    """Somebody in the lobby. `route` is how their peer is reached, `via` the member who passes messages on."""

    key: str
    name: str
    words: Words
    you: bool = False
    bot: bool = False
    route: Literal["self", "lan", "ipv6", "direct", "mapped", "punched", "relay", "none"] = "direct"
    via: str = ""
    ping_ms: float | None = None
    ready: bool = False
    matches: int = 0
    """Matches played together before; 0: new to you."""
    words_match: bool = False
    """You have said that the words were the same on both screens."""


class Reach(Data, frozen=True, kw_only=True):
    """One way in which others may or may not reach this computer."""

    way: Literal["lan", "ipv6", "mapping", "address", "punch", "relay"]
    state: Literal["yes", "no", "trying"]
    detail: str = ""


class Lobby(Data, frozen=True, kw_only=True):
    """Before the first card. A guest has no invite (`invite`, `link` and `qr` are empty), and `name` and `rules.name`
    may be "" until the opener's offer."""

    name: str
    opener: bool
    private: bool
    invite: str
    link: str
    qr: tuple[str, ...]
    """Rows of the invite's QR code: "1" is dark, without the quiet zone."""
    expires_at_ms: int | None
    seats: int
    friends: tuple[Friend, ...]
    rules: RulesName
    reach: tuple[Reach, ...] = ()
    can_start: bool = False
    waiting_for: tuple[str, ...] = ()
    """Names of those who are not ready yet."""
    problem: Say | None = None


class Settings(Data, frozen=True, kw_only=True):
    """Kept by the peer: a page has a new origin with every port, so it cannot keep anything itself."""

    theme: Literal["auto", "light", "dark"] = "auto"
    four_colours: bool = False
    motion: Literal["auto", "normal", "fast", "none"] = "auto"
    sound: bool = True
    volume: Annotated[int, Meta(ge=0, le=100)] = 60
    notify: Literal["off", "hidden", "always"] = "hidden"
    """When to raise a notification of the system: never, while the page is out of sight, always."""
    hints: bool = True
    confirm_calls: bool = True
    language: ShortText = "en"


class Styles(Data, frozen=True, kw_only=True):
    """A way of playing that a bot can have."""

    id: str
    name: str


class Snapshot(Data, tag="snapshot", frozen=True, kw_only=True):
    """Everything a screen shows. Complete in itself: a client that missed any number of snapshots needs only this.

    `screen` is what the peer is doing; tutorial pages, the rules editor, history and the like are the client's own.
    """

    number: int
    now_ms: int
    screen: Literal["start", "joining", "lobby", "table"]
    me: Person
    settings: Settings = Settings()
    tables: tuple[FoundTable, ...] = ()
    unfinished: tuple[Unfinished, ...] = ()
    rules: tuple[RulesName, ...] = ()
    styles: tuple[Styles, ...] = ()
    lobby: Lobby | None = None
    table: Table | None = None
    notice: Say | None = None
    """Something that concerns the whole program: a table is gone, joining failed and why."""


# ---------------------------------------------------------------- what just happened (for motion and sound)


class Event(Data, frozen=True, kw_only=True):
    """Comes *before* the snapshot in which its result stands, whose number it carries."""

    snapshot: int


class CardMoved(Event, tag="card_moved", frozen=True, kw_only=True):
    """A card travelled. `face` only if everybody, or you, may see it while it does."""

    cause: Literal["deal", "draw", "take", "exchange", "discard", "swap", "snap", "gift", "penalty", "return", "extra"]
    seat: int | None
    start: Spot
    end: Spot
    face: str | None = None


class CardShown(Event, tag="card_shown", frozen=True, kw_only=True):
    """A card was turned up for everybody where it lies, and turned back unless it moves on."""

    cause: Literal["wrong_snap", "right_snap", "mismatch", "reveal"]
    spot: Spot
    face: str


class Looked(Event, tag="looked", frozen=True, kw_only=True):
    """A seat looked at a card. `face` only if the looker is you."""

    seat: int
    spot: Spot
    face: str | None = None


class TurnBegan(Event, tag="turn_began", frozen=True, kw_only=True):
    seat: int
    final: bool = False


class Called(Event, tag="called", frozen=True, kw_only=True):
    seat: int


class Raced(Event, tag="raced", frozen=True, kw_only=True):
    race: Race


class Reshuffled(Event, tag="reshuffled", frozen=True, kw_only=True):
    cards: int


class RoundEnded(Event, tag="round_ended", frozen=True, kw_only=True):
    number: int


class CheatCaught(Event, tag="cheat_caught", frozen=True, kw_only=True):
    caught: Caught


class SeatChanged(Event, tag="seat_changed", frozen=True, kw_only=True):
    """Somebody came, went, came back, or was lost."""

    seat: int
    link: Literal["here", "away", "left", "forfeit"]


AnyEvent = (
    CardMoved | CardShown | Looked | TurnBegan | Called | Raced | Reshuffled | RoundEnded | CheatCaught | SeatChanged
)


# ---------------------------------------------------------------- commands


class Command(Data, frozen=True, kw_only=True):
    """`snapshot`: number of the snapshot the player was looking at. A command about the table decided before
    `Table.decided_on` (a snap: before `Table.top_since`) is refused as `stale` and nothing is sent."""

    snapshot: int = 0


class PlayBots(Command, tag="play_bots", frozen=True, kw_only=True):
    bots: Annotated[int, Meta(ge=1, le=7)] = 3
    style: ShortText = ""
    """Id of a style; "" lets every bot have its own."""
    rules: ShortText = "sheffield"
    overrides: dict[ShortText, Value] = {}
    hints: bool = False
    """Coach this game (the last part of the tutorial)."""


class Host(Command, tag="host", frozen=True, kw_only=True):
    name: ShortText
    seats: Annotated[int, Meta(ge=2, le=8)]
    rules: ShortText
    overrides: dict[ShortText, Value] = {}
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
    overrides: dict[ShortText, Value] = {}


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


# ---------------------------------------------------------------- what a command may bring back


class RuleRow(Data, frozen=True, kw_only=True):
    """One key of a rule set. `quote` is the sentence of the rule text it comes from."""

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


# ---------------------------------------------------------------- the conversation


class Hello(Data, tag="hello", frozen=True, kw_only=True):
    """First message of every client: the launch token from the URL's fragment."""

    token: Annotated[str, Meta(max_length=128)]
    api: int = API_VERSION


class Ask(Data, tag="ask", frozen=True, kw_only=True):
    """Any later message of a client: a command with the client's own number for it."""

    id: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    command: AnyCommand


class Welcome(Data, tag="welcome", frozen=True, kw_only=True):
    """The server's answer to a good hello; the first snapshot follows at once."""

    api: int = API_VERSION
    version: str = ""


FromClient = Hello | Ask
FromServer = Welcome | Snapshot | AnyEvent | Reply


class News(Protocol):
    """One subscriber's stream: an async generator and a Trio receive channel both are one."""

    def __aiter__(self) -> AsyncIterator[Snapshot | AnyEvent]: ...

    async def aclose(self) -> None: ...


class Backend(Protocol):
    """What a peer offers to its user interfaces; `local_server` and the terminal talk to nothing else.

    All methods are called from one Trio thread. `command` must not wait for people or for other peers: it accepts or
    refuses at once, and what follows is seen in later snapshots.
    """

    def now_ms(self) -> int:
        """The peer's monotonic clock, in milliseconds: the time base of every `…_at_ms`."""
        ...

    def snapshot(self) -> Snapshot:
        """The state now. Cheap: the server may call it whenever a client is ready for the newest one."""
        ...

    def subscribe(self) -> News:
        """Everything from now on, each event before the snapshot that holds its result. Any number of subscribers;
        one that stops reading must neither block the peer nor make it buffer without end."""
        ...

    async def command(self, command: AnyCommand, *, arrived_ns: int) -> Reply:
        """Carry out a command, or refuse it. `arrived_ns` is `time.monotonic_ns()` at the socket read: what decides a
        snap race, so the server takes it before it decodes anything."""
        ...

"""A table in play, as one seat may see it."""

from __future__ import annotations

from typing import Literal

from p2pkaboo.peer.vocabulary.basics import Data, Indices, Say, Spot, Timer, Words
from p2pkaboo.peer.vocabulary.outcome import Caught, RoundResult, ScoreSheet


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
    link: Literal["here", "silent", "away", "left", "forfeit"] = "here"
    """"silent": connected, and everybody waits for its word, which is long due."""
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

"""The local API: everything a user interface may say to its peer and hear from it.

The web page and the terminal are equal clients of this module, and the only names that they share with the peer are
the ones here. Their meanings stand in `vocabulary`, by subject: data types that import nothing else of the package, so
an interface never depends on how the peer works inside. `docs/reference/local-api.md` explains the conversation;
`local_server` speaks it as JSON over a WebSocket.

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
from typing import Annotated, Protocol

from msgspec import Meta

from p2pkaboo.peer.vocabulary.basics import Data as Data
from p2pkaboo.peer.vocabulary.basics import Index as Index
from p2pkaboo.peer.vocabulary.basics import Indices as Indices
from p2pkaboo.peer.vocabulary.basics import LongText as LongText
from p2pkaboo.peer.vocabulary.basics import Say as Say
from p2pkaboo.peer.vocabulary.basics import ShortText as ShortText
from p2pkaboo.peer.vocabulary.basics import Spot as Spot
from p2pkaboo.peer.vocabulary.basics import Timer as Timer
from p2pkaboo.peer.vocabulary.basics import Value as Value
from p2pkaboo.peer.vocabulary.basics import Words as Words
from p2pkaboo.peer.vocabulary.commands import AnyCommand as AnyCommand
from p2pkaboo.peer.vocabulary.commands import CallRound as CallRound
from p2pkaboo.peer.vocabulary.commands import CheckTranscript as CheckTranscript
from p2pkaboo.peer.vocabulary.commands import Command as Command
from p2pkaboo.peer.vocabulary.commands import DeleteRules as DeleteRules
from p2pkaboo.peer.vocabulary.commands import DiscardDrawn as DiscardDrawn
from p2pkaboo.peer.vocabulary.commands import Draw as Draw
from p2pkaboo.peer.vocabulary.commands import Exchange as Exchange
from p2pkaboo.peer.vocabulary.commands import Give as Give
from p2pkaboo.peer.vocabulary.commands import Host as Host
from p2pkaboo.peer.vocabulary.commands import Join as Join
from p2pkaboo.peer.vocabulary.commands import Leave as Leave
from p2pkaboo.peer.vocabulary.commands import NoGift as NoGift
from p2pkaboo.peer.vocabulary.commands import Peek as Peek
from p2pkaboo.peer.vocabulary.commands import PeekInitial as PeekInitial
from p2pkaboo.peer.vocabulary.commands import PlayBots as PlayBots
from p2pkaboo.peer.vocabulary.commands import Practice as Practice
from p2pkaboo.peer.vocabulary.commands import Ready as Ready
from p2pkaboo.peer.vocabulary.commands import Resume as Resume
from p2pkaboo.peer.vocabulary.commands import SaveRules as SaveRules
from p2pkaboo.peer.vocabulary.commands import SaveTranscript as SaveTranscript
from p2pkaboo.peer.vocabulary.commands import ScoreAdd as ScoreAdd
from p2pkaboo.peer.vocabulary.commands import ScoreNew as ScoreNew
from p2pkaboo.peer.vocabulary.commands import ScoreShow as ScoreShow
from p2pkaboo.peer.vocabulary.commands import ScoreUndo as ScoreUndo
from p2pkaboo.peer.vocabulary.commands import SeatBot as SeatBot
from p2pkaboo.peer.vocabulary.commands import Seen as Seen
from p2pkaboo.peer.vocabulary.commands import SetName as SetName
from p2pkaboo.peer.vocabulary.commands import SetSetting as SetSetting
from p2pkaboo.peer.vocabulary.commands import ShowHistory as ShowHistory
from p2pkaboo.peer.vocabulary.commands import ShowLog as ShowLog
from p2pkaboo.peer.vocabulary.commands import ShowReport as ShowReport
from p2pkaboo.peer.vocabulary.commands import ShowRules as ShowRules
from p2pkaboo.peer.vocabulary.commands import ShowSteps as ShowSteps
from p2pkaboo.peer.vocabulary.commands import Skip as Skip
from p2pkaboo.peer.vocabulary.commands import Snap as Snap
from p2pkaboo.peer.vocabulary.commands import Spy as Spy
from p2pkaboo.peer.vocabulary.commands import StartTable as StartTable
from p2pkaboo.peer.vocabulary.commands import StopMatch as StopMatch
from p2pkaboo.peer.vocabulary.commands import Swap as Swap
from p2pkaboo.peer.vocabulary.commands import Take as Take
from p2pkaboo.peer.vocabulary.commands import UnseatBot as UnseatBot
from p2pkaboo.peer.vocabulary.commands import WordsMatch as WordsMatch
from p2pkaboo.peer.vocabulary.events import AnyEvent as AnyEvent
from p2pkaboo.peer.vocabulary.events import Called as Called
from p2pkaboo.peer.vocabulary.events import CardMoved as CardMoved
from p2pkaboo.peer.vocabulary.events import CardShown as CardShown
from p2pkaboo.peer.vocabulary.events import CheatCaught as CheatCaught
from p2pkaboo.peer.vocabulary.events import Event as Event
from p2pkaboo.peer.vocabulary.events import Looked as Looked
from p2pkaboo.peer.vocabulary.events import Raced as Raced
from p2pkaboo.peer.vocabulary.events import Reshuffled as Reshuffled
from p2pkaboo.peer.vocabulary.events import RoundEnded as RoundEnded
from p2pkaboo.peer.vocabulary.events import SeatChanged as SeatChanged
from p2pkaboo.peer.vocabulary.events import TurnBegan as TurnBegan
from p2pkaboo.peer.vocabulary.lobby import FoundTable as FoundTable
from p2pkaboo.peer.vocabulary.lobby import Friend as Friend
from p2pkaboo.peer.vocabulary.lobby import Lobby as Lobby
from p2pkaboo.peer.vocabulary.lobby import Person as Person
from p2pkaboo.peer.vocabulary.lobby import Reach as Reach
from p2pkaboo.peer.vocabulary.lobby import RulesName as RulesName
from p2pkaboo.peer.vocabulary.lobby import Unfinished as Unfinished
from p2pkaboo.peer.vocabulary.outcome import Caught as Caught
from p2pkaboo.peer.vocabulary.outcome import ResultRow as ResultRow
from p2pkaboo.peer.vocabulary.outcome import RoundResult as RoundResult
from p2pkaboo.peer.vocabulary.outcome import ScoreRound as ScoreRound
from p2pkaboo.peer.vocabulary.outcome import ScoreSheet as ScoreSheet
from p2pkaboo.peer.vocabulary.outcome import Verdict as Verdict
from p2pkaboo.peer.vocabulary.outcome import Witness as Witness
from p2pkaboo.peer.vocabulary.replies import AnyResult as AnyResult
from p2pkaboo.peer.vocabulary.replies import History as History
from p2pkaboo.peer.vocabulary.replies import Knew as Knew
from p2pkaboo.peer.vocabulary.replies import KnownCard as KnownCard
from p2pkaboo.peer.vocabulary.replies import LogPage as LogPage
from p2pkaboo.peer.vocabulary.replies import PastMatch as PastMatch
from p2pkaboo.peer.vocabulary.replies import Reply as Reply
from p2pkaboo.peer.vocabulary.replies import Report as Report
from p2pkaboo.peer.vocabulary.replies import RuleRow as RuleRow
from p2pkaboo.peer.vocabulary.replies import RulesSheet as RulesSheet
from p2pkaboo.peer.vocabulary.replies import Saved as Saved
from p2pkaboo.peer.vocabulary.replies import ScorePad as ScorePad
from p2pkaboo.peer.vocabulary.replies import Step as Step
from p2pkaboo.peer.vocabulary.replies import Steps as Steps
from p2pkaboo.peer.vocabulary.snapshot import Settings as Settings
from p2pkaboo.peer.vocabulary.snapshot import Snapshot as Snapshot
from p2pkaboo.peer.vocabulary.snapshot import Styles as Styles
from p2pkaboo.peer.vocabulary.table import Choice as Choice
from p2pkaboo.peer.vocabulary.table import Dealing as Dealing
from p2pkaboo.peer.vocabulary.table import Discard as Discard
from p2pkaboo.peer.vocabulary.table import Held as Held
from p2pkaboo.peer.vocabulary.table import LogLine as LogLine
from p2pkaboo.peer.vocabulary.table import Place as Place
from p2pkaboo.peer.vocabulary.table import Race as Race
from p2pkaboo.peer.vocabulary.table import RaceEntry as RaceEntry
from p2pkaboo.peer.vocabulary.table import Seat as Seat
from p2pkaboo.peer.vocabulary.table import ShuffleStep as ShuffleStep
from p2pkaboo.peer.vocabulary.table import Table as Table

API_VERSION = 1
"""Raised whenever an older page could misread a newer peer; the page then asks to be reloaded."""


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

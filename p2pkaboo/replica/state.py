"""The replicated table as plain data: everything that follows from the messages, and nothing else.

`Deal` is one deal at one replica. It holds no secret, no clock and no seat of its own: peers, auditor and simulator
keep the same one. The functions that change it are in `table` (messages in), `main_line`, `lanes`, `window`,
`shuffling` and `ending`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pkaboo.crypto.elgamal import Ciphertext
from p2pkaboo.crypto.group import Point
from p2pkaboo.replica.charter import Charter
from p2pkaboo.replica.faults import Fault, LocalError
from p2pkaboo.replica.outputs import Output
from p2pkaboo.replica.race import Judgement, RaceFacts
from p2pkaboo.rules.moves import Move
from p2pkaboo.rules.scoring import RoundScore
from p2pkaboo.rules.state import Handle, State
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.slot import Slot


@dataclass(frozen=True, slots=True)
class Asked:
    """A private view that was asked for: who, which card, its a and the blinded a′."""

    viewer: int
    handle: Handle
    original: Point
    blinded: Point


@dataclass(slots=True)
class View:
    """A private view with the shares x_p·a′ given so far by the other seats."""

    slot: Slot
    asked: Asked
    shares: dict[int, Point] = field(default_factory=dict)


@dataclass(slots=True)
class Step:
    """An open step. `why` says what it is for; `handles` are the cards it opens, `asks` the views it serves.

    `said`: messages accepted; `checking`: messages whose proofs are under verification.
    """

    slot: Slot
    kind: str
    head: bytes
    required: tuple[int, ...]
    why: str = ""
    handles: tuple[Handle, ...] = ()
    asks: tuple[Asked, ...] = ()
    said: dict[int, Envelope] = field(default_factory=dict)
    checking: dict[int, Envelope] = field(default_factory=dict)

    def waits_for(self) -> tuple[int, ...]:
        """The seats whose message is not accepted yet."""
        return tuple(seat for seat in self.required if seat not in self.said)


@dataclass(frozen=True, slots=True)
class Closed:
    """A completed step, as the history keeps it."""

    slot: Slot
    kind: str
    head: bytes
    said: Mapping[int, Envelope]
    why: str
    handles: tuple[Handle, ...]


@dataclass(slots=True)
class Shuffled:
    """One SHUFFLE of a series. `holds`: the verdict on its proof, None until there is one; `reason`: why it fails."""

    envelope: Envelope
    holds: bool | None = None
    reason: str = ""


@dataclass(slots=True)
class Series:
    """All seats' SHUFFLEs of one deck, one after another: `said` so far, `done` of them accepted."""

    why: str
    number: int
    seats: tuple[int, ...]
    deck: tuple[Ciphertext, ...]
    entering: tuple[Handle, ...]
    done: int = 0
    said: list[Shuffled] = field(default_factory=list)
    decoded: dict[bytes, tuple[Ciphertext, ...]] = field(default_factory=dict)
    """Decks under examination, by envelope hash: decoding one takes as long as a share of its proof."""


@dataclass(slots=True)
class Attempt:
    """A SNAP in service: the target is known from its REVEAL on."""

    seat: int
    handle: Handle | None = None
    target_class: str = ""
    nonce: bytes = b""


@dataclass(slots=True)
class RaceRecord:
    """A window that held SNAPs: for the log, the players and the auditor."""

    slot: Slot
    discard: Handle
    facts: RaceFacts
    claims: dict[int, int]
    judgement: Judgement
    outcomes: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class Lanes:
    """A pair of lanes. `base`: the state where they began; `now`: that state and the window lane's snaps so far."""

    number: int
    base: State
    start: bytes
    now: State
    window_head: bytes
    draw_head: bytes
    window: Step | None = None
    next_index: int = 0
    at_window: State | None = None
    """The state in which the current window opened: snaps are judged on it."""
    facts: RaceFacts | None = None
    queue: list[Attempt] = field(default_factory=list)
    serving: Attempt | None = None
    disputed: bool = False
    draw: Step | None = None
    drawn: bool = False
    """The draw lane is complete."""
    closed: bool = False
    """The window lane is complete (or never was)."""
    last: Closed | None = None
    """The last step that was completed: the one before the next window."""
    zero: Closed | None = None
    """The step before the current window: its last foreign message is the instant zero of the race."""


@dataclass(frozen=True, slots=True)
class Made:
    """A move that was carried out: the slot whose step completed it, and the stock if it had to be reshuffled."""

    slot: Slot
    move: Move
    reshuffled: tuple[Handle, ...] | None


@dataclass(slots=True)
class Totals:
    """What one deal hands on to the next."""

    totals: tuple[int, ...]
    used_reset: tuple[int, ...]
    round_no: int


@dataclass(slots=True)
class Deal:
    """One deal: see the module's docstring."""

    table: bytes
    charter: Charter
    deal: int
    dealer: int
    active: tuple[int, ...]
    standing: Totals
    head: bytes
    """Head of the last completed main step; H_0 before the first."""
    publics: dict[int, Point] = field(default_factory=dict)
    joint: Point | None = None
    number: int = 0
    """Number of the last main step (steps that pass without a message count)."""
    cards: dict[Handle, Ciphertext] = field(default_factory=dict)
    order: tuple[Handle, ...] = ()
    """The handles of the deal's deck, top first."""
    faces: dict[Handle, str] = field(default_factory=dict)
    """Every face that was opened publicly in this deal, hand cards at the end included."""
    opened: dict[Handle, tuple[bytes, ...]] = field(default_factory=dict)
    """The share elements (seats ascending) of the last public opening of a card."""
    opened_at: dict[Handle, dict[int, int]] = field(default_factory=dict)
    """`elapsed` of each seat's share of that opening."""
    views: list[View] = field(default_factory=list)
    windows: dict[Handle, int] = field(default_factory=dict)
    """How many windows each discard has had."""
    shuffles: int = 0
    main: Step | None = None
    lanes: Lanes | None = None
    draw_lane: bool = False
    """Whether the lanes that the open ACTION joined had a draw lane."""
    series: Series | None = None
    game: State | None = None
    action: Move | None = None
    action_seat: int = 0
    action_slot: Slot | None = None
    action_asks: tuple[View, ...] = ()
    action_opened: tuple[Handle, ...] = ()
    """Cards that the move in hand has opened so far: only these may it place on the pile."""
    claimed: frozenset[str] | None = None
    fresh: tuple[Handle, ...] | None = None
    """Handles of a reshuffled stock that the move in hand has not used yet."""
    secrets: dict[int, int] = field(default_factory=dict)
    """Disclosed keys."""
    score: RoundScore[int] | None = None
    results: dict[int, Envelope] = field(default_factory=dict)
    over: bool = False
    fault: Fault | None = None
    history: list[Closed] = field(default_factory=list)
    """Completed steps in the order in which this replica completed them; `history.ordered` sorts them."""
    starts: dict[int, bytes] = field(default_factory=dict)
    """The head at which each pair of lanes began, by its number."""
    races: list[RaceRecord] = field(default_factory=list)
    moves: list[Made] = field(default_factory=list)
    """The moves that the engine carried out."""
    elapsed: dict[tuple[int, str], int] = field(default_factory=dict)
    """Last elapsed time by seat and line ("m", "d", "w")."""
    early: dict[Slot, dict[int, Envelope]] = field(default_factory=dict)
    """Signed messages for steps that are not open yet."""
    astray: dict[int, int] = field(default_factory=dict)
    """How many messages of a seat are held for slots where its history must be another one."""
    held: dict[tuple[Slot, int], Envelope] = field(default_factory=dict)
    """Every signed message received, by slot and seat: a different second one is equivocation."""
    out: list[Output] = field(default_factory=list)

    checking: dict[bytes, tuple[Slot, int]] = field(default_factory=dict)
    """Envelopes under verification, by hash."""

    @property
    def state(self) -> State:
        """The game as it stands, without a draw that is still in its lane. LocalError before anything is dealt."""
        state = self.lanes.now if self.lanes is not None else self.game
        if state is None:
            raise LocalError("nothing is dealt yet")
        return state

    def key(self) -> Point:
        """The joint key H. LocalError before KEYS is complete."""
        if self.joint is None:
            raise LocalError("the keys are not complete yet")
        return self.joint

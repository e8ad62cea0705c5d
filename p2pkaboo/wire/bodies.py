"""The body of every message kind, as typed positional records.

Fixed-size byte strings (points, scalars, hashes, proofs) are checked for length here and decoded to their types by the
layer that verifies them. Limits are those of `limits`.
"""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from p2pkaboo.wire.limits import (
    MAX_CARDS,
    MAX_CLAIM_MS,
    MAX_FRAME,
    MAX_INDEX,
    MAX_ITEMS,
    MAX_MOVE,
    MAX_NAME,
    MAX_POINTS,
    MAX_SEATS,
    MAX_STAMP_US,
)
from p2pkaboo.wire.names import check_name

B32 = Annotated[bytes, Meta(min_length=32, max_length=32)]
B64 = Annotated[bytes, Meta(min_length=64, max_length=64)]
Seat = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Count = Annotated[int, Meta(ge=0, le=MAX_CARDS)]
Points = Annotated[int, Meta(ge=-MAX_POINTS, le=MAX_POINTS)]
Stamp = Annotated[int, Meta(ge=-MAX_STAMP_US, le=MAX_STAMP_US)]
Handle = tuple[Annotated[int, Meta(ge=1, le=MAX_INDEX)], Count]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Blob = Annotated[bytes, Meta(max_length=MAX_FRAME)]
SeatList = Annotated[tuple[Seat, ...], Meta(max_length=MAX_SEATS)]
RacePreset = Literal["auto", "lan", "wan"]
"""The numbers wished for snap races; `auto`: what the links turn out to be."""


class Body(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all bodies: positional, nothing left out, nothing added."""


class Share(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's share x_p·a of one card (or of a blinded one) with the proof that it is that."""

    share: B32
    proof: B64


Shares = Annotated[tuple[Share, ...], Meta(max_length=MAX_CARDS)]


class Ask(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A private view asked for: the card, a′ = a + ρ·G, and the proof of knowing ρ."""

    handle: Handle
    blinded: B32
    proof: B64


class Join(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """f0. A newcomer: its identity key, its name, and a commitment to the nonce it will give."""

    key: B32
    name: Name
    commitment: B64

    def __post_init__(self) -> None:
        check_name(self.name)


class Offer(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """f1. The opener's offer: the JOIN envelopes taken, the rules in plain values, the race preset wished for."""

    joins: Annotated[tuple[Blob, ...], Meta(min_length=2, max_length=MAX_SEATS)]
    rules: Annotated[tuple[tuple[str, object], ...], Meta(max_length=MAX_ITEMS)]
    race: RacePreset


class Nonce(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """f2. A newcomer's 32-byte nonce and its own largest ping median, in microseconds."""

    nonce: B32
    ping_us: Annotated[int, Meta(ge=0, le=MAX_STAMP_US)]


class CharterWord(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """f3. Agreement to the charter: its hash, which every seat computes for itself."""

    charter: B64


class Keys(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The seat's public key H_p of this deal with the proof of knowing x_p."""

    public: B32
    proof: B64


class Shuffle(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's remasked permutation of the deck (64 bytes a card) and its Terelius–Wikström proof."""

    deck: Annotated[bytes, Meta(min_length=64, max_length=64 * MAX_CARDS)]
    proof: Blob


class Ready(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The seat is ready for the next deal; which lost seats it would let sit down again."""

    back: SeatList


class Open(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Shares of the cards that this step opens to everybody, in the step's order."""

    shares: Shares


class View(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The first look: what this seat asks to see."""

    asks: Annotated[tuple[Ask, ...], Meta(max_length=MAX_CARDS)]


class Serve(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Shares for the views asked for by other seats, seats ascending, each seat's asks in their order."""

    shares: Shares


class Seen(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The seat's player has looked (in classic memory mode: its time is over)."""


class Draw(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The seat at turn asks to see the top card of the stock."""

    ask: Ask


class Snap(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A snap: own time from zero to the press (ms), Q, the commitment to the target, its class where it is shown."""

    claim_ms: Annotated[int, Meta(ge=0, le=MAX_CLAIM_MS)]
    q: B64
    commitment: B64
    shown_class: Literal["", "own", "other"]


class NoSnap(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """No snap of this seat in this window; the hash of the SNAP that it answers, or nothing."""

    answers: Annotated[bytes, Meta(max_length=64)]

    def __post_init__(self) -> None:
        if len(self.answers) not in (0, 64):
            raise ValueError(f"what a NONE answers is a hash of 64 bytes or nothing, not {len(self.answers)} bytes")


class Measure(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What one witness measured of one snapper, microseconds from the witness's own zero; None: lost in a restart.

    `arrival` of the SNAP; `full`: when all of the zero but the snapper's message was held; `sent`: when the witness
    sent the snapper its own message of that step (None: it sent none); `rtt`: the capped median round trip; `given_up`:
    when the witness was free to give up waiting (end of its exposure, or the acting seat's answer if that is later).
    """

    seat: Seat
    arrival: Stamp | None
    full: Stamp | None
    sent: Stamp | None
    rtt: Stamp
    given_up: Stamp | None


class Lateness(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How late one seat's share of the discard came at the witness, after the last of the others', microseconds."""

    seat: Seat
    late: Stamp


class Witness(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's testimony on a window that holds a SNAP."""

    measures: Annotated[tuple[Measure, ...], Meta(max_length=MAX_SEATS)]
    lateness: Annotated[tuple[Lateness, ...], Meta(max_length=MAX_SEATS)]


class Reveal(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Opens a snap's commitment: class, target and nonce."""

    target_class: Literal["own", "other"]
    handle: Handle
    nonce: B32


class Gift(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The card given into the gap, or none."""

    handle: Handle | None


class Action(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The acting seat's move in plain values, the view it asks for, and the proof about its drawn card, where due."""

    move: Annotated[tuple[object, ...], Meta(min_length=1, max_length=MAX_MOVE)]
    ask: Ask | None
    claim: Blob


class Disclose(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The seat's secret key x_p of this deal."""

    secret: B32


class Result(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The round's result as this seat computed it after its own audit; seats ascending."""

    hands: Annotated[tuple[Points, ...], Meta(max_length=MAX_SEATS)]
    round: Annotated[tuple[Points, ...], Meta(max_length=MAX_SEATS)]
    totals: Annotated[tuple[Points, ...], Meta(max_length=MAX_SEATS)]
    reset: SeatList
    over: bool
    winners: SeatList


class Leave(Body, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The seat leaves the match for good."""


BODIES: Final[dict[str, type[Body]]] = {
    "JOIN": Join,
    "OFFER": Offer,
    "NONCE": Nonce,
    "CHARTER": CharterWord,
    "KEYS": Keys,
    "SHUFFLE": Shuffle,
    "READY": Ready,
    "OPEN": Open,
    "VIEW": View,
    "SERVE": Serve,
    "SEEN": Seen,
    "DRAW": Draw,
    "SNAP": Snap,
    "NONE": NoSnap,
    "WITNESS": Witness,
    "REVEAL": Reveal,
    "GIFT": Gift,
    "ACTION": Action,
    "OPEN1": Open,
    "OPEN2": Open,
    "DISCLOSE": Disclose,
    "RESULT": Result,
    "LEAVE": Leave,
}
"""Every message kind and the type of its body."""


def to_plain(body: Body) -> list[object]:
    """The body as nested lists of wire values."""
    plain = msgspec.to_builtins(body, builtin_types=(bytes,), order=None)
    assert isinstance(plain, list | tuple)
    return list(plain)


def from_plain(kind: str, plain: object) -> Body:
    """The typed body of `kind`. Raises ValueError naming the field that is wrong."""
    try:
        return msgspec.convert(plain, BODIES[kind], strict=True, builtin_types=(bytes,))
    except KeyError:
        raise ValueError(f"unknown message kind {kind!r}") from None
    except msgspec.ValidationError as error:
        raise ValueError(f"{kind}: {error}") from None

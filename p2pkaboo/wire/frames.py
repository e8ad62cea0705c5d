"""Link frames: what two peers say to each other over one link, around the envelopes and beside them.

A frame is the canonical array [type, fields…]. Only envelopes are part of the game; the rest keeps the links going and
is worth nothing as evidence. Pings have a domain tag and a fixed length of their own: no signature of a ping is ever
one of an envelope.
"""

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from p2pkaboo.crypto.identity import Identity, PublicIdentity, verify
from p2pkaboo.wire.bodies import B32, B64, Name, RacePreset
from p2pkaboo.wire.codec import DecodeError, decode, encode
from p2pkaboo.wire.limits import (
    MAX_ADDRESSES,
    MAX_DEAL,
    MAX_ENVELOPE,
    MAX_HOST,
    MAX_INDEX,
    MAX_MEMBERS,
    MAX_NAME,
    MAX_NUMBER,
    MAX_OPEN,
    MAX_SEATS,
    MAX_WISH,
    MAX_WISH_RULES,
    NONCE_BYTES,
)
from p2pkaboo.wire.names import check_name
from p2pkaboo.wire.slot import LANES, Slot
from p2pkaboo.wire.tags import PING

PingNonce = Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]
DealNumber = Annotated[int, Meta(ge=0, le=MAX_DEAL)]
Address = tuple[Annotated[str, Meta(min_length=1, max_length=MAX_HOST)], Annotated[int, Meta(ge=1, le=65535)]]
"""Host (name, IPv4 or IPv6 address) and port."""
Addresses = Annotated[tuple[Address, ...], Meta(max_length=MAX_ADDRESSES)]


class _Positional(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all frames: positional, nothing left out, nothing added."""


class EnvelopeFrame(_Positional, frozen=True):
    """0. An envelope, the sender's own or a forwarded one (see `envelope`)."""

    data: Annotated[bytes, Meta(min_length=1, max_length=MAX_ENVELOPE)]


class Held(_Positional, frozen=True):
    """What the sender holds of one open step: bit s of `seats` is set when it holds the message of seat s."""

    number: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    lane: Annotated[int, Meta(ge=0, lt=len(LANES))]
    index: Annotated[int, Meta(ge=0, le=MAX_INDEX)]
    seats: Annotated[int, Meta(ge=0, lt=1 << MAX_SEATS)]

    def __post_init__(self) -> None:
        if not self.slot.is_valid():
            raise ValueError(f"no such slot: {self.slot!r}")

    @property
    def slot(self) -> Slot:
        """The step's place."""
        return Slot(self.number, LANES[self.lane], self.index)


def held(slot: Slot, seats: int) -> Held:
    """What is held of the step at `slot`; `seats` as in `Held`."""
    return Held(slot.number, LANES.index(slot.lane), slot.index, seats)


class Have(_Positional, frozen=True):
    """1. How far the sender is and what it holds of the steps open there, so that others send what is missing.

    `deal`: its deal, 0 until the charter exists; `attempt`: its attempt at forming the table; `open`: its open steps.
    """

    deal: DealNumber
    attempt: DealNumber
    open: Annotated[tuple[Held, ...], Meta(max_length=MAX_OPEN)]


class Ping(_Positional, frozen=True):
    """2. A fresh nonce, to be sent back at once (see `seal_ping`)."""

    nonce: PingNonce
    signature: B64


class Pong(_Positional, frozen=True):
    """3. The answer: the nonce of the ping, signed by the one who answers."""

    nonce: PingNonce
    signature: B64


class Hello(_Positional, frozen=True):
    """4. The first frame of a link: the sender's name and where it can be reached."""

    name: Name
    addresses: Addresses

    def __post_init__(self) -> None:
        check_name(self.name)


class Members(_Positional, frozen=True):
    """5. Identity keys that the sender knows at this table, each with the addresses it knows of it."""

    members: Annotated[tuple[tuple[B32, Addresses], ...], Meta(max_length=MAX_MEMBERS)]


class Wish(_Positional, frozen=True):
    """6. What the opener is going to offer, for newcomers to read before they join. It binds nobody: the OFFER does.

    `name`: the table's, "" if it has none; `rules`, `race`: as in an OFFER; `chairs`: how many may sit.
    """

    name: Annotated[str, Meta(max_length=MAX_NAME)]
    rules: Annotated[tuple[tuple[str, object], ...], Meta(max_length=MAX_WISH_RULES)]
    race: RacePreset
    chairs: Annotated[int, Meta(ge=2, le=MAX_SEATS)]

    def __post_init__(self) -> None:
        if self.name:
            check_name(self.name)


Frame: TypeAlias = EnvelopeFrame | Have | Ping | Pong | Hello | Members | Wish

FRAMES: Final[tuple[type[Frame], ...]] = (EnvelopeFrame, Have, Ping, Pong, Hello, Members, Wish)
"""The frames; the number of each is its place in this tuple."""


def encode_frame(frame: Frame) -> bytes:
    """The canonical bytes of a frame. Raises DecodeError for one that the other end would refuse."""
    if isinstance(frame, EnvelopeFrame):  # by far the most and the largest: one look at the size tells all
        if not 1 <= len(frame.data) <= MAX_ENVELOPE:
            raise DecodeError(f"EnvelopeFrame: an envelope has 1 to {MAX_ENVELOPE} bytes, this one {len(frame.data)}")
        return encode([FRAMES.index(EnvelopeFrame), frame.data])
    fields = msgspec.to_builtins(frame, builtin_types=(bytes,))
    data = encode([FRAMES.index(type(frame)), *fields])
    decode_frame(data)
    return data


def decode_frame(data: bytes) -> Frame:
    """Decodes strictly. Raises DecodeError naming the field that is wrong, and nothing else."""
    value = decode(data)
    if not isinstance(value, list) or not value:
        raise DecodeError("a frame is an array that begins with its type")
    kind = value[0]
    if type(kind) is not int or not 0 <= kind < len(FRAMES):
        raise DecodeError(f"unknown frame type {kind!r:.20}")
    frame = FRAMES[kind]
    if frame is Wish and len(data) > MAX_WISH:
        raise DecodeError(f"Wish: the frame has at most {MAX_WISH} bytes, this one {len(data)}")
    try:
        return msgspec.convert(value[1:], frame, strict=True, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        raise DecodeError(f"{frame.__name__}: {error}") from None


def _pinged(frame: type[Ping] | type[Pong], receiver: PublicIdentity, nonce: bytes) -> bytes:
    """What a ping's signature covers, 49 bytes: its frame type, the key that it is meant for, the nonce."""
    return bytes([FRAMES.index(frame)]) + receiver.encoded + nonce


def seal_ping(identity: Identity, receiver: PublicIdentity, nonce: bytes) -> Ping:
    """A ping for `receiver`. `nonce`: 16 fresh random bytes."""
    return Ping(nonce, identity.sign(PING, _pinged(Ping, receiver, nonce)))


def seal_pong(identity: Identity, receiver: PublicIdentity, ping: Ping) -> Pong:
    """The answer to a ping that `receiver` sent."""
    return Pong(ping.nonce, identity.sign(PING, _pinged(Pong, receiver, ping.nonce)))


def verify_ping(frame: Ping | Pong, sender: PublicIdentity, receiver: PublicIdentity) -> bool:
    """Whether `sender` signed this ping or answer for `receiver`. Never raises."""
    return verify(sender, PING, _pinged(type(frame), receiver, frame.nonce), frame.signature)

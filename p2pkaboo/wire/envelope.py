"""Envelopes: the one form in which anything of the protocol is said.

An envelope is the canonical array [version, table, deal, number, lane, index, seat, head, kind, elapsed, body,
signature]. The signature is Ed25519 over the canonical array of all but itself, under its own domain tag. Hash chains
take SHA-512 of that unsigned array: a signature can be made anew by its owner, its message cannot.
"""

from dataclasses import dataclass, field
from hashlib import sha512
from typing import Final

from p2pkaboo.crypto.identity import Identity, PublicIdentity, verify
from p2pkaboo.wire.bodies import BODIES, Body, from_plain, to_plain
from p2pkaboo.wire.codec import DecodeError, decode, encode
from p2pkaboo.wire.limits import MAX_DEAL, MAX_ELAPSED, MAX_ENVELOPE, MAX_SEATS
from p2pkaboo.wire.slot import LANES, Slot
from p2pkaboo.wire.tags import ENVELOPE

VERSION: Final = 1
_FIELDS: Final = 12
_UNSIGNED_HEADER: Final = encode([None] * (_FIELDS - 1))[:1]
_SIGNATURE_BYTES: Final = len(encode(bytes(64)))


@dataclass(frozen=True, slots=True)
class Envelope:
    """A decoded envelope. Its form is right; nothing about its truth is known (see `Signed`)."""

    table: bytes
    deal: int
    slot: Slot
    seat: int
    head: bytes
    kind: str
    elapsed: int
    body: Body
    signature: bytes
    data: bytes
    """The canonical bytes of the whole."""
    unsigned: bytes
    """The canonical bytes that the signature covers."""
    hash: bytes = field(init=False)
    """SHA-512 of the envelope without its signature: what heads and answers refer to."""

    def __post_init__(self) -> None:
        # Asked for a dozen times on an envelope's way, and a shuffle's is ten kilobytes: computed once.
        object.__setattr__(self, "hash", sha512(self.unsigned).digest())


@dataclass(frozen=True, slots=True)
class Signed:
    """An envelope whose signature has been verified under `key`; only `verify_envelope` and `seal` make one."""

    envelope: Envelope
    key: bytes


def _unsigned(
    table: bytes, deal: int, slot: Slot, seat: int, head: bytes, kind: str, elapsed: int, body: list[object]
) -> list[object]:
    return [VERSION, table, deal, slot.number, LANES.index(slot.lane), slot.index, seat, head, kind, elapsed, body]


def seal(
    identity: Identity,
    *,
    table: bytes,
    deal: int,
    slot: Slot,
    seat: int,
    head: bytes,
    kind: str,
    elapsed: int,
    body: Body,
) -> Signed:
    """Signs a message of our own. Raises DecodeError if it is not one that others would decode."""
    if not slot.is_valid():
        raise DecodeError(f"no such slot: {slot!r}")
    fields = _unsigned(table, deal, slot, seat, head, kind, elapsed, to_plain(body))
    unsigned = encode(fields)
    signature = identity.sign(ENVELOPE, unsigned)
    envelope = decode_envelope(encode([*fields, signature]))
    return Signed(envelope, identity.public.encoded)


def decode_envelope(data: bytes) -> Envelope:
    """Decodes strictly. Raises DecodeError naming the field that is wrong, and nothing else."""
    if len(data) > MAX_ENVELOPE:
        raise DecodeError(f"an envelope has at most {MAX_ENVELOPE} bytes, this one {len(data)}")
    value = decode(data)
    if not isinstance(value, list) or len(value) != _FIELDS:
        raise DecodeError(f"an envelope is an array of {_FIELDS} fields")
    version, table, deal, number, lane, index, seat, head, kind, elapsed, body, signature = value
    if version != VERSION or type(version) is not int:
        raise DecodeError(f"version must be {VERSION}, is {version!r:.20}")
    for name, blob, size in (("table", table, 64), ("head", head, 64), ("signature", signature, 64)):
        if not isinstance(blob, bytes) or len(blob) != size:
            raise DecodeError(f"{name} must be {size} bytes")
    for name, whole, limit in (
        ("deal", deal, MAX_DEAL),
        ("lane", lane, len(LANES) - 1),
        ("seat", seat, MAX_SEATS - 1),
        ("elapsed", elapsed, MAX_ELAPSED),
    ):
        if type(whole) is not int or not 0 <= whole <= limit:
            raise DecodeError(f"{name} must be an integer from 0 to {limit}")
    if type(number) is not int or type(index) is not int:
        raise DecodeError("number and index must be integers")
    assert isinstance(lane, int) and isinstance(deal, int) and isinstance(seat, int) and isinstance(elapsed, int)
    assert isinstance(table, bytes) and isinstance(head, bytes) and isinstance(signature, bytes)
    slot = Slot(number, LANES[lane], index)
    if not slot.is_valid():
        raise DecodeError(f"no such slot: {slot}")
    if not isinstance(kind, str) or kind not in BODIES:
        raise DecodeError(f"unknown message kind {kind!r:.40}")
    try:
        typed = from_plain(kind, body)
    except ValueError as error:
        raise DecodeError(str(error)) from None
    # The array of all but the signature: one element less in its first byte, and the signature's own bytes left out.
    unsigned = _UNSIGNED_HEADER + data[1:-_SIGNATURE_BYTES]
    return Envelope(table, deal, slot, seat, head, kind, elapsed, typed, signature, data, unsigned)


def verify_envelope(envelope: Envelope, key: PublicIdentity) -> Signed | None:
    """The envelope as signed by `key`, or None. Never raises."""
    if verify(key, ENVELOPE, envelope.unsigned, envelope.signature):
        return Signed(envelope, key.encoded)
    return None

"""Envelopes and the shapes of their bodies (01-encoding.md, 5; 04-messages.md)."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from verifier import encoding as e
from verifier.encoding import BadEncoding, Check, Slot, Value

_SHARE = e.record(e.octets(32), e.octets(64))
_ASK = e.record(e.HANDLE, e.octets(32), e.octets(64))
_MEASURE = e.record(e.SEAT, *[e.optional(e.STAMP)] * 3, e.STAMP, e.optional(e.STAMP))
_LATENESS = e.record(e.SEAT, e.STAMP)
_SHARES = e.record(e.array(0, e.MAX_CARDS, _SHARE))

# 01-encoding.md, 6: what no name holds, what none begins or ends with, and what none begins with.
_BANNED = [(0, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5)]
_BANNED += [(0x180B, 0x180F), (0x200B, 0x200B), (0x200E, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800)]
_BANNED += [(0x3164, 0x3164), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3)]
_BANNED += [(0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)]
_NO_EDGE = [(0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x200C, 0x200D), (0x202F, 0x202F)]
_NO_EDGE += [(0x205F, 0x205F), (0x3000, 0x3000)]
_NO_BEGINNING = [(0xFE00, 0xFE0F)]


def _is_in(letter: str, ranges: list[tuple[int, int]]) -> bool:
    return any(first <= ord(letter) <= last for first, last in ranges)


def is_name(value: Value) -> bool:
    """Whether it may be the name of a player or a table."""
    if not isinstance(value, str) or not 1 <= len(value) <= 40:
        return False
    if _is_in(value[0], _NO_EDGE + _NO_BEGINNING) or _is_in(value[-1], _NO_EDGE):
        return False
    return not any(_is_in(letter, _BANNED) for letter in value)


BODIES: dict[str, Check] = {
    "JOIN": e.record(e.octets(32), is_name, e.octets(64)),
    "OFFER": e.record(
        e.array(2, 8, e.octets(0, e.MAX_FRAME)),
        e.array(0, e.MAX_ITEMS, e.record(e.text(0), e.anything)),
        e.word("auto", "lan", "wan"),
    ),
    "NONCE": e.record(e.octets(32), e.whole(0, e.MAX_STAMP_US)),
    "CHARTER": e.record(e.octets(64)),
    "KEYS": e.record(e.octets(32), e.octets(64)),
    "SHUFFLE": e.record(e.octets(64, 64 * e.MAX_CARDS), e.octets(0, e.MAX_FRAME)),
    "READY": e.record(e.array(0, 8, e.SEAT)),
    "OPEN": _SHARES,
    "VIEW": e.record(e.array(0, e.MAX_CARDS, _ASK)),
    "SERVE": _SHARES,
    "SEEN": e.record(),
    "DRAW": e.record(_ASK),
    "SNAP": e.record(e.whole(0, e.MAX_CLAIM_MS), e.octets(64), e.octets(64), e.word("", "other", "own")),
    "NONE": e.record(lambda value: isinstance(value, bytes) and len(value) in (0, 64)),
    "WITNESS": e.record(e.array(0, 8, _MEASURE), e.array(0, 8, _LATENESS)),
    "REVEAL": e.record(e.word("other", "own"), e.HANDLE, e.octets(32)),
    "GIFT": e.record(e.optional(e.HANDLE)),
    "ACTION": e.record(e.array(1, 16, e.anything), e.optional(_ASK), e.octets(0, e.MAX_FRAME)),
    "OPEN1": _SHARES,
    "OPEN2": _SHARES,
    "DISCLOSE": e.record(e.octets(32)),
    "RESULT": e.record(*[e.array(0, 8, e.POINTS)] * 3, e.array(0, 8, e.SEAT), e.boolean, e.array(0, 8, e.SEAT)),
    "LEAVE": e.record(),
}

_ENVELOPE = e.record(
    e.whole(1, 1),
    e.octets(64),
    e.whole(0, e.MAX_DEAL),
    e.whole(0, e.MAX_NUMBER),
    e.whole(0, 3),
    e.whole(0, e.MAX_INDEX),
    e.SEAT,
    e.octets(64),
    e.word(*BODIES),
    e.whole(0, e.MAX_ELAPSED),
    lambda value: isinstance(value, list),
    e.octets(64),
)


@dataclass(frozen=True, slots=True, eq=False)
class Envelope:
    """One signed message."""

    table: bytes
    deal: int
    slot: Slot
    seat: int
    head: bytes
    kind: str
    elapsed: int
    body: list["Value"]
    signature: bytes
    unsigned: bytes
    hash: bytes


@lru_cache(maxsize=1 << 14)
def read_envelope(data: bytes) -> Envelope:
    """The envelope in these bytes; BadEncoding if they are none, or its body is not of its kind."""
    if len(data) > e.MAX_ENVELOPE:
        raise BadEncoding("too long for an envelope")
    value = e.decode(data)
    if not _ENVELOPE(value):
        raise BadEncoding("not an envelope")
    match value:
        case [_, bytes(table), int(deal), int(number), int(lane), int(index), int(seat), bytes(head), str(kind), *rest]:
            slot = Slot(number, lane, index)
            match rest:
                case [int(elapsed), list(body), bytes(signature)]:
                    if not slot.exists():
                        raise BadEncoding("there is no such slot")
                    if not BODIES[kind](body):
                        raise BadEncoding(f"the body is none of a {kind}")
                    unsigned = e.encode(value[:11])
                    hashed = hashlib.sha512(unsigned).digest()
                    return Envelope(table, deal, slot, seat, head, kind, elapsed, body, signature, unsigned, hashed)
    raise BadEncoding("not an envelope")

"""Domain tags of hashes and signatures above the proofs, and the one way to hash with them.

Beside `p2pkaboo.crypto.tags`, which holds the tags of the group and of the proofs; together the two are the registry
that the specification lists.
"""

from collections.abc import Mapping
from hashlib import sha512
from types import MappingProxyType
from typing import Final

from p2pkaboo.crypto.tags import Tag

ENVELOPE: Final = b"p2pkaboo-v1-envelope"
PING: Final = b"p2pkaboo-v1-ping"
FORMING: Final = b"p2pkaboo-v1-forming"
NONCE: Final = b"p2pkaboo-v1-nonce"
CHARTER: Final = b"p2pkaboo-v1-charter"
COIN: Final = b"p2pkaboo-v1-coin"
SEATING: Final = b"p2pkaboo-v1-seating"
DEAL: Final = b"p2pkaboo-v1-deal"
STEP: Final = b"p2pkaboo-v1-step"
JOIN: Final = b"p2pkaboo-v1-join"
SNAP: Final = b"p2pkaboo-v1-snap"
RACE: Final = b"p2pkaboo-v1-race"
TIE: Final = b"p2pkaboo-v1-tie"

REGISTRY: Final[Mapping[str, Tag]] = MappingProxyType(
    {
        "envelope": Tag(ENVELOPE, "Ed25519 signature of an envelope"),
        "ping": Tag(PING, "Ed25519 signature of a ping's nonce"),
        "forming": Tag(FORMING, "name of a table until its charter exists: hash of the table secret"),
        "nonce": Tag(NONCE, "commitment to the nonce that a newcomer will give"),
        "charter": Tag(CHARTER, "hash of the charter: the table's name in every envelope"),
        "coin": Tag(COIN, "joint coin of all nonces: seats and the first dealer"),
        "seating": Tag(SEATING, "order of the keys around the table"),
        "deal": Tag(DEAL, "head that a deal begins at"),
        "step": Tag(STEP, "head of a step"),
        "join": Tag(JOIN, "head of two lanes that meet"),
        "snap": Tag(SNAP, "commitment to a snap's target"),
        "race": Tag(RACE, "Q: the number that nobody knew before the card could be decoded"),
        "tie": Tag(TIE, "lots drawn between equal scores, or between two right cards in dispute"),
    }
)


def tagged_hash(tag: bytes, *parts: bytes) -> bytes:
    """SHA-512 over the tag (length as 1 byte before it) and every part (length as 4 bytes before it); 64 bytes."""
    state = sha512(len(tag).to_bytes(1, "big") + tag)
    for part in parts:
        state.update(len(part).to_bytes(4, "big") + part)
    return state.digest()

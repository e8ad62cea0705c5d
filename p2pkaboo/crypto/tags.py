"""The registry of domain tags: every hash and every proof of this package begins with one of them.

Two uses of a hash with different tags can never be mistaken for each other, so a proof, nonce or card of one kind is
worthless as another. A tag is never used for two purposes and never changed; a new meaning gets a new tag.
`REGISTRY` is what the specification's table of tags is compared with.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

SUITE: Final = b"p2pkaboo-v1-ristretto255-sha512"
"""The suite: group, hash, encodings and proofs of this version. Absorbed first by every transcript."""

CARD: Final = b"p2pkaboo-v1-card-with-ristretto255_XMD:SHA-512_R255MAP_RO_"
GENERATOR: Final = b"p2pkaboo-v1-TW-with-ristretto255_XMD:SHA-512_R255MAP_RO_"
EXPAND: Final = b"p2pkaboo-v1-expand"
KEY: Final = b"p2pkaboo-v1-proof-key"
BLIND: Final = b"p2pkaboo-v1-proof-blind"
SHARE: Final = b"p2pkaboo-v1-proof-share"
MEMBERSHIP: Final = b"p2pkaboo-v1-proof-membership"
SHUFFLE: Final = b"p2pkaboo-v1-proof-shuffle"
RECOVERY_KEY: Final = b"p2pkaboo-v1-proof-recovery-key"
SPLIT: Final = b"p2pkaboo-v1-proof-split"
SPLIT_PAD: Final = b"p2pkaboo-v1-split-pad"
COMPLAINT: Final = b"p2pkaboo-v1-proof-complaint"


@dataclass(frozen=True, slots=True)
class Tag:
    """One entry of the registry: the bytes, and what they separate."""

    value: bytes
    doc: str


REGISTRY: Final[Mapping[str, Tag]] = MappingProxyType(
    {
        "suite": Tag(SUITE, "first frame of every transcript"),
        "card": Tag(CARD, "RFC 9380 domain separation tag of the card points M_j; message: j as 4 bytes, big-endian"),
        "generator": Tag(
            GENERATOR, "RFC 9380 domain separation tag of the shuffle generators; message: index as 4 bytes"
        ),
        "expand": Tag(EXPAND, "many challenges or nonces from one 64-byte seed"),
        "key": Tag(KEY, "Schnorr proof of a deal key"),
        "blind": Tag(BLIND, "Schnorr proof of a view's blinding"),
        "share": Tag(SHARE, "Chaum-Pedersen proof of a share"),
        "membership": Tag(MEMBERSHIP, "OR-proof that a viewed card is one of the candidates"),
        "shuffle": Tag(SHUFFLE, "Terelius-Wikström proof of a shuffle"),
        "recovery-key": Tag(RECOVERY_KEY, "Schnorr proof of the second key of a deal, to which parts are sealed"),
        "split": Tag(SPLIT, "Schnorr proof of the ephemeral of a key split"),
        "split-pad": Tag(SPLIT_PAD, "one-time pad that seals one part of a split key"),
        "complaint": Tag(COMPLAINT, "Chaum-Pedersen proof that a sealed part is wrong"),
    }
)

"""`expand_message_xmd` with SHA-512 (RFC 9380, section 5.3.1): uniform bytes from a message and a domain tag."""

import hashlib
from typing import Final

HASH_BYTES: Final = 64
"""Output length of SHA-512."""

BLOCK_BYTES: Final = 128
"""Input block length of SHA-512."""

MAX_TAG_BYTES: Final = 255
"""Longest tag used as it is; longer ones are hashed first (RFC 9380, section 5.3.3)."""

MAX_BLOCKS: Final = 255
"""Most output blocks: the block counter is one byte (RFC 9380, section 5.3.1)."""


def expand_message_xmd(message: bytes, tag: bytes, length: int) -> bytes:
    """`length` uniform bytes, 1 to 16320; `ValueError` for another length or an empty tag."""
    if not tag:
        raise ValueError("domain separation tag is empty; RFC 9380 asks for at least one byte")
    blocks = -(-length // HASH_BYTES)
    if not 1 <= blocks <= MAX_BLOCKS:
        raise ValueError(f"cannot expand to {length} bytes; 1 to {MAX_BLOCKS * HASH_BYTES} are possible")
    if len(tag) > MAX_TAG_BYTES:
        tag = hashlib.sha512(b"H2C-OVERSIZE-DST-" + tag).digest()
    suffix = tag + len(tag).to_bytes(1, "big")
    seed = hashlib.sha512(bytes(BLOCK_BYTES) + message + length.to_bytes(2, "big") + b"\x00" + suffix).digest()
    block = hashlib.sha512(seed + b"\x01" + suffix).digest()
    output = block
    for number in range(2, blocks + 1):
        mixed = bytes(left ^ right for left, right in zip(seed, block, strict=True))
        block = hashlib.sha512(mixed + number.to_bytes(1, "big") + suffix).digest()
        output += block
    return output[:length]

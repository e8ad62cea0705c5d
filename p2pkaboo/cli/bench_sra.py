"""The classical way, for comparison only: the same deal with SRA (commuting exponentiations modulo a safe prime).

Shamir, Rivest, Adleman, "Mental Poker", 1979, in the usual two passes: every seat encrypts the deck under one key and
permutes it; then takes that layer off and puts one key of its own on every card, so that cards can be opened one by
one. No proofs at all: the comparison flatters it. The prime is the 2048-bit MODP group of RFC 3526.
"""

import importlib
import os
import time
from collections.abc import Callable
from math import gcd
from typing import Any, Final

PRIME: Final = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B"
    "302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE6"
    "49286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D"
    "670C354E4ABC9804F1746C08CA18217C32905E462E36CE3BE39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718"
    "3995497CEA956AE515D2261898FA051015728E5A8AACAA68FFFFFFFFFFFFFFFF",
    16,
)


def _key() -> tuple[int, int]:
    while True:
        key = int.from_bytes(os.urandom(256), "big") % (PRIME - 1)
        if key > 2 and gcd(key, PRIME - 1) == 1:
            return key, pow(key, -1, PRIME - 1)


def sra_deal(seats: int, cards: int, looks: int, power: Callable[[Any, Any, Any], Any] = pow) -> float:
    """Seconds of CPU a seat for one deal: two passes over the deck, the up-card, and `looks` cards for each seat."""
    deck = [pow(int.from_bytes(os.urandom(256), "big"), 2, PRIME) for _ in range(cards)]
    keys = [_key() for _ in range(seats)]
    own = [[_key() for _ in range(cards)] for _ in range(seats)]
    start = time.process_time()
    for seat in range(seats):
        deck = [power(card, keys[seat][0], PRIME) for card in deck]
        deck.sort()  # some permutation: its cost is nothing beside the exponentiations
    for seat in range(seats):
        deck = [power(power(card, keys[seat][1], PRIME), own[seat][at][0], PRIME) for at, card in enumerate(deck)]
    for at in range(1 + looks * seats):
        for seat in range(seats):
            deck[at] = power(deck[at], own[seat][at][1], PRIME)
    return (time.process_time() - start) / seats


def gmpy2_power() -> Callable[[Any, Any, Any], Any] | None:
    """gmpy2's powmod where it is installed."""
    try:
        gmpy2 = importlib.import_module("gmpy2")
    except ImportError:
        return None
    return lambda base, exponent, modulus: gmpy2.powmod(base, exponent, modulus)

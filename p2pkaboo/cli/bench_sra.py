"""The classical way, for comparison only: the same deal with SRA (commuting exponentiations modulo a safe prime).

Shamir, Rivest, Adleman, "Mental Poker", 1979, in the usual two passes: every seat encrypts the deck under one key and
permutes it; then takes that layer off and puts one key of its own on every card, so that cards can be opened one by
one. No proofs at all: the comparison flatters it. The prime is the 2048-bit MODP group of RFC 3526.
"""

import importlib
import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
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

Power = Callable[[Any, Any, Any], Any]
"""Base, exponent and modulus to the power: `pow` or another's."""


def _key() -> tuple[int, int]:
    while True:
        key = int.from_bytes(os.urandom(256), "big") % (PRIME - 1)
        if key > 2 and gcd(key, PRIME - 1) == 1:
            return key, pow(key, -1, PRIME - 1)


def exponentiations(seats: int, cards: int, looks: int) -> int:
    """How many a seat does in one deal: three for every card of the deck, one for every card that is opened."""
    return 3 * cards + opened_cards(seats, looks)


def opened_cards(seats: int, looks: int) -> int:
    """The up-card, and `looks` cards for each seat."""
    return 1 + looks * seats


def sra_deal(seats: int, cards: int, looks: int, power: Power = pow, working: int | None = None) -> float:
    """Seconds of CPU a seat for one deal: two passes over the deck, then the up-card and the first looks.

    `working`: how many of the seats do their part, each the same number of exponentiations; None: all. Then the cards
    that are opened are looked at: `AssertionError` if they are not cards of the deck, or one of them comes twice.
    """
    working = seats if working is None else working
    faces = [pow(int.from_bytes(os.urandom(256), "big"), 2, PRIME) for _ in range(cards)]
    keys = [_key() for _ in range(working)]
    own = [[_key() for _ in range(cards)] for _ in range(working)]
    deck = faces
    start = time.process_time()
    for encrypt, _ in keys:
        deck = [power(card, encrypt, PRIME) for card in deck]
        deck.sort()  # some permutation: its cost is nothing beside the exponentiations
    for (_, decrypt), locks in zip(keys, own, strict=True):
        deck = [power(power(card, decrypt, PRIME), lock, PRIME) for card, (lock, _) in zip(deck, locks, strict=True)]
    opened = []
    for at in range(opened_cards(seats, looks)):
        card = deck[at]
        for locks in own:
            card = power(card, locks[at][1], PRIME)
        opened.append(card)
    seconds = (time.process_time() - start) / working
    assert working < seats or len(set(opened) & set(faces)) == len(opened), "the SRA deal shows what is no card"
    return seconds


def sra_on_all_cores(seats: int, cards: int, looks: int, *, fast: bool, working: int | None = None) -> float:
    """Seconds of CPU a seat, as `sra_deal` has it, while every core does such a deal: as it is when ours is timed.

    `fast`: with gmpy2, which has to be there (`gmpy2_power`).
    """
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
        deals = [pool.submit(_sra_seconds, seats, cards, looks, fast, working) for _ in range(cores)]
        return sum(deal.result() for deal in deals) / cores


def _sra_seconds(seats: int, cards: int, looks: int, fast: bool, working: int | None) -> float:
    power = gmpy2_power() if fast else pow
    assert power is not None
    return sra_deal(seats, cards, looks, power, working)


def gmpy2_power() -> Power | None:
    """gmpy2's powmod where it is installed."""
    try:
        gmpy2 = importlib.import_module("gmpy2")
    except ImportError:
        return None
    return lambda base, exponent, modulus: gmpy2.powmod(base, exponent, modulus)

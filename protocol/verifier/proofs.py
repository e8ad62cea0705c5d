"""Transcripts and the proofs: key, blind, share, membership, shuffle (02-crypto.md, 5 to 7, and 03-shuffle.md).

Each check is a function of bytes alone: statement and proof in, yes or no out, whatever the bytes are.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.curve import IDENTITY, L, Point, add, combine, negate, total
from verifier.encoding import TAG_SUITE, be4, be8
from verifier.group import card_point, generator, pack, pack_all, point, points, scalars

TAG_EXPAND = b"p2pkaboo-v1-expand"
TAG_KEY = b"p2pkaboo-v1-proof-key"
TAG_BLIND = b"p2pkaboo-v1-proof-blind"
TAG_SHARE = b"p2pkaboo-v1-proof-share"
TAG_MEMBERSHIP = b"p2pkaboo-v1-proof-membership"
TAG_SHUFFLE = b"p2pkaboo-v1-proof-shuffle"

MAX_MASKED_CARDS = 256


class Context(NamedTuple):
    """Where a proof stands."""

    table: bytes
    deal: int
    step: str
    seat: int

    def item(self, place: int) -> "Context":
        """The context of one of several proofs of a kind in one message."""
        return self._replace(step=f"{self.step}#{place}")


class Transcript:
    """The frames that a proof's challenge is the hash of (02-crypto.md, 5)."""

    def __init__(self, tag: bytes, context: Context) -> None:
        self._hash = hashlib.sha512()
        self.append("suite", TAG_SUITE)
        self.append("proof", tag)
        self.append("table", context.table)
        self.append("deal", be8(context.deal))
        self.append("step", context.step.encode())
        self.append("seat", be4(context.seat))

    def append(self, label: str, data: bytes) -> None:
        name = label.encode()
        self._hash.update(bytes([len(name)]) + name + be4(len(data)) + data)

    def _squeeze(self, label: str) -> bytes:
        asked = self._hash.copy()
        name = label.encode()
        asked.update(bytes([len(name)]) + name + be4(0))
        digest = asked.digest()
        self.append(label, digest)
        return digest

    def challenge(self, label: str = "challenge") -> int:
        return int.from_bytes(self._squeeze(label), "little") % L

    def challenges(self, label: str, count: int) -> list[int]:
        seed = TAG_EXPAND + self._squeeze(label)
        return [int.from_bytes(hashlib.sha512(seed + be4(i)).digest(), "little") % L for i in range(count)]


# ---------------------------------------------------------------------------------------------------------------
# 02-crypto.md, section 6


def _challenge_and_response(proof: bytes) -> tuple[int, int] | None:
    numbers = scalars(proof) if len(proof) == 64 else None
    return (numbers[0], numbers[1]) if numbers else None


@lru_cache(maxsize=1 << 16)
def key_holds(context: Context, public: bytes, proof: bytes) -> bool:
    """The seat knows x with public = x·G."""
    numbers, element = _challenge_and_response(proof), point(public)
    if numbers is None or element is None:
        return False
    c, s = numbers
    transcript = Transcript(TAG_KEY, context)
    transcript.append("public", public)
    transcript.append("commitment", pack(combine([-c], [element], base=s)))
    return transcript.challenge() == c


@lru_cache(maxsize=1 << 16)
def blind_holds(context: Context, original: bytes, blinded: bytes, proof: bytes) -> bool:
    """The viewer knows ρ with blinded − original = ρ·G, and blinded is not the original."""
    numbers, before, after = _challenge_and_response(proof), point(original), point(blinded)
    if numbers is None or before is None or after is None or original == blinded:
        return False
    c, s = numbers
    transcript = Transcript(TAG_BLIND, context)
    transcript.append("original", original)
    transcript.append("blinded", blinded)
    transcript.append("commitment", pack(combine([-c], [add(after, negate(before))], base=s)))
    return transcript.challenge() == c


@lru_cache(maxsize=1 << 16)
def share_holds(context: Context, public: bytes, base: bytes, share: bytes, proof: bytes) -> bool:
    """The seat knows x with public = x·G and share = x·base."""
    numbers = _challenge_and_response(proof)
    elements = points(public + base + share)
    if numbers is None or elements is None:
        return False
    c, s = numbers
    of_key, of_base, of_share = elements
    commitments = combine([-c], [of_key], base=s), combine([s, -c], [of_base, of_share])
    transcript = Transcript(TAG_SHARE, context)
    transcript.append("public", public)
    transcript.append("base", base)
    transcript.append("share", share)
    transcript.append("commitment", pack_all(commitments))
    return transcript.challenge() == c


# ---------------------------------------------------------------------------------------------------------------
# 02-crypto.md, section 7


@lru_cache(maxsize=1 << 12)
def membership_holds(
    context: Context,
    viewer: bytes,
    card: tuple[bytes, bytes],
    blinded: bytes,
    others: tuple[tuple[bytes, bytes], ...],
    candidates: tuple[int, ...],
    proof: bytes,
) -> bool:
    """The viewed card is one of the candidates.

    `viewer` is H_V, `card` (a, b), `blinded` a′, and `others` (H_p, S_p) of each other active seat.
    """
    numbers = scalars(proof)
    known = points(viewer + card[0] + card[1] + blinded)
    keys = points(b"".join(key for key, _ in others))
    shares = points(b"".join(share for _, share in others))
    if numbers is None or len(numbers) != 3 * len(candidates) or known is None or keys is None or shares is None:
        return False
    of_viewer, a, b, a_blinded = known
    of_keys, of_shares = total(keys), total(shares)
    difference = add(a_blinded, negate(a))
    commitments: list[Point] = []
    for j, c, s, z in zip(candidates, numbers[0::3], numbers[1::3], numbers[2::3], strict=True):
        y = add(b, negate(add(of_shares, card_point(j))))
        commitments += [
            combine([-c], [of_viewer], base=s),
            combine([-c], [difference], base=z),
            combine([s, -z, -c], [a, of_keys, y]),
        ]
    transcript = Transcript(TAG_MEMBERSHIP, context)
    transcript.append("viewer", viewer)
    transcript.append("original", card[0])
    transcript.append("blinded", blinded)
    transcript.append("b", card[1])
    transcript.append("others sum", pack(of_shares))
    transcript.append("others key", pack(of_keys))
    transcript.append("candidates", b"".join(map(be4, candidates)))
    transcript.append("commitments", pack_all(commitments))
    return transcript.challenge() == sum(numbers[0::3]) % L


# ---------------------------------------------------------------------------------------------------------------
# 03-shuffle.md


@lru_cache(maxsize=1 << 10)
def shuffle_holds(context: Context, key: bytes, before: bytes, after: bytes, proof: bytes) -> bool:
    """`after` is a re-masked permutation of `before` (decks as 64 bytes a card) under the joint key."""
    n = len(before) // 64
    if not 1 <= n <= MAX_MASKED_CARDS or len(before) != 64 * n or len(after) != 64 * n:
        return False
    if len(proof) != 32 * (4 * n + 5):
        return False
    joint = [IDENTITY] if key == bytes(32) else points(key)
    decks = points(before), points(after)
    ends = points(proof[: 64 * n])
    numbers = scalars(proof[64 * n :])
    if joint is None or decks[0] is None or decks[1] is None or ends is None or numbers is None:
        return False
    h = joint[0]
    commitments, chain = ends[:n], ends[n:]
    c, s1, s2, s3, s4 = numbers[:5]
    chain_responses, card_responses = numbers[5 : 5 + n], numbers[5 + n :]
    places = [generator(i + 1) for i in range(n)]

    transcript = Transcript(TAG_SHUFFLE, context)
    transcript.append("key", key)
    transcript.append("before", before)
    transcript.append("after", after)
    transcript.append("commitments", proof[: 32 * n])
    u = transcript.challenges("cards", n)
    product = 1
    for each in u:
        product = product * each % L

    sum_claim = add(total(commitments), negate(total(places)))
    chain_claim = add(chain[-1], combine([-product], [generator(0)]))
    # t_3, t_b and t_a are one sum each: what is claimed enters it with −c.
    cu = [-c * each for each in u]
    announcements = [
        combine([-c], [sum_claim], base=s1),
        combine([-c], [chain_claim], base=s2),
        combine([*card_responses, *cu], [*places, *commitments], base=s3),
        combine([-s4, *card_responses, *cu], [h, *decks[1][1::2], *decks[0][1::2]]),
        combine([*card_responses, *cu], [*decks[1][0::2], *decks[0][0::2]], base=-s4),
    ]
    links = _chain_announcements(c, chain_responses, card_responses, chain)
    transcript.append("chain", proof[32 * n : 64 * n])
    transcript.append("announcements", pack_all(announcements))
    transcript.append("chain announcements", pack_all(links))
    return transcript.challenge() == c


def _chain_announcements(c: int, responses: Sequence[int], cards: Sequence[int], chain: Sequence[Point]) -> list[Point]:
    """t̂_i = ŝ_i·G + ṡ_i·C_{i−1} − c·C_i."""
    before = [generator(0), *chain[:-1]]
    return [
        combine([card, -c], [link_before, link], base=response)
        for response, card, link_before, link in zip(responses, cards, before, chain, strict=True)
    ]

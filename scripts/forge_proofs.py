"""Provers and signers for `forge.py`, with nonces from a seeded stream: never to be used for anything secret."""

import hashlib
import random
from collections.abc import Sequence

from verifier.curve import BASE, L, P, Point, add, combine, negate, total
from verifier.encoding import be4
from verifier.group import card_point, generator, pack, pack_all, pack_scalar, point
from verifier.proofs import (
    TAG_BLIND,
    TAG_KEY,
    TAG_MEMBERSHIP,
    TAG_SHARE,
    TAG_SHUFFLE,
    Context,
    Transcript,
)

Masked = tuple[bytes, bytes]


def _point(data: bytes) -> Point:
    element = point(data)
    assert element is not None
    return element


def _times_g(number: int) -> Point:
    return combine([], [], base=number)


def _expand(secret: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(secret).digest()
    number = int.from_bytes(digest[:32], "little")
    return number & ~7 & ((1 << 254) - 1) | 1 << 254, digest[32:]


def _pack_edwards(element: Point) -> bytes:
    inverse = pow(element[2], -1, P)
    x, y = element[0] * inverse % P, element[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def public_key(secret: bytes) -> bytes:
    """The Ed25519 key of a 32-byte secret (RFC 8032, 5.1.5)."""
    return _pack_edwards(_times_g(_expand(secret)[0]))


def sign(secret: bytes, message: bytes) -> bytes:
    """An Ed25519 signature (RFC 8032, 5.1.6)."""
    number, prefix = _expand(secret)
    key = _pack_edwards(_times_g(number))
    r = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % L
    point_r = _pack_edwards(_times_g(r))
    k = int.from_bytes(hashlib.sha512(point_r + key + message).digest(), "little") % L
    return point_r + pack_scalar(r + k * number)


def make_key(rng: random.Random, context: Context, secret: int) -> tuple[bytes, bytes]:
    """(public key, proof)."""
    public, nonce = pack(_times_g(secret)), rng.randrange(1, L)
    transcript = Transcript(TAG_KEY, context)
    transcript.append("public", public)
    transcript.append("commitment", pack(_times_g(nonce)))
    c = transcript.challenge()
    return public, pack_scalar(c) + pack_scalar(nonce + c * secret)


def make_blind(rng: random.Random, context: Context, rho: int, original: bytes) -> tuple[bytes, bytes]:
    """(a′, proof)."""
    blinded, nonce = pack(add(_point(original), _times_g(rho))), rng.randrange(1, L)
    transcript = Transcript(TAG_BLIND, context)
    transcript.append("original", original)
    transcript.append("blinded", blinded)
    transcript.append("commitment", pack(_times_g(nonce)))
    c = transcript.challenge()
    return blinded, pack_scalar(c) + pack_scalar(nonce + c * rho)


def make_share(rng: random.Random, context: Context, secret: int, base: bytes) -> tuple[bytes, bytes]:
    """(share, proof)."""
    of_base, nonce = _point(base), rng.randrange(1, L)
    share = pack(combine([secret], [of_base]))
    transcript = Transcript(TAG_SHARE, context)
    transcript.append("public", pack(_times_g(secret)))
    transcript.append("base", base)
    transcript.append("share", share)
    transcript.append("commitment", pack_all([_times_g(nonce), combine([nonce], [of_base])]))
    c = transcript.challenge()
    return share, pack_scalar(c) + pack_scalar(nonce + c * secret)


def make_membership(
    rng: random.Random,
    context: Context,
    secret: int,
    rho: int,
    card: Masked,
    others: Sequence[tuple[bytes, bytes]],
    candidates: Sequence[int],
    true: int,
) -> bytes:
    """The proof that the viewed card is one of the candidates; it does not hold unless `true` is one."""
    a, b = map(_point, card)
    of_keys = total([_point(key) for key, _ in others])
    of_shares = total([_point(share) for _, share in others])
    blinded = add(a, _times_g(rho))
    viewer = _times_g(secret)
    branches = [[rng.randrange(L) for _ in range(3)] for _ in candidates]
    commitments: list[Point] = []
    for j, (c, s, z) in zip(candidates, branches, strict=True):
        y = add(b, negate(add(of_shares, card_point(j))))
        commitments += [
            combine([-c], [viewer], base=s),
            combine([-c], [add(blinded, negate(a))], base=z),
            combine([s, -z, -c], [a, of_keys, y]),
        ]
    transcript = Transcript(TAG_MEMBERSHIP, context)
    transcript.append("viewer", pack(viewer))
    transcript.append("original", card[0])
    transcript.append("blinded", pack(blinded))
    transcript.append("b", card[1])
    transcript.append("others sum", pack(of_shares))
    transcript.append("others key", pack(of_keys))
    transcript.append("candidates", b"".join(map(be4, candidates)))
    transcript.append("commitments", pack_all(commitments))
    delta = transcript.challenge() - sum(c for c, _, _ in branches)
    place = candidates.index(true) if true in candidates else 0
    branches[place] = [old + delta * step for old, step in zip(branches[place], (1, secret, rho), strict=True)]
    return b"".join(pack_scalar(number) for branch in branches for number in branch)


def make_shuffle(rng: random.Random, context: Context, key: bytes, before: Sequence[Masked]) -> tuple[bytes, bytes]:
    """(deck, proof) of a random shuffle (03-shuffle.md, 4)."""
    n, h = len(before), _point(key)
    order = rng.sample(range(n), n)
    masks = [rng.randrange(1, L) for _ in range(n)]
    decks = [(_point(a), _point(b)) for a, b in before]
    after = []
    for j in order:
        a, b = decks[j]
        after.append((add(a, _times_g(masks[j])), add(b, combine([masks[j]], [h]))))
    packed_before = b"".join(a + b for a, b in before)
    packed_after = b"".join(pack(a) + pack(b) for a, b in after)
    places = [generator(i + 1) for i in range(n)]

    k = [0] * n
    commitments: list[Point] = [BASE] * n
    for i, j in enumerate(order):
        k[j] = rng.randrange(1, L)
        commitments[j] = add(_times_g(k[j]), places[i])
    transcript = Transcript(TAG_SHUFFLE, context)
    transcript.append("key", key)
    transcript.append("before", packed_before)
    transcript.append("after", packed_after)
    transcript.append("commitments", pack_all(commitments))
    u = transcript.challenges("cards", n)
    v = [u[j] for j in order]

    m = [rng.randrange(1, L) for _ in range(n)]
    chain: list[Point] = []
    mu = 0
    for i in range(n):
        chain.append(combine([v[i]], [chain[-1] if chain else generator(0)], base=m[i]))
        mu = (m[i] + v[i] * mu) % L
    w = [rng.randrange(1, L) for _ in range(4)]
    w_chain = [rng.randrange(1, L) for _ in range(n)]
    w_cards = [rng.randrange(1, L) for _ in range(n)]
    announcements = [
        _times_g(w[0]),
        _times_g(w[1]),
        combine(w_cards, places, base=w[2]),
        combine([-w[3], *w_cards], [h, *(b for _, b in after)]),
        combine(w_cards, [a for a, _ in after], base=-w[3]),
    ]
    links = [generator(0), *chain[:-1]]
    chain_announcements = [
        combine([card], [link], base=one) for card, link, one in zip(w_cards, links, w_chain, strict=True)
    ]
    transcript.append("chain", pack_all(chain))
    transcript.append("announcements", pack_all(announcements))
    transcript.append("chain announcements", pack_all(chain_announcements))
    c = transcript.challenge()
    singles = [
        w[0] + c * sum(k),
        w[1] + c * mu,
        w[2] + c * sum(one * two for one, two in zip(u, k, strict=True)),
        w[3] + c * sum(one * two for one, two in zip(u, masks, strict=True)),
    ]
    responses = [nonce + c * one for nonce, one in zip(w_chain + w_cards, m + v, strict=True)]
    numbers = b"".join(pack_scalar(number) for number in [c, *singles, *responses])
    return packed_after, pack_all(commitments) + pack_all(chain) + numbers

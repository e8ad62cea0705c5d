"""Vectors of tagged hashes: names of tables, the charter and what follows from it, heads, commitments, lots."""

from collections.abc import Iterator, Mapping
from hashlib import sha512
from typing import Final

from p2pkaboo.lab.tables.chance import seeded
from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.replica.charter import RACES, Charter, forming_name, joint_coin, nonce_commitment
from p2pkaboo.replica.heads import deal_head, join_head, step_head
from p2pkaboo.replica.race import dispute_lot, race_q
from p2pkaboo.rules.ruleset import to_plain
from p2pkaboo.wire import tags
from p2pkaboo.wire.codec import encode
from p2pkaboo.wire.slot import parse_slot
from vector_areas.form import Area, Vector, good, require

RNG: Final = seeded("vectors/heads")
TABLE, LAST, Q, HEAD = (RNG(64) for _ in range(4))
KEYS: Final = tuple(RNG(32) for _ in range(3))
NONCES: Final = tuple(RNG(32) for _ in range(3))
HASHES: Final = tuple(RNG(64) for _ in range(4))


def be4(number: int) -> bytes:
    """Four bytes, big-endian."""
    return number.to_bytes(4, "big")


def hashed(tag: bytes, *parts: bytes) -> bytes:
    """What a tagged hash hashes, by the specification's own words."""
    return bytes([len(tag)]) + tag + b"".join(be4(len(part)) + part for part in parts)


def head_vector(
    name: str, about: str, given: Mapping[str, object], head: bytes | None, tag: bytes, *parts: bytes
) -> Vector:
    """A hash made of some parts; `head`: what the package makes of it, None where it has no name for it."""
    whole = hashed(tag, *parts)
    require(head is None or sha512(whole).digest() == head, f"head {name} is not that of its parts")
    return good(name, about, given, {"head": sha512(whole).digest()}, {"hashed": whole})


def charter_vectors() -> Iterator[Vector]:
    """From nonces to the charter of three seats."""
    by_key = dict(zip(KEYS, NONCES, strict=True))
    coin = joint_coin(by_key)
    given: dict[str, object] = {"keys": KEYS, "nonces": NONCES}
    yield head_vector(
        "coin",
        "the nonces in ascending order of their keys",
        given,
        coin,
        tags.COIN,
        *(by_key[k] for k in sorted(by_key)),
    )
    for number, key in enumerate(KEYS):
        fields = {"coin": coin, "key": key}
        yield head_vector(
            f"seating-{number}", "the keys sit in ascending order of these", fields, None, tags.SEATING, coin, key
        )
    seats = sorted(KEYS, key=lambda key: sha512(hashed(tags.SEATING, coin, key)).digest())
    names = ("Åsa", "Bo", "Cem")
    charter = Charter(small_rules("kabbu"), RACES["wan"], tuple(seats), names, tuple(by_key[key] for key in seats))
    encoded = encode(charter.plain())
    yield good(
        "charter",
        "the charter of these three; its hash is the table's name in every envelope",
        {
            "rules": to_plain(charter.rules),
            "race": [charter.race.cap, charter.race.slack, charter.race.late, charter.race.floor],
            "keys": charter.keys,
            "names": names,
            "nonces": charter.nonces,
        },
        {"head": charter.hash, "dealer": charter.first_dealer},
        {"encoding": encoded, "hashed": hashed(tags.CHARTER, encoded)},
    )
    require(sha512(hashed(tags.CHARTER, encoded)).digest() == charter.hash, "the charter's hash")
    require(int.from_bytes(coin, "big") % 3 == charter.first_dealer, "the first dealer")


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    secret, key, nonce = bytes(range(16)), KEYS[0], NONCES[0]
    about = "the table's name while it is formed"
    yield head_vector("forming", about, {"secret": secret}, forming_name(secret), tags.FORMING, secret)
    about, fields = "the commitment in a JOIN", {"key": key, "nonce": nonce}
    yield head_vector("nonce", about, fields, nonce_commitment(key, nonce), tags.NONCE, key, nonce)
    yield from charter_vectors()
    for deal, seats, dealer in ((1, (0, 1), 1), (3, (0, 1, 2, 3), 0)):
        given: dict[str, object] = {"table": TABLE, "deal": deal, "last": LAST, "seats": seats, "dealer": dealer}
        head = deal_head(TABLE, deal, LAST, seats, dealer)
        parts = (TABLE, be4(deal), LAST, bytes(seats), bytes([dealer]))
        yield head_vector(f"deal-{deal}", f"where deal {deal} begins", given, head, tags.DEAL, *parts)
    for slot, kind, speakers in (
        ("m1", "KEYS", (0, 1, 2)),
        ("5d1", "SERVE", (0, 2)),
        ("100w12", "WINDOW", (0, 1, 2, 3)),
    ):
        said = {seat: HASHES[seat] for seat in speakers}
        given = {"previous": HEAD, "slot": slot, "kind": kind, "envelopes": said}
        head = step_head(HEAD, parse_slot(slot), kind, said)
        step = (HEAD, slot.encode(), kind.encode(), *(bytes([seat]) + said[seat] for seat in speakers))
        about = f"the head after a {kind} step; `envelopes`: hash by seat"
        yield head_vector(f"step-{slot}", about, given, head, tags.STEP, *step)
    for number, ends in ((6, (HASHES[0], HASHES[1])), (7, (HEAD, HEAD))):
        given = {"number": number, "draw": ends[0], "window": ends[1]}
        head = join_head(number, *ends)
        about = "two lanes join before this main step" if ends[0] != ends[1] else "neither lane has a step"
        yield head_vector(f"join-{number}", about, given, head, tags.JOIN, be4(number), *ends)
    yield from race_vectors()


def race_vectors() -> Iterator[Vector]:
    """What belongs to races."""
    shares = HASHES[0][:32], HASHES[1][:32], HASHES[2][:32]
    given: dict[str, object] = {"deal": 2, "handle": (1, 17), "window": 1, "shares": shares}
    name = be4(2) + be4(1) + be4(17) + be4(1)
    yield head_vector("race", "Q of a race", given, race_q(2, (1, 17), 1, shares), tags.RACE, name, *shares)
    for seat, target in ((2, "own"), (0, "other")):
        given = {"table": TABLE, "q": Q, "seat": seat, "class": target, "handle": (1, 4), "nonce": NONCES[1]}
        parts = (TABLE, Q, bytes([seat]), target.encode(), be4(1) + be4(4), NONCES[1])
        yield head_vector(f"snap-{target}", "the commitment in a SNAP", given, None, tags.SNAP, *parts)
    for seat in (0, 2):
        given = {"q": Q, "window": 1, "seat": seat}
        about = "the lot of a seat among equal scores"
        yield head_vector(f"tie-{seat}", about, given, None, tags.TIE, Q, be4(1), bytes([seat]))
    for seat in (0, 1):
        given = {"nonces": NONCES[:2], "seat": seat}
        about = "the lot of a seat in a dispute; nonces of the REVEALs, lower seat first"
        head = dispute_lot(seat, NONCES[:2])
        yield head_vector(f"dispute-{seat}", about, given, head, tags.TIE, *NONCES[:2], bytes([seat]))


def area() -> Area:
    """The file of vectors."""
    return Area(
        "heads",
        "05-table.md#2-deals-and-heads",
        "Tagged hashes by what they are made of; `hashed` is the whole input of SHA-512. They stand in "
        "sections 1 and 2 of 05-table.md and in 06-snap.md.",
        tuple(vectors()),
    )

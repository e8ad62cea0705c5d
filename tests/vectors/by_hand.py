"""A SHUFFLE record taken apart and checked by hand: SHA-512, one signature check, and the group's sums and multiples.

Nothing here decodes with the package, or knows its transcripts or its verifier: the bytes are taken apart as the page
of the worked example and the specification say. The names are those of the page.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha512

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pkaboo.crypto.group import IDENTITY, Point, base_mul, hash_to_group

L = 2**252 + 27742317777372353535851937790883648493
FIELDS = ("version", "table", "deal", "number", "lane", "index", "seat", "head", "kind", "elapsed", "body", "signature")
SUITE = b"p2pkaboo-v1-ristretto255-sha512"
CARD_TAG = b"p2pkaboo-v1-card-with-ristretto255_XMD:SHA-512_R255MAP_RO_"
GENERATOR_TAG = b"p2pkaboo-v1-TW-with-ristretto255_XMD:SHA-512_R255MAP_RO_"


def be4(number: int) -> bytes:
    return number.to_bytes(4, "big")


def frame(label: str, data: bytes) -> bytes:
    return bytes([len(label)]) + label.encode() + be4(len(data)) + data


def scalar(data: bytes) -> int:
    return int.from_bytes(data, "little")


def total(points: Iterable[Point]) -> Point:
    found = IDENTITY
    for point in points:
        found = found + point
    return found


def pieces(data: bytes) -> list[bytes]:
    """Points or scalars one after another."""
    return [data[at : at + 32] for at in range(0, len(data), 32)]


def skip(data: bytes, at: int) -> int:
    """Where the MessagePack value that begins at `at` ends; as much of the format as the envelope of a SHUFFLE has."""
    first = data[at]
    if first < 0x80:
        return at + 1
    if first & 0xF0 == 0x90:
        end = at + 1
        for _ in range(first & 0x0F):
            end = skip(data, end)
        return end
    if first & 0xE0 == 0xA0:
        return at + 1 + (first & 0x1F)
    width = {0xC4: 1, 0xC5: 2}[first]
    return at + 1 + width + int.from_bytes(data[at + 1 : at + 1 + width], "big")


def starts(data: bytes) -> Iterator[int]:
    """Where the records of a file begin."""
    at = 8
    while at < len(data):
        yield at
        at += 4 + int.from_bytes(data[at : at + 4], "big")


def fits(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature is of this key."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


@dataclass
class Walk:
    """One walk through a file: `found` holds every name of the page and its value."""

    data: bytes
    found: dict[str, str] = field(default_factory=dict)

    def go(self) -> dict[str, str]:
        """All eight parts, one after another."""
        self.record()
        self.envelope()
        self.signature()
        self.proof()
        self.decks()
        self.challenges()
        self.claims()
        self.announcements()
        self.ending()
        return self.found

    def record(self) -> None:
        begins = list(starts(self.data))
        number = next(at for at, start in enumerate(begins) if b"\xa7SHUFFLE" in self.data[start : start + 200])
        start = begins[number]
        size = self.data[start : start + 4]
        self.offer = self.data[begins[0] : begins[1]]
        self.row = self.data[start + 4 : start + 4 + int.from_bytes(size, "big")]
        self.found["records before it"] = str(number)
        self.found["it begins at byte"] = str(start)
        self.found["its length field"] = size.hex()
        self.found["its length"] = str(len(self.row))

    def envelope(self) -> None:
        row = self.row
        self.found["@0 array"] = row[:1].hex()
        self.place: dict[str, tuple[int, int]] = {}
        at = 1
        for name in FIELDS:
            self.place[name] = (at, skip(row, at))
            at = self.place[name][1]
            if name != "body":
                self.found[f"@{self.place[name][0]} {name}"] = row[slice(*self.place[name])].hex()
        assert at == len(row)
        body = self.place["body"][0]
        deck_at = body + 1
        proof_at = skip(row, deck_at)
        self.found[f"@{body} body"] = row[body : body + 1].hex()
        self.found[f"@{deck_at} deck"] = row[deck_at : deck_at + 3].hex()
        self.found[f"@{proof_at} proof"] = row[proof_at : proof_at + 3].hex()
        self.after = row[deck_at + 3 : proof_at]
        self.bytes_of_proof = row[proof_at + 3 : self.place["body"][1]]

    def number(self, name: str) -> int:
        """A small integer among the fields."""
        return self.row[self.place[name][0]]

    def signature(self) -> None:
        unsigned = b"\x9b" + self.row[1 : self.place["signature"][0]]
        self.found["unsigned begins"] = unsigned[:1].hex()
        self.found["unsigned has bytes"] = str(len(unsigned))
        self.found["hash of the envelope"] = sha512(unsigned).hexdigest()
        # Of the keys in the JOINs the one that the signature fits.
        keys = [one[-32:] for one in re.findall(rb"\xa4JOIN\x00\x93\xc4\x20.{32}", self.offer, re.DOTALL)]
        signature = self.row[self.place["signature"][0] + 2 :]
        (key,) = (key for key in keys if fits(key, b"\x14p2pkaboo-v1-envelope" + unsigned, signature))
        self.found["key of the seat"] = key.hex()

    def proof(self) -> None:
        proof, cards = pieces(self.bytes_of_proof), len(self.after) // 64
        self.commitments, self.chain = proof[:cards], proof[cards : 2 * cards]
        self.c, *self.singles = proof[2 * cards : 2 * cards + 5]
        self.hats, self.dots = proof[2 * cards + 5 : 3 * cards + 5], proof[3 * cards + 5 :]
        assert len(self.dots) == cards
        self.found["bytes of the proof"] = str(len(self.bytes_of_proof))
        self.found |= {"c_0": self.commitments[0].hex(), "C_0": self.chain[0].hex(), "c": self.c.hex()}
        self.found |= {f"s_{number}": one.hex() for number, one in enumerate(self.singles, start=1)}
        self.found |= {"ŝ_0": self.hats[0].hex(), "ṡ_0": self.dots[0].hex()}

    def decks(self) -> None:
        publics = [one[-32:] for one in re.findall(rb"\xa4KEYS.\x92\xc4\x20.{32}", self.data, re.DOTALL)]
        self.found |= {f"H_{seat}": one.hex() for seat, one in enumerate(publics)}
        self.joint = total(map(Point.decode, publics))
        points = [hash_to_group(CARD_TAG, be4(index)) for index in range(len(self.dots))]
        self.before = b"".join(base_mul(1).encoded + (point + self.joint).encoded for point in points)
        self.found["H"] = self.joint.encoded.hex()
        self.found["cards"] = str(len(points))
        self.found["M_0"] = points[0].encoded.hex()
        self.found |= {"a_0": self.before[:32].hex(), "b_0": self.before[32:64].hex()}
        self.found |= {"a′_0": self.after[:32].hex(), "b′_0": self.after[32:64].hex()}

    def challenges(self) -> None:
        short = {
            "suite": SUITE,
            "proof": b"p2pkaboo-v1-proof-shuffle",
            "table": self.row[self.place["table"][0] + 2 : self.place["table"][1]],
            "deal": self.number("deal").to_bytes(8, "big"),
            "step": f"m{self.number('number')}".encode(),
            "seat": be4(self.number("seat")),
            "key": self.joint.encoded,
        }
        long = {"before": self.before, "after": self.after, "commitments": b"".join(self.commitments)}
        self.found |= {f"frame {label}": frame(label, data).hex() for label, data in short.items()}
        self.found |= {
            f"frame {label} begins": frame(label, data)[: 5 + len(label)].hex() for label, data in long.items()
        }
        self.early = b"".join(frame(label, data) for label, data in (short | long).items())
        self.seed = sha512(self.early + frame("cards", b"")).digest()
        hashes = [sha512(b"p2pkaboo-v1-expand" + self.seed + be4(index)).digest() for index in range(len(self.dots))]
        self.u = [scalar(one) % L for one in hashes]
        self.found["bytes up to there"] = str(len(self.early))
        self.found["frame cards, empty"] = frame("cards", b"").hex()
        self.found["seed"] = self.seed.hex()
        self.found["u_0"] = self.u[0].to_bytes(32, "little").hex()
        self.found[f"u_{len(self.u) - 1}"] = self.u[-1].to_bytes(32, "little").hex()

    def claims(self) -> None:
        self.h, *self.g = (hash_to_group(GENERATOR_TAG, be4(index)) for index in range(len(self.u) + 1))
        product = 1
        for one in self.u:
            product = product * one % L
        commitments = list(map(Point.decode, self.commitments))
        self.links = list(map(Point.decode, self.chain))
        points = list(map(Point.decode, pieces(self.before)))
        self.claim = total(commitments) - total(self.g)
        self.chain_claim = self.links[-1] - self.h * product
        self.weighted = total(point * one for point, one in zip(commitments, self.u, strict=True))
        self.f_a = total(point * one for point, one in zip(points[0::2], self.u, strict=True))
        self.f_b = total(point * one for point, one in zip(points[1::2], self.u, strict=True))
        self.tell(
            h=self.h, g_0=self.g[0], A=self.claim, B=self.chain_claim, E=self.weighted, F_a=self.f_a, F_b=self.f_b
        )

    def tell(self, **points: Point) -> None:
        """Enters points by name."""
        self.found |= {name: point.encoded.hex() for name, point in points.items()}

    def announcements(self) -> None:
        c, dots = scalar(self.c), list(map(scalar, self.dots))
        s_1, s_2, s_3, s_4 = map(scalar, self.singles)
        points = list(map(Point.decode, pieces(self.after)))
        sums = [
            total(one * dot for one, dot in zip(row, dots, strict=True)) for row in (self.g, points[1::2], points[0::2])
        ]
        self.told = [
            base_mul(s_1) - self.claim * c,
            base_mul(s_2) - self.chain_claim * c,
            base_mul(s_3) + sums[0] - self.weighted * c,
            sums[1] - self.joint * s_4 - self.f_b * c,
            sums[2] - base_mul(s_4) - self.f_a * c,
        ]
        self.told_of_chain = [
            base_mul(scalar(hat)) + previous * dot - link * c
            for hat, dot, previous, link in zip(self.hats, dots, [self.h, *self.links[:-1]], self.links, strict=True)
        ]
        self.tell(**dict(zip(("t_1", "t_2", "t_3", "t_b", "t_a"), self.told, strict=True)))
        self.found |= {f"t̂_{number}": self.told_of_chain[number].encoded.hex() for number in (0, 1)}

    def ending(self) -> None:
        late = self.early + frame("cards", self.seed) + frame("chain", b"".join(self.chain))
        late += frame("announcements", b"".join(point.encoded for point in self.told))
        late += frame("chain announcements", b"".join(point.encoded for point in self.told_of_chain))
        digest = sha512(late + frame("challenge", b"")).digest()
        self.found["bytes up to the challenge"] = str(len(late))
        self.found["hash"] = digest.hex()
        self.found["hash modulo L"] = (scalar(digest) % L).to_bytes(32, "little").hex()

"""Vectors of envelopes: one of every kind, and every way in which one can be none."""

from collections.abc import Iterator
from typing import Final

from p2pkaboo.crypto.group import base_mul
from p2pkaboo.crypto.identity import Identity
from p2pkaboo.lab.tables.chance import seeded
from p2pkaboo.wire import bodies
from p2pkaboo.wire.codec import DecodeError, decode, encode
from p2pkaboo.wire.envelope import Envelope, decode_envelope, seal, verify_envelope
from p2pkaboo.wire.slot import Slot
from p2pkaboo.wire.tags import ENVELOPE, PING
from vector_areas.form import Area, Vector, bad, flipped, good, require
from vector_areas.signatures import OTHER, SIGNER

FIELDS: Final = (
    "version table deal number lane index seat head kind elapsed body signature".split()  # noqa: SIM905
)
TABLE: Final = bytes(range(64))
HEAD: Final = bytes(range(64, 128))


def point(number: int) -> bytes:
    """A point like any other."""
    return base_mul(number).encoded


def proof(number: int) -> bytes:
    """64 bytes in a proof's place: what an envelope holds is not verified when it is decoded."""
    return seeded(f"vectors/envelope/{number}")(64)


SHARES: Final = (bodies.Share(point(2), proof(2)), bodies.Share(point(3), proof(3)))
ASK: Final = bodies.Ask((1, 17), point(4), proof(4))
HASH: Final = seeded("vectors/envelope/hash")(64)

BODIES: Final[tuple[tuple[str, Slot, bodies.Body], ...]] = (
    ("JOIN", Slot(0, "f", 0), bodies.Join(SIGNER.public.encoded, "Åsa ♠", HASH)),
    ("OFFER", Slot(1, "f", 0), bodies.Offer((b"\x01", b"\x02"), (("deck.packs", 1), ("name", "ours")), "auto")),
    ("NONCE", Slot(2, "f", 0), bodies.Nonce(bytes(32), 3500)),
    ("CHARTER", Slot(3, "f", 0), bodies.CharterWord(HASH)),
    ("KEYS", Slot(1, "m", 0), bodies.Keys(point(5), proof(5))),
    ("SHUFFLE", Slot(2, "m", 0), bodies.Shuffle(point(6) + point(7), proof(6))),
    ("READY", Slot(4, "m", 0), bodies.Ready(())),
    ("OPEN", Slot(5, "m", 0), bodies.Open(SHARES)),
    ("VIEW", Slot(6, "m", 0), bodies.View((ASK,))),
    ("SERVE", Slot(7, "m", 0), bodies.Serve(SHARES)),
    ("SEEN", Slot(8, "m", 0), bodies.Seen()),
    ("DRAW", Slot(8, "d", 0), bodies.Draw(ASK)),
    ("SNAP", Slot(8, "w", 0), bodies.Snap(412, HASH, HASH[::-1], "")),
    ("NONE", Slot(8, "w", 0), bodies.NoSnap(HASH)),
    (
        "WITNESS",
        Slot(8, "w", 1),
        bodies.Witness(
            (bodies.Measure(1, 431_250, -120, None, 8000, 2_500_000),), (bodies.Lateness(1, -40), bodies.Lateness(2, 7))
        ),
    ),
    ("REVEAL", Slot(8, "w", 2), bodies.Reveal("own", (1, 4), bytes(32))),
    ("GIFT", Slot(8, "w", 4), bodies.Gift(None)),
    ("ACTION", Slot(9, "m", 0), bodies.Action(("exchange", 2, [[1, 4]], None, None), None, b"")),
    ("OPEN1", Slot(20, "m", 0), bodies.Open(SHARES[:1])),
    ("OPEN2", Slot(21, "m", 0), bodies.Open(())),
    ("DISCLOSE", Slot(22, "m", 0), bodies.Disclose(bytes(31) + b"\x10")),
    ("RESULT", Slot(23, "m", 0), bodies.Result((12, 7), (17, 7), (17, 7), (), True, (1,))),
    ("LEAVE", Slot(24, "m", 0), bodies.Leave()),
)


def sealed(kind: str, slot: Slot, body: bodies.Body, identity: Identity = SIGNER) -> Envelope:
    """A signed envelope of seat 2."""
    return seal(identity, table=TABLE, deal=3, slot=slot, seat=2, head=HEAD, kind=kind, elapsed=571, body=body).envelope


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    require([kind for kind, _, _ in BODIES] == list(bodies.BODIES), "not every kind has an envelope")
    key = SIGNER.public
    for kind, slot, body in BODIES:
        envelope = sealed(kind, slot, body)
        require(verify_envelope(envelope, key) is not None, f"the {kind} does not verify")
        fields = decode(envelope.data)
        assert isinstance(fields, list)
        yield good(
            kind.lower(),
            f"a {kind} at {slot}",
            {"bytes": envelope.data, "key": key.encoded},
            dict(zip(FIELDS, fields, strict=True)),
            {"unsigned": envelope.unsigned, "hash": envelope.hash},
        )
    seen = sealed("SEEN", Slot(8, "m", 0), bodies.Seen())
    for name, about, data in [*altered(), *foreign(seen)]:
        try:
            decode_envelope(data)
        except DecodeError:
            yield bad(name, about, "bad-record", {"bytes": data, "key": key.encoded})
        else:
            require(False, f"envelope {name} decodes")
    for name, about, data in unsigned(seen):
        require(verify_envelope(decode_envelope(data), key) is None, f"envelope {name} verifies")
        yield bad(name, about, "bad-signature", {"bytes": data, "key": key.encoded})


def signed(fields: list[object]) -> bytes:
    """The encoding of eleven fields with a signature over them, whatever they are."""
    return encode([*fields, SIGNER.sign(ENVELOPE, encode(fields))])


def altered() -> Iterator[tuple[str, str, bytes]]:
    """Envelopes with one field that may not be, honestly signed."""
    changes: list[tuple[str, str, str, int, object]] = [
        ("version-2", "SEEN", "version 2", 0, 2),
        ("version-true", "SEEN", "a boolean for the version", 0, True),
        ("table-short", "SEEN", "63 bytes for the table", 1, TABLE[:-1]),
        ("table-text", "SEEN", "a text for the table", 1, "t" * 64),
        ("deal-negative", "SEEN", "deal −1", 2, -1),
        ("deal-beyond", "SEEN", "deal 1 000 001 (MAX_DEAL)", 2, 1_000_001),
        ("number-beyond", "SEEN", "number 100 001 (MAX_NUMBER)", 3, 100_001),
        ("lane-4", "SEEN", "lane 4", 4, 4),
        ("main-with-index", "SEEN", "index 1 on the main line", 5, 1),
        ("index-beyond", "NONE", "index 10 001 (MAX_INDEX)", 5, 10_001),
        ("seat-8", "SEEN", "seat 8", 6, 8),
        ("seat-nil", "SEEN", "no seat", 6, None),
        ("head-long", "SEEN", "65 bytes for the head", 7, HEAD + b"\0"),
        ("kind-unknown", "SEEN", "a kind that there is not", 8, "HELLO"),
        ("kind-reserved", "SEEN", "HERE, which is reserved and not in this version", 8, "HERE"),
        ("kind-lower-case", "SEEN", "a kind in lower case", 8, "seen"),
        ("elapsed-negative", "SEEN", "elapsed −1", 9, -1),
        ("elapsed-beyond", "SEEN", "elapsed 2^32 + 1 (MAX_ELAPSED)", 9, 2**32 + 1),
        ("body-no-array", "SEEN", "a body that is no array", 10, None),
        ("body-added", "SEEN", "an element too many in the body", 10, [None]),
        ("body-missing", "NONE", "an element too few in the body", 10, []),
        ("body-of-another-kind", "KEYS", "the body of a NONE in a KEYS", 10, [b""]),
        ("name-empty", "JOIN", "an empty name", 10, [bytes(32), "", HASH]),
        ("name-41", "JOIN", "a name of 41 code points (MAX_NAME)", 10, [bytes(32), "n" * 41, HASH]),
        ("name-space", "JOIN", "a name that ends with a space", 10, [bytes(32), "Ann ", HASH]),
        ("name-direction", "JOIN", "a name with U+202E", 10, [bytes(32), "A\u202enn", HASH]),
        ("name-line", "JOIN", "a name with U+000A", 10, [bytes(32), "A\nnn", HASH]),
        ("handle-series-0", "GIFT", "a handle of series 0", 10, [[0, 1]]),
        ("handle-place-225", "GIFT", "a handle of place 225 (MAX_CARDS)", 10, [[1, 225]]),
        ("handle-three", "GIFT", "a handle of three numbers", 10, [[1, 2, 3]]),
        ("point-short", "DISCLOSE", "31 bytes where 32 are due", 10, [bytes(31)]),
        ("claim-beyond", "SNAP", "3 600 001 ms claimed (MAX_CLAIM_MS)", 10, [3_600_001, HASH, HASH, ""]),
        ("class-unknown", "SNAP", "a class that there is not", 10, [1, HASH, HASH, "mine"]),
        ("answer-long", "NONE", "65 bytes of answer", 10, [bytes(65)]),
        ("points-beyond", "RESULT", "1 000 001 points", 10, [[1_000_001], [0], [0], [], False, []]),
        ("over-integer", "RESULT", "1 where a boolean is due", 10, [[0], [0], [0], [], 1, []]),
        ("stamp-beyond", "WITNESS", "a stamp beyond 2^53", 10, [[[1, 2**53 + 1, 0, 0, 0, 0]], []]),
        ("seats-nine", "READY", "nine seats", 10, [[0, 1, 2, 3, 4, 5, 6, 7, 7]]),
        ("move-empty", "ACTION", "a move of no element", 10, [[], None, b""]),
    ]
    for name, kind, about, place, value in changes:
        _, slot, body = next(row for row in BODIES if row[0] == kind)
        fields = decode(sealed(kind, slot, body).data)
        assert isinstance(fields, list)
        eleven: list[object] = list(fields[:11])
        eleven[place] = value
        yield name, f"{about} in a {kind}" if place == 10 else about, signed(eleven)


def foreign(seen: Envelope) -> Iterator[tuple[str, str, bytes]]:
    """Bytes that are no envelope for another reason than one field."""
    fields = decode(seen.data)
    assert isinstance(fields, list)
    yield "fields-eleven", "no signature", seen.unsigned
    yield "fields-thirteen", "an element after the signature", encode([*fields, b""])
    yield "signature-short", "63 bytes of signature", encode([*fields[:11], fields[11][:-1]])  # type: ignore[index]
    yield "no-array", "a byte string", encode(seen.data)
    yield "longer-form", "its number of elements in two bytes", b"\xdc\x00\x0c" + seen.data[1:]
    yield "trailing-byte", "a byte after it", seen.data + b"\0"
    yield "cut", "its last byte is missing", seen.data[:-1]
    yield "nothing", "no byte", b""


def unsigned(seen: Envelope) -> Iterator[tuple[str, str, bytes]]:
    """Envelopes that decode, with a signature that does not verify."""
    fields = decode(seen.data)
    assert isinstance(fields, list)
    eleven = fields[:11]
    yield "signature-changed", "one bit of the signature is another", flipped(seen.data, 8 * (len(seen.data) - 64))
    yield "elapsed-changed", "the elapsed time was changed after signing", encode([*eleven[:9], 572, *fields[10:]])
    yield "signed-by-another", "somebody else has signed", encode([*eleven, OTHER.sign(ENVELOPE, seen.unsigned)])
    yield "signed-as-ping", "signed with the tag of pings", encode([*eleven, SIGNER.sign(PING, seen.unsigned)])
    yield (
        "signed-whole",
        "signed over all but its last byte",
        encode([*eleven, SIGNER.sign(ENVELOPE, seen.unsigned[:-1])]),
    )


def area() -> Area:
    """The file of vectors."""
    return Area(
        "envelope",
        "01-encoding.md#5-envelopes",
        "Envelopes as bytes, and the key of the seat. Those of class `bad-record` do not decode, whoever signed them. "
        "Points and proofs in them are not verified: that depends on the table.",
        tuple(vectors()),
    )

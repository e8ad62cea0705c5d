from hashlib import sha512

import pytest

from p2pkaboo.crypto.identity import Identity, tagged
from p2pkaboo.wire.bodies import Disclose, NoSnap, Offer, Seen
from p2pkaboo.wire.codec import DecodeError, Value, decode, encode
from p2pkaboo.wire.envelope import Signed, decode_envelope, seal, verify_envelope
from p2pkaboo.wire.limits import MAX_DEAL, MAX_ELAPSED, MAX_ENVELOPE, MAX_INDEX, MAX_NUMBER
from p2pkaboo.wire.slot import Slot

ADA, BOB = Identity(bytes(32)), Identity(bytes([1]) * 32)
TABLE, HEAD = bytes([2]) * 64, bytes([3]) * 64
FIELDS = ["version", "table", "deal", "number", "lane", "index", "seat", "head", "kind", "elapsed", "body", "signature"]


def sealed() -> Signed:
    return seal(
        ADA, table=TABLE, deal=7, slot=Slot(5, "w", 2), seat=3, head=HEAD, kind="NONE", elapsed=99, body=NoSnap(b"")
    )


def fields() -> list[Value]:
    value = decode(sealed().envelope.data)
    assert isinstance(value, list)
    return value


def test_the_layout_is_pinned() -> None:
    envelope = sealed().envelope
    signature = ADA.sign(b"p2pkaboo-v1-envelope", envelope.unsigned)
    assert fields() == [1, TABLE, 7, 5, 3, 2, 3, HEAD, "NONE", 99, [b""], signature]
    assert envelope.unsigned == encode(fields()[:-1])
    assert envelope.signature == signature
    assert tagged(b"p2pkaboo-v1-envelope", envelope.unsigned)[:1] == bytes([20])


def test_the_hash_leaves_the_signature_out() -> None:
    envelope = sealed().envelope
    assert envelope.hash == sha512(envelope.unsigned).digest()
    other = decode_envelope(encode([*fields()[:-1], bytes(64)]))
    assert other.hash == envelope.hash
    assert other.data != envelope.data


def test_only_its_author_signs() -> None:
    signed = sealed()
    assert signed.key == ADA.public.encoded
    assert verify_envelope(signed.envelope, ADA.public) == signed
    assert verify_envelope(signed.envelope, BOB.public) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("table", HEAD),
        ("deal", 8),
        ("number", 6),
        ("lane", 2),
        ("index", 3),
        ("seat", 2),
        ("head", TABLE),
        ("kind", "CHARTER"),
        ("elapsed", 98),
        ("body", [bytes(64)]),
        ("signature", bytes(64)),
    ],
)
def test_everything_is_signed(name: str, value: Value) -> None:
    changed = fields()
    changed[FIELDS.index(name)] = value
    if name == "kind":
        changed[FIELDS.index("body")] = [bytes(64)]
    envelope = decode_envelope(encode(changed))
    assert verify_envelope(envelope, ADA.public) is None


LIMITS: list[tuple[str, list[Value], list[Value]]] = [
    ("version", [1], [0, 2, True, "1", None, [1]]),
    ("table", [bytes(64)], [bytes(63), bytes(65), b"", "x" * 64, None]),
    ("deal", [0, MAX_DEAL], [-1, MAX_DEAL + 1, True, None, b""]),
    ("number", [0, MAX_NUMBER], [-1, MAX_NUMBER + 1, True, None]),
    ("lane", [2, 3], [-1, 4, True, "w", None]),
    ("index", [0, MAX_INDEX], [-1, MAX_INDEX + 1, False, None]),
    ("seat", [0, 7], [-1, 8, True, None]),
    ("head", [bytes(64)], [bytes(63), bytes(65), None]),
    ("kind", ["NONE"], ["none", "", "HERE", b"NONE", None, 1, ["NONE"]]),
    ("elapsed", [0, MAX_ELAPSED], [-1, MAX_ELAPSED + 1, True, None]),
    ("body", [[b""]], [[], [b"", b""], None, [1]]),
    ("signature", [bytes(64)], [bytes(63), bytes(65), None]),
]


@pytest.mark.parametrize(("name", "fits", "wrong"), LIMITS, ids=[limit[0] for limit in LIMITS])
def test_limits_from_both_sides(name: str, fits: list[Value], wrong: list[Value]) -> None:
    at = FIELDS.index(name)
    for value in fits:
        changed = fields()
        changed[at] = value
        decode_envelope(encode(changed))
    for value in wrong:
        changed = fields()
        changed[at] = value
        said = {"index": "index|slot", "number": "number|slot", "body": "NONE"}.get(name, name)
        with pytest.raises(DecodeError, match=said):
            decode_envelope(encode(changed))


@pytest.mark.parametrize("lane", [0, 1])
def test_main_and_forming_steps_have_no_index(lane: int) -> None:
    changed = fields()
    changed[FIELDS.index("lane")] = lane
    with pytest.raises(DecodeError, match="no such slot"):
        decode_envelope(encode(changed))
    changed[FIELDS.index("index")] = 0
    decode_envelope(encode(changed))


@pytest.mark.parametrize("value", [None, 1, b"", "x", [], [1] * 11, [1] * 13, [[1] * 12]])
def test_other_values_are_none(value: Value) -> None:
    with pytest.raises(DecodeError):
        decode_envelope(encode(value))


def with_data(size: int) -> bytes:
    """An OFFER of `size` bytes in all."""
    small = _offer(b"")
    data = _offer(bytes(size - len(small.envelope.data) - 3)).envelope.data
    assert len(data) == size
    return data


def _offer(filling: bytes) -> Signed:
    return seal(
        ADA,
        table=TABLE,
        deal=0,
        slot=Slot(1, "f", 0),
        seat=0,
        head=HEAD,
        kind="OFFER",
        elapsed=0,
        body=Offer((filling, b""), (), "lan"),
    )


def test_the_largest_envelope() -> None:
    decode_envelope(with_data(MAX_ENVELOPE))
    with pytest.raises(DecodeError, match=f"at most {MAX_ENVELOPE} bytes"):
        with_data(MAX_ENVELOPE + 1)


def test_nothing_is_sealed_that_others_would_refuse() -> None:
    ours = {"table": TABLE, "deal": 7, "slot": Slot(5, "m", 0), "seat": 3, "head": HEAD, "kind": "SEEN", "elapsed": 0}
    seal(ADA, **ours, body=Seen())  # type: ignore[arg-type]
    for wrong in (
        {"table": b""},
        {"slot": Slot(5, "m", 1)},
        {"slot": Slot(5, "x", 0)},
        {"seat": 8},
        {"elapsed": -1},
        {"kind": "HERE"},
        {"kind": "DISCLOSE"},
        {"body": Disclose(bytes(31))},
        {"kind": "OFFER", "body": Offer((b"", b""), (("a", 1.5),), "lan")},
    ):
        with pytest.raises(DecodeError):
            seal(ADA, **({"body": Seen()} | ours | wrong))  # type: ignore[arg-type]

"""Vectors of the proofs about one scalar: each true, and with one thing changed at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import blind, fresh, joint_key, remask, share
from p2pkaboo.crypto.group import (
    IDENTITY,
    CryptoDecodeError,
    G,
    Point,
    base_mul,
    encode_scalar,
    random_scalar,
)
from p2pkaboo.crypto.proofs import SchnorrProof
from p2pkaboo.crypto.sharing import RecoveryKeyStatement, prove_recovery_key
from p2pkaboo.crypto.sigma import (
    BlindStatement,
    KeyStatement,
    ShareStatement,
    Statement,
    check,
    prove_blind,
    prove_key,
    prove_share,
)
from p2pkaboo.lab.tables.chance import seeded
from vector_areas.form import (
    Area,
    Frames,
    Vector,
    bad,
    beyond_order,
    challenge_of,
    context_plain,
    flipped,
    good,
    require,
    transcript,
)

TABLE: Final = bytes(range(64))
"""The table of every context here."""

SECRETS: Final = tuple(random_scalar(seeded(f"vectors/secret/{seat}")) for seat in range(4))
"""The keys of four seats; seat 0 is the viewer, seat 1 gives shares."""

PUBLICS: Final = tuple(base_mul(secret) for secret in SECRETS)
RHO: Final = random_scalar(seeded("vectors/rho"))
CARD: Final = 7
MASKED: Final = remask(fresh(CARD, joint_key(PUBLICS)), joint_key(PUBLICS), random_scalar(seeded("vectors/mask")))
BLINDED: Final = blind(MASKED.a, RHO)

Fields = Mapping[str, object]


def context(step: str, seat: int) -> Context:
    """Where a proof of these vectors stands."""
    return Context(TABLE, 3, step.encode(), seat)


def context_in(given: Fields) -> Context:
    """The context among the fields of a vector."""
    at = given["at"]
    assert isinstance(at, Context)
    return at


def bytes_in(given: Fields, name: str) -> bytes:
    """A byte string among the fields of a vector."""
    data = given[name]
    assert isinstance(data, bytes)
    return data


def point_in(given: Fields, name: str) -> Point:
    """A point among the fields of a vector; CryptoDecodeError if it is none."""
    return Point.decode(bytes_in(given, name))


def holds(given: Fields, build: Callable[[Fields], Statement]) -> bool:
    """Whether the package accepts a proof, from the fields of a vector."""
    try:
        statement = build(given)
    except (CryptoDecodeError, ValueError):
        return False
    return check(statement, bytes_in(given, "proof")) is not None


def elsewhere(at: Context) -> Iterator[tuple[str, str, Context]]:
    """The same context with one thing changed."""
    yield "other-table", "proved at another table", replace(at, table=flipped(at.table))
    yield "other-deal", "proved in another deal", replace(at, deal=at.deal + 1)
    yield "other-step", "proved in another step", replace(at, step=b"m99")
    yield "other-item", "proved as another item of the message", replace(at, step=at.step.split(b"#")[0] + b"#9")
    yield "other-seat", "proved by another seat", replace(at, seat=at.seat + 1)


def spoiled_scalars(proof: bytes, count: int) -> Iterator[tuple[str, str, bytes]]:
    """A proof of `count` scalars with one thing changed; `proof` holds."""
    first, last = proof[:32], proof[32 * (count - 1) : 32 * count]
    yield "challenge-changed", "one bit of the challenge is another", flipped(proof)
    yield "response-changed", "one bit of the last response is another", flipped(proof, 256 * (count - 1))
    yield "challenge-beyond-order", "the challenge plus L", beyond_order(first) + proof[32:]
    yield "response-beyond-order", "the last response plus L", proof[:-32] + beyond_order(last)
    yield "short", "the last byte is missing", proof[:-1]
    yield "long", "a byte follows", proof + b"\0"
    yield "empty", "there is no proof", b""
    yield "zero", "every scalar is 0", bytes(len(proof))


# ---------------------------------------------------------------- key


def key_statement(given: Fields) -> KeyStatement:
    return KeyStatement(context_in(given), point_in(given, "public"))


def log_intermediate(tag: bytes, at: Context, frames: Frames, public: Point, proof: SchnorrProof) -> dict[str, object]:
    """What a verifier computes of a proof of one logarithm."""
    commitment = base_mul(proof.response) - public * proof.challenge
    whole = transcript(tag, at, [*frames, (b"commitment", commitment.encoded)])
    require(challenge_of(whole) == proof.challenge, "a challenge is not that of its frames")
    return {"frames": whole, "commitment": commitment, "challenge": encode_scalar(proof.challenge)}


def told(given: Fields) -> dict[str, object]:
    """The fields of a vector's input: the context by its fields, first."""
    return {
        "context": context_plain(context_in(given)),
        **{name: value for name, value in given.items() if name != "at"},
    }


def judged(
    build: Callable[[Fields], Statement], code: str | None, given: Fields, wrong: Iterable[tuple[str, str, Fields]]
) -> Iterator[Vector]:
    """Invalid vectors: the true input with some fields replaced, each refused by the package."""
    for name, about, changes in wrong:
        fields = {**given, **changes}
        require(not holds(fields, build), f"{name} holds")
        yield bad(name, about, code, told(fields))


def key_vectors() -> Iterator[Vector]:
    at = context("m1", 1)
    statement = KeyStatement(at, PUBLICS[1])
    proof = prove_key(statement, SECRETS[1], seeded("vectors/key"))
    given: dict[str, object] = {"at": at, "public": PUBLICS[1].encoded, "proof": proof.encode()}
    require(holds(given, key_statement), "key: the true proof does not hold")
    frames = [(b"public", PUBLICS[1].encoded)]
    inner = log_intermediate(tags.KEY, at, frames, PUBLICS[1], proof)
    yield good("true", "a key and its proof", told(given), None, inner)
    one = prove_key(KeyStatement(at, G), 1, seeded("vectors/key/one"))
    small: dict[str, object] = {"at": at, "public": G.encoded, "proof": one.encode()}
    require(holds(small, key_statement), "key: the proof of 1 does not hold")
    inner = log_intermediate(tags.KEY, at, [(b"public", G.encoded)], G, one)
    yield good("secret-one", "the secret is 1: nothing forbids it", told(small), None, inner)
    other = prove_recovery_key(RecoveryKeyStatement(at, PUBLICS[1]), SECRETS[1], seeded("vectors/key/other"))
    wrong: list[tuple[str, str, Fields]] = [
        *((name, about, {"at": where}) for name, about, where in elsewhere(at)),
        ("other-key", "the key of another seat", {"public": PUBLICS[2].encoded}),
        ("identity", "the key is the identity element", {"public": IDENTITY.encoded}),
        ("no-point", "the key is no canonical encoding", {"public": b"\1" + bytes(31)}),
        ("other-kind", "a proof of the same secret with the tag `recovery-key`", {"proof": other.encode()}),
        *((name, about, {"proof": data}) for name, about, data in spoiled_scalars(proof.encode(), 2)),
    ]
    yield from judged(key_statement, "bad-key", given, wrong)


# ---------------------------------------------------------------- blind


def blind_statement(given: Fields) -> BlindStatement:
    return BlindStatement(context_in(given), point_in(given, "original"), point_in(given, "blinded"))


def blind_vectors() -> Iterator[Vector]:
    at = context("5d0", 0)
    proof = prove_blind(BlindStatement(at, MASKED.a, BLINDED), RHO, seeded("vectors/blind"))
    given: dict[str, object] = {
        "at": at,
        "original": MASKED.a.encoded,
        "blinded": BLINDED.encoded,
        "proof": proof.encode(),
    }
    require(holds(given, blind_statement), "blind: the true proof does not hold")
    frames = [(b"original", MASKED.a.encoded), (b"blinded", BLINDED.encoded)]
    inner = log_intermediate(tags.BLIND, at, frames, BLINDED - MASKED.a, proof)
    yield good("true", "the blinding of a view", told(given), None, inner)
    item = context("m6#1", 0)
    second = prove_blind(BlindStatement(item, MASKED.a, BLINDED), RHO, seeded("vectors/blind/item"))
    fields = {**given, "at": item, "proof": second.encode()}
    inner = log_intermediate(tags.BLIND, item, frames, BLINDED - MASKED.a, second)
    yield good("item", "the second ask of a VIEW: its step has an item", told(fields), None, inner)
    none = prove_blind(BlindStatement(at, MASKED.a, MASKED.a), 0, seeded("vectors/blind/none"))
    wrong: list[tuple[str, str, Fields]] = [
        *((name, about, {"at": where}) for name, about, where in elsewhere(at)),
        ("not-blinded", "a′ = a, with a true proof of ρ = 0", {"blinded": MASKED.a.encoded, "proof": none.encode()}),
        ("other-card", "a of another card", {"original": (MASKED.a + G).encoded}),
        ("other-blinding", "a′ of another ρ", {"blinded": (BLINDED + G).encoded}),
        ("identity", "a′ is the identity element", {"blinded": IDENTITY.encoded}),
        *((name, about, {"proof": data}) for name, about, data in spoiled_scalars(proof.encode(), 2)),
    ]
    yield from judged(blind_statement, "bad-view", given, wrong)


# ---------------------------------------------------------------- share


def share_statement(given: Fields) -> ShareStatement:
    public, base, element = (point_in(given, name) for name in ("public", "base", "share"))
    return ShareStatement(context_in(given), public, base, element)


def share_vectors() -> Iterator[Vector]:
    at = context("m12#0", 1)
    element = share(SECRETS[1], MASKED.a)
    statement = ShareStatement(at, PUBLICS[1], MASKED.a, element)
    proof = prove_share(statement, SECRETS[1], seeded("vectors/share"))
    given: dict[str, object] = {
        "at": at,
        "public": PUBLICS[1].encoded,
        "base": MASKED.a.encoded,
        "share": element.encoded,
        "proof": proof.encode(),
    }
    require(holds(given, share_statement), "share: the true proof does not hold")
    commitments = [
        base_mul(proof.response) - PUBLICS[1] * proof.challenge,
        MASKED.a * proof.response - element * proof.challenge,
    ]
    frames = [(name.encode(), bytes_in(given, name)) for name in ("public", "base", "share")]
    said = b"".join(point.encoded for point in commitments)
    whole = transcript(tags.SHARE, at, [*frames, (b"commitment", said)])
    require(challenge_of(whole) == proof.challenge, "share: the challenge is not that of its frames")
    inner = {"frames": whole, "commitments": commitments, "challenge": encode_scalar(proof.challenge)}
    yield good("true", "the share of a card that is opened to all", told(given), None, inner)
    other = share(SECRETS[1] + 1, MASKED.a)
    lie = prove_share(ShareStatement(at, PUBLICS[1], MASKED.a, other), SECRETS[1], seeded("vectors/share/lie"))
    wrong: list[tuple[str, str, Fields]] = [
        *((name, about, {"at": where}) for name, about, where in elsewhere(at)),
        ("other-secret", "made with x + 1, proved with x", {"share": other.encoded, "proof": lie.encode()}),
        ("other-base", "the share of a′ of a view instead of a", {"base": BLINDED.encoded}),
        ("other-key", "the key of another seat", {"public": PUBLICS[2].encoded}),
        ("identity", "the share is the identity element", {"share": IDENTITY.encoded}),
        ("no-point", "the share is no canonical encoding", {"share": b"\1" + bytes(31)}),
        *((name, about, {"proof": data}) for name, about, data in spoiled_scalars(proof.encode(), 2)),
    ]
    yield from judged(share_statement, "bad-share", given, wrong)


def areas() -> tuple[Area, ...]:
    """The files of vectors."""
    section = "02-crypto.md#6-proofs-of-one-scalar"
    return (
        Area("key", section, "Proofs of a deal key.", tuple(key_vectors())),
        Area("blind", section, "Proofs of the blinding of a private view.", tuple(blind_vectors())),
        Area("share", section, "Proofs of a share of a card.", tuple(share_vectors())),
    )

"""Vectors of the key split, which is reserved: second keys, splits, and complaints about a part that is wrong."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.group import G, L, Point, base_mul, encode_scalar, random_scalar
from p2pkaboo.crypto.proofs import SchnorrProof
from p2pkaboo.crypto.sharing import (
    ComplaintStatement,
    Part,
    RecoveryKeyStatement,
    SplitStatement,
    complaint,
    open_part,
    prove_complaint,
    prove_recovery_key,
    prove_split,
    recombine,
    split_key,
)
from p2pkaboo.crypto.sigma import check
from p2pkaboo.lab.tables.chance import seeded
from vector_areas.form import Area, Frames, Vector, bad, challenge_of, context_plain, good, require, scalars, transcript
from vector_areas.proofs import (
    PUBLICS,
    SECRETS,
    Fields,
    context,
    context_in,
    elsewhere,
    judged,
    key_statement,
    log_intermediate,
    point_in,
    spoiled_scalars,
    told,
)

SPLITTER: Final = context("m1", 0)
OTHERS: Final = (1, 2, 3)
SECONDS: Final = {seat: random_scalar(seeded(f"vectors/second/{seat}")) for seat in OTHERS}
"""The second secrets e_j of the seats that get a part."""


# ---------------------------------------------------------------- recovery-key


def recovery_statement(given: Fields) -> RecoveryKeyStatement:
    return RecoveryKeyStatement(context_in(given), point_in(given, "public"))


def recovery_vectors() -> Iterator[Vector]:
    at, public = context("m1", 2), base_mul(SECONDS[2])
    proof = prove_recovery_key(RecoveryKeyStatement(at, public), SECONDS[2], seeded("vectors/recovery"))
    given: dict[str, object] = {"at": at, "public": public.encoded, "proof": proof.encode()}
    frames = [(b"public", public.encoded)]
    yield good(
        "true", "a second key", told(given), None, log_intermediate(tags.RECOVERY_KEY, at, frames, public, proof)
    )
    wrong: list[tuple[str, str, Fields]] = [
        *((name, about, {"at": where}) for name, about, where in elsewhere(at)),
        ("other-key", "the key of another seat", {"public": PUBLICS[2].encoded}),
        *((name, about, {"proof": data}) for name, about, data in spoiled_scalars(proof.encode(), 2)),
    ]
    yield from judged(recovery_statement, None, given, wrong)
    require(check(key_statement(given), proof.encode()) is None, "a second key's proof serves as a deal key's")


# ---------------------------------------------------------------- split


def honest() -> tuple[SplitStatement, int]:
    """The split of seat 0's key and the secret of its ephemeral."""
    recipients = [(seat, base_mul(SECONDS[seat])) for seat in OTHERS]
    return split_key(SPLITTER, SECRETS[0], recipients, seeded("vectors/split"))


def parts_plain(split: SplitStatement) -> list[dict[str, object]]:
    """The parts of a split by their fields."""
    return [
        {"seat": part.seat, "key": part.key, "point": part.point, "sealed": encode_scalar(part.sealed)}
        for part in split.parts
    ]


def split_frames(split: SplitStatement) -> Frames:
    """The statement of a split as frames."""
    frames = [(b"public", split.public.encoded), (b"ephemeral", split.ephemeral.encoded)]
    for part in split.parts:
        frames += [
            (b"recipient", part.seat.to_bytes(4, "big")),
            (b"key", part.key.encoded),
            (b"point", part.point.encoded),
            (b"sealed", encode_scalar(part.sealed)),
        ]
    return frames


def split_input(split: SplitStatement, proof: bytes) -> dict[str, object]:
    """The input of a vector about a split."""
    return {
        "context": context_plain(split.context),
        "public": split.public,
        "ephemeral": split.ephemeral,
        "parts": parts_plain(split),
        "proof": proof,
    }


def pad_of(split: SplitStatement, part: Part, opened: Point) -> int:
    """The pad of a part, by the specification's own words."""
    frames = [
        (b"ephemeral", split.ephemeral.encoded),
        (b"recipient", part.seat.to_bytes(4, "big")),
        (b"key", part.key.encoded),
        (b"point", part.point.encoded),
        (b"opened", opened.encoded),
    ]
    return challenge_of(transcript(tags.SPLIT_PAD, split.context, frames), b"pad")


def split_vectors() -> Iterator[Vector]:
    split, k = honest()
    proof = prove_split(split, k, seeded("vectors/split/proof"))
    require(check(split, proof.encode()) is not None, "the split does not hold")
    values = {seat: open_part(split, seat, SECONDS[seat]) or 0 for seat in OTHERS}
    require(recombine(split, values) == SECRETS[0], "the parts do not give the key")
    pads = [pad_of(split, part, split.ephemeral * SECONDS[part.seat]) for part in split.parts]
    for part, pad in zip(split.parts, pads, strict=True):
        require((part.sealed - pad) % L == values[part.seat], "a pad is not that of its frames")
    secrets = {"secrets": scalars(SECONDS[seat] for seat in OTHERS)}
    inner = log_intermediate(tags.SPLIT, SPLITTER, split_frames(split), split.ephemeral, proof)
    yield good(
        "true",
        "a key in three parts; `values` are the parts unsealed with the recipients' `secrets`, and add up to the key",
        {**split_input(split, proof.encode()), **secrets},
        {"values": scalars(values[seat] for seat in OTHERS), "key": encode_scalar(SECRETS[0])},
        {"pads": scalars(pads), **inner},
    )
    first, second, third = split.parts
    changed: list[tuple[str, str, SplitStatement]] = [
        ("sum-wrong", "the points do not add up to the key", replace(split, public=PUBLICS[1])),
        ("part-missing", "a recipient is left out", replace(split, parts=(first, second))),
        (
            "own-part",
            "the splitter is among the recipients",
            replace(split, parts=(replace(first, seat=0), second, third)),
        ),
        ("descending", "recipients in descending order", replace(split, parts=(second, first, third))),
        ("no-part", "there is no recipient", replace(split, parts=())),
        ("ephemeral-copied", "the ephemeral of somebody else", replace(split, ephemeral=G * 5)),
    ]
    for name, about, lie in changed:
        # Each is proved anew over its own statement: the fault is what the text says and not a stale proof.
        again = prove_split(lie, k, seeded(f"vectors/split/{name}"))
        require(check(lie, again.encode()) is None, f"split {name} holds")
        yield bad(name, about, None, split_input(lie, again.encode()))
    stale = replace(split, parts=(replace(first, sealed=first.sealed ^ 1), second, third))
    require(check(stale, proof.encode()) is None, "a changed part holds")
    yield bad("sealed-changed", "a sealed part is changed afterwards", None, split_input(stale, proof.encode()))
    for name, about, where in elsewhere(SPLITTER):
        moved = replace(split, context=where)
        require(check(moved, proof.encode()) is None, f"split {name} holds")
        yield bad(name, about, None, split_input(moved, proof.encode()))


# ---------------------------------------------------------------- complaint


def spoiled() -> SplitStatement:
    """A split whose part for seat 2 is wrong."""
    split, _ = honest()
    first, second, third = split.parts
    return replace(split, parts=(first, replace(second, sealed=(second.sealed + 1) % L), third))


def complaint_input(statement: ComplaintStatement, proof: bytes) -> dict[str, object]:
    """The input of a vector about a complaint."""
    split = {name: value for name, value in split_input(statement.split, b"").items() if name != "proof"}
    return {"context": context_plain(statement.context), "split": split, "opened": statement.opened, "proof": proof}


def complaint_intermediate(statement: ComplaintStatement, proof: SchnorrProof) -> dict[str, object]:
    """What a verifier computes of a complaint."""
    split, part = statement.split, statement.split.part_of(statement.context.seat)
    assert part is not None
    commitments = [
        base_mul(proof.response) - part.key * proof.challenge,
        split.ephemeral * proof.response - statement.opened * proof.challenge,
    ]
    of: Context = split.context
    frames = [
        (b"split table", of.table),
        (b"split deal", of.deal.to_bytes(8, "big")),
        (b"split step", of.step),
        (b"split seat", of.seat.to_bytes(4, "big")),
        *split_frames(split),
        (b"opened", statement.opened.encoded),
        (b"commitment", b"".join(point.encoded for point in commitments)),
    ]
    whole = transcript(tags.COMPLAINT, statement.context, frames)
    require(challenge_of(whole) == proof.challenge, "complaint: the challenge is not that of its frames")
    pad = pad_of(split, part, statement.opened)
    return {
        "pad": encode_scalar(pad),
        "frames": whole,
        "commitments": commitments,
        "challenge": encode_scalar(proof.challenge),
    }


def complaint_vectors() -> Iterator[Vector]:
    at = context("m2", 2)
    statement = complaint(at, spoiled(), SECONDS[2])
    proof = prove_complaint(statement, SECONDS[2], seeded("vectors/complaint"))
    require(check(statement, proof.encode()) is not None, "the complaint does not hold")
    inner = complaint_intermediate(statement, proof)
    yield good("true", "the part of seat 2 is wrong", complaint_input(statement, proof.encode()), None, inner)
    right, _ = honest()
    changed: list[tuple[str, str, ComplaintStatement, int]] = [
        ("part-right", "the part is right", complaint(at, right, SECONDS[2]), SECONDS[2]),
        ("opened-wrong", "another opened point", replace(statement, opened=statement.opened + G), SECONDS[2]),
        ("no-recipient", "by a seat that has no part", replace(statement, context=context("m2", 0)), SECONDS[2]),
        (
            "of-another",
            "by seat 1, whose part is right",
            complaint(context("m2", 1), spoiled(), SECONDS[1]),
            SECONDS[1],
        ),
    ]
    for name, about, lie, secret in changed:
        again = prove_complaint(lie, secret, seeded(f"vectors/complaint/{name}"))
        require(check(lie, again.encode()) is None, f"complaint {name} holds")
        yield bad(name, about, None, complaint_input(lie, again.encode()))
    for name, about, data in spoiled_scalars(proof.encode(), 2):
        require(check(statement, data) is None, f"complaint {name} holds")
        yield bad(name, about, None, complaint_input(statement, data))


def areas() -> tuple[Area, ...]:
    """The files of vectors."""
    section = "02-crypto.md#8-key-split-reserved"
    return (
        Area("recovery-key", section, "Proofs of a second key. Reserved: no class is due.", tuple(recovery_vectors())),
        Area("split", section, "Splits of a deal key. Reserved: no class is due.", tuple(split_vectors())),
        Area(
            "complaint",
            section,
            "Complaints about a part that is wrong; `context` is the complainer's. Reserved: no class is due.",
            tuple(complaint_vectors()),
        ),
    )

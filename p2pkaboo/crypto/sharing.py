"""The split of a deal key, so that the others together can stand in for a seat that is lost.

A seat splits its key into one part for each other seat, x = sum x_j. It shows the points x_j·G, which sum to its key
x·G, and each part sealed to that seat's second key E_j = e_j·G: one ephemeral K = k·G for all, with a Schnorr proof of
k over the whole split, and sealed_j = x_j + pad(k·E_j) modulo L. Without the proof a seat could copy another's
ephemeral and have a complaint open a part that is not its own.

Whoever finds a part wrong complains: it shows e_j·K with a Chaum-Pedersen proof, and everybody sees for themselves. A
complaint about a part that is right does not verify, so it names its author.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.context import MAX_SEAT, Context
from p2pkaboo.crypto.group import L, Point, Rng, Scalar, base_mul, encode_scalar, random_scalar, sum_points
from p2pkaboo.crypto.proofs import SchnorrProof, require_context, require_points, require_scalars
from p2pkaboo.crypto.schnorr import equal_logs_hold, log_holds, prove_equal_logs, prove_log
from p2pkaboo.crypto.transcript import Transcript
from p2pkaboo.crypto.verified import Verified, seal


@dataclass(frozen=True, slots=True)
class RecoveryKeyStatement:
    """The seat knows e with public = e·G: its second key of this deal, to which the others seal parts."""

    context: Context
    public: Point

    def __post_init__(self) -> None:
        require_context("a recovery key statement", self.context)
        require_points("a recovery key statement", (self.public,))


@dataclass(frozen=True, slots=True)
class Part:
    """One seat's part of a split key: `key` is that seat's E_j, `point` x_j·G, `sealed` x_j plus the pad."""

    seat: int
    key: Point
    point: Point
    sealed: Scalar

    def __post_init__(self) -> None:
        if not is_a(self.seat, int) or not 0 <= self.seat <= MAX_SEAT:
            raise ValueError(f"the seat of a part is a number from 0 to 2^32-1, not {self.seat!r}")
        require_points("a part", (self.key, self.point))
        require_scalars("a part", (self.sealed,))


@dataclass(frozen=True, slots=True)
class SplitStatement:
    """The seat of the context has split `public` = x·G into `parts`, and knows k with ephemeral = k·G.

    The parts stand in ascending order of seats, none of them the splitter's own; otherwise no proof verifies.
    """

    context: Context
    public: Point
    ephemeral: Point
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        require_context("a split statement", self.context)
        require_points("a split statement", (self.public, self.ephemeral))
        if not is_a(self.parts, tuple) or not all(is_a(part, Part) for part in self.parts):
            raise TypeError("the parts of a split statement are a tuple of parts")

    def part_of(self, seat: int) -> Part | None:
        """The part sealed to `seat`, or None."""
        return next((part for part in self.parts if part.seat == seat), None)


@dataclass(frozen=True, slots=True)
class ComplaintStatement:
    """The seat of the context knows e with its E = e·G and opened = e·K, and its part, unsealed so, is wrong.

    `split` is what it complains of; `opened` lets everybody unseal that one part and no other.
    """

    context: Context
    split: SplitStatement
    opened: Point

    def __post_init__(self) -> None:
        require_context("a complaint", self.context)
        require_points("a complaint", (self.opened,))
        if not is_a(self.split, SplitStatement):
            raise TypeError("a complaint is about a split statement")


def prove_recovery_key(statement: RecoveryKeyStatement, e: Scalar, rng: Rng) -> SchnorrProof:
    """Proof for `RecoveryKeyStatement` with secret e."""
    return prove_log(_recovery_key_transcript(statement), e, rng)


def verify_recovery_key(statement: RecoveryKeyStatement, proof: SchnorrProof) -> Verified[RecoveryKeyStatement] | None:
    """The verdict on a second key; None if the proof is not one of this statement. Never raises."""
    if not is_a(statement, RecoveryKeyStatement) or not is_a(proof, SchnorrProof):
        return None
    return seal(statement) if log_holds(_recovery_key_transcript(statement), statement.public, proof) else None


def split_key(
    context: Context, x: Scalar, recipients: Sequence[tuple[int, Point]], rng: Rng
) -> tuple[SplitStatement, Scalar]:
    """Split x for the `recipients`, pairs of seat and proved E_j: the statement, and its secret k for the proof.

    `ValueError` without recipients, or if they are not in ascending order of seats or hold the splitter's own.
    """
    seats = [seat for seat, _ in recipients]
    if not seats or seats != sorted(set(seats)) or context.seat in seats:
        raise ValueError(
            f"seat {context.seat} cannot split its key for the seats {seats}: others, ascending, are needed"
        )
    shares = [random_scalar(rng) for _ in seats[1:]]
    shares.append((x - sum(shares)) % L)
    k = random_scalar(rng)
    ephemeral = base_mul(k)
    parts = []
    for (seat, key), share in zip(recipients, shares, strict=True):
        point = base_mul(share)
        parts.append(Part(seat, key, point, (share + _pad(context, ephemeral, seat, key, point, key * k)) % L))
    return SplitStatement(context, base_mul(x), ephemeral, tuple(parts)), k


def prove_split(statement: SplitStatement, k: Scalar, rng: Rng) -> SchnorrProof:
    """Proof for `SplitStatement` with the secret k of its ephemeral."""
    return prove_log(_split_transcript(statement), k, rng)


def verify_split(statement: SplitStatement, proof: SchnorrProof) -> Verified[SplitStatement] | None:
    """The verdict on a split: seats in order, points that sum to the key, ephemeral known. Never raises.

    Whether a sealed part is right only its recipient can tell: see `open_part`.
    """
    if not is_a(statement, SplitStatement) or not is_a(proof, SchnorrProof):
        return None
    seats = [part.seat for part in statement.parts]
    if not seats or seats != sorted(set(seats)) or statement.context.seat in seats:
        return None
    if sum_points(part.point for part in statement.parts) != statement.public:
        return None
    return seal(statement) if log_holds(_split_transcript(statement), statement.ephemeral, proof) else None


def open_part(split: SplitStatement, seat: int, e: Scalar) -> Scalar | None:
    """The part sealed to `seat`, whose second secret is e; None if it is missing or wrong: then complain."""
    part = split.part_of(seat)
    if part is None:
        return None
    value = _unsealed(split, part, split.ephemeral * e)
    return value if base_mul(value) == part.point else None


def complaint(context: Context, split: SplitStatement, e: Scalar) -> ComplaintStatement:
    """The complaint of the context's seat about its part of `split`, with its second secret e."""
    return ComplaintStatement(context, split, split.ephemeral * e)


def prove_complaint(statement: ComplaintStatement, e: Scalar, rng: Rng) -> SchnorrProof:
    """Proof for `ComplaintStatement` with secret e."""
    return prove_equal_logs(_complaint_transcript(statement), e, statement.split.ephemeral, rng)


def verify_complaint(statement: ComplaintStatement, proof: SchnorrProof) -> Verified[ComplaintStatement] | None:
    """The verdict on a complaint: proved, and the part really wrong; None otherwise. Never raises."""
    if not is_a(statement, ComplaintStatement) or not is_a(proof, SchnorrProof):
        return None
    split, opened = statement.split, statement.opened
    part = split.part_of(statement.context.seat)
    if part is None:
        return None
    if not equal_logs_hold(_complaint_transcript(statement), part.key, split.ephemeral, opened, proof):
        return None
    return seal(statement) if base_mul(_unsealed(split, part, opened)) != part.point else None


def part_is_right(split: SplitStatement, seat: int, value: Scalar) -> bool:
    """Whether `value` is the part that the split gave to `seat`, by its point."""
    part = split.part_of(seat)
    return part is not None and base_mul(value) == part.point


def recombine(split: SplitStatement, values: Mapping[int, Scalar]) -> Scalar | None:
    """The split key from the parts of all seats, by seat; None if one is missing or wrong."""
    if not all(part.seat in values and part_is_right(split, part.seat, values[part.seat]) for part in split.parts):
        return None
    x = sum(values[part.seat] for part in split.parts) % L
    return x if base_mul(x) == split.public else None


def _unsealed(split: SplitStatement, part: Part, opened: Point) -> Scalar:
    return (part.sealed - _pad(split.context, split.ephemeral, part.seat, part.key, part.point, opened)) % L


def _pad(context: Context, ephemeral: Point, seat: int, key: Point, point: Point, opened: Point) -> Scalar:
    """The one-time pad of a part: hash of the Diffie-Hellman point, bound to split, recipient and part."""
    transcript = Transcript(tags.SPLIT_PAD, context)
    transcript.append_points(b"ephemeral", (ephemeral,))
    transcript.append_number(b"recipient", seat)
    transcript.append_points(b"key", (key,))
    transcript.append_points(b"point", (point,))
    transcript.append_points(b"opened", (opened,))
    return transcript.challenge(b"pad")


def _recovery_key_transcript(statement: RecoveryKeyStatement) -> Transcript:
    transcript = Transcript(tags.RECOVERY_KEY, statement.context)
    transcript.append_points(b"public", (statement.public,))
    return transcript


def _split_transcript(statement: SplitStatement) -> Transcript:
    transcript = Transcript(tags.SPLIT, statement.context)
    _append_split(transcript, statement)
    return transcript


def _complaint_transcript(statement: ComplaintStatement) -> Transcript:
    transcript = Transcript(tags.COMPLAINT, statement.context)
    splitter = statement.split.context
    transcript.append(b"split table", splitter.table)
    transcript.append(b"split deal", splitter.deal.to_bytes(8, "big"))
    transcript.append(b"split step", splitter.step)
    transcript.append_number(b"split seat", splitter.seat)
    _append_split(transcript, statement.split)
    transcript.append_points(b"opened", (statement.opened,))
    return transcript


def _append_split(transcript: Transcript, split: SplitStatement) -> None:
    transcript.append_points(b"public", (split.public,))
    transcript.append_points(b"ephemeral", (split.ephemeral,))
    for part in split.parts:
        transcript.append_number(b"recipient", part.seat)
        transcript.append_points(b"key", (part.key,))
        transcript.append_points(b"point", (part.point,))
        transcript.append(b"sealed", encode_scalar(part.sealed))

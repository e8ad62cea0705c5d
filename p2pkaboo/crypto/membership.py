"""OR-proof that a card its owner has viewed is one of some candidates, without saying which.

Cramer, Damgard, Schoenmakers, "Proofs of Partial Knowledge and Simplified Design of Witness Hiding Protocols",
CRYPTO '94. With D = a' - a and Y_j = b - (sum over the other seats of x_p·a') - M_j the viewer V shows that for some
candidate j it knows x and rho with

    H_V = x·G,   D = rho·G,   Y_j = x·a - rho·K,   K = sum of the other seats' keys,

which holds for the card's own j only: b - sum x_p·a' = M + x·a - rho·K.
"""

from dataclasses import dataclass
from typing import Final

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import MAX_MASKED_CARDS, card_point
from p2pkaboo.crypto.group import CryptoDecodeError, L, Point, Rng, Scalar, base_mul
from p2pkaboo.crypto.proofs import decode_scalars, encode_scalars, require_context, require_points, require_scalars
from p2pkaboo.crypto.sodium import ENCODED_BYTES
from p2pkaboo.crypto.transcript import Transcript
from p2pkaboo.crypto.verified import Verified, seal

BRANCH_BYTES: Final = 3 * ENCODED_BYTES
"""A branch is a challenge and the responses for x and for rho."""


@dataclass(frozen=True, slots=True)
class MembershipStatement:
    """The viewed card (original, b) is one of `candidates`.

    `viewer_public`: H_V; `original`: a; `blinded`: the viewer's proved a'; `others_sum`: sum of the other seats' proved
    shares x_p·a'; `others_key`: sum of the other seats' keys; `candidates`: distinct card indices, at least one.
    `ValueError` for candidates that are none.
    """

    context: Context
    viewer_public: Point
    original: Point
    blinded: Point
    b: Point
    others_sum: Point
    others_key: Point
    candidates: tuple[int, ...]

    def __post_init__(self) -> None:
        require_context("a membership statement", self.context)
        require_points("a membership statement", self.points())
        candidates = self.candidates
        if not is_a(candidates, tuple) or not candidates or len(set(candidates)) != len(candidates):
            raise ValueError("the candidates of a membership statement are a tuple of distinct cards, at least one")
        if not all(is_a(index, int) and 0 <= index < MAX_MASKED_CARDS for index in candidates):
            raise ValueError(f"the candidates of a membership statement are cards from 0 to {MAX_MASKED_CARDS - 1}")

    def points(self) -> tuple[Point, ...]:
        """All points in the order of the fields."""
        return (self.viewer_public, self.original, self.blinded, self.b, self.others_sum, self.others_key)


@dataclass(frozen=True, slots=True)
class MembershipProof:
    """For each candidate, in the statement's order, a challenge and two responses."""

    challenges: tuple[Scalar, ...]
    key_responses: tuple[Scalar, ...]
    blind_responses: tuple[Scalar, ...]

    def __post_init__(self) -> None:
        count = len(self.challenges)
        if not 1 <= count <= MAX_MASKED_CARDS or not count == len(self.key_responses) == len(self.blind_responses):
            raise CryptoDecodeError(f"a membership proof has 1 to {MAX_MASKED_CARDS} branches of three scalars")
        require_scalars("a membership proof", (*self.challenges, *self.key_responses, *self.blind_responses))

    def encode(self) -> bytes:
        """96 bytes a branch: challenge, response for x, response for rho."""
        branches = zip(self.challenges, self.key_responses, self.blind_responses, strict=True)
        return b"".join([encode_scalars(branch) for branch in branches])

    @staticmethod
    def decode(data: bytes) -> "MembershipProof":
        """From 96 bytes a branch; `CryptoDecodeError` for another length or a scalar not below the order."""
        if not is_a(data, bytes) or not data or len(data) % BRANCH_BYTES or len(data) > MAX_MASKED_CARDS * BRANCH_BYTES:
            raise CryptoDecodeError(
                f"a membership proof is {BRANCH_BYTES} bytes for each of 1 to {MAX_MASKED_CARDS} branches"
            )
        scalars = decode_scalars(data)
        return MembershipProof(scalars[0::3], scalars[1::3], scalars[2::3])


def prove_membership(statement: MembershipStatement, x: Scalar, rho: Scalar, index: int, rng: Rng) -> MembershipProof:
    """Proof with the viewer's key x, its blinding rho and the card's index; `ValueError` if it is no candidate."""
    if index not in statement.candidates:
        raise ValueError(f"card {index} is not among the candidates {statement.candidates}")
    true_branch = statement.candidates.index(index)
    count = len(statement.candidates)
    transcript = _transcript(statement)
    nonces = transcript.nonces(encode_scalars((x, rho, index)), rng, 3 * count)
    challenges, key_responses, blind_responses = nonces[:count], nonces[count : 2 * count], nonces[2 * count :]
    # Every branch is simulated alike, so that neither time nor code path tells the true one. Only then is the true
    # branch moved, with the secrets, from its simulated challenge to the one that makes the sum right.
    total = _challenge(statement, transcript, challenges, key_responses, blind_responses)
    shift = (total - sum(challenges)) % L
    challenges[true_branch] = (challenges[true_branch] + shift) % L
    key_responses[true_branch] = (key_responses[true_branch] + shift * x) % L
    blind_responses[true_branch] = (blind_responses[true_branch] + shift * rho) % L
    return MembershipProof(tuple(challenges), tuple(key_responses), tuple(blind_responses))


def verify_membership(statement: MembershipStatement, proof: MembershipProof) -> Verified[MembershipStatement] | None:
    """The verdict on a claim about a viewed card; None if the proof is not one of this statement. Never raises."""
    if not is_a(statement, MembershipStatement) or not is_a(proof, MembershipProof):
        return None
    if len(proof.challenges) != len(statement.candidates):
        return None
    challenges, key_responses, blind_responses = proof.challenges, proof.key_responses, proof.blind_responses
    total = _challenge(statement, _transcript(statement), challenges, key_responses, blind_responses)
    return seal(statement) if sum(challenges) % L == total else None


def _challenge(
    statement: MembershipStatement,
    transcript: Transcript,
    challenges: tuple[Scalar, ...] | list[Scalar],
    key_responses: tuple[Scalar, ...] | list[Scalar],
    blind_responses: tuple[Scalar, ...] | list[Scalar],
) -> Scalar:
    """Absorb the three commitments of each branch and give the challenge that the branches' challenges must sum to."""
    difference = statement.blinded - statement.original
    masked = statement.b - statement.others_sum
    commitments: list[Point] = []
    branches = zip(statement.candidates, challenges, key_responses, blind_responses, strict=True)
    for index, challenge, for_x, for_rho in branches:
        layer = masked - card_point(index)
        commitments.append(base_mul(for_x) - statement.viewer_public * challenge)
        commitments.append(base_mul(for_rho) - difference * challenge)
        commitments.append(statement.original * for_x - statement.others_key * for_rho - layer * challenge)
    transcript.append_points(b"commitments", commitments)
    return transcript.challenge(b"challenge")


def _transcript(statement: MembershipStatement) -> Transcript:
    transcript = Transcript(tags.MEMBERSHIP, statement.context)
    transcript.append_points(b"viewer", (statement.viewer_public,))
    transcript.append_points(b"original", (statement.original,))
    transcript.append_points(b"blinded", (statement.blinded,))
    transcript.append_points(b"b", (statement.b,))
    transcript.append_points(b"others sum", (statement.others_sum,))
    transcript.append_points(b"others key", (statement.others_key,))
    transcript.append(b"candidates", b"".join([index.to_bytes(4, "big") for index in statement.candidates]))
    return transcript

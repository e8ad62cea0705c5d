"""Proofs about one secret scalar: of a deal key, of a view's blinding (Schnorr), of a share (Chaum-Pedersen).

Schnorr, "Efficient Signature Generation by Smart Cards", J. Cryptology 1991; Chaum and Pedersen, "Wallet Databases with
Observers", CRYPTO '92; both made non-interactive over the transcript. With secret w: commitment T = n·B for a nonce n,
challenge c over the whole statement and T, response s = n + c·w. The verifier recomputes T = s·B - c·P.
"""

from dataclasses import dataclass

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.group import L, Point, Rng, Scalar, base_mul, encode_scalar
from p2pkaboo.crypto.proofs import SchnorrProof, require_context, require_points
from p2pkaboo.crypto.transcript import Transcript
from p2pkaboo.crypto.verified import Verified, seal


@dataclass(frozen=True, slots=True)
class KeyStatement:
    """The seat knows x with public = x·G: its key of this deal."""

    context: Context
    public: Point

    def __post_init__(self) -> None:
        require_context("a key statement", self.context)
        require_points("a key statement", (self.public,))


@dataclass(frozen=True, slots=True)
class BlindStatement:
    """The viewer knows rho with blinded - original = rho·G, and rho is not zero.

    `original` is a of the card viewed; `blinded` is a', what the others compute their shares of.
    """

    context: Context
    original: Point
    blinded: Point

    def __post_init__(self) -> None:
        require_context("a blind statement", self.context)
        require_points("a blind statement", (self.original, self.blinded))


@dataclass(frozen=True, slots=True)
class ShareStatement:
    """The seat knows x with public = x·G and share = x·base: the share belongs to the key."""

    context: Context
    public: Point
    base: Point
    share: Point

    def __post_init__(self) -> None:
        require_context("a share statement", self.context)
        require_points("a share statement", (self.public, self.base, self.share))


def prove_key(statement: KeyStatement, x: Scalar, rng: Rng) -> SchnorrProof:
    """Proof for `KeyStatement` with secret x."""
    return prove_log(_key_transcript(statement), x, rng)


def verify_key(statement: KeyStatement, proof: SchnorrProof) -> Verified[KeyStatement] | None:
    """The verdict on a deal key; None if the proof is not one of this statement. Never raises."""
    if not is_a(statement, KeyStatement) or not is_a(proof, SchnorrProof):
        return None
    return seal(statement) if log_holds(_key_transcript(statement), statement.public, proof) else None


def prove_blind(statement: BlindStatement, rho: Scalar, rng: Rng) -> SchnorrProof:
    """Proof for `BlindStatement` with secret rho."""
    return prove_log(_blind_transcript(statement), rho, rng)


def verify_blind(statement: BlindStatement, proof: SchnorrProof) -> Verified[BlindStatement] | None:
    """The verdict on a blinded card; None also if a' = a, which would open the card to everybody. Never raises."""
    if not is_a(statement, BlindStatement) or not is_a(proof, SchnorrProof):
        return None
    if statement.blinded == statement.original:
        return None
    difference = statement.blinded - statement.original
    return seal(statement) if log_holds(_blind_transcript(statement), difference, proof) else None


def prove_share(statement: ShareStatement, x: Scalar, rng: Rng) -> SchnorrProof:
    """Proof for `ShareStatement` with secret x."""
    return prove_equal_logs(_share_transcript(statement), x, statement.base, rng)


def verify_share(statement: ShareStatement, proof: SchnorrProof) -> Verified[ShareStatement] | None:
    """The verdict on a share; None if the proof is not one of this statement. Never raises."""
    if not is_a(statement, ShareStatement) or not is_a(proof, SchnorrProof):
        return None
    transcript = _share_transcript(statement)
    holds = equal_logs_hold(transcript, statement.public, statement.base, statement.share, proof)
    return seal(statement) if holds else None


def prove_log(transcript: Transcript, secret: Scalar, rng: Rng) -> SchnorrProof:
    """Schnorr proof of `secret` over a transcript that holds the statement."""
    (nonce,) = transcript.nonces(encode_scalar(secret), rng, 1)
    transcript.append_points(b"commitment", (base_mul(nonce),))
    challenge = transcript.challenge(b"challenge")
    return SchnorrProof(challenge, (nonce + challenge * secret) % L)


def log_holds(transcript: Transcript, public: Point, proof: SchnorrProof) -> bool:
    """Whether `proof` shows knowledge of the logarithm of `public`."""
    transcript.append_points(b"commitment", (base_mul(proof.response) - public * proof.challenge,))
    return transcript.challenge(b"challenge") == proof.challenge


def prove_equal_logs(transcript: Transcript, secret: Scalar, base: Point, rng: Rng) -> SchnorrProof:
    """Chaum-Pedersen proof that secret·G and secret·base have the same logarithm."""
    (nonce,) = transcript.nonces(encode_scalar(secret), rng, 1)
    transcript.append_points(b"commitment", (base_mul(nonce), base * nonce))
    challenge = transcript.challenge(b"challenge")
    return SchnorrProof(challenge, (nonce + challenge * secret) % L)


def equal_logs_hold(transcript: Transcript, public: Point, base: Point, power: Point, proof: SchnorrProof) -> bool:
    """Whether `proof` shows knowledge of x with public = x·G and power = x·base."""
    challenge, response = proof.challenge, proof.response
    commitments = (base_mul(response) - public * challenge, base * response - power * challenge)
    transcript.append_points(b"commitment", commitments)
    return transcript.challenge(b"challenge") == challenge


def _key_transcript(statement: KeyStatement) -> Transcript:
    transcript = Transcript(tags.KEY, statement.context)
    transcript.append_points(b"public", (statement.public,))
    return transcript


def _blind_transcript(statement: BlindStatement) -> Transcript:
    transcript = Transcript(tags.BLIND, statement.context)
    transcript.append_points(b"original", (statement.original,))
    transcript.append_points(b"blinded", (statement.blinded,))
    return transcript


def _share_transcript(statement: ShareStatement) -> Transcript:
    transcript = Transcript(tags.SHARE, statement.context)
    transcript.append_points(b"public", (statement.public,))
    transcript.append_points(b"base", (statement.base,))
    transcript.append_points(b"share", (statement.share,))
    return transcript

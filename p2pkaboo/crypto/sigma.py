"""The one door to all proofs: their statements, and `check`, which verifies an encoded proof of whatever statement.

The proofs themselves are in `schnorr` (key, blinding, share), `membership`, `shuffle` and `sharing`.
"""

from p2pkaboo.crypto.checks import is_a
from p2pkaboo.crypto.group import CryptoDecodeError
from p2pkaboo.crypto.membership import MembershipProof, MembershipStatement, prove_membership, verify_membership
from p2pkaboo.crypto.proofs import SchnorrProof
from p2pkaboo.crypto.runner import Runner, serial
from p2pkaboo.crypto.schnorr import (
    BlindStatement,
    KeyStatement,
    ShareStatement,
    prove_blind,
    prove_key,
    prove_share,
    verify_blind,
    verify_key,
    verify_share,
)
from p2pkaboo.crypto.sharing import (
    ComplaintStatement,
    RecoveryKeyStatement,
    SplitStatement,
    verify_complaint,
    verify_recovery_key,
    verify_split,
)
from p2pkaboo.crypto.shuffle import verify_shuffle
from p2pkaboo.crypto.shuffle_proof import ShuffleProof, ShuffleStatement
from p2pkaboo.crypto.verified import Verified

__all__ = [
    "BlindStatement",
    "KeyStatement",
    "MembershipProof",
    "MembershipStatement",
    "SchnorrProof",
    "ShareStatement",
    "Statement",
    "check",
    "prove_blind",
    "prove_key",
    "prove_membership",
    "prove_share",
    "verify_blind",
    "verify_key",
    "verify_membership",
    "verify_share",
]

Statement = (
    KeyStatement
    | BlindStatement
    | ShareStatement
    | MembershipStatement
    | ShuffleStatement
    | RecoveryKeyStatement
    | SplitStatement
    | ComplaintStatement
)
"""Everything that can be proved."""


def check(statement: Statement, proof: bytes, run: Runner = serial) -> Verified[Statement] | None:
    """The verdict on an encoded proof of any statement; None if it does not decode or does not hold. Never raises.

    `run` spreads the work of a shuffle; all else is short and done in the caller's thread.
    """
    if not is_a(proof, bytes):
        return None
    try:
        return _verify(statement, proof, run)
    except CryptoDecodeError:
        return None


def _verify(statement: object, proof: bytes, run: Runner) -> Verified[Statement] | None:
    match statement:
        case KeyStatement():
            return verify_key(statement, SchnorrProof.decode(proof))
        case BlindStatement():
            return verify_blind(statement, SchnorrProof.decode(proof))
        case ShareStatement():
            return verify_share(statement, SchnorrProof.decode(proof))
        case MembershipStatement():
            return verify_membership(statement, MembershipProof.decode(proof))
        case ShuffleStatement():
            # A proof for another number of cards is refused by its length, before any of its points is looked at.
            fits = len(proof) == ShuffleProof.size(len(statement.before))
            return verify_shuffle(statement, ShuffleProof.decode(proof), run) if fits else None
        case RecoveryKeyStatement():
            return verify_recovery_key(statement, SchnorrProof.decode(proof))
        case SplitStatement():
            return verify_split(statement, SchnorrProof.decode(proof))
        case ComplaintStatement():
            return verify_complaint(statement, SchnorrProof.decode(proof))
    return None

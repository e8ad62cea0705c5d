"""What each proof absorbs, frame by frame, written out by hand.

A statement that is not absorbed whole can be changed by the prover after the challenge is known. Most such changes are
caught by the equations too, so that only looking at the absorbed bytes themselves shows that nothing is left out.
"""

import hashlib

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import Ciphertext, card_point
from p2pkaboo.crypto.group import L, Point, base_mul
from p2pkaboo.crypto.membership import MembershipProof, MembershipStatement
from p2pkaboo.crypto.proofs import SchnorrProof
from p2pkaboo.crypto.schnorr import BlindStatement, KeyStatement, ShareStatement
from p2pkaboo.crypto.sharing import ComplaintStatement, RecoveryKeyStatement, SplitStatement, open_part
from p2pkaboo.crypto.shuffle import ShuffleProof, ShuffleStatement, trace_shuffle
from tests.unit.crypto.samples import proved_statements, spoiled_split

PROVED = proved_statements()
Frame = tuple[bytes, bytes]


def frame(label: bytes, data: bytes) -> bytes:
    return bytes([len(label)]) + label + len(data).to_bytes(4, "big") + data


def absorbed(tag: bytes, at: Context, *frames: Frame) -> bytes:
    head: list[Frame] = [
        (b"suite", tags.SUITE),
        (b"proof", tag),
        (b"table", at.table),
        (b"deal", at.deal.to_bytes(8, "big")),
        (b"step", at.step),
        (b"seat", at.seat.to_bytes(4, "big")),
    ]
    return b"".join([frame(label, data) for label, data in [*head, *frames]])


def squeeze(data: bytes, label: bytes) -> bytes:
    return hashlib.sha512(data + frame(label, b"")).digest()


def scalar(digest: bytes) -> int:
    return int.from_bytes(digest, "little") % L


def encoded(*points: Point) -> bytes:
    return b"".join([point.encoded for point in points])


def schnorr(kind: str) -> SchnorrProof:
    return SchnorrProof.decode(PROVED[kind][1])


def commitment(proof: SchnorrProof, public: Point) -> bytes:
    return (base_mul(proof.response) - public * proof.challenge).encoded


def second_commitment(proof: SchnorrProof, base: Point, power: Point) -> bytes:
    return (base * proof.response - power * proof.challenge).encoded


def test_key() -> None:
    statement, proof = PROVED["key"][0], schnorr("key")
    assert isinstance(statement, KeyStatement)
    frames = [(b"public", encoded(statement.public)), (b"commitment", commitment(proof, statement.public))]
    assert proof.challenge == scalar(squeeze(absorbed(tags.KEY, statement.context, *frames), b"challenge"))


def test_recovery_key() -> None:
    statement, proof = PROVED["recovery-key"][0], schnorr("recovery-key")
    assert isinstance(statement, RecoveryKeyStatement)
    frames = [(b"public", encoded(statement.public)), (b"commitment", commitment(proof, statement.public))]
    assert proof.challenge == scalar(squeeze(absorbed(tags.RECOVERY_KEY, statement.context, *frames), b"challenge"))


def test_blind() -> None:
    statement, proof = PROVED["blind"][0], schnorr("blind")
    assert isinstance(statement, BlindStatement)
    frames = [
        (b"original", encoded(statement.original)),
        (b"blinded", encoded(statement.blinded)),
        (b"commitment", commitment(proof, statement.blinded - statement.original)),
    ]
    assert proof.challenge == scalar(squeeze(absorbed(tags.BLIND, statement.context, *frames), b"challenge"))


def test_share() -> None:
    statement, proof = PROVED["share"][0], schnorr("share")
    assert isinstance(statement, ShareStatement)
    first, second = commitment(proof, statement.public), second_commitment(proof, statement.base, statement.share)
    frames = [
        (b"public", encoded(statement.public)),
        (b"base", encoded(statement.base)),
        (b"share", encoded(statement.share)),
        (b"commitment", first + second),
    ]
    assert proof.challenge == scalar(squeeze(absorbed(tags.SHARE, statement.context, *frames), b"challenge"))


def test_membership() -> None:
    statement, proof = PROVED["membership"][0], MembershipProof.decode(PROVED["membership"][1])
    assert isinstance(statement, MembershipStatement)
    commitments = b""
    for place, index in enumerate(statement.candidates):
        c, x, rho = proof.challenges[place], proof.key_responses[place], proof.blind_responses[place]
        layer = statement.b - statement.others_sum - card_point(index)
        commitments += encoded(
            base_mul(x) - statement.viewer_public * c,
            base_mul(rho) - (statement.blinded - statement.original) * c,
            statement.original * x - statement.others_key * rho - layer * c,
        )
    frames = [
        (b"viewer", encoded(statement.viewer_public)),
        (b"original", encoded(statement.original)),
        (b"blinded", encoded(statement.blinded)),
        (b"b", encoded(statement.b)),
        (b"others sum", encoded(statement.others_sum)),
        (b"others key", encoded(statement.others_key)),
        (b"candidates", b"".join([index.to_bytes(4, "big") for index in statement.candidates])),
        (b"commitments", commitments),
    ]
    total = scalar(squeeze(absorbed(tags.MEMBERSHIP, statement.context, *frames), b"challenge"))
    assert sum(proof.challenges) % L == total


def split_frames(split: SplitStatement) -> list[Frame]:
    frames = [(b"public", encoded(split.public)), (b"ephemeral", encoded(split.ephemeral))]
    for part in split.parts:
        frames += [
            (b"recipient", part.seat.to_bytes(4, "big")),
            (b"key", encoded(part.key)),
            (b"point", encoded(part.point)),
            (b"sealed", part.sealed.to_bytes(32, "little")),
        ]
    return frames


def test_split() -> None:
    statement, proof = PROVED["split"][0], schnorr("split")
    assert isinstance(statement, SplitStatement)
    frames = [*split_frames(statement), (b"commitment", commitment(proof, statement.ephemeral))]
    assert proof.challenge == scalar(squeeze(absorbed(tags.SPLIT, statement.context, *frames), b"challenge"))


def test_split_pad() -> None:
    split, _, seconds = spoiled_split()
    part = split.parts[0]
    frames = [
        (b"ephemeral", encoded(split.ephemeral)),
        (b"recipient", part.seat.to_bytes(4, "big")),
        (b"key", encoded(part.key)),
        (b"point", encoded(part.point)),
        (b"opened", encoded(split.ephemeral * seconds[part.seat])),
    ]
    pad = scalar(squeeze(absorbed(tags.SPLIT_PAD, split.context, *frames), b"pad"))
    assert open_part(split, part.seat, seconds[part.seat]) == (part.sealed - pad) % L


def test_complaint() -> None:
    statement, proof = PROVED["complaint"][0], schnorr("complaint")
    assert isinstance(statement, ComplaintStatement)
    split, part = statement.split, statement.split.part_of(statement.context.seat)
    assert part is not None
    first = commitment(proof, part.key)
    frames = [
        (b"split table", split.context.table),
        (b"split deal", split.context.deal.to_bytes(8, "big")),
        (b"split step", split.context.step),
        (b"split seat", split.context.seat.to_bytes(4, "big")),
        *split_frames(split),
        (b"opened", encoded(statement.opened)),
        (b"commitment", first + second_commitment(proof, split.ephemeral, statement.opened)),
    ]
    assert proof.challenge == scalar(squeeze(absorbed(tags.COMPLAINT, statement.context, *frames), b"challenge"))


def test_shuffle() -> None:
    statement, proof = PROVED["shuffle"][0], ShuffleProof.decode(PROVED["shuffle"][1])
    assert isinstance(statement, ShuffleStatement)
    trace = trace_shuffle(statement, proof)

    def deck(cards: tuple[Ciphertext, ...]) -> bytes:
        return b"".join([card.a.encoded + card.b.encoded for card in cards])

    data = absorbed(
        tags.SHUFFLE,
        statement.context,
        (b"key", encoded(statement.key)),
        (b"before", deck(statement.before)),
        (b"after", deck(statement.after)),
        (b"commitments", encoded(*proof.commitments)),
    )
    seed = squeeze(data, b"cards")
    numbered = [hashlib.sha512(tags.EXPAND + seed + number.to_bytes(4, "big")).digest() for number in range(3)]
    assert trace.card_challenges == tuple([scalar(digest) for digest in numbered])
    data += frame(b"cards", seed)
    data += frame(b"chain", encoded(*proof.chain))
    data += frame(b"announcements", encoded(*trace.announcements))
    data += frame(b"chain announcements", encoded(*trace.chain_announcements))
    assert proof.challenge == scalar(squeeze(data, b"challenge"))

"""The numbers of the worked example: the first shuffle of the tiny golden transcript, from bytes to its challenge."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha512
from typing import Final

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import card_point, decode_deck, fresh, joint_key
from p2pkaboo.crypto.group import G, Point, encode_scalar
from p2pkaboo.crypto.shuffle import ShuffleProof, ShuffleStatement, ShuffleTrace, shuffle_generators, trace_shuffle
from p2pkaboo.rules.cards import deck
from p2pkaboo.wire.bodies import Keys, Shuffle
from p2pkaboo.wire.codec import decode, encode
from p2pkaboo.wire.envelope import Envelope, decode_envelope
from p2pkaboo.wire.transcript import MAGIC, read_transcript
from vector_areas.envelopes import FIELDS
from vector_areas.form import frame, require, transcript
from vector_areas.matches import TINY, played
from vector_areas.shuffles import encoded

LONG: Final = 64
"""Digits on a line of the page."""

Lines = Iterator[tuple[str, str]]
"""Names and values of one block of the page."""


@dataclass(frozen=True)
class Example:
    """The record and all that follows from it."""

    rows: tuple[bytes, ...]
    at: int
    envelope: Envelope
    body: Shuffle
    publics: tuple[Point, ...]
    statement: ShuffleStatement
    proof: ShuffleProof
    trace: ShuffleTrace


def example() -> Example:
    """Takes the tiny transcript apart."""
    rows = read_transcript(played(TINY).transcript()).envelopes
    envelopes = [decode_envelope(row) for row in rows]
    at = next(at for at, one in enumerate(envelopes) if one.kind == "SHUFFLE")
    said, body = envelopes[at], envelopes[at].body
    assert isinstance(body, Shuffle)
    publics = tuple(Point.decode(one.body.public) for one in envelopes if isinstance(one.body, Keys))
    key = joint_key(publics)
    before = tuple(fresh(index, key) for index in range(len(deck(TINY.rules))))
    context = Context(said.table, said.deal, str(said.slot).encode(), said.seat)
    statement = ShuffleStatement(context, key, before, decode_deck(body.deck))
    proof = ShuffleProof.decode(body.proof)
    trace = trace_shuffle(statement, proof)
    require(trace.challenge == proof.challenge, "the worked example does not hold")
    return Example(rows, at, said, body, publics, statement, proof, trace)


def record(of: Example) -> Lines:
    """Where the record stands."""
    offset = len(MAGIC) + sum(4 + len(row) for row in of.rows[: of.at])
    yield "records before it", str(of.at)
    yield "it begins at byte", str(offset)
    yield "its length field", len(of.rows[of.at]).to_bytes(4, "big").hex()
    yield "its length", str(len(of.rows[of.at]))


def layout(of: Example) -> Lines:
    """The envelope's bytes, field by field; of long byte strings only how they begin."""
    fields = decode(of.rows[of.at])
    assert isinstance(fields, list)
    place = 1
    yield "@0 array", of.rows[of.at][:1].hex()
    for name, field in zip(FIELDS, fields, strict=True):
        if name != "body":
            data = encode(field)
            yield f"@{place} {name}", data.hex()
            place += len(data)
            continue
        assert isinstance(field, list)
        yield f"@{place} body", "92"
        place += 1
        for part, data in zip(("deck", "proof"), map(encode, field), strict=True):
            yield f"@{place} {part}", data[:3].hex()
            place += len(data)
    require(place == len(of.rows[of.at]), "the layout of the worked example")


def signature(of: Example) -> Lines:
    """What is hashed and signed."""
    unsigned = of.envelope.unsigned
    yield "unsigned begins", unsigned[:1].hex()
    yield "unsigned has bytes", str(len(unsigned))
    yield "hash of the envelope", sha512(unsigned).hexdigest()
    yield "key of the seat", played(TINY).keys[of.envelope.seat].encoded.hex()


def decks_of(of: Example) -> Lines:
    """Keys, and the first cards of both decks."""
    for seat, public in enumerate(of.publics):
        yield f"H_{seat}", public.encoded.hex()
    before, after = of.statement.before, of.statement.after
    yield "H", of.statement.key.encoded.hex()
    yield "cards", str(len(before))
    yield "M_0", card_point(0).encoded.hex()
    yield "a_0", before[0].a.encoded.hex()
    yield "b_0", before[0].b.encoded.hex()
    yield "a′_0", after[0].a.encoded.hex()
    yield "b′_0", after[0].b.encoded.hex()
    require(before[0].a == G, "a fresh card has mask 1")


def parts(of: Example) -> Lines:
    """The proof's parts: the first of those that there are one a card of."""
    proof = of.proof
    yield "bytes of the proof", str(len(of.body.proof))
    yield "c_0", proof.commitments[0].encoded.hex()
    yield "C_0", proof.chain[0].encoded.hex()
    yield "c", encode_scalar(proof.challenge).hex()
    for number, response in enumerate(proof.singles, start=1):
        yield f"s_{number}", encode_scalar(response).hex()
    yield "ŝ_0", encode_scalar(proof.chain_responses[0]).hex()
    yield "ṡ_0", encode_scalar(proof.card_responses[0]).hex()


def early_frames(of: Example) -> list[tuple[bytes, bytes]]:
    """The frames up to the card challenges, those of the context apart."""
    return [
        (b"key", of.statement.key.encoded),
        (b"before", encoded(of.statement.before)),
        (b"after", encoded(of.statement.after)),
        (b"commitments", b"".join(point.encoded for point in of.proof.commitments)),
    ]


def challenges(of: Example) -> Lines:
    """From the frames to u."""
    context = of.statement.context
    early = transcript(tags.SHUFFLE, context, early_frames(of))
    yield "frame suite", frame(b"suite", tags.SUITE).hex()
    yield "frame proof", frame(b"proof", tags.SHUFFLE).hex()
    yield "frame table", frame(b"table", context.table).hex()
    yield "frame deal", frame(b"deal", context.deal.to_bytes(8, "big")).hex()
    yield "frame step", frame(b"step", context.step).hex()
    yield "frame seat", frame(b"seat", context.seat.to_bytes(4, "big")).hex()
    yield "frame key", frame(b"key", of.statement.key.encoded).hex()
    for label, data in early_frames(of)[1:]:
        yield f"frame {label.decode()} begins", frame(label, data)[: 5 + len(label)].hex()
    yield "bytes up to there", str(len(early))
    yield "frame cards, empty", frame(b"cards", b"").hex()
    yield "seed", sha512(early + frame(b"cards", b"")).hexdigest()
    yield "u_0", encode_scalar(of.trace.card_challenges[0]).hex()
    yield f"u_{len(of.trace.card_challenges) - 1}", encode_scalar(of.trace.card_challenges[-1]).hex()


def claims(of: Example) -> Lines:
    """The claims A, B, E, F."""
    origin, generators, _ = shuffle_generators(len(of.statement.before))
    yield "h", origin.hex()
    yield "g_0", generators[0].hex()
    yield "A", of.trace.sum_claim.encoded.hex()
    yield "B", of.trace.chain_claim.encoded.hex()
    yield "E", of.trace.weighted_claim.encoded.hex()
    yield "F_a", of.trace.weighted_before.a.encoded.hex()
    yield "F_b", of.trace.weighted_before.b.encoded.hex()


def announcements(of: Example) -> Lines:
    """What the verifier recomputes."""
    for name, point in zip(("t_1", "t_2", "t_3", "t_b", "t_a"), of.trace.announcements, strict=True):
        yield name, point.encoded.hex()
    yield "t̂_0", of.trace.chain_announcements[0].encoded.hex()
    yield "t̂_1", of.trace.chain_announcements[1].encoded.hex()


def ending(of: Example) -> Lines:
    """The challenge that must be the proof's."""
    early = transcript(tags.SHUFFLE, of.statement.context, early_frames(of))
    seed = sha512(early + frame(b"cards", b"")).digest()
    late = (
        early
        + frame(b"cards", seed)
        + frame(b"chain", b"".join(point.encoded for point in of.proof.chain))
        + frame(b"announcements", b"".join(point.encoded for point in of.trace.announcements))
        + frame(b"chain announcements", b"".join(point.encoded for point in of.trace.chain_announcements))
    )
    yield "bytes up to the challenge", str(len(late))
    yield "hash", sha512(late + frame(b"challenge", b"")).hexdigest()
    yield "hash modulo L", encode_scalar(of.trace.challenge).hex()


def blocks() -> Mapping[str, str]:
    """The text of every block of the page, by its name."""
    of = example()
    found = {
        "record": record(of),
        "layout": layout(of),
        "signature": signature(of),
        "proof": parts(of),
        "decks": decks_of(of),
        "challenges": challenges(of),
        "claims": claims(of),
        "announcements": announcements(of),
        "ending": ending(of),
    }
    return {name: block(dict(lines)) for name, lines in found.items()}


def block(lines: Mapping[str, str]) -> str:
    """Names and values in columns; what is longer than a line goes on below."""
    width = max(map(len, lines)) + 1
    rows = []
    for name, value in lines.items():
        pieces = [value[at : at + LONG] for at in range(0, len(value), LONG)]
        rows.append(f"{name:<{width}}= {pieces[0]}")
        rows += [f"{'':<{width}}  {piece}" for piece in pieces[1:]]
    return "\n".join(rows)

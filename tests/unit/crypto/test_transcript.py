"""The transcript's exact bytes, and what its nonces depend on."""

import hashlib

import pytest

from p2pkaboo.crypto import tags
from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.group import G, L
from p2pkaboo.crypto.transcript import Transcript
from tests.unit.crypto.samples import changed, context, seeded


def frame(label: bytes, data: bytes) -> bytes:
    return bytes([len(label)]) + label + len(data).to_bytes(4, "big") + data


def header(tag: bytes, at: Context) -> bytes:
    return b"".join(
        [
            frame(b"suite", tags.SUITE),
            frame(b"proof", tag),
            frame(b"table", at.table),
            frame(b"deal", at.deal.to_bytes(8, "big")),
            frame(b"step", at.step),
            frame(b"seat", at.seat.to_bytes(4, "big")),
        ]
    )


def test_challenges_are_those_of_the_documented_bytes() -> None:
    transcript = Transcript(tags.KEY, context())
    transcript.append_points(b"points", (G, G + G))
    transcript.append_number(b"number", 258)
    absorbed = header(tags.KEY, context()) + frame(b"points", G.encoded + (G + G).encoded)
    absorbed += frame(b"number", b"\x00\x00\x01\x02")

    first = hashlib.sha512(absorbed + frame(b"one", b"")).digest()
    assert transcript.challenge(b"one") == int.from_bytes(first, "little") % L
    absorbed += frame(b"one", first)

    seed = hashlib.sha512(absorbed + frame(b"many", b"")).digest()
    many = [hashlib.sha512(tags.EXPAND + seed + bytes([0, 0, 0, number])).digest() for number in range(3)]
    assert transcript.challenges(b"many", 3) == [int.from_bytes(digest, "little") % L for digest in many]
    absorbed += frame(b"many", seed)

    last = hashlib.sha512(absorbed + frame(b"last", b"")).digest()
    assert transcript.challenge(b"last") == int.from_bytes(last, "little") % L


def test_no_two_frames_run_together() -> None:
    results = set()
    for frames in ([(b"a", b"bc")], [(b"ab", b"c")], [(b"a", b"b"), (b"a", b"c")], [(b"a", b""), (b"a", b"bc")]):
        transcript = Transcript(tags.KEY, context())
        for label, data in frames:
            transcript.append(label, data)
        results.add(transcript.challenge(b"c"))
    assert len(results) == 4


@pytest.mark.parametrize("change", [{"table": b"other"}, {"deal": 4}, {"step": b"other"}, {"seat": 1}])
def test_the_context_and_the_tag_are_absorbed(change: dict[str, bytes | int]) -> None:
    plain = Transcript(tags.KEY, context()).challenge(b"c")
    assert Transcript(tags.KEY, changed(context(), **change)).challenge(b"c") != plain
    assert Transcript(tags.BLIND, context()).challenge(b"c") != plain


def test_nonces_depend_on_statement_secret_and_randomness() -> None:
    def nonces(data: bytes = b"data", secret: bytes = b"secret", seed: str = "seed") -> list[int]:
        transcript = Transcript(tags.KEY, context())
        transcript.append(b"data", data)
        return transcript.nonces(secret, seeded(seed), 3)

    assert nonces() == nonces()
    assert len({*nonces(), *nonces(data=b"other"), *nonces(secret=b"other"), *nonces(seed="other")}) == 12
    assert all(0 < nonce < L for nonce in nonces())


def test_drawing_nonces_leaves_the_conversation_as_it_was() -> None:
    transcript, plain = Transcript(tags.KEY, context()), Transcript(tags.KEY, context())
    transcript.nonces(b"secret", seeded("seed"), 2)
    assert transcript.challenge(b"c") == plain.challenge(b"c")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"table": "text"}, "bytes"),
        ({"step": None}, "bytes"),
        ({"deal": -1}, "deal"),
        ({"deal": 2**64}, "deal"),
        ({"deal": "1"}, "deal"),
        ({"seat": -1}, "seat"),
        ({"seat": 2**32}, "seat"),
    ],
)
def test_a_context_out_of_range_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        changed(context(), **change)


def test_the_largest_context_can_be_absorbed() -> None:
    at = Context(table=b"", deal=2**64 - 1, step=b"", seat=2**32 - 1)
    assert 0 <= Transcript(tags.KEY, at).challenge(b"c") < L

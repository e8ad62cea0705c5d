"""The keyboard's bytes as keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pkaboo.ui.terminal.keys import MAX_PASTE, MAX_SEQUENCE, NAMES, Decoder, Pasted


def keys(*chunks: bytes) -> list[str | Pasted]:
    decoder = Decoder()
    return [key for chunk in chunks for key in decoder.feed(chunk)] + decoder.flush()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"d", ["d"]),
        (b"1s", ["1", "s"]),
        (b"\r\n", ["enter", "enter"]),
        (b"\t\x1b[Z", ["tab", "shift-tab"]),
        (b"\x1b", ["esc"]),
        (b"\x1b\x1b", ["esc", "esc"]),
        (b"\x1bd", ["esc", "d"]),
        (b"\x1b[A\x1bOB\x1b[1;5C", ["up", "down"]),
        (b"\x1b[3~\x7f\x08", ["delete", "backspace", "backspace"]),
        (b"\x03\x0c\x04\x00", ["ctrl-c", "ctrl-l"]),
        ("é²".encode(), ["é", "²"]),
        (b"\xff", ["\ufffd"]),
        (b"\x1b[200~d\rx\x1b[201~t", [Pasted("d\rx"), "t"]),
        (b"\x1b[", ["esc", "["]),
    ],
)
def test_keys(data: bytes, expected: list[str | Pasted]) -> None:
    assert keys(data) == expected


@pytest.mark.parametrize("sequence", NAMES)
def test_every_name_is_reached(sequence: str) -> None:
    assert keys(f"\x1b{sequence}".encode()) == [NAMES[sequence]]


def test_an_escape_waits_for_what_may_follow() -> None:
    decoder = Decoder()
    seen = [(decoder.feed(data), decoder.waiting) for data in (b"\x1b", b"[A")]
    assert seen == [([], True), (["up"], False)]
    assert decoder.flush() == []


def test_a_paste_waits_for_its_end_however_long_it_takes() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b[200~abc\x1b[20") == []
    assert not decoder.waiting
    assert decoder.flush() == []
    assert decoder.feed(b"1~d") == [Pasted("abc"), "d"]


def test_an_endless_paste_is_cut_and_still_ends() -> None:
    decoder = Decoder()
    decoder.feed(b"\x1b[200~")
    for _ in range(20):
        assert decoder.feed(b"x" * 10_000) == []
    (pasted,) = decoder.feed(b"\x1b[201~")
    assert isinstance(pasted, Pasted)
    assert len(pasted.text) <= MAX_PASTE


def test_an_endless_sequence_is_noise() -> None:
    decoder = Decoder()
    decoder.feed(b"\x1b[" + b"1" * MAX_SEQUENCE)
    assert decoder.feed(b"d")[-1] == "d"


PIECES = st.sampled_from(
    [b"d", b"1", b"\r", b"\t", b"\x1b[A", b"\x1bOC", b"\x1b[3~", b"\x1b[200~x\x1b[201~", "é".encode(), b"\x7f"]
)


@given(st.lists(PIECES), st.randoms(use_true_random=False))
def test_how_bytes_are_cut_does_not_matter(pieces: list[bytes], whims: object) -> None:
    data = b"".join(pieces)
    decoder = Decoder()
    one_by_one = [key for i in range(len(data)) for key in decoder.feed(data[i : i + 1])] + decoder.flush()
    assert one_by_one == keys(data)


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_any_bytes_give_keys_or_nothing(chunks: list[bytes]) -> None:
    for key in keys(*chunks):
        assert isinstance(key, Pasted) or key == "esc" or key.isprintable()

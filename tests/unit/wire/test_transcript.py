import pytest

from p2pkaboo.wire import transcript
from p2pkaboo.wire.codec import encode
from p2pkaboo.wire.limits import MAX_FRAME
from p2pkaboo.wire.transcript import MAGIC, TranscriptError, read_transcript, write_transcript

HEAD = bytes([7]) * 64
ROWS = [b"one", b"x" * 300, encode(["end", 1, bytes(63)])]
FILE = write_transcript(ROWS, HEAD)


def record(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def test_the_layout_is_pinned() -> None:
    footer = bytes.fromhex("93a3656e6403c440") + HEAD
    records = b"".join(map(record, [*ROWS, footer]))
    data = write_transcript(ROWS, HEAD)
    assert data == b"KABOO\x00\x01\n" + records


def test_read_back() -> None:
    again = read_transcript(FILE)
    assert again.footer is not None
    assert (list(again.envelopes), again.footer.count, again.footer.head, again.cut) == (ROWS, 3, HEAD, "")


def test_an_empty_match() -> None:
    again = read_transcript(write_transcript([], HEAD))
    assert again.envelopes == ()
    assert again.footer is not None


def test_cut_at_every_byte() -> None:
    ends = [len(MAGIC)]
    for row in ROWS:
        ends.append(ends[-1] + 4 + len(row))
    for length in range(len(FILE)):
        if length < len(MAGIC):
            with pytest.raises(TranscriptError, match=r"not a \.kaboo transcript"):
                read_transcript(FILE[:length])
            continue
        again = read_transcript(FILE[:length])
        assert again.footer is None
        whole = sum(end <= length for end in ends) - 1
        assert list(again.envelopes) == ROWS[:whole]
        rest = length - ends[whole]
        if rest == 0:
            assert again.cut == "the footer is missing"
        elif rest < 4:
            assert again.cut == f"record {whole} ends within its length"
        else:
            assert again.cut.startswith(f"record {whole} ends after {rest - 4} of ")


def test_every_flipped_bit_shows() -> None:
    """In the frame of the file; what is inside a record is for the signatures and heads."""
    for at in range(len(FILE)):
        for bit in range(8):
            broken = bytearray(FILE)
            broken[at] ^= 1 << bit
            try:
                again = read_transcript(bytes(broken))
            except TranscriptError:
                assert at < len(MAGIC)
                continue
            assert again.footer is None or list(again.envelopes) != ROWS or again.footer.head != HEAD


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a .kaboo transcript"),
        (b"KABOO", "not a .kaboo transcript"),
        (b"PK\x03\x04" + bytes(100), "not a .kaboo transcript"),
        (b"KABOO\x01\x01\n", "not a .kaboo transcript"),
        (b"KABOO\x00\x01\r\n", "not a .kaboo transcript"),
        (b"KABOO\x00\x02\n", "unknown transcript version 2"),
    ],
)
def test_other_files(data: bytes, reason: str) -> None:
    with pytest.raises(TranscriptError, match=reason):
        read_transcript(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (record(b""), "record 0 has the impossible length 0"),
        (record(b"a") + b"\xff\xff\xff\xff", "record 1 has the impossible length 4294967295"),
        (record(bytes(MAX_FRAME + 1)), f"record 0 has the impossible length {MAX_FRAME + 1}"),
        (record(encode(["end", 0, HEAD])) + b"x", "1 bytes follow the footer"),
        (record(b"a") + record(encode(["end", 2, HEAD])), "the footer counts 2 envelopes, 1 are here"),
        (record(b"a") + record(encode(["end", True, HEAD])), "the footer is missing"),
        (record(b"a") + record(encode(["end", -1, HEAD])), "the footer is missing"),
        (record(b"a") + record(encode(["end", 1, HEAD, 1])), "the footer is missing"),
        (record(b"a") + record(encode(["END", 1, HEAD])), "the footer is missing"),
    ],
)
def test_what_is_wrong_inside(data: bytes, reason: str) -> None:
    again = read_transcript(MAGIC + data)
    assert again.footer is None
    assert again.cut == reason


def test_nothing_is_written_that_could_not_be_read() -> None:
    assert read_transcript(write_transcript([bytes(MAX_FRAME)], HEAD)).cut == ""
    for rows in ([b""], [bytes(MAX_FRAME + 1)], [encode(["end", 0, HEAD])]):
        with pytest.raises(TranscriptError, match="record 0 is no envelope"):
            write_transcript(rows, HEAD)
    with pytest.raises(TranscriptError, match="a head has 64 bytes, not 63"):
        write_transcript([], HEAD[1:])


def test_the_limits_of_a_file_from_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "MAX_ENVELOPES", 3)
    assert read_transcript(write_transcript(ROWS, HEAD)).cut == ""
    with pytest.raises(TranscriptError, match="at most 3 envelopes, this one 4"):
        write_transcript([*ROWS, b"one"], HEAD)
    again = read_transcript(MAGIC + record(b"a") * 4)
    assert (len(again.envelopes), again.cut) == (3, "more than 3 envelopes")
    monkeypatch.setattr(transcript, "MAX_FILE", len(FILE))
    assert read_transcript(FILE).cut == ""
    with pytest.raises(TranscriptError, match=f"larger than {len(FILE)} bytes"):
        read_transcript(FILE + b"x")

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from p2pkaboo.crypto.identity import Identity
from p2pkaboo.wire.bodies import BODIES, Body, from_plain, to_plain
from p2pkaboo.wire.codec import DecodeError, decode, encode
from p2pkaboo.wire.envelope import Signed, decode_envelope, verify_envelope
from p2pkaboo.wire.frames import Frame, decode_frame, encode_frame
from p2pkaboo.wire.slot import Slot, parse_slot
from p2pkaboo.wire.transcript import MAGIC, TranscriptError, read_transcript, write_transcript
from tests.property.wire.strategies import (
    FRAME_VALUES,
    IDENTITIES,
    KINDS_AND_BODIES,
    SLOTS,
    VALUES,
    damaged,
    plain_struct,
    sealed,
)

SEALED = sealed()
ENVELOPES = SEALED.map(lambda pair: pair[1].envelope.data)


@given(KINDS_AND_BODIES)
def test_bodies_come_back(message: tuple[str, Body]) -> None:
    kind, body = message
    data = encode(to_plain(body))
    again = from_plain(kind, decode(data))
    assert encode(to_plain(again)) == data
    assert type(again) is type(body)


@given(st.sampled_from(sorted(BODIES)), VALUES)
def test_any_value_is_a_body_or_refused(kind: str, value: object) -> None:
    try:
        body = from_plain(kind, value)
    except ValueError:
        return
    assert encode(to_plain(body)) == encode(value)


@given(st.data(), st.sampled_from(sorted(BODIES)), VALUES)
def test_one_wrong_field_is_refused_or_means_what_it_says(data: st.DataObject, kind: str, value: object) -> None:
    plain = data.draw(plain_struct(BODIES[kind]))
    at = data.draw(st.integers(0, len(plain)))
    plain[at : at + data.draw(st.integers(0, 1))] = [value]
    body, reason = None, ""
    try:
        body = from_plain(kind, plain)
    except ValueError as error:
        reason = str(error)
    if body is None:
        assert reason.startswith(f"{kind}: ")
    else:
        assert encode(to_plain(body)) == encode(plain)


@given(SEALED)
def test_envelopes_come_back(pair: tuple[Identity, Signed]) -> None:
    identity, signed = pair
    again = decode_envelope(signed.envelope.data)
    assert again.data == signed.envelope.data
    assert again == signed.envelope
    assert again.hash == signed.envelope.hash
    for other in IDENTITIES:
        verified = verify_envelope(again, other.public)
        assert verified == (signed if other is identity else None)


def refuses_or_keeps(decode_it: Callable[[bytes], object], error: type[Exception], data: bytes) -> object | None:
    try:
        return decode_it(data)
    except error:
        return None


@given(damaged(ENVELOPES))
def test_damaged_envelopes(data: bytes) -> None:
    envelope = refuses_or_keeps(decode_envelope, DecodeError, data)
    if envelope is not None:
        assert decode_envelope(data).data == data == encode(decode(data))


@given(SEALED, st.data())
def test_a_flipped_bit_breaks_the_signature(pair: tuple[Identity, Signed], data: st.DataObject) -> None:
    identity, signed = pair
    broken = bytearray(signed.envelope.data)
    broken[data.draw(st.integers(0, len(broken) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    envelope = refuses_or_keeps(decode_envelope, DecodeError, bytes(broken))
    if envelope is not None:
        assert verify_envelope(decode_envelope(bytes(broken)), identity.public) is None


@given(st.binary(max_size=300) | VALUES.map(encode))
def test_anything_else_is_no_envelope_and_no_transcript(data: bytes) -> None:
    assert refuses_or_keeps(decode_envelope, DecodeError, data) is None
    transcript = refuses_or_keeps(read_transcript, TranscriptError, data)
    assert (transcript is not None) == data.startswith(MAGIC)


@given(FRAME_VALUES)
def test_frames_come_back(frame: Frame) -> None:
    data = encode_frame(frame)
    assert decode_frame(data) == frame
    assert encode_frame(decode_frame(data)) == data


@given(damaged(FRAME_VALUES.map(encode_frame)) | st.binary(max_size=60) | VALUES.map(encode))
def test_damaged_frames(data: bytes) -> None:
    frame = refuses_or_keeps(decode_frame, DecodeError, data)
    if frame is not None:
        assert encode_frame(decode_frame(data)) == data


@given(SLOTS)
def test_slots_come_back(slot: Slot) -> None:
    assert slot.is_valid()
    assert parse_slot(str(slot)) == slot


@given(st.text("fmdw0123456789 -_٣", max_size=9))
def test_a_text_is_one_slot_or_none(text: str) -> None:
    try:
        slot = parse_slot(text)
    except ValueError:
        return
    assert slot.is_valid()
    assert str(slot) == text


TRANSCRIPTS = st.tuples(st.lists(ENVELOPES, max_size=3), st.binary(min_size=64, max_size=64))


@given(TRANSCRIPTS)
def test_transcripts_come_back(content: tuple[list[bytes], bytes]) -> None:
    envelopes, head = content
    data = write_transcript(envelopes, head)
    again = read_transcript(data)
    assert again.footer is not None
    assert (list(again.envelopes), again.footer.head, again.cut) == (envelopes, head, "")
    assert write_transcript(again.envelopes, again.footer.head) == data


@given(damaged(TRANSCRIPTS.map(lambda content: write_transcript(*content))))
def test_damaged_transcripts(data: bytes) -> None:
    """Nothing but TranscriptError; and what still counts as whole says exactly what its bytes say."""
    if refuses_or_keeps(read_transcript, TranscriptError, data) is None:
        return
    again = read_transcript(data)
    assert (again.footer is None) == bool(again.cut)
    if again.footer is not None:
        assert write_transcript(again.envelopes, again.footer.head) == data

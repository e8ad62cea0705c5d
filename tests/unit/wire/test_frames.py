import pytest

from p2pkaboo.crypto.identity import Identity
from p2pkaboo.rules.ruleset import load_preset, preset_names, to_plain
from p2pkaboo.wire.codec import DecodeError, encode
from p2pkaboo.wire.frames import (
    FRAMES,
    EnvelopeFrame,
    Frame,
    Have,
    Hello,
    Members,
    Ping,
    Pong,
    Wish,
    decode_frame,
    encode_frame,
    held,
    seal_ping,
    seal_pong,
    verify_ping,
)
from p2pkaboo.wire.limits import (
    MAX_ADDRESSES,
    MAX_DEAL,
    MAX_ENVELOPE,
    MAX_FRAME,
    MAX_HOST,
    MAX_INDEX,
    MAX_MEMBERS,
    MAX_NUMBER,
    MAX_OPEN,
    MAX_WISH,
    MAX_WISH_RULES,
)
from p2pkaboo.wire.slot import Slot

ADA, BOB, EVE = (Identity(bytes([number]) * 32) for number in range(3))
NONCE = bytes(range(16))
KEY = ADA.public.encoded
ADDRESS = ["192.168.1.2", 27620]

LAYOUT: list[tuple[Frame, list[object]]] = [
    (EnvelopeFrame(b"abc"), [0, b"abc"]),
    (Have(3, 0, (held(Slot(5, "d", 1), 0b101), held(Slot(5, "w", 0), 0))), [1, 3, 0, [[5, 2, 1, 5], [5, 3, 0, 0]]]),
    (Ping(NONCE, bytes(64)), [2, NONCE, bytes(64)]),
    (Pong(NONCE, bytes(64)), [3, NONCE, bytes(64)]),
    (Hello("Ada", (("::1", 1), ("host.local", 65535))), [4, "Ada", [["::1", 1], ["host.local", 65535]]]),
    (Members(((KEY, (("::1", 1),)), (bytes(32), ()))), [5, [[KEY, [["::1", 1]]], [bytes(32), []]]]),
    (
        Wish("Attic", (("deck.remove", ["KH"]), ("name", "x")), "wan", 4),
        [6, "Attic", [["deck.remove", ["KH"]], ["name", "x"]], "wan", 4],
    ),
]


@pytest.mark.parametrize(("frame", "plain"), LAYOUT)
def test_the_layout_is_pinned(frame: Frame, plain: list[object]) -> None:
    assert encode_frame(frame) == encode(plain)
    assert decode_frame(encode(plain)) == frame


@pytest.mark.parametrize("plain", [plain for _, plain in LAYOUT])
def test_nothing_left_out_and_nothing_added(plain: list[object]) -> None:
    for wrong in (plain[:-1], [*plain, None]):
        with pytest.raises(DecodeError):
            decode_frame(encode(wrong))


@pytest.mark.parametrize("value", [None, 0, b"", [], [7], [-1, b"a"], [True, 0, 0, []], ["0", b"a"], [[0], b"a"]])
def test_other_values_are_none(value: object) -> None:
    with pytest.raises(DecodeError):
        decode_frame(encode(value))


def test_types_are_not_counted_from_the_end() -> None:
    for frame, plain in LAYOUT:
        with pytest.raises(DecodeError, match="unknown frame type -"):
            decode_frame(encode([FRAMES.index(type(frame)) - len(FRAMES), *plain[1:]]))


@pytest.mark.parametrize(
    "plain",
    [
        [1, "3", 0, []],
        [1, b"3", 0, []],
        [4, "Ada", [["::1", "1"]]],
        [4, b"Ada", []],
        [6, "", [], "auto", "4"],
    ],
)
def test_a_value_of_another_type_is_not_made_one_that_fits(plain: list[object]) -> None:
    with pytest.raises(DecodeError, match="Expected `"):
        decode_frame(encode(plain))


def have(*step: object) -> list[object]:
    return [1, 0, 0, [list(step)]]


LIMITS: list[tuple[str, list[list[object]], list[list[object]]]] = [
    ("EnvelopeFrame", [[0, b"a"], [0, bytes(MAX_ENVELOPE)]], [[0, b""], [0, bytes(MAX_ENVELOPE + 1)], [0, "a"]]),
    ("Have", [[1, MAX_DEAL, MAX_DEAL, []]], [[1, MAX_DEAL + 1, 0, []], [1, 0, MAX_DEAL + 1, []], [1, -1, 0, []]]),
    ("Have", [[1, 0, 0, [[1, 1, 0, 0]] * MAX_OPEN]], [[1, 0, 0, [[1, 1, 0, 0]] * (MAX_OPEN + 1)]]),
    ("Have", [have(MAX_NUMBER, 3, MAX_INDEX, 255)], [have(MAX_NUMBER + 1, 3, 0, 0), have(1, 3, MAX_INDEX + 1, 0)]),
    ("Have", [have(0, 0, 0, 0)], [have(1, 4, 0, 0), have(1, 3, 0, 256), have(1, 3, 0, -1), have(1, 3, 0, True)]),
    ("Have", [have(1, 2, 1, 0)], [have(1, 1, 1, 0), have(1, 0, 1, 0)]),
    ("Ping", [[2, NONCE, bytes(64)]], [[2, NONCE[1:], bytes(64)], [2, NONCE + b"x", bytes(64)], [2, NONCE, bytes(63)]]),
    ("Pong", [[3, NONCE, bytes(64)]], [[3, NONCE[1:], bytes(64)], [3, NONCE + b"x", bytes(64)], [3, NONCE, bytes(65)]]),
    ("Hello", [[4, "x" * 40, []]], [[4, "x" * 41, []], [4, "", []], [4, "a\x1b", []], [4, "a ", []]]),
    ("Hello", [[4, "a", [ADDRESS] * MAX_ADDRESSES]], [[4, "a", [ADDRESS] * (MAX_ADDRESSES + 1)], [4, "a", [["h"]]]]),
    ("Hello", [[4, "a", [["h" * MAX_HOST, 1]]]], [[4, "a", [["h" * (MAX_HOST + 1), 1]]], [4, "a", [["", 1]]]]),
    ("Hello", [[4, "a", [["h", 65535]]]], [[4, "a", [["h", 65536]]], [4, "a", [["h", 0]]], [4, "a", [["h", True]]]]),
    ("Members", [[5, [[KEY, [ADDRESS]]] * MAX_MEMBERS]], [[5, [[KEY, []]] * (MAX_MEMBERS + 1)], [5, [[KEY[1:], []]]]]),
    ("Members", [[5, [[KEY, [ADDRESS] * MAX_ADDRESSES]]]], [[5, [[KEY, [ADDRESS] * (MAX_ADDRESSES + 1)]]]]),
    (
        "Wish",
        [[6, "", [], "auto", 2], [6, "x" * 40, [], "lan", 8]],
        [[6, "x" * 41, [], "auto", 2], [6, 1, [], "auto", 2]],
    ),
    (
        "Wish",
        [[6, "a", [], "auto", 2]],
        [[6, "a\x1b", [], "auto", 2], [6, "a ", [], "auto", 2], [6, "\u202e", [], "auto", 2]],
    ),
    (
        "Wish",
        [[6, "", [["k", 1]] * MAX_WISH_RULES, "auto", 2]],
        [[6, "", [["k", 1]] * (MAX_WISH_RULES + 1), "auto", 2]],
    ),
    ("Wish", [[6, "", [["k", None]], "auto", 2]], [[6, "", [["k"]], "auto", 2], [6, "", [[1, 1]], "auto", 2]]),
    ("Wish", [[6, "", [], "wan", 2]], [[6, "", [], "sea", 2], [6, "", [], "auto", 1], [6, "", [], "auto", 9]]),
]


@pytest.mark.parametrize(("name", "fits", "wrong"), LIMITS)
def test_limits_from_both_sides(name: str, fits: list[list[object]], wrong: list[list[object]]) -> None:
    for plain in fits:
        assert encode_frame(decode_frame(encode(plain))) == encode(plain)
    for plain in wrong:
        with pytest.raises(DecodeError, match=f"^{name}: "):
            decode_frame(encode(plain))


def test_the_largest_envelope_fits_into_a_frame() -> None:
    assert len(encode_frame(EnvelopeFrame(bytes(MAX_ENVELOPE)))) <= MAX_FRAME


def wish_of(size: int) -> list[object]:
    """A wish whose frame has so many bytes: texts of 255 letters fill it up, the last of them as long as is left."""
    rows: list[object] = []
    while (left := size - len(encode([6, "", rows, "auto", 2]))) > 0:
        rows.append(["k", "x" * min(255, left - 5)])
        if len(encode([6, "", rows, "auto", 2])) > size:
            raise AssertionError(f"no wish has {size} bytes")
    return [6, "", rows, "auto", 2]


def test_a_wish_is_small() -> None:
    assert isinstance(decode_frame(encode(wish_of(MAX_WISH))), Wish)
    with pytest.raises(DecodeError, match=f"^Wish: the frame has at most {MAX_WISH} bytes, this one {MAX_WISH + 1}$"):
        decode_frame(encode(wish_of(MAX_WISH + 1)))


@pytest.mark.parametrize("name", preset_names())
def test_the_rules_of_every_preset_fit_into_a_wish_many_times(name: str) -> None:
    frame = encode_frame(Wish("x" * 40, tuple(sorted(to_plain(load_preset(name)).items())), "auto", 8))
    assert len(frame) < MAX_WISH / 6


def test_nothing_is_encoded_that_others_would_refuse() -> None:
    for frame in (EnvelopeFrame(b""), Have(-1, 0, ()), Ping(b"", b""), Hello("a", (("h", 0),)), Members(((b"", ()),))):
        with pytest.raises(DecodeError):
            encode_frame(frame)


# Pings


def test_a_ping_and_its_answer() -> None:
    ping = seal_ping(ADA, BOB.public, NONCE)
    assert verify_ping(ping, ADA.public, BOB.public)
    pong = seal_pong(BOB, ADA.public, ping)
    assert pong.nonce == NONCE
    assert verify_ping(pong, BOB.public, ADA.public)


def test_pings_have_one_length() -> None:
    ping = seal_ping(ADA, BOB.public, NONCE)
    assert len(encode_frame(ping)) == len(encode_frame(seal_pong(BOB, ADA.public, ping))) == 86


def test_a_ping_is_for_one_link_and_one_direction() -> None:
    ping = seal_ping(ADA, BOB.public, NONCE)
    assert not verify_ping(ping, EVE.public, BOB.public)
    assert not verify_ping(ping, ADA.public, EVE.public)
    assert not verify_ping(Ping(bytes(16), ping.signature), ADA.public, BOB.public)
    assert not verify_ping(Pong(ping.nonce, ping.signature), ADA.public, BOB.public)
    # Sent back as it came, by the one who should have signed an answer.
    assert not verify_ping(Pong(ping.nonce, ping.signature), BOB.public, ADA.public)


def test_a_ping_is_never_an_envelope() -> None:
    """What a ping signs begins with another tag than what an envelope signs, and is shorter than any."""
    signature = ADA.sign(b"p2pkaboo-v1-envelope", bytes([2]) + BOB.public.encoded + NONCE)
    assert not verify_ping(Ping(NONCE, signature), ADA.public, BOB.public)

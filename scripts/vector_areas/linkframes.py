"""Vectors of link frames: one of every type, and what is none, each beyond one limit or of another form."""

from collections.abc import Iterator
from typing import Final

from p2pkaboo.replica.terms import plain_rules
from p2pkaboo.rules.ruleset import load_preset
from p2pkaboo.wire.codec import DecodeError, Value, decode, encode
from p2pkaboo.wire.frames import (
    FRAMES,
    EnvelopeFrame,
    Frame,
    Have,
    Hello,
    Members,
    Wish,
    decode_frame,
    encode_frame,
    held,
    seal_ping,
    seal_pong,
)
from p2pkaboo.wire.limits import MAX_ADDRESSES, MAX_MEMBERS, MAX_NAME, MAX_OPEN, MAX_TEXT, MAX_WISH, MAX_WISH_RULES
from p2pkaboo.wire.slot import Slot
from vector_areas.encodings import shown
from vector_areas.form import Area, Vector, bad, good, require
from vector_areas.signatures import OTHER, SIGNER

ADDRESSES: Final = (("192.0.2.7", 27620), ("2001:db8::7", 1), ("kitchen.example", 65535))
RULES: Final = plain_rules(load_preset("sheffield"))


def frames() -> Iterator[tuple[str, str, Frame]]:
    """Frames that decode."""
    ping = seal_ping(SIGNER, OTHER.public, bytes(range(16)))
    yield "envelope", "bytes that stand for an envelope: the frame does not look into them", EnvelopeFrame(b"\x2a")
    lanes = held(Slot(5, "d", 1), 0b101), held(Slot(5, "w", 0), 0)
    yield "have", "two open steps, of one the messages of seats 0 and 2 are held", Have(3, 1, lanes)
    yield "have-nothing-open", "a deal that is held whole", Have(3, 1, ())
    yield "ping", "from the signer of the vectors of signatures to the other one", ping
    yield "pong", "the answer to it", seal_pong(OTHER, SIGNER.public, ping)
    yield "hello", "a name and three addresses", Hello("Ada", ADDRESSES)
    yield "members", "one with addresses, one without", Members(((SIGNER.public.encoded, ADDRESSES), (bytes(32), ())))
    yield "wish", "the default rules", Wish("Kitchen table", RULES, "auto", 4)
    yield "wish-without-name", "a table without a name, rules that are none: the frame decodes", Wish("", (), "wan", 8)


def misfits() -> Iterator[tuple[str, str, Value]]:
    """Values that are no frames."""
    here: Value = ["192.0.2.7", 27620]
    rows: Value = [["k", 1]]
    yield "type-unknown", "a type that there is not", [len(FRAMES)]
    yield "type-bool", "a truth value as the type", [True, 0, 0, []]
    yield "empty", "an array without a type", []
    yield "no-array", "an integer", 4
    yield "hello-short", "no addresses", [4, "Ada"]
    yield "hello-long", "a field too many", [4, "Ada", [], None]
    yield "hello-name-long", "a name of 41 code points (MAX_NAME)", [4, "k" * (MAX_NAME + 1), []]
    yield "hello-name-mark", "a direction mark in a name", [4, "A\u202eda", []]
    yield "hello-addresses", "nine addresses (MAX_ADDRESSES)", [4, "Ada", [here] * (MAX_ADDRESSES + 1)]
    yield "members-many", "33 members (MAX_MEMBERS)", [5, [[bytes(32), []]] * (MAX_MEMBERS + 1)]
    yield "have-open", "17 open steps (MAX_OPEN)", [1, 1, 1, [[5, 3, 0, 0]] * (MAX_OPEN + 1)]
    yield "have-slot", "a step of the main line with an index", [1, 1, 1, [[5, 1, 1, 0]]]
    yield "wish-name-long", "a table's name of 41 code points (MAX_NAME)", [6, "k" * (MAX_NAME + 1), rows, "auto", 4]
    yield "wish-name-mark", "a control character in a table's name", [6, "a\x1b", rows, "auto", 4]
    yield "wish-race", "a race preset that there is not", [6, "", rows, "sea", 4]
    yield "wish-chairs-1", "one chair", [6, "", rows, "auto", 1]
    yield "wish-chairs-9", "nine chairs (MAX_SEATS)", [6, "", rows, "auto", 9]
    yield "wish-key", "a rule whose key is no text", [6, "", [[1, 1]], "auto", 4]
    yield "wish-rules", "129 rules (MAX_WISH_RULES)", [6, "", [["k", 1]] * (MAX_WISH_RULES + 1), "auto", 4]
    texts = -(-MAX_WISH // MAX_TEXT)
    yield "wish-large", "more bytes than a wish has (MAX_WISH)", [6, "", [["k", "x" * MAX_TEXT]] * texts, "auto", 4]


def vectors() -> Iterator[Vector]:
    """All vectors of the area."""
    for name, about, frame in frames():
        data = encode_frame(frame)
        require(decode_frame(data) == frame, f"frame {name} does not decode to itself")
        yield good(name, about, {"bytes": data}, {"frame": type(frame).__name__, "value": shown(decode(data))})
    for name, about, value in misfits():
        try:
            decode_frame(encode(value))
        except DecodeError:
            yield bad(name, about, None, {"bytes": encode(value)})
        else:
            require(False, f"frame {name} decodes")


def area() -> Area:
    """The file of vectors."""
    return Area(
        "frame",
        "01-encoding.md#6-link-frames",
        "Link frames. `value` is the whole array, shown as in the vectors of the encoding. Only whether the bytes are "
        "a frame is tested, not what an envelope holds. The ping is signed by the signer of the vectors of signatures, "
        "for the other one, who has signed the answer.",
        tuple(vectors()),
    )

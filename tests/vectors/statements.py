"""From the input of a vector to a statement that the package can check; what does not decode makes it invalid."""

from typing import Any

from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import Ciphertext
from p2pkaboo.crypto.group import Point, decode_scalar
from p2pkaboo.crypto.sharing import ComplaintStatement, Part, RecoveryKeyStatement, SplitStatement
from p2pkaboo.crypto.shuffle import ShuffleStatement
from p2pkaboo.crypto.sigma import BlindStatement, KeyStatement, MembershipStatement, ShareStatement, Statement

Given = dict[str, Any]


def raw(given: Given, name: str) -> bytes:
    """A byte string."""
    return bytes.fromhex(given[name])


def point(given: Given, name: str) -> Point:
    """A point."""
    return Point.decode(raw(given, name))


def context(given: Given, name: str = "context") -> Context:
    """A context."""
    at = given[name]
    return Context(bytes.fromhex(at["table"]), at["deal"], at["step"].encode(), at["seat"])


def deck(data: bytes) -> tuple[Ciphertext, ...]:
    """A deck. CryptoDecodeError for a card that is cut short, too."""
    return tuple(Ciphertext.decode(data[at : at + 64]) for at in range(0, len(data), 64))


def split(given: Given) -> SplitStatement:
    """A split of a key."""
    parts = tuple(
        Part(part["seat"], point(part, "key"), point(part, "point"), decode_scalar(raw(part, "sealed")))
        for part in given["parts"]
    )
    return SplitStatement(context(given), point(given, "public"), point(given, "ephemeral"), parts)


def statement(area: str, given: Given) -> Statement:
    """The statement of a vector of this area. ValueError if a part of it does not decode."""
    match area:
        case "key":
            return KeyStatement(context(given), point(given, "public"))
        case "recovery-key":
            return RecoveryKeyStatement(context(given), point(given, "public"))
        case "blind":
            return BlindStatement(context(given), point(given, "original"), point(given, "blinded"))
        case "share":
            return ShareStatement(context(given), point(given, "public"), point(given, "base"), point(given, "share"))
        case "membership":
            names = ("viewer", "original", "blinded", "b", "others_sum", "others_key")
            viewer, original, blinded, b, total, key = (point(given, name) for name in names)
            candidates = tuple(given["candidates"])
            return MembershipStatement(context(given), viewer, original, blinded, b, total, key, candidates)
        case "shuffle":
            decks = (deck(raw(given, name)) for name in ("before", "after"))
            return ShuffleStatement(context(given), point(given, "key"), *decks)
        case "split":
            return split(given)
        case "complaint":
            return ComplaintStatement(context(given), split(given["split"]), point(given, "opened"))
    raise AssertionError(f"no statement is known of the area {area}")

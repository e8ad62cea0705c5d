"""A seat's secrets: kept under their names, and missed where a message of its own stands on one that is gone."""

import pytest

from p2pkaboo.crypto.group import base_mul
from p2pkaboo.replica.faults import LocalError, PeerFault
from p2pkaboo.replica.meaning import action_move
from p2pkaboo.replica.own import Own, missing_secret
from p2pkaboo.rules.moves import Call, to_plain
from p2pkaboo.wire.bodies import Action, Ask, Body, Draw, Keys, Reveal, Seen, Snap, View
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.slot import Slot
from tests.support.tables import make_identities

HELD, GONE = bytes([1]) * 32, bytes([2]) * 32
COMMITTED, FORGOTTEN = bytes([3]) * 64, bytes([4]) * 64
CALL = tuple(to_plain(Call(1)))


def own() -> Own:
    """A seat that holds a key, one blinding, and what one snap committed to."""
    held = Own(1)
    held.remember("key:", (7).to_bytes(32, "little"))
    held.remember(f"blind:{HELD.hex()}", (9).to_bytes(32, "little"))
    held.remember(f"snap:{COMMITTED.hex()}", b"\x01" + (2).to_bytes(4, "big") + (300).to_bytes(4, "big") + b"n" * 32)
    return held


def asked(*blinded: bytes) -> tuple[Ask, ...]:
    return tuple(Ask((1, at), each, bytes(64)) for at, each in enumerate(blinded))


def snapped(commitment: bytes) -> Snap:
    return Snap(300, bytes(64), commitment, "")


def test_secrets_are_taken_back_under_their_names() -> None:
    held = own()
    assert (held.x(), held.blinds) == (7, {HELD: 9})
    assert held.snaps == {COMMITTED: Reveal("other", (2, 300), b"n" * 32)}
    held.remember(f"snap:{FORGOTTEN.hex()}", bytes(41))
    assert held.snaps[FORGOTTEN].target_class == "own"
    with pytest.raises(LocalError, match="unknown kind of secret 'mask'"):
        held.remember("mask:", b"")
    with pytest.raises(LocalError, match="no key in this deal yet"):
        Own(1).x()


@pytest.mark.parametrize(
    ("body", "lacks"),
    [
        (Keys(base_mul(7).encoded, b""), None),
        (Keys(base_mul(8).encoded, b""), "the key of this deal"),
        (View(asked(HELD, HELD)), None),
        (View(asked(HELD, GONE)), "the blinding of a view"),
        (Draw(asked(HELD)[0]), None),
        (Draw(asked(GONE)[0]), "the blinding of a view"),
        (Action(CALL, asked(HELD)[0], b""), None),
        (Action(CALL, asked(GONE)[0], b""), "the blinding of a view"),
        (Action(CALL, None, b""), None),
        (snapped(COMMITTED), None),
        (snapped(FORGOTTEN), "the target of a snap"),
        (Seen(), None),
    ],
)
def test_a_message_whose_secret_is_gone_cannot_be_stood_by(body: Body, lacks: str | None) -> None:
    assert missing_secret(own(), body) == lacks


def test_without_a_key_no_keys_can_be_stood_by() -> None:
    assert missing_secret(Own(1), Keys(base_mul(7).encoded, b"")) == "the key of this deal"


def test_a_seat_moves_for_itself_only() -> None:
    identity = make_identities(1, "own")[0]
    for seat in range(3):
        envelope = seal(
            identity,
            table=bytes(64),
            deal=1,
            slot=Slot(9, "m", 0),
            seat=seat,
            head=bytes(64),
            kind="ACTION",
            elapsed=0,
            body=Action(CALL, None, b""),
        ).envelope
        if seat == 1:
            assert action_move(envelope) == Call(1)
        else:
            with pytest.raises(PeerFault, match="a seat moves for itself only"):
                action_move(envelope)

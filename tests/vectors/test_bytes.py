"""Vectors of values, points, hashes, signatures and envelopes: the package decodes what it must and nothing else."""

from hashlib import sha512
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pkaboo.crypto import sodium
from p2pkaboo.crypto.elgamal import (
    Ciphertext,
    blind,
    card_index,
    card_point,
    fresh,
    joint_key,
    remask,
    remove,
    share,
    unblind,
)
from p2pkaboo.crypto.group import G, Point, base_mul, decode_scalar, hash_to_group
from p2pkaboo.crypto.hashing import expand_message_xmd
from p2pkaboo.crypto.identity import PublicIdentity, tagged, verify
from p2pkaboo.replica.charter import Charter, RaceNumbers, forming_name, joint_coin, nonce_commitment, seating
from p2pkaboo.replica.heads import deal_head, join_head, step_head
from p2pkaboo.replica.race import dispute_lot, race_q
from p2pkaboo.rules.ruleset import from_plain
from p2pkaboo.wire.bodies import BODIES
from p2pkaboo.wire.codec import DecodeError, decode, encode
from p2pkaboo.wire.envelope import decode_envelope, verify_envelope
from p2pkaboo.wire.frames import FRAMES, Ping, Pong, decode_frame, encode_frame, verify_ping
from p2pkaboo.wire.slot import parse_slot
from p2pkaboo.wire.tags import SEATING, SNAP, TIE, tagged_hash
from tests.vectors.files import vectors


def named(area: str, name: str) -> dict[str, Any]:
    """One vector of an area."""
    (found,) = (vector for vector in vectors(area) if vector["name"] == name)
    return found


def unhex(texts: list[str]) -> list[bytes]:
    """Byte strings of a list."""
    return [bytes.fromhex(text) for text in texts]


# ---------------------------------------------------------------- encoding


def value_of(shown: Any) -> Any:
    """The value that a vector of the encoding shows."""
    match shown:
        case {"bytes": text}:
            return bytes.fromhex(text)
        case {"int": text}:
            return int(text)
        case list():
            return [value_of(item) for item in shown]
        case _:
            return shown


@pytest.mark.parametrize("vector", vectors("encoding"), ids=lambda vector: str(vector["name"]))
def test_encoding(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["input"]["bytes"])
    if not vector["valid"]:
        assert vector["class"] == "bad-record"
        with pytest.raises(DecodeError):
            decode(data)
        return
    value = value_of(vector["output"]["value"])
    assert decode(data) == value
    assert type(decode(data)) is type(value)
    assert encode(value) == data


# ---------------------------------------------------------------- link frames


@pytest.mark.parametrize("vector", vectors("frame"), ids=lambda vector: str(vector["name"]))
def test_frame(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["input"]["bytes"])
    if not vector["valid"]:
        decode(data)  # it is a value, and no frame
        with pytest.raises(DecodeError):
            decode_frame(data)
        return
    frame = decode_frame(data)
    assert type(frame).__name__ == vector["output"]["frame"]
    assert encode(value_of(vector["output"]["value"])) == data
    assert encode_frame(frame) == data


def test_every_type_of_frame_has_a_vector_and_the_pings_are_signed() -> None:
    good = [vector for vector in vectors("frame") if vector["valid"]]
    assert {vector["output"]["frame"] for vector in good} == {frame.__name__ for frame in FRAMES}
    ping, pong = (decode_frame(bytes.fromhex(named("frame", name)["input"]["bytes"])) for name in ("ping", "pong"))
    key = PublicIdentity.decode(bytes.fromhex(named("signature", "true")["input"]["key"]))
    other = PublicIdentity.decode(bytes.fromhex(named("signature", "other-key")["input"]["key"]))
    assert isinstance(ping, Ping)
    assert isinstance(pong, Pong)
    assert verify_ping(ping, key, other)
    assert verify_ping(pong, other, key)
    assert ping.nonce == pong.nonce


# ---------------------------------------------------------------- group, hash-to-group, masks


def test_group() -> None:
    for vector in vectors("group"):
        given = vector["input"]
        if "multiple" in given:
            assert base_mul(given["multiple"]).encoded.hex() == vector["output"]["point"]
        elif not vector["valid"]:
            with pytest.raises(ValueError, match=r"point|scalar"):
                Point.decode(bytes.fromhex(given["point"])) if "point" in given else decode_scalar(
                    bytes.fromhex(given["scalar"])
                )
        else:
            scalar = decode_scalar(bytes.fromhex(given["scalar"]))
            assert (G * scalar).encoded.hex() == vector["output"]["point"]


def test_hash_to_group() -> None:
    for vector in vectors("hash-to-group"):
        given, output = vector["input"], vector["output"]
        if "uniform" in given:
            assert sodium.from_hash(bytes.fromhex(given["uniform"])).hex() == output["point"]
            continue
        tag, message = bytes.fromhex(given["tag"]), bytes.fromhex(given["message"])
        if "length" in given:
            assert expand_message_xmd(message, tag, given["length"]).hex() == output["uniform"]
            continue
        point = hash_to_group(tag, message)
        assert point.encoded.hex() == output["point"]
        assert sodium.from_hash(bytes.fromhex(vector["intermediate"]["uniform"])).hex() == output["point"]
        if "blind" in given:
            assert (point * decode_scalar(bytes.fromhex(given["blind"]))).encoded.hex() == output["blinded"]


def test_masks() -> None:
    for vector in vectors("masks"):
        given, output = vector["input"], vector["output"]
        if not vector["valid"]:
            shares = [Point.decode(one) for one in unhex(given["shares"])]
            assert card_index(remove(Point.decode(bytes.fromhex(given["b"])), shares), 54) is None
            continue
        secrets, masks = ([decode_scalar(one) for one in unhex(given[name])] for name in ("secrets", "masks"))
        key = joint_key(map(base_mul, secrets))
        assert key.encoded.hex() == vector["intermediate"]["joint_key"]
        assert card_point(given["card"]).encoded.hex() == vector["intermediate"]["card_point"]
        card: Ciphertext = fresh(given["card"], key)
        for mask in masks:
            card = remask(card, key, mask)
        assert (card.a.encoded.hex(), card.b.encoded.hex()) == (output["a"], output["b"])
        layers = [share(secret, card.a) for secret in secrets]
        if "rho" in given:
            rho = decode_scalar(bytes.fromhex(given["rho"]))
            blinded = blind(card.a, rho)
            assert blinded.encoded.hex() == output["blinded"]
            served = [share(secret, blinded) for secret in secrets[: given["viewer"]]]
            assert [one.encoded.hex() for one in served] == output["served"]
            taken = [unblind(one, rho, base_mul(secret)) for one, secret in zip(served, secrets, strict=False)]
            layers = [*taken, layers[given["viewer"]]]
        assert [layer.encoded.hex() for layer in layers] == output["shares"]
        assert card_index(remove(card.b, layers), 54) == output["index"] == given["card"]


# ---------------------------------------------------------------- signature, envelope


def accepts(key: bytes, tag: bytes | None, message: bytes, signature: bytes) -> str | None:
    """None if the package accepts a signature, else the class of refusal."""
    try:
        public = PublicIdentity.decode(key)
    except ValueError:
        return "bad-charter"
    good = public.accepts(message, signature) if tag is None else verify(public, tag, message, signature)
    return None if good else "bad-signature"


@pytest.mark.parametrize("vector", vectors("signature"), ids=lambda vector: str(vector["name"]))
def test_signature(vector: dict[str, Any]) -> None:
    given = vector["input"]
    key, message, signature = (bytes.fromhex(given[name]) for name in ("key", "message", "signature"))
    tag = None if given["tag"] is None else bytes.fromhex(given["tag"])
    assert accepts(key, tag, message, signature) == vector["class"]
    assert vector["valid"] == (vector["class"] is None)


def test_keys_of_small_order_would_pass_elsewhere() -> None:
    """Nothing but the key is wrong with these: OpenSSL takes the signatures."""
    small = [vector["input"] for vector in vectors("signature") if "key-small-order" in vector["name"]]
    assert len(small) == 8
    for given in small:
        key, message, signature = (bytes.fromhex(given[name]) for name in ("key", "message", "signature"))
        signed = tagged(bytes.fromhex(given["tag"]), message)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)


@pytest.mark.parametrize("vector", vectors("envelope"), ids=lambda vector: str(vector["name"]))
def test_envelope(vector: dict[str, Any]) -> None:
    data, key = (bytes.fromhex(vector["input"][name]) for name in ("bytes", "key"))
    if vector["class"] == "bad-record":
        with pytest.raises(DecodeError):
            decode_envelope(data)
        return
    envelope = decode_envelope(data)
    signed = verify_envelope(envelope, PublicIdentity.decode(key))
    assert (signed is not None) == vector["valid"]
    if vector["valid"]:
        output = vector["output"]
        assert output["kind"] == envelope.kind
        assert (output["number"], output["index"]) == (envelope.slot.number, envelope.slot.index)
        assert (output["seat"], output["elapsed"], output["deal"]) == (envelope.seat, envelope.elapsed, envelope.deal)
        assert vector["intermediate"]["unsigned"] == envelope.unsigned.hex()
        assert vector["intermediate"]["hash"] == envelope.hash.hex() == sha512(envelope.unsigned).hexdigest()


def test_there_is_an_envelope_of_every_kind() -> None:
    kinds = {vector["output"]["kind"] for vector in vectors("envelope") if vector["valid"]}
    assert kinds == set(BODIES)


# ---------------------------------------------------------------- heads


def head_of(name: str, given: dict[str, Any]) -> bytes:
    """What the package makes of the parts of a head."""

    def raw(field: str) -> bytes:
        return bytes.fromhex(given[field])

    match name.split("-")[0]:
        case "forming":
            return forming_name(raw("secret"))
        case "nonce":
            return nonce_commitment(raw("key"), raw("nonce"))
        case "coin":
            return joint_coin(dict(zip(unhex(given["keys"]), unhex(given["nonces"]), strict=True)))
        case "seating":
            return tagged_hash(SEATING, raw("coin"), raw("key"))
        case "charter":
            numbers = RaceNumbers(*given["race"])
            keys, nonces = (tuple(unhex(given[field])) for field in ("keys", "nonces"))
            return Charter(from_plain(given["rules"]), numbers, keys, tuple(given["names"]), nonces).hash
        case "deal":
            return deal_head(raw("table"), given["deal"], raw("last"), given["seats"], given["dealer"])
        case "step":
            said = {int(seat): bytes.fromhex(text) for seat, text in given["envelopes"].items()}
            return step_head(raw("previous"), parse_slot(given["slot"]), given["kind"], said)
        case "join":
            return join_head(given["number"], raw("draw"), raw("window"))
        case "snap":
            target = b"".join(number.to_bytes(4, "big") for number in given["handle"])
            parts = (raw("q"), bytes([given["seat"]]), given["class"].encode(), target, raw("nonce"))
            return tagged_hash(SNAP, raw("table"), *parts)
        case "race":
            return race_q(given["deal"], tuple(given["handle"]), given["window"], unhex(given["shares"]))
        case "tie":
            return tagged_hash(TIE, raw("q"), given["window"].to_bytes(4, "big"), bytes([given["seat"]]))
        case "dispute":
            return dispute_lot(given["seat"], unhex(given["nonces"]))
    raise AssertionError(f"no head is known for {name}")


@pytest.mark.parametrize("vector", vectors("heads"), ids=lambda vector: str(vector["name"]))
def test_heads(vector: dict[str, Any]) -> None:
    head = head_of(vector["name"], vector["input"])
    assert head.hex() == vector["output"]["head"]
    assert sha512(bytes.fromhex(vector["intermediate"]["hashed"])).digest() == head


def test_seats_follow_from_the_coin() -> None:
    given, charter = named("heads", "coin")["input"], named("heads", "charter")
    by_key = dict(zip(unhex(given["keys"]), unhex(given["nonces"]), strict=True))
    assert [key.hex() for key in seating(by_key)] == charter["input"]["keys"]
    coin = int(named("heads", "coin")["output"]["head"], 16)
    assert coin % len(by_key) == charter["output"]["dealer"]

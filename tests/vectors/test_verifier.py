"""The second verifier, written from the specification alone, agrees with every vector that it has an operation for."""

from hashlib import sha512
from typing import Any

import pytest

from p2pkaboo.wire.tags import ENVELOPE
from p2pkaboo.wire.transcript import read_transcript, write_transcript
from tests.vectors.files import manifest, transcript, vectors
from verifier import encoding, group, messages, proofs, signature
from verifier.forming import Race
from verifier.race import Window, judge, read_testimony
from verifier.transcript import verify


def raw(given: dict[str, Any], name: str) -> bytes:
    """A byte string of an input."""
    return bytes.fromhex(given[name])


def context(given: dict[str, Any]) -> proofs.Context:
    """The context of an input."""
    at = given["context"]
    return proofs.Context(bytes.fromhex(at["table"]), at["deal"], at["step"], at["seat"])


def holds(area: str, given: dict[str, Any]) -> bool:
    """Whether the verifier accepts the proof of a vector."""
    at, proof = context(given), raw(given, "proof")
    match area:
        case "key":
            return proofs.key_holds(at, raw(given, "public"), proof)
        case "blind":
            return proofs.blind_holds(at, raw(given, "original"), raw(given, "blinded"), proof)
        case "share":
            return proofs.share_holds(at, raw(given, "public"), raw(given, "base"), raw(given, "share"), proof)
        case "shuffle":
            return proofs.shuffle_holds(at, raw(given, "key"), raw(given, "before"), raw(given, "after"), proof)
    card = raw(given, "original"), raw(given, "b")
    others = ((raw(given, "others_key"), raw(given, "others_sum")),)
    candidates = tuple(given["candidates"])
    return proofs.membership_holds(at, raw(given, "viewer"), card, raw(given, "blinded"), others, candidates, proof)


@pytest.mark.parametrize("area", ["key", "blind", "share", "membership", "shuffle"])
def test_proofs(area: str) -> None:
    assert [one["name"] for one in vectors(area) if holds(area, one["input"]) != one["valid"]] == []


def test_values() -> None:
    for vector in vectors("encoding"):
        data = raw(vector["input"], "bytes")
        try:
            decoded = encoding.encode(encoding.decode(data)) == data
        except encoding.BadEncoding:
            decoded = False
        assert decoded == vector["valid"], vector["name"]


def test_points_and_hashes() -> None:
    for vector in vectors("group"):
        given = vector["input"]
        if "point" in given:
            assert (group.point(raw(given, "point")) is not None) == vector["valid"], vector["name"]
        elif "scalar" in given:
            assert (group.scalar(raw(given, "scalar")) is not None) == vector["valid"], vector["name"]
    whole = [vector for vector in vectors("hash-to-group") if {"tag", "message"} == set(vector["input"]) - {"blind"}]
    assert len(whole) >= 10
    for vector in whole:
        given = vector["input"]
        found = group.hash_to_group(raw(given, "message"), raw(given, "tag"))
        assert group.pack(found).hex() == vector["output"]["point"], vector["name"]


def test_signatures() -> None:
    of_envelopes = [vector for vector in vectors("signature") if vector["input"]["tag"] == ENVELOPE.hex()]
    assert {vector["valid"] for vector in of_envelopes} == {True, False}
    for vector in of_envelopes:
        key, message, signed = (raw(vector["input"], name) for name in ("key", "message", "signature"))
        assert signature.verifies(key, message, signed) == vector["valid"], vector["name"]
    for vector in vectors("signature"):
        is_key = len(raw(vector["input"], "key")) == 32 and signature.identity_key(raw(vector["input"], "key"))
        assert bool(is_key) == (vector["class"] != "bad-charter"), vector["name"]


def test_envelopes() -> None:
    for vector in vectors("envelope"):
        try:
            envelope = messages.read_envelope(raw(vector["input"], "bytes"))
        except ValueError:
            assert vector["class"] == "bad-record", vector["name"]
            continue
        assert vector["class"] != "bad-record", vector["name"]
        good = signature.verifies(raw(vector["input"], "key"), envelope.unsigned, envelope.signature)
        assert good == vector["valid"], vector["name"]
        if vector["valid"]:
            assert envelope.hash.hex() == vector["intermediate"]["hash"]


def test_heads() -> None:
    for vector in vectors("heads"):
        whole = bytes.fromhex(vector["intermediate"]["hashed"])
        assert sha512(whole).hexdigest() == vector["output"]["head"]
        parts, at = [], 1 + whole[0]
        while at < len(whole):
            size = int.from_bytes(whole[at : at + 4], "big")
            parts.append(whole[at + 4 : at + 4 + size])
            at += 4 + size
        assert encoding.tagged_hash(whole[1 : 1 + whole[0]], *parts).hex() == vector["output"]["head"]


@pytest.mark.parametrize("vector", vectors("race"), ids=lambda vector: str(vector["name"]))
def test_races(vector: dict[str, Any]) -> None:
    given, facts = vector["input"], vector["input"]["facts"]
    claims = {int(seat): claim for seat, claim in given["claims"].items()}
    number = facts["window"].to_bytes(4, "big")
    numbers = facts["numbers"]
    window = Window(
        numbers=Race(numbers["cap"], numbers["slack"], numbers["late"], numbers["floor"]),
        active=tuple(facts["seats"]),
        claims=claims,
        shown={seat: given["shown"].get(str(seat), "") for seat in claims},
        knew=frozenset(int(seat) for seat, floor in facts["floors"].items() if floor > numbers["floor"]),
        before=tuple(facts["senders"]),
        opened=facts["reveal"],
        turn=facts["acting"],
        lot=lambda seat: encoding.tagged_hash(b"p2pkaboo-v1-tie", bytes.fromhex(facts["q"]), number, bytes([seat])),
    )
    said = {
        int(seat): read_testimony([word["measures"], word["lateness"]]) for seat, word in given["witnesses"].items()
    }
    order = judge(window, said)
    assert (list(order.served), order.disputed) == (vector["output"]["order"], vector["output"]["disputed"])


@pytest.mark.parametrize("vector", vectors("audit"), ids=lambda vector: str(vector["name"]))
def test_audits(vector: dict[str, Any]) -> None:
    """The whole document, the sentence apart: verdict, place, author, and what was counted."""
    given = vector["input"]
    document = verify(transcript(given["file"]) if "file" in given else raw(given, "bytes")).document()
    reason = document.pop("reason")
    assert document == vector["output"], reason


def test_every_golden_transcript_is_among_the_audits() -> None:
    named = {vector["input"].get("file") for vector in vectors("audit")}
    assert {f"transcripts/{row['file']}" for row in manifest()} <= named


MISFITS = [vector for vector in vectors("steps") if not vector["valid"]]


@pytest.mark.parametrize("vector", MISFITS, ids=lambda vector: str(vector["name"]))
def test_steps(vector: dict[str, Any]) -> None:
    given = vector["input"]
    rows = list(read_transcript(transcript(given["file"])).envelopes[: given["records"]])
    rows += [bytes.fromhex(text) for text in given["envelopes"]]
    found = verify(write_transcript(rows, bytes(64)))
    assert (found.verdict, found.seat) == (vector["class"], vector["output"]["seat"]), found.reason

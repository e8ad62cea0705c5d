"""The schemas fit what the code makes, and refuse what differs from it in one place."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import environment
import pytest

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.audit.report import report_json
from p2pkaboo.rules.documents import score_document
from p2pkaboo.rules.ruleset import load_preset, preset_names, to_plain, with_overrides
from p2pkaboo.rules.scenario import read_scenario, run_scenario
from p2pkaboo.wire import frames
from p2pkaboo.wire.bodies import BODIES
from p2pkaboo.wire.codec import decode
from p2pkaboo.wire.slot import Slot
from tests.support.tables import MS, Table
from tests.unit.spec.validator import problems

SCHEMAS = environment.ROOT / "protocol" / "schemas"


@cache
def schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((SCHEMAS / name).read_text("utf-8"))
    return loaded


def plain(value: object) -> Any:
    """A wire value in the JSON mapping."""
    if isinstance(value, bytes):
        return value.hex()
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


@cache
def played() -> tuple[list[Any], ...]:
    """The envelopes of two small tables, decoded."""
    removed = [rank + suit for suit in "CDHS" for rank in "3456789T"]
    found = []
    for preset in ("sheffield", "kabbu"):
        rules = with_overrides(load_preset(preset), {"deck.remove": removed, "players.max": 3})
        table = Table(rules, 3, 4, rounds=2, proofs=False, snap_rate=0.9, delay=(1 * MS, 300 * MS))
        table.run()
        for deal in table.nodes[0].deals:
            for step in deal.history:
                found += [decode(envelope.data) for envelope in step.said.values()]
    return tuple(envelope for envelope in found if isinstance(envelope, list))


def one_of_each_kind() -> Iterator[list[Any]]:
    for kind in BODIES:
        yield from [envelope for envelope in played() if envelope[8] == kind][:1]


def spoiled(value: Any) -> Iterator[Any]:
    """The value with one element of its outer arrays taken away, added, or of another type."""
    yield [*value, 0]
    for place in range(len(value)):
        yield value[:place] + value[place + 1 :]
        other = copy.copy(value)
        other[place] = {"a": 1.5}
        yield other


def test_real_messages_fit_and_spoiled_ones_do_not() -> None:
    kinds = set()
    for envelope in one_of_each_kind():
        kinds.add(envelope[8])
        assert problems(schema("envelope.json"), plain(envelope)) == []
        body = plain(envelope[10])
        assert problems(schema("messages.json"), {"kind": envelope[8], "body": body}) == []
        for bad in spoiled(body):
            if bad[:1] == [{"a": 1.5}] and envelope[8] == "ACTION":
                continue  # a move is any array of values, of which this cannot know
            assert problems(schema("messages.json"), {"kind": envelope[8], "body": bad}), (envelope[8], bad)
        for bad in spoiled(plain(envelope)):
            assert problems(schema("envelope.json"), bad)
    assert kinds == set(BODIES) - {"JOIN", "OFFER", "NONCE", "CHARTER", "LEAVE"}


def test_forming_messages_fit() -> None:
    hashed, key = "ab" * 64, "cd" * 32
    for kind, body in (
        ("JOIN", [key, "Ada", hashed]),
        ("OFFER", [["00", "01"], [["name", "x"], ["deck.remove", ["KH"]]], "auto"]),
        ("NONCE", [key, 1200]),
        ("CHARTER", [hashed]),
        ("LEAVE", []),
    ):
        assert problems(schema("messages.json"), {"kind": kind, "body": body}) == []
    assert problems(schema("messages.json"), {"kind": "JOIN", "body": [key, "", hashed]})
    assert problems(schema("messages.json"), {"kind": "JOIN", "body": [key.upper(), "Ada", hashed]})


def test_link_frames_fit() -> None:
    for frame in (
        frames.EnvelopeFrame(b"x"),
        frames.Have(1, 1, (frames.held(Slot(5, "w", 0), 3),)),
        frames.Ping(bytes(16), bytes(64)),
        frames.Pong(bytes(16), bytes(64)),
        frames.Hello("Ada", (("192.0.2.1", 27620),)),
        frames.Members(((bytes(32), ()),)),
        frames.Wish("", (("name", "x"), ("deck.remove", ["KH"])), "auto", 4),
    ):
        assert problems(schema("frames.json"), plain(decode(frames.encode_frame(frame)))) == []
    assert problems(schema("frames.json"), [7, "00"])


@pytest.mark.parametrize("name", preset_names())
def test_presets_fit(name: str) -> None:
    rules = to_plain(load_preset(name))
    assert problems(schema("ruleset.json"), rules) == []
    assert problems(schema("ruleset.json"), {**rules, "snap.limit": "some"})
    del rules["snap.limit"]
    assert problems(schema("ruleset.json"), rules)


ROUND: dict[str, Any] = {
    "rules": "sheffield",
    "seats": ["A", "B"],
    "dealer": "A",
    "deck": ["5H", "KS", "7C", "8C", "2D", "3D", "4D", "6D", "7H", "9S", "TS", "JS", "QS"],
    "moves": [
        {"seat": "B", "do": "peek_initial", "at": [0, 1]},
        {"seat": "B", "do": "draw"},
        {"seat": "B", "do": "exchange", "at": [2]},
        {"seat": "A", "do": "call"},
        {"seat": "B", "do": "draw"},
        {"seat": "B", "do": "discard"},
    ],
}


def test_scenarios_and_their_results_fit() -> None:
    assert problems(schema("scenario.json"), ROUND) == []
    for upto in range(len(ROUND["moves"]) + 1):
        result = run_scenario(read_scenario({**ROUND, "moves": ROUND["moves"][:upto]}))
        assert result["ok"]
        assert problems(schema("run-result.json"), result) == []
    refused = run_scenario(read_scenario({**ROUND, "moves": [{"seat": "A", "do": "draw"}]}))
    assert not refused["ok"]
    assert problems(schema("run-result.json"), refused) == []
    assert problems(schema("run-result.json"), {**refused, "ok": True})
    assert problems(schema("scenario.json"), {**ROUND, "moves": [{"seat": "A", "do": "draw", "at": 1}]})
    assert problems(schema("scenario.json"), {**ROUND, "deck": ["5Z"]})


def test_scores_fit() -> None:
    given = {
        "rules": "kabbu",
        "hands": {"A": ["5H", None], "B": ["9S"]},
        "caller": "A",
        "penalties": {"A": 30},
    }
    assert problems(schema("score.json"), given) == []
    result = score_document(given)
    assert problems(schema("score-result.json"), result) == []
    assert problems(schema("score-result.json"), {**result, "winner": "A"})
    assert problems(schema("score.json"), {**given, "hands": {"A": ["5"]}})
    assert problems(schema("score.json"), {**given, "penalties": {"A": -30}})
    assert problems(schema("score.json"), {**given, "totals": {"A": -30}}) == []


def test_verdicts_of_the_audit_fit() -> None:
    for data in (b"", b"KABOO\x00\x01\n"):
        document = report_json(audit_file(data))
        assert problems(schema("audit.json"), document) == []
        assert problems(schema("audit.json"), {**document, "verdict": "fine"})


def test_vectors_have_one_shape() -> None:
    vector = {"name": "wrong-key", "about": "", "valid": False, "class": "bad-share", "input": {}, "output": None}
    file = {"area": "share", "version": 1, "section": "02-crypto.md", "about": "", "vectors": [vector]}
    assert problems(schema("vectors.json"), file) == []
    assert problems(schema("vectors.json"), {**file, "vectors": []})
    assert problems(schema("vectors.json"), {**file, "vectors": [{**vector, "class": "odd"}]})
    for path in sorted((SCHEMAS.parent / "vectors").glob("*.json")):
        assert problems(schema("vectors.json"), json.loads(path.read_text("utf-8"))) == [], path.name

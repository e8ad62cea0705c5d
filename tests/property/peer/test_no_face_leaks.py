"""Every message to every screen over fifty rounds, against the true cards from the disclosed keys: no face is in one
that its player could not know at that time, and in classic memory none stays longer than it may."""

import re
from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from p2pkaboo.audit.report import RoundAudit
from p2pkaboo.peer import api
from p2pkaboo.replica.questions import LOOK_MS
from p2pkaboo.rules.ruleset import load_preset, with_overrides
from tests.support.screens import ScreenTable, Shot, truth

FACE = re.compile(rb"\b(?:[A2-9TJQK][CDHS]|X\d)(?:\.\d)?\b")
PRESETS = ("sheffield", "kabbu", "cabo-online", "cabo-standard", "cabo-guide")
ROUNDS = [
    (preset, seats, memory, seed)
    for seed in range(5)
    for preset in PRESETS
    for seats, memory in ((2, "assisted"), (3, "classic"))
]


def faces_in(shot: Shot) -> set[str]:
    return {found.decode() for found in FACE.findall(shot.json)}


def allowed(shot: Shot, audit: RoundAudit) -> set[str]:
    """Cards that this seat had learned, alone or with everybody, by the steps that were complete at its replica."""
    return {
        row.card
        for row in audit.knowledge
        if row.card is not None and row.slot in shot.complete and row.seat in (None, shot.seat)
    }


def leaks(shot: Shot, audit: RoundAudit) -> set[str]:
    return faces_in(shot) - allowed(shot, audit)


def test_fifty_rounds_are_meant() -> None:
    assert len(ROUNDS) == 50


@pytest.mark.parametrize(("preset", "seats", "memory", "seed"), ROUNDS)
def test_no_message_holds_a_face_its_player_may_not_know(preset: str, seats: int, memory: str, seed: int) -> None:
    rules = with_overrides(load_preset(preset), {"memory": memory, "snap.exposure_ms": 600, "match.rounds": 1})
    table = ScreenTable(rules, seats, seed)
    table.run()
    audit = truth(table.nodes[0])
    assert audit.verdict == "valid"
    assert len(table.shots) > 40
    for shot in table.shots:
        assert leaks(shot, audit) == set(), shot
    if memory == "classic":
        _no_look_lasts(table.shots)
    else:
        _own_looks_stay(table.shots)


def _no_look_lasts(shots: list[Shot]) -> None:
    """A card that somebody is looking at loses its face again."""
    since: dict[tuple[int, int, int], int] = {}
    for shot in shots:
        if not isinstance(shot.said, api.Snapshot) or shot.said.table is None:
            continue
        open_now = set()
        for seat in shot.said.table.seats:
            for place in seat.places:
                assert place.why or place.face is None
                assert place.why != "remembered"
                if place.why == "looking":
                    open_now.add((shot.seat, seat.seat, place.position))
        for key in [key for key in since if key[0] == shot.seat and key not in open_now]:
            del since[key]
        for key in open_now:
            assert shot.at_ms - since.setdefault(key, shot.at_ms) <= LOOK_MS


def _own_looks_stay(shots: list[Shot]) -> None:
    """In assisted memory a card once seen is readable until it leaves the table."""
    assert any(
        place.why == "remembered"
        for shot in shots
        if isinstance(shot.said, api.Snapshot) and shot.said.table is not None
        for seat in shot.said.table.seats
        for place in seat.places
    )


def test_the_search_finds_a_face_that_should_not_be_there() -> None:
    table = ScreenTable(with_overrides(load_preset("sheffield"), {"snap.exposure_ms": 600}), 2, 1)
    table.run()
    audit = truth(table.nodes[0])
    early = next(shot for shot in table.shots if isinstance(shot.said, api.Snapshot) and len(shot.complete) == 9)
    hidden = audit.stock[-1]
    assert isinstance(early.said, api.Snapshot)
    assert early.said.table is not None
    poisoned = replace(early.said, table=replace(early.said.table, held=api.Held(seat=0, face=hidden)))
    assert leaks(changed(early, said=poisoned), audit) == {hidden}

"""Whom screens name when the table stands still although every link is up."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.peer.session.links import Link, Links
from p2pkaboo.peer.session.silence import PATIENCE_MS, Silence
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import NoSnap
from p2pkaboo.wire.envelope import Envelope, seal
from p2pkaboo.wire.frames import EnvelopeFrame, encode_frame
from tests.support.peers import Peers, envelope_in, inline_threads, playing

ROGUE = 2


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    inline_threads(monkeypatch)


@dataclass
class Told:
    """What seat 0 would show, and when it was first shown of somebody (milliseconds since its step was first seen)."""

    silent: frozenset[int] = frozenset()
    first: int | None = None


async def watched(peers: Peers, seconds: int) -> Told:
    """Looks once a second, as a screen does, until the table is over, or for so long."""
    told, silence, runner = Told(), Silence(0), peers.runners[0]
    for _ in range(seconds):
        if 0 in peers.done:
            break
        now = runner.now() // 1000
        told.silent = silence.update(runner.current, now)
        if told.silent and told.first is None:
            told.first = now - min(silence.since.values())
        await trio.sleep(1)
    return told


def rules_of(preset: str = "sheffield") -> Ruleset:
    return small_rules(preset, timer__step_s=10)


def silenced(peers: Peers, kind: str) -> Callable[[bytes, bytes, bytes], list[bytes]]:
    """The rogue keeps back what it says of a kind, and all copies of it."""

    def swallow(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data)
        held_back = envelope is not None and envelope.seat == ROGUE and envelope.kind == kind
        return [] if held_back else [data]

    return swallow


@pytest.mark.parametrize(
    ("kind", "longest"),
    [("KEYS", 0), ("SHUFFLE", 0), ("VIEW", 0), ("OPEN", 0), ("SERVE", 0), ("SEEN", 5), ("NONE", 12), ("DISCLOSE", 0)],
)
async def test_who_keeps_back_what_is_due_is_named(kind: str, longest: int, autojump_clock: MockClock) -> None:
    """`longest`: seconds that a player may take for it."""
    peers = Peers(rules_of(), 3, 51)
    peers.network.tamper = silenced(peers, kind)
    async with playing(peers):
        told = await watched(peers, 200)
    assert told.silent == {ROGUE}
    assert told.first is not None
    assert PATIENCE_MS <= told.first <= PATIENCE_MS + (longest + 2) * 1000


async def test_who_answers_a_snap_that_nobody_has_is_named(autojump_clock: MockClock) -> None:
    """Its window is complete and never closes: nobody else can say which message it means."""
    peers = Peers(rules_of(), 3, 52, snap_rate=0.0)

    def lie(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data) if one == peers.key(ROGUE) else None
        if envelope is None or envelope.seat != ROGUE or envelope.kind != "NONE":
            return [data]
        return [encode_frame(EnvelopeFrame(answering(peers, envelope).data))]

    peers.network.tamper = lie
    async with playing(peers):
        told = await watched(peers, 200)
    assert told.silent == {ROGUE}


def answering(peers: Peers, envelope: Envelope) -> Envelope:
    """The same NONE, as the answer to a SNAP that does not exist."""
    return seal(
        peers.identities[ROGUE],
        table=envelope.table,
        deal=envelope.deal,
        slot=envelope.slot,
        seat=envelope.seat,
        head=envelope.head,
        kind="NONE",
        elapsed=envelope.elapsed,
        body=NoSnap(bytes(64)),
    ).envelope


@pytest.mark.parametrize("preset", ["sheffield", "kabbu"])
async def test_nobody_is_named_who_only_takes_its_time(preset: str, autojump_clock: MockClock) -> None:
    peers = Peers(rules_of(preset), 3, 53, snap_rate=0.5)
    for player in peers.players:
        player.thinks = (8_000, 30_000)  # some choices are made by the program when the time is over
    async with playing(peers):
        told = await watched(peers, 3000)
    assert 0 in peers.done
    assert told.first is None


def test_links_tell_of_the_silent_until_they_answer_or_go() -> None:
    links, told = Links(0, 60_000), list[tuple[int, Link]]()

    def update(linked: set[int], silent: set[int], now: int) -> None:
        links.update(linked, silent, now, lambda seat, link: told.append((seat, link)))

    update({1, 2}, set(), 1)
    update({1, 2}, {1}, 2)
    update({1, 2}, {1}, 3)
    assert told == [(1, "silent")]
    assert [links.link(seat) for seat in (1, 2)] == ["silent", "here"]
    assert links.grace(1) is None
    update({2}, {1}, 4)
    assert links.link(1) == "away"
    update({1, 2}, set(), 5)
    update({1, 2}, {2}, 6)
    update({1, 2}, set(), 7)
    assert told == [(1, "silent"), (1, "away"), (1, "here"), (2, "silent"), (2, "here")]

"""What a seat signs when the match is over takes the result from nobody's screen."""

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.peer import api
from p2pkaboo.peer.session.links import Links
from p2pkaboo.peer.session.seat import Human
from p2pkaboo.peer.session.table import table_of
from p2pkaboo.wire.envelope import seal
from p2pkaboo.wire.frames import EnvelopeFrame, Have, decode_frame, encode_frame
from tests.support.peers import Peers, inline_threads, playing

ROGUE = 2


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    inline_threads(monkeypatch)


def screen_of(peers: Peers, seat: int) -> api.Table:
    runner, now = peers.runners[seat], peers.runners[seat].now() // 1000
    human = Human(lambda: now, lambda: None)
    human.begin(runner.current, seat)
    name = api.RulesName(id="sheffield", name="Sheffield", preset="sheffield")
    links = Links(seat, 60_000)
    return table_of(
        runner, human, links, now_ms=now, name="Table", rules_name=name, bots=frozenset(), evidence="match.kaboo"
    )


async def test_a_sore_loser_spoils_no_result(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 42)

    def needy(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        """The rogue never says that it has all: the others go on listening to it for a while."""
        frame = decode_frame(data)
        return [] if one == peers.key(ROGUE) and isinstance(frame, Have) and not frame.open else [data]

    peers.network.tamper = needy
    async with playing(peers):
        runner = peers.runners[0]
        await peers.until(lambda: runner.finished)
        before = screen_of(peers, 0)
        said = runner.current.history[-1].said[ROGUE]
        late = seal(
            peers.identities[ROGUE],
            table=said.table,
            deal=said.deal,
            slot=said.slot,
            seat=ROGUE,
            head=said.head,
            kind="RESULT",
            elapsed=said.elapsed + 1,
            body=said.body,
        ).envelope
        await trio.sleep(1)
        peers.network.send(peers.key(ROGUE), peers.key(0), encode_frame(EnvelopeFrame(late.data)))
        await peers.until(lambda: runner.fault is not None, 5)
        assert runner.fault is not None
        assert (runner.fault.seat, runner.fault.code) == (ROGUE, "equivocation")
        after = screen_of(peers, 0)
    assert after.phase == before.phase == "round_over"
    assert after.result == before.result
    assert after.result is not None
    assert after.caught is None

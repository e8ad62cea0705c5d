"""Seats that are killed and come back: from their journal, from an older copy of it, at every kind of step."""

import random
from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.peer.kept import Saved
from p2pkaboo.peer.restart import CATCH_UP_LIMIT, CATCH_UP_SECONDS
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.wire.bodies import Seen
from p2pkaboo.wire.envelope import decode_envelope, seal
from p2pkaboo.wire.frames import EnvelopeFrame, encode_frame
from p2pkaboo.wire.slot import Slot
from tests.support.peers import Peers, all_is_well, envelope_in, heads_of, inline_threads, playing


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    inline_threads(monkeypatch)


def sent(peers: Peers, seat: int, kind: str, deal: int = 1) -> bool:
    """The seat's journal holds a message of its own of this kind."""
    envelopes = (decode_envelope(row.data) for row in peers.journals[seat].rows if row.kind == "sent")
    return any((envelope.kind, envelope.deal) == (kind, deal) for envelope in envelopes)


def reached(runner: SeatRunner, kind: str) -> bool:
    """A step of this kind is open at the seat, or was (it may be over in an instant, where all messages came early)."""
    deal = runner.current
    steps = [deal.main] if deal.lanes is None else [deal.lanes.draw, deal.lanes.window]
    kinds = [step.kind for step in (*steps, *deal.history) if step is not None]
    return kind in kinds


KINDS = ("KEYS", "SHUFFLE", "SEEN", "WINDOW", "WITNESS", "OPEN1", "OPEN2", "DISCLOSE", "RESULT")


@pytest.mark.parametrize("kind", KINDS)
async def test_a_seat_killed_while_a_step_of_each_kind_is_open_comes_back(kind: str, autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 21, snap_rate=0.9)
    async with playing(peers):
        await peers.until(lambda: reached(peers.runners[1], kind))
        peers.kill(1)
        await trio.sleep(2)
        peers.start(1)
        await peers.finished()
    all_is_well(peers)


@pytest.mark.parametrize(
    ("kind", "seed"),
    [("KEYS", 22), ("SHUFFLE", 22), ("SNAP", 22), ("REVEAL", 22), ("DRAW", 33), ("ACTION", 22), ("RESULT", 22)],
)
async def test_a_seat_killed_as_soon_as_its_message_is_saved_says_the_same_again(
    kind: str, seed: int, autojump_clock: MockClock
) -> None:
    """The message may have left or not: it is not made anew, for nobody sees two."""
    peers = Peers(small_rules("sheffield", match__rounds=2), 3, seed, snap_rate=0.9)
    lost = False

    def swallow(one: bytes, other: bytes, data: bytes) -> tuple[bytes, ...]:
        return () if lost and one == peers.key(1) else (data,)

    peers.network.tamper = swallow
    async with playing(peers):
        journal = peers.journals[1]
        commit = journal.commit

        def killed(**rows: object) -> None:
            nonlocal lost
            commit(**rows)  # type: ignore[arg-type]
            if sent(peers, 1, kind) and not lost:
                lost = True
                peers.scopes[1].cancel()

        journal.commit = killed  # type: ignore[method-assign]
        await peers.until(lambda: lost or bool(peers.done))
        assert lost
        journal.commit = commit  # type: ignore[method-assign]
        peers.network.close(peers.key(1))
        await trio.sleep(1)
        lost = False
        peers.start(1)
        await peers.finished()
    all_is_well(peers)


async def test_kills_at_random_instants(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("kabbu", match__rounds=2), 3, 23, snap_rate=0.8)
    chance = random.Random(23)
    kills = 0
    async with playing(peers):
        while kills < 25 and not peers.done:
            await trio.sleep(chance.uniform(0, 1.5))
            seat = chance.randrange(3)
            if peers.done:
                break
            peers.kill(seat)
            kills += 1
            await trio.sleep(chance.choice([0.0, 0.3]))
            peers.start(seat)
        await peers.finished()
    assert kills > 10
    all_is_well(peers)


async def test_two_of_three_killed_at_once_come_back(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 24)
    async with playing(peers):
        await peers.until(lambda: reached(peers.runners[0], "WINDOW"))
        peers.kill(0)
        peers.kill(1)
        await trio.sleep(1)
        peers.start(0)
        peers.start(1)
        await peers.finished()
    all_is_well(peers)


async def test_a_seat_comes_back_while_the_others_are_in_the_next_deal(autojump_clock: MockClock) -> None:
    """The others' RESULTs have not reached it: they go on to KEYS and SHUFFLE of the next deal without it."""
    peers = Peers(small_rules("sheffield", match__rounds=2), 3, 25)
    peers.network.tamper = withheld(peers)
    async with playing(peers):
        await peers.until(lambda: all(peers.runners[seat].current.deal == 2 for seat in (0, 2)))
        peers.kill(1)
        await trio.sleep(3)
        assert peers.runners[1].current.deal == 1
        peers.network.tamper = None
        peers.start(1)
        await peers.finished()
    all_is_well(peers)


def withheld(peers: Peers) -> Callable[[bytes, bytes, bytes], list[bytes]]:
    """No RESULT of another seat reaches seat 1."""

    def tamper(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data) if other == peers.key(1) else None
        return [] if envelope is not None and envelope.kind == "RESULT" else [data]

    return tamper


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.95])
async def test_an_older_copy_of_the_journal_contradicts_nobody(share: float, autojump_clock: MockClock) -> None:
    """A backup from earlier in the round is put back: either the seat plays on from what the others hold of it, or it
    leaves with one clear sentence; it never says two things for one slot."""
    peers = Peers(small_rules("sheffield"), 3, 26)
    async with playing(peers):
        await peers.until(lambda: reached(peers.runners[0], "OPEN1"))
        peers.kill(1)
        marks = peers.journals[1].marks
        older = peers.journals[1].rows[: marks[int(len(marks) * share)]]
        runner = peers.start(1, older)
        await peers.finished([1], 60)
        assert peers.errors == {}
        if runner.lost is None:
            await peers.finished()
            all_is_well(peers)
        else:
            assert runner.lost.startswith("the others hold our ")
            assert "was lost with the newer one" in runner.lost
            await trio.sleep(20)
    assert all(peers.runners[seat].fault is None for seat in range(3))
    for player in peers.players:
        assert player.refusals == []


async def test_what_is_lost_with_an_older_copy_is_named(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 27)
    async with playing(peers):
        await peers.until(lambda: sent(peers, 1, "SEEN"))
        peers.kill(1)
        rows = peers.journals[1].rows
        view = next(at for at, row in enumerate(rows) if row.kind == "secret" and "/blind:" in row.name)
        peers.start(1, rows[:view])
        await peers.finished([1], 60)
        lost = peers.runners[1].lost
    assert lost is not None
    assert "our VIEW at m6 of round 1" in lost
    assert "the blinding of a view" in lost
    assert peers.errors == {}


async def test_a_copy_from_before_the_keys_is_too_old(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 28)
    async with playing(peers):
        await peers.until(lambda: sent(peers, 1, "KEYS"))
        await trio.sleep(1)
        peers.kill(1)
        peers.start(1, peers.journals[1].rows[:0])
        await peers.finished([1], 60)
        lost = peers.runners[1].lost
    assert lost is not None
    assert "the key of this deal" in lost


async def test_an_older_copy_without_lost_secrets_plays_on(autojump_clock: MockClock) -> None:
    """What the others hold of ours is taken back: shares and NONEs stand on nothing but the key."""
    peers = Peers(small_rules("cabo-online"), 3, 29)
    async with playing(peers):
        await peers.until(lambda: reached(peers.runners[0], "DISCLOSE"))
        peers.kill(1)
        rows = peers.journals[1].rows
        ended = next(
            at for at, row in enumerate(rows) if row.kind == "sent" and decode_envelope(row.data).kind == "OPEN1"
        )
        peers.start(1, rows[:ended])
        await peers.finished()
    all_is_well(peers)


async def test_an_accident_at_one_seat_takes_no_other_down(autojump_clock: MockClock) -> None:
    peers = Peers(small_rules("sheffield"), 3, 30)
    async with playing(peers):
        await peers.until(lambda: peers.runners[1].current.lanes is not None)
        peers.players[1].raises = True
        await peers.until(lambda: 1 in peers.errors)
        await trio.sleep(10)
        assert peers.errors.keys() == {1}
        assert not peers.done
        peers.players[1].raises = False
        del peers.errors[1]
        peers.start(1)
        await peers.finished()
    all_is_well(peers)


async def test_a_replica_from_the_journal_is_the_same_at_every_instant(autojump_clock: MockClock) -> None:
    """At each of many instants the rows on the disk make the deal that ran, as far as its steps are complete."""
    peers = Peers(small_rules("sheffield"), 3, 31, snap_rate=0.9)
    seen: list[int] = []
    async with playing(peers):
        while not peers.done:
            with trio.move_on_after(0.37):
                await peers.finished()
            for seat in range(3):
                again = Peers(peers.charter.rules, 3, 31)
                async with playing(again, only=()):
                    ghost = again.start(seat, peers.journals[seat].rows)
                    again.scopes[seat].cancel()
                live = heads_of(peers.runners[seat])
                saved = heads_of(ghost)
                assert saved.items() <= live.items()
                seen.append(len(saved))
    assert len(seen) > 20
    assert max(seen) > 30


def without_lost_secrets(peers: Peers, seat: int) -> list[Saved]:
    """The oldest copy of the journal that still holds every secret."""
    rows = peers.journals[seat].rows
    last = max(at for at, row in enumerate(rows) if row.kind == "secret")
    return rows[: last + 2]  # and the message that was saved with it


@pytest.mark.parametrize("number", [10, 14, 18])
async def test_time_goes_on_from_what_the_others_hold_of_ours(number: int, autojump_clock: MockClock) -> None:
    """Its NONE comes an exposure after its share of the card by the time in both, also where this journal lost it."""
    peers = Peers(small_rules("sheffield"), 3, 33, snap_rate=0.0)
    async with playing(peers):
        await peers.until(lambda: peers.runners[1].current.number >= number)
        peers.kill(1)
        older = without_lost_secrets(peers, 1)
        assert len(older) < len(peers.journals[1].rows)
        peers.start(1, older)
        await peers.finished()
    all_is_well(peers)


async def test_what_the_others_gave_back_is_in_the_journal_of_the_next_restart(autojump_clock: MockClock) -> None:
    """An older copy in the first deal, and a kill in the second: the journal makes both deals whole."""
    peers = Peers(small_rules("cabo-online", match__target=10_000, match__rounds=2), 3, 34)
    async with playing(peers):
        await peers.until(lambda: reached(peers.runners[0], "OPEN2"))
        peers.kill(1)
        peers.start(1, without_lost_secrets(peers, 1))
        await peers.until(lambda: sent(peers, 1, "SEEN", deal=2))
        peers.kill(1)
        await trio.sleep(0.5)
        runner = peers.start(1)
        assert (runner.current.deal, runner.lost) == (2, None)
        await peers.finished()
    all_is_well(peers)


async def test_a_seat_killed_before_the_last_word_has_reached_it_still_gets_it(autojump_clock: MockClock) -> None:
    """The others have finished, and know nothing of it but that its link is gone: they stay for a while."""
    peers = Peers(small_rules("cabo-online", match__target=10_000, match__rounds=1), 3, 35)
    peers.network.tamper = withheld(peers)
    async with playing(peers):
        await peers.finished([0, 2])
        assert not peers.runners[1].finished
        peers.kill(1)
        await trio.sleep(3)
        peers.network.tamper = None
        peers.start(1)
        await peers.finished([1], 30)
    all_is_well(peers)


async def test_a_chatterbox_does_not_keep_a_seat_that_comes_back_silent(autojump_clock: MockClock) -> None:
    """A seat that is back waits until nothing new comes; one that signs something for the far future each second, each
    nearer than all before so that it is kept, would make it wait for ever, and look lost."""
    peers = Peers(small_rules("sheffield"), 3, 29)
    async with playing(peers):
        await peers.until(lambda: peers.runners[0].current.number > 12)
        peers.kill(0)
        await trio.sleep(1)
        peers.start(0)
        for number in range(40):
            envelope = seal(
                peers.identities[2],
                table=peers.charter.hash,
                deal=1,
                slot=Slot(90_000 - number, "m", 0),
                seat=2,
                head=bytes(64),
                kind="SEEN",
                elapsed=0,
                body=Seen(),
            ).envelope
            peers.network.send(peers.key(2), peers.key(0), encode_frame(EnvelopeFrame(envelope.data)))
            await trio.sleep(0.5)
            if not peers.runners[0]._restart.holding:
                break
        assert number < 2 * (CATCH_UP_LIMIT + 2 * CATCH_UP_SECONDS)
        await peers.finished()
    all_is_well(peers)

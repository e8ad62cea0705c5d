"""Guests read what is to be played before they are ready, and nobody is dealt in under other rules than it has read."""

import logging
from collections.abc import Iterable
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.peer.guests import ANSWER_SECONDS
from p2pkaboo.peer.lobby import REPEAT_SECONDS, Lobby
from p2pkaboo.peer.reading import NAMED, Reading
from p2pkaboo.replica.terms import Terms, plain_rules
from p2pkaboo.rules.ruleset import Ruleset, with_overrides
from p2pkaboo.wire.codec import encode
from p2pkaboo.wire.frames import Wish, decode_frame, encode_frame
from tests.support.halls import Hall, agree, gathered, lounging, until
from tests.support.peers import envelope_in


def rules_of(hall: Hall) -> Ruleset:
    rules = hall.lobbies[0].rules
    assert rules is not None
    return rules


def other(hall: Hall, **more: Any) -> Ruleset:
    return with_overrides(rules_of(hall), {"snap.limit": "all", **more})


def wish_of(rules: Ruleset, race: str = "auto") -> Wish:
    return Wish("Attic", plain_rules(rules), race, 2)  # type: ignore[arg-type]


def is_wish(data: bytes) -> bool:
    return isinstance(decode_frame(data), Wish)


def no_wish(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
    """What an opener of an older version says."""
    return [] if is_wish(data) else [data]


async def joined(hall: Hall) -> None:
    await until(lambda: len(hall.lobbies[0].forming.joins) == len(hall.lobbies))


async def test_a_guest_reads_name_rules_race_and_chairs_before_it_is_ready(autojump_clock: MockClock) -> None:
    hall = lounging(3, 51)
    opener, guest, _ = hall.lobbies
    opener.chairs, opener.race = 5, "wan"
    async with gathered(hall, [0, 1, 2]) as through:
        await until(lambda: guest.terms is not None, REPEAT_SECONDS)
        assert guest.terms == Terms(rules_of(hall), "wan")
        wish = guest.reading.wish
        assert wish is not None
        assert (wish.name, wish.chairs) == ("Attic", 5)
        assert set(opener.forming.joins) == {hall.key(0)}
        assert guest.changed_terms == ""
        for lobby in hall.lobbies[1:]:
            lobby.set_ready(True)
        await joined(hall)
        opener.start()
        await until(through, 5)
    agree(hall, [0, 1, 2])


async def test_a_lost_wish_is_said_again(autojump_clock: MockClock) -> None:
    hall = lounging(2, 52)
    hall.network.tamper = no_wish
    async with gathered(hall, [0, 1]):
        await trio.sleep(2)
        assert hall.lobbies[1].terms is None
        hall.network.tamper = None
        await until(lambda: hall.lobbies[1].terms is not None, 2 * REPEAT_SECONDS)


async def test_without_a_wish_ready_takes_what_is_offered(autojump_clock: MockClock) -> None:
    hall = lounging(2, 53)
    hall.network.tamper = no_wish
    async with gathered(hall, [0, 1]) as through:
        await trio.sleep(1)
        hall.lobbies[1].set_ready(True)
        await joined(hall)
        hall.lobbies[0].start()
        await until(through, 5)
    agree(hall, [0, 1])


async def offered_others(hall: Hall, **changes: Any) -> Lobby:
    """The guest is ready, and the opener offers something else than it wished."""
    opener, guest = hall.lobbies
    await until(lambda: guest.terms is not None)
    guest.set_ready(True)
    await joined(hall)
    hall.network.tamper = no_wish
    opener.rules, opener.race = other(hall), changes.get("race", opener.race)
    opener.start()
    await until(lambda: guest.forming.sitting is not None)
    return guest


async def test_an_offer_under_other_rules_is_not_answered_before_the_guest_is_ready_again(
    autojump_clock: MockClock,
) -> None:
    hall = lounging(2, 54)
    limit = rules_of(hall).snap_limit
    async with gathered(hall, [0, 1]) as through:
        guest = await offered_others(hall, race="lan")
        await trio.sleep(5)
        assert not guest.ready
        assert guest.changed_terms == f"snap.limit = all instead of {limit}, race = lan instead of auto"
        assert guest.terms == Terms(other(hall), "lan")
        assert set(hall.lobbies[0].forming.nonces) == {0}
        guest.set_ready(True)
        assert guest.changed_terms == ""
        await until(through, 5)
    agree(hall, [0, 1])
    assert hall.lobbies[0].forming.attempt == 1
    assert hall.lobbies[0].forming.charter.rules.snap_limit == "all"  # type: ignore[union-attr]


async def test_a_guest_that_does_not_agree_is_left_out_of_the_next_attempt(autojump_clock: MockClock) -> None:
    hall = lounging(2, 55)
    async with gathered(hall, [0, 1]):
        guest = await offered_others(hall)
        await until(lambda: guest.forming.attempt == 2, ANSWER_SECONDS + 5)
        await trio.sleep(2 * ANSWER_SECONDS)
        assert not guest.ready
        assert set(hall.lobbies[0].forming.joins) == {hall.key(0)}
        assert not hall.lobbies[0].forming.agreed


async def test_a_wish_that_changes_takes_ready_back(autojump_clock: MockClock) -> None:
    hall = lounging(2, 56)
    opener, guest = hall.lobbies
    first = rules_of(hall)
    async with gathered(hall, [0, 1]) as through:
        await until(lambda: guest.terms is not None)
        guest.set_ready(True)
        await joined(hall)
        opener.rules = other(hall)
        await until(lambda: not guest.ready, 2 * REPEAT_SECONDS)
        assert "snap.limit = all" in guest.changed_terms
        await until(lambda: set(opener.forming.joins) == {hall.key(0)})
        opener.rules = first  # a change that is taken back leaves nothing to say
        await until(lambda: guest.changed_terms == "", 2 * REPEAT_SECONDS)
        assert not guest.ready
        opener.rules = other(hall)
        await until(lambda: guest.changed_terms != "", 2 * REPEAT_SECONDS)
        guest.set_ready(True)
        await joined(hall)
        opener.start()
        await until(through, 5)
    agree(hall, [0, 1])


async def test_who_reads_is_told_of_every_change_until_it_is_ready(autojump_clock: MockClock) -> None:
    """Else a small change after a large one would hide it."""
    hall = lounging(2, 57)
    opener, guest = hall.lobbies
    async with gathered(hall, [0, 1]):
        await until(lambda: guest.terms is not None)
        opener.rules = other(hall)
        await until(lambda: guest.changed_terms != "", 2 * REPEAT_SECONDS)
        opener.rules = other(hall, **{"match.rounds": 3})
        await until(lambda: "match.rounds" in guest.changed_terms, 2 * REPEAT_SECONDS)
        assert "snap.limit = all" in guest.changed_terms


async def test_a_guest_without_anybody_to_ask_plays_what_is_offered(autojump_clock: MockClock) -> None:
    hall = lounging(2, 58)
    bot = hall.lobbies[1]
    bot.ready, bot.attended = True, False
    async with gathered(hall, [0, 1]) as through:
        await until(lambda: bot.terms is not None)
        await joined(hall)
        hall.send(0, 1, encode_frame(Wish("", (("zeal", 1),), "auto", 2)))
        await trio.sleep(0.1)
        assert bot.ready
        hall.lobbies[0].rules = other(hall)
        hall.lobbies[0].start()
        await until(through, 5)
    agree(hall, [0, 1])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"on_forfeit": "recover"}, "on_forfeit = recover: a table of this version"), ({"zeal": 1}, "zeal: no such key")],
)
async def test_nobody_is_ready_for_rules_that_cannot_be_played(
    changes: dict[str, object], reason: str, autojump_clock: MockClock
) -> None:
    hall = lounging(2, 59)
    guest = hall.lobbies[1]
    rows = tuple(sorted({**dict(plain_rules(rules_of(hall))), **changes}.items()))

    def wishful(one: bytes, other: bytes, data: bytes) -> Iterable[bytes]:
        return [encode_frame(Wish("Attic", rows, "auto", 2))] if is_wish(data) else [data]

    async with gathered(hall, [0, 1]):
        await until(lambda: guest.terms is not None)
        guest.set_ready(True)
        await joined(hall)
        hall.network.tamper = wishful
        await until(lambda: guest.unplayable is not None, 2 * REPEAT_SECONDS)
        assert reason in (guest.unplayable or "")
        assert not guest.ready
        said = hall.network.ends[hall.key(1)].frames_sent
        guest.set_ready(True)
        assert not guest.ready
        assert hall.network.ends[hall.key(1)].frames_sent == said
        hall.network.tamper = None
        await until(lambda: guest.unplayable is None, 2 * REPEAT_SECONDS)
        guest.set_ready(True)
        await joined(hall)


# Newcomers and openers that mean harm


async def test_nobody_but_the_opener_wishes(autojump_clock: MockClock) -> None:
    hall = lounging(3, 61)
    false = encode_frame(Wish("Trap", plain_rules(other(hall)), "wan", 8))
    async with gathered(hall, [0, 1, 2]):
        for _ in range(20):
            hall.send(2, 1, false)
            hall.send(2, 0, false)
        await until(lambda: hall.lobbies[1].terms is not None)
        for _ in range(20):
            hall.send(2, 1, false)
            hall.send(2, 0, false)
            await trio.sleep(0.1)
        assert hall.lobbies[1].terms == Terms(rules_of(hall), "auto")
        assert hall.lobbies[1].changed_terms == ""
        assert hall.lobbies[0].terms is None


async def test_a_wish_that_does_not_decode_is_worth_one_warning(
    autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall = lounging(2, 62)
    guest = hall.lobbies[1]
    async with gathered(hall, [0, 1]):
        await until(lambda: guest.terms is not None)
        for value in (
            [6, "", [["k", "x" * 500]] * 128, "auto", 2],
            [6, "", [["k", 1]] * 4000, "auto", 2],
            [6, "\x1b[2J", [], "auto", 2],
            [6, "", 7, "auto", 2],
        ):
            hall.send(0, 1, encode(value))
        await trio.sleep(1)
        assert guest.terms == Terms(rules_of(hall), "auto")
    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) == 1


async def test_a_flood_of_wishes_is_looked_at_now_and_then(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is another one, and would have to be checked."""
    hall = lounging(2, 63)
    guest = hall.lobbies[1]
    looked = 0
    hear = Reading.hear

    def counted(self: Reading, wish: Wish) -> None:
        nonlocal looked
        looked += 1
        hear(self, wish)

    monkeypatch.setattr(Reading, "hear", counted)
    seconds = 5
    async with gathered(hall, [0, 1]):
        await until(lambda: guest.terms is not None)
        guest.set_ready(True)
        before, calls = looked, hall.network.ends[hall.key(1)].frames_sent
        for number in range(400 * seconds):
            hall.send(0, 1, encode_frame(Wish("", (("k", number), ("x", "x" * 500)), "auto", 2)))
            await trio.sleep(1 / 400)
        assert 0 < looked - before <= 4 + 4 * (seconds + 1)
        assert hall.network.ends[hall.key(1)].frames_sent - calls < 200
        assert not guest.ready
        assert len(guest.unplayable or "") < 200


def test_a_sentence_names_few_changes_and_counts_the_rest() -> None:
    hall = lounging(2, 64)
    rules = rules_of(hall)
    reading = Reading()
    reading.hear(wish_of(rules))
    reading.note(None)
    changes = {"snap.limit": "all", "match.rounds": 7, "match.target": 90, "snap.exposure_ms": 4321, "timer.step_s": 33}
    reading.hear(wish_of(with_overrides(rules, changes), "lan"))
    said = reading.changed(None)
    assert said.count(" instead of ") == NAMED
    assert said.endswith("3 more")


async def test_a_nonce_given_is_not_taken_back_by_a_wish(autojump_clock: MockClock) -> None:
    """Once the offer is there, it is what counts: what the opener wishes meanwhile changes nothing."""
    hall = lounging(2, 65)
    opener, guest = hall.lobbies

    def unsigned(one: bytes, other: bytes, data: bytes) -> list[bytes]:
        envelope = envelope_in(data)
        return [] if envelope is not None and envelope.kind == "CHARTER" else [data]

    hall.network.tamper = unsigned
    async with gathered(hall, [0, 1]) as through:
        await until(lambda: guest.terms is not None)
        guest.set_ready(True)
        await joined(hall)
        opener.start()
        await until(lambda: len(opener.forming.nonces) == 2)
        for _ in range(3):
            hall.send(0, 1, encode_frame(wish_of(other(hall))))
            await trio.sleep(1)
        assert guest.ready
        assert guest.changed_terms == ""
        hall.network.tamper = None
        await until(through, 5)
    agree(hall, [0, 1])

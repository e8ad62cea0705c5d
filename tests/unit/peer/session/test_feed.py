"""News: events before their snapshot, the newest snapshot only, and nobody who holds up others."""

import trio
import trio.testing

from p2pkaboo.peer import api
from p2pkaboo.peer.session.feed import MAX_EVENTS, Feed


def snapshot(number: int) -> api.Snapshot:
    return api.Snapshot(number=number, now_ms=0, screen="start", me=api.Person(name="Ada"))


def event(number: int) -> api.AnyEvent:
    return api.Called(snapshot=number, seat=0)


async def test_events_come_before_the_snapshot_with_their_result() -> None:
    feed = Feed()
    news = feed.subscribe()
    feed.publish([event(1), event(1)], snapshot(1))
    assert [await anext(aiter(news)) for _ in range(3)] == [event(1), event(1), snapshot(1)]


async def test_who_reads_slowly_gets_the_newest_snapshot_and_the_newest_events() -> None:
    feed = Feed()
    news = feed.subscribe()
    for number in range(MAX_EVENTS + 10):
        feed.publish([event(number)], snapshot(number))
    got = [await anext(aiter(news)) for _ in range(MAX_EVENTS + 1)]
    assert got[0] == event(10)
    assert got[-1] == snapshot(MAX_EVENTS + 9)
    with trio.move_on_after(0.01) as waiting:
        await anext(aiter(news))
    assert waiting.cancelled_caught


async def test_a_closed_stream_ends_and_is_forgotten() -> None:
    feed = Feed()
    news, other = feed.subscribe(), feed.subscribe()
    async with trio.open_nursery() as nursery:
        ended = trio.Event()

        async def read() -> None:
            async for _ in news:
                raise AssertionError("nothing was published")
            ended.set()

        nursery.start_soon(read)
        await trio.testing.wait_all_tasks_blocked()
        await news.aclose()
        await ended.wait()
    feed.publish([], snapshot(1))
    assert await anext(aiter(other)) == snapshot(1)
    assert feed.watched
    await other.aclose()
    assert not feed.watched

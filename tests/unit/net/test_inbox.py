import trio
import trio.testing

from p2pkaboo.net.inbox import BURST_SECONDS, SHARE, Allowance, Down, Event, Frame, Inbox, Up

KEY = bytes(32)


async def test_events_come_out_in_order() -> None:
    inbox = Inbox()
    events: list[Event] = [
        Up(KEY, "192.0.2.1", 5, outgoing=False),
        Frame(KEY, b"a", 1),
        Frame(KEY, b"b", 2),
        Down(KEY, "it left"),
    ]
    for event in events:
        inbox.put(event)
    assert [await inbox.get() for _ in events] == events


async def test_getting_waits_for_an_event_and_can_be_cancelled() -> None:
    inbox = Inbox()
    got: list[Event] = []

    async def get() -> None:
        got.append(await inbox.get())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(get)
        await trio.testing.wait_all_tasks_blocked()
        with trio.CancelScope() as scope:
            scope.cancel()
            await inbox.get()
        assert got == []
        inbox.put(Frame(KEY, b"a", 1))
    assert got == [Frame(KEY, b"a", 1)]


async def test_a_cancelled_get_takes_nothing() -> None:
    inbox = Inbox()
    inbox.put(Frame(KEY, b"a", 1))
    with trio.CancelScope() as scope:
        scope.cancel()
        await inbox.get()
    assert await inbox.get() == Frame(KEY, b"a", 1)


async def test_frames_come_in_bursts_and_then_others_have_their_turn(mock_clock: trio.testing.MockClock) -> None:
    inbox, turns = Inbox(), 0

    async def watch() -> None:
        nonlocal turns
        while True:
            turns += 1
            await trio.lowlevel.checkpoint()

    for _ in range(200):
        inbox.put(Frame(KEY, b"a", 1))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        await inbox.get()
        before = turns
        for _ in range(60):
            await inbox.get()
        assert turns == before
        for _ in range(3):  # two tasks that are both ready run in any order
            mock_clock.jump(BURST_SECONDS)
            await inbox.get()
        after = turns
        assert after > before
        await inbox.get()
        assert turns == after
        nursery.cancel_scope.cancel()


async def test_who_floods_keeps_others_waiting_for_its_share_only() -> None:
    inbox, other = Inbox(), bytes(31) + b"1"
    flood: list[Event] = [Frame(KEY, b"a", at) for at in range(5000)]
    for event in flood:
        inbox.put(event)
    inbox.put(Frame(other, b"c", 1))
    inbox.put(Frame(other, b"d", 2))
    heard = [await inbox.get() for _ in range(len(flood) + 2)]
    assert heard[SHARE : SHARE + 2] == [Frame(other, b"c", 1), Frame(other, b"d", 2)]
    assert [event for event in heard if event.key == KEY] == flood
    assert (inbox._standing, inbox._behind) == ({}, {})


async def test_a_row_of_links_leaves_no_more_unread_than_a_share_and_one_link() -> None:
    """Whoever fills a link up to its allowance, and then another one, and so on: that has a bound too."""
    inbox, said, allowances = Inbox(), 3 * SHARE, []
    for number in range(100):
        inbox.put(Up(KEY, "192.0.2.1", number, outgoing=False))
        allowances.append(Allowance(1 << 20))
        for at in range(said):
            inbox.put(Frame(KEY, b"%d" % number, at), allowances[-1])
        if number % 2:  # else the newer link takes the older one's place
            inbox.put(Down(KEY, "it left"))
    heard = [await inbox.get() for _ in range(len(inbox._events) + sum(map(len, inbox._behind.values())))]
    assert sum(isinstance(event, Frame) for event in heard) <= SHARE + said
    assert [event.port for event in heard if isinstance(event, Up)] == list(range(100))
    assert sum(isinstance(event, Down) for event in heard) == 50
    assert [allowance._used for allowance in allowances] == [0] * 100
    assert (inbox._standing, inbox._behind) == ({}, {})


async def test_unread_frames_spend_the_allowance_of_their_link_only() -> None:
    inbox, greedy, modest = Inbox(), Allowance(1000), Allowance(1000)
    inbox.put(Frame(KEY, bytes(800), 1), greedy)
    inbox.put(Frame(KEY, b"", 2), modest)
    assert greedy.spent
    assert not modest.spent
    waited = trio.Event()

    async def wait() -> None:
        await greedy.wait()
        waited.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        assert not waited.is_set()
        await inbox.get()
    assert waited.is_set()


async def test_empty_frames_are_not_free() -> None:
    inbox, allowance = Inbox(), Allowance(1000)
    for _ in range(4):
        inbox.put(Frame(KEY, b"", 1), allowance)
    assert allowance.spent

from functools import partial

import trio
import trio.testing

from p2pkaboo.net.gate import Gate


async def knock(gate: Gate, host: str, *, good: bool, seconds: float = 0.0, key: bytes = b"a player") -> float | None:
    """One visit; gives the time at which its handshake began, None if it never did or was cut off. `key`: of whom it
    is, if it is `good`."""
    began: list[float] = []
    with gate.visit(host, trio.current_time() + 5) as visit:
        await visit.turn()
        started = trio.current_time()
        await trio.sleep(seconds)
        if good:
            visit.welcome(key)
        began.append(started)
    return began[0] if began else None


async def test_members_pay_nothing(autojump_clock: trio.testing.MockClock) -> None:
    gate = Gate()
    for number in range(200):
        key = b"player %d" % (number // 5)  # a household of forty, each of whom comes back four times
        assert await knock(gate, "192.0.2.1", good=True, key=key) == trio.current_time()
    for _ in range(200):
        await trio.sleep(1)
        assert await knock(gate, "192.0.2.1", good=True) == trio.current_time()


async def test_a_member_who_does_nothing_but_come_and_go_pays_like_a_stranger(
    autojump_clock: trio.testing.MockClock,
) -> None:
    gate, begin = Gate(), trio.current_time()
    for _ in range(100):
        await knock(gate, "192.0.2.1", good=True)
    # Eight are free at once and one a second; twenty are the address's allowance, which takes five a second.
    assert (100 - 28) / 6 - 1 <= trio.current_time() - begin <= (100 - 28) / 6 + 1
    assert await knock(gate, "192.0.2.2", good=True, key=b"another") == trio.current_time()


async def test_failures_use_up_the_allowance_which_refills(autojump_clock: trio.testing.MockClock) -> None:
    gate, begin = Gate(), trio.current_time()
    for _ in range(20):
        await knock(gate, "192.0.2.1", good=False)
    assert trio.current_time() == begin
    for _ in range(10):
        await knock(gate, "192.0.2.1", good=False)
    assert 1.9 <= trio.current_time() - begin <= 2.2  # five a second
    assert await knock(gate, "192.0.2.2", good=False) == trio.current_time()  # another address has its own allowance
    await trio.sleep(100)
    full = trio.current_time()
    for _ in range(20):
        assert await knock(gate, "192.0.2.1", good=False) == full


async def test_nobody_waits_longer_than_the_allowance_takes_to_refill(autojump_clock: trio.testing.MockClock) -> None:
    gate = Gate()
    for _ in range(20):
        await knock(gate, "192.0.2.1", good=False)
    await trio.sleep(0.1)  # five a second: half of one is there, the other half takes as long again
    asked = trio.current_time()
    began = await knock(gate, "192.0.2.1", good=False)
    assert began is not None
    assert 0.09 <= began - asked <= 0.15


async def test_ipv6_addresses_of_one_customer_count_as_one(autojump_clock: trio.testing.MockClock) -> None:
    gate, begin = Gate(), trio.current_time()
    for number in range(21):
        await knock(gate, f"2001:db8::{number:x}", good=False)
    assert trio.current_time() > begin
    now = trio.current_time()
    assert await knock(gate, "2001:db8:0:1::1", good=False) == now
    for number in range(21):
        await knock(gate, f"::ffff:192.0.2.{number}", good=False)  # IPv4 in IPv6 clothes: each its own
    assert trio.current_time() == now


async def test_the_newest_of_a_crowd_gets_in(autojump_clock: trio.testing.MockClock) -> None:
    """A hundred strangers who hold their connections open, from the member's own address."""
    gate, held = Gate(), []

    async def stranger() -> None:
        held.append(await knock(gate, "192.0.2.1", good=False, seconds=60))

    async with trio.open_nursery() as nursery:
        for _ in range(100):
            nursery.start_soon(stranger)
        await trio.testing.wait_all_tasks_blocked()
        assert gate.pending() <= 16
        before = trio.current_time()
        began = await knock(gate, "192.0.2.1", good=True)
        assert began is not None
        assert began - before <= 0.5
    assert trio.current_time() - before <= 5  # none holds its connection beyond the deadline
    assert held == [None] * 100
    assert gate.pending() == 0


async def test_strangers_everywhere_are_bounded_too(autojump_clock: trio.testing.MockClock) -> None:
    gate = Gate()
    async with trio.open_nursery() as nursery:
        for number in range(200):
            nursery.start_soon(partial(knock, gate, f"192.0.2.{number}", good=False, seconds=60))
        await trio.testing.wait_all_tasks_blocked()
        assert gate.pending() == 64
        assert await knock(gate, "198.51.100.1", good=True) == trio.current_time()


async def test_remembered_addresses_are_bounded() -> None:
    gate = Gate()
    for number in range(3000):
        await knock(gate, f"10.0.{number >> 8}.{number & 255}", good=True, key=b"%d" % number)
    assert len(gate._addresses) == 1024
    assert len(gate._players) == 1024


async def test_cancelling_a_visit_from_outside_is_not_swallowed() -> None:
    gate = Gate()
    with trio.CancelScope() as scope:
        with gate.visit("192.0.2.1", trio.current_time() + 5) as visit:
            await visit.turn()
            scope.cancel()
            await trio.sleep(1)
        raise AssertionError("not reached")
    assert scope.cancelled_caught
    assert gate.pending() == 0

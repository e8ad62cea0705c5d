"""What `zeroconf` does not do on some machines and networks: it is said, and nobody waits for it for ever."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import trio
import trio.testing
import zeroconf
from trio.testing import MockClock
from zeroconf import ServiceInfo, ServiceStateChange

from p2pkaboo.net import discovery
from p2pkaboo.net.discovery import SERVICE, Found, Lost, OpenTable, _properties, announce, browse

TABLE = OpenTable("Kitchen", bytes(32), bytes(16), "sheffield", 1, 4)
ADDRESSES = (("192.0.2.7", 27620),)
STUCK_S = 5.0
"""How long the real world's threads of these tests may be stuck, should the product wait for them."""


class Stuck:
    """Never comes to the end of its opening, as when a thread within has failed; until the test lets it."""

    def __init__(self) -> None:
        self.let_go, self.closed = threading.Event(), threading.Event()

    def __call__(self, **_: object) -> "Stuck":
        self.let_go.wait(STUCK_S)
        return self

    def close(self) -> None:
        self.closed.set()


class Failing:
    """Opens, and then does nothing that is asked of it."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.closed = False

    def __call__(self, **_: object) -> "Failing":
        return self

    def _fail(self, *_: object, **__: object) -> None:
        raise self.error

    register_service = _fail

    def close(self) -> None:
        self.closed = True


async def test_what_never_opens_is_given_up_and_put_away_when_it_does(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    stuck = Stuck()
    monkeypatch.setattr(discovery, "Zeroconf", stuck)
    with pytest.raises(OSError, match="multicast DNS cannot be started"):
        async with browse():
            pass
    assert not stuck.closed.is_set()
    stuck.let_go.set()
    assert stuck.closed.wait(STUCK_S)


async def test_whoever_leaves_does_not_wait_for_it(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    stuck = Stuck()
    monkeypatch.setattr(discovery, "Zeroconf", stuck)
    with trio.move_on_after(1):
        async with announce(TABLE, ADDRESSES):
            pass
    stuck.let_go.set()
    assert stuck.closed.wait(STUCK_S)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (zeroconf.EventLoopBlocked(), "multicast DNS: EventLoopBlocked"),
        (zeroconf.NonUniqueNameException("twice"), "multicast DNS: twice"),
        (RuntimeError("no interfaces"), "multicast DNS: no interfaces"),
        (
            RuntimeError("No interfaces to listen on, check that any interfaces have IP version IPVersion.All"),
            r"^this computer is in no network$",
        ),
    ],
)
async def test_its_own_kinds_of_errors_come_out_as_one(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = Failing(error)
    monkeypatch.setattr(discovery, "Zeroconf", failing)
    with pytest.raises(OSError, match=words):
        async with announce(TABLE, ADDRESSES):
            pass
    assert failing.closed

    def no_browser(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(discovery, "ServiceBrowser", no_browser)
    with pytest.raises(OSError, match=words):
        async with browse():
            pass


class Network:
    """What is announced: `details` by name. Questions wait while `silent`; `asked` counts them."""

    def __init__(self) -> None:
        self.details: dict[str, ServiceInfo] = {}
        self.answering = threading.Event()
        self.answering.set()
        self.asked = 0
        self.heard = threading.Semaphore(0)

    def __call__(self, *_: object, handlers: object = None, **__: object) -> "Network":
        if isinstance(handlers, list):
            self._tell = handlers[0]
        return self

    def get_service_info(self, service: str, name: str, timeout: int) -> ServiceInfo | None:
        self.asked += 1
        info = self.details.get(name)
        self.heard.release()
        self.answering.wait(STUCK_S)
        return info

    def tell(self, name: str, taken: int | None) -> None:
        """A table comes or changes, with so many seats taken; None: it goes."""
        change = ServiceStateChange.Removed if taken is None else ServiceStateChange.Added
        if taken is not None:
            table = OpenTable("Kitchen", bytes(32), bytes(16), "sheffield", taken, 4)
            self.details[name] = ServiceInfo(
                SERVICE, name, port=1, parsed_addresses=["192.0.2.7"], properties=_properties(table)
            )
        self._tell(zeroconf=self, service_type=SERVICE, name=name, state_change=change)

    @contextmanager
    def silent(self) -> Iterator[None]:
        self.answering.clear()
        try:
            yield
        finally:
            self.answering.set()

    def cancel(self) -> None:
        pass

    close = cancel


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    made = Network()
    monkeypatch.setattr(discovery, "Zeroconf", made)
    monkeypatch.setattr(discovery, "ServiceBrowser", made)
    return made


async def test_tables_that_never_answer_leave_threads_for_others(network: Network) -> None:
    with trio.fail_after(STUCK_S - 1):
        async with browse():
            with network.silent():
                for number in range(64):
                    network.tell(f"{number}.{SERVICE}", 1)
                await trio.testing.wait_all_tasks_blocked(0.05)
                await trio.to_thread.run_sync(int)


async def test_what_changes_while_it_is_asked_for_is_asked_for_again_and_shown_once(network: Network) -> None:
    name = f"kitchen.{SERVICE}"
    with trio.fail_after(STUCK_S):
        async with browse() as sightings:
            with network.silent():
                network.tell(name, 1)
                await trio.to_thread.run_sync(network.heard.acquire)
                for taken in (2, 3):
                    network.tell(name, taken)
                await trio.testing.wait_all_tasks_blocked(0.05)
            found = await sightings.receive()
            assert isinstance(found, Found)
            assert found.table.seats_taken == 3
            assert network.asked == 2
            network.tell(name, None)
            assert await sightings.receive() == Lost(name)
            with network.silent():
                network.tell(name, 1)
                await trio.to_thread.run_sync(network.heard.acquire)
                network.tell(name, None)
                await trio.testing.wait_all_tasks_blocked(0.05)
            network.tell(f"other.{SERVICE}", 2)
            assert (await sightings.receive()).id == f"other.{SERVICE}"

"""What `zeroconf` does not do on some machines and networks: it is said, and nobody waits for it for ever."""

import threading

import pytest
import trio
import zeroconf
from trio.testing import MockClock

from p2pkaboo.net import discovery
from p2pkaboo.net.discovery import OpenTable, announce, browse

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

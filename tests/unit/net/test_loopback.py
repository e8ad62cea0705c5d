"""A computer that does not speak to itself is found out in seconds, and said in one sentence."""

import pytest
import trio
from trio.testing import MockClock

from p2pkaboo.net.loopback import NoLoopback, check_loopback

SAID = r"^this computer's own network \(127\.0\.0\.1\) does not answer$"


async def test_a_computer_that_speaks_to_itself_is_fine() -> None:
    await check_loopback()


@pytest.mark.parametrize("call", ["open_tcp_listeners", "open_tcp_stream"])
async def test_an_interface_that_is_down(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    async def unreachable(*_: object, **__: object) -> None:
        await trio.lowlevel.checkpoint()
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(trio, call, unreachable)
    with pytest.raises(NoLoopback, match=SAID):
        await check_loopback()


async def test_a_network_that_swallows_everything_is_given_up(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async def silent(*_: object) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(trio, "open_tcp_stream", silent)
    begun = trio.current_time()
    with pytest.raises(NoLoopback, match=SAID):
        await check_loopback()
    assert trio.current_time() - begun == pytest.approx(2.0)

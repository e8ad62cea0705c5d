"""Whether this computer can speak to itself: the page and one's own bots have no other way."""

from typing import Final

import trio

__all__ = ["LOOPBACK", "NoLoopback", "check_loopback"]

LOOPBACK: Final = "127.0.0.1"

_ANSWER_S: Final = 2.0
"""How long a connection to itself may take: a millisecond is usual, a crowded machine may need some hundred."""


class NoLoopback(Exception):
    """This computer does not speak to itself."""

    def __init__(self) -> None:
        super().__init__(f"this computer's own network ({LOOPBACK}) does not answer")


async def check_loopback() -> None:
    """Connects to a port of its own. Raises NoLoopback where that is not possible, after two seconds at most."""
    try:
        with trio.fail_after(_ANSWER_S):
            (listener,) = await trio.open_tcp_listeners(0, host=LOOPBACK)
            async with listener, await trio.open_tcp_stream(LOOPBACK, listener.socket.getsockname()[1]):
                pass
    except (OSError, trio.TooSlowError):
        raise NoLoopback from None

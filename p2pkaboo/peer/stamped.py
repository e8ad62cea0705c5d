"""TCP streams that remember when they were last read: a snap is timed by this, not by when it got decoded."""

from __future__ import annotations

import trio

from p2pkaboo.net.stamped import StampedStream


class StampedSocket(StampedStream, trio.abc.HalfCloseableStream):
    """A stamped stream as the WebSocket library wants one: one side of it can be closed, and it has a socket."""

    def __init__(self, stream: trio.SocketStream) -> None:
        super().__init__(stream)
        self._stream = stream

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    @property
    def socket(self) -> trio.socket.SocketType:
        """The socket below, which the library asks for addresses."""
        return self._stream.socket


class StampedListener(trio.abc.Listener[StampedSocket]):
    """Accepts such streams."""

    def __init__(self, listener: trio.SocketListener) -> None:
        self._listener = listener

    async def accept(self) -> StampedSocket:
        return StampedSocket(await self._listener.accept())

    async def aclose(self) -> None:
        await self._listener.aclose()

    @property
    def socket(self) -> trio.socket.SocketType:
        return self._listener.socket

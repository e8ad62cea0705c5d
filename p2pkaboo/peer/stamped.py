"""TCP streams that remember when they were last read: a snap is timed by this, not by when it got decoded."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import trio

from p2pkaboo.net.stamped import StampedStream

MAX_CONNECTIONS: Final = 128
"""Connections at a time that have not said who they are: a page loads over half a dozen, and a person has a few tabs.
Each takes a descriptor, of which a process often has no more than a thousand, for links, journal and all."""


class StampedSocket(StampedStream, trio.abc.HalfCloseableStream):
    """A stamped stream as the WebSocket library wants one: one side of it can be closed, and it has a socket."""

    def __init__(self, stream: trio.SocketStream, closed: Callable[[StampedSocket], None]) -> None:
        """`closed` is told when it is."""
        super().__init__(stream)
        self._stream = stream
        self._closed = closed

    def settle(self) -> None:
        """The other end has said who it is: the connection makes room for no other one."""
        self._closed(self)

    def hang_up(self) -> None:
        """Ends the connection, whatever is under way on it: whoever reads from it finds its end."""
        with suppress(OSError):
            self._stream.socket.shutdown(socket.SHUT_RDWR)

    async def aclose(self) -> None:
        self._closed(self)
        await super().aclose()

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    @property
    def socket(self) -> trio.socket.SocketType:
        """The socket below, which the library asks for addresses."""
        return self._stream.socket


class StampedListener(trio.abc.Listener[StampedSocket]):
    """Accepts such streams: the newest of them always, in the place of the oldest that has not said who it is."""

    def __init__(self, listener: trio.SocketListener) -> None:
        self._listener = listener
        self._strangers: dict[StampedSocket, None] = {}
        """Oldest first."""

    async def accept(self) -> StampedSocket:
        stream = StampedSocket(await self._listener.accept(), self._forget)
        self._strangers[stream] = None
        if len(self._strangers) > MAX_CONNECTIONS:
            oldest = next(iter(self._strangers))
            self._forget(oldest)
            oldest.hang_up()
        return stream

    def _forget(self, stream: StampedSocket) -> None:
        self._strangers.pop(stream, None)

    async def aclose(self) -> None:
        await self._listener.aclose()

    @property
    def socket(self) -> trio.socket.SocketType:
        return self._listener.socket

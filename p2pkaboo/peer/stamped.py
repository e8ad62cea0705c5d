"""TCP streams that remember when they were last read: a snap is timed by this, not by when it got decoded."""

from __future__ import annotations

import time

import trio


class StampedStream(trio.abc.HalfCloseableStream):
    """`read_ns`: when its last bytes were read, in nanoseconds on the monotonic clock."""

    def __init__(self, stream: trio.abc.HalfCloseableStream) -> None:
        self._stream = stream
        self.read_ns = time.monotonic_ns()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self._stream.receive_some(max_bytes)
        self.read_ns = time.monotonic_ns()
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()

    @property
    def socket(self) -> object:
        """The socket below, which the library asks for addresses."""
        return getattr(self._stream, "socket", None)


class StampedListener(trio.abc.Listener[StampedStream]):
    """Accepts such streams."""

    def __init__(self, listener: trio.SocketListener) -> None:
        self._listener = listener

    async def accept(self) -> StampedStream:
        return StampedStream(await self._listener.accept())

    async def aclose(self) -> None:
        await self._listener.aclose()

    @property
    def socket(self) -> object:
        return self._listener.socket

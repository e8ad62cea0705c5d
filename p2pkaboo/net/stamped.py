"""Streams that know when they were last read.

In a file of their own: the local server stamps its streams too, before anything that only a table needs is loaded.
"""

import time
from collections.abc import Callable

import trio


class StampedStream(trio.abc.Stream):
    """A stream that remembers when its last bytes were read.

    It lies *under* TLS: what wakes us is the socket, and the stamp is taken before decryption, parsing and every
    other task's turn.
    """

    def __init__(self, transport: trio.abc.Stream, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.transport = transport
        self.stamp = clock()
        self._clock = clock

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self.transport.receive_some(max_bytes)
        self.stamp = self._clock()
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self.transport.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.transport.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self.transport.aclose()

"""Two ends of a link without a network: memory streams, a cable that can be pulled, and finished handshakes."""

import math
from collections.abc import Callable

import trio
import trio.testing
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pkaboo.net.handshake import Credentials, Opened, answer, greet
from p2pkaboo.net.limits import DEFAULT_TIMING, Timing
from p2pkaboo.net.link import Link
from p2pkaboo.net.stamped import StampedStream

SECRET = b"0123456789abcdef"


class Cable(trio.abc.Stream):
    """One end of a connection. `pulled`: what is sent vanishes and nothing comes; `stuck`: sending never ends."""

    def __init__(self, inner: trio.abc.Stream) -> None:
        self.inner = inner
        self.pulled = False
        self.stuck = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self.stuck:
            await trio.sleep(math.inf)
        if self.pulled:
            await trio.lowlevel.checkpoint()
        else:
            await self.inner.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.inner.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self.inner.receive_some(max_bytes)
        if self.pulled:
            await trio.sleep(math.inf)
        return data

    async def aclose(self) -> None:
        await self.inner.aclose()


def player(number: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def credentials(number: int, secret: bytes = SECRET) -> Credentials:
    return Credentials(player(number), secret, f"{number:016x}")


async def linked(
    timing: Timing = DEFAULT_TIMING, clock: Callable[[], int] = lambda: 0
) -> tuple[Link, Link, Cable, Cable]:
    """A link between players 1 (which dialled) and 2: (its end, the other end, the cable of each)."""
    near, far = trio.testing.memory_stream_pair()
    cables = Cable(near), Cable(far)
    opened: list[Opened] = []

    async def listen() -> None:
        opened.append(await answer(StampedStream(cables[1], clock), credentials(2), lambda key, run: 101))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listen)
        out = await greet(StampedStream(cables[0], clock), credentials(1), credentials(2).key)
    return (
        Link(out, outgoing=True, host="memory", port=1, timing=timing),
        Link(opened[0], outgoing=False, host="memory", port=2, timing=timing),
        *cables,
    )

"""The two ways to a peer: in this process, or over the local server's WebSocket. Both speak the local API."""

import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

import msgspec
import trio
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.trio.client import ClientConnection, connect

from p2pkaboo.peer import api

MAX_MESSAGE = 8 * 1024 * 1024
"""Bytes of one message from the peer: the whole log of a long match, or 500 steps of a transcript, with room."""
WEBSOCKET_PATH = "/api"
CONNECT_S = 10.0
"""How long the peer on this computer may take to answer the door."""
CLOSE_S = 1.0
"""How long leaving waits for the peer to say goodbye."""

_decoder = msgspec.json.Decoder(api.FromServer)
_encoder = msgspec.json.Encoder()


class PeerGone(Exception):
    """The peer cannot be reached, refused us, or ended. The text says which, for people."""


class Client(Protocol):
    """A peer as the terminal sees it."""

    def now_ms(self) -> int:
        """The peer's clock."""
        ...

    def news(self) -> AsyncGenerator[api.Snapshot | api.AnyEvent, None]:
        """The state now, then everything that follows. Raises `PeerGone` if it breaks off."""
        ...

    async def ask(self, command: api.AnyCommand, arrived_ns: int) -> api.Reply:
        """`arrived_ns`: when the key was read, on this computer's monotonic clock."""
        ...


@dataclass(frozen=True, slots=True)
class NearClient:
    """A peer in this process."""

    backend: api.Backend

    def now_ms(self) -> int:
        return self.backend.now_ms()

    async def news(self) -> AsyncGenerator[api.Snapshot | api.AnyEvent, None]:
        async with aclosing(self.backend.subscribe()) as items:
            yield self.backend.snapshot()
            async for item in items:
                yield item
        raise PeerGone("the peer has ended")

    async def ask(self, command: api.AnyCommand, arrived_ns: int) -> api.Reply:
        return await self.backend.command(command, arrived_ns=arrived_ns)


@dataclass(slots=True)
class _Pending:
    done: trio.Event = field(default_factory=trio.Event)
    reply: api.Reply | None = None


@dataclass(slots=True)
class FarClient:
    """A peer in another process of this computer, over its WebSocket. The server stamps what arrives there."""

    connection: ClientConnection
    _pending: dict[int, _Pending] = field(default_factory=dict)
    _last_id: int = 0
    _ahead_ms: int | None = None
    """What the peer's clock is ahead of ours, by the newest snapshot."""

    def now_ms(self) -> int:
        return _own_ms() + (self._ahead_ms or 0)

    async def news(self) -> AsyncGenerator[api.Snapshot | api.AnyEvent, None]:
        try:
            while True:
                message = _decoder.decode(await self.connection.recv())
                if isinstance(message, api.Reply):
                    self._answer(message)
                elif not isinstance(message, api.Welcome):
                    if isinstance(message, api.Snapshot):
                        self._ahead_ms = message.now_ms - _own_ms()
                    yield message
        except ConnectionClosed as fault:
            raise PeerGone(_closed(fault)) from None
        except msgspec.DecodeError as fault:
            raise PeerGone(f"the peer sent what this version cannot read: {fault}") from None

    def _answer(self, reply: api.Reply) -> None:
        waiting = self._pending.pop(reply.id, None)
        if waiting is not None:
            waiting.reply = reply
            waiting.done.set()

    async def ask(self, command: api.AnyCommand, arrived_ns: int) -> api.Reply:
        if isinstance(command, api.Snap):
            held_ms = (time.monotonic_ns() - arrived_ns) / 1e6
            command = msgspec.structs.replace(command, held_ms=held_ms)
        self._last_id += 1
        waiting = self._pending.setdefault(self._last_id, _Pending())
        try:
            await self.connection.send(_encoder.encode(api.Ask(id=self._last_id, command=command)).decode())
        except ConnectionClosed as fault:
            raise PeerGone(_closed(fault)) from None
        await waiting.done.wait()
        return waiting.reply if waiting.reply is not None else api.Reply()


def _own_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _closed(fault: ConnectionClosed) -> str:
    reason = fault.rcvd.reason if fault.rcvd is not None else ""
    return f"the peer closed the connection: {reason}" if reason else "the peer on this computer does not answer"


def socket_address(url: str, token: str = "") -> tuple[str, str]:
    """The WebSocket's address and the launch token, from either address a peer prints.

    `url` is the page's ("http://127.0.0.1:PORT/#TOKEN") or the socket's ("ws://127.0.0.1:PORT/api", with `token`).
    Raises `PeerGone` if it is neither.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        port, parts = None, urlsplit("")
    if parts.scheme not in ("http", "ws") or not parts.hostname or port is None:
        raise PeerGone(f"expected an address like http://127.0.0.1:PORT/#TOKEN, got {url!r}")
    return f"ws://{parts.hostname}:{port}{WEBSOCKET_PATH}", token or parts.fragment


@asynccontextmanager
async def far_client(url: str, token: str = "") -> AsyncIterator[FarClient]:
    """A client of the local server at `url`. Raises `PeerGone` if nobody answers there or the token is refused."""
    address, token = socket_address(url, token)
    async with AsyncExitStack() as stack:
        try:
            opening = connect(
                address,
                compression=None,
                proxy=None,
                max_size=MAX_MESSAGE,
                open_timeout=CONNECT_S,
                close_timeout=CLOSE_S,
            )
            connection = await stack.enter_async_context(opening)
            await connection.send(_encoder.encode(api.Hello(token=token)).decode())
        except ConnectionClosed as fault:
            raise PeerGone(_closed(fault)) from None
        except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as fault:
            raise PeerGone(f"nobody answers at {address}: {fault}") from None
        yield FarClient(connection)

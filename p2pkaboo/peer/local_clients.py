"""Conversations with the local API's clients: JSON messages over one WebSocket each.

Nobody is told anything without the launch token, and no client holds up another: each has a mailbox of its own.
"""

from __future__ import annotations

import hmac
from collections import deque
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import cast

import msgspec
import trio
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.trio.server import ServerConnection

from p2pkaboo.net.stamped import StampedStream
from p2pkaboo.peer import api
from p2pkaboo.peer.stamped import StampedSocket

HELLO_S = 5.0
"""How long a connection may stay without a good token: a page says hello at once."""
MAX_MESSAGE = 64 * 1024
"""Bytes of one message from a client; the largest honest one, a rule set with overrides, stays under 8 kB."""
MAX_CLIENTS = 32
"""Connections at a time, strangers included: a person has a few tabs open, not hundreds."""
MAX_EVENTS = 256
"""Events kept for a client that reads slowly. What it misses is motion only: the next snapshot is complete."""
MAX_REPLIES = 64
"""Replies kept for a client that does not read them. Past it no more of its commands are taken: a page has one or two
under way, and waits for what they bring."""
MAX_REASON = 120
"""Bytes of the reason in a close frame: RFC 6455, section 5.5, leaves it 123."""
MAX_READING = 16
"""Requests to read that wait for the one before: a reader has one open, and leafs through it."""

READING = (api.ShowReport, api.ShowSteps, api.SaveTranscript, api.CheckTranscript)
"""Commands that read, check or write files, which may take seconds: no snap of the same client waits for them."""

CLOSE_TOKEN, CLOSE_MESSAGE, CLOSE_VERSION, CLOSE_CROWDED = 4401, 4400, 4426, 4429
"""WebSocket close codes of our own: bad token, bad message, another version of the page, too many clients."""

_decoder = msgspec.json.Decoder(api.FromClient)
_encoder = msgspec.json.Encoder()


@dataclass(slots=True)
class Mailbox:
    """What one client has still to be sent: every event and reply (up to limits), but only the newest snapshot."""

    snapshot: api.Snapshot | None
    events: deque[api.AnyEvent] = field(default_factory=lambda: deque(maxlen=MAX_EVENTS))
    replies: deque[api.Reply] = field(default_factory=deque)
    wake: trio.Event = field(default_factory=trio.Event)
    taken: trio.Event = field(default_factory=trio.Event)

    async def room(self) -> None:
        """Until one more reply can be kept."""
        while len(self.replies) >= MAX_REPLIES:
            await self.taken.wait()

    def put(self, item: api.Snapshot | api.AnyEvent | api.Reply) -> None:
        if isinstance(item, api.Snapshot):
            self.snapshot = item
        elif isinstance(item, api.Reply):
            self.replies.append(item)
        else:
            self.events.append(item)
        self.wake.set()

    async def take(self) -> list[api.Snapshot | api.AnyEvent | api.Reply]:
        """All of it, in the order to send: events before the snapshot that holds their results."""
        await self.wake.wait()
        self.wake = trio.Event()
        taken = [*self.events, *self.replies, *([self.snapshot] if self.snapshot else [])]
        self.replies.clear()
        self.events.clear()
        self.snapshot = None
        self.taken.set()
        self.taken = trio.Event()
        return taken


class Clients:
    """All clients of one backend."""

    def __init__(self, backend: api.Backend, token: str, version: str) -> None:
        self._backend, self._token, self._version = backend, token, version
        self._count = 0

    async def talk(self, connection: ServerConnection) -> None:
        """One client's conversation, from hello to its end."""
        if self._count >= MAX_CLIENTS:
            await connection.aclose(CLOSE_CROWDED, "too many clients")
            return
        self._count += 1
        try:
            if await self._greet(connection):
                await self._converse(connection)
        except ConnectionClosed:
            pass
        finally:
            self._count -= 1

    async def _greet(self, connection: ServerConnection) -> bool:
        """Whether the first message is a good hello; if not the connection is closed with the reason."""
        hello: api.Hello | api.Ask | None = None
        with trio.move_on_after(HELLO_S), suppress(msgspec.DecodeError):
            hello, _ = await _receive(connection)
        if not isinstance(hello, api.Hello) or not hmac.compare_digest(hello.token.encode(), self._token.encode()):
            await connection.aclose(CLOSE_TOKEN, "open the page with the address that p2pkaboo printed")
            return False
        if hello.api != api.API_VERSION:
            await connection.aclose(CLOSE_VERSION, f"this peer speaks version {api.API_VERSION}; reload the page")
            return False
        cast(StampedSocket, connection.stream).settle()
        await connection.send(_encoder.encode(api.Welcome(version=self._version)).decode())
        return True

    async def _converse(self, connection: ServerConnection) -> None:
        news = self._backend.subscribe()
        mailbox = Mailbox(None)
        mailbox.put(self._backend.snapshot())
        reading, requests = trio.open_memory_channel[tuple[api.Ask, int]](MAX_READING)
        async with reading, requests, trio.open_nursery() as nursery:
            nursery.start_soon(_watch, news, mailbox)
            nursery.start_soon(self._write, connection, mailbox, nursery.cancel_scope)
            nursery.start_soon(self._read, requests, mailbox)
            try:
                while True:
                    await mailbox.room()
                    ask, arrived_ns = await _receive(connection)
                    if not isinstance(ask, api.Ask):
                        await connection.aclose(CLOSE_MESSAGE, "expected an ask")
                        break
                    if isinstance(ask.command, READING):
                        await reading.send((ask, arrived_ns))
                    else:
                        await self._carry_out(ask, arrived_ns, mailbox)
            except msgspec.DecodeError as fault:
                await connection.aclose(CLOSE_MESSAGE, str(fault).encode()[:MAX_REASON].decode(errors="ignore"))
            except ConnectionClosed:
                pass
            nursery.cancel_scope.cancel()

    async def _carry_out(self, ask: api.Ask, arrived_ns: int, mailbox: Mailbox) -> None:
        reply = await self._backend.command(ask.command, arrived_ns=arrived_ns)
        mailbox.put(replace(reply, id=ask.id))

    async def _read(self, requests: trio.MemoryReceiveChannel[tuple[api.Ask, int]], mailbox: Mailbox) -> None:
        """Carries out what may take its time, one after another."""
        async for ask, arrived_ns in requests:
            await mailbox.room()
            await self._carry_out(ask, arrived_ns, mailbox)

    async def _write(self, connection: ServerConnection, mailbox: Mailbox, scope: trio.CancelScope) -> None:
        try:
            while True:
                for message in await mailbox.take():
                    if isinstance(message, api.Snapshot):
                        message = replace(message, now_ms=self._backend.now_ms())
                    await connection.send(_encoder.encode(message).decode())
        except ConnectionClosed:
            scope.cancel()


async def _watch(news: api.News, mailbox: Mailbox) -> None:
    async with aclosing(news):
        async for item in news:
            mailbox.put(item)


async def _receive(connection: ServerConnection) -> tuple[api.Hello | api.Ask, int]:
    """The next message and when it was read. Raises `msgspec.DecodeError` for anything but one of ours."""
    data = await connection.recv()
    stamp = cast(StampedStream, connection.stream).stamp
    if isinstance(data, bytes):
        raise msgspec.DecodeError("expected text, got bytes")
    return _decoder.decode(data), stamp

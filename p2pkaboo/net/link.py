"""One link: frames in both directions over a WebSocket whose handshakes are done, watched until it ends.

Three tasks: a reader, a writer and a keeper that pings and notices silence. Whatever ends one ends the link, with
one sentence for a reason; nothing that the other end does raises here.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Final

import trio
from websockets.exceptions import PayloadTooBig
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN, Event

from p2pkaboo.net.handshake import Opened
from p2pkaboo.net.inbox import SHARE, Allowance
from p2pkaboo.net.limits import (
    FRAMES_A_SECOND,
    FRAMES_AT_ONCE,
    MAX_FRAME,
    PARSE_BYTES,
    READ_BYTES,
    WRITE_BYTES,
    Timing,
)

__all__ = ["DUPLICATE", "LEAVING", "NOT_WELCOME", "Link"]

LEAVING: Final = int(CloseCode.GOING_AWAY)
"""Close code of a peer that ends."""
DUPLICATE: Final = 4009
"""Close code of a link that another one between the same two has replaced (4000-4999 are for private use, RFC 6455
section 7.4.2)."""
NOT_WELCOME: Final = 4003
"""Close code for a key that is not, or no longer, let in."""

_REASONS: Final = {
    LEAVING: "it left",
    DUPLICATE: "it keeps another link to us",
    NOT_WELCOME: "it does not let us in",
    int(CloseCode.MESSAGE_TOO_BIG): f"it says we sent a frame of more than {MAX_FRAME} bytes",
}


class Link:
    """A link to the player `key`. `run` lives as long as the link does; `send` and `close` may be called from any
    task."""

    def __init__(self, opened: Opened, *, outgoing: bool, host: str, port: int, timing: Timing, at: str = "") -> None:
        """`host`, `port`: of the other end; `at`: the host of this end that an incoming link came to."""
        self.key = opened.key
        self.peer_run = opened.run
        self.outgoing = outgoing
        self.host = host
        self.port = port
        self.at = at
        self.heard = trio.current_time()
        """Trio time of the last bytes received."""
        self.allowance = Allowance(timing.inbox_bytes)
        self.ended = trio.Event()
        self._stream = opened.stream
        self._tap = opened.stream.transport_stream
        self._protocol = opened.protocol
        self._early, self._unparsed = opened.early, opened.unparsed
        self._timing = timing
        self._outbox: deque[bytes] = deque()
        self._outbox_bytes = 0
        self._work = trio.Event()
        self._flushed = trio.Event()
        self._flushed.set()
        self._frames_left = float(FRAMES_AT_ONCE)
        self._frames_at = self.heard
        self._scope = trio.CancelScope()
        self._reason: str | None = None

    @property
    def ending(self) -> bool:
        return self._reason is not None

    def send(self, data: bytes) -> bool:
        """Queues a frame; never waits. False if the link is ending, or if this frame overfills its queue, which ends
        it.

        Raises ValueError for a frame of more than MAX_FRAME bytes: that is our own mistake, not the other end's.
        """
        if len(data) > MAX_FRAME:
            raise ValueError(f"a frame has at most {MAX_FRAME} bytes, this one has {len(data)}")
        if self._reason is not None or self._protocol.state is not OPEN:
            return False
        self._protocol.send_binary(data)
        self._queue()
        return self._reason is None

    def close(self, code: int, reason: str) -> None:
        """Says goodbye and ends when the other end has answered, or after `Timing.close`. `reason` is for this end's
        report."""
        if self._reason is None:
            self._reason = reason
            if self._protocol.state is OPEN:
                self._protocol.send_close(code)
                self._queue()
            self._scope.deadline = min(self._scope.deadline, trio.current_time() + self._timing.close)

    def cut(self, reason: str) -> None:
        """Ends the link at once."""
        self._reason = self._reason or reason
        self._scope.cancel()

    async def run(self, deliver: Callable[[bytes, int], None]) -> str:
        """Runs the link to its end and gives the reason. `deliver(data, stamp)` is called for each frame, in order."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._part, partial(self._read, deliver))
                    nursery.start_soon(self._part, self._write)
                    nursery.start_soon(self._part, self._keep)
        finally:
            self._reason = self._reason or "this end stopped"
            self.ended.set()
            await trio.aclose_forcefully(self._stream)
        return self._reason

    async def _part(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            self.cut("the connection broke")

    async def _read(self, deliver: Callable[[bytes, int], None]) -> None:
        self._hear(self._early, self._tap.stamp, deliver)
        await self._parse(self._unparsed, self._tap.stamp, deliver)
        while not self._has_parted():
            await self.allowance.wait()
            data = await self._stream.receive_some(READ_BYTES)
            stamp = self._tap.stamp
            self.heard = trio.current_time()
            if not data:
                self.cut("it hung up without a goodbye")
                return
            await self._parse(data, stamp, deliver)
        self._reason = self._reason or self._farewell()
        with trio.move_on_after(self._timing.close):
            await self._flushed.wait()
        self.cut(self._reason)

    async def _parse(self, data: bytes | bytearray, stamp: int, deliver: Callable[[bytes, int], None]) -> None:
        """Takes what one read has brought, up to a goodbye."""
        for start in range(0, len(data), PARSE_BYTES):
            self._protocol.receive_data(data[start : start + PARSE_BYTES])
            events = self._protocol.events_received()
            self._hear(events, stamp, deliver)
            if self._has_parted():
                break
            await self._pace(len(events) + (start == 0))  # a read costs as much as a frame, and may bring one byte

    def _has_parted(self) -> bool:
        """Whether the other end has said goodbye, or broken the WebSocket protocol."""
        return self._protocol.close_rcvd is not None or self._protocol.parser_exc is not None

    def _hear(self, events: Iterable[Event], stamp: int, deliver: Callable[[bytes, int], None]) -> None:
        for event in events:
            self._take(event, stamp, deliver)
        self._queue()  # answers to pings, and to a goodbye

    async def _pace(self, frames: int) -> None:
        """Reads no more for a while where so many frames have come that they keep everybody else waiting."""
        now = trio.current_time()
        self._frames_left += (now - self._frames_at) * FRAMES_A_SECOND
        self._frames_left = min(self._frames_left, FRAMES_AT_ONCE) - frames
        self._frames_at = now
        if self._frames_left < 0:
            await trio.sleep(-self._frames_left / FRAMES_A_SECOND)
            self.heard = trio.current_time()  # it is we who do not read
        elif frames > SHARE:
            await trio.lowlevel.checkpoint()

    def _take(self, event: Event, stamp: int, deliver: Callable[[bytes, int], None]) -> None:
        assert isinstance(event, Frame)  # requests and responses come only during the handshake
        if event.opcode is Opcode.BINARY and event.fin:
            deliver(bytes(event.data), stamp)
        elif event.opcode in (Opcode.BINARY, Opcode.TEXT, Opcode.CONT) and self._protocol.state is OPEN:
            self._reason = self._reason or "it sent something other than a whole binary frame"
            self._protocol.send_close(CloseCode.UNSUPPORTED_DATA)
            self._scope.deadline = min(self._scope.deadline, trio.current_time() + self._timing.close)

    def _farewell(self) -> str:
        """Why the other end, or its breach of the WebSocket protocol, ended the link."""
        if isinstance(self._protocol.parser_exc, PayloadTooBig):
            return f"it sent a frame of more than {MAX_FRAME} bytes"
        if self._protocol.close_rcvd is None:
            return "it broke the WebSocket protocol"
        code = self._protocol.close_rcvd.code
        return _REASONS.get(code, f"it closed the link (code {code})")

    async def _write(self) -> None:
        while True:
            await self._work.wait()
            await trio.lowlevel.checkpoint()  # whoever is about to say something too is heard in the same write
            self._work = trio.Event()
            while self._outbox:
                batch = self._next_batch()
                with trio.move_on_after(self._timing.dead) as patience:
                    await self._stream.send_all(batch)
                if patience.cancelled_caught:
                    self.cut(f"it took nothing for {self._timing.dead:g} s")
                    return
                self._outbox_bytes -= len(batch)
            self._flushed.set()

    async def _keep(self) -> None:
        ping_at = trio.current_time() + self._timing.ping
        while True:
            await trio.sleep_until(min(ping_at, self.heard + self._timing.dead))
            now = trio.current_time()
            if self.allowance.spent:
                self.heard = now  # it is we who do not read
            if now - self.heard >= self._timing.dead:
                self.cut(f"nothing was heard from it for {self._timing.dead:g} s")
                return
            if now >= ping_at:
                ping_at = now + self._timing.ping
                if self._protocol.state is OPEN:
                    self._protocol.send_ping(b"")
                    self._queue()

    def _queue(self) -> None:
        """Moves what the protocol has to say into the outbox, where it is counted."""
        for data in self._protocol.data_to_send():
            if data:  # an empty one means "end of stream", which the end of `run` brings about
                self._outbox.append(data)
                self._outbox_bytes += len(data)
        if self._outbox_bytes > self._timing.outbox_bytes:
            self.cut(f"it reads too slowly: {self._outbox_bytes} bytes wait for it")
        elif self._outbox:
            self._flushed = trio.Event() if self._flushed.is_set() else self._flushed
            self._work.set()

    def _next_batch(self) -> bytes:
        """Takes up to WRITE_BYTES from the outbox: many small frames in one write, a big one in several."""
        parts: list[bytes] = []
        room = WRITE_BYTES
        while self._outbox and room > 0:
            data = self._outbox.popleft()
            if len(data) > room:
                self._outbox.appendleft(data[room:])
                data = data[:room]
            parts.append(data)
            room -= len(data)
        return b"".join(parts)

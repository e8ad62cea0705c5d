"""The local API on one loopback port: static files over HTTP, and one WebSocket a client with JSON messages.

The conversation is in `api`; this module only guards the door and never lets one client hold up another:

- only 127.0.0.1 listens, and only the names under which a browser honestly reaches it are answered (`421` otherwise):
  a foreign name that resolves to this machine, DNS rebinding, gets nothing;
- a foreign page gets `403` for every request a browser marks as coming from elsewhere (Origin, Sec-Fetch-Site);
- the files hold no secret and no state. Everything else needs the launch token, which travels in the URL's fragment
  (never in a request line, a log, or a Referer) and is the first message on the WebSocket; there are no cookies;
- the page may load and run nothing but these files, may not be framed, and needs Trusted Types for markup.
"""

from __future__ import annotations

import gzip
import hmac
import logging
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib.resources.abc import Traversable
from typing import cast

import msgspec
import trio
from msgspec.structs import replace
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.trio.server import ServerConnection, serve

from p2pkaboo.peer import api

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
HELLO_S = 5.0
"""How long a connection may stay without a good token: a page says hello at once."""
MAX_MESSAGE = 64 * 1024
"""Bytes of one message from a client; the largest honest one, a rule set with overrides, stays under 8 kB."""
MAX_CLIENTS = 32
"""Connections at a time, strangers included: a person has a few tabs open, not hundreds."""
MAX_EVENTS = 256
"""Events kept for a client that reads slowly. What it misses is motion only: the next snapshot is complete."""
CLOSE_S = 1.0
"""How long leaving waits for tabs to say goodbye before their connections are cut."""

CLOSE_TOKEN, CLOSE_MESSAGE, CLOSE_VERSION, CLOSE_CROWDED = 4401, 4400, 4426, 4429
"""WebSocket close codes of our own: bad token, bad message, another version of the page, too many clients."""

WEBSOCKET_PATH = "/api"

_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "txt": "text/plain; charset=utf-8",
}
"""Only files of these kinds are served; anything else in the directory is not part of the page."""

_decoder = msgspec.json.Decoder(api.FromClient)
_encoder = msgspec.json.Encoder()


def load_files(directory: Traversable) -> dict[str, tuple[str, bytes]]:
    """All servable files under `directory`, read once: URL path → (content type, bytes).

    A request is answered by a look-up in this table, so no path in it can ever reach the file system.
    """
    files: dict[str, tuple[str, bytes]] = {}

    def walk(folder: Traversable, prefix: str) -> None:
        for entry in folder.iterdir():
            if entry.is_dir():
                walk(entry, f"{prefix}{entry.name}/")
            elif kind := _TYPES.get(entry.name.rpartition(".")[2]):
                files[prefix + entry.name] = (kind, entry.read_bytes())

    walk(directory, "/")
    if "/index.html" in files:
        files["/"] = files["/index.html"]
    return files


def security_headers(port: int) -> dict[str, str]:
    """The headers every answer carries. `connect-src` names the socket too: some browsers do not count it as self."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        f"manifest-src 'self'; connect-src 'self' ws://{HOST}:{port} ws://localhost:{port}; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        "Cache-Control": "no-store",
    }


def judge(headers: Mapping[str, str], port: int) -> HTTPStatus | None:
    """Why a request is refused, or `None`: 421 for a foreign Host, 403 for a foreign page behind it.

    A client that is no browser sends neither Origin nor Sec-Fetch-Site; it still needs the token for anything but the
    files. A link from elsewhere may open the page itself: it then has no token.
    """
    names = {f"{HOST}:{port}", f"localhost:{port}"}
    if headers.get("Host") not in names:
        return HTTPStatus.MISDIRECTED_REQUEST
    origin = headers.get("Origin")
    if origin is not None and origin not in {f"http://{name}" for name in names}:
        return HTTPStatus.FORBIDDEN
    site = headers.get("Sec-Fetch-Site")
    if site not in (None, "none", "same-origin") and headers.get("Sec-Fetch-Dest") != "document":
        return HTTPStatus.FORBIDDEN
    return None


class _StampedStream(trio.abc.HalfCloseableStream):
    """A TCP stream that remembers when it was last read: a snap is timed by this, not by when it got decoded."""

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


class _StampedListener(trio.abc.Listener[_StampedStream]):
    def __init__(self, listener: trio.SocketListener) -> None:
        self._listener = listener

    async def accept(self) -> _StampedStream:
        return _StampedStream(await self._listener.accept())

    async def aclose(self) -> None:
        await self._listener.aclose()

    @property
    def socket(self) -> object:
        return self._listener.socket


@dataclass(slots=True)
class _Mailbox:
    """What one client has still to be sent: every event (up to a limit), but only the newest snapshot."""

    snapshot: api.Snapshot | None
    events: deque[api.AnyEvent] = field(default_factory=lambda: deque(maxlen=MAX_EVENTS))
    replies: deque[api.Reply] = field(default_factory=deque)
    wake: trio.Event = field(default_factory=trio.Event)

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
        return taken


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A running server. `url` opens the page; `token` is for clients that are no page (the terminal)."""

    port: int
    token: str

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/#{self.token}"

    @property
    def socket_url(self) -> str:
        return f"ws://{HOST}:{self.port}{WEBSOCKET_PATH}"


class PortTaken(OSError):
    """The port that was asked for is in use."""


class _Door:
    """Answers requests and talks with clients, for one backend."""

    def __init__(self, backend: api.Backend, files: dict[str, tuple[str, bytes]], port: int, token: str, version: str):
        self.backend, self.files, self.port, self.token, self.version = backend, files, port, token, version
        self.headers = security_headers(port)
        self.packed: dict[str, bytes] = {}
        self.clients = 0

    def answer(self, status: HTTPStatus, body: bytes, kind: str = "text/plain; charset=utf-8") -> Response:
        headers = Headers(self.headers)
        headers["Content-Type"] = kind
        headers["Content-Length"] = str(len(body))
        headers["Connection"] = "close"
        return Response(status.value, status.phrase, headers, body)

    def process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        refused = judge(_single(request.headers), self.port)
        if refused is not None:
            return self.answer(refused, f"{refused.value} {refused.phrase}\n".encode())
        path = request.path.partition("?")[0]
        if path == WEBSOCKET_PATH:
            return None
        if (found := self.files.get(path)) is None:
            return self.answer(HTTPStatus.NOT_FOUND, b"404 Not Found\n")
        kind, body = found
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return self.answer(HTTPStatus.OK, body, kind)
        if path not in self.packed:
            self.packed[path] = gzip.compress(body, compresslevel=6, mtime=0)
        response = self.answer(HTTPStatus.OK, self.packed[path], kind)
        response.headers["Content-Encoding"] = "gzip"
        return response

    async def client(self, connection: ServerConnection) -> None:
        if self.clients >= MAX_CLIENTS:
            await connection.aclose(CLOSE_CROWDED, "too many clients")
            return
        self.clients += 1
        try:
            if await self._greet(connection):
                await self._talk(connection)
        except ConnectionClosed:
            pass
        finally:
            self.clients -= 1

    async def _greet(self, connection: ServerConnection) -> bool:
        """Whether the first message is a good hello; if not the connection is closed with the reason."""
        hello: api.Hello | api.Ask | None = None
        with trio.move_on_after(HELLO_S):
            hello, _ = await _receive(connection)
        if not isinstance(hello, api.Hello) or not hmac.compare_digest(hello.token.encode(), self.token.encode()):
            await connection.aclose(CLOSE_TOKEN, "open the page with the address that p2pkaboo printed")
            return False
        if hello.api != api.API_VERSION:
            await connection.aclose(CLOSE_VERSION, f"this peer speaks version {api.API_VERSION}; reload the page")
            return False
        await connection.send(_encoder.encode(api.Welcome(version=self.version)).decode())
        return True

    async def _talk(self, connection: ServerConnection) -> None:
        news = self.backend.subscribe()
        mailbox = _Mailbox(None)
        mailbox.put(self.backend.snapshot())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_watch, news, mailbox)
            nursery.start_soon(self._write, connection, mailbox, nursery.cancel_scope)
            try:
                while True:
                    ask, arrived_ns = await _receive(connection)
                    if not isinstance(ask, api.Ask):
                        await connection.aclose(CLOSE_MESSAGE, "expected an ask")
                        break
                    reply = await self.backend.command(ask.command, arrived_ns=arrived_ns)
                    mailbox.put(replace(reply, id=ask.id))
            except msgspec.DecodeError as fault:
                await connection.aclose(CLOSE_MESSAGE, str(fault)[:120])
            except ConnectionClosed:
                pass
            nursery.cancel_scope.cancel()

    async def _write(self, connection: ServerConnection, mailbox: _Mailbox, scope: trio.CancelScope) -> None:
        try:
            while True:
                for message in await mailbox.take():
                    if isinstance(message, api.Snapshot):
                        message = replace(message, now_ms=self.backend.now_ms())
                    await connection.send(_encoder.encode(message).decode())
        except ConnectionClosed:
            scope.cancel()


async def _watch(news: api.News, mailbox: _Mailbox) -> None:
    async with aclosing(news):
        async for item in news:
            mailbox.put(item)


def _single(headers: Headers) -> dict[str, str]:
    """The headers as a plain mapping; one that stands there twice counts as foreign, whatever it says."""
    names = ("Host", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Dest")
    found = {name: headers.get_all(name) for name in names}
    return {name: values[0] if len(values) == 1 else "" for name, values in found.items() if values}


async def _receive(connection: ServerConnection) -> tuple[api.Hello | api.Ask, int]:
    """The next message and when it was read. Raises `msgspec.DecodeError` for anything but one of ours."""
    data = await connection.recv()
    stamp = cast(_StampedStream, connection.stream).read_ns
    if isinstance(data, bytes):
        raise msgspec.DecodeError("expected text, got bytes")
    return _decoder.decode(data), stamp


@asynccontextmanager
async def serve_local(
    backend: api.Backend,
    static: Traversable,
    *,
    port: int = 0,
    token: str | None = None,
    version: str = "",
) -> AsyncIterator[LocalServer]:
    """Serve `backend` and the page in `static` on loopback while the context is open.

    `port` 0 takes any free one; another one that is in use raises `PortTaken`. `token` is for tests; left out, it is
    256 fresh bits. Leaving cuts tabs that do not say goodbye within a second.
    """
    token = token if token is not None else secrets.token_urlsafe(32)
    files = load_files(static)
    try:
        listeners = await trio.open_tcp_listeners(port, host=HOST)
    except OSError as fault:
        raise PortTaken(f"port {port} on {HOST} is taken: {fault.strerror or fault}") from fault
    bound = int(listeners[0].socket.getsockname()[1])
    door = _Door(backend, files, bound, token, version)
    async with trio.open_nursery() as nursery:
        stamped = [_StampedListener(listener) for listener in listeners]
        server = await nursery.start(
            lambda task_status: serve(
                door.client,
                listeners=cast("list[trio.SocketListener]", stamped),
                process_request=door.process_request,
                compression=None,
                server_header=None,
                open_timeout=HELLO_S,
                close_timeout=CLOSE_S,
                max_size=MAX_MESSAGE,
                logger=log,
                task_status=task_status,
            )
        )
        try:
            yield LocalServer(bound, token)
        finally:
            with trio.move_on_after(CLOSE_S, shield=True):
                await server.aclose()
            nursery.cancel_scope.cancel()

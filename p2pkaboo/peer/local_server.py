"""The local API on one loopback port: static files over HTTP, and one WebSocket a client with JSON messages.

The conversation is in `api`; what serves it only guards the door and never lets one client hold up another:

- only 127.0.0.1 listens, and only the names under which a browser honestly reaches it are answered (`421` otherwise):
  a foreign name that resolves to this machine, DNS rebinding, gets nothing;
- a foreign page gets `403` for every request a browser marks as coming from elsewhere (Origin, Sec-Fetch-Site);
- the files hold no secret and no state. Everything else needs the launch token, which travels in the URL's fragment
  (never in a request line, a log, or a Referer) and is the first message on the WebSocket; there are no cookies;
- another user of this computer, who may have read the token on a browser's command line, is refused where the system
  tells whose a connection is (`local_owner`);
- the page may load and run nothing but these files, may not be framed, and needs Trusted Types for markup.
"""

from __future__ import annotations

import errno
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import cast

import trio
from websockets.trio.server import serve

from p2pkaboo.peer import api
from p2pkaboo.peer.local_clients import HELLO_S, MAX_MESSAGE, Clients
from p2pkaboo.peer.local_pages import HOST, WEBSOCKET_PATH, Pages, load_files
from p2pkaboo.peer.stamped import StampedListener

log = logging.getLogger(__name__)

CLOSE_S = 1.0
"""How long leaving waits for tabs to say goodbye before their connections are cut."""


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
    """The port that was asked for is in use, or may not be used."""


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

    `port` 0 takes any free one; another one that is in use or not allowed raises `PortTaken`. `token` is for tests;
    left out, it is 256 fresh bits. Leaving cuts tabs that do not say goodbye within a second.
    """
    token = token if token is not None else secrets.token_urlsafe(32)
    files = load_files(static)
    try:
        listeners = await trio.open_tcp_listeners(port, host=HOST)
    except OSError as fault:
        why = "is taken" if fault.errno == errno.EADDRINUSE else "cannot be used"
        raise PortTaken(f"port {port} on {HOST} {why}: {fault.strerror or fault}") from fault
    bound = int(listeners[0].socket.getsockname()[1])
    pages, clients = Pages(files, bound), Clients(backend, token, version)
    async with trio.open_nursery() as nursery:
        stamped = [StampedListener(listener) for listener in listeners]
        server = await nursery.start(
            lambda task_status: serve(
                clients.talk,
                listeners=cast("list[trio.SocketListener]", stamped),
                process_request=pages.process_request,
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

"""The page over HTTP: a fixed table of files, and nothing for anybody whom a browser marks as foreign."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from http import HTTPStatus
from importlib.resources.abc import Traversable
from typing import cast

from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.trio.server import ServerConnection

from p2pkaboo.peer.local_owner import is_ours
from p2pkaboo.peer.stamped import StampedSocket

HOST = "127.0.0.1"
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

_IMPORT = re.compile(rb'^@import "([\w-]+\.css)";$', re.MULTILINE)
"""How a style sheet names another one of its folder."""


def load_files(directory: Traversable) -> dict[str, tuple[str, bytes]]:
    """All servable files under `directory`, read once: URL path → (content type, bytes).

    A request is answered by a look-up in this table, so no path in it can ever reach the file system. A style sheet
    that imports others of its folder holds them instead: a request for each would cost more than many of them weigh.
    """
    files: dict[str, tuple[str, bytes]] = {}

    def walk(folder: Traversable, prefix: str) -> None:
        for entry in folder.iterdir():
            if entry.is_dir():
                walk(entry, f"{prefix}{entry.name}/")
            elif kind := _TYPES.get(entry.name.rpartition(".")[2]):
                files[prefix + entry.name] = (kind, entry.read_bytes())

    walk(directory, "/")
    files |= {path: (kind, _joined(files, path)) for path, (kind, _) in files.items() if path.endswith(".css")}
    if "/index.html" in files:
        files["/"] = files["/index.html"]
    return files


def _joined(files: Mapping[str, tuple[str, bytes]], path: str) -> bytes:
    """A style sheet with those it imports in their places; an import of what is not there stays."""
    kind, body = files[path]
    folder = path.rpartition("/")[0]

    def sheet(found: re.Match[bytes]) -> bytes:
        return files.get(f"{folder}/{found[1].decode()}", (kind, found[0]))[1]

    return _IMPORT.sub(sheet, body)


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


class Pages:
    """Answers requests on one port. Files are packed once, when a browser first asks for them."""

    def __init__(self, files: dict[str, tuple[str, bytes]], port: int) -> None:
        self._files, self._port = files, port
        self._headers = security_headers(port)
        self._packed: dict[str, bytes] = {}

    def _answer(self, status: HTTPStatus, body: bytes, kind: str = "text/plain; charset=utf-8") -> Response:
        headers = Headers(self._headers)
        headers["Content-Type"] = kind
        headers["Content-Length"] = str(len(body))
        headers["Connection"] = "close"
        return Response(status.value, status.phrase, headers, body)

    def process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer to a request; None lets a WebSocket of ours begin."""
        refused = judge(_single(request.headers), self._port)
        if refused is not None:
            return self._answer(refused, f"{refused.value} {refused.phrase}\n".encode())
        path = request.path.partition("?")[0]
        if path == WEBSOCKET_PATH:
            if _is_ours(connection):
                return None
            return self._answer(HTTPStatus.FORBIDDEN, b"403 Forbidden: another user of this computer plays here\n")
        if (found := self._files.get(path)) is None:
            return self._answer(HTTPStatus.NOT_FOUND, b"404 Not Found\n")
        kind, body = found
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return self._answer(HTTPStatus.OK, body, kind)
        if path not in self._packed:
            self._packed[path] = gzip.compress(body, compresslevel=6, mtime=0)
        response = self._answer(HTTPStatus.OK, self._packed[path], kind)
        response.headers["Content-Encoding"] = "gzip"
        return response


def _is_ours(connection: ServerConnection) -> bool:
    """Whether the other end is our user's, as far as this computer tells."""
    socket = cast(StampedSocket, connection.stream).socket
    try:
        return is_ours(socket.getpeername(), socket.getsockname())
    except OSError:  # it has hung up
        return False


def _single(headers: Headers) -> dict[str, str]:
    """The headers as a plain mapping; one that stands there twice counts as foreign, whatever it says."""
    names = ("Host", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Dest")
    found = {name: headers.get_all(name) for name in names}
    return {name: values[0] if len(values) == 1 else "" for name, values in found.items() if values}

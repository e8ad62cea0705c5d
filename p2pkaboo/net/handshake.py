"""From a bare byte stream to a link: TLS 1.3 with certificates on both sides, then the WebSocket upgrade (RFC 6455
section 4).

Works over any Trio stream, so a relayed or punched connection is as good as a direct one. The side that dialled is
the TLS and WebSocket client. Both sides say in the upgrade which *run* of their program they are: a peer that comes
back after a crash is told from a second connection of the same one.
"""

import re
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from websockets.client import ClientProtocol
from websockets.exceptions import InvalidStatus
from websockets.http11 import Request, Response
from websockets.protocol import Event, Protocol
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from p2pkaboo.net.limits import MAX_FRAME, PARSE_BYTES, READ_BYTES
from p2pkaboo.net.stamped import StampedStream
from p2pkaboo.net.tls import BadCertificate, identity_of, table_contexts

__all__ = [
    "Credentials",
    "LinkError",
    "Opened",
    "SecureStream",
    "answer",
    "greet",
    "peer_key",
]

_SUBPROTOCOL: Final = Subprotocol("p2pkaboo.1")
"""What runs over the link, with its version: two programs that do not understand each other find out here."""

_RUN_HEADER: Final = "Kaboo-Run"
_RUN: Final = re.compile(r"[0-9a-f]{16}")

# The name stands in the request because HTTP wants one; nobody looks it up or checks it.
_URI: Final = parse_uri("wss://table.invalid/")

_REFUSALS: Final = {
    400: "the other end speaks another version of the protocol",
    403: "the other end does not let this key in",
    409: "the other end already has a link to this player",
    503: "the other end has no room for another link",
}


_HUNG_UP: Final = "the other end hung up during the handshake"


class LinkError(Exception):
    """A link could not be made: one plain sentence says why."""


SecureStream: TypeAlias = trio.SSLStream[StampedStream]


class Credentials:
    """What a player shows at a table: made once, used for every link."""

    def __init__(self, identity: Ed25519PrivateKey, secret: bytes, run: str) -> None:
        """`secret`: the table's 16 bytes; `run`: 16 hex digits, fresh whenever the program starts."""
        self.key = identity.public_key().public_bytes_raw()
        self.secret = secret
        self.run = run
        self.client, self.server = table_contexts(secret, identity)


@dataclass(frozen=True, slots=True)
class Opened:
    """A link whose handshakes are done."""

    stream: SecureStream
    protocol: Protocol
    key: bytes
    run: str
    early: tuple[Event, ...] = ()
    """WebSocket events that were parsed together with the end of the handshake."""
    unparsed: bytes = b""
    """What came in the same read behind them."""


def peer_key(stream: SecureStream, secret: bytes) -> bytes:
    """The 32-byte Ed25519 identity at the other end of a stream whose TLS handshake is done.

    Raises LinkError if its certificate does not name one.
    """
    try:
        return identity_of(stream.getpeercert(binary_form=True), secret)
    except BadCertificate as error:
        raise LinkError(str(error)) from error


def _plain(error: Exception) -> str:
    """One sentence for what TLS or the transport broke with."""
    cause = error.__cause__ if isinstance(error, trio.BrokenResourceError) and error.__cause__ else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return "the other end does not belong to this table: its certificate was made with another table secret"
    if isinstance(cause, ssl.SSLError):
        reason = (cause.reason or "it speaks something else").replace("_", " ").lower()
        return _HUNG_UP if "eof" in reason else f"no TLS connection with the other end: {reason}"
    if isinstance(cause, OSError) and cause.strerror:
        return f"the connection broke: {cause.strerror.lower()}"
    return "the connection broke during the handshake"


async def _secure(transport: StampedStream, context: ssl.SSLContext, *, server_side: bool) -> SecureStream:
    stream = trio.SSLStream(transport, context, server_side=server_side, https_compatible=True)
    await stream.do_handshake()
    return stream


async def _pump(stream: SecureStream, protocol: Protocol) -> tuple[list[Event], bytes]:
    """Reads until the protocol has at least one event, or nothing more can come.

    What lies behind in the same read is given back as it is: thousands of small frames may, and parsed in one go they
    would hold up everybody's stamps. The link takes them a piece at a time.
    """
    while True:
        data = await stream.receive_some(READ_BYTES)
        if not data:
            raise LinkError(_HUNG_UP)
        for end in range(PARSE_BYTES, len(data) + PARSE_BYTES, PARSE_BYTES):
            protocol.receive_data(data[end - PARSE_BYTES : end])
            events = protocol.events_received()
            if events or protocol.handshake_exc:
                return events, bytes(data[end:])


async def _flush(stream: SecureStream, protocol: Protocol) -> None:
    data = b"".join(protocol.data_to_send())
    if data:
        await stream.send_all(data)


def _run_of(message: Request | Response) -> str:
    runs = message.headers.get_all(_RUN_HEADER)
    if len(runs) != 1 or not _RUN.fullmatch(runs[0]):
        raise LinkError("the other end does not say which run of its program it is")
    return runs[0]


@asynccontextmanager
async def _closed_unless_opened(transport: StampedStream) -> AsyncIterator[None]:
    """Whatever goes wrong inside, the transport is closed; what the network does is told as a LinkError."""
    try:
        yield
    except BaseException as error:
        await trio.aclose_forcefully(transport)
        if isinstance(error, trio.BrokenResourceError | trio.ClosedResourceError | OSError):
            raise LinkError(_plain(error)) from error
        raise


async def greet(transport: StampedStream, credentials: Credentials, key: bytes) -> Opened:
    """The dialling side: a link to the player `key` and to nobody else.

    Raises LinkError when the other end is not that player of that table, or refuses. The transport is closed then.
    """
    async with _closed_unless_opened(transport):
        stream = await _secure(transport, credentials.client, server_side=False)
        found = peer_key(stream, credentials.secret)
        if found != key:
            raise LinkError(f"somebody else answers there: player {found.hex()[:8]}, expected {key.hex()[:8]}")
        protocol = ClientProtocol(_URI, subprotocols=[_SUBPROTOCOL], max_size=MAX_FRAME)
        request = protocol.connect()
        request.headers[_RUN_HEADER] = credentials.run
        protocol.send_request(request)
        await _flush(stream, protocol)
        events, unparsed = await _pump(stream, protocol)
        if protocol.handshake_exc is not None:
            raise _refusal(protocol.handshake_exc)
        response = events[0]
        assert isinstance(response, Response)  # the first event of a client is the response, else handshake_exc is set
        if protocol.subprotocol != _SUBPROTOCOL:
            raise LinkError(_REFUSALS[400])
        return Opened(stream, protocol, found, _run_of(response), tuple(events[1:]), unparsed)


def _refusal(error: Exception) -> LinkError:
    if isinstance(error, InvalidStatus):
        status = error.response.status_code
        return LinkError(_REFUSALS.get(status, f"the other end refuses the link (status {status})"))
    return LinkError("the other end does not answer as a WebSocket server")


async def answer(transport: StampedStream, credentials: Credentials, admit: Callable[[bytes, str], int]) -> Opened:
    """The listening side. `admit(key, run)` gives 101 to let a player in, or the HTTP status to refuse with (403, 409,
    503).

    Raises LinkError when the other end is not of this table or is refused. The transport is closed then.
    """
    async with _closed_unless_opened(transport):
        stream = await _secure(transport, credentials.server, server_side=True)
        key = peer_key(stream, credentials.secret)
        protocol = ServerProtocol(subprotocols=[_SUBPROTOCOL], max_size=MAX_FRAME)
        events, unparsed = await _pump(stream, protocol)
        if protocol.handshake_exc is not None:
            raise LinkError("the other end does not ask as a WebSocket client")
        request = events[0]
        assert isinstance(request, Request)  # the first event of a server is the request, else handshake_exc is set
        run = _run_of(request)
        response = protocol.accept(request)
        if response.status_code == 101:
            response.headers[_RUN_HEADER] = credentials.run
            status = admit(key, run)
            if status != 101:
                response = protocol.reject(status, _REFUSALS.get(status, "refused") + "\n")
        protocol.send_response(response)
        await _flush(stream, protocol)
        if response.status_code != 101:
            raise LinkError(f"refused player {key.hex()[:8]} (status {response.status_code})")
        return Opened(stream, protocol, key, run, tuple(events[1:]), unparsed)

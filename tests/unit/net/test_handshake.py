import ssl
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest
import trio
import trio.testing
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol
from websockets.uri import WebSocketURI

from p2pkaboo.net import handshake, tls
from p2pkaboo.net.handshake import Credentials, LinkError, Opened, answer, greet
from p2pkaboo.net.limits import DEFAULT_TIMING, PARSE_BYTES
from p2pkaboo.net.link import Link
from p2pkaboo.net.stamped import StampedStream
from tests.unit.net.ends import SECRET, Cable, credentials

OTHER_SECRET = b"fedcba9876543210"
HUNG_UP = "the other end hung up during the handshake"


def let_in(key: bytes, run: str) -> int:
    return 101


async def both(
    caller: Callable[[StampedStream], Awaitable[Opened | None]],
    listener: Callable[[StampedStream], Awaitable[Opened | None]],
) -> tuple[Opened | str | None, Opened | str | None]:
    """What becomes of each side: a link, the reason why not, or None if it gave up by itself."""
    ends = trio.testing.memory_stream_pair()
    results: dict[int, Opened | str | None] = {}

    async def side(index: int, work: Callable[[StampedStream], Awaitable[Opened | None]]) -> None:
        try:
            results[index] = await work(StampedStream(ends[index]))
        except LinkError as error:
            results[index] = str(error)
        if not isinstance(results[index], Opened):
            await trio.aclose_forcefully(ends[index])

    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(side, 0, caller)
            nursery.start_soon(side, 1, listener)
    return results[0], results[1]


def listening(
    with_credentials: Credentials, admit: Callable[[bytes, str], int] = let_in
) -> Callable[[StampedStream], Awaitable[Opened]]:
    return lambda stream: answer(stream, with_credentials, admit)


def calling(with_credentials: Credentials, key: bytes) -> Callable[[StampedStream], Awaitable[Opened]]:
    return lambda stream: greet(stream, with_credentials, key)


async def test_each_end_learns_the_other_ends_key_and_run() -> None:
    out, back = await both(calling(credentials(1), credentials(2).key), listening(credentials(2)))
    assert isinstance(out, Opened)
    assert isinstance(back, Opened)
    assert (out.key, out.run) == (credentials(2).key, credentials(2).run)
    assert (back.key, back.run) == (credentials(1).key, credentials(1).run)
    assert out.stream.version() == "TLSv1.3"


async def test_another_table_is_refused_by_both_sides() -> None:
    out, back = await both(calling(credentials(1, OTHER_SECRET), credentials(2).key), listening(credentials(2)))
    assert out == "the other end does not belong to this table: its certificate was made with another table secret"
    assert back == HUNG_UP


async def test_the_listener_refuses_a_stranger_who_does_not_check() -> None:
    """A stranger who ignores our certificate still cannot show one of his own that we take."""

    def ignoring(stranger: Credentials) -> Credentials:
        stranger.client.verify_mode = ssl.CERT_NONE
        return stranger

    admitted: list[bytes] = []

    def admit(key: bytes, run: str) -> int:
        admitted.append(key)
        return 101

    stranger = ignoring(credentials(1, OTHER_SECRET))
    stranger.secret = SECRET
    out, back = await both(calling(stranger, credentials(2).key), listening(credentials(2), admit))
    assert out in (HUNG_UP, "the connection broke during the handshake")
    assert back == "the other end does not belong to this table: its certificate was made with another table secret"
    assert admitted == []


@pytest.mark.parametrize("error", [OSError(), TimeoutError(), trio.BrokenResourceError()])
async def test_a_transport_that_breaks_without_a_word_is_a_link_error_too(error: Exception) -> None:
    class Broken(Cable):
        async def send_all(self, data: bytes | bytearray | memoryview) -> None:
            raise error

    near, _far = trio.testing.memory_stream_pair()
    with pytest.raises(LinkError, match="the connection broke during the handshake"):
        await greet(StampedStream(Broken(near)), credentials(1), credentials(2).key)


async def test_a_caller_without_a_certificate_is_refused() -> None:
    bare = credentials(1)
    bare.client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    bare.client.check_hostname = False
    bare.client.verify_mode = ssl.CERT_NONE
    # `getpeercert` gives the listener's certificate also unverified, so the caller gets as far as its request.
    out, back = await both(calling(bare, credentials(2).key), listening(credentials(2)))
    assert isinstance(out, str)
    assert back == "no TLS connection with the other end: peer did not return a certificate"


async def test_a_listener_without_certificate_check_learns_nothing_from_an_rsa_key() -> None:
    """A member may issue a certificate for any key; only Ed25519 keys are players."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    authority = tls._authority_key(SECRET)
    issuer = tls._authority_certificate(authority)
    leaf = (
        x509.CertificateBuilder()
        .subject_name(issuer.subject)
        .issuer_name(issuer.subject)
        .public_key(key.public_key())
        .serial_number(9)
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
        .sign(authority, None)
    )
    member = credentials(1)
    member.client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    member.client.check_hostname = False
    member.client.load_verify_locations(cadata=issuer.public_bytes(serialization.Encoding.PEM).decode())
    chain = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ) + leaf.public_bytes(serialization.Encoding.PEM)
    with tls._as_file(chain) as path:
        member.client.load_cert_chain(path)
    out, back = await both(calling(member, credentials(2).key), listening(credentials(2)))
    assert isinstance(out, str)
    assert back == "the other end's certificate holds a RSAPublicKey, expected an Ed25519 key"


async def test_the_caller_talks_to_the_pinned_key_only() -> None:
    out, back = await both(calling(credentials(1), credentials(3).key), listening(credentials(2)))
    two, three = credentials(2).key.hex()[:8], credentials(3).key.hex()[:8]
    assert out == f"somebody else answers there: player {two}, expected {three}"
    assert isinstance(back, str)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (403, "the other end does not let this key in"),
        (409, "the other end already has a link to this player"),
        (503, "the other end has no room for another link"),
        (418, "the other end refuses the link (status 418)"),
    ],
)
async def test_the_caller_is_told_why_it_is_refused(status: int, reason: str) -> None:
    asked: list[tuple[bytes, str]] = []

    def refuse(key: bytes, run: str) -> int:
        asked.append((key, run))
        return status

    out, back = await both(calling(credentials(1), credentials(2).key), listening(credentials(2), refuse))
    assert out == reason
    assert isinstance(back, str)
    assert asked == [(credentials(1).key, credentials(1).run)]


async def test_another_version_of_the_protocol_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = iter(["p2pkaboo.2", "p2pkaboo.1"])

    def client(uri: WebSocketURI, subprotocols: object, max_size: int) -> ClientProtocol:
        return ClientProtocol(uri, subprotocols=[Subprotocol(next(versions))], max_size=max_size)

    monkeypatch.setattr(handshake, "ClientProtocol", client)
    out, back = await both(calling(credentials(1), credentials(2).key), listening(credentials(2)))
    assert out == "the other end speaks another version of the protocol"
    assert isinstance(back, str)
    out, _ = await both(calling(credentials(1), credentials(2).key), listening(credentials(2)))
    assert isinstance(out, Opened)


@pytest.mark.parametrize("run", ["", "0123", "0123456789ABCDEF", "0123456789abcdef0"])
async def test_a_caller_must_say_which_run_it_is(run: str) -> None:
    caller = credentials(1)
    caller.run = run
    _, back = await both(calling(caller, credentials(2).key), listening(credentials(2)))
    assert back == "the other end does not say which run of its program it is"


@pytest.mark.parametrize(
    "noise", [b"GET / HTTP/1.1\r\n\r\n", bytes(5000), b"\x16\x03\x01\x40\x00" + bytes(16384), b"\x16"]
)
async def test_noise_instead_of_tls_is_refused(noise: bytes) -> None:
    async def shout(stream: StampedStream) -> None:
        await stream.send_all(noise)

    _, back = await both(shout, listening(credentials(2)))
    assert isinstance(back, str)


@pytest.mark.parametrize(
    "noise", [b"\x00\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"POST / HTTP/1.1\r\n\r\n", b"x" * 20000, b""]
)
async def test_noise_instead_of_an_upgrade_is_refused(noise: bytes) -> None:
    async def member(stream: StampedStream) -> None:
        secure = trio.SSLStream(stream, credentials(1).client, https_compatible=True)
        await secure.do_handshake()
        if noise:
            await secure.send_all(noise)
            await secure.receive_some(1)

    _, back = await both(member, listening(credentials(2)))
    assert isinstance(back, str)


async def test_noise_instead_of_a_response_is_refused() -> None:
    for noise in (b"HTTP/1.1 200 OK\r\n\r\n", b"\x00" * 100, b"HTTP/1.1 101 Switching Protocols\r\n\r\n", b""):

        async def member(stream: StampedStream, noise: bytes = noise) -> None:
            secure = trio.SSLStream(stream, credentials(2).server, server_side=True, https_compatible=True)
            await secure.receive_some(5000)
            if noise:
                await secure.send_all(noise)

        out, _ = await both(calling(credentials(1), credentials(2).key), member)
        assert isinstance(out, str)


async def test_a_stream_is_stamped_when_it_is_read() -> None:
    times = iter(range(10, 100))
    near, far = trio.testing.memory_stream_pair()
    stream = StampedStream(far, lambda: next(times))
    assert stream.stamp == 10
    await near.send_all(b"a")
    assert await stream.receive_some() == b"a"
    assert stream.stamp == 11
    await stream.send_all(b"b")
    assert await near.receive_some() == b"b"
    assert stream.stamp == 11


async def test_frames_that_come_together_with_the_answer_are_kept() -> None:
    """The listener may send as soon as it has answered, so both can lie in one read of the caller."""

    async def hasty(stream: StampedStream) -> None:
        own = credentials(2)
        secure = trio.SSLStream(stream, own.server, server_side=True, https_compatible=True)
        protocol = ServerProtocol(subprotocols=[Subprotocol("p2pkaboo.1")])
        protocol.receive_data(await secure.receive_some(5000))
        (request,) = protocol.events_received()
        assert isinstance(request, Request)
        response = protocol.accept(request)
        response.headers["Kaboo-Run"] = own.run
        protocol.send_response(response)
        protocol.send_binary(b"one")
        protocol.send_binary(b"two")
        await secure.send_all(b"".join(protocol.data_to_send()))

    out, _ = await both(calling(credentials(1), credentials(2).key), hasty)
    assert isinstance(out, Opened)
    assert [event.data for event in out.early if isinstance(event, Frame)] == [b"one", b"two"]
    frames: list[bytes] = []
    link = Link(out, outgoing=True, host="memory", port=1, timing=DEFAULT_TIMING)
    await link.run(lambda data, stamp: frames.append(data))
    assert frames == [b"one", b"two"]


async def test_small_frames_behind_the_request_are_left_to_the_link() -> None:
    """A caller may put thousands of them into the record that ends the handshake: parsed at once they would hold up
    everybody else for a quarter of a second where a dozen do it together."""
    count = 2000

    async def flooding(stream: StampedStream) -> None:
        own = credentials(1)
        secure = trio.SSLStream(stream, own.client, server_side=False, https_compatible=True)
        protocol = ClientProtocol(
            WebSocketURI(True, "table.invalid", 443, "/", ""), subprotocols=[Subprotocol("p2pkaboo.1")]
        )
        request = protocol.connect()
        request.headers["Kaboo-Run"] = own.run
        protocol.send_request(request)
        frames = [Frame(Opcode.BINARY, b"%d" % number).serialize(mask=True) for number in range(count)]
        await secure.send_all(b"".join([*protocol.data_to_send(), *frames]))
        await secure.receive_some()

    _, back = await both(flooding, listening(credentials(2)))
    assert isinstance(back, Opened)
    assert len(back.early) <= PARSE_BYTES / 2
    frames: list[bytes] = []
    link = Link(back, outgoing=False, host="memory", port=1, timing=DEFAULT_TIMING)
    await link.run(lambda data, stamp: frames.append(data))
    assert frames == [b"%d" % number for number in range(count)]

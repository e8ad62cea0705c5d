"""The door of the local API: who gets in, what they may send, and that one client never holds up another."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.trio.client import ClientConnection, connect

from p2pkaboo.peer import api
from p2pkaboo.peer import local_server as door
from p2pkaboo.peer.local_server import LocalServer, PortTaken, judge, load_files, security_headers, serve_local

TOKEN = "t" * 43
LONG_NAME = "x" * 81


class Peer:
    """A backend of one snapshot that counts, and answers every command with its own name."""

    def __init__(self) -> None:
        self.number = 1
        self.stamps: list[int] = []
        self.commands: list[api.AnyCommand] = []
        self.channels: list[trio.MemorySendChannel[api.Snapshot | api.AnyEvent]] = []
        self.filling = ""
        self.crowded = trio.Event()
        """Set when a second client is listening."""

    def now_ms(self) -> int:
        return 77

    def snapshot(self) -> api.Snapshot:
        return api.Snapshot(
            number=self.number,
            now_ms=0,
            screen="start",
            me=api.Person(name="Ada" + self.filling),
            settings=api.Settings(),
        )

    def subscribe(self) -> trio.MemoryReceiveChannel[api.Snapshot | api.AnyEvent]:
        send, receive = trio.open_memory_channel[api.Snapshot | api.AnyEvent](100_000)
        self.channels.append(send)
        if len(self.channels) > 1:
            self.crowded.set()
        return receive

    def publish(self, *items: api.Snapshot | api.AnyEvent) -> None:
        for channel in self.channels:
            for item in items:
                try:
                    channel.send_nowait(item)
                except trio.BrokenResourceError:
                    break

    async def command(self, command: api.AnyCommand, *, arrived_ns: int) -> api.Reply:
        self.commands.append(command)
        self.stamps.append(arrived_ns)
        if isinstance(command, api.Draw) and command.snapshot < self.number:
            return api.Reply(error=api.Say(key="error.stale"))
        return api.Reply(result=api.Saved(path=type(command).__name__))


@asynccontextmanager
async def served(tmp_path: Path, peer: Peer | None = None) -> AsyncIterator[LocalServer]:
    (tmp_path / "index.html").write_text("<!doctype html><title>t</title>")
    (tmp_path / "js").mkdir(exist_ok=True)
    (tmp_path / "js" / "main.js").write_text("export {};")
    (tmp_path / "notes.py").write_text("not part of the page")
    async with serve_local(peer or Peer(), tmp_path, token=TOKEN) as server:
        yield server


async def get(server: LocalServer, path: str = "/", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """One bare HTTP request, so that nothing tidies up its headers."""
    lines = {"Host": f"127.0.0.1:{server.port}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    stream = await trio.open_tcp_stream("127.0.0.1", server.port)
    async with stream:
        head = f"GET {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items()) + "\r\n"
        await stream.send_all(head.encode())
        data = b""
        async for chunk in stream:
            data += bytes(chunk)
    top, _, body = data.partition(b"\r\n\r\n")
    status, *rest = top.decode().split("\r\n")
    return int(status.split()[1]), {k.lower(): v for k, v in (line.split(": ", 1) for line in rest)}, body


async def hello(socket_: ClientConnection, token: str = TOKEN, version: int = api.API_VERSION) -> None:
    await socket_.send(json.dumps({"type": "hello", "token": token, "api": version}))


async def message(socket_: ClientConnection) -> dict[str, Any]:
    with trio.fail_after(5):
        loaded: dict[str, Any] = json.loads(await socket_.recv())
        return loaded


async def greeted(socket_: ClientConnection) -> dict[str, Any]:
    """Say hello; returns the first snapshot."""
    await hello(socket_)
    assert (await message(socket_))["type"] == "welcome"
    return await message(socket_)


async def ask(socket_: ClientConnection, number: int, command: dict[str, Any]) -> None:
    await socket_.send(json.dumps({"type": "ask", "id": number, "command": command}))


async def test_the_page_is_served_with_every_guarding_header(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        status, headers, body = await get(server)
    assert status == 200
    assert body.startswith(b"<!doctype html>")
    for name, value in security_headers(server.port).items():
        assert headers[name.lower()] == value
    policy = headers["content-security-policy"]
    for part in (
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ):
        assert part in policy
    assert "unsafe" not in policy
    assert "set-cookie" not in headers


async def test_the_packed_page_is_the_page(tmp_path: Path) -> None:
    import gzip

    async with served(tmp_path) as server:
        _, headers, body = await get(server, "/js/main.js", Accept_Encoding="gzip, br")
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == b"export {};"


@pytest.mark.parametrize(
    "path", ["/notes.py", "/../notes.py", "/js/", "/js/../index.html", "//index.html", "/%2e%2e/x", "/x"]
)
async def test_nothing_but_the_listed_files_can_be_reached(tmp_path: Path, path: str) -> None:
    async with served(tmp_path) as server:
        status, headers, _ = await get(server, path)
    assert status == 404
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:{port}", "[::1]:{port}", ""]
)
async def test_a_foreign_host_name_gets_nothing(tmp_path: Path, host: str) -> None:
    async with served(tmp_path) as server:
        status, _, body = await get(server, Host=host.format(port=server.port))
    assert status == 421
    assert b"doctype" not in body


async def test_a_second_host_header_counts_as_foreign(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        status, _, _ = await get(server, Accept=f"*/*\r\nHost: 127.0.0.1:{server.port}")
    assert status == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"])
async def test_a_foreign_origin_is_forbidden_everywhere(tmp_path: Path, origin: str) -> None:
    async with served(tmp_path) as server:
        foreign = origin.format(port=server.port)
        status, _, _ = await get(server, Origin=foreign)
        assert status == 403
        with pytest.raises(InvalidStatus) as refused:
            async with connect(server.socket_url, origin=foreign):  # type: ignore[arg-type]
                pass
    assert refused.value.response.status_code == 403


def test_what_browsers_say_about_the_source_of_a_request_counts() -> None:
    host = {"Host": "localhost:9"}
    assert judge(host, 9) is None
    assert judge({**host, "Origin": "http://localhost:9", "Sec-Fetch-Site": "same-origin"}, 9) is None
    assert judge({**host, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}, 9) is None
    for site in ("cross-site", "same-site", "bogus"):
        for dest in ("script", "iframe", "image", "empty"):
            refused = judge({**host, "Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest}, 9)
            assert refused is not None
            assert refused.value == 403


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "t", "ü" * 20])
async def test_without_the_launch_token_nothing_is_told(tmp_path: Path, token: str) -> None:
    peer = Peer()
    async with served(tmp_path, peer) as server, connect(server.socket_url) as client:
        await hello(client, token)
        with pytest.raises(ConnectionClosed) as closed:
            await message(client)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == door.CLOSE_TOKEN
    assert not peer.channels


async def test_a_command_before_the_hello_is_not_carried_out(tmp_path: Path) -> None:
    peer = Peer()
    async with served(tmp_path, peer) as server, connect(server.socket_url) as client:
        await ask(client, 1, {"type": "leave"})
        with pytest.raises(ConnectionClosed):
            await message(client)
    assert peer.commands == []


async def test_a_silent_stranger_is_shown_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "HELLO_S", 0.05)
    async with served(tmp_path) as server, connect(server.socket_url) as client:
        with pytest.raises(ConnectionClosed) as closed:
            await message(client)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == door.CLOSE_TOKEN


async def test_a_page_of_another_version_is_told_so(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.socket_url) as client:
        await hello(client, version=api.API_VERSION + 1)
        with pytest.raises(ConnectionClosed) as closed:
            await message(client)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == door.CLOSE_VERSION


async def test_a_client_gets_the_snapshot_with_the_peers_clock_then_news_and_replies(tmp_path: Path) -> None:
    peer = Peer()
    async with served(tmp_path, peer) as server, connect(server.socket_url) as client:
        first = await greeted(client)
        assert (first["type"], first["number"], first["now_ms"]) == ("snapshot", 1, 77)
        peer.number = 2
        peer.publish(api.TurnBegan(snapshot=2, seat=1), peer.snapshot())
        assert (await message(client))["type"] == "turn_began"
        assert (await message(client))["number"] == 2
        await ask(client, 9, {"type": "draw", "snapshot": 1})
        stale = await message(client)
        assert (stale["id"], stale["error"]["key"]) == (9, "error.stale")
        await ask(client, 10, {"type": "snap", "snapshot": 2, "seat": 1, "position": 3})
        assert (await message(client))["result"] == {"type": "saved", "path": "Snap"}
    assert peer.stamps == sorted(peer.stamps)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type":"ask"}',
        '{"type":"ask","id":-1,"command":{"type":"draw"}}',
        '{"type":"ask","id":1,"command":{"type":"no_such"}}',
        '{"type":"ask","id":1,"command":{"type":"draw","more":1}}',
        '{"type":"ask","id":1,"command":{"type":"snap","seat":256,"position":0}}',
        '{"type":"ask","id":1,"command":{"type":"snap","seat":"0","position":0}}',
        '{"type":"ask","id":1,"command":{"type":"set_name","name":"' + LONG_NAME + '"}}',
        '{"type":"hello","token":"again","api":1}',
        b"\x00\xff",
    ],
)
async def test_a_message_that_is_none_of_ours_ends_that_client_only(tmp_path: Path, text: str | bytes) -> None:
    peer = Peer()
    async with (
        served(tmp_path, peer) as server,
        connect(server.socket_url) as bad,
        connect(server.socket_url) as good,
    ):
        await greeted(bad)
        await greeted(good)
        await bad.send(text)
        with pytest.raises(ConnectionClosed) as closed:
            await message(bad)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == door.CLOSE_MESSAGE
        await ask(good, 1, {"type": "leave"})
        assert (await message(good))["id"] == 1
    assert [type(c).__name__ for c in peer.commands] == ["Leave"]


async def test_a_huge_message_ends_that_client_only(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.socket_url) as bad, connect(server.socket_url) as good:
        await greeted(bad)
        await greeted(good)
        await bad.send("x" * (door.MAX_MESSAGE + 1))
        with pytest.raises(ConnectionClosed):
            await message(bad)
        await ask(good, 1, {"type": "leave"})
        assert (await message(good))["id"] == 1


async def stalled(server: LocalServer) -> trio.SocketStream:
    """A client that says hello and then never reads again."""
    raw = trio.socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    await raw.connect(("127.0.0.1", server.port))
    stream = trio.SocketStream(raw)
    await stream.send_all(
        f"GET /api HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    await stream.receive_some(4096)
    payload = json.dumps({"type": "hello", "token": TOKEN, "api": api.API_VERSION}).encode()
    await stream.send_all(bytes([0x81, 0x80 | len(payload)]) + bytes(4) + payload)
    return stream


async def test_a_stalled_tab_blocks_neither_the_others_nor_the_exit(tmp_path: Path) -> None:
    peer = Peer()
    peer.filling = "." * 200_000
    with trio.fail_after(8):
        async with served(tmp_path, peer) as server, connect(server.socket_url, max_size=None) as client:
            stuck = await stalled(server)
            await greeted(client)
            with trio.fail_after(2):
                await peer.crowded.wait()
            for _ in range(60):
                peer.number += 1
                peer.publish(api.TurnBegan(snapshot=peer.number, seat=0), peer.snapshot())
                while (await message(client)).get("number") != peer.number:
                    pass
        await stuck.aclose()


async def test_every_event_comes_before_the_snapshot_that_holds_its_result(tmp_path: Path) -> None:
    peer = Peer()
    async with served(tmp_path, peer) as server, connect(server.socket_url) as client:
        await greeted(client)
        for _ in range(30):
            peer.number += 1
            peer.publish(api.TurnBegan(snapshot=peer.number, seat=0), peer.snapshot())
        heard: list[int] = []
        shown = 1
        while shown < peer.number:
            news = await message(client)
            if news["type"] == "snapshot":
                shown = news["number"]
                assert set(range(2, shown + 1)) <= set(heard)
            else:
                assert news["snapshot"] > shown
                heard.append(news["snapshot"])
    assert heard == list(range(2, 32))


async def test_a_slow_client_gets_every_event_but_only_the_newest_snapshot() -> None:
    peer, mailbox = Peer(), door._Mailbox(None)
    for number in range(2, 32):
        peer.number = number
        mailbox.put(api.TurnBegan(snapshot=number, seat=0))
        mailbox.put(peer.snapshot())
    *events, last = await mailbox.take()
    assert [e.snapshot for e in events if isinstance(e, api.TurnBegan)] == list(range(2, 32))
    assert isinstance(last, api.Snapshot)
    assert last.number == 31
    for number in range(3 * door.MAX_EVENTS):
        mailbox.put(api.TurnBegan(snapshot=number, seat=0))
    assert len(await mailbox.take()) == door.MAX_EVENTS


async def test_too_many_clients_are_turned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MAX_CLIENTS", 1)
    async with served(tmp_path) as server, connect(server.socket_url) as first:
        await greeted(first)
        async with connect(server.socket_url) as second:
            with pytest.raises(ConnectionClosed) as closed:
                await message(second)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == door.CLOSE_CROWDED


async def test_a_taken_port_is_a_clear_error(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        with pytest.raises(PortTaken, match=f"port {server.port} on 127.0.0.1 is taken"):
            async with serve_local(Peer(), tmp_path, port=server.port):
                pass


async def test_only_loopback_listens_and_the_token_is_new_each_time(tmp_path: Path) -> None:
    tokens = set()
    for _ in range(2):
        async with serve_local(Peer(), tmp_path) as server:
            tokens.add(server.token)
            assert server.url == f"http://127.0.0.1:{server.port}/#{server.token}"
            assert len(server.token) >= 43
    assert len(tokens) == 2


def test_unknown_kinds_of_files_are_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    (tmp_path / "secret").write_text("2")
    (tmp_path / ".env").write_text("3")
    assert set(load_files(tmp_path)) == {"/a.js"}

"""Conversations over the local API: who gets in, what they may send, and that one client never holds up another."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked
from websockets.exceptions import ConnectionClosed
from websockets.trio.client import connect

from p2pkaboo.peer import api
from p2pkaboo.peer import local_clients as door
from p2pkaboo.peer.local_server import LocalServer
from tests.unit.peer.doors import TOKEN, Peer, ask, greeted, hello, message, served

LONG_NAME = "x" * 81


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


@pytest.mark.parametrize("text", ["", "{", '{"type":"hello"}', '{"type":"hello","token":"t","more":1}', b"\x00"])
async def test_a_stranger_that_babbles_is_shown_out_without_a_word_in_the_log(
    tmp_path: Path, text: str | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(tmp_path) as server, connect(server.socket_url) as client:
        await client.send(text)
        with pytest.raises(ConnectionClosed) as closed:
            await message(client)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == door.CLOSE_TOKEN
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


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
        '{"type":"ask","id":1,"command":{"type":"draw","' + "ü" * 100 + '":1}}',
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


async def test_a_snap_does_not_wait_for_a_file_that_is_being_checked(tmp_path: Path) -> None:
    peer = Peer()
    peer.reading = trio.Event()
    async with served(tmp_path, peer) as server, connect(server.socket_url) as client:
        await greeted(client)
        await ask(client, 1, {"type": "check_transcript", "path": "long.kaboo"})
        await ask(client, 2, {"type": "show_report"})
        await ask(client, 3, {"type": "snap", "seat": 1, "position": 3})
        assert (await message(client))["id"] == 3
        peer.reading.set()
        assert [(await message(client))["id"] for _ in range(2)] == [1, 2]


class Deaf:
    """A connection whose client asks again and again, and reads nothing after the welcome."""

    def __init__(self, asks: int) -> None:
        self.said = [
            json.dumps({"type": "hello", "token": TOKEN}),
            *(json.dumps({"type": "ask", "id": number, "command": {"type": "leave"}}) for number in range(asks)),
        ][::-1]
        self.stream = SimpleNamespace(stamp=0, settle=lambda: None)
        self.welcome = ""

    async def recv(self) -> str:
        await trio.lowlevel.checkpoint()
        if not self.said:
            await trio.sleep_forever()
        return self.said.pop()

    async def send(self, text: str) -> None:
        if self.welcome:
            await trio.sleep_forever()
        self.welcome = text


async def test_a_client_that_asks_on_without_reading_waits_for_its_answers() -> None:
    """Else its answers would pile up here for as long as it likes."""
    peer = Peer()
    deaf: Any = Deaf(10 * door.MAX_REPLIES)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.Clients(peer, TOKEN, "").talk, deaf)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert door.MAX_REPLIES <= len(peer.commands) <= 2 * door.MAX_REPLIES


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
    peer, mailbox = Peer(), door.Mailbox(None)
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

"""The local API's port: which it is, and for whom."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
import trio
from websockets.trio.client import connect

from p2pkaboo.peer import stamped
from p2pkaboo.peer.local_server import PortTaken, serve_local
from tests.unit.peer.doors import Peer, ask, greeted, message, served


async def test_a_taken_port_is_a_clear_error(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        with pytest.raises(PortTaken, match=f"port {server.port} on 127.0.0.1 is taken"):
            async with serve_local(Peer(), tmp_path, port=server.port):
                pass


async def test_a_port_that_may_not_be_used_is_not_called_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(port: int, *, host: str) -> list[trio.SocketListener]:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(trio, "open_tcp_listeners", refused)
    with pytest.raises(PortTaken, match=r"^port 80 on 127\.0\.0\.1 cannot be used: Permission denied$"):
        async with serve_local(Peer(), tmp_path, port=80):
            pass


async def test_only_loopback_listens_and_the_token_is_new_each_time(tmp_path: Path) -> None:
    tokens = set()
    for _ in range(2):
        async with serve_local(Peer(), tmp_path) as server:
            tokens.add(server.token)
            assert server.url == f"http://127.0.0.1:{server.port}/#{server.token}"
            assert len(server.token) >= 43
    assert len(tokens) == 2


async def test_connections_that_say_nothing_make_room_for_those_that_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes a descriptor: a thousand of them, which any program here may open, leave none for links."""
    monkeypatch.setattr(stamped, "MAX_CONNECTIONS", 4)
    async with served(tmp_path) as server, connect(server.socket_url) as client:
        await greeted(client)
        silent = [await trio.open_tcp_stream("127.0.0.1", server.port) for _ in range(10)]
        for stream in silent[:5]:
            with trio.fail_after(1):
                assert await stream.receive_some() == b""
        page = await trio.open_tcp_stream("127.0.0.1", server.port)
        await page.send_all(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        with trio.fail_after(1):
            assert (await page.receive_some()).startswith(b"HTTP/1.1 200")
        await ask(client, 1, {"type": "leave"})  # whoever has shown the token is not counted
        assert (await message(client))["id"] == 1
        for stream in (*silent, page):
            await stream.aclose()

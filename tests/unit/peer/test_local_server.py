"""The local API's port: which it is, and for whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pkaboo.peer.local_server import PortTaken, serve_local
from tests.unit.peer.doors import Peer, served


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

"""Who holds the other end of a connection to the local door."""

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.trio.client import connect

from p2pkaboo.peer import local_owner
from p2pkaboo.peer.local_owner import TABLES, is_ours
from tests.unit.peer.doors import greeted, served

needs_tables = pytest.mark.skipif(not TABLES[0].exists(), reason="this system does not tell whose a connection is")

CLIENT, SERVER = ("127.0.0.1", 0xC66A), ("127.0.0.1", 0x6BE4)
ROWS = """  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: {server}:6BE4 {client}:C66A 01 00000000:00000000 00:00000000 00000000  1000        0 1077 1 0 100 0 0 10 0
   1: {client}:C66A {server}:6BE4 {state} 00000000:00000000 00:00000000 00000000  {user}        0 1078 1 0 20 4 30 10 -1
"""
IPV4, MAPPED = "0100007F", "0000000000000000FFFF00000100007F"


@pytest.fixture(name="pair")
def _pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The two ends of a connection over loopback: the caller's, and ours."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        caller = socket.create_connection(server.getsockname())
        ours, _ = server.accept()
        with caller, ours:
            yield caller, ours


def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, state: str, user: int) -> bool:
    table = tmp_path / "tcp"
    table.write_text(ROWS.format(client=address, server=address, state=state, user=user))
    monkeypatch.setattr(local_owner, "TABLES", (tmp_path / "none", table))
    monkeypatch.setattr(sys, "byteorder", "little")
    monkeypatch.setattr(os, "getuid", lambda: 1000, raising=False)
    return is_ours(CLIENT, SERVER)


@pytest.mark.parametrize("address", [IPV4, MAPPED])
@pytest.mark.parametrize(
    ("state", "user", "ours"),
    [("01", 1000, True), ("01", 0, True), ("01", 1001, False), ("05", 0, False), ("06", 0, False)],
)
def test_only_an_open_end_of_our_own_user_or_of_root_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, state: str, user: int, ours: bool
) -> None:
    assert told(tmp_path, monkeypatch, address, state, user) is ours


def test_where_nothing_is_told_the_token_alone_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not told(tmp_path, monkeypatch, IPV4, "01", 1001)
    assert is_ours(("127.0.0.1", 1), SERVER)
    (tmp_path / "tcp").unlink()
    assert is_ours(CLIENT, SERVER)


@needs_tables
def test_the_end_of_our_own_connection_is_found(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, ours = pair
    ends = caller.getsockname(), ours.getsockname()
    assert is_ours(*ends)
    monkeypatch.setattr(local_owner, "_ROOT", -1)
    monkeypatch.setattr(os, "getuid", lambda: 4242, raising=False)
    assert not is_ours(*ends)


@needs_tables
def test_who_says_all_at_once_and_is_gone_is_nobody(pair: tuple[socket.socket, socket.socket]) -> None:
    caller, ours = pair
    ends = caller.getsockname(), ours.getsockname()
    caller.sendall(b"a command")
    caller.close()
    assert ours.recv(9) == b"a command"
    assert ours.recv(1) == b""
    assert not is_ours(*ends)


@needs_tables
async def test_another_user_who_knows_the_token_gets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(tmp_path) as server:
        async with connect(server.socket_url) as mine:
            assert (await greeted(mine))["type"] == "snapshot"
        monkeypatch.setattr(local_owner, "_ROOT", -1)
        monkeypatch.setattr(os, "getuid", lambda: 4242, raising=False)
        with pytest.raises(InvalidStatus) as refused:
            async with connect(server.socket_url):
                pass
        assert refused.value.response.status_code == 403

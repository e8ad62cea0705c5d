"""A peer behind the local door, and what a client says to it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio
from websockets.trio.client import ClientConnection

from p2pkaboo.peer import api
from p2pkaboo.peer.local_server import LocalServer, serve_local

TOKEN = "t" * 43


class Peer:
    """A backend of one snapshot that counts, and answers every command with its own name."""

    def __init__(self) -> None:
        self.number = 1
        self.stamps: list[int] = []
        self.commands: list[api.AnyCommand] = []
        self.channels: list[trio.MemorySendChannel[api.Snapshot | api.AnyEvent]] = []
        self.filling = ""
        self.reading: trio.Event | None = None
        """When files can be read, if not at once."""
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
        if self.reading is not None and isinstance(command, api.CheckTranscript | api.ShowReport):
            await self.reading.wait()
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

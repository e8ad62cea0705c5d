"""Puts the real local server with a still backend on loopback, in a thread of its own, for a browser."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files

import trio

from p2pkaboo.peer import api
from p2pkaboo.peer.local_server import serve_local
from tests.e2e.web.double import Still

Scene = Callable[[int], api.Snapshot]


@dataclass
class Stage:
    """What a test holds: the address to open, and ways to change what is shown from outside the server's thread."""

    backend: Still
    url: str
    port: int
    trio_token: trio.lowlevel.TrioToken

    def show(self, scene: Scene) -> None:
        trio.from_thread.run_sync(self.backend.show, scene, trio_token=self.trio_token)

    def tell(self, *events: api.AnyEvent) -> None:
        for event in events:
            trio.from_thread.run_sync(self.backend.publish, event, trio_token=self.trio_token)

    @property
    def commands(self) -> list[api.AnyCommand]:
        return [command for command, _ in self.backend.commands]


@contextmanager
def staged(scene: Scene, *, port: int = 0, token: str | None = None) -> Iterator[Stage]:
    """A running stage; leaving stops the server."""
    ready: list[Stage] = []
    begun = threading.Event()
    stop: list[trio.Event] = []

    async def run() -> None:
        backend = Still(scene)
        stop.append(trio.Event())
        async with serve_local(backend, files("p2pkaboo.ui.web") / "static", port=port, token=token) as server:
            ready.append(Stage(backend, server.url, server.port, trio.lowlevel.current_trio_token()))
            begun.set()
            await stop[0].wait()

    thread = threading.Thread(target=trio.run, args=(run,), daemon=True)
    thread.start()
    assert begun.wait(10), "the server did not start"
    try:
        yield ready[0]
    finally:
        trio.from_thread.run_sync(stop[0].set, trio_token=ready[0].trio_token)
        thread.join(10)

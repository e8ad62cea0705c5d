"""A stand-in for a peer that shows one given moment and writes down what it is told. For the door's security tests and
for looking at screens; games are played by real peers."""

from __future__ import annotations

import time
from collections.abc import Callable

import trio
from msgspec.structs import replace

from p2pkaboo.peer import api

QUEUE = 1000


class Still:
    """A `Backend` whose snapshot is whatever `scene` gives; settings are kept, everything else is only noted."""

    def __init__(self, scene: Callable[[int], api.Snapshot]) -> None:
        self.scene = scene
        self.commands: list[tuple[api.AnyCommand, int]] = []
        self.answers: dict[type[api.Command], api.AnyResult] = {}
        self.errors: dict[type[api.Command], api.Say] = {}
        self.listeners: list[trio.MemorySendChannel[api.Snapshot | api.AnyEvent]] = []
        self.number = 1
        self.settings = api.Settings()
        self.began = self.now_ms()

    def now_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def snapshot(self) -> api.Snapshot:
        return replace(self.scene(self.began), number=self.number, settings=self.settings)

    def subscribe(self) -> trio.MemoryReceiveChannel[api.Snapshot | api.AnyEvent]:
        send, receive = trio.open_memory_channel[api.Snapshot | api.AnyEvent](QUEUE)
        self.listeners.append(send)
        return receive

    def publish(self, item: api.Snapshot | api.AnyEvent) -> None:
        for send in list(self.listeners):
            try:
                send.send_nowait(item)
            except (trio.WouldBlock, trio.BrokenResourceError):
                self.listeners.remove(send)

    def show(self, scene: Callable[[int], api.Snapshot]) -> None:
        self.scene, self.began = scene, self.now_ms()
        self.number += 1
        self.publish(self.snapshot())

    async def command(self, command: api.AnyCommand, *, arrived_ns: int) -> api.Reply:
        self.commands.append((command, arrived_ns))
        if isinstance(command, api.SetSetting):
            self.settings = replace(self.settings, **{command.name: command.value})
            self.number += 1
            self.publish(self.snapshot())
        return api.Reply(error=self.errors.get(type(command)), result=self.answers.get(type(command)))

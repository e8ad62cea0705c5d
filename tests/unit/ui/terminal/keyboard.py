"""A terminal in memory: what is typed comes from the test, what is drawn is kept."""

import re

import trio

_SEQUENCES = re.compile(r"\x1b\[[0-?]*[@-~]|\a")
CLEAR = "\x1b[2J"
"""What begins a picture that is drawn anew."""


class Keyboard:
    """A `Tty` in memory: what is typed comes from the test, what is drawn is kept."""

    def __init__(self, width: int = 100, height: int = 30) -> None:
        self.columns, self.rows = width, height
        self.send, self.receive = trio.open_memory_channel[bytes](100)
        self.drawn = ""
        self.changed = trio.Event()

    def size(self) -> tuple[int, int]:
        return self.columns, self.rows

    async def read(self) -> bytes:
        return await self.receive.receive()

    async def write(self, data: bytes) -> None:
        self.drawn += data.decode()
        self.changed.set()

    def type(self, data: bytes) -> None:
        self.send.send_nowait(data)

    async def shows(self, words: str) -> None:
        """Waits until some words have been drawn since the last time somebody waited."""
        with trio.fail_after(5):
            while words not in _SEQUENCES.sub("", self.drawn):
                self.changed = trio.Event()
                await self.changed.wait()
        self.drawn = ""

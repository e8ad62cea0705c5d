"""The two ends of the tests on a local network, each a process of its own; says on standard output how far it has come.

python lan.py open NAME   opens a table, announces it, gives back every frame; an empty one closes it
python lan.py look NAME   looks for the table of that name, joins it, sends a frame, says how the link ended
python lan.py part NAME   the same, and closes the table
"""

import os
import sys
from dataclasses import replace
from typing import TypeVar

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pkaboo.net.discovery import Found, Lost, OpenTable, Sighting, announce, browse
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.net.limits import DEFAULT_TIMING
from p2pkaboo.net.mesh import open_mesh

S = TypeVar("S", Found, Lost)
TIMING = replace(DEFAULT_TIMING, ping=0.3, dead=1.0)


def say(*words: object) -> None:
    print(*words, flush=True)


async def open_table(name: str) -> None:
    identity, secret = Ed25519PrivateKey.generate(), os.urandom(16)
    async with open_mesh(identity, secret, timing=TIMING) as mesh:
        table = OpenTable(name, mesh.key, secret, "sheffield", 1, 2)
        async with announce(table, mesh.addresses()) as announcement:
            say("announced", mesh.port)
            async for event in mesh.events():
                if isinstance(event, Up):
                    await announcement.update(replace(table, seats_taken=2))
                    say("up")
                elif isinstance(event, Down):
                    say("down", event.reason)
                    break
                elif event.data:
                    mesh.send(event.key, event.data)
                else:
                    break


async def next_of(sightings: trio.MemoryReceiveChannel[Sighting], kind: type[S]) -> S:
    while True:
        sighting = await sightings.receive()
        if isinstance(sighting, kind):
            return sighting


async def look(name: str, *, part: bool) -> None:
    async with browse() as sightings:
        while (found := await next_of(sightings, Found)).table.name != name:
            pass  # others play in this network too
        say("found", found.table.name, found.table.seats_taken, found.addresses[0][0])
        async with open_mesh(Ed25519PrivateKey.generate(), found.table.secret, timing=TIMING) as mesh:
            mesh.dial(found.table.key, found.addresses, eager=True)
            async for event in mesh.events():
                if isinstance(event, Up):
                    mesh.send(event.key, b"x" * 100_000)
                elif isinstance(event, Frame):
                    say("echoed", len(event.data))
                    break
            while (update := await next_of(sightings, Found)).id != found.id:
                pass
            say("update", update.table.seats_taken)
            if part:
                mesh.send(found.table.key, b"")
            async for event in mesh.events():
                if isinstance(event, Down):
                    say("down", event.reason)
                    break
        while (await next_of(sightings, Lost)).id != found.id:
            pass
        say("lost")


async def main() -> None:
    with trio.fail_after(25):
        part, name = sys.argv[1:]
        if part == "open":
            await open_table(name)
        else:
            await look(name, part=part == "part")


if __name__ == "__main__":
    trio.run(main)

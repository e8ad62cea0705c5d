"""The two ends of the tests on a local network, each a process of its own; says on standard output how far it has come.

python lan.py open        opens a table, announces it, gives back every frame; an empty one closes it
python lan.py look        looks for tables, joins the first, sends a frame, says how and when the link ended
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


async def open_table() -> None:
    identity, secret = Ed25519PrivateKey.generate(), os.urandom(16)
    async with open_mesh(identity, secret, timing=TIMING) as mesh:
        table = OpenTable("Kitchen", mesh.key, secret, "sheffield", 1, 2)
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


async def look(*, part: bool) -> None:
    async with browse() as sightings:
        found = await next_of(sightings, Found)
        say("found", found.table.name, found.table.seats_taken, found.addresses[0][0])
        async with open_mesh(Ed25519PrivateKey.generate(), found.table.secret, timing=TIMING) as mesh:
            mesh.dial(found.table.key, found.addresses, eager=True)
            async for event in mesh.events():
                if isinstance(event, Up):
                    mesh.send(event.key, b"x" * 100_000)
                elif isinstance(event, Frame):
                    say("echoed", len(event.data))
                    break
            update = await next_of(sightings, Found)
            say("update", update.table.seats_taken)
            if part:
                mesh.send(found.table.key, b"")
            async for event in mesh.events():
                if isinstance(event, Down):
                    say("down", event.reason)
                    break
        lost = await next_of(sightings, Lost)
        say("lost", lost.id == found.id)


async def main() -> None:
    with trio.fail_after(25):
        if sys.argv[1] == "open":
            await open_table()
        else:
            await look(part=sys.argv[1] == "part")


if __name__ == "__main__":
    trio.run(main)

"""A lobby full of newcomers on virtual time, each with its own `Lobby` on a network made of memory."""

import os
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from p2pkaboo.lab.tables.formed import small_rules
from p2pkaboo.peer.lobby import REPEAT_SECONDS, LeftOut, Lobby
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.frames import EnvelopeFrame, encode_frame
from tests.support.peers import Network
from tests.support.tables import make_identities

SECRET = b"0123456789abcdef"


class Hall:
    """Newcomers, each in its lobby; the first has opened the table."""

    def __init__(
        self, people: int, seed: int, *, wanted: int | None = None, loss: float = 0.0, rules: Ruleset | None = None
    ) -> None:
        self.identities = make_identities(people, f"hall{seed}")
        self.network = Network(random.Random(seed), (0.002, 0.02), loss)
        self.left_out: set[int] = set()
        opener = self.identities[0].public.encoded
        self.wires = [self.network.open(identity.public.encoded) for identity in self.identities]
        self.lobbies = [
            Lobby(
                identity=identity,
                name=f"P{at}",
                secret=SECRET,
                opener=opener,
                wires=self.wires[at],
                rng=os.urandom,
                now=lambda: int(trio.current_time() * 1_000_000),
                rules=(rules or small_rules("sheffield")) if at == 0 else None,
                wanted=(people if wanted is None else wanted) if at == 0 else None,
                table_name="Attic" if at == 0 else "",
            )
            for at, identity in enumerate(self.identities)
        ]

    def key(self, at: int) -> bytes:
        return self.identities[at].public.encoded

    def send(self, one: int, other: int, frame: bytes) -> None:
        self.network.send(self.key(one), self.key(other), frame)


def lounging(people: int, seed: int) -> Hall:
    """People at screens: the opener says when to begin, the others when they are ready."""
    hall = Hall(people, seed)
    hall.lobbies[0].wanted = None
    for lobby in hall.lobbies[1:]:
        lobby.ready, lobby.attended = False, True
    return hall


@asynccontextmanager
async def gathered(hall: Hall, who: list[int]) -> AsyncIterator[Callable[[], bool]]:
    """These newcomers' lobbies run inside; says whether all of them are through."""
    through: set[int] = set()

    async def sit(at: int) -> None:
        try:
            await hall.lobbies[at].run()
        except LeftOut:
            hall.left_out.add(at)
            return
        through.add(at)
        while True:  # The seat that follows gives the signed words to whoever still lacks one.
            for data in hall.lobbies[at].messages():
                hall.wires[at].broadcast(encode_frame(EnvelopeFrame(data)))
            await trio.sleep(REPEAT_SECONDS)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hall.network.run)
        for at in who:
            nursery.start_soon(sit, at)
        yield lambda: through == set(who)
        nursery.cancel_scope.cancel()


async def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    with trio.fail_after(seconds):
        while not condition():  # noqa: ASYNC110 - virtual time
            await trio.sleep(0.01)


def agree(hall: Hall, who: list[int]) -> None:
    charters = {hall.lobbies[at].forming.charter for at in who}
    assert len(charters) == 1
    (charter,) = charters
    assert charter is not None
    assert sorted(charter.keys) == sorted(hall.key(at) for at in who)

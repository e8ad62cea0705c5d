"""What a lobby needs of the links."""

from collections.abc import Iterable
from typing import Protocol

from p2pkaboo.net.inbox import Down, Frame, Up


class LobbyWires(Protocol):
    """What this needs of the mesh (see `net.mesh`)."""

    def send(self, key: bytes, data: bytes) -> bool: ...

    def broadcast(self, data: bytes) -> int: ...

    def connected(self) -> tuple[bytes, ...]: ...

    def addresses(self) -> Iterable[tuple[str, int]]: ...

    def dial(self, key: bytes, addresses: Iterable[tuple[str, int]], *, eager: bool = False) -> None: ...

    def renew(self, key: bytes) -> None: ...

    async def receive(self) -> Up | Down | Frame: ...

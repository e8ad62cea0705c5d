"""The mesh: one authenticated link to every player of a table, kept up for as long as the table lasts.

Who dials: both ends may know where the other listens; the smaller key calls, and the larger one only if no call has
come for a moment. Should two links to the same player stand all the same, both ends keep the same one (`rivals`).
Frames are opaque bytes here.
"""

import logging
import math
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pkaboo.net.gate import Gate
from p2pkaboo.net.handshake import Credentials, LinkError, answer, greet
from p2pkaboo.net.inbox import Down, Event, Frame, Inbox, Up
from p2pkaboo.net.limits import DEFAULT_TIMING, MAX_ADDRESSES, Timing
from p2pkaboo.net.link import DUPLICATE, LEAVING, NOT_WELCOME, Link
from p2pkaboo.net.rivals import Standing, takes_over
from p2pkaboo.net.sockets import Address, listen, local_addresses, race
from p2pkaboo.net.stamped import StampedStream

__all__ = ["Mesh", "open_mesh"]

_log = logging.getLogger(__name__)


def _system_jitter() -> float:
    return secrets.randbelow(1 << 16) / (1 << 16)


@dataclass(slots=True, eq=False)
class _Call:
    """A player this end keeps trying to reach."""

    addresses: tuple[Address, ...]
    eager: bool
    pause: float = 0.0
    trouble: str | None = None
    changed_at: float = -math.inf
    changed: trio.Event = field(default_factory=trio.Event)
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)


class Mesh:
    """Made by `open_mesh`. All methods but `receive` and `events` return at once."""

    def __init__(
        self,
        credentials: Credentials,
        listeners: Sequence[trio.SocketListener],
        nursery: trio.Nursery,
        timing: Timing,
        allowed: Collection[bytes] | None,
        jitter: Callable[[], float],
        clock: Callable[[], int],
    ) -> None:
        self.key = credentials.key
        """This player's own 32-byte identity."""
        self.port: int = listeners[0].socket.getsockname()[1]
        """Where this end listens."""
        self._credentials = credentials
        self._listeners = list(listeners)
        self._nursery = nursery
        self._timing = timing
        self._allowed = None if allowed is None else frozenset(allowed)
        self._jitter = jitter
        self._clock = clock
        self._gate = Gate()
        self._inbox = Inbox()
        self._links: dict[bytes, Link] = {}
        self._running: set[Link] = set()
        self._calls: dict[bytes, _Call] = {}
        self._changed = trio.Event()
        self._closing = False

    # What the other players say.

    async def receive(self) -> Event:
        """The next Frame, Up or Down."""
        return await self._inbox.get()

    def events(self) -> AsyncIterator[Event]:
        """`receive` for ever, for `async for`."""
        return self._inbox.__aiter__()

    # What this player says.

    def send(self, key: bytes, data: bytes) -> bool:
        """Queues a frame for one player. False if there is no link to it: it will get the frame when it asks again.

        Raises ValueError for more than MAX_FRAME bytes.
        """
        link = self._links.get(key)
        return link is not None and link.send(data)

    def broadcast(self, data: bytes) -> int:
        """Queues a frame for every player with a link; gives their number. Raises ValueError for more than MAX_FRAME
        bytes."""
        return sum([link.send(data) for link in tuple(self._links.values())])

    # Who is there.

    def connected(self) -> tuple[bytes, ...]:
        """The keys of all players with a link, ascending."""
        return tuple(sorted(self._links))

    def addresses(self) -> tuple[Address, ...]:
        """Where others may reach this end, likeliest first."""
        hosts = [listener.socket.getsockname()[0] for listener in self._listeners]
        if any(host in ("0.0.0.0", "::") for host in hosts):
            hosts = list(local_addresses())
        return tuple((host, self.port) for host in hosts)

    def arrivals(self) -> dict[bytes, tuple[str, str]]:
        """Of everybody who has called this end and is linked to it: the host of this end that they called, and the one
        they called from, as this machine sees them."""
        return {key: (link.at, link.host) for key, link in self._links.items() if not link.outgoing}

    def trouble(self, key: bytes) -> str | None:
        """Why the last attempt to reach that player failed; None if none did since it was last reached."""
        call = self._calls.get(key)
        return None if call is None else call.trouble

    # Whom to reach, and whom to let in.

    def dial(self, key: bytes, addresses: Iterable[Address], *, eager: bool = False) -> None:
        """Keeps a link to that player, which listens at one of these addresses; called again, the new addresses count:
        from now on, or from the next try on if there were new ones just before.

        `eager`: call at once, also with the larger key: for the contact of an invite, who cannot know this end's
        address yet. Raises ValueError for this end's own key or a key that is not let in.
        """
        if key == self.key:
            raise ValueError("a player does not call itself")
        if not self._is_allowed(key):
            raise ValueError(f"player {key.hex()[:8]} is not let in, so it is not called either")
        known = tuple(dict.fromkeys(addresses))[:MAX_ADDRESSES]
        call = self._calls.get(key)
        if call is None:
            call = self._calls[key] = _Call(known, eager)
            self._nursery.start_soon(self._keep_calling, key, call)
        elif (call.addresses, call.eager) != (known, eager or call.eager):
            call.addresses, call.eager = known, eager or call.eager
            now = trio.current_time()
            if now - call.changed_at >= self._timing.redial_max:  # others say where it is, as often as they like
                call.changed_at = now
                call.changed.set()

    def renew(self, key: bytes) -> None:
        """Ends the link to that player; whoever keeps one to the other (`dial`) calls again, and both begin afresh."""
        link = self._links.get(key)
        if link is not None:
            link.close(LEAVING, "this end begins afresh")

    def allow(self, keys: Collection[bytes] | None) -> None:
        """Lets in these players only, from now on (None: everybody with the table secret); links to others end."""
        self._allowed = None if keys is None else frozenset(keys)
        for key in [key for key in self._calls if not self._is_allowed(key)]:
            self._calls.pop(key).scope.cancel()
        for key, link in self._links.items():
            if not self._is_allowed(key):
                link.close(NOT_WELCOME, "it is not one of this table's players")

    # Within.

    def _is_allowed(self, key: bytes) -> bool:
        return key != self.key and (self._allowed is None or key in self._allowed)

    async def _until(self, condition: Callable[[], bool]) -> None:
        """Waits for something about the links to come true."""
        while not condition():
            await self._changed.wait()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _accept(self, stream: trio.SocketStream) -> None:
        """One incoming connection from accept to its end. Nothing it does reaches another one."""
        try:
            host, port = stream.socket.getpeername()[:2]
            opened = None
            with self._gate.visit(host, trio.current_time() + self._timing.handshake) as visit:
                await visit.turn()
                opened = await answer(StampedStream(stream, self._clock), self._credentials, self._admit)
                visit.welcome(opened.key)
            if opened is not None:
                at = stream.socket.getsockname()[0]
                link = Link(opened, outgoing=False, host=host, port=port, timing=self._timing, at=at)
                await self._run_link(link, adopted=self._adopt(link))
        except (LinkError, OSError) as error:
            _log.debug("incoming connection refused: %s", error)
        except Exception:
            _log.exception("an incoming connection failed")
        finally:
            await trio.aclose_forcefully(stream)

    async def _keep_calling(self, key: bytes, call: _Call) -> None:
        """Calls a player whenever there is no link to it."""
        with call.scope:
            while True:
                begin = trio.current_time()
                await self._until(lambda: key not in self._links)
                if trio.current_time() - begin >= self._timing.redial_max:
                    call.pause = 0.0
                with trio.move_on_after(call.pause * (1 + self._jitter()) / 2):
                    await call.changed.wait()
                call.changed = trio.Event()
                if not call.eager and key < self.key:
                    with trio.move_on_after(self._timing.courtesy):
                        await self._until(lambda: key in self._links)
                if key in self._links:
                    continue
                call.pause = min(self._timing.redial_max, max(self._timing.redial_min, 2 * call.pause))
                await self._call(key, call)

    async def _call(self, key: bytes, call: _Call) -> None:
        async def handshake(stream: trio.SocketStream, address: Address) -> Link:
            opened = await greet(StampedStream(stream, self._clock), self._credentials, key)
            return Link(opened, outgoing=True, host=address[0], port=address[1], timing=self._timing)

        try:
            link = await race(call.addresses, self._timing, handshake)
        except LinkError as error:
            call.trouble = str(error)
        except Exception:
            call.trouble = "this end failed"
            _log.exception("a call to player %s failed", key.hex()[:8])
        else:
            call.trouble = None
            self._nursery.start_soon(partial(self._run_link, link, adopted=self._adopt(link)))

    def _admit(self, key: bytes, run: str) -> int:
        """The HTTP status for a player who asks for a link."""
        if self._closing or not self._is_allowed(key):
            return 503 if self._closing else 403
        old = self._links.get(key)
        if old is None:
            return 101 if len(self._links) < self._timing.max_links else 503
        return 101 if self._replaces(old, run, outgoing=False) else 409

    def _replaces(self, old: Link, run: str, *, outgoing: bool) -> bool:
        silent = trio.current_time() - old.heard
        standing = Standing(old.key, old.peer_run, old.outgoing, silent, old.ending)
        return takes_over(self.key, standing, run, outgoing=outgoing, ping=self._timing.ping)

    def _adopt(self, link: Link) -> bool:
        """Takes up a link whose handshakes are done, or says why not and lets it run to its end."""
        old = self._links.get(link.key)
        if self._closing:
            link.close(LEAVING, "this end is leaving")
        elif not self._is_allowed(link.key):
            link.close(NOT_WELCOME, "it is not one of this table's players")
        elif old is not None and not self._replaces(old, link.peer_run, outgoing=link.outgoing):
            link.close(DUPLICATE, "another link to it stands")
        else:
            if old is not None:
                old.close(DUPLICATE, "a newer link has taken its place")
            self._links[link.key] = link
            self._inbox.put(Up(link.key, link.host, link.port, link.outgoing))
            self._notify()
            return True
        return False

    async def _run_link(self, link: Link, *, adopted: bool) -> None:
        def deliver(data: bytes, stamp: int) -> None:
            if adopted and self._is_allowed(link.key):
                self._inbox.put(Frame(link.key, data, stamp), link.allowance)

        self._running.add(link)
        reason = "this end failed"
        try:
            reason = await link.run(deliver)
        except Exception:
            _log.exception("the link to player %s failed", link.key.hex()[:8])
        finally:
            self._running.discard(link)
            if self._links.get(link.key) is link:
                del self._links[link.key]
                self._inbox.put(Down(link.key, reason))
            self._notify()

    async def _serve(self) -> None:
        await trio.serve_listeners(self._accept, self._listeners, handler_nursery=self._nursery)

    async def _close(self) -> None:
        """Says goodbye to everybody, for `Timing.close` at most, also when the surroundings are cancelled."""
        self._closing = True
        for call in self._calls.values():
            call.scope.cancel()
        for link in self._running:
            link.close(LEAVING, "this end is leaving")
        with trio.move_on_after(self._timing.close, shield=True):
            await self._until(lambda: not self._running)


@asynccontextmanager
async def open_mesh(
    identity: Ed25519PrivateKey,
    secret: bytes,
    *,
    port: int | None = None,
    host: str | None = None,
    before: int | None = None,
    allowed: Collection[bytes] | None = None,
    timing: Timing = DEFAULT_TIMING,
    jitter: Callable[[], float] = _system_jitter,
    clock: Callable[[], int] = time.monotonic_ns,
) -> AsyncIterator[Mesh]:
    """A mesh that listens for as long as the context lasts, and says goodbye to everybody at its end.

    `identity`: this player's key; `secret`: the table's 16 bytes; `port`, `host`, `before`: as in `sockets.listen`;
    `allowed`: as in `Mesh.allow`; `jitter`: numbers in [0, 1) that spread redials; `clock`: nanoseconds for the stamps
    of frames. Raises ListenError, PortTaken before anything else happens. An error of the body comes out as it is, not
    in a group.
    """
    credentials = Credentials(identity, secret, secrets.token_hex(8))
    listeners = await listen(port, host, before=before)

    async def run(task_status: trio.TaskStatus[tuple[Mesh, trio.CancelScope]]) -> None:
        # Shielded, so that links outlive a cancelled body long enough to say goodbye; the body ends this scope.
        with trio.CancelScope(shield=True) as scope:
            async with trio.open_nursery() as nursery:
                mesh = Mesh(credentials, listeners, nursery, timing, allowed, jitter, clock)
                nursery.start_soon(mesh._serve)
                task_status.started((mesh, scope))

    failure: Exception | None = None
    async with trio.open_nursery() as outer:
        mesh, scope = await outer.start(run)
        try:
            yield mesh
        except Exception as error:
            failure = error
        finally:
            await mesh._close()
            scope.cancel()
    if failure is not None:
        raise failure

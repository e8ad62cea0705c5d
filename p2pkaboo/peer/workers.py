"""Threads for the cryptography: the event loop reads sockets and stamps what arrives, it never multiplies points.

libsodium gives the interpreter lock back during every operation, so threads on several cores really work side by side.
"""

import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Final, TypeVar

import trio

from p2pkaboo.crypto.runner import Runner, serial
from p2pkaboo.crypto.sigma import check
from p2pkaboo.replica.outputs import Check

T = TypeVar("T")

SWITCH_SECONDS: Final = 0.0005
"""How long a thread may keep the interpreter when the event loop wants it (Python's own default is 5 ms): stamps at the
socket decide races, and between two libsodium calls no thread needs it longer."""

MAX_THREADS: Final = 4
"""More threads than that wait for the interpreter between operations more than they multiply."""

MAKING_THREADS: Final = 2
"""Messages of our own that are made at a time: one of each lane."""

WORKER_NICENESS: Final = 10
"""How much less urgent a worker thread is than the event loop where the system schedules threads one by one (Linux):
with every core busy multiplying, the loop would else wait for a time slice to end before it can read a socket."""


def _stand_back() -> None:
    """Makes the thread that calls this less urgent for good: that of a pool, which does nothing else."""
    if sys.platform == "linux":
        with suppress(OSError):  # where that is not allowed, it is a matter of a few milliseconds
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), WORKER_NICENESS)


class Workers:
    """A pool for chunks and a limit on jobs at once. One job is one message's proofs, or one body."""

    def __init__(self, threads: int | None = None) -> None:
        """`threads`: how many a long job may be spread over; None: as many as there are cores, up to MAX_THREADS."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self._threads = min(MAX_THREADS, os.cpu_count() or 1) if threads is None else threads
        self._pool = ThreadPoolExecutor(self._threads, "chunks", _stand_back) if self._threads > 1 else None
        # Not Trio's own threads: those write the journal too, which has to be quick.
        self._making = ThreadPoolExecutor(MAKING_THREADS, "making", _stand_back)
        self._checking = ThreadPoolExecutor(max(1, self._threads), "checking", _stand_back)
        self.run: Runner = serial if self._pool is None else self._spread

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pool in (self._making, self._checking, self._pool):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)

    def _spread(self, work: Callable[[range], T], chunks: Sequence[range], /) -> list[T]:
        assert self._pool is not None
        return list(self._pool.map(work, chunks))

    async def make(self, work: Callable[[], T]) -> T:
        """Runs a job of our own: others wait for it, so it never queues behind verifications."""
        return await _in(self._making, work)

    async def verify(self, checks: Sequence[Check]) -> int | None:
        """The number of the first check that does not hold; None if all do."""
        return await _in(self._checking, partial(self._verify, checks))

    def _verify(self, checks: Sequence[Check]) -> int | None:
        for at, item in enumerate(checks):
            if check(item.statement, item.proof, self.run) is None:
                return at
        return None


async def _in(pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    """Runs it in a thread of the pool. A job that has begun is waited for, and one that has not is given up, where the
    waiting is cancelled."""
    done, token = trio.Event(), trio.lowlevel.current_trio_token()
    future = pool.submit(work)
    future.add_done_callback(lambda _: token.run_sync_soon(done.set))
    try:
        await done.wait()
    except trio.Cancelled:
        if not future.cancel():
            with trio.CancelScope(shield=True):
                await done.wait()
        raise
    return future.result()

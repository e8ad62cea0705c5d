"""Jobs run in threads of their own, in the order of their pools, and are waited for as long as they run."""

import os
import sys
import threading

import pytest
import trio
import trio.testing

from p2pkaboo.peer.workers import MAKING_THREADS, WORKER_NICENESS, Workers


async def test_a_job_brings_its_result_or_its_error() -> None:
    def fail() -> None:
        raise ValueError("as it should")

    with Workers(2) as workers:
        assert await workers.make(lambda: 7) == 7
        assert await workers.verify([]) is None
        with pytest.raises(ValueError, match="as it should"):
            await workers.make(fail)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a niceness of their own on Linux only")
async def test_jobs_stand_back_and_other_threads_do_not() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    with Workers(1) as workers:
        ours = niceness()
        assert await workers.make(niceness) == min(19, WORKER_NICENESS)
        for _ in range(4):
            assert await trio.to_thread.run_sync(niceness) == ours


async def test_a_cancelled_job_is_waited_for_if_it_has_begun_and_given_up_if_not() -> None:
    begun, go, ran = threading.Semaphore(0), threading.Event(), []

    def long(number: int) -> None:
        begun.release()
        go.wait()
        ran.append(number)

    with Workers(1) as workers:
        async with trio.open_nursery() as nursery:
            for number in range(MAKING_THREADS + 1):
                nursery.start_soon(workers.make, lambda number=number: long(number))
                await trio.testing.wait_all_tasks_blocked()
            for _ in range(MAKING_THREADS):
                await trio.to_thread.run_sync(begun.acquire)
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await trio.testing.wait_all_tasks_blocked()
            go.set()
    assert sorted(ran) == list(range(MAKING_THREADS))

"""What the cryptography of a table costs, part by part, against the floor that libsodium sets.

The floor of a part is the number of group operations it does times the time of one such operation, measured in the same
run: what is above it is this program's own.
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import trio

from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.counting import count_operations, sample_operations
from p2pkaboo.crypto.elgamal import blind, fresh, remove, share, unblind
from p2pkaboo.crypto.group import base_mul, random_scalar, sum_points
from p2pkaboo.crypto.runner import Runner, serial
from p2pkaboo.crypto.shuffle import ShuffleStatement, prove_shuffle, shuffle, verify_shuffle
from p2pkaboo.crypto.sigma import (
    BlindStatement,
    MembershipStatement,
    ShareStatement,
    check,
    prove_blind,
    prove_membership,
    prove_share,
)
from p2pkaboo.peer.workers import Workers

DECK: Final = 54
CANDIDATES: Final = 24
"""Branches of the claim that a drawn card is an ace to six."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: its time and its floor, milliseconds of CPU."""

    name: str
    ms: float
    floor_ms: float

    def row(self) -> dict[str, Any]:
        """As `bench --json` prints it."""
        return {
            "name": self.name,
            "ms": round(self.ms, 3),
            "floor_ms": round(self.floor_ms, 3),
            "ratio_to_floor": round(self.ms / self.floor_ms, 3) if self.floor_ms else None,
        }


def operation_times(repeats: int = 7, calls: int = 300) -> dict[str, float]:
    """Seconds of CPU for one operation of each kind: the best of several rounds, for noise only adds."""
    return {kind: _best(partial(_repeat, op, calls), repeats) / calls for kind, op in sample_operations().items()}


def _repeat(operation: Callable[[], object], calls: int) -> None:
    for _ in range(calls):
        operation()


def _best(work: Callable[[], object], repeats: int) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def measure(name: str, work: Callable[[], object], operations: dict[str, float], repeats: int) -> Part:
    """Best CPU time of `work`, and the floor of the operations that it does."""
    seconds = _best(work, repeats)
    with count_operations() as counts:
        work()
    return Part(name, seconds * 1e3, counts.floor(operations) * 1e3)


def crypto_parts(operations: dict[str, float], seats: int = 4, cards: int = DECK, repeats: int = 5) -> list[Part]:
    """Shuffle, prove, verify for a deck; view and open of one card at a table of `seats`; the claim of 24 branches."""
    context = Context(bytes(64), 1, b"m2", 0)
    secrets = [random_scalar(os.urandom) for _ in range(seats)]
    publics = [base_mul(secret) for secret in secrets]
    key = sum_points(publics)
    deck = tuple(fresh(index, key) for index in range(cards))
    before, _ = shuffle(deck, key, os.urandom)
    after, witness = shuffle(before, key, os.urandom)
    statement = ShuffleStatement(context, key, before, after)
    proof = prove_shuffle(statement, witness, os.urandom)
    card = after[0]
    rho = random_scalar(os.urandom)
    blinded = blind(card.a, rho)

    def view() -> None:
        asked = BlindStatement(context, card.a, blind(card.a, rho))
        check(asked, prove_blind(asked, rho, os.urandom).encode())
        layers = []
        for secret, public in zip(secrets[1:], publics[1:], strict=True):
            given = share(secret, asked.blinded)
            st = ShareStatement(context, public, asked.blinded, given)
            check(st, prove_share(st, secret, os.urandom).encode())
            layers.append(unblind(given, rho, public))
        remove(card.b, [*layers, share(secrets[0], card.a)])

    def opening() -> None:
        layers = []
        for secret, public in zip(secrets, publics, strict=True):
            given = share(secret, card.a)
            st = ShareStatement(context, public, card.a, given)
            check(st, prove_share(st, secret, os.urandom).encode())
            layers.append(given)
        remove(card.b, layers)

    index = _index_of(card, secrets, cards)
    # The card's own branch is among them, whichever card it is.
    candidates = tuple(sorted({index, *range(CANDIDATES)} - ({0} if index >= CANDIDATES else set())))
    claim = MembershipStatement(
        context,
        publics[0],
        card.a,
        blinded,
        card.b,
        sum_points(share(secret, blinded) for secret in secrets[1:]),
        sum_points(publics[1:]),
        candidates,
    )
    claimed = prove_membership(claim, secrets[0], rho, index, os.urandom).encode()
    work: list[tuple[str, Callable[[], object]]] = [
        (f"shuffle {cards}", lambda: shuffle(before, key, os.urandom)),
        (f"prove {cards}", lambda: prove_shuffle(statement, witness, os.urandom)),
        (f"verify {cards}", lambda: verify_shuffle(statement, proof)),
        (f"view one card, {seats} seats", view),
        (f"open one card, {seats} seats", opening),
        (f"or-prove {len(candidates)}", lambda: prove_membership(claim, secrets[0], rho, index, os.urandom)),
        (f"or-verify {len(candidates)}", lambda: check(claim, claimed)),
    ]
    return [measure(name, job, operations, repeats) for name, job in work]


def _index_of(card: Any, secrets: list[int], cards: int) -> int:
    from p2pkaboo.crypto.elgamal import card_index

    index = card_index(remove(card.b, [share(secret, card.a) for secret in secrets]), cards)
    assert index is not None
    return index


def speed_up(cards: int = DECK, repeats: int = 15) -> dict[str, float]:
    """Wall time of shuffle + prove + verify with one thread and with two, the best of so many times each, and how many
    times faster two are."""
    key = base_mul(random_scalar(os.urandom))
    deck = tuple(fresh(index, key) for index in range(cards))
    before, _ = shuffle(deck, key, os.urandom)
    context = Context(bytes(64), 1, b"m2", 0)

    def job(run: Runner) -> None:
        after, witness = shuffle(before, key, os.urandom, run)
        statement = ShuffleStatement(context, key, before, after)
        verify_shuffle(statement, prove_shuffle(statement, witness, os.urandom, run), run)

    with ThreadPoolExecutor(2) as pool:

        def two(work: Callable[[range], Any], chunks: Any) -> list[Any]:
            return list(pool.map(work, chunks))

        times: dict[str, list[float]] = {"one": [], "two": []}
        for _ in range(repeats):  # by turns, so that noise meets both alike
            for name, run in (("one", serial), ("two", two)):
                start = time.perf_counter()
                job(run)
                times[name].append(time.perf_counter() - start)
    one, two_threads = min(times["one"]), min(times["two"])
    return {
        "one_thread_ms": round(one * 1e3, 2),
        "two_threads_ms": round(two_threads * 1e3, 2),
        "ratio": round(one / two_threads, 2),
    }


def loop_holds(seconds: float = 4.0) -> dict[str, float]:
    """How long the event loop is held at a stretch while a peer shuffles, proves and verifies in its workers.

    A watchdog asks to be woken every millisecond and notes how late it is; the numbers are milliseconds.
    """
    late: list[float] = []
    key = base_mul(random_scalar(os.urandom))
    deck = tuple(fresh(index, key) for index in range(DECK))
    context = Context(bytes(64), 1, b"m2", 0)

    async def watch() -> None:
        while True:
            start = time.perf_counter()
            await trio.sleep(0.001)
            late.append((time.perf_counter() - start - 0.001) * 1e3)

    async def work(workers: Workers) -> None:
        before = deck
        while True:

            def job(before: Any = before) -> Any:
                after, witness = shuffle(before, key, os.urandom, workers.run)
                statement = ShuffleStatement(context, key, before, after)
                verify_shuffle(statement, prove_shuffle(statement, witness, os.urandom, workers.run), workers.run)
                return after

            before = await workers.make(job)

    async def main() -> None:
        with Workers() as workers, trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watch)
                nursery.start_soon(work, workers)

    trio.run(main)
    late.sort()
    return {
        "samples": len(late),
        "p50_ms": round(late[len(late) // 2], 3),
        "p99.9_ms": round(late[int(len(late) * 0.999)], 3),
        "max_ms": round(late[-1], 3),
    }

"""A small table for the tests: seats with keys, a masked card, and a statement of every kind with its proof."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from p2pkaboo.crypto.context import Context
from p2pkaboo.crypto.elgamal import Ciphertext, blind, fresh, joint_key, remask, share
from p2pkaboo.crypto.group import Point, Rng, Scalar, base_mul, random_scalar, sum_points
from p2pkaboo.crypto.sharing import (
    ComplaintStatement,
    Part,
    RecoveryKeyStatement,
    SplitStatement,
    complaint,
    prove_complaint,
    prove_recovery_key,
    prove_split,
    split_key,
)
from p2pkaboo.crypto.shuffle import ShuffleStatement, prove_shuffle, shuffle
from p2pkaboo.crypto.sigma import (
    BlindStatement,
    KeyStatement,
    MembershipStatement,
    ShareStatement,
    Statement,
    prove_blind,
    prove_key,
    prove_membership,
    prove_share,
)

T = TypeVar("T")

CANDIDATES = (2, 3, 5, 7, 11)
CARD = 7


def seeded(seed: str) -> Rng:
    """An endless stream of bytes that is the same for the same seed."""
    drawn = 0

    def stream(count: int) -> bytes:
        nonlocal drawn
        drawn += 1
        return hashlib.shake_256(f"{seed}/{drawn}".encode()).digest(count)

    return stream


def context(seat: int = 0, step: bytes = b"step") -> Context:
    return Context(table=b"table" * 8, deal=3, step=step, seat=seat)


def changed(value: T, **changes: Any) -> T:
    """`dataclasses.replace` for fields whose names or types the type checker cannot follow."""
    return replace(value, **changes)  # type: ignore[type-var]


@dataclass(frozen=True)
class Table:
    """Seats with their secrets; `card` is card CARD under masks of everybody, viewed by seat 0 through `rho`."""

    secrets: tuple[Scalar, ...]
    publics: tuple[Point, ...]
    key: Point
    card: Ciphertext
    rho: Scalar
    blinded: Point

    @property
    def others_sum(self) -> Point:
        return sum_points(share(x, self.blinded) for x in self.secrets[1:])

    @property
    def others_key(self) -> Point:
        return joint_key(self.publics[1:])


def table(seats: int = 4, card: int = CARD, seed: str = "table") -> Table:
    rng = seeded(seed)
    secrets = tuple([random_scalar(rng) for _ in range(seats)])
    publics = tuple([base_mul(x) for x in secrets])
    key = joint_key(publics)
    masked = fresh(card, key)
    for _ in range(seats):
        masked = remask(masked, key, random_scalar(rng))
    rho = random_scalar(rng)
    return Table(secrets, publics, key, masked, rho, blind(masked.a, rho))


def deck(cards: int, key: Point) -> tuple[Ciphertext, ...]:
    return tuple([fresh(index, key) for index in range(cards)])


def membership_statement(at: Table, candidates: tuple[int, ...] = CANDIDATES) -> MembershipStatement:
    return MembershipStatement(
        context(0), at.publics[0], at.card.a, at.blinded, at.card.b, at.others_sum, at.others_key, candidates
    )


def spoiled_split(seed: str = "split") -> tuple[SplitStatement, Scalar, tuple[Scalar, ...]]:
    """A split by seat 0 whose part for seat 2 is wrong, its secret k, and all second secrets by seat."""
    at, rng = table(), seeded(seed)
    seconds = tuple([random_scalar(rng) for _ in at.secrets])
    split, k = split_key(context(0), at.secrets[0], [(seat, base_mul(seconds[seat])) for seat in (1, 2, 3)], rng)
    parts = list(split.parts)
    wrong = parts[1]
    parts[1] = Part(wrong.seat, wrong.key, wrong.point, wrong.sealed ^ 1)
    return SplitStatement(split.context, split.public, split.ephemeral, tuple(parts)), k, seconds


def proved_statements(cards: int = 3) -> dict[str, tuple[Statement, bytes]]:
    """One statement of every kind with its encoded proof."""
    at, rng = table(), seeded("proofs")
    key = KeyStatement(context(0), at.publics[0])
    blinding = BlindStatement(context(0), at.card.a, at.blinded)
    sharing = ShareStatement(context(1), at.publics[1], at.blinded, share(at.secrets[1], at.blinded))
    member = membership_statement(at)
    before = deck(cards, at.key)
    after, witness = shuffle(before, at.key, rng)
    shuffling = ShuffleStatement(context(0), at.key, before, after)
    split, k, seconds = spoiled_split()
    recovery = RecoveryKeyStatement(context(2), base_mul(seconds[2]))
    complaining: ComplaintStatement = complaint(context(2), split, seconds[2])
    return {
        "key": (key, prove_key(key, at.secrets[0], rng).encode()),
        "blind": (blinding, prove_blind(blinding, at.rho, rng).encode()),
        "share": (sharing, prove_share(sharing, at.secrets[1], rng).encode()),
        "membership": (member, prove_membership(member, at.secrets[0], at.rho, CARD, rng).encode()),
        "shuffle": (shuffling, prove_shuffle(shuffling, witness, rng).encode()),
        "recovery-key": (recovery, prove_recovery_key(recovery, seconds[2], rng).encode()),
        "split": (split, prove_split(split, k, rng).encode()),
        "complaint": (complaining, prove_complaint(complaining, seconds[2], rng).encode()),
    }

"""The split of a key: parts, complaints, recombination, and what a cheating splitter or complainer can do."""

from dataclasses import replace

import pytest

from p2pkaboo.crypto.group import CryptoDecodeError, G, L, Point, Scalar, base_mul, random_scalar
from p2pkaboo.crypto.sharing import (
    Part,
    RecoveryKeyStatement,
    SplitStatement,
    complaint,
    open_part,
    part_is_right,
    prove_complaint,
    prove_recovery_key,
    prove_split,
    recombine,
    split_key,
    verify_complaint,
    verify_recovery_key,
    verify_split,
)
from p2pkaboo.crypto.sigma import KeyStatement, prove_key
from tests.unit.crypto.samples import changed, context, seeded, spoiled_split, table

AT = table()
OTHERS = (1, 2, 3)


def honest_split() -> tuple[SplitStatement, Scalar, tuple[Scalar, ...]]:
    """A split by seat 0, the secret of its ephemeral, and everybody's second secrets."""
    rng = seeded("honest")
    seconds = tuple([random_scalar(rng) for _ in AT.secrets])
    recipients = [(seat, base_mul(seconds[seat])) for seat in OTHERS]
    split, k = split_key(context(0), AT.secrets[0], recipients, rng)
    return split, k, seconds


def test_the_parts_give_the_key_back() -> None:
    split, k, seconds = honest_split()
    assert verify_split(split, prove_split(split, k, seeded("proof"))) is not None
    assert split.public == AT.publics[0]
    values = {seat: open_part(split, seat, seconds[seat]) for seat in OTHERS}
    parts = {seat: value for seat, value in values.items() if value is not None}
    assert len(parts) == 3
    assert all(part_is_right(split, seat, value) for seat, value in parts.items())
    assert recombine(split, parts) == AT.secrets[0]


def test_fewer_parts_give_nothing() -> None:
    split, _, seconds = honest_split()
    parts = {seat: open_part(split, seat, seconds[seat]) or 0 for seat in OTHERS}
    assert recombine(split, {seat: parts[seat] for seat in (1, 2)}) is None
    assert sum(parts[seat] for seat in (1, 2)) % L != AT.secrets[0]


def test_a_wrong_part_is_noticed() -> None:
    split, _, seconds = honest_split()
    parts = {seat: open_part(split, seat, seconds[seat]) or 0 for seat in OTHERS}
    assert not part_is_right(split, 2, parts[2] + 1)
    assert not part_is_right(split, 0, parts[2])
    assert recombine(split, {**parts, 2: parts[2] + 1}) is None


def test_only_the_recipient_can_open_its_part() -> None:
    split, _, seconds = honest_split()
    assert open_part(split, 1, seconds[2]) is None
    assert open_part(split, 0, seconds[0]) is None


def test_one_seat_alone_can_be_the_recipient() -> None:
    split, k = split_key(context(0), AT.secrets[0], [(1, G)], seeded("two seats"))
    assert verify_split(split, prove_split(split, k, seeded("proof"))) is not None
    assert recombine(split, {1: AT.secrets[0]}) == AT.secrets[0]


@pytest.mark.parametrize("seats", [(), (0,), (0, 1), (2, 1), (1, 1)])
def test_recipients_are_the_others_in_order(seats: tuple[int, ...]) -> None:
    recipients: list[tuple[int, Point]] = [(seat, G) for seat in seats]
    with pytest.raises(ValueError, match="ascending"):
        split_key(context(0), AT.secrets[0], recipients, seeded("order"))
    parts = tuple([Part(seat, G, G, 0) for seat in seats])
    split = SplitStatement(context(0), G * len(parts), G * 5, parts)
    assert verify_split(split, prove_split(split, 5, seeded("order"))) is None


def test_parts_that_do_not_sum_to_the_key_are_refused() -> None:
    split, k, _ = honest_split()
    first = split.parts[0]
    for parts in ((replace(first, point=first.point + G), *split.parts[1:]), split.parts[:2]):
        bad = replace(split, parts=parts)
        assert verify_split(bad, prove_split(bad, k, seeded("proof"))) is None
    other = replace(split, public=AT.publics[1])
    assert verify_split(other, prove_split(other, k, seeded("proof"))) is None


def test_a_copied_ephemeral_is_refused() -> None:
    split, k, _ = honest_split()
    proof = prove_split(split, k, seeded("proof"))
    assert verify_split(replace(split, context=context(3)), proof) is None
    assert verify_split(replace(split, ephemeral=split.ephemeral + G), proof) is None


def test_every_sealed_part_is_bound_by_the_proof() -> None:
    split, k, _ = honest_split()
    proof = prove_split(split, k, seeded("proof"))
    first = split.parts[0]
    for part in (replace(first, sealed=first.sealed ^ 1), replace(first, key=G)):
        assert verify_split(replace(split, parts=(part, *split.parts[1:])), proof) is None


def test_a_bad_part_leads_to_a_complaint_that_everybody_can_check() -> None:
    split, k, seconds = spoiled_split()
    assert verify_split(split, prove_split(split, k, seeded("proof"))) is not None
    assert open_part(split, 1, seconds[1]) is not None
    assert open_part(split, 2, seconds[2]) is None
    statement = complaint(context(2), split, seconds[2])
    assert verify_complaint(statement, prove_complaint(statement, seconds[2], seeded("complaint"))) is not None


def test_a_complaint_about_a_good_part_is_refused() -> None:
    split, _, seconds = spoiled_split()
    statement = complaint(context(1), split, seconds[1])
    assert verify_complaint(statement, prove_complaint(statement, seconds[1], seeded("complaint"))) is None


def test_a_complaint_cannot_lie_about_what_was_sealed() -> None:
    split, _, seconds = spoiled_split()
    wrong = replace(complaint(context(1), split, seconds[1]), opened=G)
    for secret in (seconds[1], 1):
        assert verify_complaint(wrong, prove_complaint(wrong, secret, seeded("complaint"))) is None
    stranger = complaint(context(5), split, seconds[2])
    assert verify_complaint(stranger, prove_complaint(stranger, seconds[2], seeded("complaint"))) is None


def test_a_complaint_belongs_to_one_split() -> None:
    split, _, seconds = spoiled_split()
    statement = complaint(context(2), split, seconds[2])
    proof = prove_complaint(statement, seconds[2], seeded("complaint"))
    for elsewhere in (replace(split, context=context(0, b"x")), replace(split, public=G)):
        assert verify_complaint(replace(statement, split=elsewhere), proof) is None


def test_the_second_key_is_proved_as_such() -> None:
    statement = RecoveryKeyStatement(context(), AT.publics[0])
    proof = prove_recovery_key(statement, AT.secrets[0], seeded("second"))
    assert verify_recovery_key(statement, proof) is not None
    deal_key = KeyStatement(context(), AT.publics[0])
    assert verify_recovery_key(statement, prove_key(deal_key, AT.secrets[0], seeded("key"))) is None


def test_statements_are_whole() -> None:
    split, _, seconds = honest_split()
    with pytest.raises(ValueError, match="seat"):
        Part(-1, G, G, 0)
    with pytest.raises(CryptoDecodeError, match="scalar"):
        Part(1, G, G, L)
    with pytest.raises(TypeError, match="parts"):
        changed(split, parts=list(split.parts))
    with pytest.raises(TypeError, match="split"):
        changed(complaint(context(1), split, seconds[1]), split=None)

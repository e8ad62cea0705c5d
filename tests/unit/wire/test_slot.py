import pytest

from p2pkaboo.wire.limits import MAX_INDEX, MAX_NUMBER
from p2pkaboo.wire.slot import Slot, parse_slot


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("f0", Slot(0, "f", 0)),
        ("m12", Slot(12, "m", 0)),
        ("5w0", Slot(5, "w", 0)),
        ("5d1", Slot(5, "d", 1)),
        (f"m{MAX_NUMBER}", Slot(MAX_NUMBER, "m", 0)),
        (f"{MAX_NUMBER}w{MAX_INDEX}", Slot(MAX_NUMBER, "w", MAX_INDEX)),
    ],
)
def test_written_and_read(text: str, slot: Slot) -> None:
    assert str(slot) == text
    assert parse_slot(text) == slot
    assert slot.is_valid()


@pytest.mark.parametrize(
    "text",
    [
        "", "m", "12", "M1", "m01", "m-1", "m1w0", "5m0", "5f0", "w0", "5w", "5w00", "5w0 ", " m1", "m1\n", "m١",
        f"m{MAX_NUMBER + 1}", f"5w{MAX_INDEX + 1}", f"{MAX_NUMBER + 1}w0", "m" + "1" * 100,
    ],
)  # fmt: skip
def test_other_texts_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="not a slot"):
        parse_slot(text)


@pytest.mark.parametrize(
    "slot",
    [
        Slot(1, "m", 1),
        Slot(1, "f", 1),
        Slot(-1, "m", 0),
        Slot(1, "w", -1),
        Slot(1, "x", 0),
        Slot(1, "", 0),
        Slot(1, "dw", 0),
        Slot(MAX_NUMBER + 1, "m", 0),
        Slot(1, "w", MAX_INDEX + 1),
    ],
)
def test_slots_that_do_not_exist(slot: Slot) -> None:
    assert not slot.is_valid()


def test_the_order_of_the_history() -> None:
    texts = ["f0", "f1", "m2", "m3", "3d0", "3d1", "3w0", "3w1", "3w10", "m4", "4w0", "m10"]
    slots = [parse_slot(text) for text in texts]
    slots.reverse()
    assert [str(slot) for slot in sorted(slots, key=lambda slot: slot.order)] == texts

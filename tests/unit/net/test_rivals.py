import itertools

import pytest

from p2pkaboo.net.rivals import Standing, takes_over

SMALL, LARGE = bytes(32), bytes([255]) * 32
BOTH_ENDS = [(SMALL, LARGE), (LARGE, SMALL)]


def wins(
    own: bytes, other: bytes, old: bool, new: bool, run: str = "a", silent: float = 0.0, ending: bool = False
) -> bool:
    """Whether a new link (`new`: this end called) replaces one that stands (`old`: this end called)."""
    return takes_over(own, Standing(other, "a", old, silent, ending), run, outgoing=new, ping=2.0)


@pytest.mark.parametrize("order", list(itertools.permutations(("small", "large"))))
def test_of_crossing_calls_both_ends_keep_the_smaller_keys_in_whatever_order_they_see_them(
    order: tuple[str, ...],
) -> None:
    for own, other in BOTH_ENDS:
        kept = order[0]
        name = "small" if own == SMALL else "large"
        if wins(own, other, old=kept == name, new=order[1] == name):
            kept = order[1]
        assert kept == "small"


@pytest.mark.parametrize(("own", "other"), BOTH_ENDS)
@pytest.mark.parametrize("caller", [True, False])
def test_a_newer_call_of_the_same_side_wins(own: bytes, other: bytes, caller: bool) -> None:
    assert wins(own, other, caller, caller)


@pytest.mark.parametrize(("own", "other"), BOTH_ENDS)
def test_a_new_run_wins_whoever_calls(own: bytes, other: bytes) -> None:
    for old, new in itertools.product((True, False), repeat=2):
        assert wins(own, other, old, new, run="b")


@pytest.mark.parametrize(("own", "other"), BOTH_ENDS)
def test_a_link_that_is_silent_or_ending_is_not_defended(own: bytes, other: bytes) -> None:
    smaller_called = own == SMALL
    assert not wins(own, other, smaller_called, not smaller_called, silent=3.0)
    assert wins(own, other, smaller_called, not smaller_called, silent=3.1)
    assert wins(own, other, smaller_called, not smaller_called, ending=True)

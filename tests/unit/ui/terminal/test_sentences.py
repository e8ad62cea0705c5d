"""What the terminal says of a table: what to do, or for whom everybody waits, and the line under it."""

import pytest
from msgspec.structs import replace

from p2pkaboo.peer import api
from p2pkaboo.peer.api import Choice, Say, Table
from p2pkaboo.ui.terminal.aim import Aim
from p2pkaboo.ui.terminal.sentences import detail, waiting, yours
from tests.e2e.web.scenes import base, own, place, snap_all
from tests.unit.ui.terminal.moments import NOW

TAKE, CALL = Choice(command="take"), Choice(command="call", confirm=True)
PEEK, SPY = Choice(command="peek", mine=own(0, 1)), Choice(command="spy", theirs=(place(1, 0),))
SWAP = Choice(command="swap", mine=own(0, 1), theirs=(place(1, 0),))


def with_seat(table: Table, seat: int, **changes: object) -> Table:
    seats = list(table.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(table, seats=tuple(seats))


def key_of(said: Say | None) -> str | None:
    return None if said is None else said.key


@pytest.mark.parametrize(
    ("choices", "power", "key"),
    [
        ((TAKE, CALL), "", "todo.take_only"),
        ((TAKE,), "", "todo.take"),
        ((PEEK, SPY), "", "todo.look_two"),
        ((SPY,), "", "todo.spy"),
        ((PEEK,), "", "todo.peek"),
        ((SWAP,), "", "todo.swap"),
        ((PEEK,), "look-two-swap", "todo.look_two"),
        ((), "", None),
    ],
)
def test_what_is_asked_of_you(choices: tuple[Choice, ...], power: str, key: str | None) -> None:
    """Where powers come before the discard, the table tells no power: the choices do."""
    table = base(NOW, phase="power" if power else "drawn", power=power, choices=choices)
    assert key_of(yours(table)) == key


def test_a_power_before_the_discard_says_what_becomes_of_the_card() -> None:
    held = api.Held(seat=0, face="QS")
    table = base(NOW, phase="drawn", held=held, choices=(PEEK,))
    assert detail(table, Aim()) == Say(key="detail.power_first", params={"card": "QS"})


@pytest.mark.parametrize("power", ["peek", "spy", "swap", "look-swap", "look-two-swap"])
def test_a_power_is_named_and_not_the_card_that_may_have_covered_it(power: str) -> None:
    table = base(NOW, phase="power", turn=1, power=power, choices=())
    assert waiting(table) == Say(key=f"todo.wait_power.{power}", params={"seat": 1})


@pytest.mark.parametrize("phase", ["turn", "drawn", "power", "gift"])
def test_your_own_move_under_way_is_no_waiting_for_you(phase: str) -> None:
    table = base(NOW, phase=phase, turn=0, choices=())
    assert (waiting(table).key, key_of(detail(table, Aim()))) == ("todo.moment", "detail.moment")
    watched = replace(table, you=None)
    assert waiting(watched).key != "todo.moment"
    other = replace(table, turn=1)
    assert (waiting(other).key, key_of(detail(other, Aim()))) != ("todo.moment", "detail.moment")


def test_a_gift_that_is_yours_to_give_is_your_move() -> None:
    table = base(NOW, phase="gift", turn=1, gift_from=0, gift_to=place(2, 1), choices=())
    assert waiting(table).key == "todo.moment"
    assert waiting(replace(table, gift_from=1)).key == "todo.wait_gift"


def test_who_is_lost_is_waited_for_with_and_without_a_time() -> None:
    away = with_seat(base(NOW, turn=1, choices=()), 2, link="away", grace=None)
    assert waiting(away) == Say(key="todo.wait_link", params={"seat": 2})
    assert detail(away, Aim()) == Say(key="detail.wait_link", params={"seat": 2})
    silent = with_seat(base(NOW, turn=1, choices=()), 2, link="silent")
    assert waiting(silent) == Say(key="todo.wait_silent", params={"seat": 2})


@pytest.mark.parametrize(
    ("pending", "key"),
    [("pending.snap", "detail.snapped"), ("pending.draw", "detail.moment"), ("pending.discard", "detail.pending")],
)
def test_what_you_have_decided(pending: str, key: str) -> None:
    table = base(NOW, turn=1, choices=(snap_all(),), pending=Say(key=pending))
    assert key_of(detail(table, Aim())) == key


def test_the_last_of_the_final_turns_is_told() -> None:
    table = base(NOW, caller=1, choices=(Choice(command="draw"),))
    table = with_seat(table, 1, called=True, hands_off=False)
    assert key_of(detail(with_seat(table, 2, final_turn="to_come"), Aim())) == "detail.final"
    assert key_of(detail(with_seat(table, 2, final_turn="done"), Aim())) == "detail.final_last"
    assert key_of(detail(with_seat(table, 1, hands_off=True), Aim())) == "detail.hands_off"

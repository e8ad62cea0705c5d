"""What the terminal's tests share: the moments of the page's tests, some more of them, and a model that shows one."""

from msgspec.structs import replace

from p2pkaboo.peer import api
from p2pkaboo.peer.api import Choice, Snapshot
from p2pkaboo.ui.terminal.model import Model
from tests.e2e.web import scenes
from tests.e2e.web.scenes import at_table, base, hand, own, place, snap_all

NOW = 1_000


def model(snapshot: Snapshot, width: int = 100, height: int = 30) -> Model:
    shown = Model()
    shown.resize(width, height)
    shown.heard(snapshot)
    return shown


def text(shown: Model) -> str:
    """The picture as plain text."""
    return "\n".join(line.plain.rstrip() for line in shown.lines())


def press(shown: Model, *keys: str) -> list[api.AnyCommand]:
    """All commands that some keys give."""
    return [command for key in keys for command in shown.key(key)]


def scene(name: str) -> Snapshot:
    return scenes.SCENES[name](NOW)


def multi() -> Snapshot:
    """Several equal cards may be exchanged; a kept card goes to an end that must be named."""
    choices = (
        Choice(command="exchange", mine=own(0, 1, 2, 3), least=1, most=4, ends=True, confirm=True),
        Choice(command="discard"),
    )
    return at_table(NOW, base(NOW, phase="drawn", held=api.Held(seat=0, face="4H"), choices=choices))


def first_look(count: int = 2) -> Snapshot:
    """Two of `count` cards may be looked at."""
    look = Choice(command="peek_initial", mine=own(*range(count)), least=2, most=2)
    table = base(NOW, phase="first_look", turn=None, choices=(look,))
    me = replace(table.seats[0], places=hand(max(4, count)))
    return at_table(NOW, replace(table, seats=(me, *table.seats[1:])))


def swap(*, anywhere: bool = False) -> Snapshot:
    theirs = tuple(place(s, p) for s in (1, 2) for p in range(4))
    mine = (*own(0, 1, 2, 3), *theirs) if anywhere else own(0, 1, 2, 3)
    choices = (
        Choice(command="swap", mine=mine, theirs=(*theirs, *own(0, 1, 2, 3)) if anywhere else theirs),
        Choice(command="skip", power="swap"),
    )
    return at_table(NOW, base(NOW, phase="power", power="swap", choices=choices))


def look_swap() -> Snapshot:
    """A card was looked at; it may be swapped with one of one's own."""
    choices = (
        Choice(command="swap", mine=own(0, 1, 2, 3), theirs=(place(2, 1),)),
        Choice(command="skip", power="look-swap"),
    )
    return at_table(NOW, base(NOW, phase="power", power="look-swap", choices=choices))


def queen() -> Snapshot:
    """Kabbu's queen: look at one of one's own and one of another's, in either order."""
    choices = (
        Choice(command="peek", mine=own(0, 1, 2, 3)),
        Choice(command="spy", theirs=tuple(place(1, p) for p in range(4))),
    )
    held = api.Held(seat=0, face="QS")
    return at_table(NOW, base(NOW, phase="power", power="look-two-swap", held=held, choices=choices))


def waiting() -> Snapshot:
    """Ben is on turn; the discard can be snapped."""
    return at_table(NOW, base(NOW, turn=1, choices=(snap_all(),)))


def watching() -> Snapshot:
    return at_table(NOW, base(NOW, you=None, turn=1))


def gift(*, confirm: bool = True) -> Snapshot:
    shown = scene("race")
    assert shown.table is not None
    choices = (Choice(command="give", mine=own(0, 1, 2, 3), confirm=confirm), Choice(command="no_gift"))
    return replace(shown, table=replace(shown.table, choices=choices))


def caught_but_going_on() -> Snapshot:
    shown = scene("cheat")
    assert shown.table is not None
    assert shown.table.caught is not None
    table = replace(shown.table, phase="turn", turn=1, caught=replace(shown.table.caught, next="goes_on"), choices=())
    return replace(shown, table=table)


def match_over() -> Snapshot:
    shown = scene("result")
    assert shown.table is not None
    assert shown.table.result is not None
    result = replace(shown.table.result, match_over=True, winners=(1,))
    return replace(shown, table=replace(shown.table, result=result, choices=()))


def everything() -> list[Snapshot]:
    """Every moment there is."""
    return [
        *(make(NOW) for make in scenes.SCENES.values()),
        Snapshot(number=1, now_ms=NOW, screen="joining", me=scenes.ME),
        Snapshot(number=1, now_ms=NOW, screen="start", me=scenes.ME),
        Snapshot(number=1, now_ms=NOW, screen="table", me=scenes.ME),
        multi(),
        first_look(),
        first_look(6),
        swap(),
        swap(anywhere=True),
        look_swap(),
        queen(),
        waiting(),
        watching(),
        gift(),
        caught_but_going_on(),
        match_over(),
    ]

"""A bot's seat, on a host of its own, that also says when things happened: `python -m race_seat NAMESPACE`.

It is `p2pkaboo.cli.seat_process` inside a network namespace. Beside that one's lines it writes, with nanoseconds of the
monotonic clock that all processes of a machine share: `press` (its player snapped), `window` (all have said SNAP or
NONE; with the time since the window's zero), `order` (the order of a race is known here), `card` (its first card is
open here). A window is named by deal, number and index.
"""

import ctypes
import sys
import time
from pathlib import Path
from typing import Any, Final

CLONE_NEWNET: Final = 0x40000000
"""Network namespaces (linux/sched.h)."""


def enter(namespace: str) -> None:
    """Moves this process to another host. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    with (Path("/var/run/netns") / namespace).open("rb") as handle:
        if libc.setns(handle.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"cannot enter the network namespace {namespace}")


def watch() -> None:
    """Has every seat of this process say when things happened."""
    from p2pkaboo.cli.seat_process import say_line
    from p2pkaboo.peer.kept import KeptDeal
    from p2pkaboo.peer.seat import SeatRunner
    from p2pkaboo.replica.clock import zero_of
    from p2pkaboo.replica.outputs import Output, StepClosed
    from p2pkaboo.rules.state import Handle

    press, news = SeatRunner.press, SeatRunner._news
    races: dict[int, tuple[int, int, int]] = {}

    def watched_press(self: SeatRunner, handle: Handle, at: int | None = None) -> bool:
        lanes, now = self.current.lanes, time.monotonic_ns()
        pressed = press(self, handle, at)
        if pressed and lanes is not None and lanes.window is not None:
            slot = lanes.window.slot
            say_line("press", race=(self.current.deal, slot.number, slot.index), at=now)
        return pressed

    def watched_news(self: SeatRunner, kept: KeptDeal, output: Output) -> None:
        news(self, kept, output)
        if not isinstance(output, StepClosed) or output.slot.lane != "w":
            return
        deal, slot, now = kept.deal, output.slot, time.monotonic_ns()
        if output.kind == "WINDOW":
            said = [deal.held[slot, seat].kind for seat in deal.active]
            before = (step for step in reversed(deal.history) if step.slot.order < slot.order and step.slot.lane != "d")
            closed = next(before, None)
            zero = None if closed is None else zero_of(self.clock, deal.deal, closed)
            waited = None if zero is None else self.now() - zero
            race = (deal.deal, slot.number, slot.index)
            say_line("window", race=race, at=now, snaps=said.count("SNAP"), waited_us=waited)
        elif output.kind == "WITNESS":
            races[deal.deal] = race = (deal.deal, slot.number, slot.index - 1)
            say_line("order", race=race, at=now)
        elif output.kind == "OPEN" and deal.deal in races:
            say_line("card", race=races.pop(deal.deal), at=now)

    patched: Any = SeatRunner
    patched.press, patched._news = watched_press, watched_news


if __name__ == "__main__":
    enter(sys.argv[1])
    from p2pkaboo.cli import seat_process

    watch()
    seat_process.main()

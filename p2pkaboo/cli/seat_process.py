"""One bot's seat in its own process: `python -m p2pkaboo.cli.seat_process`, configured by one JSON line on stdin.

It writes JSON lines to stdout: `{"event": "invite", …}` when it opened a table, `{"event": "seated", …}`, and last
`{"event": "result", …}` with everything that `match --json` reports of a seat.
"""

import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Protocol

import msgspec
import trio

from p2pkaboo.cli.bot_player import BotPlayer
from p2pkaboo.cli.main import GC_THRESHOLD
from p2pkaboo.cli.report import rounds_report
from p2pkaboo.journal.errors import JournalError
from p2pkaboo.net.invite import Invite
from p2pkaboo.peer.place import Place, open_place
from p2pkaboo.peer.play import (
    Seated,
    TableWish,
    form_table,
    make_invite,
    play_match,
    seat_down,
    sit_again,
    table_mesh,
)
from p2pkaboo.peer.workers import Workers
from p2pkaboo.players.whims import whimsical_bot
from p2pkaboo.rules.ruleset import from_plain
from p2pkaboo.wire.bodies import RacePreset


class SeatOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a seat process is told. `invite` "": it opens the table itself, for `seats` players under `rules`."""

    profile: str
    name: str
    style: str = ""
    seed: int | None = None
    invite: str = ""
    rules: dict[str, object] | None = None
    seats: int = 0
    race: RacePreset = "auto"
    resume: bool = False
    threads: int = 1
    patience: float = 1.0
    react_ms: tuple[int, int] = (200, 500)
    local: bool = True
    """Listen on the loopback address only."""
    attended: bool = False
    """End when whoever gave the order closes this process's stdin, or ends."""


class Say(Protocol):
    """Takes one thing that there is to say: an event and its fields."""

    def __call__(self, event: str, **fields: object) -> None: ...


def bot_player(order: SeatOrder) -> BotPlayer:
    """The bot of this seat: style and seed decide its whims, never keys or permutations."""
    bot, between = whimsical_bot(order.style, order.seed, order.react_ms)
    return BotPlayer(bot, between, patience=order.patience)


async def play_seat(order: SeatOrder, say: Say) -> Seated:
    """Opens or joins a table (or goes back to one) and plays its match."""
    host = "127.0.0.1" if order.local else None
    async with open_place(Path(order.profile)) as place:
        with Workers(order.threads) as workers:
            player = bot_player(order)
            left = (place.journal.unfinished() or place.journal.history())[:1] if order.resume else []
            for row in left:
                port = row.about.get("port")
                before = port if isinstance(port, int) else None
                async with table_mesh(place, row.secret, host=host, before=before) as mesh:
                    seated = sit_again(place, mesh, row, player, workers)
                    return await _play(place, seated, say)
            invite = Invite.decode(order.invite, time.time()) if order.invite else None
            secret = os.urandom(16) if invite is None else invite.secret
            async with table_mesh(place, secret, host=host) as mesh:
                wish = None
                opener = place.identity.public.encoded
                if invite is None:
                    assert order.rules is not None
                    wish = TableWish(from_plain(order.rules), order.seats, race=order.race)
                    say("invite", invite=make_invite(place, secret, mesh).encode())
                else:
                    opener = invite.contacts[0].key
                    for contact in invite.contacts:
                        mesh.dial(contact.key, contact.addresses, eager=True)
                lobby = await form_table(place, mesh, name=order.name, secret=secret, opener=opener, wish=wish)
                seated = seat_down(place, mesh, lobby, player, workers, table_name="Match", about={"bot": True})
                return await _play(place, seated, say)


async def _play(place: Place, seated: Seated, say: Say) -> Seated:
    """The match itself; the result is said before the seat goes on answering those who are not done."""
    say("seated", seat=seated.runner.seat, pid=os.getpid())
    await play_match(place, seated, linger=False)
    say("result", **result_of(seated))
    await seated.runner.linger()
    return seated


async def attend(order: SeatOrder) -> None:
    """Plays the match; an attended seat ends with its master."""
    async with trio.open_nursery() as nursery:
        if order.attended:
            nursery.start_soon(_until_alone, nursery.cancel_scope)
        await play_seat(order, say_line)
        nursery.cancel_scope.cancel()


async def _until_alone(scope: trio.CancelScope) -> None:
    # os.read, not the buffered stdin: the thread is left behind in it at the end and must hold no lock of Python's.
    while await trio.to_thread.run_sync(os.read, 0, 1, abandon_on_cancel=True):
        pass
    scope.cancel()


def say_line(event: str, **fields: object) -> None:
    """Says it as one JSON line on stdout."""
    print(json.dumps({"event": event, **fields}), flush=True)


def result_of(seated: Seated) -> dict[str, object]:
    """What the process that started this one reports of the seat."""
    runner = seated.runner
    return {
        "seat": runner.seat,
        "names": list(seated.charter.shown_names),
        "outcome": seated.outcome,
        "fault": None
        if runner.fault is None
        else {"seat": runner.fault.seat, "code": runner.fault.code, "slot": str(runner.fault.slot)},
        "transcript": str(seated.transcript),
        "rounds": rounds_report(runner),
        "cpu_s": time.process_time(),
    }


def main() -> None:
    """Reads the order, plays, reports. What somebody can do something about, a full disk, is one line on stderr."""
    gc.set_threshold(GC_THRESHOLD)  # as every command of the program has it
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=SeatOrder)
    try:
        trio.run(attend, order)
    except* (JournalError, OSError) as group:
        first: BaseException = group
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        print(f"p2pkaboo: the seat of {order.name}: {first}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()

"""One seat from its table's lobby to the last audit, kept in the profile's journal all the way."""

import os
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import trio

from p2pkaboo.audit.history import match_transcript
from p2pkaboo.journal.store import MatchId, MatchRow
from p2pkaboo.journal.transcripts import save_transcript
from p2pkaboo.net.inbox import Down, Frame, Up
from p2pkaboo.net.invite import MAX_CONTACT_ADDRESSES, Contact, Invite
from p2pkaboo.net.mesh import Mesh, open_mesh
from p2pkaboo.peer.kept import Saved
from p2pkaboo.peer.lobby import Lobby
from p2pkaboo.peer.place import Place, now_us
from p2pkaboo.peer.player import Player
from p2pkaboo.peer.restart import SECRETS_LOST
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.workers import Workers
from p2pkaboo.replica.charter import Charter
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.forming import charter_from, check_nonce, open_offer
from p2pkaboo.rules.ruleset import Ruleset, to_plain
from p2pkaboo.wire.bodies import RacePreset
from p2pkaboo.wire.envelope import decode_envelope

INVITE_SECONDS: Final = 24 * 3600
"""How long an invite may be used: a day, for friends who answer in the evening."""


@dataclass(slots=True)
class TableWish:
    """What the opener wants: rules, race preset, how many seats, the table's name."""

    rules: Ruleset
    seats: int
    name: str = "Kitchen table"
    race: RacePreset = "auto"


@dataclass(slots=True)
class Seated:
    """A seat at a table whose match is under way or over."""

    match: MatchId
    runner: SeatRunner
    charter: Charter
    transcript: Path | None = None
    outcome: str = ""
    early: list[Frame] = field(default_factory=list)


class _After:
    """A mesh whose first events are those that came before their reader was there."""

    def __init__(self, mesh: Mesh, early: Iterable[Frame]) -> None:
        self._mesh, self._early = mesh, list(early)[::-1]

    def send(self, key: bytes, data: bytes) -> bool:
        return self._mesh.send(key, data)

    def broadcast(self, data: bytes) -> int:
        return self._mesh.broadcast(data)

    def connected(self) -> tuple[bytes, ...]:
        return self._mesh.connected()

    async def receive(self) -> Up | Down | Frame:
        if self._early:
            await trio.lowlevel.checkpoint()
            return self._early.pop()
        return await self._mesh.receive()


def make_invite(place: Place, secret: bytes, mesh: Mesh) -> Invite:
    """The invite to a table that this peer opened."""
    contact = Contact(place.identity.public.encoded, tuple(mesh.addresses())[:MAX_CONTACT_ADDRESSES])
    return Invite(int(time.time()) + INVITE_SECONDS, secret, (contact,))


@asynccontextmanager
async def table_mesh(
    place: Place, secret: bytes, *, port: int | None = None, host: str | None = None, before: int | None = None
) -> AsyncIterator[Mesh]:
    """The links of one table. `before`: the port that they had in an earlier run, used again if nobody else has it.

    Raises PortTaken when a `port` is given and taken.
    """
    async with open_mesh(place.signing_key, secret, port=port, host=host, before=before) as mesh:
        yield mesh


async def form_table(
    place: Place,
    mesh: Mesh,
    *,
    name: str,
    secret: bytes,
    opener: bytes,
    wish: TableWish | None = None,
    ready: bool = True,
    changed: Callable[[], None] = lambda: None,
    opened: Callable[[Lobby], None] = lambda lobby: None,
) -> Lobby:
    """Sits in the lobby until everybody has signed the charter. `opened` is handed the lobby at once, for screens.

    Raises LeftOut when the others have formed the table without this player.
    """
    lobby = Lobby(
        identity=place.identity,
        name=name,
        secret=secret,
        opener=opener,
        wires=mesh,
        rng=os.urandom,
        now=now_us,
        rules=None if wish is None else wish.rules,
        race="auto" if wish is None else wish.race,
        wanted=None if wish is None else wish.seats,
        table_name="" if wish is None else wish.name,
        chairs=None if wish is None else wish.seats,
        ready=ready,
        changed=changed,
    )
    opened(lobby)
    await lobby.run()
    return lobby


def seat_down(
    place: Place,
    mesh: Mesh,
    lobby: Lobby,
    player: Player,
    workers: Workers,
    *,
    table_name: str,
    about: dict[str, object],
) -> Seated:
    """From a signed charter to a running seat: the match is noted in the journal before its first message."""
    charter = lobby.forming.charter
    if charter is None:
        raise LocalError("the charter is not signed")
    mesh.allow(charter.keys)
    people = {person.key: person.addresses for person in lobby.people.values() if person.key in charter.keys}
    match = place.journal.start_match(
        secret=lobby.forming.secret,
        table_name=table_name,
        opened=lobby.is_opener,
        own_name=lobby.name,
        contacts=[[key, [list(address) for address in addresses]] for key, addresses in people.items()],
        about={**about, "rules": to_plain(charter.rules), "names": list(charter.shown_names), "port": mesh.port},
        started=int(time.time()),
    )
    writer = place.journal.writer(match)
    messages = lobby.messages()
    writer.note_known("forming", messages)
    writer.commit()
    for key, addresses in people.items():
        mesh.dial(key, addresses)
    runner = SeatRunner(
        identity=place.identity,
        charter=charter,
        forming=messages,
        wires=_After(mesh, lobby.later),
        journal=writer,
        player=player,
        workers=workers,
        rng=os.urandom,
        now=now_us,
    )
    for seat, key in enumerate(charter.keys):
        for trip in lobby.trips(key):
            runner.clock.pinged(seat, trip)
    return Seated(match, runner, charter)


def sit_again(place: Place, mesh: Mesh, row: MatchRow, player: Player, workers: Workers) -> Seated:
    """Back to the seat of an unfinished match: replica, secrets and memory are rebuilt from the journal."""
    rows = list(place.journal.rows(row.id))
    known = {entry.name: entry.plain for entry in rows if entry.kind == "known"}
    messages = known.get("forming")
    if not isinstance(messages, list):
        raise LocalError("the journal has no charter for this match")
    charter = charter_of(messages)
    mesh.allow(charter.keys)
    assert isinstance(row.contacts, list)
    for key, addresses in row.contacts:
        mesh.dial(key, [(host, port) for host, port in addresses], eager=True)
    runner = SeatRunner(
        identity=place.identity,
        charter=charter,
        forming=messages,
        wires=_After(mesh, ()),
        journal=place.journal.writer(row.id),
        player=player,
        workers=workers,
        rng=os.urandom,
        now=now_us,
        saved=[
            Saved(entry.kind, entry.name, entry.data, entry.plain if entry.kind == "choice" else None)
            for entry in rows
            if entry.kind != "known"
        ],
    )
    return Seated(row.id, runner, charter)


def charter_of(messages: list[bytes]) -> Charter:
    """The charter that saved forming messages make. Raises PeerFault when they make none."""
    envelopes = [decode_envelope(data) for data in messages]
    sitting = open_offer(envelopes[0])
    count = len(sitting.joins)
    return charter_from(sitting, [check_nonce(sitting, envelope) for envelope in envelopes[1 : 1 + count]])


def _why(runner: SeatRunner) -> str:
    if runner.fault is not None:
        return runner.fault.code
    return "left" if runner.lost is None else SECRETS_LOST


async def play_match(place: Place, seated: Seated, *, linger: bool = True) -> Seated:
    """Plays to the end, writes the transcript and closes the match in the journal."""
    runner = seated.runner
    await runner.run()
    data = await trio.to_thread.run_sync(
        partial(match_transcript, list(runner.forming), runner.deals), abandon_on_cancel=False
    )
    row = place.journal.match(seated.match)
    path = place.profile.transcript_path(seated.match, row.table_name, row.started)
    save_transcript(path, data)
    seated.transcript = path
    last = runner.deals[-1]
    seated.outcome = "finished" if runner.finished else f"stopped: {_why(runner)}"
    names = list(seated.charter.shown_names)
    summary: dict[str, object] = {"names": names, "seat": runner.seat, "rounds": len(runner.deals)}
    if last.score is not None:
        summary["totals"] = [last.score.totals[seat] for seat in last.active]
        summary["winners"] = list(last.score.winners)
    place.journal.finish_match(seated.match, outcome=seated.outcome, summary=summary, finished=int(time.time()))
    if linger:
        await runner.linger()
    return seated

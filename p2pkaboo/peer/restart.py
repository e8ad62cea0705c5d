"""A seat that was stopped goes on from its journal: nothing is said or made anew before the others have told what they
have of it.

Replica, secrets and the choice under way come from the journal's rows. The others may hold newer messages of ours than
an older copy of a journal does: those are adopted, or the seat is lost, because it could only contradict itself.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Final

import trio

from p2pkaboo.peer.intake import Intake
from p2pkaboo.peer.kept import KeptDeal, Saved
from p2pkaboo.peer.talk import Talk
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.own import missing_secret
from p2pkaboo.rules.moves import from_plain
from p2pkaboo.wire.envelope import Envelope, decode_envelope, verify_envelope

log = logging.getLogger(__name__)

CATCH_UP_SECONDS: Final = 1.0
"""After a restart nothing is said until every seat has told what it has of ours and this long has gone by."""

CATCH_UP_LIMIT: Final = 6.0
"""How long a restart waits for seats that do not answer: past it the table waits for us, not we for it."""

SECRETS_LOST: Final = "secrets-lost"
"""Outcome at a seat whose own messages are newer than its journal, which is an older copy: it cannot stand by them."""


class Restart:
    """What a seat has left of the run before. `holding`: nothing is said yet; `lost`: why this seat cannot go on, where
    that is its own journal's fault; `give_up` is called when that is found. `failed` is told which messages were
    refused for a proof, and for which."""

    def __init__(
        self, talk: Talk, now: Callable[[], int], failed: MutableMapping[bytes, int], give_up: Callable[[], None]
    ) -> None:
        self.holding = False
        self.lost: str | None = None
        self._talk, self._now, self._failed, self._give_up = talk, now, failed, give_up
        self._secrets: dict[int, list[tuple[str, bytes]]] = {}
        self._adopted = 0

    def restore(self, rows: Iterable[Saved], intake: Intake, turn: Callable[[], None]) -> None:
        """Rebuilds replica, secrets and the player's memory from the journal's rows. Raises LocalError for a message
        that its seat has not signed."""
        choice: object = None
        for row in rows:
            if row.kind in ("received", "sent"):
                self._restore_envelope(row, intake)
                turn()
            elif row.kind == "secret":
                self._restore_secret(row)
            elif row.kind == "choice":
                choice = row.plain
        match choice:
            case [int(number), int(lanes), list(plain)] if self._waits_in(number, lanes):
                self._talk.deals[-1].desk.choice = from_plain(plain)
        self.holding = True

    def _restore_envelope(self, row: Saved, intake: Intake) -> None:
        envelope = decode_envelope(row.data)
        signed = verify_envelope(envelope, self._talk.publics[envelope.seat])
        if signed is None:
            raise LocalError("the journal holds a message whose signature does not verify")
        if row.name:
            self._failed[envelope.hash] = int(row.name)
        intake.take(signed)

    def _restore_secret(self, row: Saved) -> None:
        number, _, name = row.name.partition("/")
        kept = next((kept for kept in self._talk.deals if kept.deal.deal == int(number)), None)
        if kept is not None:
            kept.own.remember(name, row.data)
        else:  # its deal begins when others have given us back the end of the one before
            self._secrets.setdefault(int(number), []).append((name, row.data))

    def _waits_in(self, number: int, lanes: int) -> bool:
        """Whether the choice made in these lanes is still to be carried out: its ACTION has not joined them."""
        deal = self._talk.current
        return deal.deal == number and deal.lanes is not None and deal.lanes.number == lanes

    def give_secrets(self, kept: KeptDeal) -> None:
        """A deal has begun: the secrets that were saved for it are its own."""
        for name, value in self._secrets.pop(kept.deal.deal, []):
            kept.own.remember(name, value)

    def adopt(self, kept: KeptDeal, envelope: Envelope) -> None:
        """A message of our own that was not made in this run. Our time goes on from it; without what it stands on (our
        journal is an older copy then) we could only contradict ourselves."""
        self._adopted += 1
        kept.desk.said.add(envelope.slot)
        kept.carried += max(0, envelope.elapsed - kept.elapsed(self._now()))
        lacks = None if kept.deal.over else missing_secret(kept.own, envelope.body)
        if lacks is not None and self.lost is None:
            self.lost = (
                f"the others hold our {envelope.kind} at {envelope.slot} of round {envelope.deal}, which is newer than "
                f"this journal, and {lacks} was lost with the newer one: this seat cannot be taken again"
            )
            log.error("%s", self.lost)
            self._give_up()

    async def catch_up(
        self, until: Callable[[Callable[[], bool]], Awaitable[None]], steps: Callable[[], int], turn: Callable[[], None]
    ) -> None:
        """Holds until the others have told what they have of ours, or do not answer, and nothing has come of it for a
        while. `until` waits for a condition; `steps` counts those that are complete.

        Only what brings us on counts, steps and messages of our own: one seat could else keep us silent for ever, and
        so make us look lost, with a message of its own a second that nobody needs."""
        others = set(self._talk.current.active) - {self._talk.seat}

        def is_told() -> bool:
            heard = self._talk.heard
            return others <= heard.keys() and max(heard.values()) <= self._talk.current.deal

        with trio.move_on_after(CATCH_UP_LIMIT):
            await until(is_told)
        before = -1
        while before != steps() + self._adopted:
            before = steps() + self._adopted
            await trio.sleep(CATCH_UP_SECONDS)
        self.holding = False
        turn()

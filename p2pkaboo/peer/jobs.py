"""What a running seat has under way beside its event loop: proofs to check, messages to make, rounds to audit.

Each job goes to the workers, and what it brings is put into the replica on the event loop again. A message of our own
is saved, together with everything it stands on, before it leaves.
"""

from collections.abc import Callable, Sequence
from functools import partial

import trio

from p2pkaboo.audit.auditor import audit_round
from p2pkaboo.audit.history import deal_envelopes
from p2pkaboo.crypto.group import Rng
from p2pkaboo.peer.bodies import work_for
from p2pkaboo.peer.kept import Journal, KeptDeal
from p2pkaboo.peer.talk import Talk
from p2pkaboo.peer.workers import Workers
from p2pkaboo.replica.desk import Duty
from p2pkaboo.replica.duties import taken_up
from p2pkaboo.replica.outputs import Check
from p2pkaboo.replica.own import Made, Work
from p2pkaboo.replica.table import receive, verdict
from p2pkaboo.rules.moves import to_plain
from p2pkaboo.wire.envelope import Envelope, seal


class Jobs:
    """One seat's jobs. `nursery`: where they run, None before and after; `made`: hashes of the messages made in this
    run; `failed`: of each message that the run before has refused for a proof, by its hash, which one. `turn` is called
    after each job that has changed something."""

    def __init__(
        self,
        talk: Talk,
        workers: Workers,
        journal: Journal,
        rng: Rng,
        now: Callable[[], int],
        turn: Callable[[], None],
    ) -> None:
        self.nursery: trio.Nursery | None = None
        self.made: set[bytes] = set()
        self.failed: dict[bytes, int] = {}
        self._talk, self._workers, self._journal = talk, workers, journal
        self._rng, self._now, self._turn = rng, now, turn
        self._saving = trio.Lock()
        self._disk = trio.CapacityLimiter(1)
        """A thread for the journal: no message waits for those in which names of others' machines are looked up."""
        self._audited = trio.Event()

    # ---------------------------------------------------------------- what others have said

    def verify(self, kept: KeptDeal, envelope: Envelope, checks: Sequence[Check]) -> None:
        """Checks the proofs of a message, unless it is our own, or comes from the journal: its verdict is known."""
        if envelope.hash in self.made or self.nursery is None:
            verdict(kept.deal, envelope.hash, self.failed.get(envelope.hash))
        else:
            self.nursery.start_soon(self._verify, kept, envelope, checks)

    async def _verify(self, kept: KeptDeal, envelope: Envelope, checks: Sequence[Check]) -> None:
        failed = await self._workers.verify(checks)
        if failed is not None:  # written down as what it is: a restart trusts what is saved, and checks no proof again
            self._journal.note_received(envelope.data, str(failed))
        elif envelope.kind == "SHUFFLE":
            self._journal.note_received(envelope.data)  # accepted on receipt, saved when it is known to be right
        verdict(kept.deal, envelope.hash, failed)
        self._turn()

    # ---------------------------------------------------------------- what we say

    def take_up(self, kept: KeptDeal, duty: Duty) -> None:
        """Begins a duty. What its message stands on is read from the deal now."""
        assert self.nursery is not None
        work = work_for(kept.deal, kept.desk, kept.own, duty, self._workers.run)
        taken_up(kept.desk, duty)
        self.nursery.start_soon(self._carry_out, kept, duty, work)

    async def _carry_out(self, kept: KeptDeal, duty: Duty, work: Made | Work) -> None:
        """Makes the body, signs it, saves everything it stands on, and only then lets it leave."""
        made = work if isinstance(work, Made) else await self._workers.make(partial(work, self._rng))
        seat = self._talk.seat
        async with self._saving:
            if (duty.step.slot, seat) in kept.deal.held:
                return  # a message of ours for this slot, from before a restart, came back from the others meanwhile
            signed = seal(
                self._talk.identity,
                table=kept.deal.table,
                deal=kept.deal.deal,
                slot=duty.step.slot,
                seat=seat,
                head=duty.step.head,
                kind=duty.kind,
                elapsed=kept.elapsed(self._now()),
                body=made.body,
            )
            secrets = [(f"{kept.deal.deal}/{name}", value) for name, value in made.secrets]
            choices = []
            if duty.kind == "NONE" and kept.desk.choice is not None:
                choices.append([kept.deal.deal, duty.step.slot.number, to_plain(kept.desk.choice)])
            await trio.to_thread.run_sync(
                partial(self._journal.commit, secrets=secrets, choices=choices, sent=[signed.envelope.data]),
                limiter=self._disk,
            )
        for name, value in made.secrets:
            kept.own.remember(name, value)
        self.made.add(signed.envelope.hash)
        self._talk.clock.said(kept.deal.deal, duty.step.slot, self._now())
        self._talk.say(signed.envelope.data)
        receive(kept.deal, signed)
        self._turn()

    # ---------------------------------------------------------------- the audit

    def have_audited(self, kept: KeptDeal) -> None:
        """Starts our own audit of a round, once."""
        if self.nursery is not None and kept.audit is None and not kept.auditing:
            kept.auditing = True
            self.nursery.start_soon(self._audit, kept)

    async def _audit(self, kept: KeptDeal) -> None:
        deal = kept.deal
        envelopes = deal_envelopes(deal)
        kept.audit = await self._workers.make(
            partial(
                audit_round,
                deal.charter,
                deal.deal,
                deal.dealer,
                deal.active,
                deal.standing,
                kept.last_head,
                envelopes,
            )
        )
        kept.auditing = False
        kept.desk.audited = True
        audited, self._audited = self._audited, trio.Event()
        audited.set()
        self._turn()

    # ---------------------------------------------------------------- the end

    async def settle(self) -> None:
        """Until every audit is done and all there is to keep is on the disk."""
        while any(kept.auditing for kept in self._talk.deals):
            await self._audited.wait()
        async with self._saving:
            await trio.to_thread.run_sync(self._journal.flush, limiter=self._disk)

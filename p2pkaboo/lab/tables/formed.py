"""Tables that were formed as real ones are, so that their matches make whole transcripts; and small, fast rules."""

from typing import Final

from p2pkaboo.audit.history import match_transcript
from p2pkaboo.crypto.identity import Identity
from p2pkaboo.lab.tables.chance import Chance, seeded
from p2pkaboo.lab.tables.table import DELAY, Node, Table, make_identities
from p2pkaboo.replica.charter import Charter, nonce_commitment
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.forming import Forming, offer_body, receive_forming, say_forming
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.cards import RANKS, SUITS
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.wire.bodies import CharterWord, Join, Nonce
from p2pkaboo.wire.envelope import Envelope

SECRET: Final = b"the secret in the invitation"
"""The table secret of every table formed here."""

PING_US: Final = 500
"""The ping median that every newcomer gives."""


def small_rules(preset: str, kept: str = "A27TQK", **overrides: object) -> Ruleset:
    """A preset with only the ranks in `kept` and a match of one round, for at most four seats.

    Overrides are keys with `__` for `.`; they win over what this sets.
    """
    removed = [rank + suit for rank in RANKS if rank not in kept for suit in SUITS]
    rules = load_preset(preset)
    gone = sorted({*removed, *rules.deck_remove})
    # Four seats are what the small deck has cards for.
    settled: dict[str, object] = {"deck.remove": gone, "deck.jokers": 0, "players.max": 4, "match.rounds": 1}
    given = {key.replace("__", "."): value for key, value in overrides.items()}
    return with_overrides(rules, settled | given)


def form_table(rules: Ruleset, identities: list[Identity], label: str) -> tuple[list[bytes], Charter, list[Identity]]:
    """The forming messages of a table, its charter, and the identities in seat order."""
    forming = Forming(SECRET, identities[0].public.encoded)
    nonces = [seeded(f"{label}/nonce{at}")(32) for at in range(len(identities))]
    joins: list[Envelope] = []
    for identity, nonce in zip(identities, nonces, strict=True):
        key = identity.public.encoded
        join = Join(key, f"P{len(joins)}", nonce_commitment(key, nonce))
        joins.append(say_forming(forming, identity, "JOIN", 0, 0, join).envelope)
        receive_forming(forming, joins[-1])
    offer = say_forming(forming, identities[0], "OFFER", 1, 0, offer_body(joins, rules, "lan"))
    receive_forming(forming, offer.envelope)
    for at, (identity, nonce) in enumerate(zip(identities, nonces, strict=True)):
        receive_forming(forming, say_forming(forming, identity, "NONCE", 2, at, Nonce(nonce, PING_US)).envelope)
    charter = forming.charter
    if charter is None:
        raise LocalError("the nonces do not make a charter")
    by_key = {identity.public.encoded: identity for identity in identities}
    seated = [by_key[key] for key in charter.keys]
    for seat, identity in enumerate(seated):
        word = say_forming(forming, identity, "CHARTER", 3, seat, CharterWord(charter.hash))
        receive_forming(forming, word.envelope)
    if not forming.agreed:
        raise LocalError("not every seat has signed the charter")
    return [envelope.data for envelope in forming.messages()], charter, seated


class FormedTable(Table):
    """A table whose seats, first dealer and charter follow from forming messages."""

    def __init__(
        self,
        rules: Ruleset,
        seats: int,
        chance: Chance,
        label: str,
        *,
        rounds: int = 9,
        delay: tuple[int, int] = DELAY,
        snap_rate: float = 0.3,
        proofs: bool = False,
    ) -> None:
        self.forming: list[bytes] = []
        super().__init__(rules, seats, chance, label, rounds=rounds, delay=delay, snap_rate=snap_rate, proofs=proofs)

    def form(self, rules: Ruleset, identities: list[Identity]) -> tuple[Charter, list[Identity]]:
        self.forming, charter, seated = form_table(rules, identities, self.label)
        return charter, seated

    def newcomers(self) -> list[Identity]:
        """The identities in the order of the offer."""
        return make_identities(len(self.nodes), self.label)

    def transcript(self, seat: int = 0) -> bytes:
        """The `.kaboo` file that this seat would write."""
        return match_transcript(self.forming, deals_of(self.nodes[seat]))


def deals_of(node: Node) -> list[Deal]:
    """Every deal of a seat, each once."""
    return [*(deal for deal in node.deals if deal is not node.deal), node.deal]

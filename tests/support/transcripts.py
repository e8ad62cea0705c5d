"""Tables that were formed as real ones are, so that their matches make whole transcripts; and small, fast rules."""

from collections.abc import Mapping

from p2pkaboo.audit.history import match_transcript
from p2pkaboo.crypto.identity import Identity, PublicIdentity
from p2pkaboo.replica.charter import Charter, forming_name, nonce_commitment
from p2pkaboo.replica.forming import Forming, offer_body, receive_forming, say_forming
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.cards import RANKS, SUITS
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.wire.bodies import CharterWord, Join, Nonce
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.transcript import read_transcript, write_transcript
from tests.support.tables import MS, Node, Table, make_identities, seeded

SECRET = b"the secret in the invitation"


def small_rules(preset: str, kept: str = "A27TQK", **overrides: object) -> Ruleset:
    """A preset with only the ranks in `kept` and a match of one round: small decks make fast tests."""
    removed = [rank + suit for rank in RANKS if rank not in kept for suit in SUITS]
    rules = load_preset(preset)
    gone = sorted({*removed, *rules.deck_remove})
    # Four seats are what the small deck has cards for.
    settled: dict[str, object] = {"deck.remove": gone, "deck.jokers": 0, "players.max": 4, "match.rounds": 1}
    given = {key.replace("__", "."): value for key, value in overrides.items()}
    return with_overrides(rules, settled | given)


def form(rules: Ruleset, identities: list[Identity], label: str) -> tuple[list[bytes], Charter, list[Identity]]:
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
        receive_forming(forming, say_forming(forming, identity, "NONCE", 2, at, Nonce(nonce, 500)).envelope)
    charter = forming.charter
    assert charter is not None
    by_key = {identity.public.encoded: identity for identity in identities}
    seated = [by_key[key] for key in charter.keys]
    for seat, identity in enumerate(seated):
        word = say_forming(forming, identity, "CHARTER", 3, seat, CharterWord(charter.hash))
        receive_forming(forming, word.envelope)
    assert forming.agreed
    assert forming.table == forming_name(SECRET)
    return [envelope.data for envelope in forming.messages()], charter, seated


class FormedTable(Table):
    """A table whose seats, first dealer and charter follow from forming messages."""

    def __init__(
        self,
        rules: Ruleset,
        seats: int,
        seed: int,
        *,
        rounds: int = 9,
        delay: tuple[int, int] = (1 * MS, 40 * MS),
        snap_rate: float = 0.3,
        proofs: bool = False,
    ) -> None:
        super().__init__(rules, seats, seed, rounds=rounds, delay=delay, snap_rate=snap_rate, proofs=proofs)
        identities = make_identities(seats, self.label)
        self.forming, self.charter, seated = form(rules, identities, self.label)
        self.keys = [PublicIdentity.decode(key) for key in self.charter.keys]
        self.nodes = [self.make_node(seat, identity) for seat, identity in enumerate(seated)]
        self.queue.clear()
        for node in self.nodes:
            self.at(0, lambda node=node: self.turn(node))  # type: ignore[misc]

    def transcript(self, seat: int = 0) -> bytes:
        """The `.kaboo` file that this seat would write."""
        return match_transcript(self.forming, deals_of(self.nodes[seat]))


def deals_of(node: Node) -> list[Deal]:
    """Every deal of a seat, each once."""
    by_number: Mapping[int, Deal] = {deal.deal: deal for deal in (*node.deals, node.deal)}
    return [by_number[number] for number in sorted(by_number)]


def rows_of(data: bytes) -> list[bytes]:
    """The envelopes of a file."""
    return list(read_transcript(data).envelopes)


def with_rows(data: bytes, rows: list[bytes]) -> bytes:
    """The same file with other envelopes, its footer's count put right."""
    footer = read_transcript(data).footer
    assert footer is not None
    return write_transcript(rows, footer.head)

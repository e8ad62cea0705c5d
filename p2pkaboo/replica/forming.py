"""Forming the table: from newcomers with keys to a charter that everybody has signed.

f0 JOIN: key, name, commitment to a nonce. f1 OFFER: the opener fixes who sits down and under which rules. f2 NONCE: the
nonces, from which seats and first dealer follow. f3 CHARTER: everybody's word on the result. Until the charter exists
`table` is the hash of the table secret and `deal` the attempt, which rises when somebody had to be left out. The opener
has no other power: it cannot choose seats, and whoever dislikes an OFFER does not answer it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2pkaboo.crypto.identity import Identity, PublicIdentity
from p2pkaboo.replica.charter import (
    AUTO_LAN_US,
    RACES,
    Charter,
    RaceNumbers,
    forming_name,
    nonce_commitment,
    seating,
)
from p2pkaboo.replica.faults import LocalError, PeerFault
from p2pkaboo.replica.honoured import check_honoured
from p2pkaboo.replica.terms import Terms, in_order, plain_rules
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.ruleset import Ruleset, from_plain
from p2pkaboo.wire.bodies import Body, CharterWord, Join, Nonce, Offer
from p2pkaboo.wire.codec import DecodeError
from p2pkaboo.wire.envelope import Envelope, Signed, decode_envelope, seal, verify_envelope
from p2pkaboo.wire.limits import MAX_EARLY_FORMING
from p2pkaboo.wire.slot import Slot

NO_HEAD = bytes(64)
"""Head of messages before which there is nothing."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """An OFFER taken apart and verified: who will sit down, in the order of the offer, and under which rules."""

    offer: Envelope
    joins: tuple[Join, ...]
    rules: Ruleset
    race: str

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The newcomers' keys in the order of the offer; the first is the opener's."""
        return tuple(join.key for join in self.joins)

    @property
    def terms(self) -> Terms:
        """What whoever answers agrees to."""
        return Terms(self.rules, self.race)


@dataclass(slots=True)
class Forming:
    """One newcomer's view of a table in the making: feed it with `receive_forming` until `agreed`."""

    secret: bytes
    opener: bytes
    attempt: int = 1
    joins: dict[bytes, Envelope] = field(default_factory=dict)
    sitting: Sitting | None = None
    nonces: dict[int, Envelope] = field(default_factory=dict)
    words: dict[int, Envelope] = field(default_factory=dict)
    charter: Charter | None = None
    early: list[Envelope] = field(default_factory=list)
    doubled: dict[bytes, tuple[Envelope, Envelope]] = field(default_factory=dict)
    """Of each key that has signed two NONCEs for one place: the one that counts here, and another."""

    @property
    def table(self) -> bytes:
        """The name in the `table` field until the charter exists."""
        return forming_name(self.secret)

    @property
    def agreed(self) -> bool:
        """Every seat has signed the charter."""
        return self.charter is not None and len(self.words) == self.charter.seats

    def messages(self) -> list[Envelope]:
        """What a transcript keeps of the forming: OFFER (which holds the JOINs), NONCEs, CHARTERs."""
        if self.sitting is None:
            raise LocalError("there is no offer yet")
        return [
            self.sitting.offer,
            *(self.nonces[at] for at in sorted(self.nonces)),
            *(self.words[at] for at in sorted(self.words)),
        ]


def open_join(data: bytes, table: bytes) -> tuple[Envelope, Join]:
    """A JOIN, verified under the key that it introduces. Raises PeerFault."""
    envelope = _decode(data)
    body = envelope.body
    misplaced = envelope.slot != Slot(0, "f", 0) or envelope.seat or envelope.head != NO_HEAD
    if not isinstance(body, Join) or misplaced or envelope.table != table:
        raise PeerFault("bad-charter", "the offer holds something else than JOINs of this table")
    _verified(envelope, body.key)
    return envelope, body


def open_offer(envelope: Envelope) -> Sitting:
    """Takes an OFFER apart. Raises PeerFault (`bad-charter`) naming what is wrong."""
    body = envelope.body
    if not isinstance(body, Offer) or envelope.slot != Slot(1, "f", 0) or envelope.seat or envelope.head != NO_HEAD:
        raise PeerFault("bad-charter", "the first message is no OFFER")
    joins = []
    for data in body.joins:
        joined, join = open_join(data, envelope.table)
        if joined.deal != envelope.deal:
            raise PeerFault("bad-charter", "a JOIN of another attempt is in the offer")
        joins.append(join)
    if not in_order(body.rules):
        raise PeerFault("bad-charter", "the keys of the rules offered do not stand in order, once each")
    keys = [join.key for join in joins]
    if len(set(keys)) != len(keys):
        raise PeerFault("bad-charter", "one key is to sit down twice")
    _verified(envelope, keys[0])
    try:
        rules = from_plain(dict(body.rules))
    except RulesError as error:
        raise PeerFault("bad-charter", f"the rules offered are none: {error}") from None
    try:
        check_honoured(rules)
    except RulesError as error:
        raise PeerFault("bad-charter", f"no table can be held to the rules offered: {error}") from None
    if not rules.players_min <= len(keys) <= rules.players_max:
        raise PeerFault(
            "bad-charter", f"{len(keys)} seats, but the rules are for {rules.players_min} to {rules.players_max}"
        )
    return Sitting(envelope, tuple(joins), rules, body.race)


def check_nonce(sitting: Sitting, envelope: Envelope) -> Nonce:
    """A NONCE of this sitting. Raises PeerFault unless it is what its author's JOIN committed to."""
    body = envelope.body
    if not isinstance(body, Nonce) or envelope.slot != Slot(2, "f", 0) or envelope.seat >= len(sitting.joins):
        raise PeerFault("bad-charter", "a NONCE was due")
    if envelope.table != sitting.offer.table or envelope.deal != sitting.offer.deal:
        raise PeerFault("bad-charter", "a NONCE of another table or attempt")
    if envelope.head != sitting.offer.hash:
        raise PeerFault("bad-charter", "the NONCE answers another offer")
    join = sitting.joins[envelope.seat]
    _verified(envelope, join.key)
    if nonce_commitment(join.key, body.nonce) != join.commitment:
        raise PeerFault("bad-charter", "the nonce is not the one committed to")
    return body


def charter_from(sitting: Sitting, nonces: Sequence[Nonce]) -> Charter:
    """The charter that follows from an offer and everybody's nonces (in the order of the offer)."""
    by_key = {join.key: nonce.nonce for join, nonce in zip(sitting.joins, nonces, strict=True)}
    names = {join.key: join.name for join in sitting.joins}
    keys = seating(by_key)
    return Charter(
        sitting.rules,
        _race(sitting, nonces),
        keys,
        tuple(names[key] for key in keys),
        tuple(by_key[key] for key in keys),
    )


def _race(sitting: Sitting, nonces: Sequence[Nonce]) -> RaceNumbers:
    if sitting.race != "auto":
        return RACES[sitting.race]
    return RACES["lan" if all(nonce.ping_us < AUTO_LAN_US for nonce in nonces) else "wan"]


def check_word(sitting: Sitting, charter: Charter, envelope: Envelope) -> None:
    """A CHARTER: its author's word on the charter. Raises PeerFault when it is another charter."""
    body = envelope.body
    if not isinstance(body, CharterWord) or envelope.slot != Slot(3, "f", 0) or envelope.seat >= charter.seats:
        raise PeerFault("bad-charter", "a CHARTER was due")
    if envelope.table != sitting.offer.table or envelope.deal != sitting.offer.deal:
        raise PeerFault("bad-charter", "a CHARTER of another table or attempt")
    if envelope.head != sitting.offer.hash or body.charter != charter.hash:
        raise PeerFault("bad-charter", "another charter than the one that follows from the nonces is signed")
    _verified(envelope, charter.keys[envelope.seat])


def receive_forming(forming: Forming, envelope: Envelope) -> bool:
    """Takes in a forming message. Says whether it was news; raises PeerFault for one that cannot be."""
    if envelope.table != forming.table or envelope.slot.lane != "f":
        return False
    if envelope.kind == "JOIN":
        return _take_join(forming, envelope)
    if envelope.deal != forming.attempt or forming.agreed:
        return False
    if envelope.kind == "OFFER":
        if forming.sitting is not None:
            return False
        sitting = open_offer(envelope)
        if sitting.keys[0] != forming.opener:
            raise PeerFault("bad-charter", "somebody else than the opener makes an offer")
        forming.sitting = sitting
        return _retry(forming) or True
    if forming.sitting is None or (envelope.kind == "CHARTER" and forming.charter is None):
        if len(forming.early) < MAX_EARLY_FORMING and all(known.hash != envelope.hash for known in forming.early):
            forming.early.append(envelope)
        return False
    return _take_word(forming, forming.sitting, envelope)


def _take_join(forming: Forming, envelope: Envelope) -> bool:
    _, join = open_join(envelope.data, forming.table)
    if envelope.deal < forming.attempt or (envelope.deal > forming.attempt and join.key != forming.opener):
        return False
    if envelope.deal > forming.attempt:  # the opener begins anew: everybody commits afresh
        forming.attempt = envelope.deal
        forming.joins, forming.sitting, forming.charter = {}, None, None
        forming.nonces, forming.words, forming.early, forming.doubled = {}, {}, [], {}
    if join.key in forming.joins:
        return False
    forming.joins[join.key] = envelope
    return True


def _take_word(forming: Forming, sitting: Sitting, envelope: Envelope) -> bool:
    if envelope.kind == "NONCE":
        check_nonce(sitting, envelope)
        held = forming.nonces.get(envelope.seat)
        if held is not None:
            if held.hash != envelope.hash:  # it changes nothing, but tells why others may sign another charter
                forming.doubled.setdefault(sitting.joins[envelope.seat].key, (held, envelope))
            return False
        forming.nonces[envelope.seat] = envelope
        if len(forming.nonces) == len(sitting.joins):
            bodies = [check_nonce(sitting, forming.nonces[at]) for at in sorted(forming.nonces)]
            forming.charter = charter_from(sitting, bodies)
        return _retry(forming) or True
    if forming.charter is None:
        return False
    check_word(sitting, forming.charter, envelope)
    if envelope.seat in forming.words:
        return False
    forming.words[envelope.seat] = envelope
    return True


def _retry(forming: Forming) -> bool:
    """Judges what came before it could be. What is refused then is dropped: it is not the fault of the message that has
    just come, and may even be our own."""
    early, forming.early = forming.early, []
    moved = False
    for envelope in early:
        try:
            moved = receive_forming(forming, envelope) or moved
        except PeerFault:
            continue
    return moved


def say_forming(
    forming: Forming, identity: Identity, kind: str, number: int, seat: int, body: Body, elapsed: int = 0
) -> Signed:
    """Signs a forming message of our own."""
    head = forming.sitting.offer.hash if number > 1 and forming.sitting is not None else NO_HEAD
    return seal(
        identity,
        table=forming.table,
        deal=forming.attempt,
        slot=Slot(number, "f", 0),
        seat=seat,
        head=head,
        kind=kind,
        elapsed=elapsed,
        body=body,
    )


def offer_body(joins: Sequence[Envelope], rules: Ruleset, race: str) -> Offer:
    """The OFFER of these JOINs (the opener's own first). Raises LocalError, RulesError for what nobody may offer."""
    if race not in ("auto", "lan", "wan"):
        raise LocalError(f"unknown race preset {race!r}")
    check_honoured(rules)
    return Offer(tuple(join.data for join in joins), plain_rules(rules), race)  # type: ignore[arg-type]


def _decode(data: bytes) -> Envelope:
    try:
        return decode_envelope(data)
    except DecodeError as error:
        raise PeerFault("bad-charter", f"a message inside the offer does not decode: {error}") from None


def _verified(envelope: Envelope, key: bytes) -> None:
    try:
        public = PublicIdentity.decode(key)
    except ValueError as error:
        raise PeerFault("bad-charter", f"a key is no identity: {error}") from None
    if verify_envelope(envelope, public) is None:
        raise PeerFault("bad-signature", f"the signature of {envelope.kind} does not verify under its author's key")

"""From the forming messages to the charter (05-table.md, 1; 04-messages.md, 3)."""

from dataclasses import dataclass
from typing import cast

from verifier import encoding as e
from verifier.encoding import BadEncoding, Slot, Value, tagged_hash
from verifier.faults import Fault
from verifier.messages import Envelope, read_envelope
from verifier.ruleset import Rules, fault, number
from verifier.signature import identity_key, verifies

AUTO_LAN_US = 8000


@dataclass(frozen=True, slots=True)
class Race:
    """The numbers for snap races, milliseconds (06-snap.md, 1)."""

    cap: int
    slack: int
    late: int
    floor: int


RACES = {"lan": Race(8, 0, 30, 150), "wan": Race(100, 5, 150, 150)}


@dataclass(frozen=True, slots=True)
class Charter:
    """What all seats have signed."""

    table: bytes
    rules: Rules
    race: Race
    keys: tuple[bytes, ...]
    dealer: int


class Forming:
    """Takes the forming records one by one; `charter` is there once the last is in."""

    def __init__(self) -> None:
        self.charter: Charter | None = None
        self._offer: Envelope | None = None
        self._joins: list[Envelope] = []
        self._nonces: list[Envelope] = []
        self.made: Charter | None = None
        self._words = 0
        self.signatures = 0

    def take(self, data: bytes) -> None:
        """One more record; Fault if it is not what is due."""
        try:
            envelope = read_envelope(data)
        except BadEncoding as error:
            raise Fault("bad-record", f"A record is no envelope: {error}.") from None
        if self._offer is None:
            self._take_offer(envelope)
        elif len(self._nonces) < len(self._joins):
            self._take_nonce(envelope, self._offer)
        else:
            self._take_charter(envelope, self._offer)
        self.signatures += 1

    def _take_offer(self, offer: Envelope) -> None:
        _due(offer, "OFFER", 1)
        if offer.seat != 0 or offer.head != bytes(64):
            raise Fault("bad-charter", "Seat or head of the OFFER is not zero.", slot=offer.slot)
        joins = cast(list[bytes], offer.body[0])
        for data in joins:
            self._joins.append(_read_join(data, offer))
        pairs = cast(list[tuple[str, Value]], offer.body[1])
        if [name for name, _ in pairs] != sorted({name for name, _ in pairs}):
            raise Fault("bad-charter", "The keys of the rules do not stand in order, once each.", slot=offer.slot)
        keys = [key_of(join) for join in self._joins]
        if len(set(keys)) != len(keys):
            raise Fault("bad-charter", "A key stands twice in the offer.", slot=offer.slot)
        _signed(offer, keys[0])
        rules: Rules = dict(pairs)
        wrong = fault(rules)
        if wrong is not None:
            raise Fault("bad-charter", f"The rules of the offer are none: {wrong}.", slot=offer.slot)
        if rules["on_forfeit"] != "redeal":
            raise Fault("bad-charter", "The rules of the offer cannot be honoured in this version.", slot=offer.slot)
        if not number(rules, "players.min") <= len(keys) <= number(rules, "players.max"):
            raise Fault("bad-charter", "The rules are not for so many seats.", slot=offer.slot)
        self._rules = rules
        self._offer = offer
        self.signatures += len(self._joins)

    def _take_nonce(self, envelope: Envelope, offer: Envelope) -> None:
        _due(envelope, "NONCE", 2, offer)
        if envelope.seat >= len(self._joins):
            raise Fault("bad-charter", "A NONCE of nobody in the offer.", slot=envelope.slot)
        join = self._joins[envelope.seat]
        _signed(envelope, key_of(join))
        nonce = cast(bytes, envelope.body[0])
        if tagged_hash(e.TAG_NONCE, key_of(join), nonce) != join.body[2]:
            raise Fault("bad-charter", "A nonce is not the one committed to.", slot=envelope.slot)
        if envelope.seat != len(self._nonces):
            raise Fault("bad-charter", "The NONCE of another was due.", slot=envelope.slot)
        self._nonces.append(envelope)
        if len(self._nonces) == len(self._joins):
            self.made = self._make(self._race(offer))

    def _race(self, offer: Envelope) -> Race:
        preset = str(offer.body[2])
        if preset == "auto":
            pings = [cast(int, word.body[1]) for word in self._nonces]
            preset = "lan" if max(pings) < AUTO_LAN_US else "wan"
        return RACES[preset]

    def _make(self, race: Race) -> Charter:
        nonce = {key_of(join): cast(bytes, word.body[0]) for join, word in zip(self._joins, self._nonces, strict=True)}
        name = {key_of(join): join.body[1] for join in self._joins}
        coin = tagged_hash(e.TAG_COIN, *(nonce[key] for key in sorted(nonce)))
        keys = sorted(nonce, key=lambda key: tagged_hash(e.TAG_SEATING, coin, key))
        charter: Value = [
            e.TAG_SUITE,
            [[key, self._rules[key]] for key in sorted(self._rules)],
            [race.cap, race.slack, race.late, race.floor],
            list(keys),
            [name[key] for key in keys],
            [nonce[key] for key in keys],
        ]
        table = tagged_hash(e.TAG_CHARTER, e.encode(charter))
        return Charter(table, self._rules, race, tuple(keys), int.from_bytes(coin, "big") % len(keys))

    def _take_charter(self, envelope: Envelope, offer: Envelope) -> None:
        made = self.made
        assert made is not None
        _due(envelope, "CHARTER", 3, offer)
        if envelope.seat >= len(made.keys):
            raise Fault("bad-charter", "A CHARTER of no seat.", slot=envelope.slot)
        if envelope.body[0] != made.table:
            signed = verifies(made.keys[envelope.seat], envelope.unsigned, envelope.signature)
            # The ping medians alone are not committed to: somebody may have shown this seat others than these.
            possible = [self._make(race).table for race in RACES.values()] if offer.body[2] == "auto" else []
            whose = envelope.seat if signed and envelope.body[0] not in possible else None
            raise Fault("bad-charter", "Another charter is signed.", whose, envelope.slot)
        _signed(envelope, made.keys[envelope.seat])
        if envelope.seat != self._words:
            raise Fault("bad-charter", "The CHARTER of another seat was due.", slot=envelope.slot)
        self._words += 1
        if self._words == len(made.keys):
            self.charter = made


def key_of(join: Envelope) -> bytes:
    return cast(bytes, join.body[0])


def _due(envelope: Envelope, kind: str, number: int, offer: Envelope | None = None) -> None:
    """Refuses what is not this kind at its slot, or does not belong to the offer."""
    if envelope.kind != kind or envelope.slot != Slot(number, e.FORMING, 0):
        raise Fault("bad-charter", f"The {kind} was due.", slot=envelope.slot)
    if offer is not None and (envelope.table, envelope.deal, envelope.head) != (offer.table, offer.deal, offer.hash):
        raise Fault("bad-charter", f"The {kind} belongs to another offer.", slot=envelope.slot)


def _signed(envelope: Envelope, key: bytes) -> None:
    if not verifies(key, envelope.unsigned, envelope.signature):
        raise Fault("bad-signature", f"The signature of {envelope.kind} does not verify.", slot=envelope.slot)


def _read_join(data: bytes, offer: Envelope) -> Envelope:
    try:
        join = read_envelope(data)
    except BadEncoding as error:
        raise Fault("bad-charter", f"A JOIN in the offer is no envelope: {error}.", slot=offer.slot) from None
    right_place = join.kind == "JOIN" and join.slot == Slot(0, e.FORMING, 0) and join.seat == 0
    right_place = right_place and join.head == bytes(64)
    if not right_place or join.table != offer.table:
        raise Fault("bad-charter", "The offer holds what is no JOIN of this table.", slot=offer.slot)
    if identity_key(key_of(join)) is None:
        raise Fault("bad-charter", "A key in the offer is no identity.", slot=offer.slot)
    if not verifies(key_of(join), join.unsigned, join.signature):
        raise Fault("bad-signature", "The signature of a JOIN does not verify.", slot=offer.slot)
    if join.deal != offer.deal:
        raise Fault("bad-charter", "The offer holds a JOIN of another attempt.", slot=offer.slot)
    return join

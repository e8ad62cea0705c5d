"""A transcript file and its verdict (07-audit.md, sections 1 to 3)."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from verifier import encoding as e
from verifier.deal import Deal
from verifier.encoding import BadEncoding, Slot
from verifier.faults import Fault
from verifier.forming import Charter, Forming
from verifier.mainline import main_line
from verifier.messages import Envelope, read_envelope
from verifier.score import Standing
from verifier.signature import verifies

MAGIC = b"KABOO\x00"
FORMAT = 1
MAX_FILE = 2147483648
MAX_ENVELOPES = 5000000
FOOTER_BYTES = 80


@dataclass(frozen=True, slots=True)
class Checks:
    """What has been checked: signatures and proofs that hold, moves carried out (section 5)."""

    signatures: int = 0
    proofs: int = 0
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """The class, one plain sentence, and where and whose it is as far as that is known (section 5)."""

    verdict: str
    reason: str
    rounds: int = 0
    round: int | None = None
    step: int | None = None
    slot: str | None = None
    seat: int | None = None
    checks: Checks = Checks()

    def document(self) -> dict[str, object]:
        """The document of `audit --json` (section 5; schemas/audit.json)."""
        return {"valid": self.verdict == "valid", **asdict(self)}


@dataclass(slots=True)
class File:
    """What a reader has found: the envelopes, the head in the footer, and what is wrong with the end."""

    records: list[bytes] = field(default_factory=list)
    head: bytes | None = None
    cut: str | None = None


def read_file(data: bytes) -> File:
    """Section 2. Fault `unreadable` for what is no transcript of this format."""
    if len(data) > MAX_FILE:
        raise Fault("unreadable", "The file is too large.")
    if len(data) < 8 or data[:6] != MAGIC or data[7] != 0x0A or data[6] != FORMAT:
        raise Fault("unreadable", "This is no transcript of this format.")
    file = File()
    at = 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        record = data[at + 4 : at + 4 + size]
        if len(data) - at < 4 or not 0 < size <= e.MAX_FRAME or len(record) != size:
            file.cut = "a record is cut"
            return file
        at += 4 + size
        footer = _footer(record)
        if footer is None:
            if len(file.records) == MAX_ENVELOPES:
                file.cut = "there are too many records"
                return file
            file.records.append(record)
            continue
        count, file.head = footer
        if at != len(data):
            file.cut = "bytes follow the footer"
        elif count != len(file.records):
            file.cut = "the footer counts another number of envelopes"
        return file
    file.cut = "there is no footer"
    return file


def _footer(record: bytes) -> tuple[int, bytes] | None:
    if len(record) > FOOTER_BYTES:
        return None
    try:
        value = e.decode(record)
    except BadEncoding:
        return None
    match value:
        case ["end", int(count), bytes(head)] if not isinstance(count, bool) and count >= 0 and len(head) == 64:
            return count, head
    return None


class Match:
    """The history of a match as the records of a file build it."""

    def __init__(self) -> None:
        self.forming = Forming()
        self.deals: list[Deal] = []
        self.signatures = 0
        self.last_place: tuple[int, Slot, int] | None = None
        self.hashes: set[bytes] = set()

    @property
    def charter(self) -> Charter | None:
        return self.forming.charter

    @property
    def deal(self) -> Deal | None:
        """The deal under way, or the last one."""
        return self.deals[-1] if self.deals else None

    def head(self) -> bytes:
        """The head of the last completed main step."""
        return b"" if self.deal is None else self.deal.main_head

    def over(self) -> bool:
        """Whether the signed end of the match has been reached."""
        deal = self.deal
        return deal is not None and deal.main.over and deal.score is not None and deal.score.over

    def take(self, record: bytes) -> None:
        """Section 3: one more record; Fault for the first rule that fails."""
        charter = self.charter
        if charter is None:
            self.forming.take(record)
            if self.charter is not None:
                seats = range(len(self.charter.keys))
                standing = Standing(dict.fromkeys(seats, 0), frozenset(), 1)
                # The head before the first deal is the hash of the charter.
                first = Deal(self.charter, 1, self.charter.dealer, standing, self.charter.table, main_line)
                self.deals.append(first)
            return
        try:
            envelope = read_envelope(record)
        except BadEncoding as error:
            raise Fault("bad-record", f"A record is no envelope: {error}.") from None
        deal = self._deal_of(envelope, charter)
        if not _signed(envelope, charter):
            raise Fault("bad-signature", "A signature does not verify.", None, envelope.slot)
        self.signatures += 1
        if envelope.hash in self.hashes:
            raise Fault("bad-order", "A message stands here twice.", None, envelope.slot)
        self.hashes.add(envelope.hash)
        deal.receive(envelope)
        place = (envelope.deal, envelope.slot, envelope.seat)
        if self.last_place is not None and place < self.last_place:
            raise Fault("bad-order", "A message does not stand in history order.", None, envelope.slot)
        self.last_place = place

    def _deal_of(self, envelope: Envelope, charter: Charter) -> Deal:
        """The deal under way, a new one where this record begins it (rule 2)."""
        deal = self.deal
        assert deal is not None
        if deal.main.over and not self.over() and envelope.deal == deal.number + 1:
            deal = self.begin_next()
        if envelope.table != charter.table or envelope.deal != deal.number or envelope.seat not in deal.active:
            raise Fault("bad-order", "A message of another table, another deal, or nobody here.")
        return deal

    def begin_next(self) -> Deal:
        """The deal that follows one that is over (05-table.md, 2)."""
        deal = self.deal
        assert deal is not None
        assert deal.score is not None
        lowered = deal.standing.lowered | set(deal.score.reset)
        standing = Standing(deal.score.totals, lowered, deal.standing.round_no + 1)
        self.deals.append(Deal(deal.charter, deal.number + 1, deal.order[1], standing, deal.main_head, main_line))
        return self.deals[-1]

    def checks(self) -> Checks:
        """What has been checked so far."""
        moves = sum(deal.moves() for deal in self.deals)
        proofs = sum(deal.proofs for deal in self.deals)
        return Checks(self.forming.signatures + self.signatures, proofs, moves)


def _signed(envelope: Envelope, charter: Charter) -> bool:
    return verifies(charter.keys[envelope.seat], envelope.unsigned, envelope.signature)


def _equivocation(records: Iterable[bytes], charter: Charter) -> Fault | None:
    """Two signed messages of one seat for one slot of one deal, anywhere in the file (section 3, last rule)."""
    said: dict[tuple[int, Slot, int], bytes] = {}
    for record in records:
        try:
            envelope = read_envelope(record)
        except BadEncoding:
            continue
        if envelope.table != charter.table or envelope.seat >= len(charter.keys) or not _signed(envelope, charter):
            continue
        place = (envelope.deal, envelope.slot, envelope.seat)
        if said.setdefault(place, envelope.hash) != envelope.hash:
            why = "One seat signed two messages for one slot."
            return Fault("equivocation", why, envelope.seat, envelope.slot, envelope.deal)
    return None


def verify(data: bytes) -> Verdict:
    """The verdict on the bytes of a transcript file."""
    match, file = Match(), File()
    try:
        file = read_file(data)
        try:
            for record in file.records:
                match.take(record)
        except Fault as fault:
            charter = match.charter
            found = None
            if charter is not None and fault.verdict in ("bad-order", "disagreement"):
                found = _equivocation(file.records, charter)
            raise found or fault from None
        if file.cut is not None:
            raise Fault("truncated", f"All that is there holds, but {file.cut}.")
        if match.charter is None:
            raise Fault("unfinished", "The table was never formed.")
        if file.head != match.head():
            raise Fault("bad-head", "The footer names another head than the history has.")
        if not match.over():
            raise Fault("unfinished", "The match is not at its end.")
    except Fault as fault:
        number, step = _place(match, fault)
        slot = None if fault.slot is None else str(fault.slot)
        rounds = _rounds(match, file)
        return Verdict(fault.verdict, fault.reason, rounds, number, step, slot, fault.seat, match.checks())
    return Verdict("valid", "Everything that can be checked holds.", _rounds(match, file), checks=match.checks())


def _rounds(match: Match, file: File) -> int:
    """How many deals the file has decodable messages of."""
    deals = set()
    for record in file.records if match.charter is not None else []:
        try:
            envelope = read_envelope(record)
        except BadEncoding:
            continue
        if match.charter is not None and envelope.table == match.charter.table:
            deals.add(envelope.deal)
    return len(deals)


def _place(match: Match, fault: Fault) -> tuple[int | None, int | None]:
    """Round and step of what is wrong, as far as its deal has been come to."""
    deal = match.deal
    if fault.deal is not None:
        deal = next((deal for deal in match.deals if deal.number == fault.deal), None)
    if deal is None:
        return None, None
    return deal.standing.round_no, None if fault.slot is None else deal.step_number(fault.slot)

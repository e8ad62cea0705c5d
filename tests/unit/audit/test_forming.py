"""The charter must follow from the forming messages, and nobody is blamed for what somebody else may have put there."""

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.replica.forming import say_forming
from p2pkaboo.wire.bodies import CharterWord, Nonce
from p2pkaboo.wire.envelope import Envelope, decode_envelope, verify_envelope
from p2pkaboo.wire.slot import Slot
from p2pkaboo.wire.transcript import write_transcript
from tests.support.attacks import resign
from tests.support.transcripts import FormedTable, rows_of, with_rows
from tests.unit.audit.matches import played
from tests.unit.replica.test_forming import Newcomers, formed
from verifier.transcript import verify


def _forming(table: FormedTable, at: int, row: bytes) -> tuple[str, int | None, str | None, int | None]:
    rows = rows_of(table.transcript())
    report = audit_file(with_rows(table.transcript(), [*rows[:at], row, *rows[at + 1 :]]))
    return report.verdict, report.seat, report.slot, report.round


def test_a_signed_word_on_another_charter_names_its_author() -> None:
    table = played("cabo-standard", 3, 1)
    word = decode_envelope(table.forming[5])
    assert (word.kind, word.seat) == ("CHARTER", 1)
    other = resign(table.nodes[1], word, body=CharterWord(bytes(64)))
    assert _forming(table, 5, other.data) == ("bad-charter", 1, "f3", None)
    elsewhere = resign(table.nodes[1], word, body=CharterWord(bytes(64)), slot=Slot(4, "m", 0))
    assert _forming(table, 5, elsewhere.data) == ("bad-charter", None, "m4", None)
    nobody = resign(table.nodes[1], word, seat=3)  # one place beyond the last of three seats
    assert _forming(table, 5, nobody.data) == ("bad-charter", None, "f3", None)
    by_another = resign(table.nodes[2], word, body=CharterWord(bytes(64)))
    assert _forming(table, 5, by_another.data)[1] is None


def test_who_gives_two_ping_medians_gets_nobody_else_named() -> None:
    """A NONCE with a slow median, for one seat's eyes only: that seat signs what follows from what it was shown."""

    def formed_with(median: int) -> tuple[list[bytes], list[Envelope]]:
        who = Newcomers(pings=(500, 500, median))
        forming = formed(who)
        return [envelope.data for envelope in forming.messages()], who.words(forming)

    rows, words = formed_with(500)
    _, slow = formed_with(80_000)
    assert slow[1].body != words[1].body
    shown = audit_file(write_transcript([*rows[:-2], slow[1].data, rows[-1]], bytes(64)))
    assert (shown.verdict, shown.seat, shown.slot) == ("bad-charter", None, "f3")
    who = Newcomers()
    author = next(p for p in who.people if verify_envelope(words[1], p.public) is not None)
    lie = say_forming(formed(who), author, "CHARTER", 3, 1, CharterWord(bytes(64))).envelope
    told = audit_file(write_transcript([*rows[:-2], lie.data, rows[-1]], bytes(64)))
    assert (told.verdict, told.seat, told.slot) == ("bad-charter", 1, "f3")
    for report, row in ((shown, slow[1].data), (told, lie.data)):
        theirs = verify(write_transcript([*rows[:-2], row, rows[-1]], bytes(64)))
        assert (theirs.verdict, theirs.seat) == (report.verdict, report.seat)


def test_another_nonce_than_committed_to_makes_no_charter() -> None:
    table = played("cabo-standard", 3, 1)
    said = decode_envelope(table.forming[2])
    author = next(n for n in table.nodes if _signed_by(table, n.seat, 2))
    other = resign(author, said, body=Nonce(bytes(32), 500))
    assert _forming(table, 2, other.data) == ("bad-charter", None, "f2", None)
    stranger = next(n for n in table.nodes if n is not author)
    assert _forming(table, 2, resign(stranger, said).data)[0] == "bad-signature"


def _signed_by(table: FormedTable, seat: int, at: int) -> bool:
    envelope = decode_envelope(table.forming[at])
    return resign(table.nodes[seat], envelope).signature == envelope.signature


def test_every_place_is_for_one_kind_of_message() -> None:
    """A message of another kind that bears the slot and head of what is due: a finding, and no accident."""
    table = played("cabo-standard", 3, 1)
    offer, nonce, word = (decode_envelope(table.forming[at]) for at in (0, 1, 4))
    assert (offer.kind, nonce.kind, word.kind) == ("OFFER", "NONCE", "CHARTER")
    for at, due, other in ((0, offer, nonce), (1, nonce, word), (4, word, nonce)):
        for node in table.nodes:
            wrong = resign(node, due, kind=other.kind, body=other.body)
            assert _forming(table, at, wrong.data) == ("bad-charter", None, f"f{due.slot.number}", None)


def test_no_offer_no_table() -> None:
    table = played("cabo-standard", 3, 1)
    rows = rows_of(table.transcript())
    assert audit_file(with_rows(table.transcript(), rows[1:])).verdict == "bad-charter"
    assert audit_file(with_rows(table.transcript(), [rows[0], *rows])).verdict == "bad-charter"
    assert _forming(table, 6, rows[7])[:2] == ("bad-charter", None)  # a message of the deal before the table is formed

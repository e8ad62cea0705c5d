"""Transcripts with one thing wrong, at least one for each verdict but `valid`.

Some are files that were changed afterwards; in others a seat really lied, and the file is what an honest seat wrote.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from p2pkaboo.lab.tables import lies
from p2pkaboo.lab.tables.chance import Dice
from p2pkaboo.lab.tables.cheating import CHEAT, Forge, make_once, resign
from p2pkaboo.lab.tables.formed import FormedTable, small_rules
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import Nonce
from p2pkaboo.wire.codec import decode, encode
from p2pkaboo.wire.envelope import Envelope, decode_envelope, seal
from p2pkaboo.wire.transcript import MAGIC, read_transcript, write_transcript
from vector_areas.form import flipped, require
from vector_areas.matches import MATCHES, TINY, played

HONEST_SEAT: Final = 0
"""The seat whose file is kept where another one lied."""

TRIES: Final = 30
"""Tables played at most until the liar has had its chance."""


@dataclass(frozen=True, slots=True)
class Golden:
    """A transcript file and what it shows."""

    name: str
    about: str
    data: bytes

    @property
    def file(self) -> str:
        """The file's name."""
        return f"{self.name}.kaboo"


@dataclass(frozen=True)
class Lie:
    """A lie told at a table, in the first message of a kind for which there is one."""

    name: str
    about: str
    kind: str
    forge: Forge
    rules: Ruleset
    openly: bool = False


TINY_RULES: Final = TINY.rules
KABBU: Final = small_rules("kabbu", kept="A27TQ", deal__cards=2, players__max=3)
THRESHOLD: Final = small_rules("cabo-standard", kept="A27", deal__cards=2, players__max=3, call__threshold=0)

LIES: Final = (
    Lie("bad-key", "a public key comes with the proof of another", "KEYS", lies.key_without_proof, TINY_RULES),
    Lie("bad-key-disclosed", "another key is disclosed", "DISCLOSE", lies.another_key_disclosed, TINY_RULES),
    Lie("bad-shuffle", "a shuffle turns one card into another", "SHUFFLE", lies.card_swapped_in, TINY_RULES),
    Lie("bad-share", "a card is opened with a share of another key", "OPEN", lies.share_of_another_key, TINY_RULES),
    Lie("bad-view", "a drawn card's view asks for the card below it", "DRAW", lies.view_redirected, TINY_RULES),
    Lie("bad-claim", "a high card is kept, with a proof of nothing", "ACTION", lies.card_kept_against_the_rules, KABBU),
    Lie("illegal-move", "a power is skipped that is not there", "ACTION", lies.skip_without_power, TINY_RULES),
    Lie(
        "illegal-move-disclosed",
        "a call above the threshold, which only shows when the keys are disclosed",
        "ACTION",
        lies.call_with_any_hand,
        THRESHOLD,
        openly=True,
    ),
    Lie(
        "bad-score",
        "a result is signed that the round does not give",
        "RESULT",
        lies.own_hand_lowered,
        TINY_RULES,
        True,
    ),
)


def told(lie: Lie) -> bytes:
    """The file that an honest seat wrote. ValueError if the liar never had its chance."""
    for number in range(1, TRIES):
        label = f"golden/{lie.name}/{number}"
        table = FormedTable(lie.rules, 2, Dice(label), label, proofs=True)
        done = make_once(table, lie.kind, lie.forge, openly=lie.openly, cheat=CHEAT)
        table.run()
        if done:
            return table.transcript(HONEST_SEAT)
    raise ValueError(f"golden {lie.name}: the liar never came to say {lie.kind}")


# ---------------------------------------------------------------- files changed afterwards


def rows_and_head() -> tuple[list[bytes], bytes]:
    """The records and the last head of the tiny match."""
    transcript = read_transcript(played(TINY).transcript())
    footer = transcript.footer
    if footer is None:
        raise ValueError("golden tiny: has no footer")
    return list(transcript.envelopes), footer.head


def place_of(rows: list[bytes], kind: str, seat: int | None = None, nth: int = 0) -> tuple[int, Envelope]:
    """Where the nth message of a kind (and seat) stands."""
    found = [(at, envelope) for at, envelope in enumerate(map(decode_envelope, rows)) if envelope.kind == kind]
    return [(at, envelope) for at, envelope in found if seat is None or envelope.seat == seat][nth]


def bad_signature() -> bytes:
    rows, head = rows_and_head()
    at, _ = place_of(rows, "SEEN", 1)
    rows[at] = flipped(rows[at], 8 * (len(rows[at]) - 60))
    return write_transcript(rows, head)


def bad_head() -> bytes:
    rows, head = rows_and_head()
    return write_transcript(rows, flipped(head))


def equivocation() -> bytes:
    rows, head = rows_and_head()
    at, envelope = place_of(rows, "SEEN", 1)
    second = resign(played(TINY).nodes[1], envelope, elapsed=envelope.elapsed + 1)
    return write_transcript([*rows[: at + 1], second.data, *rows[at + 1 :]], head)


def bad_time() -> bytes:
    rows, head = rows_and_head()
    at, envelope = place_of(rows, "OPEN1", 1)
    rows[at] = resign(played(TINY).nodes[1], envelope, elapsed=0).data
    return write_transcript(rows, head)


def bad_charter() -> bytes:
    table = played(TINY)
    rows, head = rows_and_head()
    at, envelope = place_of(rows, "NONCE", 1)
    body = envelope.body
    assert isinstance(body, Nonce)
    other = seal(
        table.newcomers()[1],
        table=envelope.table,
        deal=envelope.deal,
        slot=envelope.slot,
        seat=envelope.seat,
        head=envelope.head,
        kind=envelope.kind,
        elapsed=envelope.elapsed,
        body=Nonce(flipped(body.nonce), body.ping_us),
    )
    rows[at] = other.envelope.data
    return write_transcript(rows, head)


def bad_record() -> bytes:
    """The elapsed time of a SEEN written in two bytes where one is enough; the signature would still fit."""
    rows, head = rows_and_head()
    at, envelope = place_of(rows, "SEEN", 1)
    fields = decode(rows[at])
    assert isinstance(fields, list)
    short = encode(fields[9])
    before = 1 + sum(len(encode(field)) for field in fields[:9])
    require(len(short) == 1 and rows[at][before : before + 1] == short, "the elapsed time stands elsewhere")
    rows[at] = rows[at][:before] + b"\xcc" + short + rows[at][before + 1 :]
    require(envelope.elapsed < 128, "the elapsed time of a SEEN needs a byte")
    return write_transcript(rows, head)


def bad_order() -> bytes:
    rows, head = rows_and_head()
    at, _ = place_of(rows, "SEEN", 0)
    rows[at], rows[at + 1] = rows[at + 1], rows[at]
    return write_transcript(rows, head)


def disagreement() -> bytes:
    rows, head = rows_and_head()
    at, envelope = place_of(rows, "OPEN1", 1)
    rows[at] = resign(played(TINY).nodes[1], envelope, head=flipped(envelope.head)).data
    return write_transcript(rows, head)


def truncated() -> bytes:
    data = played(TINY).transcript()
    return data[: 2 * len(data) // 3]


def unfinished() -> bytes:
    rows, _ = rows_and_head()
    at, _ = place_of(rows, "DISCLOSE")
    step = next(closed for closed in played(TINY).nodes[0].deal.history if closed.kind == "OPEN2")
    return write_transcript(rows[:at], step.head)


def unreadable() -> bytes:
    return MAGIC[:6] + b"\x02" + MAGIC[7:] + played(TINY).transcript()[len(MAGIC) :]


CHANGES: Final[tuple[tuple[str, str, Callable[[], bytes]], ...]] = (
    ("bad-signature", "one bit of a signature is flipped", bad_signature),
    ("bad-head", "one bit of the footer's head is flipped", bad_head),
    ("equivocation", "a seat has signed two messages for one slot, which stand one after the other", equivocation),
    ("bad-time", "a seat's elapsed time falls to 0 at the end", bad_time),
    ("bad-charter", "a newcomer gives another nonce than it has committed to", bad_charter),
    ("bad-record", "an integer is written longer than needed", bad_record),
    ("bad-order", "two messages of one step stand in the wrong order of seats", bad_order),
    ("disagreement", "a seat has signed a message that continues another history", disagreement),
    ("truncated", "the file is cut within a record", truncated),
    ("unfinished", "the file ends whole, before the keys are disclosed", unfinished),
    ("unreadable", "the format's version is another", unreadable),
)


@cache
def goldens() -> tuple[Golden, ...]:
    """Every golden transcript: the honest ones, then those with something wrong."""
    return tuple(_all())


def _all() -> Iterator[Golden]:
    for match in MATCHES:
        yield Golden(match.name, match.about, played(match).transcript())
    for lie in LIES:
        yield Golden(lie.name, lie.about, told(lie))
    for name, about, change in CHANGES:
        yield Golden(name, about, change())

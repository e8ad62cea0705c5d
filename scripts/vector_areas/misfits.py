"""Messages that do not fit where they stand, each with one thing wrong and the class that it must give."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from p2pkaboo.audit.history import ordered
from p2pkaboo.crypto.group import G, L
from p2pkaboo.lab.tables.cheating import resign
from p2pkaboo.lab.tables.formed import FormedTable, deals_of
from p2pkaboo.replica.heads import join_head
from p2pkaboo.wire import bodies
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.slot import Slot
from vector_areas.form import flipped

B = TypeVar("B", bound=bodies.Body)

HASH: Final = bytes(64)
SEEN: Final = bodies.Seen()

Change = Callable[[FormedTable, Envelope], Envelope | None]
"""What is said instead of an honest message. None: not instead of this one."""


@dataclass(frozen=True)
class Wrong:
    """A message in the place of the first honest one of a kind that it can replace in a golden match, or after it.

    `blamed`: whether it is provably its author's fault.
    """

    name: str
    about: str
    code: str
    match: str
    kind: str
    change: Change
    after: bool = False
    blamed: bool = True


def of(said: Envelope, kind: type[B]) -> B:
    """The body of an envelope, which is of this kind."""
    assert isinstance(said.body, kind)
    return said.body


def changed(told: B, **changes: object) -> B:
    """A body with some fields changed."""
    fields = {name: getattr(told, name) for name in told.__struct_fields__}
    return type(told)(**{**fields, **changes})


def instead(**changes: object) -> Change:
    """The same message with some fields changed, honestly signed."""
    return lambda table, said: resign(table.nodes[said.seat], said, **changes)  # type: ignore[arg-type]


def body(make: Callable[[FormedTable, Envelope], bodies.Body]) -> Change:
    """The same message with another body."""
    return lambda table, said: resign(table.nodes[said.seat], said, body=make(table, said))


def by_next(**changes: object) -> Change:
    """The same message said by the next seat, with some fields changed."""

    def made(table: FormedTable, said: Envelope) -> Envelope:
        other = table.nodes[(said.seat + 1) % len(table.nodes)]
        return resign(other, said, seat=other.seat, **changes)  # type: ignore[arg-type]

    return made


def unchanged(_: FormedTable, said: Envelope) -> Envelope:
    """The same message."""
    return said


def signed_by_next(table: FormedTable, said: Envelope) -> Envelope:
    """The same message with the signature of another seat."""
    return resign(table.nodes[(said.seat + 1) % len(table.nodes)], said)


def other_head(table: FormedTable, said: Envelope) -> Envelope:
    """The same message at another head."""
    return resign(table.nodes[said.seat], said, head=flipped(said.head))


def other_table(table: FormedTable, said: Envelope) -> Envelope:
    """The same message at another table."""
    return resign(table.nodes[said.seat], said, table=flipped(said.table))


def action(*move: object) -> Change:
    """An ACTION with this move, by whoever speaks: its seat goes after the name."""
    return body(lambda _, said: bodies.Action((move[0], said.seat, *move[1:]), None, b""))


def without_lateness(table: FormedTable, said: Envelope) -> Envelope | None:
    """Testimony without any lateness, where some is due."""
    told = of(said, bodies.Witness)
    if not told.lateness:
        return None
    return resign(table.nodes[said.seat], said, body=changed(told, lateness=()))


def head_without_draw(table: FormedTable, said: Envelope) -> bytes | None:
    """J of this ACTION as if nothing had been drawn; None where nothing was."""
    deal = next(deal for deal in deals_of(table.nodes[0]) if deal.deal == said.deal)
    before = said.slot.number - 1
    lanes = [closed for closed in ordered(deal) if closed.slot.number == before]
    if all(closed.slot.lane != "d" for closed in lanes):
        return None
    window = [closed.head for closed in lanes if closed.slot.lane == "w"]
    return join_head(said.slot.number, deal.starts[before], window[-1] if window else deal.starts[before])


def without_draw(table: FormedTable, said: Envelope) -> Envelope | None:
    """A move that takes the discard, at the head of a history in which nothing was drawn."""
    head = head_without_draw(table, said)
    if head is None:
        return None
    return resign(table.nodes[said.seat], said, body=bodies.Action(("take", said.seat), None, b""), head=head)


def out_of_turn(table: FormedTable, said: Envelope) -> Envelope | None:
    """A call by the seat after the one at turn, at the head of a history in which nothing was drawn."""
    head = head_without_draw(table, said)
    if head is None:
        return None
    other = table.nodes[(said.seat + 1) % len(table.nodes)]
    return resign(other, said, seat=other.seat, body=bodies.Action(("call", other.seat), None, b""), head=head)


WRONG: Final = (
    Wrong("kind", "a SEEN where KEYS is due", "illegal-move", "tiny", "KEYS", instead(kind="SEEN", body=SEEN)),
    Wrong(
        "leave",
        "a LEAVE, which is part of no step",
        "illegal-move",
        "tiny",
        "KEYS",
        instead(kind="LEAVE", body=bodies.Leave()),
    ),
    Wrong(
        "slot-ahead",
        "a SEEN for a step that is not open yet",
        "bad-order",
        "tiny",
        "KEYS",
        instead(kind="SEEN", body=SEEN, slot=Slot(7, "m", 0)),
        blamed=False,
    ),
    Wrong(
        "head",
        "a message that continues another history",
        "disagreement",
        "tiny",
        "KEYS",
        other_head,
        blamed=False,
    ),
    Wrong(
        "table",
        "a message of another table",
        "bad-order",
        "tiny",
        "KEYS",
        other_table,
        blamed=False,
    ),
    Wrong("deal", "a message of another deal", "bad-order", "tiny", "KEYS", instead(deal=2), blamed=False),
    Wrong("no-seat", "a message of seat 7 of two", "bad-order", "tiny", "KEYS", instead(seat=7), blamed=False),
    Wrong(
        "foreign-signature",
        "a message that another seat has signed",
        "bad-signature",
        "tiny",
        "KEYS",
        signed_by_next,
        blamed=False,
    ),
    Wrong("twice", "the same message again", "bad-order", "tiny", "KEYS", unchanged, after=True, blamed=False),
    Wrong(
        "two-messages",
        "a second, different message for the slot",
        "equivocation",
        "tiny",
        "SEEN",
        instead(elapsed=99),
        after=True,
    ),
    Wrong(
        "shuffle-out-of-turn",
        "the next seat shuffles in place of the first",
        "illegal-move",
        "tiny",
        "SHUFFLE",
        by_next(),
    ),
    Wrong(
        "past-slot",
        "a SHUFFLE at a slot where another seat has shuffled, at its head",
        "illegal-move",
        "tiny",
        "SHUFFLE",
        by_next(),
        after=True,
    ),
    Wrong(
        "past-slot-other-head",
        "the same at a head of zeros",
        "disagreement",
        "tiny",
        "SHUFFLE",
        by_next(head=HASH),
        after=True,
        blamed=False,
    ),
    Wrong(
        "key-no-point",
        "a public key that is no point",
        "bad-key",
        "tiny",
        "KEYS",
        body(lambda _, said: bodies.Keys(b"\1" + bytes(31), bytes(64))),
    ),
    Wrong(
        "shuffle-short",
        "a deck with a card fewer",
        "bad-shuffle",
        "tiny",
        "SHUFFLE",
        body(lambda _, said: bodies.Shuffle(of(said, bodies.Shuffle).deck[:-64], of(said, bodies.Shuffle).proof)),
    ),
    Wrong(
        "open-one-more",
        "a share too many",
        "bad-share",
        "tiny",
        "OPEN",
        body(lambda _, said: changed(of(said, bodies.Open), shares=of(said, bodies.Open).shares * 2)),
    ),
    Wrong(
        "view-fewer",
        "a first look at fewer cards than are due",
        "bad-view",
        "tiny",
        "VIEW",
        body(lambda _, said: changed(of(said, bodies.View), asks=of(said, bodies.View).asks[:-1])),
    ),
    Wrong(
        "view-twice",
        "a first look at one card twice",
        "bad-view",
        "tiny",
        "VIEW",
        body(lambda _, said: changed(of(said, bodies.View), asks=of(said, bodies.View).asks[:1] * 2)),
    ),
    Wrong(
        "view-nowhere",
        "a first look at a card that is not there",
        "bad-view",
        "tiny",
        "VIEW",
        body(lambda _, said: bodies.View((bodies.Ask((9, 9), G.encoded, bytes(64)), *of(said, bodies.View).asks[1:]))),
    ),
    Wrong(
        "serve-fewer",
        "a share of a view is missing",
        "bad-share",
        "tiny",
        "SERVE",
        body(lambda _, said: changed(of(said, bodies.Serve), shares=of(said, bodies.Serve).shares[:-1])),
    ),
    Wrong("elapsed-falls", "elapsed time falls", "bad-time", "tiny", "OPEN1", instead(elapsed=0)),
    Wrong("move-unknown", "a move that there is not", "illegal-move", "tiny", "ACTION", action("shuffle")),
    Wrong(
        "move-of-another",
        "a move for another seat",
        "illegal-move",
        "tiny",
        "ACTION",
        body(lambda _, said: bodies.Action(("call", 1 - said.seat), None, b"")),
    ),
    Wrong("move-snap", "a snap as ACTION", "illegal-move", "tiny", "ACTION", action("snap", [1, 0])),
    Wrong("move-draw", "a draw as ACTION beside a draw lane", "illegal-move", "tiny", "ACTION", action("draw")),
    Wrong(
        "draw-left-out",
        "an ACTION that leaves out its seat's DRAW",
        "illegal-move",
        "cabo-standard",
        "ACTION",
        without_draw,
    ),
    Wrong("not-at-turn", "an ACTION of another seat than the one at turn", "illegal-move", "tiny", "ACTION", by_next()),
    Wrong(
        "not-at-turn-no-draw",
        "the same at the head of a history in which nothing was drawn",
        "illegal-move",
        "cabo-standard",
        "ACTION",
        out_of_turn,
    ),
    Wrong(
        "claim-not-due",
        "a proof where none is due",
        "illegal-move",
        "tiny",
        "ACTION",
        body(lambda _, said: bodies.Action(of(said, bodies.Action).move, of(said, bodies.Action).ask, bytes(96))),
    ),
    Wrong(
        "ready-back",
        "a READY that would let a seat sit down again",
        "illegal-move",
        "sheffield",
        "READY",
        body(lambda *_: bodies.Ready((0,))),
    ),
    Wrong(
        "snap-other-race",
        "a SNAP of another race",
        "illegal-move",
        "races",
        "SNAP",
        body(lambda _, said: changed(of(said, bodies.Snap), q=HASH)),
    ),
    Wrong(
        "snap-shows-class",
        "a SNAP that shows its class where none is shown",
        "illegal-move",
        "races",
        "SNAP",
        body(lambda _, said: changed(of(said, bodies.Snap), shown_class="own")),
    ),
    Wrong(
        "witness-missing",
        "testimony that leaves a snapper out",
        "illegal-move",
        "races",
        "WITNESS",
        body(lambda _, said: changed(of(said, bodies.Witness), measures=())),
    ),
    Wrong(
        "lateness-missing",
        "testimony that leaves a seat's share out",
        "illegal-move",
        "races",
        "WITNESS",
        without_lateness,
    ),
    Wrong(
        "reveal-other-nonce",
        "a REVEAL that does not open its SNAP",
        "illegal-move",
        "races",
        "REVEAL",
        body(lambda _, said: changed(of(said, bodies.Reveal), nonce=bytes(32))),
    ),
    Wrong(
        "gift-of-another",
        "a gift of a card that is not the giver's",
        "illegal-move",
        "races",
        "GIFT",
        body(lambda *_: bodies.Gift((1, 200))),
    ),
    Wrong(
        "disclosed-no-scalar",
        "a disclosed key of L or more",
        "bad-key",
        "tiny",
        "DISCLOSE",
        body(lambda *_: bodies.Disclose(L.to_bytes(32, "little"))),
    ),
    Wrong(
        "result-over",
        "a result that says the match goes on",
        "bad-score",
        "tiny",
        "RESULT",
        body(lambda _, said: changed(of(said, bodies.Result), over=False, winners=())),
    ),
)

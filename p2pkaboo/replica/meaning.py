"""What a message stands for in its deal: the cards, the view, the race and the move that it names.

Needed to judge messages, to make our own and to carry out what was said. What cannot be read is a PeerFault; what is
not there although the table's steps see to it is a LocalError.
"""

from typing import TypeVar

from p2pkaboo.crypto.group import CryptoDecodeError, Point, sum_points
from p2pkaboo.crypto.sigma import MembershipStatement
from p2pkaboo.replica.context import context_of
from p2pkaboo.replica.faults import LocalError, PeerFault
from p2pkaboo.replica.race import race_q
from p2pkaboo.replica.state import Asked, Deal, Lanes, Step, View
from p2pkaboo.rules.cards import indices_of
from p2pkaboo.rules.moves import Move, MoveError, from_plain
from p2pkaboo.rules.state import Handle, State
from p2pkaboo.wire.bodies import Action, Ask, Body, Reveal, Snap
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.slot import Slot
from p2pkaboo.wire.tags import SNAP, tagged_hash

_B = TypeVar("_B", bound=Body)


def opened_by(deal: Deal, step: Step, seat: int) -> tuple[Handle, ...]:
    """The cards whose share this seat gives in an OPEN, OPEN1 or OPEN2 step, in order."""
    if step.kind == "OPEN":
        return step.handles
    hands = deal.state.hands
    owners = [seat] if step.kind == "OPEN2" else [owner for owner in range(len(hands)) if owner != seat]
    return tuple(handle for owner in owners for handle in hands[owner] if handle is not None)


def asked_of(deal: Deal, seat: int, ask: Ask) -> Asked:
    """The view that an ask asks for. Raises PeerFault for a card that is not there or a point that is none."""
    card = deal.cards.get(ask.handle)
    if card is None:
        raise PeerFault("bad-view", f"there is no card {ask.handle}")
    return Asked(seat, ask.handle, card.a, point_of(ask.blinded, "bad-view", "the blinded card"))


def last_view(deal: Deal, seat: int, handle: Handle) -> View:
    """The last view in which a seat saw this card: for a drawn card the only one."""
    for view in reversed(deal.views):
        if view.asked.viewer == seat and view.asked.handle == handle:
            return view
    raise LocalError(f"seat {seat} has not viewed card {handle}")


def claim_statement(deal: Deal, state: State, slot: Slot, seat: int, classes: frozenset[str]) -> MembershipStatement:
    """What the seat at turn must prove about its drawn card to make a move that only `classes` of cards allow."""
    if state.drawn is None:
        raise LocalError("no card is drawn")
    view = last_view(deal, seat, state.drawn.handle)
    others = [other for other in deal.active if other != seat]
    return MembershipStatement(
        context_of(deal, slot, seat),
        deal.publics[seat],
        view.asked.original,
        view.asked.blinded,
        deal.cards[state.drawn.handle].b,
        sum_points(view.shares[other] for other in others),
        sum_points(deal.publics[other] for other in others),
        indices_of(state.rules, classes),
    )


def action_move(envelope: Envelope) -> Move:
    """The move of an ACTION. Raises PeerFault when it is none, or another seat's."""
    body = body_of(envelope, Action)
    try:
        move = from_plain(list(body.move))
    except MoveError as error:
        raise PeerFault("illegal-move", str(error)) from None
    if move.seat != envelope.seat:
        raise PeerFault("illegal-move", "a seat moves for itself only")
    return move


def has_lateness(deal: Deal, lanes: Lanes) -> bool:
    """Whether testimony includes how late the shares of the discard came: after a reveal, with three or more seats."""
    return lanes.facts is not None and lanes.facts.reveal and len(deal.active) > 2


def race_of(deal: Deal, lanes: Lanes) -> bytes:
    """Q of the open window."""
    discard = lanes.now.pile[-1]
    return race_q(deal.deal, discard, deal.windows[discard], deal.opened[discard])


def snap_of(deal: Deal, seat: int) -> Snap:
    """The SNAP of a seat in the last window."""
    for closed in reversed(deal.history):
        if closed.kind == "WINDOW":
            return body_of(closed.said[seat], Snap)
    raise LocalError("there was no window")


def snap_commitment(deal: Deal, lanes: Lanes, seat: int, body: Reveal) -> bytes:
    """H(tag, table, race, seat, class, handle, nonce): what a SNAP says of its target, 64 bytes."""
    assert lanes.facts is not None
    target = b"".join(n.to_bytes(4, "big") for n in body.handle)
    return tagged_hash(SNAP, deal.table, lanes.facts.q, bytes([seat]), body.target_class.encode(), target, body.nonce)


def lanes_of(deal: Deal) -> Lanes:
    """The lanes of a deal in which they must be open."""
    if deal.lanes is None:
        raise LocalError("no lanes are open")
    return deal.lanes


def point_of(data: bytes, code: str, what: str) -> Point:
    """The point that these 32 bytes are. Raises PeerFault, with `code`, for bytes that are none."""
    try:
        return Point.decode(data)
    except CryptoDecodeError as error:
        raise PeerFault(code, f"{what} is no point of the group: {error}") from None


def body_of(envelope: Envelope, kind: type[_B]) -> _B:
    """The body, of which the envelope's kind has told the type."""
    if not isinstance(envelope.body, kind):
        raise LocalError(f"{envelope.kind} has another body than its kind")
    return envelope.body

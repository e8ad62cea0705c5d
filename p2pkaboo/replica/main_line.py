"""The main line: the deal, the moves of the seat at turn, and what they call for."""

from p2pkaboo.crypto.elgamal import joint_key
from p2pkaboo.crypto.group import Point
from p2pkaboo.replica.ending import end_closed
from p2pkaboo.replica.faces import face_of
from p2pkaboo.replica.faults import LocalError, PeerFault
from p2pkaboo.replica.lanes import enter_lanes
from p2pkaboo.replica.meaning import action_move, asked_of
from p2pkaboo.replica.outputs import Happened, Viewed
from p2pkaboo.replica.shuffling import begin_series, take_deck
from p2pkaboo.replica.state import Closed, Deal, Made, Step, View
from p2pkaboo.replica.steps import open_main, others
from p2pkaboo.rules.engine import IllegalMove, Needs, Played, expose, play, start
from p2pkaboo.rules.moves import Draw, Move, Peek, PeekInitial, Spy
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Action, Keys, Open
from p2pkaboo.wire.bodies import View as ViewBody
from p2pkaboo.wire.envelope import Envelope


def begin_deal(deal: Deal) -> None:
    """Opens the first step."""
    open_main(deal, "KEYS", deal.active)


def main_closed(deal: Deal, step: Step, closed: Closed) -> None:
    """A step of the main line is complete (SHUFFLE excepted: see `shuffles_proved`)."""
    deal.main = None
    match closed.kind:
        case "KEYS":
            for seat, envelope in closed.said.items():
                assert isinstance(envelope.body, Keys)
                deal.publics[seat] = Point.decode(envelope.body.public)
            deal.joint = joint_key(deal.publics[seat] for seat in deal.active)
            begin_series(deal, "deal", ())
        case "READY":
            _turn_up(deal)
        case "OPEN":
            read_open(deal, closed)
            if closed.why == "up-card":
                _first_look(deal)
            else:
                deal.action_opened += closed.handles
                continue_action(deal)
        case "VIEW":
            _looked(deal, closed)
        case "SERVE":
            _served(deal, step, closed)
        case "SEEN":
            _note_up_card(deal, closed)
            enter_lanes(deal)
        case "DRAW":
            (seat,) = closed.said
            open_main(deal, "SERVE", others(deal, seat), why="draw", asks=(deal.views[-1].asked,))
        case "ACTION":
            _start_action(deal, closed)
        case _:
            end_closed(deal, step, closed)


def shuffles_proved(deal: Deal, why: str) -> None:
    """All shuffles of a series on the main line are in and proved."""
    handles = take_deck(deal)
    if why == "action":
        deal.fresh = handles
        continue_action(deal)
        return
    deal.order = handles
    deal.game = start(deal.charter.rules, deal.charter.seats, deal.dealer, handles, active=frozenset(deal.active))
    if deal.standing.round_no > 1:
        open_main(deal, "READY", deal.active)
    else:
        _turn_up(deal)


def _turn_up(deal: Deal) -> None:
    """The up-card, where the rules turn one up."""
    pile = deal.state.pile
    if pile:
        open_main(deal, "OPEN", deal.active, why="up-card", handles=(pile[-1],))
    else:
        _first_look(deal)


def _first_look(deal: Deal) -> None:
    state = deal.state
    if state.pile:
        deal.game = expose(state, {state.pile[-1]: deal.faces[state.pile[-1]]})
    if deal.charter.rules.peek_count:
        open_main(deal, "VIEW", deal.active)
    else:
        open_main(deal, "SEEN", deal.active)


def _looked(deal: Deal, closed: Closed) -> None:
    asks = []
    for seat in sorted(closed.said):
        body = closed.said[seat].body
        assert isinstance(body, ViewBody)
        for ask in body.asks:
            asked = asked_of(deal, seat, ask)
            deal.views.append(View(closed.slot, asked))
            asks.append(asked)
        _finish(deal, PeekInitial(seat, tuple(ask.handle for ask in body.asks)))
    open_main(deal, "SERVE", deal.active, why="first", asks=tuple(asks))


def _finish(deal: Deal, move: PeekInitial) -> None:
    outcome = play(deal.state, move)
    if not isinstance(outcome, Played):
        raise LocalError("a first look needs nothing more")
    slot = deal.history[-1].slot
    deal.moves.append(Made(slot, move, None))
    deal.out.append(Happened(slot, outcome.events))
    deal.game = outcome.state


def _served(deal: Deal, step: Step, closed: Closed) -> None:
    for asked in step.asks:
        deal.out.append(Viewed(closed.slot, asked.viewer, asked.handle))
    if step.why == "first":
        open_main(deal, "SEEN", deal.active)
    else:
        _carry_out(deal)


def _note_up_card(deal: Deal, closed: Closed) -> None:
    """The exposure of the up-card counts from each seat's own SEEN."""
    pile = deal.state.pile
    if pile:
        deal.opened_at[pile[-1]] = {seat: envelope.elapsed for seat, envelope in closed.said.items()}


def read_open(deal: Deal, closed: Closed) -> None:
    """Everybody's shares are in: the cards of an OPEN step are read and public from now on."""
    for place, handle in enumerate(closed.handles):
        shares = []
        for seat in sorted(closed.said):
            body = closed.said[seat].body
            assert isinstance(body, Open)
            shares.append(body.shares[place].share)
        deal.faces[handle] = face_of(deal, handle, [Point.decode(share) for share in shares])
        deal.opened[handle] = tuple(shares)
        deal.opened_at[handle] = {seat: envelope.elapsed for seat, envelope in closed.said.items()}


def _start_action(deal: Deal, closed: Closed) -> None:
    ((seat, envelope),) = closed.said.items()
    deal.action = move = action_move(envelope)
    deal.action_seat, deal.action_slot, deal.action_opened = seat, closed.slot, ()
    deal.action_asks = _asks(deal, envelope)
    first = play(deal.state, move)
    deal.claimed = first.claim if isinstance(first, Needs) and first.claim else None
    continue_action(deal)


def _asks(deal: Deal, envelope: Envelope) -> tuple[View, ...]:
    body = envelope.body
    assert isinstance(body, Action)
    if body.ask is None:
        return ()
    return (View(envelope.slot, asked_of(deal, envelope.seat, body.ask)),)


def continue_action(deal: Deal) -> None:
    """Goes on with the move in hand: runs the step that it needs next, or carries it out."""
    move = deal.action
    if move is None:
        raise LocalError("no move is in hand")
    try:
        outcome = _play(deal, move)
    except IllegalMove as error:
        # Only a card that had to be opened first can show this: then the move was a lie about it.
        raise PeerFault("illegal-move", str(error)) from None
    if isinstance(outcome, Needs):
        if outcome.open:
            open_main(deal, "OPEN", deal.active, why="action", handles=outcome.open)
        elif outcome.reshuffle:
            begin_series(deal, "action", outcome.reshuffle)
        else:
            raise LocalError(f"{move} needs {outcome}")
    elif isinstance(move, Draw):
        top: Handle = deal.fresh[0] if deal.fresh else deal.state.stock[0]
        open_main(deal, "DRAW", (move.seat,), why="draw", handles=(top,))
    elif isinstance(move, Peek | Spy):
        deal.views.extend(deal.action_asks)
        asks = tuple(view.asked for view in deal.action_asks)
        open_main(deal, "SERVE", others(deal, move.seat), why="power", asks=asks)
    else:
        _carry_out(deal)


def _play(deal: Deal, move: Move) -> Played | Needs:
    """The move in hand with what was opened for it. A face that was public before does not count as opened: a card
    comes into view, and its exposure begins, when it is opened for the move that places it."""
    opened = {handle: deal.faces[handle] for handle in deal.action_opened}
    return play(deal.state, move, opened, reshuffled=deal.fresh, claimed=deal.claimed)


def _carry_out(deal: Deal) -> None:
    """The move in hand has all that it needed: its state is the table's, and new lanes begin."""
    move = deal.action
    if move is None:
        raise LocalError("no move is in hand")
    outcome = _play(deal, move)
    if not isinstance(outcome, Played):
        raise LocalError(f"{move} still needs {outcome}")
    slot = deal.history[-1].slot
    deal.moves.append(Made(slot, move, deal.fresh))
    deal.out.append(Happened(slot, outcome.events))
    deal.fresh, deal.claimed, deal.action_asks = None, None, ()
    deal.game = outcome.state
    enter_lanes(deal)

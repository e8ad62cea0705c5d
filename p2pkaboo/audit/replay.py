"""A round played again with nothing hidden: what the rules could not judge while cards lay face down.

A call under a threshold, a card kept or a power claimed without showing the card: live, a proof or nobody's knowledge
stood for them; with every face known the rules engine itself decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from p2pkaboo.audit.verdicts import Finding
from p2pkaboo.replica.state import Deal, Made
from p2pkaboo.rules.cards import card_class
from p2pkaboo.rules.engine import IllegalMove, Needs, Played, play, start
from p2pkaboo.rules.moves import Move
from p2pkaboo.rules.scoring import RoundScore, score_round
from p2pkaboo.rules.state import Handle, State
from p2pkaboo.wire.slot import Slot

_SAYS = ("VIEW", "DRAW", "ACTION", "REVEAL", "GIFT")
"""The kinds of message with which a seat makes a move."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The end of the round, its hands by place (None is a gap), and its score."""

    state: State
    hands: Mapping[int, tuple[str | None, ...]]
    score: RoundScore[int]


def replay(deal: Deal, faces: Mapping[Handle, str]) -> Replayed | Finding:
    """Plays the moves of a deal that has come to its end, with the face of every handle known.

    Gives its end, or the first move that was not lawful, or a difference to the score that the opened hands gave.
    """
    rules, charter = deal.charter.rules, deal.charter
    state = start(rules, charter.seats, deal.dealer, deal.order, active=frozenset(deal.active), faces=faces)
    for made in deal.moves:
        outcome = _play(deal, state, made, faces)
        if isinstance(outcome, Finding):
            return outcome
        state = outcome
    hands = {
        seat: tuple(None if handle is None else faces[handle] for handle in state.hands[seat]) for seat in deal.active
    }
    score = score_round(
        rules,
        hands,
        state.caller,
        {seat: state.penalties[seat] for seat in deal.active},
        {seat: deal.standing.totals[seat] for seat in deal.active},
        deal.standing.used_reset,
        deal.standing.round_no,
    )
    if score != deal.score:
        return Finding("bad-score", "the round played again gives other scores than the hands that were opened")
    return Replayed(state, hands, score)


def _play(deal: Deal, state: State, made: Made, faces: Mapping[Handle, str]) -> State | Finding:
    seat = made.move.seat
    try:
        blind = play(state, made.move)
        if isinstance(blind, Needs) and blind.claim and state.drawn is not None:
            face = faces[state.drawn.handle]
            if card_class(face) not in blind.claim:
                reason = f"it claimed one of {', '.join(sorted(blind.claim))} and held {face}"
                return Finding("bad-claim", reason, seat, said_at(deal, made.slot, made.move))
        outcome = play(state, made.move, faces, reshuffled=made.reshuffled)
    except IllegalMove as error:
        return Finding("illegal-move", f"with every card known: {error}", seat, said_at(deal, made.slot, made.move))
    if not isinstance(outcome, Played):
        return Finding("illegal-move", f"a move needs more than the history holds: {outcome}", seat, made.slot)
    return outcome.state


def said_at(deal: Deal, done: Slot, move: Move) -> Slot:
    """The slot of the message that made a move which was carried out when the step at `done` was complete."""
    said = [
        closed.slot
        for closed in deal.history
        if closed.kind in _SAYS and move.seat in closed.said and closed.slot.order <= done.order
    ]
    return max(said, key=lambda slot: slot.order, default=done)

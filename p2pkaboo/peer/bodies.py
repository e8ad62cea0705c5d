"""From a duty to the message's body: what can be said at once, and what is work for a thread."""

from p2pkaboo.crypto.runner import Runner
from p2pkaboo.replica.clock import testimony
from p2pkaboo.replica.desk import Desk, Duty
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.meaning import snap_of
from p2pkaboo.replica.own import (
    Made,
    Own,
    Work,
    action_work,
    disclose_body,
    draw_work,
    keys_work,
    open_work,
    result_body,
    reveal_body,
    serve_work,
    shuffle_work,
    snap_work,
    view_work,
)
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.engine import Needs, play
from p2pkaboo.rules.moves import Give, PeekInitial
from p2pkaboo.wire.bodies import Gift, NoSnap, Ready, Seen


def work_for(deal: Deal, desk: Desk, own: Own, duty: Duty, run: Runner) -> Made | Work:
    """The body of a duty, or the work that makes it. Everything is read from the deal now."""
    step = duty.step
    match duty.kind:
        case "KEYS":
            return keys_work(deal, step, own.seat)
        case "SHUFFLE":
            return shuffle_work(deal, step, own.seat, run)
        case "READY":
            return Made(Ready(()))
        case "OPEN" | "OPEN1" | "OPEN2":
            return open_work(deal, step, own)
        case "VIEW" if isinstance(duty.move, PeekInitial):
            return view_work(deal, step, own.seat, duty.move.handles)
        case "SERVE":
            return serve_work(deal, step, own)
        case "SEEN":
            return Made(Seen())
        case "DRAW":
            return draw_work(deal, step, own.seat)
        case "SNAP" if duty.handle is not None:
            return snap_work(deal, own.seat, duty.handle, duty.claim_ms)
        case "NONE":
            return Made(NoSnap(duty.answers))
        case "WITNESS" if deal.lanes is not None:
            window = next(closed.slot for closed in reversed(deal.history) if closed.kind == "WINDOW")
            return Made(testimony(desk.clock, deal, deal.lanes, window))
        case "REVEAL":
            return Made(reveal_body(own, snap_of(deal, own.seat)))
        case "GIFT" if isinstance(duty.move, Give):
            return Made(Gift(duty.move.handle))
        case "ACTION" if duty.move is not None:
            return _action(deal, desk, own, duty)
        case "DISCLOSE":
            return Made(disclose_body(own))
        case "RESULT":
            return Made(result_body(deal))
        case kind:
            raise LocalError(f"nothing is known of how to say {kind} here")


def _action(deal: Deal, desk: Desk, own: Own, duty: Duty) -> Work:
    move = duty.move
    assert move is not None
    state = joined_state(deal)
    outcome = play(state, move)
    classes = outcome.claim if isinstance(outcome, Needs) else frozenset()
    card = desk.known.get(state.drawn.handle) if state.drawn is not None else None
    return action_work(deal, duty.step.slot, own, move, state, classes, card)

"""Two lanes side by side between two ACTIONs: a draw may be under way while a discard is snapped at."""

from dataclasses import replace

from p2pkaboo.replica.ending import begin_end
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.heads import join_head
from p2pkaboo.replica.outputs import Happened, Viewed
from p2pkaboo.replica.state import Closed, Deal, Lanes, Made
from p2pkaboo.replica.steps import join_clocks, open_lane, open_main, others
from p2pkaboo.replica.window import open_window
from p2pkaboo.rules.engine import Played, has_draw_lane, play
from p2pkaboo.rules.moves import Draw
from p2pkaboo.rules.state import Drawn, State


def enter_lanes(deal: Deal) -> None:
    """Begins a pair of lanes at the last main head, with the seat at turn free to draw where it can."""
    state = deal.game
    if state is None:
        raise LocalError("nothing is dealt yet")
    deal.main = None
    deal.action = None
    lanes = Lanes(deal.number, state, deal.head, state, deal.head, deal.head, last=deal.history[-1])
    deal.lanes = lanes
    deal.starts[deal.number] = deal.head
    if has_draw_lane(state):
        assert state.turn is not None
        lanes.draw = open_lane(
            deal, "d", 0, "DRAW", (state.turn,), lanes.draw_head, why="draw", handles=(state.stock[0],)
        )
    open_window(deal)
    lanes_moved(deal)


def lanes_moved(deal: Deal) -> None:
    """Where the window lane is complete and nobody is at turn any more, the end begins."""
    lanes = deal.lanes
    if lanes is None or not lanes.closed:
        return
    if lanes.now.turn != lanes.base.turn:
        pass_number(deal)
    elif lanes.now.turn is None:
        head = join_head(deal.number + 1, lanes.draw_head, lanes.window_head)
        join_clocks(deal)
        deal.game, deal.lanes = lanes.now, None
        begin_end(deal, head)


def pass_number(deal: Deal) -> None:
    """A power fizzled in the window lane and its turn with it: the number rises by one without a message."""
    lanes = deal.lanes
    if lanes is None or lanes.draw is not None or lanes.drawn:
        raise LocalError("a power cannot fizzle beside a draw lane")
    deal.number += 1
    deal.head = join_head(deal.number, lanes.draw_head, lanes.window_head)
    join_clocks(deal)
    deal.game = lanes.now
    enter_lanes(deal)


def draw_closed(deal: Deal, closed: Closed) -> None:
    """A step of the draw lane is complete: DRAW is served, SERVE completes the lane."""
    lanes = deal.lanes
    assert lanes is not None and lanes.draw is not None
    lanes.draw_head = closed.head
    if closed.kind == "DRAW":
        (seat,) = closed.said
        view = deal.views[-1]
        lanes.draw = open_lane(deal, "d", 1, "SERVE", others(deal, seat), closed.head, why="draw", asks=(view.asked,))
    else:
        lanes.draw, lanes.drawn = None, True
        view = next(view for view in reversed(deal.views) if view.slot == closed.slot._replace(index=0))
        deal.out.append(Viewed(closed.slot, view.asked.viewer, view.asked.handle))
        move = Draw(view.asked.viewer)
        outcome = play(lanes.base, move)
        if not isinstance(outcome, Played):
            raise LocalError("a served draw needs nothing more")
        deal.moves.append(Made(closed.slot, move, None))
        deal.out.append(Happened(closed.slot, outcome.events))


def joined_state(deal: Deal) -> State:
    """The state that the next ACTION sees: window lane and, if it is complete, the draw."""
    lanes = deal.lanes
    if lanes is None:
        return deal.state
    if not lanes.drawn:
        return lanes.now
    # Not by the move: that was judged where the lanes began, and stands even if a snap has taken its seat's last card.
    top, *rest = lanes.now.stock
    return replace(lanes.now, stock=tuple(rest), drawn=Drawn(top, "stock"), step="drawn")


def action_head(deal: Deal) -> bytes | None:
    """J as this replica sees it, or None while the lanes are not ready to join: a window or a SERVE is due."""
    lanes = deal.lanes
    if lanes is None or not lanes.closed or (lanes.draw is not None and lanes.draw.kind == "SERVE"):
        return None
    return join_head(deal.number + 1, lanes.draw_head, lanes.window_head)


def join(deal: Deal) -> None:
    """The lanes meet: the ACTION's step opens on the joined state."""
    lanes = deal.lanes
    head = action_head(deal)
    if lanes is None or head is None:
        raise LocalError("the lanes are not ready to join")
    state = joined_state(deal)
    join_clocks(deal)
    deal.draw_lane = has_draw_lane(lanes.base)
    deal.game, deal.lanes = state, None
    assert state.turn is not None
    open_main(deal, "ACTION", (state.turn,), head=head)

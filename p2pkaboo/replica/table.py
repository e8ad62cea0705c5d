"""Messages in, history out: the one place where a deal's state changes.

`receive` takes a signed envelope, `verdict` the answer to a `Verify` command; both may add to `deal.out`, which the
caller drains. Any order and delay of either gives the same heads: a message waits until its step is open here, and a
step is complete when every seat required has said its one message.
"""

from collections.abc import Sequence

from p2pkaboo.crypto.group import Point
from p2pkaboo.replica.charter import Charter
from p2pkaboo.replica.early import keep_early
from p2pkaboo.replica.examine import examine
from p2pkaboo.replica.faults import LocalError, PeerFault
from p2pkaboo.replica.heads import deal_head, join_head
from p2pkaboo.replica.lanes import action_head, draw_closed, join, lanes_moved
from p2pkaboo.replica.main_line import begin_deal, main_closed, read_open, shuffles_proved
from p2pkaboo.replica.meaning import asked_of
from p2pkaboo.replica.outputs import Accepted, Differing, Output, Verify
from p2pkaboo.replica.past import is_past, judge_overtaken, take_past
from p2pkaboo.replica.refusing import refuse, refuse_action
from p2pkaboo.replica.shuffling import first_failed, series_complete, series_verdict, shuffle_said
from p2pkaboo.replica.state import Closed, Deal, Shuffled, Step, Totals, View
from p2pkaboo.replica.steps import close, note_elapsed, open_step, open_steps
from p2pkaboo.replica.window import penalty_shuffled, window_closed
from p2pkaboo.wire.bodies import Draw, NoSnap, Serve, Snap
from p2pkaboo.wire.envelope import Envelope, Signed
from p2pkaboo.wire.slot import Slot


def new_deal(
    charter: Charter, deal: int, dealer: int, active: Sequence[int], standing: Totals, last_head: bytes
) -> Deal:
    """A deal before its first message. `last_head`: of the deal before, for the first the charter's hash."""
    table = charter.hash
    state = Deal(
        table,
        charter,
        deal,
        dealer,
        tuple(active),
        standing,
        deal_head(table, deal, last_head, tuple(active), dealer),
    )
    begin_deal(state)
    return state


def drain(deal: Deal) -> list[Output]:
    """Takes what the last calls put out."""
    out, deal.out = deal.out, []
    return out


def receive(deal: Deal, signed: Signed) -> None:
    """Takes in a message of this table and deal. Others, and repetitions, change nothing."""
    envelope = signed.envelope
    if envelope.table != deal.table or envelope.deal != deal.deal or envelope.seat not in deal.active:
        return
    if signed.key != deal.charter.keys[envelope.seat]:
        raise LocalError("the envelope was verified under another key than its seat's")
    place = (envelope.slot, envelope.seat)
    known = deal.held.get(place)
    if known is not None:
        if known.hash != envelope.hash:
            refuse(deal, envelope, "equivocation", "two different messages are signed for one slot", (known,))
        return
    if deal.fault is not None:
        return
    if is_past(deal, envelope.slot):
        take_past(deal, envelope)
        return
    if open_step(deal, envelope.slot) is None and not keep_early(deal, envelope):
        return  # dropped, not refused: whoever is that far ahead will send it again
    deal.held[place] = envelope
    deal.early.setdefault(envelope.slot, {})[envelope.seat] = envelope
    _progress(deal)


def verdict(deal: Deal, token: bytes, failed: int | None) -> None:
    """The answer to a Verify command. `failed`: the first check that does not hold, None if all do."""
    place = deal.checking.pop(token, None)
    if place is None or deal.fault is not None:
        return
    slot, seat = place
    envelope = deal.held[place]
    if envelope.kind == "SHUFFLE":
        reason = None if failed is None else "its proof does not hold"
        if deal.series is not None and series_verdict(deal.series, token, reason):
            _shuffle_verdict(deal)
        return
    step = open_step(deal, slot)
    if step is None or seat not in step.checking:
        raise LocalError("a verdict on a message that is not under verification")
    del step.checking[seat]
    if failed is not None:
        code = examine(deal, step, envelope)[failed].code
        refuse(deal, envelope, code, f"proof {failed + 1} of its {envelope.kind} does not hold", ())
        return
    _accept(deal, step, envelope)
    _progress(deal)


def _progress(deal: Deal) -> None:
    """Uses early messages while any step that is open here waits for one of them."""
    moved = True
    while moved and deal.fault is None:
        moved = _try_join(deal)
        for step in open_steps(deal):
            waiting = deal.early.get(step.slot)
            if not waiting:
                continue
            for seat in sorted(waiting):
                envelope = waiting.pop(seat)
                if not waiting:
                    deal.early.pop(step.slot, None)
                _consider(deal, step, envelope)
                moved = True
                break
            if moved:
                break
    judge_overtaken(deal)


def _consider(deal: Deal, step: Step, envelope: Envelope) -> None:
    if envelope.head != step.head:
        deal.out.append(Differing(envelope))
        return
    try:
        checks = examine(deal, step, envelope)
    except PeerFault as fault:
        if fault.code == "bad-shuffle" and deal.series is not None:
            deal.series.said.append(Shuffled(envelope, False, fault.reason))
            _shuffle_verdict(deal)
        else:
            refuse(deal, envelope, fault.code, fault.reason, ())
        return
    if checks:
        deal.checking[envelope.hash] = (envelope.slot, envelope.seat)
        deal.out.append(Verify(envelope.hash, envelope, checks))
    if envelope.kind == "SHUFFLE":
        _accept(deal, step, envelope)
    elif checks:
        step.checking[envelope.seat] = envelope
    else:
        _accept(deal, step, envelope)


def _accept(deal: Deal, step: Step, envelope: Envelope) -> None:
    step.said[envelope.seat] = envelope
    note_elapsed(deal, envelope)
    deal.out.append(Accepted(envelope))
    if len(step.said) < len(step.required):
        return
    if step.kind == "WINDOW" and not _answers_meet(deal, step):
        return
    try:
        _close(deal, step)
    except PeerFault as fault:
        refuse_action(deal, fault)


def _answers_meet(deal: Deal, step: Step) -> bool:
    """Every SNAP that a NONE answers is among those said here; if not, its author or the snapper said two things."""
    snaps = {e.hash for e in step.said.values() if isinstance(e.body, Snap)}
    for envelope in step.said.values():
        if isinstance(envelope.body, NoSnap) and envelope.body.answers and envelope.body.answers not in snaps:
            deal.out.append(Differing(envelope))
            return False
    return True


def _close(deal: Deal, step: Step) -> None:
    closed = close(deal, step)
    lane = step.slot.lane
    _collect_views(deal, step, closed)
    if step.kind == "SHUFFLE":
        if lane == "m":
            deal.head, deal.number = closed.head, step.slot.number
        else:
            assert deal.lanes is not None
            deal.lanes.window_head, deal.lanes.window, deal.lanes.last = closed.head, None, closed
        shuffle_said(deal, next(iter(closed.said.values())))
        _shuffle_verdict(deal)
    elif lane == "m":
        deal.head, deal.number = closed.head, step.slot.number
        main_closed(deal, step, closed)
    elif lane == "d":
        draw_closed(deal, closed)
    else:
        if closed.kind == "OPEN":
            read_open(deal, closed)
        window_closed(deal, closed)
        lanes_moved(deal)


def _collect_views(deal: Deal, step: Step, closed: Closed) -> None:
    """DRAW begins a view; SERVE brings the shares of the views that its step serves."""
    if closed.kind == "DRAW":
        ((seat, envelope),) = closed.said.items()
        assert isinstance(envelope.body, Draw)
        deal.views.append(View(closed.slot, asked_of(deal, seat, envelope.body.ask)))
    elif closed.kind == "SERVE":
        for view in deal.views:
            if view.asked not in step.asks:
                continue
            for seat, envelope in closed.said.items():
                assert isinstance(envelope.body, Serve)
                due = [asked for asked in step.asks if asked.viewer != seat]
                if view.asked in due:
                    view.shares[seat] = Point.decode(envelope.body.shares[due.index(view.asked)].share)


def _shuffle_verdict(deal: Deal) -> None:
    series = deal.series
    if series is None:
        return
    failed = first_failed(series)
    if failed is not None:
        envelope, reason = failed
        refuse(deal, envelope, "bad-shuffle", reason, ())
    elif series_complete(series):
        if series.why == "penalty":
            penalty_shuffled(deal)
            lanes_moved(deal)
        else:
            try:
                shuffles_proved(deal, series.why)
            except PeerFault as fault:
                refuse_action(deal, fault)
        _progress(deal)


def _try_join(deal: Deal) -> bool:
    """Opens the ACTION's step when one is here that bears the head at which these lanes join."""
    lanes = deal.lanes
    if lanes is None or not lanes.closed or lanes.now.turn is None:
        return False
    slot = Slot(deal.number + 1, "m", 0)
    waiting = deal.early.get(slot, {})
    envelope = waiting.get(lanes.now.turn)
    without = join_head(slot.number, lanes.start, lanes.window_head)
    if envelope is None:
        for seat, other in list(waiting.items()):
            if other.head in (without, action_head(deal)):  # else it may be due in another history than this
                refuse(deal, waiting.pop(seat), "illegal-move", "another seat is at turn", ())
        return False
    has_drawn = lanes.drawn or (lanes.draw is not None and lanes.draw.kind == "SERVE") or _draw_held(deal)
    if has_drawn and envelope.head == without:
        draw = deal.held[Slot(deal.number, "d", 0), envelope.seat]
        refuse(deal, envelope, "illegal-move", "the ACTION leaves out a DRAW that its seat has signed", (draw,))
        return False
    if envelope.head != action_head(deal):
        if lanes.draw is None:
            deal.early.pop(slot)
            deal.out.append(Differing(envelope))
        return False  # else its draw lane may still be under way here
    join(deal)
    return True


def _draw_held(deal: Deal) -> bool:
    lanes = deal.lanes
    return lanes is not None and lanes.draw is not None and bool(lanes.draw.checking)

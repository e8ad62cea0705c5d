"""Messages in, history out: the one place where a deal's state changes.

`receive` takes a signed envelope, `verdict` the answer to a `Verify` command; both may add to `deal.out`, which the
caller drains. Any order and delay of either gives the same heads: a message waits until its step is open here, and a
step is complete when every seat required has said its one message.
"""

from collections.abc import Sequence

from p2pkaboo.crypto.group import Point
from p2pkaboo.replica.charter import Charter
from p2pkaboo.replica.early import forget_early, keep_early
from p2pkaboo.replica.examine import asked_of, examine
from p2pkaboo.replica.faults import Fault, LocalError, PeerFault
from p2pkaboo.replica.heads import deal_head, join_head
from p2pkaboo.replica.lanes import action_head, draw_closed, join, lanes_moved
from p2pkaboo.replica.main_line import begin_deal, main_closed, read_open, shuffles_proved
from p2pkaboo.replica.outputs import Accepted, Differing, Output, Refused, Verify
from p2pkaboo.replica.shuffling import first_failed, series_complete, series_verdict, shuffle_said
from p2pkaboo.replica.state import Closed, Deal, Step, Totals, View
from p2pkaboo.replica.steps import close, note_elapsed
from p2pkaboo.replica.window import penalty_shuffled, window_closed
from p2pkaboo.wire.bodies import Draw, NoSnap, Serve, Snap
from p2pkaboo.wire.envelope import Envelope, Signed
from p2pkaboo.wire.limits import MAX_ASTRAY
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
            _refuse(deal, envelope, "equivocation", "two different messages are signed for one slot", (known,))
        return
    if deal.fault is not None:
        return
    if _is_past(deal, envelope.slot):
        _take_past(deal, envelope)
        return
    if _open_step(deal, envelope.slot) is None and not keep_early(deal, envelope):
        return  # dropped, not refused: whoever is that far ahead will send it again
    deal.held[place] = envelope
    deal.early.setdefault(envelope.slot, {})[envelope.seat] = envelope
    _progress(deal)


def _take_past(deal: Deal, envelope: Envelope) -> None:
    """A message for a slot where nothing may be said any more: a lie, or the word of another history."""
    if envelope.head == _head_at(deal, envelope.slot):
        deal.held[envelope.slot, envelope.seat] = envelope
        _refuse(deal, envelope, "illegal-move", _why_past(envelope), _around(deal, envelope))
        return
    astray = deal.astray.get(envelope.seat, 0)
    if astray < MAX_ASTRAY:
        deal.astray[envelope.seat] = astray + 1
        deal.held[envelope.slot, envelope.seat] = envelope
        deal.out.append(Differing(envelope))  # where its author's history is another one, it may be due there


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
    step = _open_step(deal, slot)
    if step is None or seat not in step.checking:
        raise LocalError("a verdict on a message that is not under verification")
    del step.checking[seat]
    if failed is not None:
        code = examine(deal, step, envelope)[failed].code
        _refuse(deal, envelope, code, f"proof {failed + 1} of its {envelope.kind} does not hold", ())
        return
    _accept(deal, step, envelope)
    _progress(deal)


def _progress(deal: Deal) -> None:
    """Uses early messages while any step that is open here waits for one of them."""
    moved = True
    while moved and deal.fault is None:
        moved = _try_join(deal)
        for step in _open_steps(deal):
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
    _judge_overtaken(deal)


def _judge_overtaken(deal: Deal) -> None:
    """What has waited for a slot that history went past is judged as if it came now: others may only get it now."""
    overtaken = [envelope for slot, waits in deal.early.items() if _is_past(deal, slot) for envelope in waits.values()]
    for envelope in sorted(overtaken, key=lambda other: (other.slot.order, other.seat)):
        if deal.fault is None:
            forget_early(deal, envelope)
            _take_past(deal, envelope)


def _consider(deal: Deal, step: Step, envelope: Envelope) -> None:
    if envelope.head != step.head:
        deal.out.append(Differing(envelope))
        return
    try:
        checks = examine(deal, step, envelope)
    except PeerFault as fault:
        if fault.code == "bad-shuffle" and deal.series is not None:
            deal.series.unproved.append((envelope.hash, False, envelope, fault.reason))
            _shuffle_verdict(deal)
        else:
            _refuse(deal, envelope, fault.code, fault.reason, ())
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
        _refuse_action(deal, fault)


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
        _refuse(deal, envelope, "bad-shuffle", reason, ())
    elif series_complete(series):
        if series.why == "penalty":
            penalty_shuffled(deal)
            lanes_moved(deal)
        else:
            try:
                shuffles_proved(deal, series.why)
            except PeerFault as fault:
                _refuse_action(deal, fault)
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
                _refuse(deal, waiting.pop(seat), "illegal-move", "another seat is at turn", ())
        return False
    has_drawn = lanes.drawn or (lanes.draw is not None and lanes.draw.kind == "SERVE") or _draw_held(deal)
    if has_drawn and envelope.head == without:
        draw = deal.held[Slot(deal.number, "d", 0), envelope.seat]
        _refuse(deal, envelope, "illegal-move", "the ACTION leaves out a DRAW that its seat has signed", (draw,))
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


def _open_steps(deal: Deal) -> list[Step]:
    steps = [deal.main]
    if deal.lanes is not None:
        steps += [deal.lanes.draw, deal.lanes.window]
    return [step for step in steps if step is not None]


def _open_step(deal: Deal, slot: Slot) -> Step | None:
    return next((step for step in _open_steps(deal) if step.slot == slot), None)


def _is_past(deal: Deal, slot: Slot) -> bool:
    """No message for this slot can become part of the history any more."""
    if deal.over:
        return True
    step = _open_step(deal, slot)
    if step is not None:
        return False
    if deal.lanes is None:
        return slot.number <= deal.number
    lanes = deal.lanes
    if slot.number != deal.number:
        return slot.number < deal.number
    if slot.lane == "m":
        return True
    if slot.lane == "w":
        return slot.index < lanes.next_index or lanes.closed
    return lanes.drawn or (lanes.draw is None) or slot.index < lanes.draw.slot.index


def _head_at(deal: Deal, slot: Slot) -> bytes | None:
    """The head that a message for a past slot must bear to be of this history; None where nothing can be of it."""
    if slot.lane in "dw" and slot.index == 0:
        return deal.starts.get(slot.number)
    before = slot._replace(index=slot.index - 1)
    for closed in reversed(deal.history):
        if closed.slot == slot:
            return next(iter(closed.said.values())).head
        if closed.slot == before:
            return closed.head
    return None


def _why_past(envelope: Envelope) -> str:
    if envelope.kind == "DRAW":
        return "a DRAW is signed that its seat's next ACTION leaves out"
    return f"nothing is to be said by this seat at {envelope.slot}"


def _around(deal: Deal, envelope: Envelope) -> tuple[Envelope, ...]:
    """For a DRAW left out: the ACTION that leaves it out, which together with it proves the cheat."""
    action = deal.held.get((Slot(envelope.slot.number + 1, "m", 0), envelope.seat))
    return (action,) if envelope.kind == "DRAW" and action is not None else ()


def _refuse_action(deal: Deal, fault: PeerFault) -> None:
    slot, seat = deal.action_slot, deal.action_seat
    assert slot is not None
    _refuse(deal, deal.held[slot, seat], fault.code, fault.reason, ())


def _refuse(deal: Deal, envelope: Envelope, code: str, reason: str, more: Sequence[Envelope]) -> None:
    if deal.fault is not None:
        return
    evidence = tuple(e.data for e in (*more, envelope))
    deal.fault = Fault(envelope.seat, code, reason, envelope.slot, deal.deal, evidence)
    deal.out.append(Refused(deal.fault))

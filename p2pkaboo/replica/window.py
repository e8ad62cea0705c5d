"""The window lane: who snaps the card on top, in which order, and what comes of it.

A window is one WINDOW step in which every active seat says SNAP or NONE. Where there is a SNAP, testimony follows, then
for each SNAP that counts, in order, its target is revealed, opened and judged, with gift and penalty; then the next
window. Only a window in which everybody has said NONE ends the lane, or a card that nobody may snap any more.
"""

from p2pkaboo.replica.charter import KNOWN_FLOOR_MS
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.meaning import lanes_of, race_of, snap_of
from p2pkaboo.replica.outputs import Happened, Raced
from p2pkaboo.replica.race import COUNTED, Judgement, RaceFacts, Runner, dispute_lot, judge, judge_two
from p2pkaboo.replica.shuffling import begin_series, take_deck
from p2pkaboo.replica.state import Attempt, Closed, Deal, Lanes, Made, RaceRecord
from p2pkaboo.replica.steps import open_lane
from p2pkaboo.rules.cards import match
from p2pkaboo.rules.engine import Needs, Played, expose, play, snappable, still_stands, void_attempt
from p2pkaboo.rules.events import Event, Snapped
from p2pkaboo.rules.moves import Give, Move
from p2pkaboo.rules.moves import Snap as SnapMove
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Gift, Reveal, Snap, Witness
from p2pkaboo.wire.slot import Slot

MOVED = "its target had moved"
RIGHT = "right"
WRONG = "wrong"
TURNED_BACK = "the other card was first"


def open_window(deal: Deal) -> None:
    """Opens the next window, or ends the lane where nobody may snap the card on top."""
    lanes = lanes_of(deal)
    if not snappable(lanes.now):
        lanes.closed = True
        return
    discard = lanes.now.pile[-1]
    deal.windows[discard] = deal.windows.get(discard, 0) + 1
    lanes.at_window, lanes.zero = lanes.now, lanes.last
    lanes.facts = _facts(deal, lanes, discard)
    _open(deal, "WINDOW", deal.active)


def _facts(deal: Deal, lanes: Lanes, discard: Handle) -> RaceFacts:
    zero = lanes.zero
    assert zero is not None
    senders = tuple(sorted(zero.said))
    viewers = _viewers(deal, discard)
    floors = {
        seat: KNOWN_FLOOR_MS if seat in viewers or senders == (seat,) else deal.charter.race.floor
        for seat in deal.active
    }
    return RaceFacts(
        deal.charter.race,
        deal.active,
        lanes.now.turn,
        senders,
        zero.kind == "OPEN" and discard in zero.handles,
        floors,
        race_of(deal, lanes),
        deal.windows[discard],
    )


def _viewers(deal: Deal, discard: Handle) -> frozenset[int]:
    """Who had privately viewed the card when it came to the pile; nobody, if everybody had been shown it before."""
    openings = sum(closed.kind == "OPEN" and discard in closed.handles for closed in deal.history)
    if openings > 1:
        return frozenset()
    return frozenset(view.asked.viewer for view in deal.views if view.asked.handle == discard)


def window_closed(deal: Deal, closed: Closed) -> None:
    """A step of the window lane is complete."""
    lanes = lanes_of(deal)
    lanes.window, lanes.window_head, lanes.last = None, closed.head, closed
    match closed.kind:
        case "WINDOW":
            _all_have_spoken(deal, lanes, closed)
        case "WITNESS":
            _judge(deal, lanes, closed)
        case "REVEAL":
            _revealed(deal, lanes, closed)
        case "OPEN":
            _opened(deal, lanes, closed.slot)
        case "GIFT":
            _given(deal, lanes, closed)
        case kind:
            raise LocalError(f"a window lane has no step of {kind}")


def _all_have_spoken(deal: Deal, lanes: Lanes, closed: Closed) -> None:
    snappers = [seat for seat in sorted(closed.said) if isinstance(closed.said[seat].body, Snap)]
    if not snappers:
        lanes.closed = True
        return
    lanes.queue = [Attempt(seat) for seat in snappers]
    if len(deal.active) == 2 and len(snappers) == 1:
        _record_alone(deal, lanes, closed, snappers[0])
        _serve_next(deal, lanes)
    else:
        _open(deal, "WITNESS", deal.active)


def _record_alone(deal: Deal, lanes: Lanes, closed: Closed, seat: int) -> None:
    """One snap between two seats needs no testimony: there is nobody to be faster than."""
    facts = lanes.facts
    assert facts is not None
    claim, floor = snap_of(deal, seat).claim_ms, facts.floors[seat]
    runner = Runner(seat, claim, None, floor, max(claim, floor), True, COUNTED)
    judgement = Judgement((seat,), (runner,), False)
    deal.races.append(RaceRecord(closed.slot, lanes.now.pile[-1], facts, {seat: claim}, judgement))
    deal.out.append(Raced(closed.slot, len(deal.races) - 1))


def _judge(deal: Deal, lanes: Lanes, closed: Closed) -> None:
    facts = lanes.facts
    assert facts is not None
    snaps = {attempt.seat: snap_of(deal, attempt.seat) for attempt in lanes.queue}
    claims = {seat: snap.claim_ms for seat, snap in snaps.items()}
    testimony = {seat: e.body for seat, e in closed.said.items() if isinstance(e.body, Witness)}
    judgement = (judge_two if len(deal.active) == 2 else judge)(facts, claims, testimony)
    record = RaceRecord(closed.slot, lanes.now.pile[-1], facts, claims, judgement)
    deal.races.append(record)
    deal.out.append(Raced(closed.slot, len(deal.races) - 1))
    for runner in judgement.runners:
        if not runner.counts:
            lanes.now = void_attempt(lanes.now, runner.seat)
            record.outcomes[runner.seat] = runner.reason
    order = sorted(judgement.order, key=lambda seat: snaps[seat].shown_class == "other")
    lanes.queue = [Attempt(seat) for seat in order]
    lanes.disputed = judgement.disputed
    if judgement.disputed:
        _open(deal, "REVEAL", tuple(sorted(order)), why="dispute")
    else:
        _serve_next(deal, lanes)


def _serve_next(deal: Deal, lanes: Lanes) -> None:
    """The next SNAP in order, or, when none is left, the next window."""
    while lanes.queue:
        attempt = lanes.queue.pop(0)
        lanes.serving = attempt
        if attempt.handle is None:
            _open(deal, "REVEAL", (attempt.seat,), why="snap")
            return
        if not _stands(lanes, attempt):
            _outcome(deal, attempt.seat, MOVED)
        elif not _carry_out(deal, lanes, attempt):
            return
    lanes.serving, lanes.disputed = None, False
    if lanes.now.turn == lanes.base.turn:
        open_window(deal)
    else:
        lanes.closed = True


def _revealed(deal: Deal, lanes: Lanes, closed: Closed) -> None:
    targets = {seat: e.body for seat, e in closed.said.items() if isinstance(e.body, Reveal)}
    if not lanes.disputed:
        attempt = lanes.serving
        assert attempt is not None
        _aim(attempt, targets[attempt.seat])
        if _stands(lanes, attempt):
            assert attempt.handle is not None
            _open(deal, "OPEN", deal.active, why="snap", handles=(attempt.handle,))
        else:
            _outcome(deal, attempt.seat, MOVED)
            _serve_next(deal, lanes)
        return
    for attempt in lanes.queue:
        _aim(attempt, targets[attempt.seat])
    # Nothing has moved since the window opened: both snaps still stand.
    handles = tuple(sorted({body.handle for body in targets.values()}))
    _open(deal, "OPEN", deal.active, why="dispute", handles=handles)


def _aim(attempt: Attempt, body: Reveal) -> None:
    attempt.handle, attempt.target_class, attempt.nonce = body.handle, body.target_class, body.nonce


def _opened(deal: Deal, lanes: Lanes, slot: Slot) -> None:
    if not lanes.disputed:
        attempt = lanes.serving
        assert attempt is not None
        if _carry_out(deal, lanes, attempt):
            _serve_next(deal, lanes)
        return
    # Everybody has seen both cards, also one that is then turned back or does not stand any more.
    shown = {attempt.handle: deal.faces[attempt.handle] for attempt in lanes.queue if attempt.handle is not None}
    lanes.now = expose(lanes.now, shown)
    nonces = [attempt.nonce for attempt in sorted(lanes.queue, key=lambda a: a.seat)]
    top = deal.faces[lanes.now.pile[-1]]
    staged = lanes.now.rules.snap == "own-then-others"

    def rank(attempt: Attempt) -> tuple[bool, bool, bytes]:
        """Where the rules have stages, own cards first whatever the views say; wrong ones first; seat or lot."""
        assert attempt.handle is not None
        right = match(lanes.now.rules, deal.faces[attempt.handle], top)
        lot = dispute_lot(attempt.seat, nonces) if right else bytes([attempt.seat])
        return (staged and attempt.target_class == "other", right, lot)

    lanes.queue.sort(key=rank)
    _serve_next(deal, lanes)


def _carry_out(deal: Deal, lanes: Lanes, attempt: Attempt) -> bool:
    """Plays an opened snap. False while something else must happen first: a reshuffle for the penalty, a gift."""
    assert attempt.handle is not None
    events = _play(deal, lanes, SnapMove(attempt.seat, attempt.handle))
    if events is None:
        return False
    right = any(isinstance(event, Snapped) for event in events)
    _outcome(deal, attempt.seat, RIGHT if right else WRONG)
    if right and lanes.now.rules.snap_limit == "first":
        for left in lanes.queue:
            _outcome(deal, left.seat, TURNED_BACK)
        lanes.queue = []
    if lanes.now.phase == "gift":
        _open(deal, "GIFT", (attempt.seat,))
        return False
    return True


def penalty_shuffled(deal: Deal) -> None:
    """The discards are reshuffled for a penalty: the snap that needed it goes on."""
    lanes = lanes_of(deal)
    attempt = lanes.serving
    assert attempt is not None
    deal.fresh = take_deck(deal)
    if _carry_out(deal, lanes, attempt):
        _serve_next(deal, lanes)


def _given(deal: Deal, lanes: Lanes, closed: Closed) -> None:
    ((seat, envelope),) = closed.said.items()
    assert isinstance(envelope.body, Gift)
    if _play(deal, lanes, Give(seat, envelope.body.handle)) is None:
        raise LocalError("a gift needs nothing more")
    _serve_next(deal, lanes)


def _play(deal: Deal, lanes: Lanes, move: Move) -> tuple[Event, ...] | None:
    """Plays a move of this lane. None: the discards must be reshuffled first, and their shuffles are open now."""
    outcome = play(lanes.now, move, deal.faces, reshuffled=deal.fresh)
    if isinstance(outcome, Needs):
        if not outcome.reshuffle:
            raise LocalError(f"{move} needs {outcome}")
        begin_series(deal, "penalty", outcome.reshuffle)
        return None
    assert isinstance(outcome, Played)
    # The last step of this lane: the last one completed here may be a draw that another replica completes later.
    assert lanes.last is not None
    slot = lanes.last.slot
    deal.moves.append(Made(slot, move, deal.fresh))
    deal.out.append(Happened(slot, outcome.events))
    deal.fresh = None
    lanes.now = outcome.state
    return outcome.events


def _stands(lanes: Lanes, attempt: Attempt) -> bool:
    assert lanes.at_window is not None and attempt.handle is not None
    return still_stands(lanes.at_window, lanes.now, attempt.seat, attempt.handle)


def _outcome(deal: Deal, seat: int, outcome: str) -> None:
    """Enters what came of a snap in the record of its race."""
    deal.races[-1].outcomes[seat] = outcome


def _open(
    deal: Deal, kind: str, required: tuple[int, ...], *, why: str = "snap", handles: tuple[Handle, ...] = ()
) -> None:
    lanes = lanes_of(deal)
    lanes.window = open_lane(deal, "w", lanes.next_index, kind, required, lanes.window_head, why=why, handles=handles)
    lanes.next_index += 1

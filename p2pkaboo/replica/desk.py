"""A seat's own desk: what it has to say now, what its player is asked, and when to look again.

Pure like the table beside it: times come in, duties come out. The program around it carries duties out (makes the body,
saves it, sends it) and asks the player; the desk decides *what* and *when*, for people and bots alike. Steps that need
no decision are done by themselves; a player who takes too long is stood in for (`timer.step_s`, `timer.idle_s`).
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from p2pkaboo.replica.clock import LEAST_WAIT_MS, Clock, exposed_until, measure, note_window, shown_since, zero_of
from p2pkaboo.replica.lanes import action_head, joined_state
from p2pkaboo.replica.race import measured_us
from p2pkaboo.replica.state import Deal, Lanes, Step
from p2pkaboo.rules.engine import (
    IllegalMove,
    has_draw_lane,
    idle_move,
    may_snap,
    moves,
    owner,
    play,
    position,
    snap_targets,
)
from p2pkaboo.rules.moves import Call, Draw, Exchange, Give, Move, Pass, Peek, PeekInitial, Spy, Swap, Take
from p2pkaboo.rules.moves import Snap as SnapMove
from p2pkaboo.rules.state import Handle, State
from p2pkaboo.rules.view import seat_view
from p2pkaboo.wire.bodies import Snap
from p2pkaboo.wire.limits import MAX_CLAIM_MS
from p2pkaboo.wire.slot import Slot

LOOK_MS: Final = 5_000
"""Classic memory mode shows the first look for five seconds (cabo-online's text)."""

SECOND: Final = 1_000_000
_AUTOMATIC: Final = frozenset({"KEYS", "SHUFFLE", "OPEN", "SERVE", "WITNESS", "REVEAL", "OPEN1", "OPEN2", "DISCLOSE"})

Kind = Literal["ready", "look", "seen", "gift", "turn"]


@dataclass(frozen=True, slots=True)
class Question:
    """What the own player has to decide. `moves`: the legal ones (empty for "ready" and "seen"); `number` tells one
    question from the next; `ends_at`: when the desk answers by itself, in microseconds, or None."""

    kind: Kind
    number: int
    state: State | None
    moves: tuple[Move, ...]
    ends_at: int | None


@dataclass(frozen=True, slots=True)
class Duty:
    """Something to say now. `step`: its slot and head; `move`, `handle`, `claim_ms`, `answers`: what the kind needs."""

    kind: str
    step: Step
    move: Move | None = None
    handle: Handle | None = None
    claim_ms: int = 0
    answers: bytes = b""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A snap that the player has pressed: its target, when, and on which discard."""

    handle: Handle
    at: int
    discard: Handle


@dataclass(slots=True)
class Desk:
    """One seat at one deal. `said`: slots that are answered or in the making; `audited`: RESULT may be said."""

    deal: Deal
    seat: int
    clock: Clock
    known: dict[Handle, str] = field(default_factory=dict)
    said: set[Slot] = field(default_factory=set)
    audited: bool = False
    ready: bool = False
    seen: bool = False
    looking_since: int | None = None
    choice: Move | None = None
    choice_marks: tuple[object, ...] | None = None
    """Where the cards lay that the choice is about; None: it was taken back from the journal, where they lie now."""
    gift: Give | None = None
    pressed: Pressed | None = None
    snapped: Slot | None = None
    """The last window in which our SNAP was said."""
    question: Question | None = None
    asked: int = 0
    ready_since: int | None = None


def due(desk: Desk, now: int) -> tuple[list[Duty], int | None]:
    """What to say now, and when to ask again at the latest (None: only when something happens)."""
    deal = desk.deal
    if deal.fault is not None or deal.over:
        desk.question = None
        return [], None
    _settle(desk, now)
    duties: list[Duty] = []
    wakes: list[int] = []
    lanes = deal.lanes
    for step in [deal.main, *((lanes.draw, lanes.window) if lanes is not None else ())]:
        if step is None or desk.seat not in step.required or step.slot in desk.said:
            continue
        duty, wake = _for_step(desk, step, now)
        if duty is not None:
            duties.append(duty)
        if wake is not None:
            wakes.append(wake)
    action = _action(desk)
    if action is not None:
        duties.append(action)
    if desk.question is not None and desk.question.ends_at is not None:
        wakes.append(desk.question.ends_at)
    return duties, min(wakes, default=None)


def answer(desk: Desk, number: int, move: Move | None) -> bool:
    """The player's answer to a question (`move` None for "ready" and "seen"). False: that question is gone, or the
    move is not one of its legal ones."""
    question = desk.question
    if question is None or question.number != number:
        return False
    if question.kind == "ready":
        desk.ready = True
    elif question.kind == "seen":
        desk.seen = True
    elif move is not None and _is_legal(question, move):
        _choose(desk, move)
    else:
        return False
    desk.question = None
    return True


def press(desk: Desk, handle: Handle, at: int) -> bool:
    """The player snaps. False: nothing can be snapped now, or not this card, or its last snap is not settled yet."""
    lanes = desk.deal.lanes
    if lanes is None or lanes.closed or desk.pressed is not None or not lanes.now.pile or _unsettled(desk, lanes):
        return False
    if not may_snap(lanes.now, desk.seat) or handle not in snap_targets(lanes.now, desk.seat):
        return False
    desk.pressed = Pressed(handle, at, lanes.now.pile[-1])
    return True


def _unsettled(desk: Desk, lanes: Lanes) -> bool:
    """Our SNAP of this window is still on its way: a second key press with it is no wish to pay twice."""
    if desk.snapped is None or desk.snapped.number != lanes.number:
        return False
    window = lanes.window
    return window is None or window.kind != "WINDOW" or window.slot == desk.snapped


def _is_legal(question: Question, move: Move) -> bool:
    if move in question.moves:
        return True
    if question.state is None:
        return False
    try:  # exchanges of several cards may be named in any order: too many to list
        play(question.state, move)
    except IllegalMove:
        return False
    return not isinstance(move, Give | PeekInitial)


def _settle(desk: Desk, now: int) -> None:
    """Brings question, choice and press in line with the table; answers for a player who is out of time."""
    if desk.question is not None and desk.question.ends_at is not None and now >= desk.question.ends_at:
        question = desk.question
        state = question.state
        desk.question = None
        if question.kind == "ready":
            desk.ready = True
        elif question.kind == "seen":
            desk.seen = True
        elif state is not None:
            _choose(desk, idle_move(state, desk.seat, desk.known))
    _drop_stale(desk)
    kind, state = _what_to_ask(desk)
    if kind is None:
        desk.question = None
        return
    if desk.question is not None and desk.question.kind == kind and desk.question.state == state:
        return
    options = _options(desk, kind, state)
    only = _forced(state, options) if state is not None else None
    if only is not None:
        _choose(desk, only)
        desk.question = None
        return
    desk.asked += 1
    desk.question = Question(kind, desk.asked, state, options, _ends_at(desk, kind, now))


def _forced(state: State, options: tuple[Move, ...]) -> Move | None:
    """A seat without cards can only call or pass: its peer does it."""
    if len(options) == 1 and isinstance(options[0], Call | Pass) and not _cards(state, options[0].seat):
        return options[0]
    return None


def _cards(state: State, seat: int) -> bool:
    return any(handle is not None for handle in state.hands[seat])


def _ends_at(desk: Desk, kind: Kind, now: int) -> int | None:
    rules = desk.deal.charter.rules
    if kind == "ready":
        if desk.ready_since is None:
            desk.ready_since = now
        return desk.ready_since + rules.timer_between_s * SECOND
    if kind == "seen":
        if desk.looking_since is None:
            desk.looking_since = now
        if rules.memory == "classic":
            return desk.looking_since + LOOK_MS * 1000
    seconds = rules.timer_step_s or rules.timer_idle_s
    return now + seconds * SECOND if seconds else None


def _what_to_ask(desk: Desk) -> tuple[Kind | None, State | None]:
    deal, seat = desk.deal, desk.seat
    main, lanes = deal.main, deal.lanes
    if main is not None and seat in main.required and main.slot not in desk.said:
        if main.kind == "READY":
            return (None if desk.ready else "ready"), None
        if main.kind == "VIEW" and deal.charter.rules.peek_choice:
            return (None if desk.choice is not None else "look"), deal.state
        if main.kind == "SEEN":
            return (None if desk.seen else "seen"), None
    if lanes is None:
        return None, None
    window = lanes.window
    if window is not None and window.kind == "GIFT" and seat in window.required and window.slot not in desk.said:
        return (None if desk.gift is not None else "gift"), lanes.now
    if desk.choice is not None:
        return None, None
    if lanes.now.turn != seat or lanes.now.gift is not None or _drawing(desk, lanes):
        return None, None
    if Slot(deal.number + 1, "m", 0) in desk.said:  # our ACTION is in the making, or on its way back to us
        return None, None
    return "turn", joined_state(deal)


def _drawing(desk: Desk, lanes: Lanes) -> bool:
    """Our DRAW is said and not served yet: nothing can be decided before the card is known."""
    if lanes.drawn:
        drawn = joined_state(desk.deal).drawn
        return drawn is not None and drawn.handle not in desk.known
    return Slot(lanes.number, "d", 0) in desk.said


def _options(desk: Desk, kind: Kind, state: State | None) -> tuple[Move, ...]:
    if state is None:
        return ()
    if kind in ("look", "gift"):
        return moves(state, desk.seat, desk.known)
    # A view offers a call only where it is certain to be lawful, and no list of every exchange of several cards.
    options = tuple(move for move in seat_view(state, desk.seat, desk.known).moves if not isinstance(move, SnapMove))
    lanes = desk.deal.lanes
    if lanes is not None and has_draw_lane(lanes.base) and not _may_draw(desk, lanes):
        options = tuple(move for move in options if not isinstance(move, Draw))
    return options


def _may_draw(desk: Desk, lanes: Lanes) -> bool:
    """No DRAW after our own NONE, unless the same window holds a SNAP: others have answered our NONE with theirs."""
    window = lanes.window
    if window is not None and window.kind == "WINDOW" and window.slot in desk.said:
        return any(isinstance(envelope.body, Snap) for envelope in window.said.values())
    for closed in reversed(desk.deal.history):
        if closed.slot.number != lanes.number or closed.slot.lane != "w":
            break
        if closed.kind == "WINDOW":
            return any(isinstance(e.body, Snap) for e in closed.said.values())
    return True


def _choose(desk: Desk, move: Move) -> None:
    if isinstance(move, Give):
        desk.gift = move
        return
    desk.choice = move
    state = desk.deal.lanes.now if desk.deal.lanes is not None else None
    desk.choice_marks = None if state is None else _marks(state, move)


def _touched(move: Move) -> tuple[Handle, ...]:
    match move:
        case Exchange(_, handles):
            return handles
        case Peek(_, handle) | Spy(_, handle):
            return (handle,)
        case Swap(_, mine, theirs):
            return (mine, theirs)
        case _:
            return ()


def _marks(state: State, move: Move) -> tuple[object, ...]:
    """What must still be so for a choice to mean what its player meant: the card to take, the places of the others."""
    if isinstance(move, Take):
        return state.pile[-1:]
    return tuple(_place(state, handle) for handle in _touched(move))


def _place(state: State, handle: Handle) -> tuple[int, int] | None:
    seat = owner(state, handle)
    return None if seat is None else (seat, position(state, seat, handle))


def _drop_stale(desk: Desk) -> None:
    """A choice that a snap has overtaken is asked again; a press ends with its discard."""
    lanes = desk.deal.lanes
    if desk.pressed is not None and (lanes is None or lanes.closed or desk.pressed.discard != lanes.now.top):
        desk.pressed = None
    choice = desk.choice
    if choice is None or isinstance(choice, PeekInitial):
        return
    if lanes is None:
        desk.choice = None
        return
    if lanes.now.gift is not None:
        return
    state = joined_state(desk.deal)
    marks = _marks(lanes.now, choice)
    moved = desk.choice_marks is not None and marks != desk.choice_marks
    desk.choice_marks = marks
    try:
        play(state, choice)
    except IllegalMove:
        moved = True
    if moved or state.turn != desk.seat:
        desk.choice = None


def taken_up(desk: Desk, duty: Duty) -> None:
    """The program is carrying this duty out: what it used up is cleared, and it is not due again."""
    desk.said.add(duty.step.slot)
    if duty.kind == "GIFT":
        desk.gift = None
    elif duty.kind in ("ACTION", "VIEW") or (duty.kind == "DRAW" and duty.step.slot.lane == "d"):
        desk.choice = None
    elif duty.kind == "SNAP":
        desk.pressed, desk.snapped = None, duty.step.slot


def _for_step(desk: Desk, step: Step, now: int) -> tuple[Duty | None, int | None]:
    deal = desk.deal
    if step.kind in _AUTOMATIC:
        return Duty(step.kind, step), None
    match step.kind:
        case "VIEW":
            if not deal.charter.rules.peek_choice:
                return Duty("VIEW", step, move=idle_move(deal.state, desk.seat)), None
            return (Duty("VIEW", step, move=desk.choice) if desk.choice is not None else None), None
        case "READY":
            return (Duty("READY", step) if desk.ready else None), None
        case "SEEN":
            return (Duty("SEEN", step) if desk.seen else None), None
        case "RESULT":
            return (Duty("RESULT", step) if desk.audited else None), None
        case "GIFT":
            return (Duty("GIFT", step, move=desk.gift) if desk.gift is not None else None), None
        case "DRAW":
            if step.slot.lane == "m":
                return Duty("DRAW", step), None
            lanes = deal.lanes
            wants = isinstance(desk.choice, Draw) and lanes is not None and lanes.now.gift is None
            return (Duty("DRAW", step) if wants and lanes is not None and _may_draw(desk, lanes) else None), None
        case "WINDOW":
            return _for_window(desk, step, now)
        case _:
            return None, None


def _action(desk: Desk) -> Duty | None:
    """The ACTION, as soon as the lanes may join and the player has chosen."""
    deal, lanes = desk.deal, desk.deal.lanes
    if lanes is None or lanes.now.turn != desk.seat or desk.choice is None:
        return None
    slot = Slot(deal.number + 1, "m", 0)
    head = action_head(deal)
    if head is None or slot in desk.said or (isinstance(desk.choice, Draw) and has_draw_lane(lanes.base)):
        return None
    if not lanes.drawn and Slot(lanes.number, "d", 0) in desk.said:
        return None
    return Duty("ACTION", Step(slot, "ACTION", head, (desk.seat,)), move=desk.choice)


def _for_window(desk: Desk, step: Step, now: int) -> tuple[Duty | None, int | None]:
    deal, lanes = desk.deal, desk.deal.lanes
    assert lanes is not None
    note_window(desk.clock, deal, lanes, now)
    pressed = desk.pressed
    if pressed is not None and may_snap(lanes.now, desk.seat) and pressed.handle in snap_targets(lanes.now, desk.seat):
        zero = None if lanes.zero is None else zero_of(desk.clock, deal.deal, lanes.zero)
        claim = min(max(0, (pressed.at - (pressed.at if zero is None else zero)) // 1000), MAX_CLAIM_MS)
        return Duty("SNAP", step, handle=pressed.handle, claim_ms=claim), None
    snaps = _snaps_held(deal, step, desk.seat)
    if snaps:
        waits = [(_none_after_snap(desk, lanes, step, seat, snap), seat) for seat, snap in snaps.items()]
        at, seat = min(waits)
        if now < at:
            return None, at
        return Duty("NONE", step, answers=deal.held[step.slot, seat].hash), None
    exposed = exposed_until(desk.clock, deal, lanes)
    if now < exposed:
        return None, exposed
    acting = lanes.now.turn
    if acting is None:
        return Duty("NONE", step), None
    if acting == desk.seat:
        return (Duty("NONE", step) if _has_decided(desk, lanes) else None), None
    return (Duty("NONE", step) if acting in step.said else None), None


def _has_decided(desk: Desk, lanes: Lanes) -> bool:
    """The player at turn has chosen anything but a draw from the draw lane."""
    choice = desk.choice
    return choice is not None and not (isinstance(choice, Draw) and has_draw_lane(lanes.base))


def _snaps_held(deal: Deal, step: Step, seat: int) -> dict[int, Snap]:
    return {
        other: envelope.body
        for other, envelope in step.said.items()
        if other != seat and isinstance(envelope.body, Snap)
    }


def _none_after_snap(desk: Desk, lanes: Lanes, step: Step, seat: int, snap: Snap) -> int:
    """When a NONE may answer this SNAP: whoever presses faster than its score must have had the time to.

    Its seat's floor is part of that score: who knows the card presses at once, and is worth beating until its floor.
    """
    deal, numbers = desk.deal, desk.deal.charter.race
    facts = lanes.facts
    assert facts is not None
    zero = None if lanes.zero is None else zero_of(desk.clock, deal.deal, lanes.zero)
    if zero is None:
        zero = shown_since(desk.clock, deal, lanes)
    most = max(lanes.now.rules.snap_exposure_ms, LEAST_WAIT_MS) * 1000
    seen = measured_us(measure(desk.clock, deal, lanes, step.slot, seat), desk.seat, facts)
    return zero + max(
        facts.floors[seat] * 1000,
        min(seen, most),
        min(snap.claim_ms * 1000, seen + (numbers.cap + numbers.late) * 1000, most),
    )

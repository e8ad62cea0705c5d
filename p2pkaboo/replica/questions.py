"""What a seat's player is asked, and what its answers come to until they are said.

A player who takes too long is stood in for (`timer.step_s`, `timer.idle_s`); a choice that a snap has overtaken is
asked again.
"""

from typing import Final

from p2pkaboo.replica.desk import Desk, Kind, Question
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.state import Lanes
from p2pkaboo.rules.engine import IllegalMove, has_draw_lane, idle_move, moves, owner, play, position
from p2pkaboo.rules.moves import Call, Draw, Exchange, Give, Move, Pass, Peek, PeekInitial, Spy, Swap, Take
from p2pkaboo.rules.moves import Snap as SnapMove
from p2pkaboo.rules.state import Handle, State
from p2pkaboo.rules.view import seat_view
from p2pkaboo.wire.bodies import Snap
from p2pkaboo.wire.slot import Slot

LOOK_MS: Final = 5_000
"""Classic memory mode shows the first look for five seconds (cabo-online's text)."""

SECOND: Final = 1_000_000
"""Microseconds."""

_LISTED: Final = (Draw, Give, PeekInitial, SnapMove)
"""Moves that answer a question only if it lists them: the lanes have their own rules for a draw, a snap is pressed."""


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


def _is_legal(question: Question, move: Move) -> bool:
    if move in question.moves:
        return True
    if question.state is None or isinstance(move, _LISTED):
        return False
    try:  # not all are listed: exchanges of several cards may be named in any order, and a call may be a risk
        play(question.state, move)
    except IllegalMove:
        return False
    return True


def settle(desk: Desk, now: int) -> None:
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
    if lanes is not None and has_draw_lane(lanes.base) and not may_draw(desk, lanes):
        options = tuple(move for move in options if not isinstance(move, Draw))
    return options


def may_draw(desk: Desk, lanes: Lanes) -> bool:
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


def _marks(state: State, move: Move) -> tuple[object, ...]:
    """What must still be so for a choice to mean what its player meant: the card to take, the places of the others."""
    if isinstance(move, Take):
        return state.pile[-1:]
    return tuple(_place(state, handle) for handle in _touched(move))


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


def _place(state: State, handle: Handle) -> tuple[int, int] | None:
    seat = owner(state, handle)
    return None if seat is None else (seat, position(state, seat, handle))

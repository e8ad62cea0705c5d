"""The legal moves of a seat, with what is publicly known or with what that seat knows besides."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from .cards import KEPT, card_class, most_alike, power_of, powers, value
from .exchange import discard_forbidden
from .moves import Call, Discard, Draw, End, Exchange, Give, Move, Pass, Peek, PeekInitial, Skip, Snap, Spy, Swap, Take
from .powers import possible, spy_targets, swap_targets
from .snaps import snap_targets
from .state import Handle, PowerInUse, State, can_draw, can_take, cards_of, has_cards, may_skip
from .turns import stuck

_NOTHING: Mapping[Handle, str] = {}


def moves(state: State, seat: int, known: Mapping[Handle, str] = _NOTHING, *, several: bool = True) -> tuple[Move, ...]:
    """Every legal move of the seat: first look, gift, those of its turn, snaps.

    `known` are faces that the seat has seen: they take away moves that would turn out illegal once opened. `several`:
    see `turn_moves`.
    """
    if seat not in state.active:
        return ()
    if state.initial:
        return tuple(_first_looks(state, seat)) if seat in state.initial else ()
    if state.gift is not None:
        return tuple(_gifts(state, seat)) if state.gift.giver == seat else ()
    own_turn = turn_moves(state, known, several=several) if state.turn == seat else ()
    return own_turn + tuple(Snap(seat, handle) for handle in snap_targets(state, seat))


def turn_moves(state: State, known: Mapping[Handle, str] = _NOTHING, *, several: bool = True) -> tuple[Move, ...]:
    """The legal moves of the seat at turn, snaps apart; none while a first look or a gift is waited for.

    An exchange of several cards stands here once for every set of cards and every one of them as `into` (and both ends
    where the rules ask for one): the order in which the cards are named changes the order on the pile only, and sets
    larger than any group of matching cards in the deck, which can only fail, are left out. Before a large hand they are
    thousands all the same: with `several` false only exchanges of one card are listed (`most_exchanged` says how many
    are allowed).
    """
    if state.turn is None or state.gift is not None or state.initial:
        return ()
    match state.step:
        case "turn":
            return tuple(_beginnings(state, state.turn, known))
        case "drawn":
            return tuple(_with_card(state, state.turn, known, several))
        case "power" if state.power is not None:
            used = tuple(_power_moves(state, state.turn, state.power, None))
            return (*used, Skip(state.turn)) if may_skip(state) else used
        case _:
            return ()


def _first_looks(state: State, seat: int) -> Iterator[Move]:
    cards, count = cards_of(state, seat), state.rules.peek_count
    choices = combinations(cards, count) if state.rules.peek_choice else [cards[:count]]
    for chosen in choices:
        yield PeekInitial(seat, tuple(chosen))


def _gifts(state: State, seat: int) -> Iterator[Move]:
    for handle in cards_of(state, seat):
        yield Give(seat, handle)
    if state.rules.snap_gift == "may":
        yield Give(seat, None)


def _beginnings(state: State, seat: int, known: Mapping[Handle, str]) -> Iterator[Move]:
    cards = has_cards(state, seat)
    if cards and can_draw(state):
        yield Draw(seat)
    if cards and can_take(state):
        yield Take(seat)
    if state.caller is not None:
        if not cards or stuck(state):
            yield Pass(seat)
    elif may_call(state, seat, known):
        yield Call(seat)


def may_call(state: State, seat: int, known: Mapping[Handle, str] = _NOTHING, *, sure: bool = False) -> bool:
    """May the seat at turn call, as far as the faces in the state and in `known` tell?

    Where the rules have a threshold and not every card is known, nobody can say: then the answer is not `sure`.
    """
    if not has_cards(state, seat) or stuck(state):
        return True
    if any(state.turns[other] < state.rules.call_after_turns for other in state.active):
        return False
    limit = state.rules.call_threshold
    faces = [state.faces.get(handle) or known.get(handle) for handle in cards_of(state, seat)]
    points = [value(state.rules, face) for face in faces if face is not None]
    if limit >= 0 and len(points) < len(faces):
        return not sure
    return limit < 0 or sum(points) <= limit


def _with_card(state: State, seat: int, known: Mapping[Handle, str], several: bool) -> Iterator[Move]:
    drawn, rules = state.drawn, state.rules
    if drawn is None:
        return
    face = known.get(drawn.handle)
    by_rank = rules.turn_by_rank and drawn.source == "stock" and face is not None
    if state.power is None and has_cards(state, seat) and not (by_rank and face and card_class(face) not in KEPT):
        yield from (Exchange(seat, (handle,)) for handle in cards_of(state, seat))
        if several and rules.multi_max != 1:
            yield from _exchanges_of_several(state, seat)
    if drawn.source == "pile":
        return
    if state.power is None and rules.power_on == "draw" and has_cards(state, seat):
        kinds = sorted(set(powers(rules).values())) if face is None else [power_of(rules, face)]
        for kind in kinds:
            yield from _power_moves(state, seat, PowerInUse(kind), kind)
    if face is None or discard_forbidden(state, seat, face) is None:
        yield Discard(seat)


def most_exchanged(state: State, seat: int) -> int:
    """The most own cards that the seat can exchange at once with any hope of success."""
    cards = len(cards_of(state, seat))
    return min(cards, state.rules.multi_max or cards, most_alike(state.rules))


def _exchanges_of_several(state: State, seat: int) -> Iterator[Move]:
    ends: tuple[End | None, ...] = ("left", "right") if state.rules.multi_fail == "keep-end" else (None,)
    for chosen, into in _sets(cards_of(state, seat), most_exchanged(state, seat)):
        for end in ends:
            yield Exchange(seat, chosen, into, end)


@lru_cache(maxsize=1024)
def _sets(cards: tuple[Handle, ...], most: int) -> tuple[tuple[tuple[Handle, ...], Handle], ...]:
    """Every set of two or more cards, up to `most`, with each of them as the one to be replaced."""
    return tuple(
        (chosen, into) for size in range(2, most + 1) for chosen in combinations(cards, size) for into in chosen
    )


def _power_moves(state: State, seat: int, power: PowerInUse, named: str | None) -> Iterator[Move]:
    if not possible(state, seat, power):
        return
    kind, own = power.kind, power.own
    if kind == "peek" or (kind == "look-two-swap" and own is None):
        for handle in cards_of(state, seat):
            yield Peek(seat, handle, named)
    if kind == "spy" or (kind in ("look-swap", "look-two-swap") and power.other is None):
        for handle in spy_targets(state, seat, kind):
            yield Spy(seat, handle, named)
    if kind == "swap":
        mine, theirs = swap_targets(state, seat)
        if state.rules.power_swap_any:
            for first, second in combinations(mine, 2):
                yield Swap(seat, first, second, named)
        else:
            for first in mine:
                for second in theirs:
                    yield Swap(seat, first, second, named)
    if kind == "look-swap" and power.other is not None:
        for handle in cards_of(state, seat):
            yield Swap(seat, handle, power.other, named)
    if kind == "look-two-swap" and own is not None and power.other is not None:
        yield Swap(seat, own, power.other, named)


def idle_move(state: State, seat: int, known: Mapping[Handle, str] = _NOTHING) -> Move:
    """The move that completes a step for a player whose time is over, made by that player's own peer.

    `known` are the faces that the seat knows: where rank decides, the drawn card has to be among them. Whose step it
    is, the caller knows: the seat owes a first look or a gift, or is at turn.

    Raises ValueError if nothing is waited for from this seat.
    """
    cards = cards_of(state, seat)
    if seat in state.initial:
        return PeekInitial(seat, cards[: state.rules.peek_count])
    if state.gift is not None and state.gift.giver == seat:
        return Give(seat, cards[-1])
    if state.turn != seat or state.gift is not None or state.initial:
        raise ValueError(f"nothing is waited for from seat {seat}")
    if state.step == "turn":
        return _idle_beginning(state, seat)
    options = turn_moves(state, known, several=False)
    if state.step == "power":
        skip = Skip(seat)
        return skip if skip in options else options[0]
    discard = Discard(seat)
    if discard in options:
        return discard
    power = next((move for move in options if isinstance(move, Peek | Spy | Swap)), None)
    return power if power is not None else Exchange(seat, (cards[-1],))


def _idle_beginning(state: State, seat: int) -> Move:
    if not has_cards(state, seat) or stuck(state):
        return Call(seat) if state.caller is None else Pass(seat)
    return Draw(seat) if can_draw(state) else Take(seat)

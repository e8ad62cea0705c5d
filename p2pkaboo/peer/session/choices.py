"""What a player may do now, as choices for a screen, and the way back from a command to a move.

A command names places; the move names the cards that lie there. Whatever is not among the choices is refused with one
sentence, and nothing is sent.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from p2pkaboo.peer import api
from p2pkaboo.peer.session.chronicle import place
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.rules.cards import power_of
from p2pkaboo.rules.engine import IllegalMove, may_call, most_exchanged, owner, play, position
from p2pkaboo.rules.moves import Call, Discard, Draw, Exchange, Give, Move, Peek, PeekInitial, Skip, Spy, Swap, Take
from p2pkaboo.rules.state import Handle, State, can_draw

Power = Literal["", "peek", "spy", "swap", "look-swap", "look-two-swap"]

_POWERS: Final[dict[str, Power]] = {
    "peek": "peek",
    "spy": "spy",
    "swap": "swap",
    "look-swap": "look-swap",
    "look-two-swap": "look-two-swap",
}


@dataclass(frozen=True, slots=True)
class Asking:
    """What a player is to decide: `kind` as in `replica.desk.Question`; `moves` are the legal ones."""

    kind: str
    state: State | None
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """Everything a player may do at one moment. `targets`: cards it may snap in `snap_state`; `looking`: it is looking
    at a card."""

    you: int
    asking: Asking | None = None
    targets: tuple[Handle, ...] = ()
    snap_state: State | None = None
    looking: bool = False
    known: Mapping[Handle, str] = field(default_factory=dict)

    def meaning(self) -> object:
        """What a decision is about: as long as it is equal, an older decision still means the same."""
        asking = self.asking
        if asking is None:
            return None
        top = asking.state.top if asking.state is not None and asking.state.step == "turn" else None
        return asking.kind, asking.moves, top


def power_name(name: str | None) -> Power:
    """A power as the screen knows it; "" for none."""
    return _POWERS.get(name or "", "")


def spots(state: State, handles: Iterable[Handle]) -> tuple[api.Spot, ...]:
    """Where these cards lie, those of the hands only."""
    found = []
    for handle in handles:
        seat = owner(state, handle)
        if seat is not None:
            found.append(place(seat, position(state, seat, handle)))
    return tuple(sorted(set(found), key=lambda spot: (spot.seat or 0, spot.position or 0)))


def choices_of(options: Options) -> tuple[api.Choice, ...]:
    """All commands that are legal now."""
    found: list[api.Choice] = []
    asking = options.asking
    if asking is not None:
        match asking.kind:
            case "ready" | "seen":
                found.append(api.Choice(command=asking.kind))
            case "look" if asking.state is not None:
                found.append(_first_look(asking.state, asking.moves))
            case "gift" if asking.state is not None:
                found += _gift(asking.state, asking.moves)
            case "turn" if asking.state is not None:
                found += _turn(asking.state, options, asking.moves)
    if options.looking and not (asking is not None and asking.kind == "seen"):
        found.append(api.Choice(command="seen"))
    if options.targets and options.snap_state is not None:
        all_spots = spots(options.snap_state, options.targets)
        found.append(
            api.Choice(
                command="snap",
                mine=tuple(spot for spot in all_spots if spot.seat == options.you),
                theirs=tuple(spot for spot in all_spots if spot.seat != options.you),
            )
        )
    return tuple(found)


def _first_look(state: State, moves: tuple[Move, ...]) -> api.Choice:
    looks = [move for move in moves if isinstance(move, PeekInitial)]
    count = len(looks[0].handles) if looks else 0
    mine = spots(state, (handle for look in looks for handle in look.handles))
    return api.Choice(command="peek_initial", mine=mine, least=count, most=count)


def _gift(state: State, moves: tuple[Move, ...]) -> list[api.Choice]:
    gifts = [move for move in moves if isinstance(move, Give)]
    given = spots(state, (move.handle for move in gifts if move.handle is not None))
    found = [api.Choice(command="give", mine=given, confirm=True)]
    if any(move.handle is None for move in gifts):
        found.append(api.Choice(command="no_gift"))
    return found


def _turn(state: State, options: Options, moves: tuple[Move, ...]) -> list[api.Choice]:
    if state.step == "turn":
        return _beginning(state, options, moves)
    found: list[api.Choice] = []
    # Every card that may be exchanged at all may be exchanged alone; of several at once there can be thousands.
    exchanges = [move for move in moves if isinstance(move, Exchange) and len(move.handles) == 1]
    if exchanges:
        most = max(1, most_exchanged(state, options.you)) if state.rules.multi_max != 1 else 1
        found.append(
            api.Choice(
                command="exchange",
                mine=spots(state, (move.handles[0] for move in exchanges)),
                most=most,
                ends=most > 1 and state.rules.multi_fail == "keep-end",
                confirm=most > 1,
            )
        )
    found += _powers(state, options.you, moves)
    if any(isinstance(move, Discard) for move in moves):
        found.append(api.Choice(command="discard", power=_discard_power(state, options)))
    if any(isinstance(move, Skip) for move in moves):
        found.append(api.Choice(command="skip", power=power_name(state.power.kind if state.power else None)))
    return found


def _beginning(state: State, options: Options, moves: tuple[Move, ...]) -> list[api.Choice]:
    kinds = {type(move) for move in moves}
    found: list[api.Choice] = []
    if Draw in kinds:
        found.append(api.Choice(command="draw"))
    elif not can_draw(state):
        found.append(api.Choice(command="draw", off="stock_empty"))
    if Take in kinds:
        found.append(api.Choice(command="take"))
    if Call in kinds and may_call(state, options.you, options.known, sure=True):
        found.append(api.Choice(command="call", confirm=True))
    elif state.caller is not None:
        found.append(api.Choice(command="call", off="called_already"))
    elif any(state.turns[seat] < state.rules.call_after_turns for seat in state.active):
        found.append(api.Choice(command="call", off="too_early"))
    else:
        unseen = may_call(state, options.you, options.known)
        found.append(api.Choice(command="call", off="unseen" if unseen else "threshold"))
    return found


def _powers(state: State, you: int, moves: tuple[Move, ...]) -> list[api.Choice]:
    found = []
    peeks = [move.handle for move in moves if isinstance(move, Peek)]
    if peeks:
        found.append(api.Choice(command="peek", mine=spots(state, peeks)))
    spies = [move.handle for move in moves if isinstance(move, Spy)]
    if spies:
        found.append(api.Choice(command="spy", theirs=spots(state, spies)))
    swaps = [move for move in moves if isinstance(move, Swap)]
    if swaps:
        mine = spots(state, (move.mine for move in swaps))
        theirs = spots(state, (move.theirs for move in swaps))
        if state.rules.power_swap_any and all(owner(state, move.theirs) is not None for move in swaps):
            both = tuple(sorted({*mine, *theirs}, key=lambda spot: (spot.seat or 0, spot.position or 0)))
            if state.power is None or state.power.kind == "swap":
                mine = theirs = both
        found.append(api.Choice(command="swap", mine=mine, theirs=theirs))
    return found


def _discard_power(state: State, options: Options) -> Power:
    """What discarding the drawn card would bring, where its holder knows it."""
    drawn = state.drawn
    if drawn is None or drawn.source != "stock" or state.rules.power_on != "discard":
        return ""
    face = options.known.get(drawn.handle)
    return power_name(power_of(state.rules, face)) if face is not None else ""


# ---------------------------------------------------------------- from a command to a move

TurnCommand = (
    api.PeekInitial
    | api.Draw
    | api.Take
    | api.Exchange
    | api.DiscardDrawn
    | api.Peek
    | api.Spy
    | api.Swap
    | api.Skip
    | api.Give
    | api.NoGift
    | api.CallRound
)


def move_of(command: TurnCommand, options: Options) -> Move:
    """The move that a command means. Raises Refusal when it is not one of the legal ones."""
    asking = options.asking
    if asking is None or asking.state is None:
        raise Refusal("error.not_now")
    move = _move(command, asking.state, options.you, asking.moves)
    if move in asking.moves:
        return move
    if isinstance(move, Exchange) and asking.kind == "turn":
        try:  # cards may be named in any order, and more of them than could match: too many to list
            play(asking.state, move)
        except IllegalMove as error:
            raise Refusal("error.illegal", reason=error.reason) from None
        return move
    raise Refusal("error.not_now")


def _move(command: TurnCommand, state: State, you: int, moves: tuple[Move, ...]) -> Move:
    match command:
        case api.PeekInitial():
            wanted = frozenset(card_at(state, you, at) for at in command.positions)
            for move in moves:
                if isinstance(move, PeekInitial) and frozenset(move.handles) == wanted:
                    return move
            raise Refusal("error.illegal", reason="these are not the cards you may look at")
        case api.Draw():
            return Draw(you)
        case api.Take():
            return Take(you)
        case api.Exchange():
            return _exchange(command, state, you)
        case api.DiscardDrawn():
            return Discard(you)
        case api.Peek():
            return _named(Peek(you, card_at(state, you, command.position)), moves)
        case api.Spy():
            return _named(Spy(you, card_at(state, command.seat, command.position)), moves)
        case api.Swap():
            mine = card_at(state, you if command.of is None else command.of, command.mine)
            return _swap(you, mine, card_at(state, command.seat, command.theirs), moves)
        case api.Skip():
            return Skip(you)
        case api.Give():
            return Give(you, card_at(state, you, command.position))
        case api.NoGift():
            return Give(you, None)
        case api.CallRound():
            return Call(you)


def _exchange(command: api.Exchange, state: State, you: int) -> Exchange:
    handles = tuple(card_at(state, you, at) for at in command.positions)
    if len(handles) == 1:
        return Exchange(you, handles)
    if not handles:
        raise Refusal("error.illegal", reason="no place is named")
    into = None if command.into is None else card_at(state, you, command.into)
    end = command.end if state.rules.multi_fail == "keep-end" else None
    if state.rules.multi_fail == "keep-end":
        into, end = into or handles[0], end or "right"
    return Exchange(you, handles, into, end)


def _named(move: Peek | Spy, moves: tuple[Move, ...]) -> Move:
    """The same move with the power named as the table offers it (where the drawn card is hidden still)."""
    for other in moves:
        if isinstance(other, Peek | Spy) and (type(other), other.handle) == (type(move), move.handle):
            return other
    return move


def _swap(you: int, mine: Handle, theirs: Handle, moves: tuple[Move, ...]) -> Move:
    for move in moves:
        if isinstance(move, Swap) and (move.mine, move.theirs) in ((mine, theirs), (theirs, mine)):
            return move
    return Swap(you, mine, theirs)


def card_at(state: State, seat: int, at: int) -> Handle:
    """The card at a place. Raises Refusal where there is none."""
    if 0 <= seat < len(state.hands) and 0 <= at < len(state.hands[seat]):
        handle = state.hands[seat][at]
        if handle is not None:
            return handle
    raise Refusal("error.stale")

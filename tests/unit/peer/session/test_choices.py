"""From the rules' moves to choices on a screen, and from a command back to exactly the move it means."""

import random

import pytest

from p2pkaboo.peer import api
from p2pkaboo.peer.session.choices import Asking, Options, TurnCommand, choices_of, move_of
from p2pkaboo.peer.session.chronicle import place
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.engine import Played, expose, moves, play, snap_targets, start, turn_moves
from p2pkaboo.rules.moves import Discard, Draw, Exchange, Give, Move, PeekInitial, Snap, Swap, Take
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.rules.state import Handle, State

Faces = dict[Handle, str]


def dealt(preset: str, cards: str = "", **overrides: object) -> tuple[State, Faces]:
    """A round for two after the first looks, seat 0 at turn; `cards`: the deck's beginning, the rest follows."""
    keys = {name.replace("__", "."): value for name, value in overrides.items()}
    rules = with_overrides(load_preset(preset), {"snap.exposure_ms": 0, **keys})
    named = cards.split()
    order = [*named, *(card for card in deck(rules) if card not in named)]
    handles = tuple((1, at) for at in range(len(order)))
    faces = dict(zip(handles, order, strict=True))
    state = start(rules, 2, 1, handles)
    state = expose(state, {handle: faces[handle] for handle in state.pile})
    for seat in (0, 1):
        looks = moves(state, seat)
        state = done(state, looks[0], faces)
    return state, faces


def done(state: State, move: Move, faces: Faces) -> State:
    outcome = play(state, move, faces)
    assert isinstance(outcome, Played)
    return outcome.state


def options(state: State, seat: int, known: Faces | None = None, kind: str = "turn") -> Options:
    known = known or {}
    legal = moves(state, seat, known) if kind in ("gift", "look") else turn_moves(state, known)
    return Options(seat, Asking(kind, state, legal), snap_targets(state, seat), state, known=known)


def offered(found: Options) -> dict[str, api.Choice]:
    return {choice.command: choice for choice in choices_of(found)}


def test_a_turn_begins_with_draw_take_or_call() -> None:
    state, _ = dealt("sheffield")
    found = offered(options(state, 0))
    assert {"draw", "take", "call", "snap"} == set(found)
    assert found["call"].confirm
    assert found["snap"].mine == tuple(place(0, at) for at in range(4))
    assert found["snap"].theirs == tuple(place(1, at) for at in range(4))


def test_why_a_call_is_not_possible() -> None:
    state, faces = dealt("sheffield", call__after_turns=1)
    assert offered(options(state, 0))["call"].off == "too_early"
    state, faces = dealt("sheffield", call__threshold=5)
    assert offered(options(state, 0))["call"].off == "unseen"  # it may be low enough: nobody can say
    assert offered(options(state, 0, dict(faces)))["call"].off == "threshold"
    state, faces = dealt("sheffield")
    called = done(state, move_of(api.CallRound(), options(state, 0)), faces)
    assert offered(options(called, 1))["call"].off == "called_already"


def test_a_card_in_hand_is_placed_or_discarded_and_its_power_is_said() -> None:
    state, faces = dealt("sheffield", "2C 2D 3C 3D 4C 4D 5C 5D KS 9H")
    state = done(state, Draw(0), faces)
    drawn = state.drawn
    assert drawn is not None
    found = offered(options(state, 0, {drawn.handle: "9H"}))
    assert found["exchange"].mine == tuple(place(0, at) for at in range(4))
    assert (found["exchange"].least, found["exchange"].most, found["exchange"].confirm) == (1, 1, False)
    assert found["discard"].power == "spy"
    assert offered(options(state, 0))["discard"].power == ""


def test_a_taken_card_has_to_be_placed() -> None:
    state, faces = dealt("sheffield")
    state = done(state, Take(0), faces)
    assert set(offered(options(state, 0))) == {"exchange"}


def test_several_cards_at_once_and_the_end_of_a_kept_one() -> None:
    state, faces = dealt("cabo-online", "5C 2D 5D 3D 5H 4D KC QD KS 9H")
    state = done(state, Draw(0), faces)
    found = options(state, 0)
    choice = offered(found)["exchange"]
    assert (choice.most, choice.ends, choice.confirm) == (4, True, True)
    hand = state.hands[0]
    move = move_of(api.Exchange(positions=(2, 0), into=0, end="left"), found)
    assert move == Exchange(0, (hand[2], hand[0]), hand[0], "left")  # type: ignore[arg-type]
    assert move_of(api.Exchange(positions=(1,), into=1), found) == Exchange(0, (hand[1],))  # type: ignore[arg-type]
    with pytest.raises(Refusal) as refused:
        move_of(api.Exchange(positions=(0, 0), into=0), found)
    assert refused.value.say.key == "error.illegal"


def test_powers_offer_their_targets() -> None:
    state, faces = dealt("sheffield", "2C 2D 3C 3D 4C 4D 5C 5D KS JH")
    state = done(done(state, Draw(0), faces), Discard(0), faces)
    found = options(state, 0)
    swap = offered(found)["swap"]
    assert swap.mine == tuple(place(0, at) for at in range(4))
    assert swap.theirs == tuple(place(1, at) for at in range(4))
    assert offered(found)["skip"].power == "swap"
    assert move_of(api.Swap(mine=1, seat=1, theirs=3), found) == Swap(0, state.hands[0][1], state.hands[1][3])  # type: ignore[arg-type]


def test_a_swap_of_any_two_cards_takes_them_in_any_order() -> None:
    state, faces = dealt("sheffield", "2C 2D 3C 3D 4C 4D 5C 5D KS JH", power__swap_any=True)
    state = done(done(state, Draw(0), faces), Discard(0), faces)
    found = options(state, 0)
    swap = offered(found)["swap"]
    assert len(swap.mine) == len(swap.theirs) == 8
    one = move_of(api.Swap(mine=1, of=1, seat=1, theirs=3), found)
    other = move_of(api.Swap(mine=3, of=1, seat=1, theirs=1), found)
    assert one == other
    assert isinstance(one, Swap)
    assert {one.mine, one.theirs} == {state.hands[1][1], state.hands[1][3]}


def test_where_rank_decides_only_the_cards_own_moves_are_offered() -> None:
    state, faces = dealt("kabbu", "2C 2D 3C 3D 4C 4D 5C 5D 9H")
    state = done(state, Draw(0), faces)
    drawn = state.drawn
    assert drawn is not None
    found = options(state, 0, {drawn.handle: "9H"})
    assert set(offered(found)) == {"spy"}
    spied = move_of(api.Spy(seat=1, position=2), found)
    assert spied in found.asking.moves  # type: ignore[union-attr]


def test_a_gift_names_a_place_or_nothing() -> None:
    state, faces = dealt("sheffield", "2C 5D 3C 3D 4C 4D 5C 2H 5S")
    state = done(state, Snap(0, state.hands[1][0]), faces)  # type: ignore[arg-type]
    found = options(state, 0, kind="gift")
    assert offered(found)["give"].mine == tuple(place(0, at) for at in range(4))
    assert move_of(api.Give(position=2), found) == Give(0, state.hands[0][2])
    assert move_of(api.NoGift(), found) == Give(0, None)


def test_a_first_look_of_ones_own_choice() -> None:
    rules = with_overrides(load_preset("cabo-guide"), {})
    handles = tuple((1, at) for at in range(54))
    state = start(rules, 2, 1, handles)
    found = options(state, 0, kind="look")
    choice = offered(found)["peek_initial"]
    assert (choice.least, choice.most, len(choice.mine)) == (2, 2, 4)
    move = move_of(api.PeekInitial(positions=(3, 1)), found)
    assert isinstance(move, PeekInitial)
    assert set(move.handles) == {state.hands[0][1], state.hands[0][3]}
    with pytest.raises(Refusal):
        move_of(api.PeekInitial(positions=(3,)), found)


@pytest.mark.parametrize(
    "command", [api.DiscardDrawn(), api.Exchange(positions=(0,)), api.Peek(position=0), api.Skip()]
)
def test_what_is_not_offered_is_refused(command: api.AnyCommand) -> None:
    state, _ = dealt("sheffield")
    with pytest.raises(Refusal) as refused:
        move_of(command, options(state, 0))  # type: ignore[arg-type]
    assert refused.value.say.key in ("error.not_now", "error.illegal")
    with pytest.raises(Refusal):
        move_of(command, Options(0))  # type: ignore[arg-type]


def test_a_place_without_a_card_is_a_stale_decision() -> None:
    state, faces = dealt("sheffield")
    state = done(state, Draw(0), faces)
    with pytest.raises(Refusal) as refused:
        move_of(api.Exchange(positions=(9,)), options(state, 0))
    assert refused.value.say.key == "error.stale"


def meanings(rules: Ruleset, seed: int) -> set[str]:
    """Every move that the engine lists is reached by a command that names places only. The kinds that were made."""
    rng = random.Random(seed)
    state, faces = dealt(rules.name, " ".join(rng.sample(deck(rules), len(deck(rules)))))
    known, made = dict(faces), set()
    for _ in range(60):
        if state.turn is None or state.gift is not None:
            break
        seat = state.turn
        found = options(state, seat, known)
        legal = turn_moves(state, known)
        if not legal:
            break
        reached = {move_of(command, found) for command in _commands(state, found)}
        assert {move for move in legal if not _of_several(move)} <= reached
        kinds = sorted({type(move).__name__ for move in legal} - {"Call"}) or ["Call"]
        kind = rng.choice(kinds)
        move = rng.choice([move for move in legal if type(move).__name__ == kind and not _of_several(move)])
        outcome = play(state, move, faces)
        if not isinstance(outcome, Played):
            break
        state = outcome.state
        made.add(type(move).__name__)
    return made


def _of_several(move: Move) -> bool:
    """Whether it is one of the many exchanges of several cards: they have a test of their own."""
    return isinstance(move, Exchange) and len(move.handles) > 1


def _commands(state: State, found: Options) -> list[TurnCommand]:
    commands: list[TurnCommand] = []
    for choice in choices_of(found):
        if choice.off:
            continue
        mine = [(spot.seat or 0, spot.position or 0) for spot in choice.mine]
        theirs = [(spot.seat or 0, spot.position or 0) for spot in choice.theirs]
        match choice.command:
            case "draw":
                commands.append(api.Draw())
            case "take":
                commands.append(api.Take())
            case "call":
                commands.append(api.CallRound())
            case "discard":
                commands.append(api.DiscardDrawn())
            case "skip":
                commands.append(api.Skip())
            case "exchange":
                commands += [api.Exchange(positions=(at,)) for _, at in mine]
            case "peek":
                commands += [api.Peek(position=at) for _, at in mine]
            case "spy":
                commands += [api.Spy(seat=seat, position=at) for seat, at in theirs]
            case "swap":
                pairs = [(a, b) for a in mine for b in theirs if a != b]
                commands += [api.Swap(mine=a[1], of=a[0], seat=b[0], theirs=b[1]) for a, b in pairs]
            case _:
                pass
    return commands


@pytest.mark.parametrize("preset", ["sheffield", "kabbu", "cabo-online", "cabo-standard", "cabo-guide"])
def test_every_move_has_its_command(preset: str) -> None:
    made = set().union(*(meanings(load_preset(preset), seed) for seed in range(6)))
    assert made >= {"Draw", "Exchange", "Discard", "Peek", "Spy", "Swap"}

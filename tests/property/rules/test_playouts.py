"""Laws of the rules, on random rounds of every preset and of random house rules."""

import json
import random
from typing import Any

import pytest
import simulate_rules
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pkaboo.rules import engine, moves
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.outcome import IllegalMove, Needs, Played
from p2pkaboo.rules.ruleset import Ruleset, load_preset, preset_names, with_overrides
from p2pkaboo.rules.scenario import export_scenario, read_scenario, run_scenario
from p2pkaboo.rules.state import Handle, State, all_cards, can_reshuffle
from p2pkaboo.rules.view import seat_view

SEEDS = st.integers(0, 2**32 - 1)

HOUSE: dict[str, st.SearchStrategy[Any]] = {
    "deal.cards": st.integers(2, 6),
    "deal.opening": st.booleans(),
    "peek.choice": st.booleans(),
    "turn.take": st.booleans(),
    "turn.taken_open": st.booleans(),
    "turn.by_rank": st.booleans(),
    "power.7": st.sampled_from(["none", "peek", "spy", "swap", "look-swap", "look-two-swap"]),
    "power.Q": st.sampled_from(["swap", "look-swap", "look-two-swap"]),
    "power.KR": st.sampled_from(["none", "look-swap"]),
    "power.on": st.sampled_from(["discard", "draw"]),
    "power.skip": st.booleans(),
    "power.decline": st.booleans(),
    "power.displaced": st.booleans(),
    "power.swap_any": st.booleans(),
    "multi.max": st.integers(0, 3),
    "multi.fail": st.sampled_from(["keep", "discard", "keep-end"]),
    "multi.unseen_from": st.integers(0, 3),
    "match.by": st.sampled_from(["rank", "value"]),
    "snap": st.sampled_from(["off", "any", "own-then-others"]),
    "snap.limit": st.sampled_from(["first", "all"]),
    "snap.gift": st.sampled_from(["may", "must"]),
    "snap.wrong_cards": st.integers(0, 3),
    "snap.wrong_points": st.sampled_from([0, 30]),
    "call.final_turns": st.booleans(),
    "call.after_turns": st.integers(0, 2),
    "caller.protect": st.lists(st.sampled_from(["snap", "swap", "spy"]), unique=True),
    "caller.snaps": st.booleans(),
    "stock.empty": st.sampled_from(["reshuffle", "end", "stay"]),
}


def rulesets() -> st.SearchStrategy[Ruleset]:
    """Presets with some house rules, and rules of which any key may be anything that is accepted."""
    return presets() | SEEDS.map(lambda seed: simulate_rules.house_rules(random.Random(seed)))


@st.composite
def presets(draw: st.DrawFn) -> Ruleset:
    """A preset, plain or with some house rules; decks made small now and then, so that stocks run out."""
    base = load_preset(draw(st.sampled_from(preset_names())))
    keys = draw(st.lists(st.sampled_from(sorted(HOUSE)), unique=True, max_size=8))
    overrides = {key: draw(HOUSE[key]) for key in keys}
    if draw(st.booleans()):
        gone = [rank + suit for suit in "CDHS" for rank in draw(st.sampled_from(["A34569TJ", "2345678", "79TJQK"]))]
        overrides["deck.remove"] = sorted({*base.deck_remove, *gone})
        overrides |= {"players.max": 3, "deal.cards": 4}
    try:
        return with_overrides(base, overrides)
    except RulesError:  # a house rule too many for this deck: the plain preset then
        return base


def played(rules: Ruleset, seed: int) -> tuple[simulate_rules.Playout, State]:
    rng = random.Random(seed)
    return simulate_rules.play_out(rules, rng.randint(rules.players_min, rules.players_max), rng)


def everybodys(state: State, faces: dict[Handle, str]) -> list[moves.Move]:
    return [move for seat in range(state.seats) for move in engine.moves(state, seat, faces, several=False)]


def step(state: State, move: moves.Move, faces: dict[Handle, str], new: tuple[Handle, ...] | None) -> State:
    outcome = engine.play(state, move, faces, reshuffled=new)
    assert isinstance(outcome, Played)
    return outcome.state


def beginning(playout: simulate_rules.Playout) -> State:
    deck = sorted(handle for handle in playout.faces if handle[0] == 1)
    return engine.start(playout.rules, playout.seats, playout.dealer, deck, faces=playout.faces)


@pytest.mark.parametrize("name", preset_names())
def test_a_sample_of_every_preset_has_no_dead_end_and_loses_no_card(name: str) -> None:
    for seed in range(25):
        simulate_rules.play_out(load_preset(name), 2 + seed % 4, random.Random(seed))


@given(rulesets(), SEEDS)
@settings(max_examples=80)
def test_house_rules_have_no_dead_end_and_lose_no_card(rules: Ruleset, seed: int) -> None:
    played(rules, seed)


@given(rulesets(), SEEDS)
@settings(max_examples=60)
def test_an_exported_round_runs_to_the_same_result(rules: Ruleset, seed: int) -> None:
    playout, end = played(rules, seed)
    deck = sorted(handle for handle in playout.faces if handle[0] == 1)
    names = [f"seat {number}" for number in range(playout.seats)]
    raw = export_scenario(rules, names, playout.dealer, deck, playout.log, playout.faces)
    result = run_scenario(read_scenario(json.loads(json.dumps(raw))))
    assert result["ok"], result["reason"]
    hands = [[None if handle is None else playout.faces[handle] for handle in hand] for hand in end.hands]
    assert list(result["hands"].values()) == hands
    assert result["discard"] == [playout.faces[handle] for handle in end.pile]
    assert (result["stock"], result["phase"], result["turn"]) == (len(end.stock), "round_over", None)
    assert result["penalties"] == {name: n for name, n in zip(names, end.penalties, strict=True) if n}
    assert result["caller"] == (None if end.caller is None else names[end.caller])
    assert set(result["round"]["round"]) == set(names)


@given(rulesets(), SEEDS)
@settings(max_examples=40)
def test_no_view_shows_a_face_that_is_neither_public_nor_seen(rules: Ruleset, seed: int) -> None:
    playout, _ = played(rules, seed)
    rng = random.Random(seed)
    state = beginning(playout)
    for move, new in playout.log:
        state = step(state, move, playout.faces, new)
        assert all(playout.faces[handle] == face for handle, face in state.faces.items())
        seen = {handle: playout.faces[handle] for handle in all_cards(state) if rng.random() < 0.2}
        for seat in (None, *range(state.seats)):
            view = seat_view(state, seat, seen)
            allowed = state.faces if seat is None else {**seen, **state.faces}
            for hand, places in zip(state.hands, view.hands, strict=True):
                assert [place.face for place in places] == [h and allowed.get(h) for h in hand]
            if view.drawn is not None and view.drawn.handle not in allowed:
                assert (view.drawn.face, view.drawn.power) == (None, None)


@given(rulesets(), SEEDS)
@settings(max_examples=40)
def test_a_draw_and_a_snap_commute(rules: Ruleset, seed: int) -> None:
    playout, _ = played(rules, seed)
    rng = random.Random(seed)
    state = beginning(playout)
    for move, new in playout.log:
        if state.turn is not None and engine.has_draw_lane(state) and state.gift is None:
            check_commutes(playout, state, moves.Draw(state.turn), rng)
        state = step(state, move, playout.faces, new)


def check_commutes(playout: simulate_rules.Playout, state: State, draw: moves.Move, rng: random.Random) -> None:
    """Draw then snap (and gift) is snap (and gift) then draw, while both are legal."""
    drawn = step(state, draw, playout.faces, None)
    for seat in range(state.seats):
        assert engine.snap_targets(state, seat) == engine.snap_targets(drawn, seat)
        targets = engine.snap_targets(state, seat)
        if not targets:
            continue
        snap = moves.Snap(seat, rng.choice(targets))
        spent = len(state.pile) - 1
        new = tuple((999, place) for place in range(spent)) if needs_reshuffle(playout, state, snap) else None
        first = engine.play(state, snap, playout.faces, reshuffled=new)
        second = engine.play(drawn, snap, playout.faces, reshuffled=new)
        assert isinstance(first, Played)
        assert isinstance(second, Played)
        assert first.events == second.events
        one, two = first.state, second.state
        if one.gift is not None:
            give = rng.choice(engine.moves(one, one.gift.giver))
            one, two = step(one, give, playout.faces, None), step(two, give, playout.faces, None)
        if engine.has_draw_lane(one):
            assert step(one, draw, playout.faces, None) == two


def needs_reshuffle(playout: simulate_rules.Playout, state: State, move: moves.Move) -> bool:
    outcome = engine.play(state, move, playout.faces)
    return isinstance(outcome, Needs) and can_reshuffle(state)


@given(rulesets(), SEEDS)
@settings(max_examples=40)
def test_hidden_faces_and_perfect_information_give_the_same_round(rules: Ruleset, seed: int) -> None:
    """A table that opens, proves and reshuffles only what the engine asks for gets the same states."""
    playout, _ = played(rules, seed)
    open_game = hidden = beginning(playout)
    for move, new in playout.log:
        open_game = step(open_game, move, playout.faces, new)
        hidden = play_hidden(playout, hidden, named(playout, hidden, move), new)
        assert hidden == open_game


def named(playout: simulate_rules.Playout, state: State, move: moves.Move) -> moves.Move:
    """The move with the power of a drawn card named, as it has to be while that card is hidden."""
    if isinstance(move, moves.Peek | moves.Spy | moves.Swap) and state.step == "drawn" and state.drawn is not None:
        kind = next(
            option.power
            for option in engine.turn_moves(state, playout.faces)
            if isinstance(option, moves.Peek | moves.Spy | moves.Swap)
        )
        return type(move)(**{name: getattr(move, name) for name in move.__slots__} | {"power": kind})
    return move


def play_hidden(
    playout: simulate_rules.Playout, state: State, move: moves.Move, new: tuple[Handle, ...] | None
) -> State:
    faces: dict[Handle, str] = {}
    claimed: frozenset[str] | None = None
    reshuffled: tuple[Handle, ...] | None = None
    for _ in range(8):
        outcome = engine.play(state, move, faces, reshuffled=reshuffled, claimed=claimed)
        if isinstance(outcome, Played):
            return outcome.state
        faces |= {handle: playout.faces[handle] for handle in outcome.open}
        claimed = outcome.claim or claimed
        reshuffled = new if outcome.reshuffle else reshuffled
    raise AssertionError(f"{move} is never satisfied")


@given(rulesets(), SEEDS)
@settings(max_examples=30)
def test_a_move_is_listed_if_and_only_if_it_is_accepted(rules: Ruleset, seed: int) -> None:
    playout, _ = played(rules, seed)
    rng = random.Random(seed)
    state = beginning(playout)
    for move, new in playout.log:
        listed = everybodys(state, playout.faces)
        for option in rng.sample(listed, min(len(listed), 4)):
            assert accepted(playout, state, option), option
        for option in (wild(state, rng) for _ in range(8)):
            assert (option in listed) == accepted(playout, state, option), option
        assert moves.from_plain(moves.to_plain(move)) == move
        state = step(state, move, playout.faces, new)


def accepted(playout: simulate_rules.Playout, state: State, move: moves.Move) -> bool:
    try:
        engine.play(state, move, playout.faces)
    except IllegalMove as refused:
        said = refused
    else:
        return True
    assert said.reason
    assert said.rule
    assert "\n" not in str(said)
    return False


def wild(state: State, rng: random.Random) -> moves.Move:
    """A random move, mostly illegal, of the kinds of which `moves` lists every form."""
    seat = rng.randrange(state.seats)
    cards = all_cards(state)
    one, two = rng.choice(cards), rng.choice(cards)
    kinds: list[moves.Move] = [
        moves.Draw(seat),
        moves.Take(seat),
        moves.Call(seat),
        moves.Pass(seat),
        moves.Discard(seat),
        moves.Skip(seat),
        moves.Give(seat, one),
        moves.Give(seat, None),
        moves.Exchange(seat, (one,)),
        moves.PeekInitial(seat, (one,)),
    ]
    if state.step == "power":
        kinds += [moves.Peek(seat, one), moves.Spy(seat, one)]
        kinds += [] if state.rules.power_swap_any else [moves.Swap(seat, one, two)]
    if not (any(state.snap.attempts) or state.snap.chained):
        # Else one that waits behind another is served even if that took the last penalty card.
        kinds.append(moves.Snap(seat, one))
    return rng.choice(kinds)


@given(rulesets(), SEEDS)
@settings(max_examples=40)
def test_turns_go_by_though_every_player_is_idle(rules: Ruleset, seed: int) -> None:
    """With every step completed by the idle player's own peer, every step is lawful and turns go by."""
    rng = random.Random(seed)
    playout = simulate_rules.Playout(rules, rng.randint(rules.players_min, rules.players_max), rng)
    state = playout.start()
    for _ in range(150):
        if state.initial:
            seat = min(state.initial)
        elif state.gift is not None:
            seat = state.gift.giver
        elif state.turn is not None:
            seat = state.turn
        else:
            return
        state = playout.play(state, engine.idle_move(state, seat, playout.faces))
        # a first look each, and at most four moves a turn: draw, two looks, swap, discard
        assert len(playout.log) <= playout.seats + 5 * (sum(state.turns) + 1)


@given(rulesets(), SEEDS)
@settings(max_examples=40)
def test_a_seat_may_be_lost_at_any_time_and_the_round_goes_on(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    playout = simulate_rules.Playout(rules, max(3, rules.players_min), rng)
    state = playout.start()
    lost = rng.randrange(60)
    frozen: dict[int, tuple[Handle | None, ...]] = {}
    for number in range(simulate_rules.MOST_MOVES):
        if number == lost:
            gone = engine.forfeit(state, rng.choice(sorted(state.active)), playout.faces)
            assert isinstance(gone, Played)
            frozen = {seat: gone.state.hands[seat] for seat in range(3) if seat not in gone.state.active}
            state = gone.state
        move = playout.choose(state)
        if move is None:
            break
        state = playout.play(state, move)
        if number >= lost:
            assert {seat: state.hands[seat] for seat in frozen} == frozen
            assert state.turn not in frozen
    assert len(set(all_cards(state))) == len(all_cards(state))
    assert state.turn is None

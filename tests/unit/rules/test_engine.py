"""The engine with hidden faces: what it asks for, what becomes public, and the questions other layers put to it."""

from typing import Any

import pytest

from p2pkaboo.rules import engine, moves
from p2pkaboo.rules.cards import KEPT, deck
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.rules.outcome import IllegalMove, Needs, Played
from p2pkaboo.rules.powers import untouchable
from p2pkaboo.rules.ruleset import load_preset, with_overrides
from p2pkaboo.rules.state import State, all_cards, cards_of, penalty_source
from tests.unit.rules.tables import after, some

SHEFFIELD = load_preset("sheffield")
KABBU = load_preset("kabbu")

HANDLES = tuple((1, place) for place in range(54))


def dealt(preset: str = "sheffield", seats: int = 3, up: str = "2S", **overrides: object) -> State:
    """A round after the first looks, no face known but that of the card turned up."""
    rules = with_overrides(load_preset(preset), {key.replace("__", "."): value for key, value in overrides.items()})
    handles = HANDLES[: len(deck(rules))]
    opening = seats * rules.deal_cards
    state = engine.start(rules, seats, seats - 1, handles, faces={handles[opening]: up})
    for seat in range(seats):
        state = after(engine.play(state, moves.PeekInitial(seat, cards_of(state, seat)[: rules.peek_count])))
    return state


class TestDeal:
    def test_one_card_at_a_time_from_the_dealers_left_then_one_turned_up(self) -> None:
        state = engine.start(SHEFFIELD, 3, 0, HANDLES)
        assert state.hands[1] == ((1, 0), (1, 3), (1, 6), (1, 9))
        assert state.hands[0] == ((1, 2), (1, 5), (1, 8), (1, 11))
        assert (state.pile, state.stock[0], state.turn) == (((1, 12),), (1, 13), 1)

    def test_nobody_is_dealt_a_card_who_does_not_take_part(self) -> None:
        state = engine.start(SHEFFIELD, 4, 1, HANDLES, active=frozenset({0, 1, 3}))
        assert state.hands[2] == ()
        assert (state.turn, state.hands[3][0]) == (3, (1, 0))
        assert len(all_cards(state)) == 54

    def test_a_deck_too_short_is_refused(self) -> None:
        assert engine.start(SHEFFIELD, 2, 0, HANDLES[:10]).stock == ((1, 9),)
        with pytest.raises(RulesError, match="deck of 9 cards: expected at least 10"):
            engine.start(SHEFFIELD, 2, 0, HANDLES[:9])
        with pytest.raises(RulesError, match="twice"):
            engine.start(SHEFFIELD, 2, 0, HANDLES + HANDLES[:1])
        with pytest.raises(RulesError, match="dealer 2"):
            engine.start(SHEFFIELD, 2, 2, HANDLES)
        with pytest.raises(RulesError, match="seats"):
            engine.start(SHEFFIELD, 9, 2, HANDLES)

    def test_the_first_looks_come_first_and_are_at_the_nearest_cards(self) -> None:
        state = engine.start(SHEFFIELD, 2, 1, HANDLES)
        own = cards_of(state, 0)
        for wrong in ((own[0],), own[:3], (own[0], own[0]), (own[0], own[2]), (own[0], cards_of(state, 1)[0])):
            with pytest.raises(IllegalMove):
                engine.play(state, moves.PeekInitial(0, wrong))
        with pytest.raises(IllegalMove, match="first looks"):
            engine.play(state, moves.Draw(0))
        assert engine.moves(state, 0) == (moves.PeekInitial(0, own[:2]),)
        assert engine.turn_moves(state) == ()
        looked = after(engine.play(state, moves.PeekInitial(0, (own[1], own[0]))))
        with pytest.raises(IllegalMove, match="has had"):
            engine.play(looked, moves.PeekInitial(0, own[:2]))

    def test_the_first_look_may_be_at_any_cards_where_the_rules_leave_the_choice(self) -> None:
        state = engine.start(load_preset("cabo-guide"), 2, 1, HANDLES[:52])
        assert len(engine.moves(state, 0)) == 6
        after(engine.play(state, moves.PeekInitial(0, cards_of(state, 0)[2:])))

    def test_without_a_first_look_play_begins_at_once(self) -> None:
        rules = with_overrides(SHEFFIELD, {"peek.count": 0})
        after(engine.play(engine.start(rules, 2, 1, HANDLES), moves.Draw(0)))


class TestNeeds:
    def test_a_discard_needs_the_drawn_card_open(self) -> None:
        state = after(engine.play(dealt(), moves.Draw(0)))
        drawn = (1, 13)
        assert engine.play(state, moves.Discard(0)) == Needs(open=(drawn,))
        done = after(engine.play(state, moves.Discard(0), {drawn: "3C", (1, 20): "KS"}))
        assert done.faces == {(1, 12): "2S", drawn: "3C"}  # nothing else becomes public

    def test_an_exchange_needs_the_chosen_cards_and_the_new_one_stays_hidden(self) -> None:
        state = after(engine.play(dealt(), moves.Draw(0)))
        old = some(state.hands[0][2])
        assert engine.play(state, moves.Exchange(0, (old,))) == Needs(open=(old,))
        done = after(engine.play(state, moves.Exchange(0, (old,)), {old: "9D"}))
        assert done.hands[0][2] == (1, 13)
        assert (1, 13) not in done.faces

    def test_a_failed_exchange_that_discards_the_new_card_needs_that_open_too(self) -> None:
        state = after(engine.play(dealt("cabo-guide"), moves.Draw(0)))
        one, two = cards_of(state, 0)[:2]
        move = moves.Exchange(0, (one, two))
        assert engine.play(state, move) == Needs(open=(one, two))
        assert engine.play(state, move, {one: "9D", two: "8D"}) == Needs(open=((1, 13),))
        done = after(engine.play(state, move, {one: "9D", two: "8D", (1, 13): "KS"}))
        assert done.pile[-1] == (1, 13)

    def test_a_snap_needs_its_target_only(self) -> None:
        state = dealt()
        target = some(state.hands[1][0])
        assert engine.play(state, moves.Snap(0, target)) == Needs(open=(target,))

    def test_a_card_whose_face_is_public_is_opened_again_when_it_reaches_the_pile(self) -> None:
        state = dealt()
        target = some(state.hands[1][0])
        shown = after(engine.play(state, moves.Snap(1, target), {target: "3S"}))
        assert shown.faces[target] == "3S"
        assert engine.play(shown, moves.Snap(1, target)) == Needs(open=(target,))
        with pytest.raises(ValueError, match="was 3S and cannot be 2D"):
            engine.play(shown, moves.Snap(1, target), {target: "2D"})

    def test_an_up_card_that_is_not_open_yet_is_asked_for_with_the_target(self) -> None:
        state = engine.start(with_overrides(SHEFFIELD, {"peek.count": 0}), 2, 1, HANDLES)
        target = some(state.hands[0][0])
        assert engine.play(state, moves.Snap(0, target)) == Needs(open=((1, 8), target))
        assert engine.play(state, moves.Take(0)) == Needs(open=((1, 8),))
        assert engine.play(engine.expose(state, {(1, 8): "2S"}), moves.Snap(0, target)) == Needs(open=(target,))

    def test_a_reshuffle_is_asked_for_checked_and_used(self) -> None:
        rules = with_overrides(SHEFFIELD, {"peek.count": 0})
        state = engine.start(rules, 2, 1, HANDLES[:10], faces={(1, 8): "2S"})
        state = after(engine.play(state, moves.Draw(0)))
        old = some(state.hands[0][0])
        state = after(engine.play(state, moves.Exchange(0, (old,)), {old: "9D"}))
        assert engine.play(state, moves.Draw(1)) == Needs(reshuffle=((1, 8),))
        for wrong in ((), ((2, 0), (2, 1))):
            with pytest.raises(IllegalMove, match="exactly the 1 discards"):
                engine.play(state, moves.Draw(1), reshuffled=wrong)
        with pytest.raises(IllegalMove, match="nothing is reshuffled"):
            engine.play(state, moves.Take(1), reshuffled=((2, 0),))
        done = after(engine.play(state, moves.Draw(1), reshuffled=((2, 0),)))
        assert done.drawn is not None
        assert (done.drawn.handle, done.pile, done.faces) == ((2, 0), (old,), {old: "9D"})


class TestClaims:
    """Kabbu: the drawn card stays hidden, so what it is has to be proved as far as the move goes by it."""

    def drawn(self) -> State:
        return after(engine.play(dealt("kabbu", up=""), moves.Draw(0)))

    def test_keeping_needs_ace_to_six_proved(self) -> None:
        state = self.drawn()
        old = some(state.hands[0][0])
        move = moves.Exchange(0, (old,))
        assert engine.play(state, move) == Needs(claim=KEPT)
        assert engine.play(state, move, claimed=frozenset("A23456")) == Needs(open=(old,))
        with pytest.raises(IllegalMove, match="claim"):
            engine.play(state, move, {old: "2D"}, claimed=frozenset("67"))
        done = engine.play(state, move, {old: "2D"}, claimed=frozenset("A23456"))
        assert isinstance(done, Played)
        assert [type(event).__name__ for event in done.events] == ["Claimed", "Exchanged", "Discarded", "Turn"]

    @pytest.mark.parametrize(
        ("power", "classes"), [("peek", "78"), ("spy", "9T"), ("swap", "J"), ("look-two-swap", "Q")]
    )
    def test_every_power_needs_its_classes_proved(self, power: str, classes: str) -> None:
        state = self.drawn()
        mine, theirs = some(state.hands[0][0]), some(state.hands[1][0])
        move: moves.Move = moves.Swap(0, mine, theirs, power)
        if power != "swap":
            move = moves.Spy(0, theirs, power) if power == "spy" else moves.Peek(0, mine, power)
        assert engine.play(state, move) == Needs(claim=frozenset(classes))
        done = after(engine.play(state, move, claimed=frozenset(classes)))
        assert done.drawn is not None
        assert done.drawn.claim == frozenset(classes)

    def test_the_state_is_the_same_whether_the_card_was_proved_or_known(self) -> None:
        state = self.drawn()
        move = moves.Peek(0, some(state.hands[0][0]), "peek")
        known = engine.play(state, moves.Peek(0, move.handle), {(1, 12): "7S"})
        assert known == engine.play(state, move, claimed=frozenset("78"))

    def test_a_hidden_card_needs_its_power_named_and_a_power_that_exists(self) -> None:
        state = self.drawn()
        own = some(state.hands[0][0])
        for power in (None, "look-swap"):
            with pytest.raises(IllegalMove):
                engine.play(state, moves.Peek(0, own, power))

    def test_an_illegal_target_is_refused_before_any_proof_is_asked_for(self) -> None:
        state = self.drawn()
        with pytest.raises(IllegalMove, match="own"):
            engine.play(state, moves.Peek(0, some(state.hands[1][0]), "peek"))

    def test_a_discard_that_opens_as_another_card_than_was_used_is_refused(self) -> None:
        state = self.drawn()
        used = after(engine.play(state, moves.Peek(0, some(state.hands[0][0]), "peek"), claimed=frozenset("78")))
        with pytest.raises(IllegalMove, match="not that of the card"):
            engine.play(used, moves.Discard(0), {(1, 12): "9S"})
        after(engine.play(used, moves.Discard(0), {(1, 12): "8S"}))

    @pytest.mark.parametrize("face", ["AS", "6D", "7S", "TD", "JD", "QS"])
    def test_a_discard_that_opens_as_a_card_to_keep_or_with_an_unused_power_is_refused(self, face: str) -> None:
        with pytest.raises(IllegalMove):
            engine.play(self.drawn(), moves.Discard(0), {(1, 12): face})

    def test_the_moves_of_a_hidden_card_are_all_that_it_might_have(self) -> None:
        state = self.drawn()
        kinds = {getattr(move, "power", None) for move in engine.turn_moves(state)}
        assert kinds == {None, "peek", "spy", "swap", "look-two-swap"}
        known = engine.turn_moves(state, {(1, 12): "9S"})
        assert {type(move) for move in known} == {moves.Spy}
        assert engine.turn_moves(state, {(1, 12): "KS"}) == (moves.Discard(0),)


class TestLanes:
    """What the two lanes of the table ask: the kept card, snaps that still stand, attempts that did not count."""

    def test_a_draw_lane_runs_only_for_a_seat_with_cards_and_a_stock(self) -> None:
        state = dealt()
        assert engine.has_draw_lane(state)
        assert engine.kept_top(state)
        drawn = after(engine.play(state, moves.Draw(0)))
        assert not engine.has_draw_lane(drawn)
        assert not engine.kept_top(drawn)
        assert penalty_source(state) == penalty_source(drawn)

    def test_a_snap_is_judged_without_the_drawn_card(self) -> None:
        state = dealt()
        target = some(state.hands[1][0])
        snapped = after(engine.play(state, moves.Snap(0, target), {target: "2D"}))
        assert snapped.gift is not None
        given = after(engine.play(snapped, moves.Give(0, some(state.hands[0][3]))))
        one = after(engine.play(given, moves.Draw(0)))
        drawn = after(engine.play(state, moves.Draw(0)))
        two = after(engine.play(drawn, moves.Snap(0, target), {target: "2D"}))
        two = after(engine.play(two, moves.Give(0, some(state.hands[0][3]))))
        assert one == two

    def test_classes_of_targets(self) -> None:
        state = dealt()
        own, other = some(state.hands[0][0]), some(state.hands[1][0])
        assert (engine.snap_class(state, 0, own), engine.snap_class(state, 0, other)) == ("own", "other")
        assert engine.legal_snap_class(state, 0, "own")
        assert engine.legal_snap_class(state, 0, "other")
        assert engine.owner(state, other) == 1
        assert engine.owner(state, state.stock[0]) is None
        called = after(engine.play(state, moves.Call(0)))
        assert not engine.may_snap(called, 0)
        assert set(engine.snap_targets(called, 1)) == {*cards_of(state, 1), *cards_of(state, 2)}
        two = after(engine.play(dealt(seats=2), moves.Call(0)))
        assert engine.legal_snap_class(two, 1, "own")
        assert not engine.legal_snap_class(two, 1, "other")

    def test_a_snap_stands_unless_its_card_has_moved_or_its_snapper_has_no_card_left(self) -> None:
        state = dealt(snap__limit="all", deal__cards=1, peek__count=1)
        a, b, c = (some(state.hands[seat][0]) for seat in range(3))
        assert engine.still_stands(state, state, 0, b)
        snapped = after(engine.play(state, moves.Snap(1, b), {b: "2D"}))
        assert not engine.still_stands(state, snapped, 0, b)
        assert not engine.still_stands(state, snapped, 1, c)
        assert engine.still_stands(state, snapped, 2, a)

    def test_an_attempt_that_did_not_count_is_one_of_two(self) -> None:
        state = engine.void_attempt(engine.void_attempt(dealt(), 1), 1)
        assert not engine.may_snap(state, 1)
        assert engine.may_snap(state, 0)
        assert engine.snappable(state)

    def test_after_a_pass_of_the_last_final_turn_the_kept_card_stays_kept(self) -> None:
        state = dealt(seats=2, deal__cards=1, peek__count=1, snap__limit="all")
        state = after(engine.play(state, moves.Call(0)))
        b = some(state.hands[1][0])
        state = after(engine.play(state, moves.Snap(1, b), {b: "2D"}))
        state = after(engine.play(state, moves.Pass(1)))
        assert (state.turn, engine.kept_top(state)) == (None, True)


class TestHouseRules:
    def test_a_taken_discard_may_have_to_stay_face_up(self) -> None:
        state = after(engine.play(dealt(turn__taken_open=True), moves.Take(0)))
        old = some(state.hands[0][0])
        state = after(engine.play(state, moves.Exchange(0, (old,)), {old: "9D"}))
        assert state.face_up == {(1, 12)}
        assert state.faces[(1, 12)] == "2S"

    def test_a_displaced_card_may_trigger_its_power(self) -> None:
        state = after(engine.play(dealt(power__displaced=True), moves.Draw(0)))
        old = some(state.hands[0][0])
        state = after(engine.play(state, moves.Exchange(0, (old,)), {old: "9D"}))
        assert state.phase == "power"
        assert after(engine.play(state, moves.Spy(0, some(state.hands[1][0])))).turn == 1

    def test_the_blind_swap_may_take_any_two_cards(self) -> None:
        state = after(engine.play(dealt(power__swap_any=True), moves.Draw(0)))
        state = after(engine.play(state, moves.Discard(0), {(1, 13): "JC"}))
        b, c = some(state.hands[1][0]), some(state.hands[2][0])
        assert moves.Swap(0, b, c) in engine.turn_moves(state)
        done = after(engine.play(state, moves.Swap(0, b, c)))
        assert (done.hands[1][0], done.hands[2][0]) == (c, b)

    def test_a_protected_card_is_not_swapped_as_mine_either(self) -> None:
        state = after(engine.play(dealt(power__swap_any=True, caller__protect=("swap",)), moves.Call(0)))
        state = after(engine.play(after(engine.play(state, moves.Draw(1))), moves.Discard(1), {(1, 13): "JC"}))
        callers, own = some(state.hands[0][0]), some(state.hands[1][0])
        for swap in (moves.Swap(1, callers, own), moves.Swap(1, own, callers)):
            with pytest.raises(IllegalMove, match="the caller's cards are protected") as refused:
                engine.play(state, swap)
            assert refused.value.rule == "caller.protect"

    def test_a_call_above_the_threshold_is_illegal_where_the_cards_are_known(self) -> None:
        state = dealt(call__threshold=5)
        high = dict(zip(cards_of(state, 0), ("KS", "2D", "3D", "4D"), strict=True))
        low = dict(zip(cards_of(state, 0), ("AS", "X1", "2D", "3D"), strict=True))
        with pytest.raises(IllegalMove, match="worth 22, a call needs 5 or less"):
            engine.play(state, moves.Call(0), high)
        after(engine.play(state, moves.Call(0), low))
        after(engine.play(state, moves.Call(0)))  # hidden: the audit will know
        assert engine.may_call(state, 0)
        assert not engine.may_call(state, 0, sure=True)
        assert engine.may_call(state, 0, low, sure=True)
        assert not engine.may_call(state, 0, high)

    @pytest.mark.parametrize(
        ("overrides", "safe"),
        [
            ({}, True),  # sheffield: snap, swap, spy
            ({"caller.protect": ("snap", "swap")}, False),
            ({"caller.protect": ("swap", "spy")}, False),
            ({"caller.protect": ("swap", "spy"), "snap": "off"}, True),
            ({"caller.protect": ("swap",), "snap": "off"}, False),
            ({"caller.protect": ("swap",), "snap": "off", "power.9": "none", "power.T": "none"}, True),
            ({"caller.protect": (), "snap": "off"}, False),
        ],
    )
    def test_a_callers_cards_are_untouchable_if_no_power_and_no_snap_may_be_used_on_them(
        self, overrides: dict[str, Any], safe: bool
    ) -> None:
        state = dealt(**{key.replace(".", "__"): value for key, value in overrides.items()})
        assert not untouchable(state, 0)
        state = after(engine.play(state, moves.Call(0)))
        assert (untouchable(state, 0), untouchable(state, 1)) == (safe, False)

    def test_no_early_call(self) -> None:
        state = dealt(seats=2, call__after_turns=1)
        for seat in (0, 1):
            with pytest.raises(IllegalMove, match="not every player has had a full turn"):
                engine.play(state, moves.Call(seat))
            assert not engine.may_call(state, seat)
            state = after(engine.play(state, moves.Take(seat)))
            old = some(state.hands[seat][0])
            state = after(engine.play(state, moves.Exchange(seat, (old,)), {old: f"{seat + 3}D"}))
        after(engine.play(state, moves.Call(0)))

    def test_powers_on_the_draw_without_by_rank_leave_every_choice(self) -> None:
        state = after(engine.play(dealt(power__on="draw"), moves.Draw(0)))
        kinds = {type(move) for move in engine.turn_moves(state, {(1, 13): "7S"})}
        assert kinds == {moves.Exchange, moves.Peek, moves.Discard}
        old = some(state.hands[0][0])
        assert engine.play(state, moves.Exchange(0, (old,))) == Needs(open=(old,))


def test_a_seat_that_is_not_in_the_round_may_do_nothing() -> None:
    state = dealt()
    for seat in (-1, 3, 7):
        with pytest.raises(IllegalMove, match="not in this round"):
            engine.play(state, moves.Draw(seat))
        assert engine.moves(state, seat) == ()
    with pytest.raises(IllegalMove, match="not in this round"):
        engine.forfeit(state, 5)


def test_the_moves_of_a_turn_have_a_bound_that_names_what_is_left_out() -> None:
    state = after(engine.play(dealt("cabo-online"), moves.Draw(0)))
    several = [move for move in engine.turn_moves(state) if isinstance(move, moves.Exchange) and len(move.handles) > 1]
    # 6 pairs, 4 threes, 1 four; each card of a set may be `into`; two ends
    assert len(several) == 2 * (6 * 2 + 4 * 3 + 4)
    single = engine.turn_moves(state, several=False)
    assert {len(move.handles) for move in single if isinstance(move, moves.Exchange)} == {1}
    assert engine.most_exchanged(state, 0) == 4


@pytest.mark.parametrize(("most", "sizes"), [(0, {1, 2, 3, 4}), (1, {1}), (2, {1, 2})])
def test_how_many_cards_are_offered_for_an_exchange(most: int, sizes: set[int]) -> None:
    """08-rules.md: `multi.max` is the most own cards in one exchange, 0 any number, 1 one only."""
    state = after(engine.play(dealt("cabo-online", multi__max=most), moves.Draw(0)))
    exchanges = [move for move in engine.turn_moves(state) if isinstance(move, moves.Exchange)]
    assert {len(move.handles) for move in exchanges} == sizes


def test_only_own_cards_are_exchanged() -> None:
    """08-rules.md: also where the card would be opened for it, and where it is not the only one named."""
    state = after(engine.play(dealt(multi__max=0), moves.Draw(0)))
    own = some(state.hands[0][0])
    for foreign in (some(state.hands[1][0]), state.stock[-1], state.pile[-1], (1, 5000)):
        for chosen in ((foreign,), (own, foreign)):
            with pytest.raises(IllegalMove, match="only own cards are exchanged"):
                engine.play(state, moves.Exchange(0, chosen))
    assert engine.play(state, moves.Exchange(0, (own,))) == Needs(open=(own,))

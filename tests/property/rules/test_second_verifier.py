"""The second verifier plays the same rounds as the engine, under every preset and random house rules."""

import random
from typing import Any

from hypothesis import given, settings

from p2pkaboo.rules import moves
from p2pkaboo.rules.ruleset import Ruleset, to_plain
from p2pkaboo.rules.state import Handle, State
from tests.property.rules.test_playouts import SEEDS, accepted, beginning, named, played, rulesets, step, wild
from verifier.game import Game, deal
from verifier.moves import Answers, Illegal, Move, NeedReshuffle
from verifier.play import play
from verifier.ruleset import Card, deck


def there(move: moves.Move) -> Move:
    """The move in the second verifier's form."""
    do = moves.NAMES[type(move)]
    fields: dict[str, Any] = {name: getattr(move, name) for name in move.__slots__}
    return Move(do, **fields)


def shape(state: State) -> dict[str, object]:
    """What both must say of a round; what has no meaning any more is left out."""
    power = state.power
    return {
        "hands": [list(hand) for hand in state.hands],
        "stock": list(state.stock),
        "pile": list(state.pile),
        "drawn": None if state.drawn is None else (state.drawn.handle, state.drawn.source),
        "turn": (state.turn, state.step, set(state.initial)),
        "call": (state.caller, state.turn is not None and list(state.finals), state.passed_out),
        "power": power and (power.kind, power.done or (power.own, power.other, power.other_seat)),
        "gift": None if state.gift is None else (state.gift.giver, state.gift.to, state.gift.at),
        "snap": state.snap.open and (list(state.snap.attempts), state.snap.own_closed, state.snap.chained),
        "counts": (list(state.penalties), list(state.turns)),
    }


def shape_there(game: Game, seats: int) -> dict[str, object]:
    """The same of the second verifier's state."""
    power = game.power
    other_seat, other = power.other if power is not None and power.other is not None else (None, None)
    return {
        "hands": [game.hands[seat] for seat in range(seats)],
        "stock": game.stock,
        "pile": game.pile,
        "drawn": game.drawn,
        "turn": (game.turn, game.step, game.initial),
        "call": (game.caller, game.turn is not None and game.finals, game.passed_out),
        "power": power and (power.kind, power.done or (power.own, other, other_seat)),
        "gift": game.gift,
        "snap": game.snap_open
        and ([game.attempts.get(seat, 0) for seat in range(seats)], game.own_closed, game.chained),
        "counts": (
            [game.penalties.get(seat, 0) for seat in range(seats)],
            [game.turns.get(s, 0) for s in range(seats)],
        ),
    }


def accepted_there(game: Game, move: moves.Move, cards: dict[Handle, Card]) -> bool:
    """Whether the second verifier lets the move pass, if need be after a reshuffle."""
    try:
        play(game, there(move), Answers(cards))
    except NeedReshuffle:
        return True
    except Illegal:
        return False
    return True


@given(rulesets(), SEEDS)
@settings(max_examples=60)
def test_both_play_the_same_round_and_refuse_the_same_moves(rules: Ruleset, seed: int) -> None:
    playout, _ = played(rules, seed)
    rng = random.Random(seed)
    plain = to_plain(rules)
    by_name = {card.name: card for card in deck(plain)}
    cards = {handle: by_name[face] for handle, face in playout.faces.items()}
    state = beginning(playout)
    handles = sorted(handle for handle in playout.faces if handle[0] == 1)
    game = deal(plain, range(playout.seats), playout.dealer, handles)
    game.faces.update((handle, cards[handle]) for handle in game.pile)
    for move, new in playout.log:
        for option in (wild(state, rng) for _ in range(4)):
            lawful = accepted(playout, state, option)
            assert accepted_there(game, named(playout, state, option) if lawful else option, cards) == lawful, option
        game = play(game, there(named(playout, state, move)), Answers(cards, new))
        state = step(state, move, playout.faces, new)
        assert shape_there(game, playout.seats) == shape(state), move

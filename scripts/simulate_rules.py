"""Random playouts of every preset in the pure engine: no dead end, no lost card, and how many moves a second.

    .venv/bin/python scripts/simulate_rules.py [PRESET …] [--playouts 20000] [--seed 1] [--set KEY=VALUE]
    .venv/bin/python scripts/simulate_rules.py --house 5000 [--seed 1]

The second form plays one round under each of so many rulesets put together at random from all keys.

Exit code 1 if a playout ends in a position without a legal move, loses or doubles a card, or if a preset plays fewer
moves a second than the floor.
"""

import argparse
import random
import sys
import time
from dataclasses import dataclass, field

from p2pkaboo.rules import cards, engine, moves, ruleset, state
from p2pkaboo.rules.keys import Key, RulesError, Value
from p2pkaboo.rules.outcome import Played

FLOOR = 3000
"""Moves a second and core below which bots and the audit would begin to wait for the engine."""

MOST_MOVES = 5000
"""Moves after which a playout counts as a round that never ends."""


class DeadEnd(Exception):
    """A playout went wrong; the message says where."""


@dataclass
class Playout:
    """One random round: perfect information is here, not in the engine's state."""

    rules: ruleset.Ruleset
    seats: int
    rng: random.Random
    dealer: int = 0
    shuffles: int = 1
    faces: dict[state.Handle, str] = field(default_factory=dict)
    log: list[tuple[moves.Move, tuple[state.Handle, ...] | None]] = field(default_factory=list)

    def start(self) -> state.State:
        """Deal a shuffled deck."""
        deck = list(cards.deck(self.rules))
        self.rng.shuffle(deck)
        handles = [(1, place) for place in range(len(deck))]
        self.faces = dict(zip(handles, deck, strict=True))
        self.dealer = self.rng.randrange(self.seats)
        return engine.start(self.rules, self.seats, self.dealer, handles, faces=self.faces)

    def play(self, before: state.State, move: moves.Move) -> state.State:
        """Play a move, shuffling the discards where it needs that."""
        outcome = engine.play(before, move, self.faces)
        reshuffled = None
        if not isinstance(outcome, Played):
            if not outcome.reshuffle or outcome.open or outcome.claim:
                raise DeadEnd(f"{move} needs {outcome}")
            spent = [self.faces[handle] for handle in outcome.reshuffle]
            self.rng.shuffle(spent)
            self.shuffles += 1
            reshuffled = tuple((self.shuffles, place) for place in range(len(spent)))
            self.faces.update(zip(reshuffled, spent, strict=True))
            outcome = engine.play(before, move, self.faces, reshuffled=reshuffled)
        if not isinstance(outcome, Played):
            raise DeadEnd(f"{move} needs {outcome} after a reshuffle")
        self.log.append((move, reshuffled))
        return outcome.state

    def choose(self, now: state.State) -> moves.Move | None:
        """A random legal move of anybody, snaps less often than people try them; None when the round is over."""
        if now.initial:
            return self.rng.choice(engine.moves(now, min(now.initial)))
        if now.gift is not None:
            return self.rng.choice(engine.moves(now, now.gift.giver))
        if now.snap.open and self.rng.random() < 0.1:
            snapper = self.rng.randrange(self.seats)
            targets = engine.snap_targets(now, snapper)
            if targets:
                return moves.Snap(snapper, self.rng.choice(targets))
        if now.turn is None:
            return None
        options = engine.turn_moves(now, self.faces, several=False)
        most = engine.most_exchanged(now, now.turn)
        if most > 1 and isinstance(options[0], moves.Exchange) and self.rng.random() < 0.3:
            return self.several(now, now.turn, most)
        if not options:
            raise DeadEnd(f"no legal move: {now}")
        # A call is one of three choices at every turn: taken as often as that, rounds would hardly begin.
        if isinstance(options[-1], moves.Call) and len(options) > 1 and self.rng.random() < 0.9:
            options = options[:-1]
        return self.rng.choice(options)

    def several(self, now: state.State, seat: int, most: int) -> moves.Move:
        """An exchange of several cards, half of the time of such as match the first."""
        own = list(state.cards_of(now, seat))
        self.rng.shuffle(own)
        if self.rng.random() < 0.5:
            own = [handle for handle in own if cards.match(self.rules, self.faces[handle], self.faces[own[0]])]
        chosen = tuple(own[: self.rng.randint(1, most)])
        end: moves.End | None = self.rng.choice(("left", "right")) if self.rules.multi_fail == "keep-end" else None
        return moves.Exchange(seat, chosen, self.rng.choice(chosen), end)


def play_out(rules: ruleset.Ruleset, seats: int, rng: random.Random) -> tuple[Playout, state.State]:
    """One random round to its end.

    Raises DeadEnd if it has none, or if a card is lost or doubled on the way.
    """
    playout = Playout(rules, seats, rng)
    now = playout.start()
    everything = sorted(cards.deck(rules))
    while (move := playout.choose(now)) is not None:
        now = playout.play(now, move)
        if len(playout.log) > MOST_MOVES:
            raise DeadEnd(f"no end after {MOST_MOVES} moves")
        if len(state.all_cards(now)) != len(everything):
            raise DeadEnd(f"{move}: cards lost or doubled: {now}")
    if sorted(playout.faces[handle] for handle in state.all_cards(now)) != everything:
        raise DeadEnd(f"other cards than at the start: {now}")
    return playout, now


def house_rules(rng: random.Random) -> ruleset.Ruleset:
    """Rules put together at random, of all that are accepted; half of the time from a preset.

    Without a threshold for calls: random players do not work for a low hand, and their rounds would hardly end.
    """
    names = [name for name in ruleset.KEYS if name != "call.threshold"]
    while True:
        base = ruleset.Ruleset("house")
        if rng.random() < 0.5:
            base = ruleset.load_preset(rng.choice(ruleset.preset_names()))
        changed = {name: _value(ruleset.KEYS[name], rng) for name in rng.sample(names, rng.randint(1, len(names)))}
        try:
            return ruleset.with_overrides(base, changed)
        except RulesError:  # a contradiction: drawn anew
            continue


def _value(key: Key, rng: random.Random) -> Value:
    """A value that the key may hold; small numbers and whole ranks more often than others."""
    match key.kind:
        case "flag":
            return rng.random() < 0.5
        case "choice":
            return rng.choice(key.choices)
        case "award":
            awards: list[Value] = ["off", "half-target", rng.randint(key.low, key.high)]
            return rng.choice(awards)
        case "list" if key.choices:
            return tuple(word for word in key.choices if rng.random() < 0.5)
        case "list":
            gone = rng.sample(cards.RANKS, rng.randint(0, 10))
            return tuple(rank + suit for rank in gone for suit in cards.SUITS)
        case "whole":
            return rng.choice(
                [key.low, rng.randint(key.low, key.high), rng.randint(key.low, min(key.high, key.low + 4))]
            )


def simulate_house(number: int, seed: int) -> None:
    """Play a round under each of `number` rulesets and print a line."""
    total = 0
    for count in range(number):
        rng = random.Random(f"{seed} house {count}")
        rules = house_rules(rng)
        try:
            playout, _ = play_out(rules, rng.randint(rules.players_min, rules.players_max), rng)
        except Exception:
            print(f"house rules {count}, seed {seed}: {ruleset.overrides_of(rules)}", file=sys.stderr)
            raise
        total += len(playout.log)
    print(f"{number} rulesets, {total} moves")


def simulate(name: str, settings: list[str], playouts: int, seed: int) -> float:
    """Play a preset out many times and print a line; gives moves a second."""
    rules = ruleset.load_with(name, settings)
    total, longest = 0, 0
    began = time.process_time()
    for number in range(playouts):
        rng = random.Random(f"{seed} {name} {number}")
        seats = rng.randint(rules.players_min, rules.players_max)
        try:
            playout, _ = play_out(rules, seats, rng)
        except Exception:
            print(f"{name}: playout {number}, {seats} seats, seed {seed}", file=sys.stderr)
            raise
        total += len(playout.log)
        longest = max(longest, len(playout.log))
    rate = total / (time.process_time() - began)
    print(f"{name:14} {playouts} playouts, {total} moves, longest {longest}, {rate:,.0f} moves/s")
    return rate


def main() -> int:
    """Run the presets named on the command line, else all."""
    parser = argparse.ArgumentParser(description="Random playouts of the rules.")
    parser.add_argument("presets", nargs="*", default=list(ruleset.preset_names()))
    parser.add_argument("--playouts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--house", type=int, metavar="N", help="play under N random rulesets instead")
    wanted = parser.parse_args()
    if wanted.house is not None:
        simulate_house(wanted.house, wanted.seed)
        return 0
    rates = [simulate(name, wanted.set, wanted.playouts, wanted.seed) for name in wanted.presets]
    return 0 if min(rates) >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())

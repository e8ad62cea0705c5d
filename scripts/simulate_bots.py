"""Bots play many rounds of every preset in the pure engine, to see what their matches are like.

    .venv/bin/python scripts/simulate_bots.py [PRESET …] [--seats 2-6] [--rounds 200] [--seed 1] [--set KEY=VALUE]

The dealer of this script knows all cards; a bot hears events, its own looks, and sees views, as at a real table.
Snap windows are decided by the times at which the bots press. One line a preset and number of seats:
`turns` completed turns of a seat in a round; `called`, `stock` how rounds end, `forced` calls without cards among them
(%); `won` calls that succeed (%); `hand` points of a hand at the end;
`right`, `wrong` snaps a round; `powers` used a round; `several` exchanges of several cards a round, right+wrong; `µs`
of thinking a decision, mean and longest.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from p2pkaboo.players.bot import STYLES, Bot
from p2pkaboo.rules import cards, engine, events, moves, ruleset, scoring, state
from p2pkaboo.rules.outcome import Played
from p2pkaboo.rules.view import seat_view

MOST_MOVES = 3000
"""Moves after which a round counts as one that never ends."""

USED = (events.Peeked, events.Spied, events.Swapped)


class NoEnd(Exception):
    """A round did not end."""


@dataclass
class Dealing:
    """One round between bots; the cards' faces are known here and nowhere else."""

    rules: ruleset.Ruleset
    bots: list[Bot]
    dealer: int
    totals: list[int]
    rng: random.Random
    counts: Counter[str]
    used_reset: set[int] = field(default_factory=set)
    round_no: int = 1
    faces: dict[state.Handle, str] = field(default_factory=dict)
    seen: list[dict[state.Handle, str]] = field(default_factory=list)
    shuffles: int = 1

    def play(self) -> scoring.RoundScore[int]:
        """The whole round."""
        seats = len(self.bots)
        deck = list(cards.deck(self.rules))
        self.rng.shuffle(deck)
        handles = [(1, place) for place in range(len(deck))]
        self.faces = dict(zip(handles, deck, strict=True))
        self.seen = [{} for _ in self.bots]
        for seat, bot in enumerate(self.bots):
            bot.begin(self.rules, seat, seats, self.totals)
        now = engine.start(self.rules, seats, self.dealer, handles, faces=self.faces)
        for _ in range(MOST_MOVES):
            after = self.step(now)
            if after is None:
                return self.score(now)
            now = after
        raise NoEnd(f"no end after {MOST_MOVES} moves: {now}")

    def step(self, now: state.State) -> state.State | None:
        """One move of whoever is waited for, snaps first; None when the round is over."""
        if now.initial:
            return self.chosen(now, min(now.initial))
        if now.gift is not None:
            return self.chosen(now, now.gift.giver)
        snapped = self.window(now)
        if snapped is not None:
            return snapped
        return None if now.turn is None else self.chosen(now, now.turn)

    def window(self, now: state.State) -> state.State | None:
        """A snap window: None if nobody presses."""
        if not engine.snappable(now):
            return None
        presses = []
        for seat in sorted(now.active):
            if engine.may_snap(now, seat):
                press = self.bots[seat].react(seat_view(now, seat, self.seen[seat]))
                if press is not None:
                    other = engine.snap_class(now, seat, press.handle) == "other"
                    late = other and self.rules.snap == "own-then-others"
                    presses.append((late, press.react_ms, self.rng.random(), seat, press.handle))
        if not presses:
            return None
        at_window = now
        for _, _, _, seat, handle in sorted(presses):
            while now.gift is not None:
                now = self.chosen(now, now.gift.giver)
            if not engine.still_stands(at_window, now, seat, handle):
                now = engine.void_attempt(now, seat)
            elif handle in engine.snap_targets(now, seat):
                now = self.played(now, moves.Snap(seat, handle))
        return now

    def chosen(self, now: state.State, seat: int) -> state.State:
        """The state after the move that the seat's bot chooses."""
        view = seat_view(now, seat, self.seen[seat])
        began = time.thread_time_ns()
        choice = self.bots[seat].choose(view, view.moves)
        took = (time.thread_time_ns() - began) // 1000
        self.counts["decisions"] += 1
        self.counts["us"] += took
        self.counts["longest"] = max(self.counts["longest"], took)
        return self.played(now, choice.move)

    def played(self, now: state.State, move: moves.Move) -> state.State:
        """The state after a move; everybody hears of it, who looks at cards sees them."""
        outcome = engine.play(now, move, self.faces)
        if not isinstance(outcome, Played):
            spent = [self.faces[handle] for handle in outcome.reshuffle]
            self.rng.shuffle(spent)
            self.shuffles += 1
            new = tuple((self.shuffles, place) for place in range(len(spent)))
            self.faces.update(zip(new, spent, strict=True))
            outcome = engine.play(now, move, self.faces, reshuffled=new)
        if not isinstance(outcome, Played):
            raise NoEnd(f"{move} needs {outcome}")
        for handle in self.looks(now, outcome.state, move):
            self.seen[move.seat][handle] = self.faces[handle]
            self.bots[move.seat].looked(handle, self.faces[handle])
        for event in outcome.events:
            self.count(event)
            for bot in self.bots:
                bot.notice(event)
        return outcome.state

    @staticmethod
    def looks(before: state.State, after: state.State, move: moves.Move) -> Iterator[state.Handle]:
        """The cards that the one who moves looks at."""
        match move:
            case moves.PeekInitial():
                yield from move.handles
            case moves.Peek() | moves.Spy():
                yield move.handle
            case moves.Draw() if after.drawn is not None and before.drawn is None:
                yield after.drawn.handle

    def count(self, event: events.Event) -> None:
        """Take down what the table of results shows."""
        match event:
            case events.Snapped():
                self.counts["right"] += 1
            case events.SnapWrong():
                self.counts["wrong"] += 1
            case events.Called(_, True):
                self.counts["forced"] += 1
            case events.RoundOver(end):
                self.counts[end] += 1
            case events.Mismatch():
                self.counts["mismatch"] += 1
            case events.Exchanged(_, at, _, _) if len(at) > 1:
                self.counts["several"] += 1
            case _ if isinstance(event, USED):
                self.counts["powers"] += 1
                self.counts[events.NAMES[type(event)]] += 1

    def score(self, end: state.State) -> scoring.RoundScore[int]:
        """The score of the round that has ended."""
        hands = {
            seat: [None if handle is None else self.faces[handle] for handle in hand]
            for seat, hand in enumerate(end.hands)
        }
        result = scoring.score_round(
            self.rules,
            hands,
            end.caller,
            dict(enumerate(end.penalties)),
            dict(enumerate(self.totals)),
            self.used_reset,
            self.round_no,
        )
        self.counts["turns"] += sum(end.turns)
        self.counts["points"] += sum(result.hand.values())
        if end.caller is not None:
            others = [points for seat, points in result.hand.items() if seat != end.caller]
            tie = self.rules.score_caller_tie == "wins"
            self.counts["calls"] += 1
            self.counts["won"] += result.hand[end.caller] < min(others) + tie
        return result


def play_rounds(rules: ruleset.Ruleset, seats: int, rounds: int, seed: str, styles: tuple[str, ...]) -> Counter[str]:
    """Play matches one after the other until so many rounds are over; what happened, counted."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    bots: list[Bot] = []
    totals, used, round_no, dealer = [0] * seats, set[int](), 1, 0
    for _ in range(rounds):
        if round_no == 1:
            bots = [Bot(rng.choice(styles), random.Random(rng.random())) for _ in range(seats)]
            totals, used, dealer = [0] * seats, set(), rng.randrange(seats)
        result = Dealing(rules, bots, dealer, totals, rng, counts, used, round_no).play()
        totals, used, dealer = list(result.totals.values()), used | set(result.reset), (dealer + 1) % seats
        round_no = 1 if result.match_over else round_no + 1
    counts["rounds"] = rounds
    return counts


def line(name: str, seats: int, counts: Counter[str]) -> str:
    """The counts as one line of the table."""
    rounds = counts["rounds"]
    percent = {key: 100 * counts[key] / rounds for key in ("called", "forced", "stock")}
    won = 100 * counts["won"] / max(1, counts["calls"])
    a_round = {key: counts[key] / rounds for key in ("right", "wrong", "powers", "several", "mismatch")}
    return (
        f"{name:14} {seats:5} {counts['turns'] / rounds / seats:6.1f} "
        f" {percent['called']:7.0f} {percent['forced']:7.0f} {percent['stock']:6.0f}"
        f" {won:5.0f} {counts['points'] / rounds / seats:6.1f} {a_round['right']:6.2f} {a_round['wrong']:6.2f}"
        f" {a_round['powers']:7.2f} {a_round['several']:6.2f}+{a_round['mismatch']:.2f}"
        f" {counts['us'] / max(1, counts['decisions']):6.0f} {counts['longest']:6}"
    )


def main() -> int:
    """Run the presets named on the command line, else all."""
    parser = argparse.ArgumentParser(description="Bots play rounds in the pure engine.")
    parser.add_argument("presets", nargs="*", default=list(ruleset.preset_names()))
    parser.add_argument("--seats", default="2-6")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--styles", nargs="*", default=list(STYLES))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    wanted = parser.parse_args()
    least, _, most = wanted.seats.partition("-")
    print(
        "preset         seats  turns  called  forced  stock   won   hand  right  wrong  powers    several"
        "     µs longest"
    )
    for name in wanted.presets:
        rules = ruleset.load_with(name, wanted.set)
        for seats in range(int(least), min(int(most or least), rules.players_max) + 1):
            seed = f"{wanted.seed} {name} {seats}"
            print(line(name, seats, play_rounds(rules, seats, wanted.rounds, seed, tuple(wanted.styles))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Rounds as a log and as motion: no line and no motion with a hidden face, every card's way whole."""

import random

import pytest

from p2pkaboo.peer import api
from p2pkaboo.peer.session.chronicle import PILE, STOCK, Chronicle, held, place
from p2pkaboo.peer.session.memory import PEEK_MS, Memory
from p2pkaboo.rules import events as ev
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.engine import Needs, expose, moves, play, start
from p2pkaboo.rules.moves import Draw, Exchange, PeekInitial, Snap
from p2pkaboo.rules.ruleset import load_preset, with_overrides
from p2pkaboo.rules.state import Handle, State

Faces = dict[Handle, str]


def dealt(preset: str, order: list[str], seats: int = 3) -> tuple[State, Faces]:
    rules = with_overrides(load_preset(preset), {"snap.exposure_ms": 0})
    handles = tuple((1, at) for at in range(len(order)))
    faces = dict(zip(handles, order, strict=True))
    state = start(rules, seats, seats - 1, handles)
    return expose(state, {handle: faces[handle] for handle in state.pile}), faces


class Watcher:
    """Plays moves and writes them down for seat 0."""

    def __init__(self, preset: str, order: list[str]) -> None:
        self.now = 1_000
        self.state, self.faces = dealt(preset, order)
        self.memory = Memory(0, assisted=False)
        self.chronicle = Chronicle(0, lambda: self.now)
        self.chronicle.begin([self.faces[handle] for handle in self.state.pile])

    def play(self, move: object) -> bool:
        outcome = play(self.state, move, self.faces)  # type: ignore[arg-type]
        if isinstance(outcome, Needs):
            return False
        if isinstance(move, Draw) and move.seat == 0:
            self.memory.seen[self.state.stock[0]] = self.faces[self.state.stock[0]]
        self.state = outcome.state
        self.chronicle.happened(outcome.events, self.state, self.memory, {})
        return True

    @property
    def last(self) -> tuple[str, dict[str, str | int | None]]:
        say = self.chronicle.lines[-1].say
        return say.key, say.params

    def looks(self) -> None:
        for seat in range(self.state.seats):
            for move in moves(self.state, seat)[:1]:
                self.play(move)


def order_with(cards: str) -> list[str]:
    named = cards.split()
    return [*named, *(card for card in deck(load_preset("sheffield")) if card not in named)]


def watcher(cards: str) -> Watcher:
    made = Watcher("sheffield", order_with(cards))
    made.looks()
    made.chronicle.motion.clear()
    return made


def test_an_exchange_names_the_place_and_the_card_that_came_out() -> None:
    seen = watcher("2C 2D 2H 3C 3D 3H 4C 4D 4H 5C 5D 5H KS 9H")
    seen.play(Draw(0))
    assert seen.last == ("log.drew", {"seat": 0})
    seen.play(Exchange(0, (seen.state.hands[0][1],)))  # type: ignore[arg-type]
    assert seen.last == ("log.exchanged", {"seat": 0, "place": 1, "card": "3C"})
    draw, into, out, turn = seen.chronicle.motion
    assert draw == api.CardMoved(snapshot=0, cause="draw", seat=0, start=STOCK, end=held(0), face="9H")
    assert into == api.CardMoved(snapshot=0, cause="exchange", seat=0, start=held(0), end=place(0, 1))
    assert out == api.CardMoved(snapshot=0, cause="exchange", seat=0, start=place(0, 1), end=PILE, face="3C")
    assert turn == api.TurnBegan(snapshot=0, seat=1)
    seen.play(Draw(1))
    assert seen.chronicle.motion[-1] == api.CardMoved(snapshot=0, cause="draw", seat=1, start=STOCK, end=held(1))


def test_a_snap_says_on_which_card_and_how_fast() -> None:
    seen = watcher("2C 2D 2H 3C 3D 3H 4C 4D 4H 5C 5D 5H 4S 9H")
    outcome = play(seen.state, Snap(1, seen.state.hands[0][2]), seen.faces)  # type: ignore[arg-type]
    assert not isinstance(outcome, Needs)
    seen.chronicle.happened(outcome.events, outcome.state, seen.memory, {1: 301})
    expected = {"seat": 1, "seat_of": 0, "place": 2, "card": "4C", "card_on": "4S", "ms": 301}
    assert seen.last == ("log.snap_right_other", expected)


def test_a_wrong_snap_is_shown_for_a_moment_and_its_price_is_named() -> None:
    seen = watcher("2C 2D 2H 3C 3D 3H 4C 4D 4H 5C 5D 5H KS 9H")
    handle = seen.state.hands[1][0]
    seen.play(Snap(1, handle))  # type: ignore[arg-type]
    assert [line.say.key for line in seen.chronicle.lines[-2:]] == ["log.snap_wrong", "log.penalty_cards"]
    assert seen.last[1] == {"seat": 1, "n": 2, "places": "4 5"}
    assert seen.memory.shown == {handle: ("2D", seen.now + PEEK_MS)}
    shown, *penalties = seen.chronicle.motion
    assert shown == api.CardShown(snapshot=0, cause="wrong_snap", spot=place(1, 0), face="2D")
    assert [move.face for move in penalties if isinstance(move, api.CardMoved)] == [None, None]


def test_a_failed_exchange_of_several_cards_shows_them() -> None:
    seen = Watcher("cabo-standard", [*"5C 2D 2H 6C 3D 3H 4C 4D 4H 7C 5D 5H KS 9H".split(), "8S", "8C"])  # noqa: SIM905
    seen.looks()
    seen.play(Draw(0))
    hand = seen.state.hands[0]
    seen.play(Exchange(0, (hand[0], hand[1]), hand[0]))  # type: ignore[arg-type]
    keys = [line.say.key for line in seen.chronicle.lines[-2:]]
    assert keys == ["log.mismatch", "log.kept_extra"]
    assert {face for face, _ in seen.memory.shown.values()} == {"5C", "6C"}
    assert set(seen.memory.shown) == {hand[0], hand[1]}


@pytest.mark.parametrize("preset", ["sheffield", "kabbu", "cabo-online", "cabo-standard", "cabo-guide"])
@pytest.mark.parametrize("seed", range(3))
def test_lines_and_motion_of_whole_rounds_hold_public_and_own_faces_only(preset: str, seed: int) -> None:
    rng = random.Random(seed)
    cards = list(deck(load_preset(preset)))
    rng.shuffle(cards)
    seen = Watcher(preset, cards)
    for _ in range(80):
        options = [move for seat in range(3) for move in moves(seen.state, seat, seen.faces)]
        options = [move for move in options if isinstance(move, PeekInitial)] or options
        if not options or not seen.play(rng.choice(options)):
            break
        public = set(seen.state.faces.values()) | set(seen.memory.seen.values())
        for event in seen.chronicle.motion:
            assert getattr(event, "face", None) in {None, *public}
        for line in seen.chronicle.lines:
            for name, value in line.say.params.items():
                if name.startswith("card"):
                    assert set(str(value).split()) <= public
        seen.chronicle.motion.clear()
        public_now = [line.number for line in seen.chronicle.lines]
        assert public_now == list(range(len(public_now)))


def test_every_event_of_the_engine_has_its_place() -> None:
    seen = watcher("2C 2D 2H 3C 3D 3H 4C 4D 4H 5C 5D 5H KS 9H")
    samples: list[ev.Event] = [
        ev.PenaltyDropped(0, 1),
        ev.Points(1, 30),
        ev.NoGift(1, 0),
        ev.Passed(2),
        ev.Forfeited(1),
        ev.PowerFizzled(0, "peek"),
        ev.Claimed(1, ("7", "8")),
        ev.Claimed(1, ("Q",)),
        ev.Reshuffled(12),
        ev.RoundOver("stock"),
    ]
    seen.chronicle.lines.clear()
    seen.chronicle.happened(samples, seen.state, seen.memory, {})
    assert [line.say.key for line in seen.chronicle.lines] == [
        "log.penalty_points",
        "log.no_gift",
        "log.passed",
        "log.forfeit",
        "log.fizzled",
        "log.claim",
        "log.claim_one",
        "log.reshuffled",
        "log.stock_out",
    ]

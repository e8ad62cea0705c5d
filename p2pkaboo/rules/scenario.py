"""Scenarios: a whole round in one JSON document with a known deck, to be replayed; and a played round as one.

Exposure times do not exist here, and `pass` is left out: a final turn that cannot be taken ends by itself as soon as
anything but a snap or a gift follows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import engine
from .consistency import cards_needed, check_seats
from .documents import (
    DocumentError,
    check_cards,
    read_match,
    read_points,
    read_rules,
    read_seat_name,
    score_plain,
    table,
)
from .keys import RulesError, shown
from .moves import Move, Pass, PeekInitial
from .outcome import IllegalMove, Needs, Played
from .ruleset import Ruleset, overrides_of
from .scenario_moves import read_move, write_event, write_move
from .scoring import score_round
from .state import Handle, State, clockwise, has_cards
from .turns import stuck

MAX_MOVES = 20_000
"""Moves in a scenario: many times the longest round, and a bound for what is typed."""

FIELDS = ("rules", "overrides", "seats", "dealer", "totals", "used_reset", "round_no", "deck", "moves")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario whose frame is in order; its moves are still as they were written."""

    rules: Ruleset
    seats: tuple[str, ...]
    dealer: int
    deck: tuple[str, ...]
    moves: tuple[object, ...]
    totals: Mapping[str, int]
    used_reset: tuple[str, ...]
    round_no: int


class NeedsReshuffle(Exception):
    """A move needs the discards reshuffled and does not say how they came to lie."""


def read_scenario(document: object) -> Scenario:
    """The scenario in a JSON document.

    Raises DocumentError if anything but a move is wrong with it.
    """
    given = table(document, FIELDS, ("rules", "seats", "dealer", "deck"))
    rules = read_rules(given)
    names, deck, moves = given["seats"], given["deck"], given.get("moves", [])
    if not isinstance(names, list) or len({read_seat_name(name, "seats") for name in names}) != len(names):
        raise DocumentError("seats: expected a list of different names, clockwise")
    try:
        check_seats(rules, len(names))
    except RulesError as error:
        raise DocumentError(f"seats: {error}") from None
    if given["dealer"] not in names:
        raise DocumentError(f"dealer: no seat {shown(given['dealer'])}, there are {', '.join(names)}")
    if not isinstance(deck, list):
        raise DocumentError("deck: expected a list of cards, top first")
    cards = check_cards(rules, "deck", deck)
    need = cards_needed(rules, len(names))
    if len(cards) < need:
        raise DocumentError(
            f"deck: {len(cards)} cards, expected at least {need}: one more than are dealt and turned up"
        )
    if not isinstance(moves, list) or len(moves) > MAX_MOVES:
        raise DocumentError(f"moves: expected a list of at most {MAX_MOVES} moves")
    used, number = read_match(given, names)
    totals = read_points(given, "totals", names)
    return Scenario(rules, tuple(names), names.index(given["dealer"]), cards, tuple(moves), totals, used, number)


class Replay:
    """A round replayed from a scenario, move by move."""

    def __init__(self, scenario: Scenario) -> None:
        handles = [(1, place) for place in range(len(scenario.deck))]
        self.scenario = scenario
        self.faces: dict[Handle, str] = dict(zip(handles, scenario.deck, strict=True))
        self.state = engine.start(scenario.rules, len(scenario.seats), scenario.dealer, handles, faces=self.faces)
        self.events: list[dict[str, Any]] = []
        self._shuffles = 1

    def play(self, raw: object) -> None:
        """Play the next move as written.

        Raises IllegalMove, or NeedsReshuffle.
        """
        if self.state.initial and not (isinstance(raw, dict) and raw.get("do") == "peek_initial"):
            self._first_looks()
        if not (isinstance(raw, dict) and raw.get("do") in ("snap", "give", "no_gift")):
            self.pass_over()
        self._step(
            read_move(self.state, self.scenario.seats, raw), raw.get("reshuffled") if isinstance(raw, dict) else None
        )

    def pass_over(self) -> None:
        """End the final turns that cannot be taken: in a scenario nobody says `pass`."""
        while (seat := _must_pass(self.state)) is not None:
            self._step(Pass(seat), None)

    def _first_looks(self) -> None:
        """First looks left out are at the nearest cards."""
        for seat in sorted(self.state.initial):
            nearest = self.state.hands[seat][: self.scenario.rules.peek_count]
            self._step(PeekInitial(seat, tuple(handle for handle in nearest if handle is not None)), None)

    def _step(self, move: Move, written: object) -> None:
        outcome = engine.play(self.state, move, self.faces)
        if isinstance(outcome, Needs):
            new = self._reshuffled(outcome, written)
            outcome = engine.play(self.state, move, self.faces, reshuffled=new)
        elif written is not None:
            raise IllegalMove("nothing is reshuffled in this move", "stock.empty")
        if not isinstance(outcome, Played):
            raise AssertionError(f"with every card known {move} still needs {outcome}")
        self.state = outcome.state
        self.events += [write_event(event, self.scenario.seats, self.faces) for event in outcome.events]

    def _reshuffled(self, needs: Needs, written: object) -> tuple[Handle, ...]:
        """New handles for the discards, in the order in which the move says they lie."""
        spent = sorted(self.faces[handle] for handle in needs.reshuffle)
        if written is None:
            raise NeedsReshuffle(f"the discards under the top one, {', '.join(spent)}, have to be reshuffled first")
        if not isinstance(written, list) or not all(isinstance(card, str) for card in written):
            raise IllegalMove("reshuffled is no list of cards", "form of a move")
        if sorted(written) != spent:
            raise IllegalMove(
                f"exactly the discards under the top one, {', '.join(spent)}, are reshuffled", "stock.empty"
            )
        self._shuffles += 1
        new = tuple((self._shuffles, place) for place in range(len(written)))
        self.faces.update(zip(new, written, strict=True))
        return new

    def result(self) -> dict[str, Any]:
        """The state as the answer of `rules run` shows it, and the round's score once it is over."""
        state, scenario, name = self.state, self.scenario, self.scenario.seats
        hands = {
            seat: [None if handle is None else self.faces[handle] for handle in hand]
            for seat, hand in zip(name, state.hands, strict=True)
        }
        penalties = {seat: points for seat, points in zip(name, state.penalties, strict=True) if points}
        gift = state.gift
        result: dict[str, Any] = {
            "events": self.events,
            "hands": hands,
            "discard": [self.faces[handle] for handle in state.pile],
            "stock": len(state.stock),
            "drawn": None if state.drawn is None else self.faces[state.drawn.handle],
            "gift": None if gift is None else {"giver": name[gift.giver], "to": name[gift.to], "at": gift.at},
            "penalties": penalties,
            "turn": None if state.turn is None else name[state.turn],
            "phase": state.phase,
            "caller": None if state.caller is None else name[state.caller],
        }
        if state.phase == "round_over":
            caller = result["caller"]
            score = score_round(
                scenario.rules, hands, caller, penalties, scenario.totals, scenario.used_reset, scenario.round_no
            )
            result["round"] = score_plain(scenario.rules, score)
        return result


def _must_pass(state: State) -> int | None:
    """The seat whose final turn can only be given up."""
    seat = state.turn
    if seat is None or state.caller is None or state.phase != "turn":
        return None
    return None if has_cards(state, seat) and not stuck(state) else seat


def run_scenario(scenario: Scenario) -> dict[str, Any]:
    """Replay a scenario: the document that `rules run` prints. `ok` is false if a move was refused."""
    replay = Replay(scenario)
    for at, raw in enumerate(scenario.moves):
        try:
            replay.play(raw)
        except IllegalMove as refused:
            return _refusal(replay, at, "illegal-move", raw, str(refused))
        except NeedsReshuffle as refused:
            return _refusal(replay, at, "needs-reshuffle", raw, f"{refused} (stock.empty)")
    replay.pass_over()
    return {"ok": True, **replay.result()}


def _refusal(replay: Replay, at: int, error: str, raw: object, why: str) -> dict[str, Any]:
    who, what = (raw.get("seat"), raw.get("do")) if isinstance(raw, dict) else (None, None)
    reason = f"{shown(who)} may not {shown(what)}: {why}" if isinstance(who, str) and isinstance(what, str) else why
    return {"ok": False, "at": at, "error": error, "reason": reason, **replay.result()}


def export_scenario(
    rules: Ruleset,
    seats: Sequence[str],
    dealer: int,
    deck: Sequence[Handle],
    log: Sequence[tuple[Move, tuple[Handle, ...] | None]],
    card_of: Mapping[Handle, str],
    *,
    active: frozenset[int] | None = None,
    totals: Mapping[str, int] | None = None,
    used_reset: Sequence[str] = (),
    round_no: int = 1,
) -> dict[str, Any]:
    """A played round as a scenario document.

    `deck`: handles in deal order, top first; `log`: every move played with the reshuffle it needed (the new stock, top
    first) or None, in history order, attempts that did not count left out; `card_of`: the face of every handle;
    `active`: the seats that were dealt in (None: all), the others do not appear. `run_scenario(read_scenario(…))` of
    the document gives the same round.

    Raises IllegalMove if the log is not a lawful round.
    """
    base, overrides = overrides_of(rules)
    state = engine.start(rules, len(seats), dealer, deck, active=active, faces=card_of)
    named = [seats[seat] for seat in sorted(state.active)]
    # Of those who take part the one before the first turn deals: the same order, whoever really dealt.
    deals = next(seat for seat in (dealer, *reversed(list(clockwise(state, dealer)))) if seat in state.active)
    written: list[dict[str, Any]] = []
    for move, reshuffled in log:
        raw = write_move(state, seats, move)
        if reshuffled is not None:
            raw["reshuffled"] = [card_of[handle] for handle in reshuffled]
        outcome = engine.play(state, move, card_of, reshuffled=reshuffled)
        if isinstance(outcome, Needs):
            raise IllegalMove(f"move {len(written)} of the log needs {outcome}", "log")
        state = outcome.state
        if not isinstance(move, Pass):
            written.append(raw)
    return {
        "rules": base,
        "overrides": overrides,
        "seats": named,
        "dealer": seats[deals],
        "totals": {name: points for name, points in (totals or {}).items() if name in named},
        "used_reset": [name for name in used_reset if name in named],
        "round_no": round_no,
        "deck": [card_of[handle] for handle in deck],
        "moves": written,
    }

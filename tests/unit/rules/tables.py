"""Small rounds with a known deck, played in words: `table("sheffield", "5H 6C 7S 8D", …).play("A draw")`."""

from typing import Any, Self

import pytest

from p2pkaboo.rules import scenario
from p2pkaboo.rules.moves import Move
from p2pkaboo.rules.outcome import IllegalMove, Needs, Played
from p2pkaboo.rules.scenario_moves import write_move
from p2pkaboo.rules.state import Handle, State

NAMES = "ABCDEFGH"

FILLER = ["2C", "3C", "4C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "2D", "3D", "4D", "6D"]
"""What `+` in a stock stands for, cards that are elsewhere left out."""


def document(rules: str, *hands: str, up: str = "", stock: str = "", **more: Any) -> dict[str, Any]:
    """A scenario: one text of cards a seat, the up-card, the stock top first. The last seat deals, so A begins."""
    dealt = [hand.split() for hand in hands]
    deck = [hand[place] for place in range(len(dealt[0])) for hand in dealt] + up.split() + stock.split()
    if deck[-1:] == ["+"]:
        deck[-1:] = [card for card in FILLER if card not in deck]
    seats = list(NAMES[: len(hands)])
    return {"rules": rules, "seats": seats, "dealer": seats[-1], "deck": deck, "moves": [], **more}


def move(words: str) -> dict[str, Any]:
    """A move in words: `A draw <5H 6C` (reshuffled), `A exchange 0 3 into 0 end left`, `B snap C 3`, `A swap 0 C 1`."""
    text, _, new = words.partition("<")
    seat, do, *rest = text.split()
    raw: dict[str, Any] = {"seat": seat, "do": do}
    if new:
        raw["reshuffled"] = new.split()
    numbers: list[Any] = []
    while rest:
        word = rest.pop(0)
        if word in ("into", "end", "of"):
            value = rest.pop(0)
            raw[word] = int(value) if value.isdigit() else value
        else:
            numbers.append(int(word) if word.isdigit() else word)
    match do:
        case "exchange" | "peek_initial":
            raw["at"] = numbers
        case "peek":
            (raw["at"],) = numbers
        case "spy" | "snap":
            raw["of"], raw["at"] = numbers
        case "swap":
            raw["mine"], raw["with"], raw["theirs"] = numbers
        case "give":
            (raw["card"],) = numbers
    return raw


class Table:
    """A round being replayed."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.replay = scenario.Replay(scenario.read_scenario(raw))

    def play(self, *moves: str) -> Self:
        """Play moves in words, all of them lawful."""
        for words in moves:
            try:
                self.replay.play(move(words))
            except IllegalMove as refused:
                raise AssertionError(f"{words}: {refused}") from refused
        return self

    def refused(self, words: str, rule: str) -> Self:
        """The move is refused, and the refusal names the rule."""
        before = self.replay.state
        with pytest.raises(IllegalMove) as refusal:
            self.replay.play(move(words))
        assert refusal.value.rule == rule, f"{words}: {refusal.value}"
        assert self.replay.state == before or before.initial  # first looks left out come first, whatever follows
        return self

    def step(self, move: Move) -> Self:
        """Play a move of the engine."""
        self.replay.play(write_move(self.state, self.replay.scenario.seats, move))
        return self

    def over(self) -> dict[str, Any]:
        """The result once final turns that cannot be taken have been passed over."""
        self.replay.pass_over()
        return self.replay.result()

    @property
    def state(self) -> State:
        return self.replay.state

    @property
    def result(self) -> dict[str, Any]:
        return self.replay.result()

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.replay.events]

    def hand(self, seat: str) -> str:
        """A hand as text, `-` for a gap."""
        return " ".join(card or "-" for card in self.result["hands"][seat])


def table(rules: str, *hands: str, up: str = "", stock: str = "", **more: Any) -> Table:
    """A round dealt as said."""
    return Table(document(rules, *hands, up=up, stock=stock, **more))


def after(outcome: Played | Needs) -> State:
    """The state after a move that needed nothing more."""
    assert isinstance(outcome, Played), outcome
    return outcome.state


def some(handle: Handle | None) -> Handle:
    """The card at a place that is no gap."""
    assert handle is not None
    return handle

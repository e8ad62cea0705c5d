"""The scorekeeper for a game with paper cards: players, each round's points, who leads, undo.

After the scorekeeper of the Kabbu text: "Choose the number of players, then enter their names", "Enter each round's
score. Use a minus sign for negative scores", "Round 1", "Lowest total is leading", "Recent rounds".
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .keys import shown

MIN_PLAYERS = 2
MAX_PLAYERS = 8
"""As many as can sit at a table."""

MAX_NAME = 24
"""Characters of a name: it heads a column."""

MAX_ROUND_POINTS = 999
"""Points of one round, up or down: more is a slip of the finger."""

MAX_ROUNDS = 1000
"""Rounds of a game: a bound for the file it is saved in."""


class ScoreError(ValueError):
    """An entry the scorekeeper does not take. The message is one line for the player."""


@dataclass(frozen=True, slots=True)
class Scorekeeper:
    """A game being scored: the players' names, and each round's points in the same order."""

    names: tuple[str, ...]
    rounds: tuple[tuple[int, ...], ...] = ()

    @property
    def round_no(self) -> int:
        """The round to be entered next, from 1."""
        return len(self.rounds) + 1

    @property
    def totals(self) -> tuple[int, ...]:
        """Each player's points so far."""
        return tuple(sum(points[player] for points in self.rounds) for player in range(len(self.names)))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The players with the lowest total, none before the first round."""
        totals = self.totals
        return tuple(player for player, total in enumerate(totals) if self.rounds and total == min(totals))

    def recent(self, most: int = 5) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The last rounds with their numbers, newest first."""
        numbered = tuple(enumerate(self.rounds, start=1))
        return numbered[: -most - 1 : -1]

    def add(self, points: Sequence[int]) -> "Scorekeeper":
        """The game with one more round.

        Raises ScoreError.
        """
        if len(points) != len(self.names):
            said = "1 score" if len(points) == 1 else f"{len(points)} scores"
            raise ScoreError(f"{said} for {len(self.names)} players")
        for name, score in zip(self.names, points, strict=True):
            if type(score) is not int or abs(score) > MAX_ROUND_POINTS:
                raise ScoreError(
                    f"{name}: {shown(score)}, expected a whole number from -{MAX_ROUND_POINTS} to {MAX_ROUND_POINTS}"
                )
        if len(self.rounds) >= MAX_ROUNDS:
            raise ScoreError(f"a game has at most {MAX_ROUNDS} rounds")
        return replace(self, rounds=(*self.rounds, tuple(points)))

    def undo(self) -> "Scorekeeper":
        """The game without its last round.

        Raises ScoreError if there is none.
        """
        if not self.rounds:
            raise ScoreError("no round to take back")
        return replace(self, rounds=self.rounds[:-1])

    def to_plain(self) -> dict[str, Any]:
        """The game as plain data, to be saved."""
        return {"names": list(self.names), "rounds": [list(points) for points in self.rounds]}


def new_game(names: Sequence[object]) -> Scorekeeper:
    """A game without rounds yet.

    Raises ScoreError.
    """
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        raise ScoreError(f"{len(names)} players, expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    cleaned: list[str] = []
    for name in names:
        cleaned.append(player_name(name, cleaned))
    return Scorekeeper(tuple(cleaned))


def player_name(name: object, others: Sequence[str]) -> str:
    """The name of one more player beside `others`, without white space around it.

    Raises ScoreError.
    """
    cleaned = name.strip() if isinstance(name, str) else ""
    if not 0 < len(cleaned) <= MAX_NAME or not cleaned.isprintable():
        raise ScoreError(f"every player needs a name of 1 to {MAX_NAME} characters")
    if cleaned in others:
        raise ScoreError(f"two players are called {cleaned}")
    return cleaned


def from_plain(plain: object) -> Scorekeeper:
    """The game that `to_plain` gave.

    Raises ScoreError.
    """
    if not isinstance(plain, dict) or set(plain) != {"names", "rounds"}:
        raise ScoreError("not a saved game: expected names and rounds")
    names, rounds = plain["names"], plain["rounds"]
    if not isinstance(names, list) or not isinstance(rounds, list):
        raise ScoreError("not a saved game: names and rounds are lists")
    game = new_game(names)
    for points in rounds:
        if not isinstance(points, list):
            raise ScoreError("not a saved game: a round is a list of points")
        game = game.add(points)
    return game

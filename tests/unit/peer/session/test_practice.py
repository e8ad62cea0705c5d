"""The tutorial's four lessons, played by following the coach."""

from dataclasses import dataclass, field

import pytest

from p2pkaboo.peer import api
from p2pkaboo.peer.session.lessons import LESSONS, RULES
from p2pkaboo.peer.session.practice import Practice
from p2pkaboo.peer.session.refusal import Refusal
from p2pkaboo.rules.cards import deck


@dataclass
class Learner:
    """Does what the coach says; `heard`: the coach's lines in order."""

    lesson: int
    now: int = 0
    heard: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.practice = Practice(self.lesson, lambda: self.now, lambda: None, "Ada")

    @property
    def table(self) -> api.Table:
        return self.practice.table(self.now)

    def run(self, limit: int = 200) -> None:
        for _ in range(limit):
            table = self.table
            assert table.practice
            assert table.coach is not None
            if not self.heard or self.heard[-1] != table.coach.key:
                self.heard.append(table.coach.key)
            if table.coach.key == "coach.done":
                return
            self.follow(table)
            self.now += 400
            self.practice.tick()
        raise AssertionError(f"no end: {self.heard}")

    def follow(self, table: api.Table) -> None:
        offered = {choice.command: choice for choice in table.choices if not choice.off}
        assert table.coach is not None
        match table.coach.key.removeprefix("coach."):
            case "look":
                self.practice.command(api.PeekInitial(positions=(0, 1)))
            case "looked":
                self.practice.command(api.Seen())
            case "draw":
                self.practice.command(api.Draw())
            case "low":
                self.practice.command(api.Exchange(positions=(0,)))
            case "power" | "hint.turn":
                self.practice.command(api.DiscardDrawn())
            case "peek":
                self.practice.command(api.Peek(position=2))
            case "spy":
                self.practice.command(api.Spy(seat=1, position=1))
            case "swap":
                self.practice.command(api.Swap(mine=0, seat=1, theirs=0))
            case "snap":
                self.practice.snap(api.Snap(seat=0, position=0))
            case "snap_other":
                self.practice.snap(api.Snap(seat=1, position=1))
            case "gift":
                self.practice.command(api.Give(position=offered["give"].mine[0].position or 0))
            case "call":
                self.practice.command(api.CallRound())
            case "wait":
                assert not {"draw", "discard", "exchange"} & set(offered)


@pytest.mark.parametrize(
    ("lesson", "told"),
    [
        (0, ["look", "looked", "draw", "low", "done"]),
        (
            1,
            [
                "look",
                "looked",
                "draw",
                "power",
                "peek",
                "wait",
                "draw",
                "power",
                "spy",
                "wait",
                "draw",
                "power",
                "swap",
                "done",
            ],
        ),
        (2, ["look", "looked", "snap", "draw", "power", "spy", "wait", "snap_other", "gift", "done"]),
        (3, ["look", "looked", "call", "wait", "done"]),
    ],
)
def test_a_lesson_is_learned_by_following_the_coach(lesson: int, told: list[str]) -> None:
    learner = Learner(lesson)
    learner.run()
    assert [key.removeprefix("coach.") for key in learner.heard] == told


def test_the_last_lesson_ends_with_a_result() -> None:
    learner = Learner(3)
    learner.run()
    result = learner.table.result
    assert result is not None
    assert (result.caller, result.call_held, result.match_over) == (0, True, True)
    assert [card for row in result.rows for card in row.cards] == ["AH", "2D", "AS", "3C", "8H", "QD", "9S", "JH"]
    scores = learner.table.scores
    assert scores.totals == tuple(row.points for row in result.rows) == (2, 40)
    assert [(played.points, played.caller, played.call_held) for played in scores.rounds] == [((2, 40), 0, True)]
    assert all(place.why == "revealed" for seat in learner.table.seats for place in seat.places)
    assert learner.table.choices == ()


def test_no_lesson_shows_a_card_that_was_not_looked_at() -> None:
    practice = Practice(0, lambda: 0, lambda: None, "Ada")
    assert [place.face for seat in practice.table(0).seats for place in seat.places] == [None] * 8
    practice.command(api.PeekInitial(positions=(0, 1)))
    places = practice.table(0).seats[0].places
    assert [(place.face, place.why) for place in places] == [
        ("KS", "looking"),
        ("3H", "looking"),
        (None, ""),
        (None, ""),
    ]
    practice.command(api.Seen())
    assert [place.face for place in practice.table(0).seats[0].places] == [None] * 4


@pytest.mark.parametrize("lesson", range(len(LESSONS)))
def test_the_decks_of_the_lessons_are_whole(lesson: int) -> None:
    assert sorted(LESSONS[lesson].deck(RULES)) == sorted(deck(RULES))


def test_a_lesson_that_does_not_exist() -> None:
    with pytest.raises(Refusal):
        Practice(len(LESSONS), lambda: 0, lambda: None, "Ada")


def test_a_wrong_snap_costs_two_cards_and_is_turned_back() -> None:
    learner = Learner(2)
    learner.practice.command(api.PeekInitial(positions=(0, 1)))
    learner.practice.command(api.Seen())
    learner.practice.snap(api.Snap(seat=0, position=1))
    places = learner.table.seats[0].places
    assert (len(places), places[1].face, places[1].why) == (6, "KS", "shown")
    assert [place.fresh for place in places[4:]] == [True, True]
    learner.now += 3_200
    assert learner.table.seats[0].places[1].face is None
    with pytest.raises(Refusal):
        learner.practice.snap(api.Snap(seat=0, position=9))


def test_a_learner_who_never_does_what_the_lesson_is_about_may_go_on_for_ever() -> None:
    """The stock runs out again and again: the discards come back, and nothing is refused."""
    learner = Learner(0)
    practice, draws = learner.practice, 0
    practice.command(api.PeekInitial(positions=(0, 1)))
    practice.command(api.Seen())
    while draws < 150:
        offered = {choice.command for choice in learner.table.choices if not choice.off}
        if "draw" in offered:
            practice.command(api.Draw())
            assert learner.table.held is not None
            assert learner.table.held.face
            draws += 1
        elif "discard" in offered:
            practice.command(api.DiscardDrawn())
        elif "skip" in offered:
            practice.command(api.Skip())
        learner.now += 600
        practice.tick()
    assert [line.say.key for line in practice.chronicle.lines].count("log.reshuffled") == 3
    assert not practice.done

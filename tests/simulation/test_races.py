"""A small seeded sample of the simulated races: the rule holds on it, and each repair of the rule is what holds it."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from p2pkaboo.lab.races import prepared, trial
from p2pkaboo.lab.races.cheats import CHEATS
from p2pkaboo.lab.races.race import Race
from p2pkaboo.lab.races.report import failures, figures, plain, text
from p2pkaboo.lab.races.trial import ALWAYS_FIRST, NONE, PLACES, Row, run_races
from p2pkaboo.replica import race
from p2pkaboo.replica.charter import RACES

SAMPLE = 80
"""Races of each kind, each with every cheat: a few seconds in all."""

SEED = 1

Results = Mapping[str, Mapping[str, list[Row]]]


@pytest.fixture(scope="module")
def sample() -> Results:
    return {name: run_races(place, range(SAMPLE), SEED, random.Random) for name, place in PLACES.items()}


def wins(results: Results, place: str, cheat: str) -> int:
    return sum(row.cheat[0] for row in results[place][cheat])


def test_the_rule_holds_what_it_must(sample: Results) -> None:
    assert failures(sample) == []


def test_the_fastest_nearly_always_wins(sample: Results) -> None:
    assert sum(row.fastest[0] for row in sample["lan/4"][NONE]) >= SAMPLE - 2
    assert sum(row.fastest[0] for row in sample["wan/4"][NONE]) >= SAMPLE - 10
    assert sum(row.fastest[0] for row in sample["lan/2"][NONE]) >= SAMPLE - 2


def test_who_holds_its_share_back_wins_nothing_that_a_trusted_host_would_give_it(sample: Results) -> None:
    held = sample["lan/4"]["share withheld 200 ms, lying"]
    assert sum(row.cheat[0] for row in held) == 0
    assert sum(row.cheat[1] for row in held) > SAMPLE // 2
    assert any(row.left_out for row in held)


def test_one_of_two_who_always_says_that_it_won_gets_disputes_and_not_every_race(sample: Results) -> None:
    for place in ("lan/2", "wan/2"):
        rows = sample[place][ALWAYS_FIRST]
        assert SAMPLE // 3 < sum(row.disputed for row in rows) < 2 * SAMPLE // 3
        assert wins(sample, place, ALWAYS_FIRST) < 9 * SAMPLE // 10
    assert sum(row.disputed for row in sample["lan/2"][NONE]) <= 3


def test_the_same_seed_gives_the_same_races_whatever_the_cheats(sample: Results) -> None:
    again = run_races(PLACES["wan/4"], range(3), SEED, random.Random)
    assert {name: rows[:3] for name, rows in sample["wan/4"].items()} == again
    other = run_races(PLACES["wan/4"], range(20), SEED + 1, random.Random)
    assert other[NONE] != sample["wan/4"][NONE][:20]


def test_a_cheat_meets_the_very_same_race() -> None:
    table = prepared.prepare(4, RACES["wan"], random.Random(1).randbytes)
    honest = Race(table, "wan", random.Random("x")).run()
    for cheat in (CHEATS["lying witness"], CHEATS["clock liar"]):
        outcome = Race(table, "wan", random.Random("x"), cheat).run()
        assert (outcome.reactions, outcome.presses) == (honest.reactions, honest.presses)
        assert outcome.arrivals == honest.arrivals


def test_the_table_can_be_read_by_people_and_programs(sample: Results) -> None:
    lines = list(text(sample))
    assert any(line.split()[:3] == ["true", "fastest", "wins"] for line in lines)
    assert set(plain(sample)) == set(PLACES)
    for figure in figures(sample)["wan/4"].values():
        assert figure.low <= figure.value <= figure.high


# -------------------------------------------------------------------- the repairs, undone

FEW = 40

Preset = Callable[..., None]


def beaten(cheat: str) -> int:
    """Races of a few on LAN that the cheat wins at four seats; honestly it would win ten or so."""
    rows = [
        trial.run_race(PLACES["lan/4"], f"{SEED}/few/{number}", CHEATS[cheat], random.Random) for number in range(FEW)
    ]
    return sum(row.cheat[0] for row in rows)


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Preset]:
    """Changes numbers of the preset for the tables of this test."""

    def change(**changes: int) -> None:
        monkeypatch.setitem(RACES, "lan", replace(RACES["lan"], **changes))
        trial.table_of.cache_clear()

    yield change
    trial.table_of.cache_clear()


def test_without_the_cap_a_feigned_slow_link_wins(numbers: Preset) -> None:
    assert beaten("fake slow link, lying") < FEW // 2
    numbers(cap=100_000)
    assert beaten("fake slow link, lying") > 3 * FEW // 4


def test_without_lateness_who_holds_its_share_back_stays_in_the_race(numbers: Preset) -> None:
    assert beaten("share withheld 200 ms, lying") == 0
    numbers(late=100_000)
    assert beaten("share withheld 200 ms, lying") > 0


def test_if_the_largest_measure_counted_a_lying_witness_would_win(monkeypatch: pytest.MonkeyPatch) -> None:
    assert beaten("lying witness") < FEW // 2
    monkeypatch.setattr(race, "sorted", _largest_everywhere, raising=False)
    assert beaten("lying witness") > 3 * FEW // 4


def _largest_everywhere(values: Iterable[Any], **options: Any) -> list[Any]:
    """Sorts so that in a row of measures, largest first, every place holds the largest."""
    ordered = sorted(values, **options)
    return [ordered[0]] * len(ordered) if options.get("reverse") else ordered

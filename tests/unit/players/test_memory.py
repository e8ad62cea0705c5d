"""Memories of cards: they fade, some slip, and moving makes them weaker."""

import random
from dataclasses import replace

import pytest

from p2pkaboo.players.memory import FORGOTTEN, Memory, Mind
from p2pkaboo.players.styles import STYLES, Style, style_named
from p2pkaboo.rules.cards import deck, rank
from p2pkaboo.rules.ruleset import load_preset, with_overrides

CARD, OTHER = (1, 0), (1, 1)
RULES = load_preset("sheffield")


def mind(style: Style | None = None, seed: int = 1, memory: str = "classic") -> Mind:
    made = Mind(
        with_overrides(RULES, {"memory": memory}),
        style_named("careful") if style is None else style,
        random.Random(seed),
    )
    made.follow({CARD: 0, OTHER: 1})
    return made


def remembered(mind: Mind) -> Memory:
    memory = mind.recall(CARD)
    assert memory is not None
    return memory


def test_a_card_never_seen_is_not_remembered() -> None:
    assert mind().recall(CARD) is None


def test_a_card_just_seen_is_certain_and_fades_turn_by_turn() -> None:
    subject = mind()
    subject.saw(CARD, "5H")
    assert remembered(subject) == Memory("5H", 1.0)
    strengths = []
    for _ in range(5):
        subject.pass_turn()
        strengths.append(remembered(subject).strength)
    assert strengths == sorted(strengths, reverse=True)
    assert strengths[0] < 1.0


@pytest.mark.parametrize("name", STYLES)
def test_what_is_not_seen_again_is_forgotten_at_last(name: str) -> None:
    style = style_named(name)
    subject = mind(style)
    subject.saw(CARD, "5H")
    turns = 0
    while subject.recall(CARD) is not None:
        subject.pass_turn()
        turns += 1
    assert style.fade**turns < FORGOTTEN <= style.fade ** (turns - 1)


def test_the_careful_remember_longest_and_the_snap_happy_shortest() -> None:
    left = []
    for name in ("careful", "greedy", "snap-happy"):
        subject = mind(style_named(name))
        subject.saw(CARD, "5H")
        subject.pass_turn()
        left.append(remembered(subject).strength)
    assert left[0] > left[1] > left[2]


def test_a_card_that_changes_hands_is_followed_but_less_surely() -> None:
    style = style_named("greedy")
    subject = mind(style)
    subject.saw(CARD, "5H")
    subject.follow({CARD: 0, OTHER: 1})
    assert remembered(subject) == Memory("5H", 1.0)
    subject.follow({CARD: 1, OTHER: 0})
    assert remembered(subject) == Memory("5H", style.moved)


def test_seeing_it_again_makes_it_certain_again_and_corrects_a_slip() -> None:
    subject = mind(replace(style_named("snap-happy"), fade=0.5, slip=2.0))
    subject.saw(CARD, "5H")
    subject.pass_turn()
    assert remembered(subject).card != "5H"
    subject.saw(CARD, "5H")
    assert remembered(subject) == Memory("5H", 1.0)


def test_what_everybody_was_shown_is_news_only_once() -> None:
    subject = mind()
    subject.shown(CARD, "5H")
    subject.pass_turn()
    faded = remembered(subject)
    subject.shown(CARD, "5H")
    assert remembered(subject) == faded
    assert faded.strength < 1.0


def test_in_assisted_memory_nothing_fades() -> None:
    subject = mind(memory="assisted")
    subject.saw(CARD, "5H")
    for _ in range(200):
        subject.pass_turn()
    assert remembered(subject) == Memory("5H", 1.0)


def test_a_slip_is_a_number_one_off_or_a_card_of_the_same_hand() -> None:
    style = replace(style_named("snap-happy"), fade=0.5, slip=2.0)
    slips = set()
    for seed in range(40):
        subject = mind(style, seed)
        subject.follow({CARD: 0, OTHER: 0})
        subject.saw(CARD, "5H")
        subject.saw(OTHER, "QS")
        subject.pass_turn()
        slips.add(rank(remembered(subject).card))
    assert slips == {"4", "6", "Q"}


def test_slips_are_as_rare_as_the_style_says() -> None:
    style = replace(style_named("careful"), fade=0.9, slip=0.5)
    wrong = 0
    for seed in range(2000):
        subject = mind(style, seed)
        subject.saw(CARD, "5H")
        subject.pass_turn()
        wrong += remembered(subject).card != "5H"
    assert 60 <= wrong <= 145  # 2000 × 0.1 × 0.5 = 100, within 4.5 standard deviations


def test_a_joker_slips_to_a_card_worth_as_little_as_any_other() -> None:
    style = replace(style_named("snap-happy"), fade=0.5, slip=2.0)
    slips = set()
    for seed in range(20):
        subject = mind(style, seed)
        subject.saw(CARD, "X1")
        subject.pass_turn()
        slips.add(remembered(subject).card)
    assert slips == {"KH", "KD"}
    assert slips <= set(deck(RULES))


def test_a_kept_card_is_known_as_such_until_it_changes_hands() -> None:
    subject = mind()
    subject.chose(OTHER)
    assert subject.was_chosen(OTHER)
    assert not subject.was_chosen(CARD)
    subject.follow({CARD: 0, OTHER: 0})
    assert not subject.was_chosen(OTHER)


def test_an_unknown_style_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'reckless'.*careful"):
        style_named("reckless")
